// Checks files with the verify page's modules, and tells where they judge otherwise than Python did.
// Usage: node check_verdicts.mjs DIRECTORY_OF_THE_PAGES_MODULES CASES
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [scripts, file] = process.argv.slice(2);
const { verify } = await import(pathToFileURL(`${scripts}/verify/verify.js`));

/** What both must say alike: where, what, and the facts, but not in which words a reader of JSON names a fault, by which
 * code the rules refuse something, or how signs are written that are not plain. */
const told = (found) =>
  found.map(({ line, code, facts: { fault: _, where: __, ...facts } }) => {
    if (["ACTION_REFUSED", "SETUP_REFUSED"].includes(code)) delete facts.code;
    return `${line} ${code} ${JSON.stringify(inOrder(facts)).replaceAll("\\\\x", "\\\\u00")}`;
  });
const inOrder = (facts) => Object.entries(facts).sort(([one], [other]) => (one < other ? -1 : 1));

/** What only one of two lists has. */
function difference(python, page) {
  const [one, other] = [python, page].map((told) => told.map((each) => JSON.stringify(each)));
  const only = (list, rest) => list.filter((each) => !rest.includes(each)).slice(0, 5);
  return `only Python: ${only(one, other)}; only the page: ${only(other, one)}; else in another order, or not as often`;
}

let count = 0;
const differences = [];
for await (const text of createInterface({ input: createReadStream(file) })) {
  const { name, records, log, expected } = JSON.parse(text);
  count += 1;
  let found;
  try {
    const verdict = await verify(records.join("\n"), log && log.join("\n"));
    const { checked } = verdict;
    found = { findings: told(verdict.findings), notices: told(verdict.notices), checked };
  } catch (error) {
    differences.push(`${name}: ${error.stack}`);
    continue;
  }
  // Of a game that nobody knows Python says that; the page may lack the rules only, so it checks what it can.
  if (expected.findings.some(({ code }) => code === "GAME_UNKNOWN")) {
    const said = [...found.findings, ...found.notices];
    if (!said.some((each) => / (DEAL_DIFFERS|CONTEXT_MISMATCH|GAME_NOT_REPLAYED) /.test(each)))
      differences.push(`${name}: a game without rules`);
    continue;
  }
  for (const part of ["findings", "notices", "checked"]) {
    const wanted = part === "checked" ? expected[part] : told(expected[part]);
    if (JSON.stringify(wanted) === JSON.stringify(found[part])) continue;
    const lists = [wanted, found[part]].map((each) => (Array.isArray(each) ? each : [each]));
    differences.push(`${name}, ${part}: ${difference(...lists)}`);
  }
}
if (differences.length) {
  console.error(`${differences.length} differences in ${count} files`);
  for (const each of differences.slice(0, 12)) console.error(each);
  process.exit(1);
}
console.log(JSON.stringify({ count }));
