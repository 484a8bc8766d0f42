// The form of what a room shows before there are cards: views and menus. A twin of `croupier.table.state_form`.

import { count, isObject, same, sortedJson } from "./memory.js";
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
  if (engine === undefined) return view === null && !menu.length;
  // Without the rules only the form that all games share is known.
  if (engine === null) return (view === null || isObject(view)) && menu.every((offer) => isObject(offer) && isObject(offer.action));
  return (view === null || engine.isUndealt(view)) && menu.every((offer) => isOffer(engine, offer));
}

/** Which of the moves told in a player's name, [number, action], the player did not make there, `made` being what they
 * did in JSON: one that was refused once must not be made later, when it means something else. A number of null is of an
 * earlier version, which did not write it down. */
export function strangeMoves(told, made) {
  const here = new Set(made.map(([number, move]) => `${number} ${move}`));
  const anywhere = new Map();
  for (const [number, move] of made) if (number === null) count(anywhere, move);
  const strange = [];
  for (const [number, raw] of told) {
    const move = sortedJson(raw);
    if (here.has(`${number} ${move}`)) continue;
    const left = anywhere.get(move) ?? 0;
    if (left <= 0) strange.push([number, move]);
    anywhere.set(move, left - 1);
  }
  return strange;
}
