// Tells the page's notebook of shuffle-1 the stories of the shared examples; it must give the very same lines.
// Usage: node check_shuffle1_client.mjs DIRECTORY_OF_THE_PAGES_FAIRNESS_MODULES VECTORS
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [scripts, file] = process.argv.slice(2);
const { Notebook } = await import(pathToFileURL(`${scripts}/shuffle1client.js`));
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
/** What the page's parts make of a struct of Python: fields are written in camel case. */
const read = (value) => {
  if (Array.isArray(value)) return value.map(read);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), read(inner)]));
};

let count = 0;
for (const { name, steps } of JSON.parse(readFileSync(file, "utf8"))["shuffle-1 client"]) {
  const notebook = new Notebook();
  for (const { call, arguments: given, lines } of steps) {
    const answer = await notebook[camel(call)](...read(given));
    const told = Array.isArray(answer) ? answer : answer === null || typeof answer === "boolean" ? [] : [answer];
    assert.deepEqual(told, lines, `${name}: ${call}`);
    for (const line of told) notebook.take(line);
  }
  const again = new Notebook(steps.flatMap(({ lines }) => lines));
  assert.equal(again.version, notebook.version);
  assert.equal(again.alarms.length, notebook.alarms.length);
  count += 1;
}
console.log(`${count} stories`);
