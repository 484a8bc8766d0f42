// Everybody's chance while an all-in runs out: exact, from the cards that lie open, over every board that can come. From
// the flop on these are at most 990 boards, which the page counts in a moment; before it there are over a million, and
// nothing is shown.

import { strength } from "./rules/evaluate.js";

const PACK = Array.from("23456789TJQKA", (rank) => Array.from("cdhs", (suit) => rank + suit)).flat();
const BOARD_CARDS = 5;
const FLOP_CARDS = 3;

/** By seat, the part of the pot that it can expect; null while no all-in runs out with every hand open, and in games
 * other than Hold'em with the whole pack. */
export function chances({ seats, board, street, otherBoards }, { pack, pot }) {
  if (pack === "short" || pot !== "high" || otherBoards.length) return null;
  const live = seats.filter(({ inHand }) => inHand);
  const isOpen = live.length > 1 && live.every(({ cards }) => cards.length === 2 && cards.every((card) => card !== null));
  if (!isOpen || street === "OVER" || board.length < FLOP_CARDS || board.length >= BOARD_CARDS) return null;
  return equities(new Map(live.map(({ seat, cards }) => [seat, cards])), board);
}

/** The equities of open hands on a board of three or four cards. */
export function equities(hands, board) {
  const seen = new Set([...board, ...[...hands.values()].flat()]);
  const left = PACK.filter((card) => !seen.has(card));
  const shares = new Map([...hands.keys()].map((seat) => [seat, 0]));
  const runouts = board.length === FLOP_CARDS ? left.flatMap((one, place) => left.slice(place + 1).map((other) => [one, other])) : left.map((card) => [card]);
  for (const runout of runouts) {
    const all = [...board, ...runout];
    const worths = [...hands].map(([seat, cards]) => [seat, strength([...cards, ...all])]);
    const best = Math.max(...worths.map(([, worth]) => worth));
    const winners = worths.filter(([, worth]) => worth === best);
    for (const [seat] of winners) shares.set(seat, shares.get(seat) + 1 / winners.length);
  }
  return new Map([...shares].map(([seat, share]) => [seat, share / runouts.length]));
}
