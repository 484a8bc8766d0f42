// The trainer: what basic strategy would do, and what another decision costs. The figures are the exact solver's.

import { pointsOf, totalOf } from "../games/blackjack/totals.js";
import { t } from "../texts.js";

const PLAYS = {
  BLACKJACK_STAND: "stand",
  BLACKJACK_HIT: "hit",
  BLACKJACK_DOUBLE: "double",
  BLACKJACK_SPLIT: "split",
  BLACKJACK_SURRENDER: "surrender",
};
const WAYS = {
  H: ["hit"],
  S: ["stand"],
  D: ["double", "hit"],
  Ds: ["double", "stand"],
  P: ["split", "hit"],
  R: ["surrender", "hit"],
  Rs: ["surrender", "stand"],
  Rp: ["surrender", "split"],
};

const rankOf = (card) => (pointsOf(card) === 10 ? "T" : card[0]);
const typeOf = (play) => Object.keys(PLAYS).find((type) => PLAYS[type] === play);

async function ask(path, question) {
  const answer = await fetch(`/api/lab/${path}?${new URLSearchParams({ preset: "casino", ...question })}`);
  if (!answer.ok) throw new Error(`lab: ${answer.status}`);
  return answer.json();
}

export class Trainer {
  #report = null;
  /** What is being decided: { best: type, values, bet } once it is known. */
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
    const insurance = offered.includes("BLACKJACK_INSURANCE");
    const hand = state.playerHands[insurance ? 0 : (state.activeHandIndex ?? 0)];
    if (!hand || (!insurance && !offered.some((type) => PLAYS[type]))) return null;
    this.#report ??= ask("strategy", {});
    const report = await this.#report.catch((error) => {
      this.#report = null;
      throw error;
    });
    const advice = insurance ? insured(report, hand, state) : await played(report, hand, state, offered);
    if (turn !== this.#asked) return null;
    this.#advice = advice;
    return {
      type: advice.best,
      text: t("web.casino.trainer.hint", { play: t(`web.blackjack.action.${advice.best}`) }),
    };
  }

  /** What a decision cost, in words; "" where there was no advice. */
  judge({ type, take }) {
    const advice = this.#advice;
    const chosen = type === "BLACKJACK_INSURANCE" ? (take === false ? "decline" : "insure") : type;
    if (!advice || !(type in PLAYS || type === "BLACKJACK_INSURANCE")) return "";
    this.#advice = null;
    this.decisions += 1;
    const best = t(`web.blackjack.action.${advice.best}`);
    const play = t(`web.blackjack.action.${chosen}`);
    if (chosen === advice.best) {
      this.right += 1;
      return t("web.casino.trainer.right", { play });
    }
    if (!advice.values) return t("web.casino.trainer.other", { best, play });
    const cost = (advice.values[advice.best] - advice.values[chosen]) * advice.bet;
    this.lost += cost;
    return t("web.casino.trainer.wrong", {
      best,
      play,
      cost: cost.toFixed(2),
      share: ((100 * cost) / advice.bet).toFixed(1),
    });
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
    bet: Math.floor(state.betAmount / 2),
  };
}

async function played(report, hand, state, offered) {
  const up = rankOf(state.dealerHand.showCard);
  if (hand.isSplit) return { best: fromTable(report.strategy, hand, up, offered), values: null, bet: hand.bet };
  const figures = await ask("hand", { cards: hand.cards.map(rankOf).join(""), up });
  const values = Object.fromEntries(
    offered
      .filter((type) => figures[PLAYS[type]] !== null && type in PLAYS)
      .map((type) => [type, figures[PLAYS[type]]]),
  );
  const best = Object.keys(values).reduce((one, other) => (values[other] > values[one] ? other : one));
  return { best, values, bet: hand.bet };
}

/** After a split the solver's table says what to do; what a hand is worth then depends on the other one. */
function fromTable({ hard, soft, pairs }, hand, up, offered) {
  const { hard: low, best } = totalOf(hand.cards);
  const isPair =
    hand.cards.length === 2 && rankOf(hand.cards[0]) === rankOf(hand.cards[1]) && offered.includes("BLACKJACK_SPLIT");
  const entry = (isPair ? pairs[rankOf(hand.cards[0])] : best === low ? hard[best] : soft[best])[up];
  return (WAYS[entry] ?? ["stand"]).map(typeOf).find((type) => offered.includes(type)) ?? "BLACKJACK_STAND";
}
