// The form of what a room shows before there are cards: views and menus. A twin of `croupier.table.state_form`.

import { isObject, same } from "./memory.js";
import { Mirror, plainRules } from "./mirror.js";

const SEATS_ANY = 2;

/** Whether a round of this game has its cards before anybody acts. */
export function dealsFirst(engine, raw) {
  if (!engine) return false;
  const rules = plainRules(engine, raw);
  return new Mirror(engine, rules, engine.firstSetup(rules, SEATS_ANY)).wants !== null;
}

/** Whether an offer has the form that this game gives it. */
function isOffer(engine, offer) {
  if (!isObject(offer) || !Object.hasOwn(offer, "action")) return false;
  const { action, ...rest } = offer;
  const isGood = {
    field: (name) => typeof name === "string" && name !== "",
    low: (number) => Number.isSafeInteger(number) && number !== 0,
    high: (number) => Number.isSafeInteger(number) && number !== 0,
    among: (numbers) => Array.isArray(numbers) && numbers.length > 0 && numbers.every(Number.isSafeInteger),
  };
  if (!Object.entries(rest).every(([name, value]) => Object.hasOwn(isGood, name) && isGood[name](value))) return false;
  try {
    return same(engine.readMove(0, action), action);
  } catch {
    return false;
  }
}

/** Whether a view and a menu have the form that this game gives them before its cards. */
export function isUndealt(engine, { view, menu }) {
  if (!engine) return view === null && !menu.length;
  return (view === null || engine.isUndealt(view)) && menu.every((offer) => isOffer(engine, offer));
}
