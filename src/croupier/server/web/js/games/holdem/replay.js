// Replays a hand of Hold'em from its record: whether every move is legal, which cards go where, who wins what, and what
// the next hand starts from. A twin of `croupier.games.poker.rules`.

import { ReplayFault, absentRefused, checkCards, isSeat, refused, tell } from "../record.js";
import { DECK } from "../../verify/packs.js";
import { allowed, menu, nextTurn, readMove, wager } from "./rules/betting.js";
import { levelNumber, readRules } from "./rules/options.js";
import { collect } from "./rules/pots.js";
import {
  amended,
  firstSetup as first,
  forcedBets,
  inPlay,
  noStatistics,
  readSetup,
  satOut,
  setupFault,
  sorted,
} from "./rules/setup.js";
import { award, awardUncontested, goOn, muck, show, turnUp } from "./rules/showdown.js";

export { ReplayFault, menu, readMove };

const BOARD_CARDS = 5;
const STREETS = { 3: "FLOP", 4: "TURN", 5: "RIVER" };
const FOLD = { type: "HOLDEM_FOLD" };
const MUCK = { type: "HOLDEM_MUCK" };

/** Begins a hand from the rules and the setup of a record; throws ReplayFault when they are refused. */
export function begin(rules, setup) {
  return new Replay(readRules(rules), readSetup(setup));
}

/** The setup after `change`, { seat, kind, chips }, between two hands; throws ReplayFault when it is refused. */
export function amend(rules, setup, change) {
  return amended(readRules(rules), readSetup(setup), change);
}

/** What a first hand with so many seats customarily starts from. */
export function firstSetup(rules, seats) {
  return first(readRules(rules), seats);
}

/** Each seat's chips between two hands. */
export const stacks = (setup) => readSetup(setup).stacks;

class Replay {
  #rules;
  #hand;

  constructor(rules, setup) {
    const order = inPlay(setup);
    const code = setupFault(setup, order);
    if (code) throw new ReplayFault("SETUP_REFUSED", { code });
    this.#rules = rules;
    this.#hand = opened(rules, setup, order);
  }

  get awaits() {
    return this.#hand.awaits;
  }

  /** The hand as it stands, to look at: `faces.js` makes views of it. */
  get state() {
    return this.#hand;
  }

  /** Takes the cards for the places awaited; null is one that this viewer never saw. */
  deal(cards) {
    const hand = this.#hand;
    checkCards(hand.awaits, cards, DECK, (place) => !place.startsWith("board:"));
    if (!hand.hole) {
      const { dealt } = hand;
      hand.hole = Object.fromEntries(dealt.map((seat, place) => [seat, [cards[place], cards[dealt.length + place]]]));
      tell(hand, "HOLDEM_HOLE_CARDS_DEALT", { seats: dealt });
      for (const seat of dealt) {
        const own = hand.hole[seat];
        if (!own.includes(null)) tell(hand, "HOLDEM_HOLE_CARDS", { seat, cards: own }, seat);
      }
      nextTurn(hand, ableBefore(hand, hand.forced.first));
    } else {
      hand.board.push(...cards.slice(1));
      tell(hand, "HOLDEM_STREET_DEALT", { street: STREETS[hand.board.length], cards: cards.slice(1) });
      if (hand.able.length < 2) {
        this.#nextStreet();
        return;
      }
      hand.raiseBy = hand.forced.reopeningMin;
      hand.answered.fill(null);
      hand.aggressor = null;
      nextTurn(hand, 0);
    }
    this.#goOn();
  }

  /** Does what a seat did, an action as on the wire; throws ReplayFault when the rules refuse it. */
  act(seat, action) {
    this.#act(seat, allowed(this.#hand, seat, action));
  }

  /** Somebody goes: the seat folds, now or on its next turn. */
  leave(seat) {
    const hand = this.#hand;
    if (hand.awaits.kind !== "turn") throw refused(seat, "ROUND_OVER");
    if (!isSeat(seat, hand.stacks.length)) throw refused(seat, "NO_SUCH_SEAT");
    if (hand.left.has(seat)) return;
    hand.left.add(seat);
    tell(hand, "HOLDEM_PLAYER_LEFT", { seat });
    if (seat === hand.turn) this.#act(seat, hand.showdown ? MUCK : FOLD);
  }

