// A round of blackjack in words: totals, results, and what happens.

import { cardName } from "/js/cards.js";
import { number, t } from "/js/texts.js";

/** A total as it is read aloud: `soft 17`. */
export function totalText({ hardValue, bestValue }) {
  return t(bestValue === hardValue ? "web.blackjack.hard" : "web.blackjack.soft", { total: bestValue });
}

/** The short form on the table: both ways to count where there are two; 21 is 21. */
export function totalMark({ hardValue, bestValue }) {
  return bestValue === hardValue || bestValue === 21 ? String(bestValue) : `${hardValue}/${bestValue}`;
}

/** What is printed on the cloth. */
export function clothText(pays, hitsSoft17) {
  const first =
    pays === "none" ? t("blackjack.name") : t("web.blackjack.cloth.pays", { pays: pays.replace(":", " : ") });
  return [first, t(`web.blackjack.cloth.${hitsSoft17 ? "H17" : "S17"}`)];
}

/** Why a hand ended as it did. */
function reasonText(hand, dealer) {
  const facts = { total: hand.bestValue, dealer: dealer.bestValue };
  const why = (key) => t(`web.blackjack.why.${key}`, facts);
  if (hand.isSurrendered) return why("surrendered");
  if (hand.bestValue > 21) return why("busted");
  if (hand.isBlackjack) return why(dealer.hasBlackjack ? "both_blackjack" : "blackjack");
  if (dealer.hasBlackjack) return why("dealer_blackjack");
  return why(dealer.bestValue > 21 ? "dealer_busted" : "totals");
}

/** The end of a hand in one sentence: result, reason, and what came of it. */
export function resultText(hand, dealer) {
  const change = hand.payout - hand.bet;
  return `${t(`web.blackjack.result.${hand.result}`)} (${signed(change)}): ${reasonText(hand, dealer)}`;
}

export const signed = (chips) => (chips > 0 ? `+${number(chips)}` : number(chips));

/** One event as a sentence; null for what needs no words. `nameOf` gives the name of a seat, `cardText` that of a card. */
export function sentence(event, nameOf, cardText = cardName) {
  const key = `web.blackjack.told.${event.type}`;
  const name = "seat" in event ? nameOf(event.seat) : "";
  switch (event.type) {
    case "BET_PLACED":
      return t(key, { name, amount: event.amount });
    case "SHOE_SHUFFLED":
      return t(key, { count: event.cards });
    case "CARD_DEALT":
      return t(key, { name, card: cardText(event.card) });
    case "DEALER_CARD_DEALT":
      return event.card ? t(key, { card: cardText(event.card) }) : t("web.blackjack.told.hole_card");
    case "HOLE_CARD_REVEALED":
      return t(key, { card: cardText(event.card) });
    case "INSURANCE_DECIDED":
      return event.amount
        ? t("web.blackjack.told.insured", { name, amount: event.amount })
        : t("web.blackjack.told.uninsured", { name });
    case "DEALER_PEEKED":
      return t(`${key}.${event.blackjack ? "blackjack" : "nothing"}`);
    case "PLAYED":
      return t(`web.blackjack.told.${event.action}`, { name });
    case "HAND_CHANGED":
      return ["busted", "blackjack"].includes(event.status)
        ? t(`${key}.${event.status}`, { name, total: event.total })
        : null;
    case "HAND_SETTLED":
      return t(`${key}.${event.result}`, { name, payout: event.payout });
    case "INSURANCE_SETTLED":
      return t(key, { name, payout: event.payout });
    case "SAT_OUT":
    case "SEAT_LEFT":
      return t(key, { name });
    case "SHOE_EMPTY":
      return t("code.SHOE_EMPTY");
    default:
      return null;
  }
}
