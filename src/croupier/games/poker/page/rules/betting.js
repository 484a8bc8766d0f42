// Betting: who may do what, what it does, and whose turn it is then. These functions change the hand they are given.

import { isOffered, isWhole, offerOf, readAction, refused, tell } from "/js/games/record.js";

const RAISES_MAX = 4;
const ACTIONS = {
  HOLDEM_FOLD: {},
  HOLDEM_CHECK: {},
  HOLDEM_CALL: {},
  HOLDEM_BET: { amount: [isWhole] },
  HOLDEM_RAISE: { to: [isWhole] },
  HOLDEM_ALL_IN: {},
  HOLDEM_SHOW: {},
  HOLDEM_MUCK: {},
  HOLDEM_SHOW_CARD: { card: [isWhole] },
  HOLDEM_RUN_IT: { times: [isWhole] },
};

/** A seat's action as it was sent, with its defaults; throws ReplayFault when it is none. */
export const readMove = (seat, action) => readAction(seat, action, ACTIONS);

/** What a seat may do now: nothing out of turn. */
export const menu = (hand, seat) => (seat === hand.turn ? hand.offers : []);

/** The action, if the seat in turn may do it. */
export function allowed(hand, seat, raw) {
  const action = readMove(seat, raw);
  if (hand.awaits.kind === "over") throw refused(seat, "ROUND_OVER");
  if (hand.turn === null || seat !== hand.turn) throw refused(seat, "NOT_YOUR_TURN");
  if (!isOffered(menu(hand, seat), action)) throw refused(seat);
  return action;
}

/** What the seat may do when the turn comes to it and staying in takes a bet of `price` on this street. */
function offersTo(hand, seat, price) {
  const types = (...names) => names.map((name) => offerOf({ type: `HOLDEM_${name}` }));
  const stack = hand.stacks[seat];
  const toCall = price - hand.bets[seat];
  if (stack <= toCall) return types("FOLD", "CALL", "ALL_IN");
  const answer = toCall === 0 ? "CHECK" : "CALL";
  if (!isOpen(hand, seat) || !canBeCalled(hand, seat)) return types("FOLD", answer);
  const high = hand.bets[seat] + stack;
  const low = leastOf(hand);
  if (high < low) return types("FOLD", answer, "ALL_IN");
  const [type, field] = hand.bet ? ["HOLDEM_RAISE", "to"] : ["HOLDEM_BET", "amount"];
  const most = mostOf(hand, seat, low);
  const offer = offerOf({ type, [field]: low }, { field, low, high: Math.min(high, most) });
  return [...types("FOLD", answer), offer, ...(most < high ? [] : types("ALL_IN"))];
}

/** Whether the hand is fixed-limit of another house, where there may be any number of raises. */
const isOpenLimit = ({ rules, forced }) => rules.betting === "fixed_limit" && !forced.reopeningMin;

/** What it takes to reopen the betting at first: in fixed-limit the small bet, though any all-in should do it. */
export const firstRaise = ({ betting }, { reopeningMin, betMin }) => reopeningMin || (betting === "fixed_limit" ? betMin : 0);

/** What a bet or raise that is no all-in must come to. In a limit of another house it may just complete what a short
 * all-in began. */
function leastOf(hand) {
  const by = Math.max(hand.raiseBy, hand.forced.betMin);
  return isOpenLimit(hand) ? (Math.floor(hand.bet / by) + 1) * by : hand.bet + by;
}

/** What a bet or raise may come to at most, whatever the stack: in pot-limit the bet plus the pot after calling it. */
function mostOf({ rules, bet, bets, paid, dead, raiseBy }, seat, low) {
  if (rules.betting === "no_limit") return Infinity;
  if (rules.betting === "fixed_limit") return Math.max(low, bet + raiseBy);
  const pot = [...paid, ...bets].reduce((sum, chips) => sum + chips, dead);
  return Math.max(low, 2 * bet - bets[seat] + pot);
}

