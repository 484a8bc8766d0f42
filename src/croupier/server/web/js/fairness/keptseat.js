// The seat that a player kept while their client missed some deals: nobody else may play in it. A twin of
// `croupier.table.kept_seat`.

import * as canonical from "./canonical.js";
import { finding } from "./findings.js";
import { isObject } from "./memory.js";
import { withoutGame } from "./mirror.js";
import { openedMirror, readStart } from "./roundchecker.js";

/** What happens to a seat when somebody else sits down in it. */
const CHANGING_HANDS = ["taken", "left"];

/** This player's seat in the deal after the remembered one; null if they may have lost it in between. */
export function seatAfter(memory, context, { changes }) {
  if (readStart(context)?.match !== memory.match) return null;
  const hasMoved = changes.some(({ seat, kind }) => seat === memory.seat && CHANGING_HANDS.includes(kind));
  return hasMoved ? null : memory.seat;
}

/** In a deal that this client missed, nobody may cut for the player, or deal them in without a cut. */
export function checkKeptSeat(seat, context, engineOf, isOwnPromise) {
  const { deal, shuffle, cutters } = context;
  const found = [];
  const promise = cutters.find((cutter) => cutter.seat === seat)?.promise;
  if (promise !== undefined && isOwnPromise !== null && !isOwnPromise(promise))
    found.push(finding("PROMISE_NOT_MINE", { deal }));
  if (seat !== null && promise === undefined && !shuffle && dealtIn(context, engineOf).includes(seat))
    found.push(finding("NOT_LISTED", { deal }));
  return found;
}

/** The seats that a deal was fixed for; none where the page has no rules of its game. */
function dealtIn(context, engineOf) {
  const rules = canonical.read(context.rules);
  const engine = isObject(rules) ? engineOf(rules.game) : null;
  return engine ? openedMirror(engine, withoutGame(rules), readStart(context)).dealtIn : [];
}
