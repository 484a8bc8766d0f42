// Replays a game of Sequence from its record: whether every move is legal, which cards go where, who wins, and what the
// next game starts from. A twin of `croupier.games.sequence.rules`.
//
// A seat of which this viewer does not know all cards cannot be judged to pass: it is taken to have passed when a later
// seat acts, unless a known card of it could be played. What such a seat plays it is taken to have held.

import {
  ReplayFault,
  absentRefused,
  changeRefused,
  checkCards,
  isText,
  isWhole,
  readAction,
  readChange,
  refused,
  tell,
} from "/js/games/record.js";
import { PACK } from "./rules/pack.js";
import { FACES } from "./layout.js";
import { newLines } from "./rules/board.js";
import { isAllowed, isPlayable, menu } from "./rules/menu.js";
import {
  HAND_SIZES,
  TEAM_IDS,
  checkSetup,
  firstSetup as first,
  readRules,
  readSetup,
  scoresOf,
  sequencesNeeded,
} from "./rules/options.js";

export { ReplayFault, menu };

const ACTIONS = {
  TURN_PLAY_NORMAL: { cardId: [isText], targetCellId: [isWhole] },
  TURN_PLAY_JACK_WILD: { cardId: [isText], targetCellId: [isWhole] },
  TURN_PLAY_JACK_REMOVE: { cardId: [isText], removeCellId: [isWhole] },
  TURN_EXCHANGE_DEAD_CARD: { cardId: [isText] },
};

/** Begins a game from the rules and the setup of a record; throws ReplayFault when they are refused. */
export function begin(rawRules, rawSetup) {
  const rules = readRules(rawRules);
  const setup = readSetup(rawSetup);
  checkSetup(rules, setup);
  return new Replay(rules, setup);
}

/** Nothing changes between two games: nobody comes or goes. */
export function amend(rules, rawSetup, change) {
  const { seat, kind } = readChange(change);
  if (kind !== "reshuffled") throw changeRefused(seat, "NOT_BETWEEN_ROUNDS");
  return readSetup(rawSetup);
}

/** What a first game with so many seats customarily starts from. */
export function firstSetup(rules, seats) {
  return first(readRules(rules), seats);
}

/** A seat's action as it was sent, with its defaults; throws ReplayFault when it is none. */
export const readMove = (seat, action) => readAction(seat, action, ACTIONS);

/** There are no chips to win. */
export const stacks = () => [];

class Replay {
  #game;

