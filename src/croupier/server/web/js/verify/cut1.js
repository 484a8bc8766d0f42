// A whole proof by `cut-1`, the scheme of the first release: contributions, the cut, every opening, and the pack.

import { checkContributions, checkOpening, impliedRoot, permutation } from "../fairness/cut1.js";
import { isHash, isText, isWhole } from "../fairness/encoding.js";
import { fact, finding } from "../fairness/findings.js";
import { openedCards } from "./openings.js";

const CONTEXT_CHARACTERS_MAX = 4096;
/** More seats than any table has; the chains of further ones are not walked. */
const CONTRIBUTIONS_MAX = 200;

function checkContext(context) {
  const found = [];
  const malformed = (field) => found.push(finding("CONTEXT_MALFORMED", { field, value: fact(context[field]) }));
  for (const field of ["table", "rules"]) {
    const { length } = Array.from(context[field]);
    if (!isText(context[field]) || length < 1 || length > CONTEXT_CHARACTERS_MAX) malformed(field);
  }
  for (const field of ["hand", "shuffle"]) if (!isWhole(context[field])) malformed(field);
  return found;
}

/** The cards in the order dealt, null where none was opened, and every fault. `seats` is how many must be listed. */
export function cardsOfCut(proof, pack, seats = null) {
  const { context, size, root, contributions } = proof;
  const found = checkContext(context);
  if (size !== pack.length) found.push(finding("PACK_SIZE_MISMATCH", { size: fact(size), cards: pack.length }));
  if (!isHash(root)) found.push(finding("ROOT_MALFORMED", { value: fact(root) }));
  const blocked = found.length > 0;
  if (seats !== null && contributions.length !== seats)
    found.push(finding("SEAT_COUNT_MISMATCH", { listed: contributions.length, seats }));
  found.push(...checkContributions(contributions.slice(0, CONTRIBUTIONS_MAX)));
  const computable = contributions.every(({ seat, value }) => isWhole(seat) && (value === null || isHash(value)));
  if (blocked || !computable) return { cards: pack.map(() => null), findings: found };
  found.push(...checkOpenings(proof));
  const { cards, findings } = checkCards(proof, pack);
  return { cards, findings: [...found, ...findings] };
}

/** When all openings agree on another root, the fault is the root's: one finding, not two for every card. */
function checkOpenings({ context, size, root, contributions, openings }) {
  const order = permutation(root, contributions, size, context);
  const found = [];
  const sound = new Map();
  for (const opening of openings) {
    const faults = checkOpening(opening, root, order, context);
    if (faults.every(({ code }) => ["POSITION_MISMATCH", "OPENING_NOT_IN_ROOT"].includes(code)))
      sound.set(opening.k, opening);
    found.push(...faults);
  }
  if (found.every(({ code }) => code !== "OPENING_NOT_IN_ROOT")) return found;
  const roots = new Set();
  for (const opening of sound.values()) roots.add(impliedRoot(opening, size, context));
  if (sound.size > 1 && roots.size === 1 && !roots.has(null))
    return [finding("ROOT_MISMATCH", { root, computed: [...roots][0] })];
  return found;
}

function checkCards({ openings, whole, size }, pack) {
  const { cards, findings } = openedCards(openings, pack);
  const opened = new Set(openings.map(({ k }) => k)).size;
  if (whole && opened !== size) findings.push(finding("PACK_NOT_WHOLLY_OPENED", { opened, size }));
  if (!whole && opened === size) findings.push(finding("WHOLE_PACK_UNDECLARED", { size }));
  return { cards, findings };
}
