// A whole proof by `cut-1`: contributions, the cut, every opening, and the pack. The steps themselves are those with
// which the page checks every card as it arrives.

import { checkContributions, checkOpening, impliedRoot, permutation } from "../fairness/cut.js";
import { isHash, isWhole } from "../fairness/encoding.js";

const CONTEXT_CHARACTERS_MAX = 4096;

const finding = (code, facts = {}) => ({ code, facts });

function checkContext(context) {
  const found = [];
  for (const field of ["table", "rules"]) {
    const value = context[field];
    if (!value.isWellFormed() || value.length < 1 || value.length > CONTEXT_CHARACTERS_MAX)
      found.push(finding("CONTEXT_MALFORMED", { field, value }));
  }
  for (const field of ["hand", "shuffle"])
    if (!isWhole(context[field])) found.push(finding("CONTEXT_MALFORMED", { field, value: context[field] }));
  return found;
}

/** The cards in the order dealt, null where none was opened, and every fault. `seats` is how many must be listed. */
export async function cardsOfCut(proof, pack, seats = null) {
  const { context, size, root, contributions } = proof;
  const found = checkContext(context);
  if (size !== pack.length) found.push(finding("PACK_SIZE_MISMATCH", { size, cards: pack.length }));
  if (!isHash(root)) found.push(finding("ROOT_MALFORMED", { value: root }));
  const blocked = found.length > 0;
  if (seats !== null && contributions.length !== seats)
    found.push(finding("SEAT_COUNT_MISMATCH", { listed: contributions.length, seats }));
  found.push(...(await checkContributions(contributions)));
  const computable = contributions.every(({ seat, value }) => isWhole(seat) && (value === null || isHash(value)));
  if (blocked || !computable) return { cards: pack.map(() => null), findings: found };
  found.push(...(await checkOpenings(proof)));
  const { cards, findings } = checkCards(proof, pack);
  return { cards, findings: [...found, ...findings] };
}

/** When all openings agree on another root, the fault is the root's: one finding, not two for every card. */
async function checkOpenings({ context, size, root, contributions, openings }) {
  const order = await permutation(root, contributions, size, context);
  const found = [];
  const sound = new Map();
  for (const opening of openings) {
    const faults = await checkOpening(opening, root, order, context);
    if (faults.every(({ code }) => ["POSITION_MISMATCH", "OPENING_NOT_IN_ROOT"].includes(code)))
      sound.set(opening.k, opening);
    found.push(...faults);
  }
  if (found.every(({ code }) => code !== "OPENING_NOT_IN_ROOT")) return found;
  const roots = new Set();
  for (const opening of sound.values()) roots.add(await impliedRoot(opening, size, context));
  if (sound.size > 1 && roots.size === 1 && !roots.has(null))
    return [finding("ROOT_MISMATCH", { root, computed: [...roots][0] })];
  return found;
}

function checkCards({ openings, whole, size }, pack) {
  const found = [];
  const held = count(pack);
  const cards = new Map();
  for (const { k, card } of openings) {
    if (cards.has(k)) {
      found.push(finding("OPENING_REPEATED", { k }));
      continue;
    }
    cards.set(k, held.has(card) ? card : null);
    if (!held.has(card)) found.push(finding("CARD_NOT_IN_PACK", { k, card }));
  }
  for (const [card, times] of count([...cards.values()].filter((card) => card !== null))) {
    if (times > held.get(card)) found.push(finding("CARD_TOO_OFTEN", { card, count: times, held: held.get(card) }));
  }
  if (whole && cards.size !== size) found.push(finding("PACK_NOT_WHOLLY_OPENED", { opened: cards.size, size }));
  if (!whole && cards.size === size) found.push(finding("WHOLE_PACK_UNDECLARED", { size }));
  return { cards: pack.map((_, k) => cards.get(k) ?? null), findings: found };
}

function count(cards) {
  const counted = new Map();
  for (const card of cards) counted.set(card, (counted.get(card) ?? 0) + 1);
  return counted;
}
