// What a viewer sees of a round of blackjack, made from the replay alone: every card from its place, every chip from the
// moves. A twin of `croupier.games.blackjack.rules.view`. The page holds all that the server shows to it.

import { DECK } from "/js/deck.js";
import { mayDoOnHand, menu, turnOf } from "./rules/menu.js";
import * as options from "./rules/options.js";
import * as setup from "./rules/setup.js";
import { isBlackjack, total } from "./rules/worth.js";

export { isUndealt } from "./form.js";
export const readRules = options.readRules;
export const readSetup = (raw) => setup.readSetup(raw, DECK);

/** The rules as a context carries them: without what is worked out from them. */
export function plainRules(raw) {
  const { hasBlackjack: _, blackjackRatio: __, ...plain } = readRules(raw);
  return plain;
}

/** The shoe is opened when the round is over. */
export const opensAll = true;

/** Whether people may come and go between two rounds. */
export const isOpenTable = (rules) => !rules.dealer_seat;

const STAKES = ["PLACE_BET", "BLACKJACK_DOUBLE", "BLACKJACK_SPLIT"];

/** Whether an action puts in chips. */
export const stakes = ({ type, take = true }) =>
  STAKES.includes(type) || (type === "BLACKJACK_INSURANCE" && take !== false);

/** What is done for a seat that does not act in time: it sits the round out, goes without insurance, stands. */
export function madeFor(round, seat) {
  if (!menu(round, seat).length) return null;
  if (round.phase === "betting") return { type: "BLACKJACK_SIT_OUT" };
  return round.undecided.includes(seat) ? { type: "BLACKJACK_INSURANCE", take: false } : { type: "BLACKJACK_STAND" };
}

export const seatCount = ({ seats }) => seats.length;

/** The seats that get cards of the pack awaited. */
export const dealtIn = ({ seats, setup: { dealer } }) =>
  seats.flatMap(({ hands }, number) => (hands.length || number === dealer ? [number] : []));

/** Whether nobody can pay the lowest bet any more. */
export const ended = (rules, { seats }) => seats.every(({ purse }) => purse < rules.bet_min);

/** The round as a seat sees it, or with `viewer` null a spectator: all see the same cards. */
export function view(rules, round, viewer) {
  const { phase, undecided, draw, awaits } = round;
  const turn = phase === "playing" && !undecided.length && !draw ? turnOf(round) : null;
  const over = phase === "over";
  return {
    you: viewer,
    toAct: awaits.kind === "turn" ? awaits.seats : [],
    phase: over ? "cashed_out" : phase,
    seats: round.seats.map((seat, number) => seatView(rules, round, number, turn?.seat === number ? turn.hand : null)),
    dealer: dealerView(rules, round),
    dealerSeat: round.setup.dealer,
    activeHand: turn?.hand ?? null,
    shoeLeft: round.shoeLeft,
    void: round.void,
  };
}

function seatView(rules, round, number, active) {
  const seat = round.seats[number];
  const { purse, bet, insurance, insurancePayout } = seat;
  const hands = seat.hands.map((hand, index) => handView(rules, round, seat, hand, index === active));
  const cards = seat.hands.flatMap((hand) => hand.cards);
  const chips = rules.bet_max ? purse : null;
  const shown = { cards, chips, state: stateOf(round, number), bet, insurance, hands };
  if (round.phase !== "over") return shown;
  const totalPayout = seat.hands.reduce((sum, { payout }) => sum + payout, 0);
  return { ...shown, totalPayout, finalPayout: totalPayout + insurancePayout };
}

/** One word for a seat: what it is, or what all its hands are once they are played. */
function stateOf({ seats, setup: { dealer } }, number) {
  const { left, decided, bet, hands } = seats[number];
  if (number === dealer) return "dealer";
  if (left) return "left";
  if (!hands.length) return decided && !bet ? "sitting_out" : "";
  const [status, ...others] = new Set(hands.map((hand) => hand.status));
  return others.length || status === "active" ? "" : status;
}

function worthOf(cards, rules) {
  const { hard, high, best } = total(cards, rules);
  return { softValue: high, hardValue: hard, bestValue: best };
}

function handView(rules, round, seat, hand, isActive) {
  const { cards, status, bet, doubled, split = false, fromAces = false, surrendered, payout } = hand;
  const can = (type) => isActive && mayDoOnHand(round, seat, hand, { type: `BLACKJACK_${type}` });
  const over = round.phase === "over";
  return {
    cards,
    status,
    bet,
    isDoubled: doubled,
    isSplit: split,
    isFromAces: fromAces,
    isBlackjack: rules.hasBlackjack && !split && isBlackjack(cards),
    isSurrendered: surrendered,
    ...worthOf(cards, rules),
    canHit: can("HIT"),
    canStand: can("STAND"),
    canDouble: can("DOUBLE"),
    canSplit: can("SPLIT"),
    canSurrender: can("SURRENDER"),
    ...(over && !round.void ? { result: status } : {}),
    ...(over ? { payout } : {}),
  };
}

function dealerView(rules, { dealer, hole }) {
  return {
    cards: dealer,
    showCard: dealer[0] ?? null,
    isRevealed: hole === null && dealer.length > 0,
    hasBlackjack: rules.hasBlackjack && isBlackjack(dealer),
    ...worthOf(dealer, rules),
  };
}
