// Replays a round of blackjack from its record: whether every move is legal, which cards go where, who wins what, and
// what the next round starts from. A twin of `croupier.games.blackjack.rules`.

import { ReplayFault, absentRefused, checkCards, isSeat, refused, tell } from "/js/games/record.js";
import { DECK } from "/js/deck.js";
import { pointsOf } from "./totals.js";
import { advance, look, newHand, opened, place, request, takeOut, tellHand } from "./rules/flow.js";
import { allowed, menu, readMove, turnOf } from "./rules/menu.js";
import { half, readRules } from "./rules/options.js";
import { cashOut } from "./rules/settle.js";
import { amended, firstSetup as first, readSetup, setupFault } from "./rules/setup.js";

export { ReplayFault, menu, readMove };

const packsOf = ({ decks }) => Array(decks).fill(DECK).flat();

/** Begins a round from the rules and the setup of a record; throws ReplayFault when they are refused. */
export function begin(rawRules, rawSetup) {
  const rules = readRules(rawRules);
  const setup = readSetup(rawSetup, DECK);
  const code = setupFault(rules, setup);
  if (code) throw new ReplayFault("SETUP_REFUSED", { code });
  return new Replay(opened(rules, setup, packsOf(rules)));
}

/** The setup after `change`, { seat, kind, chips }, between two rounds; throws ReplayFault when it is refused. */
export function amend(rules, setup, change) {
  return amended(readRules(rules), readSetup(setup, DECK), change);
}

/** What a first round with so many seats customarily starts from. */
export function firstSetup(rules, seats) {
  return first(readRules(rules), seats);
}

/** Each seat's chips between two rounds; none in a game without bets. */
export function stacks(setup, rules = {}) {
  return readRules(rules).bet_max ? readSetup(setup, DECK).purses : [];
}

class Replay {
  #round;

  constructor(round) {
    this.#round = round;
    advance(round);
  }

  get awaits() {
    return this.#round.awaits;
  }

  /** The round as it stands, to look at: `faces.js` makes views of it. */
  get state() {
    return this.#round;
  }

  /** Takes the cards for the places awaited; null is the dealer's face-down card where this viewer never saw it. */
  deal(cards) {
    const round = this.#round;
    const hidden = round.slots.findIndex(({ faceDown }) => faceDown);
    checkCards(round.awaits, cards, DECK, (name) => name === round.awaits.places[hidden]);
    place(round, cards);
    advance(round);
  }

  /** Does what a seat did, an action as on the wire; throws ReplayFault when the rules refuse it. */
  act(number, raw) {
    const round = this.#round;
    const action = allowed(round, number, raw);
    const seat = round.seats[number];
    if (round.phase === "betting") {
      seat.bet = action.amount ?? 0;
      seat.purse -= seat.bet;
      seat.decided = true;
      if (seat.bet) tell(round, "BET_PLACED", { seat: number, amount: seat.bet });
      else tell(round, "SAT_OUT", { seat: number });
    } else if (round.undecided.includes(number)) decide(round, number, action);
    else play(round, number, turnOf(round).hand, action);
    advance(round);
  }

  /** Somebody goes. Against the house the seat stands on every hand; where a person deals it is gone with its cards,
   * and the dealer's leaving ends the round. */
  leave(number) {
    const round = this.#round;
    const { seats, setup, rules } = round;
    if (round.awaits.kind !== "turn") throw refused(number, "ROUND_OVER");
    if (!isSeat(number, seats.length)) throw refused(number, "NO_SUCH_SEAT");
    const seat = seats[number];
    seat.left = true;
    seat.decided = true;
    tell(round, "SEAT_LEFT", { seat: number });
    if (number === setup.dealer) tell(round, "GAME_TERMINATED", {});
    if (rules.dealer_seat) {
      if (number !== setup.dealer) seat.hands = [];
      if (number === setup.dealer || !seats.some(({ hands }) => hands.length)) cashOut(round, true);
    } else {
      for (const hand of seat.hands) if (hand.status === "active") hand.status = "stand";
      if (round.undecided.includes(number)) decide(round, number, { type: "BLACKJACK_INSURANCE", take: false });
    }
    advance(round);
  }

  /** Whether the deal that is awaited can do without a seat. */
  canBeAbsent(number) {
    const { draw, dealt, seats } = this.#round;
    return Boolean(draw) && !dealt.length && isSeat(number, seats.length) && seats[number].hands.length > 0;
  }

  /** A seat did not cut: its bet goes back, and it has no hand in this round. */
  absent(number) {
    if (!this.canBeAbsent(number)) throw absentRefused(number);
    takeOut(this.#round, number);
  }

  /** What the next round starts from, after this one is over. */
  following() {
    const { awaits, rules, setup, seats, dealt, reshuffled } = this.#round;
    if (awaits.kind !== "over") throw new ReplayFault("ROUND_UNFINISHED");
    const used = [...setup.gone, ...dealt];
    const goesOn = !reshuffled && used.length < rules.penetration * 52 * rules.decks;
    return { purses: seats.map(({ purse }) => purse), dealer: setup.dealer, gone: goesOn ? used : [] };
  }
}

/** A seat's answer before the dealer looks. */
function decide(round, number, { type, take }) {
  const seat = round.seats[number];
  round.undecided = round.undecided.filter((other) => other !== number);
  if (type === "BLACKJACK_SURRENDER") surrender(round, number, 0);
  else {
    seat.insurance = take ? half(seat.bet) : 0;
    seat.purse -= seat.insurance;
    tell(round, "INSURANCE_DECIDED", { seat: number, amount: seat.insurance });
  }
  if (!round.undecided.length) look(round);
}

/** A decision on one hand. */
function play(round, number, index, { type }) {
  const seat = round.seats[number];
  const hand = seat.hands[index];
  tell(round, "PLAYED", { seat: number, hand: index, action: type });
  if (type === "BLACKJACK_STAND") {
    hand.status = "stand";
    tellHand(round, number, index);
  } else if (type === "BLACKJACK_SURRENDER") surrender(round, number, index);
  else if (type === "BLACKJACK_SPLIT") split(round, number, index);
  else {
    if (type === "BLACKJACK_DOUBLE") {
      seat.purse -= hand.bet;
      hand.bet *= 2;
      hand.doubled = true;
    }
    request(round, { seat: number, hand: index });
  }
}

function surrender(round, number, index) {
  Object.assign(round.seats[number].hands[index], { status: "surrendered", surrendered: true });
  tellHand(round, number, index);
}

/** Two hands in the place of one, next to each other, each with one card of the pair and an equal bet. */
function split(round, number, index) {
  const seat = round.seats[number];
  const { bet, cards } = seat.hands[index];
  seat.purse -= bet;
  const fromAces = pointsOf(cards[0]) === 1;
  seat.hands.splice(index, 1, ...cards.map((card) => newHand(bet, [card], { split: true, fromAces })));
  request(round, { seat: number, hand: index }, { seat: number, hand: index + 1 });
}