  constructor(rules, setup) {
    const { seats, first_seat } = setup;
    const clockwise = Array.from({ length: seats }, (_, step) => (first_seat + step) % seats);
    const places = Array.from({ length: HAND_SIZES[seats] }, (_, number) =>
      clockwise.map((seat) => `hand:${seat}:${number}`),
    ).flat();
    this.#game = {
      rules,
      setup,
      /** The team of the chip on each cell. */
      chips: FACES.map(() => null),
      /** The sequences that count, as { team, cells, turnNumber }. */
      completed: [],
      /** Each seat's cards, null for those not known. */
      hands: Array.from({ length: seats }, () => []),
      dealt: false,
      /** What happened so far, as { to, event }. */
      events: [],
      /** How often each hand has changed, from 1. */
      versions: Array(seats).fill(1),
      drawn: Array(seats).fill(0),
      discards: [],
      discardTops: Array(seats).fill(null),
      /** The newest action as the view tells it. */
      last: null,
      winner: null,
      packLeft: PACK.length,
      turn: { seat: first_seat, number: 1, cleared: null, exchanged: false, idle: 0 },
      /** The turns that may be the next one; more than one only where cards are not known. */
      turns: [],
      awaits: { kind: "draw", places, pack: PACK, gone: [] },
    };
  }

  get awaits() {
    return this.#game.awaits;
  }

  /** The game as it stands, to look at: `faces.js` makes views of it. */
  get state() {
    return this.#game;
  }

  /** It is the turn of this seat: those before it whose cards are not known have passed. Where more than one turn may be
   * meant, it is the one for which the game `isAsShown`. */
  passTo(seat, isAsShown) {
    const game = this.#game;
    const before = game.turn;
    const turns = game.awaits.kind === "turn" ? game.turns.filter((turn) => turn.seat === seat) : [];
    const fits = (turn) => {
      game.turn = turn;
      return isAsShown();
    };
    game.turn = turns.find(fits) ?? turns[0] ?? before;
    if (turns.length) wait(game, game.turns.slice(game.turns.indexOf(game.turn)));
  }

  /** Takes the cards for the places awaited; null is one that this viewer never saw. */
  deal(cards) {
    const game = this.#game;
    const { awaits, turn } = game;
    checkCards(awaits, cards, PACK, () => true);
    awaits.places.forEach((place, index) => game.hands[Number(place.split(":")[1])].push(cards[index]));
    if (game.dealt) {
      if (awaits.pack) {
        tell(game, "EVT_RESHUFFLE", { cardCount: game.discards.length });
        [game.packLeft, game.discards] = [game.discards.length, []];
        game.discardTops.fill(null);
      }
      game.drawn[turn.seat] += 1;
      const [cardId] = cards;
      if (cardId !== null)
        tell(game, "EVT_DRAW", { seat: turn.seat, cardId, handVersion: game.versions[turn.seat] }, turn.seat);
      // An exchange comes before the play of the same turn.
      if (!turn.exchanged) {
        turn.seat = (turn.seat + 1) % game.setup.seats;
        turn.number += 1;
      }
    } else {
      game.dealt = true;
      const { seats, first_seat: firstSeat } = game.setup;
      tell(game, "EVT_DEAL", { firstSeat, handSize: HAND_SIZES[seats], packLeft: PACK.length - cards.length });
      game.hands.forEach((hand, seat) =>
        tell(game, "EVT_HAND", { seat, cards: hand.filter((card) => card !== null) }, seat),
      );
    }
    game.packLeft -= cards.length;
    giveTurn(game);
  }

  /** Does what a seat did, an action as on the wire; throws ReplayFault when the rules refuse it. */
  act(seat, raw) {
    const game = this.#game;
    const action = readMove(seat, raw);
    if (game.awaits.kind !== "turn") throw refused(seat, game.awaits.kind === "over" ? "ROUND_OVER" : "NOT_YOUR_TURN");
    const turns = game.turns.filter((turn) => turn.seat === seat);
    if (!turns.length) throw refused(seat, "NOT_YOUR_TURN");
    if (!mayHold(game.hands[seat], action.cardId)) throw refused(seat, "CARD_NOT_IN_HAND");
    const turn = turns.find((possible) => isAllowed(game, possible, action));
    if (!turn) throw refused(seat);
    game.turn = { ...turn, idle: 0 };
    const { number: turnNumber } = turn;
    if (action.type === "TURN_EXCHANGE_DEAD_CARD") tell(game, "EVT_EXCHANGE", { turnNumber, seat, cardId: action.cardId });
    else tell(game, "EVT_TURN", { turnNumber, seat, action });
    play(game, action);
  }

  /** The seat waits for its player: nobody leaves a game of Sequence. */
  leave(seat) {
    throw refused(seat, "SEAT_WAITS");
  }

  canBeAbsent() {
    return false;
  }

  /** There is no game without everybody. */
  absent(seat) {
    throw absentRefused(seat);
  }

  /** What the next game starts from, after this one is over. */
  following() {
    const { awaits, setup } = this.#game;
    if (awaits.kind !== "over") throw new ReplayFault("ROUND_UNFINISHED");
    return { ...setup, first_seat: (setup.first_seat + 1) % setup.seats };
  }
}

/** Whether a card can be in a hand: it is there, or cards of the hand are not known. */
const mayHold = (hand, card) => PACK.includes(card) && (hand.includes(card) || hand.includes(null));

