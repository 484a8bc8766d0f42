// The pack before the shuffle: two packs of cards, each card named by suit, rank and which of the two it is from.

const SUITS = ["clover", "diamond", "heart", "spade"];
const RANKS = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"];

export const PACK = [1, 2].flatMap((variant) =>
  SUITS.flatMap((suit) => RANKS.map((rank) => `${suit}_${rank}_${variant}`)),
);
