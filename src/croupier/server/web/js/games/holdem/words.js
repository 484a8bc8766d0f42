// What happens in a hand, in words: for the log, the screen reader and the result.

import { cardNames } from "../../cards.js";
import { hasText, t } from "../../texts.js";

/** What a made hand is called. */
export function handName({ category, cards }) {
  const royal =
    category === "STRAIGHT_FLUSH" && cards.some((card) => card[0] === "A") && cards.some((card) => card[0] === "K");
  return t(`hand.${royal ? "ROYAL_FLUSH" : category}`);
}

/** One event as a sentence; null for what needs no words. `nameOf` gives the name of a seat. */
export function sentence(event, nameOf) {
  const key = `web.holdem.told.${event.type}`;
  const name = "seat" in event ? nameOf(event.seat) : "";
  switch (event.type) {
    case "HOLDEM_HAND_STARTED":
      return t(key, { hand: event.hand, blinds: `${event.smallBlind}/${event.bigBlind}` });
    case "HOLDEM_POSTED":
      return t(`${key}.${event.post}`, { name, amount: event.amount });
    case "HOLDEM_ACTED": {
      const said = t(`${key}.${event.move}`, { name, amount: event.amount ?? 0, to: event.to ?? 0 });
      return event.allIn ? `${said} ${t("web.holdem.told.all_in")}` : said;
    }
    case "HOLDEM_STREET_DEALT":
      return t(key, { street: t(`street.${event.street}`), cards: cardNames(event.cards) });
    case "HOLDEM_HOLE_CARDS":
    case "HOLDEM_SHOWN":
      return t(key, { name, cards: cardNames(event.cards) });
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
