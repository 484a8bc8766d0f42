// What a seat may do now.

import { isFlag, isOffered, isWhole, offerOf, readAction, refused } from "/js/games/record.js";
import { half } from "./options.js";
import { hidesBlackjack, isPair, total } from "./worth.js";
import { pointsOf } from "../totals.js";

const ACTIONS = {
  PLACE_BET: { amount: [isWhole] },
  BLACKJACK_SIT_OUT: {},
  BLACKJACK_HIT: {},
  BLACKJACK_STAND: {},
  BLACKJACK_DOUBLE: {},
  BLACKJACK_SPLIT: {},
  BLACKJACK_INSURANCE: { take: [isFlag, true] },
  BLACKJACK_SURRENDER: {},
};

/** A seat's action as it was sent, with its defaults; throws ReplayFault when it is none. */
export const readMove = (seat, action) => readAction(seat, action, ACTIONS);

/** The action, if the seat may do it now. */
export function allowed(round, number, raw) {
  const action = readMove(number, raw);
  if (round.phase === "over") throw refused(number, "ROUND_OVER");
  if (!isTurnOf(round, number)) throw refused(number, "NOT_YOUR_TURN");
  if (!isOffered(menu(round, number), action)) throw refused(number);
  return action;
}

const isTurnOf = ({ awaits }, number) => awaits.kind === "turn" && awaits.seats.includes(number);

/** The offers to a seat; none when it has nothing to decide. */
export function menu(round, number) {
  const { rules, phase, undecided } = round;
  if (!isTurnOf(round, number)) return [];
  const seat = round.seats[number];
  if (phase === "betting") {
    const range = { field: "amount", low: rules.bet_min, high: Math.min(seat.purse, rules.bet_max) };
    return [offerOf({ type: "PLACE_BET", amount: rules.bet_min }, range), offerOf({ type: "BLACKJACK_SIT_OUT" })];
  }
  if (undecided.includes(number)) return menuBeforeTheLook(round, seat);
  const hand = seat.hands[turnOf(round).hand];
  return HAND_ACTIONS.filter((action) => mayDoOnHand(round, seat, hand, action)).map((action) => offerOf(action));
}

const HAND_ACTIONS = ["HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER"].map((name) => ({ type: `BLACKJACK_${name}` }));

function menuBeforeTheLook({ rules, dealer }, seat) {
  const takes = isInsurable(rules, dealer[0], seat) ? [true, false] : [false];
  const offers = takes.map((take) => offerOf({ type: "BLACKJACK_INSURANCE", take }));
  const mayEscape = rules.surrender === "early" && rules.peek && !hasBlackjack(seat);
  return mayEscape ? [...offers, offerOf({ type: "BLACKJACK_SURRENDER" })] : offers;
}

/** Whether the seat is offered insurance: the dealer shows an ace, and it can pay half its bet. */
export function isInsurable(rules, up, { bet, purse }) {
  return rules.insurance && pointsOf(up) === 1 && half(bet) > 0 && half(bet) <= purse;
}

/** Whether the seat may give up half its bet before the dealer looks. */
export function isEscapable(rules, up, seat) {
  return rules.surrender === "early" && rules.peek && rules.hasBlackjack && hidesBlackjack(up) && !hasBlackjack(seat);
}

const hasBlackjack = (seat) => seat.hands[0].status === "blackjack";

/** Whether the seat may do this with the hand whose turn it is. */
export function mayDoOnHand({ rules, dealer }, seat, hand, { type }) {
  const affordable = seat.purse >= hand.bet;
  if (type === "BLACKJACK_STAND") return true;
  if (type === "BLACKJACK_HIT") return mayDraw(rules, hand);
  if (type === "BLACKJACK_DOUBLE") return affordable && mayDraw(rules, hand) && mayDouble(rules, hand);
  if (type === "BLACKJACK_SPLIT") return affordable && maySplit(rules, seat, hand);
  return type === "BLACKJACK_SURRENDER" && maySurrender(rules, dealer[0], hand);
}

/** Whether the hand may take cards at all: split aces get one card and no more, unless an option says so. */
export const mayDraw = (rules, hand) => rules.hit_split_aces || !hand.fromAces;

/** Whether the rules let this hand be split; whether the purse does is another question. */
export function maySplit(rules, seat, hand) {
  if (!isPair(hand.cards) || seat.hands.length >= rules.hands_max) return false;
  return rules.resplit_aces || !hand.fromAces;
}

function mayDouble(rules, { cards, split }) {
  if (rules.double === "no" || cards.length !== 2 || (split && !rules.double_after_split)) return false;
  const { best } = total(cards, rules);
  return rules.double === "any" || (best >= 9 && best <= 11);
}

function maySurrender(rules, up, { cards, split }) {
  if (rules.surrender === "no" || cards.length !== 2 || split) return false;
  const askedBefore = rules.surrender === "early" && rules.peek && hidesBlackjack(up);
  return !(askedBefore && rules.hasBlackjack);
}

/** The seat and hand to be played next, while hands are played; else null. */
export function turnOf({ seats }) {
  const seat = seats.findIndex(({ hands }) => hands.some(({ status }) => status === "active"));
  return seat < 0 ? null : { seat, hand: seats[seat].hands.findIndex(({ status }) => status === "active") };
}
