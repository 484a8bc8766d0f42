// What hole cards are worth on a board in each variant: high hands on either pack, and lows of eight or better. Higher
// is better, equal worths split.

import { bestFive, strength } from "./evaluate.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const LOW_RANKS = "A2345678";
const PLAIN_CARDS_MAX = 7;
/** A worth of a low that is none. */
export const NO_LOW = 0;

const isPlain = ({ used }, hole, board) => used === "any" && hole.length + board.length <= PLAIN_CARDS_MAX;

/** The ways to choose so many of these. */
function choices(all, count) {
  if (count === 0) return [[]];
  return all.flatMap((first, place) => choices(all.slice(place + 1), count - 1).map((rest) => [first, ...rest]));
}

/** Every five cards that may be a hand. */
function fives({ used }, hole, board) {
  if (used === "any") return choices([...hole, ...board], 5);
  return choices(hole, 2).flatMap((two) => choices(board, 3).map((three) => [...two, ...three]));
}

const isShort = ({ pack }) => pack === "short";

/** The worth of the best five cards. */
function high(rules, hole, board) {
  if (isPlain(rules, hole, board)) return strength([...hole, ...board], isShort(rules));
  return Math.max(...fives(rules, hole, board).map((five) => strength(five, isShort(rules))));
}

/** A low as a number; NO_LOW where the cards make none. */
function lowOf(five) {
  const places = new Set(five.map((card) => LOW_RANKS.indexOf(card[0])));
  if (places.size < 5 || places.has(-1)) return NO_LOW;
  return 256 - [...places].reduce((sum, place) => sum + 2 ** place, 0);
}

/** The worth of the best low of eight or better. */
const low = (rules, hole, board) => Math.max(...fives(rules, hole, board).map(lowOf));

/** What hole cards are worth on each board: the high, and in a high-low game the low after it. */
export function worthOf(rules, hole, boards) {
  return boards.flatMap((board) =>
    rules.pot === "high_low" ? [high(rules, hole, board), low(rules, hole, board)] : [high(rules, hole, board)],
  );
}

/** What the numbers of a worth stand for: a board, and whether it is the low there. */
export function partsOf(rules, boards) {
  const lows = rules.pot === "high_low" ? [false, true] : [false];
  return Array.from({ length: boards }).flatMap((_, board) => lows.map((isLow) => ({ board, isLow })));
}

const numberOf = (card) => 4 * RANKS.indexOf(card[0]) + SUITS.indexOf(card[1]);

/** The list with the higher cards; of equal ones, the suits in alphabetical order. */
function highest(lists) {
  const better = (one, other) => {
    const place = one.findIndex((card, at) => card !== other[at]);
    return place >= 0 && numberOf(one[place]) > numberOf(other[place]);
  };
  return lists.reduce((best, each) => (better(each, best) ? each : best));
}

/** What the best five cards are called, and which they are, in the order in which they count. */
export function made(rules, hole, board) {
  if (isPlain(rules, hole, board)) return bestFive([...board, ...hole], isShort(rules));
  const best = high(rules, hole, board);
  const equal = fives(rules, hole, board).filter((five) => strength(five, isShort(rules)) === best);
  const named = equal.map((five) => bestFive(five, isShort(rules)));
  return { category: named[0].category, cards: highest(named.map(({ cards }) => cards)) };
}

/** The cards of the best low, the highest first; none where there is no low. */
export function madeLow(rules, hole, board) {
  const best = low(rules, hole, board);
  if (best === NO_LOW) return [];
  const equal = fives(rules, hole, board).filter((five) => lowOf(five) === best);
  const place = (card) => LOW_RANKS.indexOf(card[0]);
  return highest(equal.map((five) => [...five].sort((one, other) => place(other) - place(one))));
}
