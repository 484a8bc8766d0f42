// Ranges of starting hands as people write them, and as weights of the 1,326 combinations. The notation is that of
// `croupier equity`; a test compares both readers.

import { HANDS } from "../hands.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const SHAPE = /^([2-9TJQKA])([2-9TJQKA])([so]?)$/i;
const TWO_CARDS = /^([2-9TJQKA][cdhs])([2-9TJQKA][cdhs])$/i;
const WEIGHT_DIGITS = 2;

const number = (card) => 4 * RANKS.indexOf(card[0]) + SUITS.indexOf(card[1]);

/** A combination as the solver calls it: the higher card first. */
const combination = (one, other) => (number(one) > number(other) ? one + other : other + one);

/** The cell of the grid that a combination belongs to: `AsKs` is `AKs`. */
export function cellOf(name) {
  const ranks = name[0] + name[2];
  return name[0] === name[2] ? ranks : ranks + (name[1] === name[3] ? "s" : "o");
}

/** The combinations of every cell. */
export const COMBINATIONS = new Map(HANDS.map((cell) => [cell, combinationsOf(cell)]));

function combinationsOf(cell) {
  const found = [];
  for (const one of SUITS)
    for (const other of SUITS) {
      if (cell[0] === cell[1] ? one <= other : (one === other) !== (cell[2] === "s")) continue;
      found.push(combination(cell[0] + one, cell[1] + other));
    }
  return found;
}

export const ALL = [...COMBINATIONS.values()].flat();

/** What is wrong with a word, as the server would refuse it. */
export class RangeFault extends Error {
  constructor(code, facts) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
}

/** The weights of a range by combination. `order` has the cells from the best, for `15%`. Throws RangeFault. */
export function parseRange(text, order) {
  const weights = new Map();
  for (const word of text.replaceAll(",", " ").split(/\s+/).filter(Boolean)) {
    const [hands, weight] = [word.split(":")[0], word.includes(":") ? word.slice(word.indexOf(":") + 1) : null];
    const share = weight === null ? 1 : weightOf(weight, word);
    for (const name of combinationsIn(hands, word, order)) weights.set(name, share);
  }
  return weights;
}

function weightOf(text, word) {
  const share = Number(text);
  if (!/^\d{0,20}(\.\d{0,20})?$/.test(text) || !/[1-9]/.test(text) || share > 1) throw new RangeFault("RANGE_WEIGHT", { word });
  return share;
}

function combinationsIn(written, word, order) {
  if (written.toLowerCase() === "random") return ALL;
  if (written.endsWith("%")) return best(written.slice(0, -1), word, order);
  const hands = written.replaceAll("10", "T");
  const cards = TWO_CARDS.exec(hands);
  if (cards) return [twoCards(cards[1], cards[2])];
  const [first, last] = hands.split("-");
  let shapes;
  if (last !== undefined) shapes = between(shape(first, word), shape(hands.slice(first.length + 1), word), word);
  else if (hands.endsWith("+")) shapes = upwards(shape(hands.slice(0, -1), word));
  else shapes = [shape(hands, word)];
  return shapes.flatMap(cells).flatMap((cell) => COMBINATIONS.get(cell));
}

function best(percent, word, order) {
  if (!/^\d{1,3}(\.\d{1,9})?$/.test(percent) || !(Number(percent) > 0 && Number(percent) <= 100))
    throw new RangeFault("RANGE_PERCENT", { word });
  const wanted = (Number(percent) / 100) * ALL.length;
  const chosen = [];
  for (const cell of order) {
    const some = COMBINATIONS.get(cell);
    if (chosen.length && Math.abs(chosen.length + some.length - wanted) > Math.abs(chosen.length - wanted)) break;
    chosen.push(...some);
  }
  return chosen;
}

function twoCards(one, other) {
  const [first, second] = [one, other].map((card) => card[0].toUpperCase() + card[1].toLowerCase());
  if (first === second) throw new RangeFault("EQUITY_CARD_REPEATED", { card: first });
  return combination(first, second);
}

