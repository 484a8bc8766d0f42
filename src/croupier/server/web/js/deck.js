// The pack of 52 cards in the order that it has before a shuffle. A twin of `croupier.cards.PACK`.

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

export const DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
