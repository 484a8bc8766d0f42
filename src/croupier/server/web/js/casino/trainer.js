// The trainer: what basic strategy would do, and what another decision costs. The figures are the exact solver's.

import { textKey } from "/games/blackjack/controls.js";
import { pointsOf } from "/games/blackjack/totals.js";
import { t } from "../texts.js";

const PLAYS = {
  BLACKJACK_STAND: "stand",
  BLACKJACK_HIT: "hit",
  BLACKJACK_DOUBLE: "double",
  BLACKJACK_SPLIT: "split",
  BLACKJACK_SURRENDER: "surrender",
};
const rankOf = (card) => (pointsOf(card) === 10 ? "T" : card[0]);

async function ask(path, question) {
  const answer = await fetch(`/api/lab/${path}?${new URLSearchParams({ preset: "casino", ...question })}`);
  if (!answer.ok) throw new Error(`lab: ${answer.status}`);
  return answer.json();
}

export class Trainer {
  #report = null;
  /** What is being decided: { best: type, values, bet, split } once it is known; split is the rank of a split pair. */
  #advice = null;
  #asked = 0;
  decisions = 0;
  right = 0;
  lost = 0;

  /** What to do now: { type, text }; null where nothing is to be decided. */
  async advise(state) {
    this.#asked += 1;
    const turn = this.#asked;
    this.#advice = null;
    const offered = state.menu.map(({ action }) => action.type);
    const insurance = state.canInsure;
    const hand = state.playerHands[state.activeHandIndex];
    if (!hand || (!insurance && !offered.some((type) => PLAYS[type]))) return null;
    const advice = insurance ? insured(await this.#solution(), hand, state) : await played(hand, state, offered);
    if (turn !== this.#asked) return null;
    this.#advice = advice;
    return {
      type: advice.best,
      text: t("web.casino.trainer.hint", { play: t(textKey(advice.best)) }),
    };
  }

  /** What a decision cost, in words; "" where there was no advice. */
  judge({ type, take }) {
    const advice = this.#advice;
    const chosen = type === "BLACKJACK_INSURANCE" ? (take === false ? "decline" : "insure") : type;
    if (!advice || !(type in PLAYS || type === "BLACKJACK_INSURANCE")) return "";
    this.#advice = null;
    this.decisions += 1;
    const best = t(textKey(advice.best));
    const play = t(textKey(chosen));
    if (chosen === advice.best) {
      this.right += 1;
      return t("web.casino.trainer.right", { play });
    }
    const cost = (advice.values[advice.best] - advice.values[chosen]) * advice.bet;
    this.lost += cost;
    return t(advice.split ? "web.casino.trainer.wrong_split" : "web.casino.trainer.wrong", {
      best,
      play,
      card: advice.split === "T" ? "10" : advice.split,
      cost: cost.toFixed(2),
      share: ((100 * cost) / advice.bet).toFixed(1),
    });
  }

  /** The solved game, asked for once. */
  #solution() {
    this.#report ??= ask("strategy", {}).catch((error) => {
      this.#report = null;
      throw error;
    });
    return this.#report;
  }

  get score() {
    return t("web.casino.trainer.score", { right: this.right, decisions: this.decisions, lost: this.lost.toFixed(2) });
  }
}

/** Insurance is worth its own expected value; going without is worth nothing. */
function insured(report, hand, state) {
  const cards = hand.cards.map(rankOf);
  const value = report.insurance[cards.join("")] ?? report.insurance[cards.reverse().join("")] ?? -0.08;
  return {
    best: value > 0 ? "insure" : "decline",
    values: { insure: value, decline: 0 },
    bet: state.betAmount / 2,
  };
}

/** What is offered is worth what the solver says. A hand from a split is valued by its own cards, and by the one card
 * that the other hand is sure to hold: what that hand drew besides is left out of account. */
async function played(hand, state, offered) {
  const cards = hand.cards.map(rankOf);
  const split = hand.isSplit ? cards[0] : "";
  const figures = await ask("hand", {
    cards: cards.join(""),
    up: rankOf(state.dealerHand.showCard),
    ...(split && { split }),
  });
  const values = Object.fromEntries(
    offered
      .filter((type) => type in PLAYS && figures[PLAYS[type]] !== null)
      .map((type) => [type, figures[PLAYS[type]]]),
  );
  const best = Object.keys(values).reduce((one, other) => (values[other] > values[one] ? other : one));
  return { best, values, bet: hand.betAmount, split };
}
