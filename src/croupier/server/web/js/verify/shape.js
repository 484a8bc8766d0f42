// Whether the lines of a file have the form that docs/fairness.md gives them: every field there, none too many, each of
// its type. Which values are allowed is for the checks to say.

import { isText } from "../fairness/encoding.js";
import { finding } from "../fairness/findings.js";

/** The longest line that is read: a hand with hundreds of void deals has a few million characters. */
const LINE_CHARACTERS_MAX = 16 * 2 ** 20;
const DEPTH_MAX = 64;

/** A value that has not the form it should have; `where` it stands. */
export class ShapeError extends Error {
  constructor(where, wanted) {
    super(`${where}: ${wanted}`);
    this.where = where;
    this.wanted = wanted;
  }
}

const that = (test, wanted) => (value, where) => {
  if (!test(value)) throw new ShapeError(where, wanted);
  return value;
};
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const anything = (value) => value;
const whole = that(Number.isInteger, "int");
const text = that((value) => typeof value === "string", "str");
const flag = that((value) => typeof value === "boolean", "bool");
const oneOf = (...choices) => that((value) => choices.includes(value), choices.join(" | "));
const orNull = (read) => (value, where) => (value === null ? null : read(value, where));
const list = (read) => (value, where) => {
  if (!Array.isArray(value)) throw new ShapeError(where, "array");
  return value.map((each, place) => read(each, `${where}[${place}]`));
};

/** An object with these fields, each a reader or [reader, default]; with `open`, others are left out. */
function struct(fields, { open = false } = {}) {
  return (value, where) => {
    if (!isObject(value)) throw new ShapeError(where, "object");
    const unknown = open ? undefined : Object.keys(value).find((name) => !Object.hasOwn(fields, name));
    if (unknown !== undefined) throw new ShapeError(`${where}.${unknown.slice(0, 40)}`, "unknown field");
    const kept = {};
    for (const [name, field] of Object.entries(fields)) {
      const [read, otherwise] = Array.isArray(field) ? field : [field];
      if (Object.hasOwn(value, name)) kept[name] = read(value[name], `${where}.${name}`);
      else if (otherwise === undefined) throw new ShapeError(`${where}.${name}`, "missing");
      else kept[name] = otherwise;
    }
    return kept;
  };
}

const cut = struct({ seat: whole, value: text });
const context = struct({
  room: text,
  deal: whole,
  hand: whole,
  shuffle: whole,
  rules: text,
  setup: text,
  pack: text,
  packs: whole,
  before: text,
  cutters: list(struct({ seat: whole, promise: text })),
});
const opening = struct({ k: whole, position: whole, salt: text, card: text, path: list(text) });
const contribution = struct({
  seat: whole,
  anchor: [orNull(text), null],
  link: [whole, 0],
  value: [orNull(text), null],
});

const SCHEMES = {
  "shuffle-1": struct({
    scheme: text,
    serverSeedHash: text,
    clientSeed: text,
    nonce: whole,
    serverSeed: [orNull(text), null],
    nextServerSeedHash: [orNull(text), null],
  }),
  "cut-1": struct({
    scheme: text,
    context: struct({ table: text, hand: whole, rules: text, shuffle: [whole, 0] }),
    size: whole,
    root: text,
    contributions: list(contribution),
    openings: list(opening),
    whole: [flag, false],
  }),
  "cut-2": struct({
    scheme: text,
    context,
    roots: list(text),
    closing: text,
    cuts: list(cut),
    secrets: list(orNull(text)),
    missing: [list(whole), []],
    openings: [list(opening), []],
  }),
};

/** { proof } with its defaults filled in, or { finding } that names the field that is malformed. */
export function readProof(raw) {
  try {
    if (!isObject(raw) || !Object.hasOwn(SCHEMES, raw.scheme)) throw new ShapeError("$.scheme", "unknown");
    return { proof: SCHEMES[raw.scheme](raw, "$") };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return { finding: finding("PROOF_MALFORMED", { where: error.where.slice(0, 80), fault: error.wanted }) };
  }
}

export const RECORD_FORMAT_1 = "croupier-record-1";
export const TABLE_FORMAT = "croupier-table-1";

/** A round as it is kept and given out. What is the game's own is left as it is. */
export const readRecord = struct({
  game: text,
  edition: whole,
  rules: anything,
  setup: anything,
  proofs: list(anything),
  cards: list(orNull(text)),
  moves: list(struct({ seat: whole, action: anything })),
  payouts: orNull(list(whole)),
  voids: [list(anything), []],
  format: [oneOf(RECORD_FORMAT_1, "croupier-record-2"), "croupier-record-2"],
  chip: [oneOf(1, 100), 1],
});

/** The last line of a room's records: up to where they go. */
export const readEnd = struct({
  room: text,
  deals: whole,
  closing: text,
  voids: [list(anything), []],
  format: [oneOf(TABLE_FORMAT), TABLE_FORMAT],
});

const fixed = struct({ type: text, context, roots: list(text), closing: text }, { open: true });
const NEWS = {
  DEAL_FIXED: fixed,
  DEAL_MADE: struct({ type: text, deal: whole, cuts: list(cut), secrets: list(orNull(text)) }, { open: true }),
  DEAL_VOID: struct(
    { type: text, deal: whole, cuts: list(cut), missing: list(whole), secrets: list(text) },
    { open: true },
  ),
  DEAL_OPENED: struct({ type: text, deal: whole, secret: text }, { open: true }),
};

function news(value, where) {
  if (!isObject(value) || !Object.hasOwn(NEWS, value.type)) throw new ShapeError(`${where}.type`, "unknown");
  return NEWS[value.type](value, where);
}

