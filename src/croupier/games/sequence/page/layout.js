// The board's print and the cards' names. What may be played where is not worked out here: the menu says it.

export const SIDE = 10;
const CORNER = "XX";

const PRINT = `
XX 2s 3s 4s 5s 6s 7s 8s 9s XX
6c 5c 4c 3c 2c Ah Kh Qh Th Ts
7c As 2d 3d 4d 5d 6d 7d 9h Qs
8c Ks 6c 5c 4c 3c 2c 8d 8h Ks
9c Qs 7c 6h 5h 4h Ah 9d 7h As
Tc Ts 8c 7h 2h 3h Kh Td 6h 2d
Qc 9s 9c 8h 9h Th Qh Qd 5h 3d
Kc 8s Tc Qc Kc Ac Ad Kd 4h 4d
Ac 7s 6s 5s 4s 3s 2s 2h 3h 5d
XX Ad Kd Qd Td 9d 8d 7d 6d XX`;

/** The card on each cell, as `Th`; null in the corners. */
export const FACES = PRINT.trim()
  .split(/\s+/)
  .map((face) => (face === CORNER ? null : face));

const SUITS = { clover: "c", diamond: "d", heart: "h", spade: "s" };

/** `heart_10_2` as the page draws cards: `Th`. */
export function faceOf(card) {
  const [suit, rank] = card.split("_");
  return (rank === "10" ? "T" : rank.toUpperCase()) + SUITS[suit];
}

export const isJack = (card) => card.split("_")[1] === "j";

/** What a jack does: with one eye it takes a chip away, with two it goes anywhere; "" for other cards. How many eyes it
 * has is its variant, or where `jacks` is "printed" its suit. */
export function jackKind(card, jacks) {
  const [suit, , variant] = card.split("_");
  if (!isJack(card)) return "";
  const oneEyed = jacks === "printed" ? suit === "spade" || suit === "heart" : variant === "1";
  return oneEyed ? "remove" : "wild";
}

export const rowOf = (cell) => Math.floor(cell / SIDE);
export const columnOf = (cell) => cell % SIDE;

/** Every team has a sign of its own besides its colour. */
export const TEAM_SIGNS = { A: "M50 22v56M22 50h56", B: "M30 30l40 40M70 30L30 70", C: "M50 24l26 46H24z" };
