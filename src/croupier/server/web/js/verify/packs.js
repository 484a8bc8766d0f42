// The packs before the shuffle, in their canonical order.

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const SEQUENCE_SUITS = ["clover", "diamond", "heart", "spade"];
const SEQUENCE_RANKS = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"];

export const DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
export const SEQUENCE = [1, 2].flatMap((variant) =>
  SEQUENCE_SUITS.flatMap((suit) => SEQUENCE_RANKS.map((rank) => `${suit}_${rank}_${variant}`)),
);
