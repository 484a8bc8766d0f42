// The packs before the shuffle, in their canonical order.

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const SEQUENCE_SUITS = ["clover", "diamond", "heart", "spade"];
const SEQUENCE_RANKS = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"];

const DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
const SEQUENCE = [1, 2].flatMap((variant) =>
  SEQUENCE_SUITS.flatMap((suit) => SEQUENCE_RANKS.map((rank) => `${suit}_${rank}_${variant}`)),
);

/** The pack with which a round of a game begins; null for a game or rules that this page does not know. */
export function packOf({ game, rules }) {
  if (game === "holdem") return DECK;
  if (game === "sequence") return SEQUENCE;
  const decks = rules?.decks ?? 6;
  if (game !== "blackjack" || !Number.isInteger(decks) || decks < 1 || decks > 8) return null;
  return Array.from({ length: decks }, () => DECK).flat();
}

/** How many seats a cut must list, where the record says it; else null. */
export function seatsOf({ game, setup }) {
  if (game === "blackjack") return setup?.purses?.length ?? null;
  return setup?.seats ?? setup?.stacks?.length ?? null;
}
