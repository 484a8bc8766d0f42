// What the replay engines of the games share: their fault, the reading of a record's values, the check of dealt cards.

/** Why a replay stopped: the record leaves the rules, or does not say enough to go on. */
export class ReplayFault extends Error {
  constructor(code, facts = {}) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
}

export const isWhole = (value) => Number.isSafeInteger(value);
export const isNumber = (value) => typeof value === "number";
export const isFlag = (value) => typeof value === "boolean";
export const isText = (value) => typeof value === "string";
export const oneOf = (choices) => (value) => choices.includes(value);
export const orNull = (test) => (value) => value === null || test(value);
export const listOf = (test) => (value) => Array.isArray(value) && value.every(test);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const isListOfObjects = listOf(isObject);

/** An object of a record, with defaults for what it lacks. `fields` is { name: [test, default] }; without a default the
 * field must be there. Fields of other names are refused, or with `open` left out. */
export function readFields(value, fields, code, open = false) {
  if (!isObject(value)) throw new ReplayFault(code, { fault: "$" });
  const unknown = open ? undefined : Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) throw new ReplayFault(code, { fault: `$.${unknown}` });
  const read = {};
  for (const [name, [test, otherwise]] of Object.entries(fields)) {
    read[name] = Object.hasOwn(value, name) ? value[name] : otherwise;
    if (read[name] === undefined || !test(read[name])) throw new ReplayFault(code, { fault: `$.${name}` });
  }
  return read;
}

/** Rules are replayed by the edition that they name; those without one are of the first. */
export function checkEdition({ edition }, known) {
  if (!known.includes(edition)) throw new ReplayFault("EDITION_UNKNOWN", { edition, known: known.join(", ") });
}

/** Options outside of their range, `{ option: [low, high] }`, and options that contradict each other. */
export function checkOptions(rules, ranges, clashes) {
  for (const [option, [low, high]] of Object.entries(ranges)) {
    const value = rules[option];
    if (value !== null && !(low <= value && value <= high))
      throw new ReplayFault("RULES_MALFORMED", { fault: `BAD_OPTION: ${option}` });
  }
  const clash = clashes.find(([, , found]) => found);
  if (clash) throw new ReplayFault("RULES_MALFORMED", { fault: `OPTIONS_CLASH: ${clash[0]}, ${clash[1]}` });
}

/** A seat's action as on the wire, with its defaults. `actions` is { type: fields }. */
export function readAction(seat, action, actions) {
  const fields = isObject(action) && Object.hasOwn(actions, action.type) ? actions[action.type] : null;
  if (!fields) throw new ReplayFault("ACTION_MALFORMED", { seat, fault: "$.type" });
  return readFields(action, { type: [isText], ...fields }, "ACTION_MALFORMED");
}

/** Writes down that something happened: `to` is the only seat that hears it, null is everybody. Fields that are undefined
 * are left out. */
export function tell({ events }, type, fields, to = null) {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined);
  events.push({ to, event: { type, ...Object.fromEntries(told) } });
}

/** An offer as on the wire: one action, or with `field` those that differ in it, from `low` to `high` or `among` some. */
export const offerOf = (action, open = {}) => ({ action, ...open });

/** Whether some offer of the menu covers the action: the one test of legality. */
export const isOffered = (menu, action) => menu.some((offer) => covers(offer, action));

function covers({ action: offered, field, low = 0, high = 0, among }, action) {
  const names = Object.keys(offered);
  if (names.length !== Object.keys(action).length) return false;
  if (!names.every((name) => name === field || action[name] === offered[name])) return false;
  if (!field || action[field] === offered[field]) return true;
  return among ? among.includes(action[field]) : low <= action[field] && action[field] <= high;
}

/** What the rules do not let a seat do. */
export function refused(seat, code = "NOT_OFFERED") {
  return new ReplayFault("ACTION_REFUSED", { seat, code });
}

export const isSeat = (seat, seats) => isWhole(seat) && seat >= 0 && seat < seats;

/** A seat that cannot be taken out before a deal: there is no deal of which nothing is dealt, or not without it. */
export function absentRefused(seat) {
  return new ReplayFault("ABSENT_REFUSED", { seat });
}

const CHANGE = {
  seat: [isWhole],
  kind: [oneOf(["taken", "left", "sat_out", "sat_in", "waits", "bought", "reshuffled", "bomb"])],
  chips: [isWhole, 0],
};

/** What happens to a seat between two rounds, as { seat, kind, chips }. */
export const readChange = (raw) => readFields(raw, CHANGE, "CHANGE_MALFORMED", true);

/** What the rules do not let happen between two rounds. */
export function changeRefused(seat, code) {
  return new ReplayFault("CHANGE_REFUSED", { seat, code });
}

/** Checks the cards for the places awaited: as many, each of the pack, none hidden that the game needs. */
export function checkCards(awaits, cards, pack, mayHide) {
  if (awaits.kind !== "draw") throw new ReplayFault("CARD_NOT_AWAITED");
  const { places } = awaits;
  if (!Array.isArray(cards) || cards.length !== places.length)
    throw new ReplayFault("CARD_COUNT_MISMATCH", { recorded: cards?.length ?? 0, dealt: places.length });
  cards.forEach((card, index) => {
    const place = places[index];
    if (card === null && !mayHide(place)) throw new ReplayFault("CARD_HIDDEN", { place });
    if (card !== null && !pack.includes(card)) throw new ReplayFault("CARD_UNKNOWN", { place, found: String(card) });
  });
}