/** Does what the seat in turn may do; then it gets a card, unless that was the winning play. */
function play(game, { type, cardId, targetCellId, removeCellId }) {
  const { turn, hands, chips, rules, setup } = game;
  const hand = hands[turn.seat];
  hand.splice(hand.indexOf(hand.includes(cardId) ? cardId : null), 1);
  game.versions[turn.seat] += 1;
  game.discards.push(cardId);
  game.discardTops[turn.seat] = cardId;
  const cellId = targetCellId ?? removeCellId ?? null;
  game.last = { seat: turn.seat, type, turnNumber: turn.number, cardId, cellId };
  turn.exchanged = type === "TURN_EXCHANGE_DEAD_CARD";
  if (!turn.exchanged) turn.cleared = null;
  if (type === "TURN_PLAY_JACK_REMOVE") {
    chips[removeCellId] = null;
    if (rules.bar_cleared_cell) turn.cleared = removeCellId;
  } else if (!turn.exchanged) {
    const team = turn.seat % setup.teams;
    chips[targetCellId] = team;
    if (countSequences(game, team, targetCellId) >= sequencesNeeded(rules, setup.teams)) {
      end(game, team);
      return;
    }
  }
  const pack = game.packLeft ? null : inPackOrder(game.discards);
  game.awaits = { kind: "draw", places: [`draw:${turn.seat}:${game.drawn[turn.seat]}`], pack, gone: [] };
}

const inPackOrder = (cards) => [...cards].sort((one, other) => PACK.indexOf(one) - PACK.indexOf(other));

/** Counts the sequences that a new chip of the team completes; gives how many the team has. */
function countSequences(game, team, cell) {
  const { completed, chips, rules, turn } = game;
  const isOwn = (other) => chips[other] === team || (rules.free_corners && FACES[other] === null);
  const own = () => completed.filter((sequence) => sequence.team === team).map(({ cells }) => cells);
  const { number: turnNumber } = turn;
  for (const cells of newLines(isOwn, cell, own())) {
    completed.push({ team, cells, turnNumber });
    tell(game, "EVT_SEQUENCE", { turnNumber, teamId: TEAM_IDS[team], cells });
  }
  return own().length;
}

/** Finds whose turn it may be. Seats that have nothing to do are passed over; when that is all of them, nobody wins. */
function giveTurn(game) {
  const { hands } = game;
  const turns = [];
  for (let { turn } = game; turn; turn = afterPass(game, turn)) {
    const hand = hands[turn.seat];
    const mustPlay = hand.some((card) => card !== null && isPlayable(game, turn, card));
    if (mustPlay || hand.includes(null)) turns.push(turn);
    else if (!turns.length) tell(game, "EVT_PASS", { turnNumber: turn.number, seat: turn.seat });
    game.turn = turn;
    if (mustPlay) break;
  }
  if (turns.length) wait(game, turns);
  else end(game, null);
}

/** Waits for one of these turns: the first, as long as nobody is seen to act on a later one. */
function wait(game, turns) {
  game.turns = turns;
  [game.turn] = turns;
  game.awaits = { kind: "turn", seats: [...new Set(turns.map(({ seat }) => seat))] };
}

/** The turn after one on which the seat had nothing to do; null when that ends the game.
 *
 * A pass that the bar on the cleared cell may have caused does not count towards the end, nor does one after an
 * exchange: asked again, that seat may have something to do. */
function afterPass({ setup }, { seat, number, cleared, exchanged, idle }) {
  const passes = cleared !== null || exchanged ? 0 : idle + 1;
  return passes === setup.seats
    ? null
    : { seat: (seat + 1) % setup.seats, number: number + 1, cleared: null, exchanged: false, idle: passes };
}

/** Points that sum to zero: a loser pays one, a winner gets one from each other team, a draw changes nothing. */
function end(game, winner) {
  game.winner = winner;
  const { seats, teams } = game.setup;
  const scoreByTeam = scoresOf(game);
  tell(game, "EVT_GAME_OVER", { turnNumber: game.turn.number, winner: TEAM_IDS[winner] ?? null, scoreByTeam });
  const points = (seat) => (winner === null ? 0 : seat % teams === winner ? teams - 1 : -1);
  game.awaits = { kind: "over", payouts: Array.from({ length: seats }, (_, seat) => points(seat)) };
}