function shape(text, word) {
  const found = SHAPE.exec(text);
  if (!found) throw new RangeFault("RANGE_UNREADABLE", { word, ranks: RANKS, suits: SUITS });
  const ranks = [found[1], found[2]].map((rank) => RANKS.indexOf(rank.toUpperCase()));
  const [low, high, suits] = [Math.min(...ranks), Math.max(...ranks), found[3].toLowerCase()];
  if (low === high && suits) throw new RangeFault("RANGE_SUITED_PAIR", { word });
  return { high, low, suits };
}

function upwards({ high, low, suits }) {
  if (high === low) return span(low, RANKS.length).map((rank) => ({ high: rank, low: rank, suits }));
  return span(low, high).map((rank) => ({ high, low: rank, suits }));
}

function between(one, other, word) {
  const [bottom, top] = one.high - other.high || one.low - other.low ? sorted(one, other) : [one, other];
  const steps = span(0, top.low - bottom.low + 1);
  if (one.suits === other.suits && top.high === bottom.high)
    return steps.map((step) => ({ high: top.high, low: bottom.low + step, suits: top.suits }));
  if (one.suits === other.suits && top.high - top.low === bottom.high - bottom.low)
    return steps.map((step) => ({ high: bottom.high + step, low: bottom.low + step, suits: top.suits }));
  throw new RangeFault("RANGE_UNEVEN", { word });
}

const sorted = (one, other) => ((one.high - other.high || one.low - other.low) < 0 ? [one, other] : [other, one]);

const span = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step);

function cells({ high, low, suits }) {
  const ranks = RANKS[high] + RANKS[low];
  if (high === low) return [ranks];
  return suits ? [ranks + suits] : [`${ranks}s`, `${ranks}o`];
}

/** The weight of a cell: the mean of its combinations. */
export function cellWeight(weights, cell) {
  const names = COMBINATIONS.get(cell);
  return names.reduce((sum, name) => sum + (weights.get(name) ?? 0), 0) / names.length;
}

/** How many combinations a range holds, by weight. */
export const size = (weights) => [...weights.values()].reduce((sum, weight) => sum + weight, 0);

/** A range as short text: neighbours together, every weight by itself, and what is no whole cell card by card. */
export function writeRange(weights) {
  const words = [];
  const whole = new Map();
  for (const [cell, names] of COMBINATIONS) {
    const shares = names.map((name) => rounded(weights.get(name) ?? 0));
    if (shares.every((share) => share === shares[0])) whole.set(cell, shares[0]);
    else names.forEach((name, place) => shares[place] && words.push(name + suffix(shares[place])));
  }
  return [...pairs(whole), ...rows(whole, "s"), ...rows(whole, "o"), ...words].join(",");
}

const rounded = (share) => Number(share.toFixed(WEIGHT_DIGITS));
const suffix = (share) => (share === 1 ? "" : `:${share}`);

const pairs = (whole) => runs(span(0, RANKS.length).map((rank) => RANKS[rank] + RANKS[rank]), whole);

function rows(whole, suits) {
  const found = [];
  for (let high = RANKS.length - 1; high > 0; high -= 1)
    found.push(...runs(span(0, high).map((low) => RANKS[high] + RANKS[low] + suits), whole));
  return found;
}

/** Cells in rising order, those of one weight that follow each other in one word. The highest word comes first. */
function runs(cells, whole) {
  const found = [];
  for (let place = 0; place < cells.length; ) {
    const share = whole.get(cells[place]) ?? 0;
    let end = place + 1;
    while (end < cells.length && (whole.get(cells[end]) ?? 0) === share) end += 1;
    if (share) found.unshift(word(cells, place, end - 1) + suffix(share));
    place = end;
  }
  return found;
}

function word(cells, first, last) {
  if (first === last) return cells[first];
  return last === cells.length - 1 ? `${cells[first]}+` : `${cells[last]}-${cells[first]}`;
}