  /** Whether the deal that is awaited can do without a seat; in a cash game it also takes two others. */
  canBeAbsent(seat) {
    const { awaits, dealt } = this.#hand;
    return Boolean(awaits.pack) && dealt.includes(seat);
  }

  /** A seat did not cut and gets no cards. In a cash game the hand begins anew as if it sat out; in a tournament what
   * it owes goes in, and the last seat left wins it all without a card. */
  absent(seat) {
    const { setup: before, order, dealt, absent, events } = this.#hand;
    if (!this.canBeAbsent(seat)) throw absentRefused(seat);
    if (this.#rules.mode === "cash") {
      const setup = satOut(before, seat);
      const staying = inPlay(setup);
      if (staying.length < 2) throw new ReplayFault("TOO_FEW_PLAYERS", { players: staying.length });
      if (setupFault(setup, staying)) throw absentRefused(seat);
      this.#hand = opened(this.#rules, setup, staying, staying, events);
    } else {
      const staying = dealt.filter((other) => other !== seat);
      this.#hand = opened(this.#rules, before, order, staying, events);
      if (staying.length === 1) this.#goOn();
    }
    this.#hand.absent = [...absent, seat];
  }

  /** What the next hand starts from, after this one is over. */
  following() {
    const hand = this.#hand;
    if (hand.awaits.kind !== "over") throw new ReplayFault("ROUND_UNFINISHED");
    const { button, sittingOut, hand: number } = hand.setup;
    const away = sittingOut.filter((seat) => !hand.absent.includes(seat));
    const gone = this.#rules.mode === "cash" ? hand.left : [];
    const setup = {
      stacks: [...hand.stacks],
      button,
      hand: number + 1,
      statistics: statisticsAfter(hand),
      sittingOut: sorted(new Set([...away, ...gone])),
      places: [...hand.places],
      forced: null,
    };
    return { ...setup, button: inPlay(setup)[0] ?? button };
  }

  #act(seat, action) {
    const hand = this.#hand;
    if (hand.showdown) {
      hand.turn = null;
      (action.type === "HOLDEM_SHOW" ? show : muck)(hand, seat);
      this.#showDown();
      return;
    }
    const place = hand.able.indexOf(seat);
    wager(hand, seat, action);
    hand.turn = null;
    if (hand.live.length > 1) nextTurn(hand, place + (hand.able.includes(seat) ? 1 : 0));
    this.#goOn();
  }

  /** Goes on when nobody is in turn: to the next street, or to the end when one seat is left. */
  #goOn() {
    const hand = this.#hand;
    if (hand.turn !== null) return;
    collect(hand);
    if (hand.live.length === 1) {
      awardUncontested(hand);
      this.#end();
      return;
    }
    // With at most one player who could still bet, all live hands are turned up before any more cards come.
    if (hand.able.length < 2) turnUp(hand);
    this.#nextStreet();
  }

  #nextStreet() {
    const { board } = this.#hand;
    if (board.length === BOARD_CARDS) this.#showDown();
    else this.#hand.awaits = streetDraw(board.length);
  }

  #showDown() {
    if (!goOn(this.#hand)) return;
    award(this.#hand, this.#rules.odd_chips);
    this.#end();
  }

  #end() {
    const hand = this.#hand;
    hand.turn = null;
    const began = hand.setup.stacks;
    const payouts = hand.stacks.map((stack, seat) => stack - began[seat]);
    hand.awaits = { kind: "over", payouts };
    const winner = this.#rules.mode === "tournament" ? rankThoseOut(hand) : undefined;
    tell(hand, "HOLDEM_HAND_OVER", { stacks: [...hand.stacks], payouts, winner });
  }
}

/** A hand with the antes and blinds of the seats in it posted, that waits for the hole cards of those dealt in. Seats
 * are in order from the button's left. */
