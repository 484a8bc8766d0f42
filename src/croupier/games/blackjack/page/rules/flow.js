// The course of a round: who gets the next card, who decides next, when the dealer plays. These functions change the
// round they are given.

import { packWithout } from "/js/fairness/cardsshown.js";
import { ReplayFault, tell } from "/js/games/record.js";
import { isEscapable, isInsurable, mayDraw, maySplit, turnOf } from "./menu.js";
import { cashOut, payoutsOf } from "./settle.js";
import { TARGET, hidesBlackjack, isBlackjack, total } from "./worth.js";
import { pointsOf } from "../totals.js";

/** A round before its bets. */
export function opened(rules, setup, pack) {
  const seats = setup.purses.map((purse) => ({
    purse,
    bet: 0,
    decided: rules.bet_max === 0 || purse < rules.bet_min,
    hands: [],
    insurance: 0,
    insurancePayout: 0,
    left: false,
    /** How many cards it was promised in this round. */
    cards: 0,
  }));
  return {
    rules,
    setup,
    pack,
    seats,
    phase: "betting",
    shoeLeft: pack.length - setup.gone.length,
    reshuffled: false,
    void: false,
    dealt: [],
    /** What happened so far, as { to, event }. */
    events: [],
    dealer: [],
    dealerCards: 0,
    /** The dealer's face-down card, as { card }. */
    hole: null,
    undecided: [],
    draw: null,
    slots: [],
    awaits: null,
  };
}

export const newHand = (bet, cards = [], split = {}) => ({
  cards,
  bet,
  status: "active",
  doubled: false,
  surrendered: false,
  payout: 0,
  ...split,
});

/** Goes on until cards are needed, somebody must decide, or the round is over. */
export function advance(round) {
  while (!(round.awaits = awaited(round))) {
    if (round.phase === "betting") beginDealing(round);
    else if (round.phase === "dealing") consider(round);
    else if (round.phase === "playing") enter(round, "dealer");
    else playDealer(round);
  }
}

function enter(round, phase) {
  round.phase = phase;
  tell(round, "PHASE_CHANGED", { phase });
}

function awaited(round) {
  const { phase, seats, undecided } = round;
  if (phase === "over") return { kind: "over", payouts: payoutsOf(round) };
  if (round.draw) return round.draw;
  const turn = (numbers) => (numbers.length ? { kind: "turn", seats: numbers } : null);
  if (phase === "betting") return turn(seats.flatMap(({ decided }, number) => (decided ? [] : [number])));
  if (phase !== "playing") return null;
  return turn(undecided) ?? turn([turnOf(round)?.seat].filter((seat) => seat !== undefined));
}

/** Bets are made: deals the first cards, or ends at once when nobody plays. */
function beginDealing(round) {
  const { rules, seats, setup } = round;
  const playing = seats.flatMap(({ bet, left }, number) => (bet || (rules.dealer_seat && !left) ? [number] : []));
  for (const number of playing) if (number !== setup.dealer) seats[number].hands = [newHand(seats[number].bet)];
  // A dealer who sits alone from the start is dealt to, as ever; one whom all others have left is not.
  const isAlone = !seats.some(({ hands }) => hands.length) && (seats.length > 1 || !playing.length);
  if (isAlone) {
    cashOut(round, true);
    return;
  }
  enter(round, "dealing");
  request(round, ...firstSlots(rules, playing, setup.dealer));
}

/** Takes a seat out before the first cards: its bet goes back, and they are asked for anew by those who are left. */
export function takeOut(round, number) {
  const seat = round.seats[number];
  tell(round, "SAT_OUT", { seat: number });
  seat.purse += seat.bet;
  seat.bet = 0;
  seat.left ||= round.rules.dealer_seat;
  round.shoeLeft += round.slots.length;
  round.draw = null;
  round.dealerCards = 0;
  round.phase = "betting";
  for (const other of round.seats) [other.hands, other.cards] = [[], 0];
  advance(round);
}

/** A person who deals gives everybody two cards at a time, in seat order; the house deals two times round, its own up
 * card after the first time, its hole card after the second. */
function firstSlots(rules, playing, dealer) {
  const players = playing.map((seat) => ({ seat, hand: 0 }));
  if (rules.dealer_seat) return players.flatMap((slot) => (slot.seat === dealer ? [{}, {}] : [slot, slot]));
  return [...players, {}, ...players, ...(rules.peek ? [{ faceDown: true }] : [])];
}

/** Asks for cards for { seat, hand }, or without a seat for the dealer. Without any left, the round ends undecided. */
export function request(round, ...slots) {
  const { setup } = round;
  const count = slots.length;
  let [pack, gone, left, isNew] = [[], [], round.shoeLeft, false];
  if (!round.dealt.length) {
    [pack, gone] = [round.pack, setup.gone];
    if (count > left) {
      [gone, left] = [[], pack.length];
      round.setup = { ...setup, gone };
    }
    isNew = !gone.length;
    // Since edition 2 the rest of a shoe that goes on is shuffled for every round.
    if (round.rules.edition > 1) [pack, gone] = [packWithout(pack, gone), []];
  } else if (count > left && !round.reshuffled) {
    // The cards of earlier rounds are shuffled again; what little was left of the old shoe is not dealt any more.
    pack = setup.gone;
    [left, isNew] = [pack.length, true];
    round.reshuffled = true;
  }
  if (count > left) {
    tell(round, "SHOE_EMPTY", {});
    cashOut(round, true);
    return;
  }
  if (isNew) tell(round, "SHOE_SHUFFLED", { cards: pack.length });
  round.slots = slots;
  round.shoeLeft = left - count;
  const places = slots.map((slot) => placeOf(round, slot));
  round.draw = { kind: "draw", places, pack: pack.length ? pack : null, gone };
}

