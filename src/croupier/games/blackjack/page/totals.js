// What cards are worth.

const POINTS = { A: 1, T: 10, J: 10, Q: 10, K: 10 };

export const pointsOf = (card) => POINTS[card[0]] ?? Number(card[0]);

/** { hard, best } of some cards: an ace counts 11 where that does not bust. */
export function totalOf(cards) {
  const hard = cards.reduce((sum, card) => sum + pointsOf(card), 0);
  const best = cards.some((card) => card[0] === "A") && hard + 10 <= 21 ? hard + 10 : hard;
  return { hard, best };
}
