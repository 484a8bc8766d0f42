// What a client remembers of a room, and how a state that it checks is read. A twin of `croupier.table.client_memory`.

import { finding } from "./findings.js";

/** What must survive a reload: the newest deal as it was shown, and what came before it. Frozen: a change is a new one. */
export const newMemory = (room) => ({
  room,
  /** The newest deal that was shown; 0 before the first. */
  deal: 0,
  seal: "",
  hand: 0,
  shuffle: 0,
  match: 0,
  /** The seat that this player had in it; null if they had none, or it is not known. */
  seat: null,
  /** The rules of this match. */
  rules: "",
  /** What the newest deal started from. */
  setup: "",
  /** What the cuts made of it, once it was cut. */
  cut: "",
  /** Who did not cut it, if it is void, and who did. */
  missing: [],
  gave: [],
  cutters: [],
  /** By seat: { deal, member, promise, backAtHand, misses, streak, paid, gone }. Who is gone left the room between two
   * matches: when another one begins, they owe nothing there any more. */
  misses: {},
  /** The newest void deals. */
  voids: [],
  handVoids: 0,
  /** The hand for which the player agreed to go on after two voids. */
  agreedHand: 0,
  /** How often this player was said to be missing after a cut was sent. */
  missingThoughCut: 0,
  /** The newest deal when the player last decided to go on, or the newest that was cut when this client first came: how
   * often they were missing up to it was said, and who cut it is not known. */
  decidedDeal: 0,
  /** The newest deal that had passed then. No chip goes into an older one again: the server knows its cards. */
  passedDeal: 0,
});

/** A message that cannot be read. */
export class Malformed extends Error {}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const isText = (value) => typeof value === "string";
export const isFlag = (value) => typeof value === "boolean";
// Larger numbers would not be what was sent.
export const isNumber = (value) => Number.isSafeInteger(value);
export const orNull = (test) => (value) => value === null || test(value);
export const listOf = (test) => (value) => Array.isArray(value) && value.every(test);
const anything = () => true;

/** A test of objects: all these fields are there. With `closed`, no others are but those of `optional`. */
export function shaped(fields, closed = false, optional = {}) {
  const names = Object.keys(fields);
  const isGood = (value, tests) => (name) => Object.hasOwn(value, name) && tests[name](value[name]);
  return (value) => {
    if (!isObject(value) || !names.every(isGood(value, fields))) return false;
    const others = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
    return !closed || others.every((name) => Object.hasOwn(optional, name) && optional[name](value[name]));
  };
}

/** A test of values: one of these. */
export const oneOf = (values) => (value) => values.includes(value);

const isCut = shaped({ seat: isNumber, value: isText }, true);
const isCutter = shaped({ seat: isNumber, promise: isText }, true);
const isContext = shaped(
  {
    room: isText,
    deal: isNumber,
    hand: isNumber,
    shuffle: isNumber,
    rules: isText,
    setup: isText,
    pack: isText,
    packs: isNumber,
    before: isText,
    cutters: listOf(isCutter),
  },
  true,
);
const isFixed = shaped({ context: isContext, roots: listOf(isText), closing: isText });
const NEWS = {
  DEAL_FIXED: isFixed,
  DEAL_MADE: shaped({ deal: isNumber, cuts: listOf(isCut), secrets: listOf(orNull(isText)) }),
  DEAL_VOID: shaped({
    deal: isNumber,
    cuts: listOf(isCut),
    missing: listOf(isNumber),
    secrets: listOf(isText),
  }),
  DEAL_OPENED: shaped({ deal: isNumber, secret: isText }),
};
const isMember = shaped({
  id: isText,
  name: isText,
  bot: isText,
  seat: orNull(isNumber),
  teamId: isText,
  ready: isFlag,
  away: isFlag,
  missed: isNumber,
  bankMs: isNumber,
  promised: isFlag,
  owes: orNull(isNumber),
  backAtHand: isNumber,
  buying: isNumber,
  bought: isNumber,
  sitsNext: oneOf(["", "out", "in"]),
  stands: isFlag,
});
const isNews = (value) => isObject(value) && Object.hasOwn(NEWS, value.type) && NEWS[value.type](value);
const isOpening = (value) =>
  shaped({ k: isNumber, position: isNumber, salt: isText, card: isText, path: listOf(isText) })(value) &&
  (!Object.hasOwn(value, "shuffle") || isNumber(value.shuffle)) &&
  Object.keys(value).length === (Object.hasOwn(value, "shuffle") ? 6 : 5);
const isOptions = shaped({
  seats: isNumber,
  turnSeconds: isNumber,
  bankSeconds: isNumber,
  pauseSeconds: isNumber,
  cutSeconds: isNumber,
  listed: isFlag,
});

const PARTS = {
  // All that a client draws or goes by, whether it can be checked or not.
  public: shaped({
    roomCode: isText,
    roomId: isText,
    game: isText,
    edition: isNumber,
    preset: isText,
    rules: isObject,
    options: isOptions,
    phase: oneOf(["lobby", "playing", "ended"]),
    paused: isFlag,
    host: isText,
    members: listOf(isMember),
    hand: isNumber,
    version: isNumber,
    gameVersion: isNumber,
    turn: listOf(isNumber),
    deadlineMs: orNull(isNumber),
    nextRoundAtMs: orNull(isNumber),
    scheme: isText,
    deal: isNumber,
    waitsFor: listOf(isNumber),
    agreeing: listOf(isText),
    gathering: isFlag,
    payouts: orNull(listOf(isNumber)),
    openTable: isFlag,
  }),
  you: shaped({ seat: orNull((seat) => isNumber(seat) && seat >= 0), view: anything, menu: Array.isArray }),
  events: Array.isArray,
  moves: listOf(isObject),
  deals: listOf(isNews),
  openings: listOf(isOpening),
  whole: isFlag,
};

/** Whether a state has all that is checked, in a form that can be; throws Malformed otherwise. */
export function checkState(state) {
  if (!isObject(state)) throw new Malformed("state");
  for (const [name, test] of Object.entries(PARTS))
    if (!Object.hasOwn(state, name) || !test(state[name])) throw new Malformed(name);
}

/** Whether this is a deal as it was fixed. */
export const isDealFixed = (value) =>
  isObject(value) && (!Object.hasOwn(value, "type") || value.type === "DEAL_FIXED") && isFixed(value);

/** Whether these are deals as they were fixed; throws Malformed otherwise. */
export function checkFixed(deals) {
  if (!Array.isArray(deals) || !deals.every(isDealFixed)) throw new Malformed("deals");
}

/** Whether two plain values are the same. */
export function same(one, other) {
  if (one === other) return true;
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((each, at) => same(each, other[at]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

/** Counts one more of this name in a Map of counts. */
export const count = (counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1);

/** Plain values as text that can be compared: the keys of objects in order. */
export function sortedJson(value) {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${sortedJson(value[name])}`).join(",")}}`;
}

export const malformed = (fault) => finding("STATE_MALFORMED", { fault: String(fault).slice(0, 200) });