function opened(rules, setup, order, dealt = order, events = []) {
  const forced = forcedBets(rules, setup, order);
  const stacks = [...setup.stacks];
  const started = begun(rules, setup, forced);
  tell({ events }, "HOLDEM_HAND_STARTED", { ...started, button: setup.button, seats: dealt, stacks: setup.stacks });
  const antes = post(forced.antes, new Map(order.map((seat) => [seat, "ANTE"])), stacks, events);
  const bets = post(forced.blinds, namedBlinds(forced.blinds, order), stacks, events);
  const nothing = stacks.map(() => 0);
  return {
    setup,
    /** What happened so far, as { to, event }. */
    events,
    forced,
    order,
    dealt,
    live: dealt,
    able: dealt.filter((seat) => stacks[seat]),
    stacks,
    bets,
    paid: forced.antesDead ? nothing : antes,
    dead: forced.antesDead ? antes.reduce((sum, ante) => sum + ante, 0) : 0,
    bet: Math.max(...bets, forced.openingBet),
    raiseBy: forced.reopeningMin,
    answered: stacks.map(() => null),
    turn: null,
    offers: [],
    aggressor: null,
    hole: null,
    board: [],
    showdown: false,
    shown: new Set(),
    worths: new Map(),
    mucked: new Set(),
    left: new Set(),
    entered: new Set(),
    raised: new Set(),
    won: new Set(),
    /** The pots that went to their winners, as { pot, amount, winners, shares, category, cards }. */
    awards: [],
    places: setup.places.length ? [...setup.places] : nothing,
    absent: [],
    awaits: holeDraw(dealt),
  };
}

/** What a hand is played for: the level, the two highest blinds, and the ante. */
function begun(rules, { hand }, { blinds, antes }) {
  const [smallBlind, bigBlind] = sorted(blinds).slice(-2);
  return { hand, level: levelNumber(rules, hand), smallBlind, bigBlind, ante: Math.max(...antes) };
}

/** Which blind each seat posts, in the order in which they are posted: the small one first. */
function namedBlinds(owed, order) {
  const posting = order.filter((seat) => owed[seat]).sort((one, other) => owed[one] - owed[other]);
  const names = ["SMALL_BLIND", "BIG_BLIND", "STRADDLE"].slice(posting.length === 1 ? 1 : 0);
  return new Map(posting.map((seat, place) => [seat, names[Math.min(place, names.length - 1)]]));
}

/** Takes what each of these seats owes, or all it has, from the stacks. */
function post(owed, posts, stacks, events) {
  const posted = [...owed];
  for (const [seat, name] of posts) {
    const stack = stacks[seat];
    const amount = Math.min(owed[seat], stack);
    posted[seat] = amount;
    stacks[seat] = stack - amount;
    if (amount) tell({ events }, "HOLDEM_POSTED", { seat, post: name, amount, allIn: stack === amount || undefined });
  }
  return posted;
}

/** One card to each seat, then a second one. */
function holeDraw(seats) {
  const places = [0, 1].flatMap((number) => seats.map((seat) => `hole:${seat}:${number}`));
  return { kind: "draw", places, pack: DECK, gone: [] };
}

function streetDraw(onBoard) {
  const burned = onBoard ? onBoard - 2 : 0;
  const board = onBoard ? [onBoard] : [0, 1, 2];
  return { kind: "draw", places: [`burn:${burned}`, ...board.map((card) => `board:${card}`)], pack: null, gone: [] };
}

/** How many of the able seats come before this one, which need not be able itself. */
function ableBefore({ order, able }, seat) {
  return order.slice(0, order.indexOf(seat)).filter((other) => able.includes(other)).length;
}

/** Gives the seats that went out with this hand their places: the one that began it with more chips has the better one,
 * and equal stacks share it. The seat that has all chips now, if one has. */
function rankThoseOut(hand) {
  const { setup, stacks, order, places } = hand;
  const staying = stacks.flatMap((stack, seat) => (stack ? [seat] : []));
  const out = order.filter((seat) => !stacks[seat]);
  for (const seat of out) {
    const better = out.filter((other) => setup.stacks[other] > setup.stacks[seat]);
    places[seat] = staying.length + 1 + better.length;
    tell(hand, "HOLDEM_KNOCKED_OUT", { seat, place: places[seat] });
  }
  if (staying.length !== 1) return undefined;
  places[staying[0]] = 1;
  return staying[0];
}

function statisticsAfter(hand) {
  const before = hand.setup.statistics.length ? hand.setup.statistics : noStatistics(hand.stacks.length);
  const count = (isCounted) => (isCounted ? 1 : 0);
  return before.map((old, seat) => ({
    hands: old.hands + count(hand.dealt.includes(seat)),
    won: old.won + count(hand.won.has(seat)),
    vpip: old.vpip + count(hand.entered.has(seat)),
    pfr: old.pfr + count(hand.raised.has(seat)),
    showdowns: old.showdowns + count(hand.shown.size && hand.live.includes(seat)),
  }));
}
