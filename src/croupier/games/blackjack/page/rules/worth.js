// What a blackjack hand is worth.

import { pointsOf } from "../totals.js";

export const TARGET = 21;

/** { hard, high, best, soft }: every ace counted one, one of them counted eleven where the rules have it, the better of
 * both, and whether an ace counts eleven in that. */
export function total(cards, { ace }) {
  const hard = cards.reduce((sum, card) => sum + pointsOf(card), 0);
  const high = ace === "best" && cards.some((card) => pointsOf(card) === 1) ? hard + 10 : hard;
  const best = high <= TARGET ? high : hard;
  return { hard, high, best, soft: hard < best };
}

/** Whether two cards are an ace and a ten; that the hand is an unsplit first one is the caller's to know. */
export function isBlackjack(cards) {
  const points = cards.map(pointsOf);
  return points.length === 2 && points.includes(1) && points.includes(10);
}

/** Whether two cards have the same point value, so that they may be split. */
export const isPair = (cards) => cards.length === 2 && pointsOf(cards[0]) === pointsOf(cards[1]);

/** Whether the dealer could have blackjack with this card up. */
export const hidesBlackjack = (card) => [1, 10].includes(pointsOf(card));
