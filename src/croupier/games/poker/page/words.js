// What happens in a hand, in words: for the log, the screen reader and the result.

import { cardName } from "/js/cards.js";
import { hasText, t } from "/js/texts.js";

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
  // The ace of a straight to the five, and with the short pack to the nine, is its lowest card.
  if (straight && ranks.includes("A") && (ranks.includes("2") || ranks.includes("6"))) order.shift();
  const naming = order.slice(0, category === "TWO_PAIR" || category === "FULL_HOUSE" ? 2 : 1);
  const named = naming.map((rank) => (rank === "T" ? "10" : rank)).join(", ");
  return t("web.poker.hand_named", { hand: t(`hand.${category}`), ranks: named });
}

/** What a low is called: its ranks, the highest first. */
const lowName = (cards) => t("web.poker.low_named", { ranks: cards.map((card) => card[0]).join("-") });

/** A name within a sentence. */
export const amid = (name) => name.charAt(0).toLowerCase() + name.slice(1);

/** A made hand with its low, if it has one. */
const wholeName = (made) => [handName(made), ...(made.low?.length ? [lowName(made.low)] : [])].join(" · ");

/** What the viewer's own cards make on each board; nothing before the flop. */
export function ownName({ own, ownOthers }) {
  if (!own) return "";
  if (!ownOthers.length) return wholeName(own);
  return [own, ...ownOthers].map((made, board) => t("web.poker.on_board", { board: board + 1, made: wholeName(made) })).join(" · ");
}

/** One event as a sentence; null for what needs no words. `nameOf` gives the name of a seat, `cardText` that of a card. */
export function sentence(event, nameOf, cardText = cardName) {
  const key = `web.poker.told.${event.type}`;
  const name = "seat" in event ? nameOf(event.seat) : "";
  switch (event.type) {
    case "HOLDEM_HAND_STARTED":
      return t(event.bomb ? `${key}_BOMB` : key, { hand: event.hand, blinds: `${event.smallBlind}/${event.bigBlind}` });
    case "HOLDEM_POSTED":
    case "HOLDEM_ACTED": {
      const facts = { name, amount: event.amount ?? 0, to: event.to ?? 0 };
      const said = t(`${key}.${event.post ?? event.move}`, facts);
      return event.allIn ? `${said} ${t("web.poker.told.all_in")}` : said;
    }
    case "HOLDEM_STREET_DEALT":
      return onBoard(event, t(key, { street: t(`street.${event.street}`), cards: event.cards.map(cardText).join(", ") }));
    case "HOLDEM_HOLE_CARDS":
    case "HOLDEM_SHOWN":
      return t(key, { name, cards: event.cards.map(cardText).join(", ") });
    case "HOLDEM_HAND_NAMED":
      return onBoard(event, t(key, { name, hand: amid(wholeName(event)) }));
    case "HOLDEM_BET_RETURNED":
      return t(key, { name, amount: event.amount });
    case "HOLDEM_POT_AWARDED":
      return awardSentence(event, nameOf);
    case "HOLDEM_RUN_AGREED":
      return t(`${key}.${event.times}`);
    case "HOLDEM_RABBIT_DEALT":
      return onBoard(event, t(key, { cards: event.cards.map(cardText).join(", ") }));
    case "HOLDEM_RAKE_TAKEN":
    case "HOLDEM_SEVEN_DEUCE":
      return t(key, { name, amount: event.amount });
    case "HOLDEM_KNOCKED_OUT":
      return t(key, { name, place: event.place });
    default:
      return hasText(key) ? t(key, { name }) : null;
  }
}

/** Says of what happened on a board after the first that it did. */
const onBoard = ({ board }, said) => (board ? t("web.poker.on_board", { board: board + 1, made: said }) : said);

/** Who won a pot or a part of it, how much, and with what. */
export function awardSentence(award, nameOf) {
  const form = award.winners.length > 1 ? "split" : award.category || award.low ? "shown" : "unshown";
  const said = t(`web.poker.told.HOLDEM_POT_AWARDED.${form}`, {
    names: award.winners.map(nameOf).join(", "),
    amount: award.winners.length > 1 ? award.amount : award.shares[0],
    hand: amid(award.low ? lowName(award.cards) : award.category ? handName(award) : ""),
  });
  return onBoard(award, said);
}
