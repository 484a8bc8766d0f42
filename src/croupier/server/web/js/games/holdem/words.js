// What happens in a hand, in words: for the log, the screen reader and the result.

import { cardNames } from "../../cards.js";
import { hasText, t } from "../../texts.js";

const RANKS = "23456789TJQKA";

/** What a made hand is called, with the ranks that name it: `Two pair (K, 7)`. */
export function handName({ category, cards }) {
  const ranks = cards.map((card) => card[0]);
  const straight = category.startsWith("STRAIGHT");
  if (straight && category !== "STRAIGHT" && ranks.includes("A") && ranks.includes("K")) return t("hand.ROYAL_FLUSH");
  const times = (rank) => ranks.filter((each) => each === rank).length;
  const order = [...new Set(ranks)].sort(
    (one, other) => times(other) - times(one) || RANKS.indexOf(other) - RANKS.indexOf(one),
  );
  // The ace of a straight to the five is its lowest card.
  if (straight && ranks.includes("A") && ranks.includes("2")) order.shift();
  const naming = order.slice(0, category === "TWO_PAIR" || category === "FULL_HOUSE" ? 2 : 1);
  const named = naming.map((rank) => (rank === "T" ? "10" : rank)).join(", ");
  return t("web.holdem.hand_named", { hand: t(`hand.${category}`), ranks: named });
}

/** One event as a sentence; null for what needs no words. `nameOf` gives the name of a seat. */
export function sentence(event, nameOf) {
  const key = `web.holdem.told.${event.type}`;
  const name = "seat" in event ? nameOf(event.seat) : "";
  switch (event.type) {
    case "HOLDEM_HAND_STARTED":
      return t(key, { hand: event.hand, blinds: `${event.smallBlind}/${event.bigBlind}` });
    case "HOLDEM_POSTED":
    case "HOLDEM_ACTED": {
      const facts = { name, amount: event.amount ?? 0, to: event.to ?? 0 };
      const said = t(`${key}.${event.post ?? event.move}`, facts);
      return event.allIn ? `${said} ${t("web.holdem.told.all_in")}` : said;
    }
    case "HOLDEM_STREET_DEALT":
      return t(key, { street: t(`street.${event.street}`), cards: cardNames(event.cards) });
    case "HOLDEM_HOLE_CARDS":
    case "HOLDEM_SHOWN":
      return t(key, { name, cards: cardNames(event.cards) });
    case "HOLDEM_HAND_NAMED":
      return t(key, { name, hand: handName(event) });
    case "HOLDEM_BET_RETURNED":
      return t(key, { name, amount: event.amount });
    case "HOLDEM_POT_AWARDED":
      return awardSentence(event, nameOf);
    case "HOLDEM_KNOCKED_OUT":
      return t(key, { name, place: event.place });
    default:
      return hasText(key) ? t(key, { name }) : null;
  }
}

/** Who won a pot, how much, and with what. */
export function awardSentence(award, nameOf) {
  const form = award.winners.length > 1 ? "split" : award.category ? "shown" : "unshown";
  return t(`web.holdem.told.HOLDEM_POT_AWARDED.${form}`, {
    names: award.winners.map(nameOf).join(", "),
    amount: award.winners.length > 1 ? award.amount : award.shares[0],
    hand: award.category ? handName(award) : "",
  });
}
