// Replays a hand of Hold'em from its record: whether every move is legal, which cards go where, who wins what, and what
// the next hand starts from. A twin of `croupier.games.poker.rules`.

import { ReplayFault, absentRefused, checkCards, isSeat, offerOf, refused, tell } from "/js/games/record.js";
import { allowed, firstRaise, giveTurn, menu, nextTurn, readMove, wager } from "./rules/betting.js";
import { BOARD_CARDS, BURNED_CARDS, boardsOf, levelAt, levelNumber, packOf, readRules } from "./rules/options.js";
import { collect } from "./rules/pots.js";
import { blindNames, forcedBets } from "./rules/forcedbets.js";
import { inPlay, positionOf, positions, seatedFor, withMissed } from "./rules/positions.js";
import { amended, firstSetup as first, misfits, noStatistics, readSetup, satOut, setupFault, sorted } from "./rules/setup.js";
import { award, awardUncontested, goOn, muck, paySevenDeuce, show, turnUp } from "./rules/showdown.js";

export { ReplayFault, menu, readMove };

const STREETS = { 3: "FLOP", 4: "TURN", 5: "RIVER" };
const BOARD_NAMES = ["board", "board2", "board3"];
const FOLD = { type: "HOLDEM_FOLD" };
const MUCK = { type: "HOLDEM_MUCK" };
const RUN_ONCE = { type: "HOLDEM_RUN_IT", times: 1 };
/** By the cards on a board, how many streets are to come. */
const STREETS_LEFT = { 0: 3, 3: 2, 4: 1, 5: 0 };

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
    if (misfits(rules, setup)) throw new ReplayFault("SETUP_REFUSED", { code: "BAD_HOLDEM_SETUP" });
    const { setup: seated, playing } = seatedFor(rules, setup);
    const code = setupFault(rules, seated, playing);
    if (code) throw new ReplayFault("SETUP_REFUSED", { code });
    this.#rules = rules;
    this.#hand = opened(rules, seated, playing);
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
    checkCards(hand.awaits, cards, packOf(this.#rules), (place) => !place.startsWith("board"));
    if (!hand.hole) {
      const { dealt } = hand;
      const held = (first) => cards.filter((_, place) => place % dealt.length === first);
      hand.hole = Object.fromEntries(dealt.map((seat, place) => [seat, held(place)]));
      const count = this.#rules.hole_cards;
      tell(hand, "HOLDEM_HOLE_CARDS_DEALT", { seats: dealt, count: count === 2 ? undefined : count });
      for (const seat of dealt) {
        const own = hand.hole[seat];
        if (!own.includes(null)) tell(hand, "HOLDEM_HOLE_CARDS", { seat, cards: own }, seat);
      }
      if (!hand.forced.bomb) nextTurn(hand, ableBefore(hand, hand.forced.first));
    } else if (hand.awards.length) {
      this.#takeRabbit(cards);
      return;
    } else if (hand.board.length === BOARD_CARDS) {
      this.#runAgain(cards.slice(1));
      return;
    } else {
      this.#takeStreet(cards.slice(1));
      if (hand.able.length < 2) {
        this.#nextStreet();
        return;
      }
      const isBigBet = this.#rules.betting === "fixed_limit" && hand.board.length > 3;
      hand.raiseBy = firstRaise(this.#rules, hand.forced) * (isBigBet ? 2 : 1);
      hand.raises = 0;
      hand.isCapped = hand.live.length > 2;
      hand.answered.fill(null);
      hand.aggressor = null;
      nextTurn(hand, 0);
    }
    this.#goOn();
  }

  /** Opens what would have come. */
  #takeRabbit(cards) {
    const hand = this.#hand;
    const { places } = hand.awaits;
    hand.rabbit = BOARD_NAMES.slice(0, boardsOf(this.#rules)).map((name) =>
      cards.filter((_, index) => places[index].startsWith(`${name}:`)),
    );
    hand.rabbit.forEach((board, number) =>
      tell(hand, "HOLDEM_RABBIT_DEALT", { cards: board, board: number || undefined }),
    );
    this.#askWinner();
  }

  /** The next street of a board after the first. */
  #runAgain(cards) {
    const hand = this.#hand;
    const number = hand.otherBoards.length;
    const board = hand.otherBoards.at(-1);
    board.push(...cards);
    tell(hand, "HOLDEM_STREET_DEALT", { street: STREETS[board.length], cards, board: number });
    if (board.length < BOARD_CARDS) hand.awaits = runDraw(board.length, number, hand.common);
    else if (number + 1 < hand.runs) this.#nextRun();
    else this.#showDown();
  }

  /** A board is complete: the next one begins with what lay there when the runs were agreed. */
  #nextRun() {
    const hand = this.#hand;
    hand.otherBoards.push(hand.board.slice(0, hand.common));
    hand.awaits = runDraw(hand.common, hand.otherBoards.length, hand.common);
  }

  /** Asks the seats of an all-in in turn how often the rest of the board is dealt, until one says once or all have. */
  #askRuns() {
    const hand = this.#hand;
    const waiting = hand.live.filter((seat) => !hand.votes.has(seat));
    const left = waiting.some((seat) => hand.left.has(seat));
    const most = left ? 1 : Math.min(runsMax(hand), ...hand.votes.values());
    if (most > 1 && waiting.length) {
      giveTurn(hand, waiting[0], [offerOf(RUN_ONCE, { field: "times", low: 1, high: most })]);
      hand.isRunVote = true;
      return;
    }
    if (most > 1) tell(hand, "HOLDEM_RUN_AGREED", { times: most });
    hand.isRunVote = false;
    hand.turn = null;
    hand.runs = most;
    hand.common = hand.board.length;
    hand.awaits = streetDraw(hand.board.length, boardsOf(this.#rules));
  }

  /** Asks a winner who was not seen what to show; one who has gone shows nothing. */
  #askWinner() {
    const hand = this.#hand;
    const [seat] = hand.live;
    if (!this.#rules.winner_shows || hand.left.has(seat)) {
      this.#end();
      return;
    }
    hand.showdown = true;
    // In a replay, what it does not know cannot be shown.
    const among = hand.hole[seat].flatMap((card, number) => (card === null ? [] : [number]));
    const offers = among.length === this.#rules.hole_cards ? [offerOf({ type: "HOLDEM_SHOW" })] : [];
    if (among.length) offers.push(offerOf({ type: "HOLDEM_SHOW_CARD", card: among[0] }, { field: "card", among }));
    giveTurn(hand, seat, [...offers, offerOf(MUCK)]);
  }

  /** The winner shows all, one card or none. */
  #wonUnseen(seat, { type, card }) {
    const hand = this.#hand;
    if (type === "HOLDEM_SHOW") show(hand, seat);
    else if (type === "HOLDEM_SHOW_CARD") {
      hand.bared.add(`${seat}:${card}`);
      tell(hand, "HOLDEM_SHOWN", { seat, cards: [hand.hole[seat][card]] });
    }
    this.#end();
  }

  /** Puts a street's cards on the boards. */
  #takeStreet(cards) {
    const hand = this.#hand;
    const boards = boardsOf(this.#rules);
    const each = cards.length / boards;
    if (boards > 1 && !hand.otherBoards.length) hand.otherBoards.push([]);
    [hand.board, ...hand.otherBoards].forEach((board, number) => {
      const own = cards.slice(number * each, (number + 1) * each);
      board.push(...own);
      tell(hand, "HOLDEM_STREET_DEALT", { street: STREETS[hand.board.length], cards: own, board: number || undefined });
    });
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
    if (seat === hand.turn) this.#act(seat, hand.showdown ? MUCK : hand.isRunVote ? RUN_ONCE : FOLD);
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
      const { setup, playing: staying } = seatedFor(this.#rules, satOut(this.#rules, before, seat));
      if (staying.length < 2) throw new ReplayFault("TOO_FEW_PLAYERS", { players: staying.length });
      if (setupFault(this.#rules, setup, staying)) throw absentRefused(seat);
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
    let setup = {
      stacks: [...hand.stacks],
      button,
      hand: number + 1,
      statistics: statisticsAfter(hand),
      sittingOut: sorted(new Set([...away, ...gone])),
      places: [...hand.places],
      forced: null,
    };
    const waiting = (hand.setup.waiting ?? []).filter((seat) => setup.sittingOut.includes(seat));
    if (waiting.length) setup.waiting = waiting;
    if (this.#rules.missed_blinds) setup = withMissed(setup, missedAfter(this.#rules, hand));
    if (!this.#rules.dead_button) return { ...setup, button: inPlay(setup)[0] ?? button };
    const { small, big } = positions(this.#rules, hand.setup, hand.order);
    return { ...setup, button: small, small: big };
  }

  #act(seat, action) {
    const hand = this.#hand;
    if (hand.isRunVote) {
      hand.votes.set(seat, action.times);
      this.#askRuns();
      return;
    }
    if (hand.showdown && hand.awards.length) {
      this.#wonUnseen(seat, action);
      return;
    }
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
      hand.paid = hand.paid.map(() => 0);
      hand.dead = 0;
      this.#afterUncontested();
      return;
    }
    // With at most one player who could still bet, all live hands are turned up before any more cards come.
    if (hand.able.length < 2) turnUp(hand);
    if (hand.able.length < 2 && this.#rules.run_times > 1 && hand.board.length < BOARD_CARDS) this.#askRuns();
    else this.#nextStreet();
  }

  /** What comes after a hand that was won unseen: the rest of the board, if it is wanted; then the winner may show. */
  #afterUncontested() {
    const hand = this.#hand;
    const { rabbit, winner_shows } = this.#rules;
    const onBoard = hand.board.length;
    if (!hand.hole || !hand.awards.length || !(rabbit || winner_shows)) this.#end();
    else if (rabbit && onBoard < BOARD_CARDS) hand.awaits = rabbitDraw(onBoard, boardsOf(this.#rules));
    else this.#askWinner();
  }

  #nextStreet() {
    const { board, runs } = this.#hand;
    if (board.length === BOARD_CARDS && runs > 1) this.#nextRun();
    else if (board.length === BOARD_CARDS) this.#showDown();
    else this.#hand.awaits = streetDraw(board.length, boardsOf(this.#rules));
  }

  #showDown() {
    if (!goOn(this.#hand)) return;
    award(this.#hand, this.#rules.odd_chips);
    this.#end();
  }

  #end() {
    const hand = this.#hand;
    hand.turn = null;
    hand.showdown = false;
    if (this.#rules.seven_deuce && hand.hole) paySevenDeuce(hand);
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
  const who = { button: setup.button, seats: dealt, stacks: setup.stacks, bomb: forced.bomb || undefined };
  tell({ events }, "HOLDEM_HAND_STARTED", { ...started, ...who });
  const antes = post(forced.antes, new Map(order.map((seat) => [seat, "ANTE"])), stacks, events);
  const dead = post(forced.dead, new Map(order.map((seat) => [seat, "DEAD"])), stacks, events);
  const names = forced.bomb ? new Map(order.map((seat) => [seat, "BOMB"])) : blindNames(rules, setup, order, forced);
  const bets = post(forced.blinds, names, stacks, events);
  const nothing = stacks.map(() => 0);
  return {
    rules,
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
    dead: total(dead) + (forced.antesDead ? total(antes) : 0),
    bet: Math.max(...bets, forced.openingBet),
    raiseBy: Math.max(firstRaise(rules, forced), forced.straddle),
    answered: stacks.map(() => null),
    raises: rules.straddle && order.length > 2 ? 2 : 1,
    isCapped: dealt.length > 2,
    turn: null,
    offers: [],
    aggressor: null,
    hole: null,
    board: [],
    otherBoards: [],
    votes: new Map(),
    isRunVote: false,
    runs: 1,
    common: 0,
    rabbit: [],
    bared: new Set(),
    rake: 0,
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
    awaits: holeDraw(rules, dealt),
  };
}

/** What a hand is played for: the blinds of the level or, where the setup says its own, the two highest. */
function begun(rules, { hand, forced }, { blinds, antes }) {
  const level = levelNumber(rules, hand);
  if (!forced) {
    const { small_blind, big_blind, ante } = levelAt(rules, level);
    return { hand, level, smallBlind: small_blind, bigBlind: big_blind, ante };
  }
  const [smallBlind, bigBlind] = sorted(blinds).slice(-2);
  return { hand, level, smallBlind, bigBlind, ante: Math.max(...antes) };
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

/** One card to each seat, then a second one, and so on. */
function holeDraw(rules, seats) {
  const numbers = Array.from({ length: rules.hole_cards }, (_, number) => number);
  const places = numbers.flatMap((number) => seats.map((seat) => `hole:${seat}:${number}`));
  return { kind: "draw", places, pack: packOf(rules), gone: [] };
}

/** A burned card, then the street's cards of each board. */
function streetDraw(onBoard, boards) {
  const burned = onBoard ? onBoard - 2 : 0;
  const cards = onBoard ? [onBoard] : [0, 1, 2];
  const places = BOARD_NAMES.slice(0, boards).flatMap((name) => cards.map((card) => `${name}:${card}`));
  return { kind: "draw", places: [`burn:${burned}`, ...places], pack: null, gone: [] };
}

/** All that is to come after so many cards of each board, at the places it would have had. */
function rabbitDraw(onBoard, boards) {
  const places = [0, 3, 4].filter((cards) => cards >= onBoard).flatMap((cards) => streetDraw(cards, boards).places);
  return { kind: "draw", places, pack: null, gone: [] };
}

/** What comes after so many cards of a board after the first, where the boards have `common` cards in common. */
function runDraw(cards, board, common) {
  const streets = STREETS_LEFT[common];
  const burned = BURNED_CARDS + (board - 1) * streets + streets - STREETS_LEFT[cards];
  const numbers = cards ? [cards] : [0, 1, 2];
  const places = [`burn:${burned}`, ...numbers.map((card) => `${BOARD_NAMES[board]}:${card}`)];
  return { kind: "draw", places, pack: null, gone: [] };
}

/** How often the rest of the board can be dealt: as often as the rules let it be, if there are cards for it. */
function runsMax({ rules, dealt, board }) {
  const left = STREETS_LEFT[board.length];
  const gone = dealt.length * rules.hole_cards + board.length + BURNED_CARDS - left;
  return Math.min(rules.run_times, Math.floor((packOf(rules).length - gone) / (BOARD_CARDS - board.length + left)));
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

/** What every seat owes after the hand: nothing if it was dealt in, and more if a blind would have fallen on it. A bomb
 * pot has no blinds to post or to miss. */
function missedAfter(rules, { setup, stacks, order, forced }) {
  const missed = stacks.map((stack, seat) => (stack ? (setup.missed?.[seat] ?? 0) : 0));
  if (forced.bomb || setup.forced) return missed;
  for (const seat of order) missed[seat] = 0;
  for (const seat of setup.sittingOut) if (stacks[seat]) missed[seat] |= positionOf(rules, setup, order, seat);
  return missed;
}

const total = (chips) => chips.reduce((sum, each) => sum + each, 0);

function statisticsAfter(hand) {
  const before = hand.setup.statistics.length ? hand.setup.statistics : noStatistics(hand.stacks.length);
  const count = (isCounted) => (isCounted ? 1 : 0);
  return before.map((old, seat) => ({
    hands: old.hands + count(hand.dealt.includes(seat)),
    won: old.won + count(hand.won.has(seat)),
    vpip: old.vpip + count(hand.entered.has(seat)),
    pfr: old.pfr + count(hand.raised.has(seat)),
    showdowns: old.showdowns + count(hand.shown.size && hand.live.length > 1 && hand.live.includes(seat)),
  }));
}
