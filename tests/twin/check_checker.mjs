// Feeds tapes to the page's checker and writes down what it found, a line for each tape.
// Usage: node check_checker.mjs DIRECTORY_OF_THE_PAGES_MODULES < TAPES, one JSON list of steps a line
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [scripts] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${scripts}/${path}`));
const { Checker } = await load("fairness/checker.js");
const { engineOf, loadEngines } = await load("games/engines.js");
await loadEngines();

const STEPS = {
  new: (_, { me }) => new Checker(me, engineOf),
  reload: (checker) => new Checker(checker.me, engineOf, checker.memory && JSON.parse(JSON.stringify(checker.memory))),
  memory: (checker, { memory }) => void (checker.memory = memory),
  rest: (checker, { hand, gave, acknowledged, acts, asked }) => {
    checker.gave = new Map(gave);
    checker.acknowledged = new Set(acknowledged);
    checker.ownActions = (other) => (other === hand ? acts : null);
    checker.ownRequests = () => asked.map(([kind, chips]) => ({ kind, chips }));
  },
  recall: (checker, { told }) => void checker.recallMoves(told),
  lose_sight: (checker) => void checker.loseSight(),
  agree: (checker, { hand }) => void checker.agreeToHand(hand),
  voids: (checker) => void checker.agreeToVoids(),
};

/** What came of each step, up to the first alarm. */
function run(tape) {
  const results = [];
  let checker = null;
  for (const step of tape) {
    let result = {};
    if (step.op === "see") {
      const { isProved, ...seen } = checker.see(step.frame);
      result = { ...seen, is_proved: isProved };
    } else if (step.op === "bridge") {
      checker.isOwnPromise = (promise) => step.own.includes(promise);
      result = { alarms: checker.bridge(step.missed, step.last) };
    } else checker = STEPS[step.op](checker, step) ?? checker;
    const { memory, checked, code, cutThisHand: mayBet, asksAboutVoids: asks } = checker;
    results.push({ ...result, memory, checked, code, mayBet, asks });
    if (result.alarms?.length) break;
  }
  return results;
}

for await (const line of createInterface({ input: process.stdin })) {
  // A way out of backpressure: large answers wait until they are taken.
  const text = `${JSON.stringify(run(JSON.parse(line)))}\n`;
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}