const opened = { open: true };

/** A line of a player's own log, as far as it is compared. */
export const readLogLine = struct(
  {
    atMs: whole,
    program: [text, ""],
    format: [text, ""],
    room: [text, ""],
    promise: [text, ""],
    cut: [orNull(struct({ deal: whole, promise: text, seal: text, value: text }, opened)), null],
    acknowledged: [orNull(struct({ deal: whole }, opened)), null],
    bridged: [list(fixed), []],
    agreed: [orNull(whole), null],
    decided: [text, ""],
    hand: [orNull(whole), null],
    action: [anything, null],
    seat: [orNull(whole), null],
    whole: [flag, false],
    deals: [list(news), []],
    moves: [list(anything), []],
    cards: [list(struct({ shuffle: whole, k: whole, card: text }, opened)), []],
    payouts: [list(whole), []],
    alarms: [list(struct({ code: text, facts: [anything, {}] }, opened)), []],
  },
  opened,
);

const amount = that((value) => typeof value === "number", "number");
const drawn = { serverSeedHash: text, clientSeed: text, nonce: whole };
const casinoLine = (fields) => struct({ type: text, atMs: whole, ...fields });
const shown = { version: whole, serverSeedHash: text, nextServerSeedHash: text, decks: whole };
const CASINO_LINES = {
  LOG: casinoLine({ server: text, player: text, format: [oneOf("croupier-shuffle-1-log-1"), ""] }),
  COMMITMENT: casinoLine(shown),
  BET: casinoLine({ ...drawn, amount, commandId: text, typed: [flag, false] }),
  REFUSED: casinoLine({ commandId: text, code: text }),
  CARDS: casinoLine({
    ...drawn,
    version: whole,
    roundId: whole,
    cards: list(orNull(text)),
    over: flag,
    balance: amount,
    staked: amount,
    payout: [orNull(amount), null],
  }),
  ROTATE: casinoLine({ serverSeedHash: text, commandId: text, version: whole }),
  ROTATE_REFUSED: casinoLine({ commandId: text, code: text }),
  REVEALED: casinoLine({ serverSeedHash: text, serverSeed: text, rounds: whole }),
  NEVER_DEALT: casinoLine({ ...drawn, amount, cards: list(text) }),
  ALARM: casinoLine({ code: text, facts: [anything, {}] }),
  DECIDED: casinoLine({ ...shown, clientSeed: [orNull(text), null], nonce: [orNull(whole), null] }),
};

/** A line of a player's own log of the casino. */
export function readCasinoLine(value, where) {
  if (!isObject(value) || !Object.hasOwn(CASINO_LINES, value.type)) throw new ShapeError(`${where}.type`, "unknown");
  return CASINO_LINES[value.type](value, where);
}

/** The value of one line of JSON; throws ShapeError for what is none, or is too long or too deep to be one of ours. */
export function parseLine(line) {
  if (line === null) throw new ShapeError("$", "not UTF-8");
  if (line.length > LINE_CHARACTERS_MAX) throw new ShapeError("$", `longer than ${LINE_CHARACTERS_MAX} characters`);
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ShapeError("$", "no JSON");
  }
  checkDepth(value, 0);
  return value;
}

function checkDepth(value, depth) {
  if (depth > DEPTH_MAX) throw new ShapeError("$", "nested too deep");
  if (typeof value === "string" && !isText(value)) throw new ShapeError("$", "not UTF-8");
  if (typeof value !== "object" || value === null) return;
  for (const each of Object.values(value)) checkDepth(each, depth + 1);
}

/** Whether the text of a line, which is JSON, can be read in one way only: no name twice in an object, where one reader
 * takes the first value and another the last, and whole numbers written as such, since other readers refuse 1.0 for 1.
 * Throws ShapeError otherwise. */
export function checkText(line) {
  const names = [];
  let last = "";
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (sign === "{") names.push(new Set());
    else if (sign === "[") names.push(null);
    else if (sign === "}" || sign === "]") names.pop();
    else if (sign === '"') {
      const end = textEnd(line, at);
      last = line.slice(at, end);
      at = end - 1;
    } else if (sign === ":") {
      const name = JSON.parse(last);
      if (names.at(-1).has(name)) throw new ShapeError("$", `the name ${last.slice(0, 40)} twice`);
      names.at(-1).add(name);
    } else if (isNumeric(sign)) {
      const begin = at;
      while (isNumeric(line[at + 1])) at += 1;
      checkNumber(line.slice(begin, at + 1), last);
    }
  }
}

const isNumeric = (sign) => sign !== undefined && "0123456789.eE+-".includes(sign);

function checkNumber(token, name) {
  if (/\d.*[.eE]/.test(token) && Number.isInteger(Number(token)) && name !== '"penetration"')
    throw new ShapeError("$", `${token.slice(0, 20)} in place of a whole number`);
}

/** Where the text ends that begins at a quotation mark. */
function textEnd(line, quote) {
  let at = quote + 1;
  while (line[at] !== '"') at += line[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The first name in a JSON value that whoever read it into `read` passed over; empty if there is none. */
export function unknownName(given, read, path = "$") {
  if (Array.isArray(given) && Array.isArray(read)) {
    for (let place = 0; place < Math.min(given.length, read.length); place++) {
      const found = unknownName(given[place], read[place], `${path}[${place}]`);
      if (found) return found;
    }
  } else if (isObject(given) && isObject(read)) {
    for (const [name, value] of Object.entries(given)) {
      const inner = `${path}.${name}`;
      const found = Object.hasOwn(read, name) ? unknownName(value, read[name], inner) : inner;
      if (found) return found;
    }
  }
  return "";
}
