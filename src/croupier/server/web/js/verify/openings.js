// The cards that were opened one by one: each at its place, no more of any than the pack holds.

import { fact, finding } from "../fairness/findings.js";

/** { cards, findings }: the cards in the order dealt, null where none was opened. */
export function openedCards(openings, pack) {
  const found = [];
  const held = counted(pack);
  const cards = new Map();
  for (const { k, card } of openings) {
    if (cards.has(k)) {
      found.push(finding("OPENING_REPEATED", { k: fact(k) }));
      continue;
    }
    cards.set(k, held.has(card) ? card : null);
    if (!held.has(card)) found.push(finding("CARD_NOT_IN_PACK", { k: fact(k), card: fact(card) }));
  }
  for (const [card, count] of counted([...cards.values()].filter((card) => card !== null)))
    if (count > held.get(card)) found.push(finding("CARD_TOO_OFTEN", { card, count, held: held.get(card) }));
  return { cards: pack.map((_, k) => cards.get(k) ?? null), findings: found };
}

function counted(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}
