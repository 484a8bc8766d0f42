// Replays rounds that the Python rules played (`rounds.py`) with the page's engines, and tells every difference.
// Usage: node check_replays.mjs DIRECTORY_OF_THE_PAGES_MODULES CASES
import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [scripts, file] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${scripts}/${path}`));
const engines = {};
for (const game of (process.argv[4] ?? "blackjack,poker,sequence").split(","))
  engines[game] = await load(`../games/${game}/engine.js`);

/** The code of the fault that `work` ends in; any other error is a difference. */
function faultOf(game, work) {
  try {
    work();
  } catch (error) {
    if (error instanceof engines[game].ReplayFault) return error.code;
    throw error;
  }
  return null;
}

const REFUSALS = ["ACTION_REFUSED", "ACTION_MALFORMED"];

function doStep(replay, { game, guessing }, step) {
  if (step.cards) {
    const { places, pack, gone } = replay.awaits;
    assert.equal(replay.awaits.kind, "draw");
    assert.deepEqual({ places, pack, gone }, { places: step.places, pack: step.pack, gone: step.gone });
    assert.equal(places.length, step.cards.length);
    replay.deal(step.cards);
    return;
  }
  if (step.turn) {
    assert.equal(replay.awaits.kind, "turn");
    if (guessing)
      assert.ok(
        step.turn.every((seat) => replay.awaits.seats.includes(seat)),
        `${replay.awaits.seats}`,
      );
    else assert.deepEqual(replay.awaits.seats, step.turn);
  }
  const before = JSON.stringify(replay.awaits);
  const fault = faultOf(game, () => {
    if (step.absent) replay.absent(step.seat);
    else if (step.action) replay.act(step.seat, step.action);
    else replay.leave(step.seat);
  });
  if (step.refused) {
    const codes = step.absent ? ["ABSENT_REFUSED", "TOO_FEW_PLAYERS"] : REFUSALS;
    assert.ok(codes.includes(fault), `not refused: ${fault}`);
    assert.equal(JSON.stringify(replay.awaits), before);
  } else assert.equal(fault, null);
}

/** After each step the same is told to the same people, offered to each seat, and shown to one viewer. */
function checkShown(replay, { game, rules, viewer, shown }, number) {
  if (!shown) return;
  const engine = engines[game];
  const { told, menus, view } = shown[number];
  const { state } = replay;
  const before = shown.slice(0, number).reduce((sum, each) => sum + each.told.length, 0);
  assert.deepEqual(state.events.slice(before), told);
  for (const [seat, menu] of menus) assert.deepEqual(engine.menu(state, seat), menu, `menu of ${seat}`);
  const made = engine.view(engine.readRules(rules), state, viewer);
  for (const [name] of (engine.stamped ?? []).filter((path) => path.length === 1)) delete made[name];
  assert.deepEqual(made, view);
}

function replayRound(example) {
  const { begin } = engines[example.game];
  const replay = begin(example.rules, example.setup);
  checkShown(replay, example, 0);
  example.steps.forEach((step, number) => {
    try {
      doStep(replay, example, step);
      checkShown(replay, example, number + 1);
    } catch (error) {
      error.message = `step ${number} ${JSON.stringify(step).slice(0, 300)}: ${error.message}`;
      throw error;
    }
  });
  if (example.payouts) {
    assert.deepEqual(replay.awaits, { kind: "over", payouts: example.payouts });
    assert.deepEqual(replay.following(), example.following);
  } else assert.notEqual(replay.awaits.kind, "over");
}

/** Replays a record as it was kept, with what its reader was shown, to its payouts. */
function replayRecord({ game, record, sound }) {
  const replay = engines[game].begin(record.rules, record.setup);
  const cards = [...record.cards];
  const dealAll = (next) => {
    while (replay.awaits.kind === "draw" && !(next === "absent" && replay.awaits.pack))
      replay.deal(cards.splice(0, replay.awaits.places.length));
  };
  for (const { seat, action } of record.moves) {
    dealAll(action);
    if (action === "absent") replay.absent(seat);
    else if (action === null) replay.leave(seat);
    else replay.act(seat, action);
  }
  dealAll(null);
  assert.deepEqual(cards, []);
  const payouts = replay.awaits.kind === "over" ? replay.awaits.payouts : null;
  assert.equal(JSON.stringify(payouts) === JSON.stringify(record.payouts), sound);
}

const CHECKS = {
  round: replayRound,
  record: replayRecord,
  refused({ game, rules, setup, codes }) {
    const fault = faultOf(game, () => engines[game].begin(rules, setup));
    assert.ok(codes.includes(fault), `${fault}`);
  },
  amended({ game, rules, setup, change, after }) {
    const { amend } = engines[game];
    let made = null;
    const fault = faultOf(game, () => (made = amend(rules, setup, change)));
    assert.deepEqual(made, after);
    assert.equal(fault, after === null ? "CHANGE_REFUSED" : null);
  },
  first({ game, rules, seats, setup, stacks }) {
    assert.deepEqual(engines[game].firstSetup(rules, seats), setup);
    assert.deepEqual(engines[game].stacks(setup, rules), stacks);
  },
};

/** Hands that Python ranks alike are worth the same here, and those it ranks better are worth more. */
async function checkHands({ hands }) {
  const { strength } = await load("../games/poker/rules/evaluate.js");
  const worths = new Map();
  for (const [cards, rank] of hands) {
    const worth = strength(cards.split(" "));
    assert.equal(worths.get(rank) ?? worth, worth, cards);
    worths.set(rank, worth);
  }
  const inOrder = [...worths].sort(([one], [other]) => one - other).map(([, worth]) => worth);
  inOrder.forEach((worth, place) => assert.ok(place === 0 || worth < inOrder[place - 1]));
}

/** A chip completes the same lines. */
async function checkLines({ boards }) {
  const { newLines } = await load("../games/sequence/rules/board.js");
  for (const [own, cell, completed, lines] of boards)
    assert.deepEqual(
      newLines((other) => own.includes(other), cell, completed),
      lines,
    );
}

const PARTS = { hands: checkHands, lines: checkLines };
const counts = {};
let differences = 0;
for await (const line of createInterface({ input: createReadStream(file) })) {
  const example = JSON.parse(line);
  counts[example.kind] = (counts[example.kind] ?? 0) + 1;
  try {
    await (PARTS[example.kind] ?? CHECKS[example.kind])(example);
  } catch (error) {
    differences += 1;
    if (differences <= 5) console.error(`${example.kind} ${example.name}: ${error.stack}\n${line.slice(0, 600)}\n`);
  }
}
if (differences) console.error(`${differences} differences`);
console.log(JSON.stringify(counts));
process.exitCode = differences ? 1 : 0;