/** The dealer's i-th card; or the n-th card that a seat gets, for its hand at that moment. */
function placeOf(round, { seat, hand }) {
  return seat === undefined ? `dealer:${round.dealerCards++}` : `card:${seat}:${round.seats[seat].cards++}:${hand}`;
}

/** Puts the cards that came where they were meant to go. */
export function place(round, cards) {
  const { slots } = round;
  round.draw = null;
  slots.forEach(({ seat, hand, faceDown }, index) => {
    const card = cards[index];
    round.dealt.push(card);
    if (faceDown) round.hole = { card };
    else if (seat === undefined) round.dealer.push(card);
    else round.seats[seat].hands[hand].cards.push(card);
    if (seat === undefined) tell(round, "DEALER_CARD_DEALT", { card: faceDown ? undefined : card });
    else {
      tell(round, "CARD_DEALT", { seat, hand, card });
      judge(round, seat, hand);
    }
  });
}

/** What a hand has become by its last card. */
function judge(round, number, index) {
  const { rules } = round;
  const seat = round.seats[number];
  const hand = seat.hands[index];
  if (hand.cards.length < 2) return;
  const { best } = total(hand.cards, rules);
  const isClosed = !mayDraw(rules, hand) && !maySplit(rules, seat, hand);
  if (best > TARGET) hand.status = "busted";
  else if (rules.hasBlackjack && !hand.split && isBlackjack(hand.cards)) hand.status = "blackjack";
  else if (best === TARGET || hand.doubled || seat.left || isClosed) hand.status = "stand";
  if (hand.status !== "active") tellHand(round, number, index);
}

/** Tells what a hand is now. */
export function tellHand(round, seat, hand) {
  const { cards, status } = round.seats[seat].hands[hand];
  tell(round, "HAND_CHANGED", { seat, hand, status, total: total(cards, round.rules).best });
}

/** The first cards lie: asks about insurance and early surrender before the dealer looks. */
function consider(round) {
  const { rules, seats, dealer } = round;
  enter(round, "playing");
  const isAsked = (seat) => isInsurable(rules, dealer[0], seat) || isEscapable(rules, dealer[0], seat);
  round.undecided = seats.flatMap((seat, number) => (seat.hands.length && !seat.left && isAsked(seat) ? [number] : []));
  const asked = round.undecided;
  if (asked.length && rules.insurance && pointsOf(dealer[0]) === 1) tell(round, "INSURANCE_OFFERED", { seats: asked });
  if (!asked.length) look(round);
}

/** The dealer looks under an ace or a ten. A card that this viewer never saw was no blackjack: that is turned up. */
export function look(round) {
  const { rules, dealer, hole } = round;
  if (!hole || !rules.hasBlackjack || !hidesBlackjack(dealer[0])) return;
  const blackjack = hole.card !== null && isBlackjack([...dealer, hole.card]);
  tell(round, "DEALER_PEEKED", { blackjack });
  if (blackjack) enter(round, "dealer");
}

/** The dealer's part, one card at a time. */
function playDealer(round) {
  const { hole, dealer } = round;
  if (hole) {
    if (hole.card === null) throw new ReplayFault("CARD_HIDDEN", { place: "dealer:1" });
    dealer.push(hole.card);
    round.hole = null;
    tell(round, "HOLE_CARD_REVEALED", { card: hole.card });
  } else if (needsCard(round)) request(round, {});
  else cashOut(round);
}

/** Whether the dealer draws: only below the standing total, and only while some result depends on it. */
function needsCard(round) {
  const { rules, dealer, seats } = round;
  const contested = rules.dealer_seat || seats.some(({ hands }) => hands.some(({ status }) => status === "stand"));
  if (dealer.length === 1) return contested || (hidesBlackjack(dealer[0]) && blackjackMatters(round));
  if (!contested || (rules.hasBlackjack && isBlackjack(dealer))) return false;
  const { best, soft } = total(dealer, rules);
  return (rules.dealer_hits_soft_17 && best === 17 && soft) || best < rules.dealer_stands_on;
}

/** Without a hole card: whether anything is still decided by the dealer having blackjack or not. */
function blackjackMatters({ rules, seats }) {
  return seats.some(({ bet, hands, insurance }) => {
    const has = (wanted) => hands.some(({ status }) => status === wanted);
    if (insurance || has("blackjack") || (rules.surrender === "late" && has("surrendered"))) return true;
    return rules.original_bets_only && hands.reduce((sum, hand) => sum + hand.bet, 0) > bet;
  });
}