/** Whether the seat may raise: it has not acted yet, or the bet has gone up by a full raise since it did. Several short
 * all-ins count together. A street of fixed-limit has no more than a bet and three raises, unless it began with two. */
function isOpen(hand, seat) {
  const { rules, answered, bet, raiseBy, raises, isCapped } = hand;
  if (isOpenLimit(hand)) return true;
  if (rules.betting === "fixed_limit" && isCapped && raises >= RAISES_MAX) return false;
  return answered[seat] === null || bet - answered[seat] >= raiseBy;
}

/** Whether some other live seat could put in more than the present bet. */
function canBeCalled({ live, stacks, bets, bet }, seat) {
  return live.some((other) => other !== seat && stacks[other] + bets[other] > bet);
}

/** Does what the seat in turn was offered. */
export function wager(hand, seat, { type, amount, to }) {
  if (type === "HOLDEM_FOLD") fold(hand, seat);
  else if (type === "HOLDEM_CHECK") check(hand, seat);
  else if (type === "HOLDEM_CALL") raiseTo(hand, seat, hand.bet);
  else if (type === "HOLDEM_ALL_IN") raiseTo(hand, seat, hand.bets[seat] + hand.stacks[seat]);
  else raiseTo(hand, seat, amount ?? to);
}

function check(hand, seat) {
  tell(hand, "HOLDEM_ACTED", { seat, move: "CHECK" });
  hand.answered[seat] = hand.bet;
}

export function fold(hand, seat) {
  tell(hand, "HOLDEM_ACTED", { seat, move: "FOLD" });
  hand.live = hand.live.filter((other) => other !== seat);
  hand.able = hand.able.filter((other) => other !== seat);
}

/** Brings what the seat has bet on this street to `wanted`, or as near as its stack goes. */
function raiseTo(hand, seat, wanted) {
  const stack = hand.stacks[seat];
  const amount = Math.min(wanted - hand.bets[seat], stack);
  const to = hand.bets[seat] + amount;
  const move = to <= hand.bet ? "CALL" : hand.bet ? "RAISE" : "BET";
  tell(hand, "HOLDEM_ACTED", { seat, move, amount, to, allIn: amount === stack || undefined });
  hand.stacks[seat] = stack - amount;
  hand.bets[seat] = to;
  hand.answered[seat] = to;
  if (amount === stack) hand.able = hand.able.filter((other) => other !== seat);
  const preflop = hand.board.length === 0;
  if (preflop) hand.entered.add(seat);
  if (to <= hand.bet) return;
  // A short all-in leaves the least raise as it was.
  hand.raiseBy = Math.max(to - hand.bet, hand.raiseBy);
  hand.raises += 1;
  hand.bet = to;
  hand.aggressor = seat;
  if (preflop) hand.raised.add(seat);
}

/** Gives the turn to the first seat that the bet still asks, from a place among the able ones on; to nobody when the
 * street has ended. Seats whose players have gone fold here, where their turn would have been. */
export function nextTurn(hand, place) {
  const { able, bet } = hand;
  hand.turn = null;
  for (const seat of [...able.slice(place), ...able.slice(0, place)]) {
    if (hand.answered[seat] !== null && hand.answered[seat] >= bet) continue;
    let price = bet;
    if (hand.able.length === 1) {
      // Nobody is left to play against: a blind that was not posted in full asks no more than what is there.
      price = Math.max(...hand.bets);
      if (hand.bets[seat] === price) continue;
    }
    if (!hand.left.has(seat)) {
      giveTurn(hand, seat, offersTo(hand, seat, price));
      hand.bet = price;
      return;
    }
    fold(hand, seat);
    if (hand.live.length === 1) return;
  }
}

export function giveTurn(hand, seat, offers) {
  hand.turn = seat;
  hand.offers = offers;
  hand.awaits = { kind: "turn", seats: [seat] };
}
