// The 169 starting hands, row by row through the usual grid: pairs on the diagonal, suited above it, offsuit below.

export const RANKS = "AKQJT98765432";

function handName(row, column) {
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  return high + low + (row === column ? "" : row < column ? "s" : "o");
}

export const HANDS = [...RANKS].flatMap((_, row) => [...RANKS].map((_each, column) => handName(row, column)));

/** In how many ways a hand can be dealt. */
export const combinations = (hand) => ({ s: 4, o: 12 })[hand[2]] ?? 6;
