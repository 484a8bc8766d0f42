// Which cards stand in something that a room sent, whatever the game. A twin of `croupier.table.cards_shown`.

const MADE_OF_CARDS = ["own", "category", "lastAction"];
const CARD = /^(?:[2-9TJQKA][cdhs]|(?:clover|diamond|heart|spade)_(?:a|[2-9]|10|j|q|k)_[12])$/;

const isCard = (value) => typeof value === "string" && CARD.test(value);
const isHolder = (value) => typeof value === "object" && value !== null;

/** Every card in plain values, as deep as they go. */
export function cardsIn(value) {
  if (isCard(value)) return [value];
  return isHolder(value) ? Object.values(value).flatMap(cardsIn) : [];
}

/** A pack without some of its cards, in its order. */
export function packWithout(pack, cards) {
  const gone = new Map();
  for (const card of cards) gone.set(card, (gone.get(card) ?? 0) + 1);
  return pack.filter((card) => {
    const left = gone.get(card) ?? 0;
    if (left) gone.set(card, left - 1);
    return !left;
  });
}

/** The same values without any card: a row of them is empty, and where one stood there is none. */
export function withoutCards(value) {
  if (Array.isArray(value)) return value.some(isCard) ? [] : value.map(withoutCards);
  if (!isHolder(value)) return isCard(value) ? null : value;
  // A hand's rank tells as much as its cards.
  const kept = ([name, each]) => [name, MADE_OF_CARDS.includes(name) ? null : withoutCards(each)];
  return Object.fromEntries(Object.entries(value).map(kept));
}
