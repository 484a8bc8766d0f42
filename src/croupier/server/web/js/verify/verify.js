// Checks records in this browser, from nothing but their text: commitments, seeds, cuts, every card, every move, every
// payout, and how one round follows from the other. A twin of `croupier.wire.records`.
//
// A record alone shows only that it agrees with itself: with the own log of somebody who was there it is held to what
// they saw.

import { fact, finding } from "../fairness/findings.js";
import { loadEngines } from "../games/engines.js";
import { CasinoLogCheck, isCasinoLog } from "./casinolog.js";
import { OwnLogCheck } from "./ownlog.js";
import { checkPurses } from "./purses.js";
import { RecordCheck } from "./recordcheck.js";
import { ShapeError, TABLE_FORMAT, checkText, parseLine, readEnd } from "./shape.js";
import { checkSuccession } from "./succession.js";
import { TableCheck } from "./tablecheck.js";

/** The largest file that is read. */
export const FILE_BYTES_MAX = 64 * 2 ** 20;
/** How long the page may be without an answer to its reader. */
const BREATH_MS = 40;

/** The lines of a file: bytes, or a text that was pasted. Null for a line that is not UTF-8. */
export function linesOf(content) {
  if (typeof content === "string") return content.split(/\r\n|\n|\r/);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return linesOf(decoder.decode(content));
  } catch {
    return lineBytes(content).map((line) => {
      try {
        return decoder.decode(line);
      } catch {
        return null;
      }
    });
  }
}

function lineBytes(content) {
  const lines = [];
  let begin = 0;
  content.forEach((byte, at) => {
    if (byte !== 10 && byte !== 13) return;
    const isSecond = byte === 10 && content[at - 1] === 13;
    if (!isSecond) lines.push(content.subarray(begin, at));
    begin = at + 1;
  });
  return [...lines, content.subarray(begin)];
}

/** Lets the page draw and hear its reader, every now and then. */
function breather(stopped) {
  let last = performance.now();
  return async () => {
    stopped?.throwIfAborted();
    if (performance.now() - last < BREATH_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
    stopped?.throwIfAborted();
  };
}

/** Checks a file with one record a line, and with `log` holds it to a player's own log; both are bytes or text.
 *
 * The answer: { rounds, findings, notices, checked }, where a round is { line, check, findings }. Findings and notices are
 * { line, code, facts }, those whose code begins with LOG_ with the line of the log. `progress(done, all)` is called on
 * the way; `stopped`, a signal, ends the work. */
export async function verify(content, log = null, { progress = () => {}, stopped = null } = {}) {
  const large = [content, log].find((each) => each !== null && each.length > FILE_BYTES_MAX);
  const megabytes = FILE_BYTES_MAX / 2 ** 20;
  if (large) return outcome([], [{ line: 1, ...finding("FILE_TOO_LARGE", { megabytes }) }], []);
  await loadEngines();
  const breathe = breather(stopped);
  const file = await readFile(linesOf(content), breathe, progress);
  const { checks, ends, table, findings, notices } = file;
  findings.push(...table.findings, ...successions(checks), ...checkPurses(checks));
  notices.unshift(...table.notices);
  notices.push(...aboutSchemes(checks));
  let logLines = null;
  if (log === null) notices.push({ line: 0, ...finding("RECORD_ALONE") });
  else {
    const lines = linesOf(log);
    const checksOf = (list) => list.map(({ check }) => check);
    const own = isCasinoLog(lines)
      ? new CasinoLogCheck(checksOf(checks))
      : new OwnLogCheck([...checksOf(checks), ...checksOf(ends)]);
    await own.run(lines, breathe);
    findings.push(...own.findings);
    notices.push(...own.notices);
    logLines = own.lines;
  }
  return outcome(checks, findings, notices, summary(checks, table, logLines));
}

async function readFile(lines, breathe, progress) {
  const file = { checks: [], ends: [], table: new TableCheck(), findings: [], notices: [] };
  for (const [place, text] of lines.entries()) {
    if (text !== null && !text.trim()) continue;
    progress(place, lines.length);
    const line = place + 1;
    const check = new RecordCheck(breathe);
    await take(file, line, text, check);
    file.findings.push(...check.findings.map((each) => ({ line, ...each })));
    file.notices.push(...check.notices.map((each) => ({ line, ...each })));
  }
  if (!file.checks.length && !file.ends.length) file.findings.push({ line: 1, ...finding("FILE_EMPTY") });
  file.table.finish();
  return file;
}

/** The next line of the file: a record, or the last line of a download. */
async function take({ checks, ends, table }, line, text, check) {
  let raw = null;
  let code = "RECORD_MALFORMED";
  try {
    raw = parseLine(text);
    if (raw?.format === TABLE_FORMAT) code = "END_MALFORMED";
    checkText(text);
    if (raw?.format === TABLE_FORMAT) {
      const end = readEnd(raw, "$");
      await check.runVoids(end.voids);
      table.end(line, end, check);
    } else await check.run(raw);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    check.fault(code, { fault: fact(error.message) });
  }
  if (code === "END_MALFORMED") ends.push({ line, check });
  else {
    checks.push({ line, check });
    table.take(line, check);
  }
}

/** How shuffles by `shuffle-1` and `cut-1` follow each other. */
function successions(checks) {
  const history = [];
  const undealt = new Map();
  let waiting = 0;
  for (const { line, check } of checks) {
    if (check.record && !check.hasOwnDeal) waiting += 1;
    for (const proof of check.shuffles) {
      undealt.set(history.length, waiting);
      waiting = 0;
      history.push({ line, proof });
    }
  }
  const found = checkSuccession(
    history.map(({ proof }) => proof),
    false,
    undealt,
  );
  return found.map((each) => ({ line: history[each.facts.proof].line, ...each }));
}

/** What a reader should know of rounds by older schemes, and of seeds that are still secret. */
function aboutSchemes(checks) {
  const linesWith = (test) => checks.filter(({ check }) => check.proofs.some(test)).map(({ line }) => line);
  const old = linesWith(({ scheme }) => scheme === "cut-1");
  const unproven = linesWith(({ serverSeed }) => serverSeed === null);
  const notices = [];
  if (old.length) notices.push({ line: old[0], ...finding("CUT_1_PROVES_LESS") });
  if (unproven.length) notices.push({ line: unproven[0], ...finding("ROUNDS_UNPROVEN", { count: unproven.length }) });
  return notices;
}

/** How much was checked: what a verdict speaks of. */
function summary(checks, table, logLines) {
  const sum = (count) => checks.reduce((total, { check }) => total + count(check), 0);
  return {
    /** Rounds replayed to the end: every move, payout and card. */
    rounds: sum(({ round }) => (round ? 1 : 0)),
    /** Shuffles that were played. */
    deals: sum(({ starts }) => starts.length),
    voids: table.voids,
    cards: sum(({ cards }) => cards),
    unseen: sum(({ unseen }) => unseen),
    /** Deals that were held to the closing of the one before. */
    links: table.links,
    logLines,
  };
}

function outcome(checks, findings, notices, checked = summary([], { voids: 0, links: 0 }, null)) {
  const byLine = (found) => [...found].sort((one, other) => one.line - other.line);
  const ofRecord = findings.filter(({ code }) => !code.startsWith("LOG_"));
  const found = (line) => ofRecord.filter((each) => each.line === line);
  const rounds = checks.map(({ line, check }) => ({ line, check, findings: found(line) }));
  return { rounds, findings: byLine(findings), notices: byLine(notices), checked };
}
