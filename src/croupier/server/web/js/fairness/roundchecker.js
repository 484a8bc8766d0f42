// The rounds of a room as a client checks them: what a deal starts from follows from the round before it. A twin of
// `croupier.table.round_checker`.

import { ReplayFault, readChange } from "../games/record.js";
import { currentName, writtenName } from "../games/registry.js";
import * as canonical from "./canonical.js";
import * as cut2 from "./cut2.js";
import { finding } from "./findings.js";
import { isObject, Malformed, same } from "./memory.js";
import { areShown, gameIn, RulelessRound } from "./ruleless.js";
import { amended, Mirror, MirrorError, plainRules, readRules, stacksOf, withoutGame } from "./mirror.js";

/** A hand that was void so often waits until everybody seated agrees. */
export const VOIDS_MAX = 2;

const CLOSING_FIELDS = [
  ...["deal", "seal", "cut", "missing", "cuts", "secrets"],
  ...["moves", "payouts", "changes", "paid"],
];

/** A deal of the present round that was fixed, and what became of it. */
export class FixedDeal {
  cut = null;
  /** Who did not cut it, if it is void. */
  missing = [];
  /** The seat for which this client cut it. */
  ownSeat = null;
  played = 0;
  order = [];
  /** All cards in the order of the deal, once the whole pack is opened. */
  cards = [];

  constructor({ context, roots }, hashed, seal) {
    Object.assign(this, { context, roots, hashed, seal });
  }
}

/** What is known of a room's rounds. Findings are collected; whoever feeds it takes them. Fields with a leading underscore
 * are shared with `DealChecker`, `CardChecker` and `Checker`, and with nobody else. */
export class RoundChecker {
  _found = [];
  _noted = [];
  /** Notes about deals that were missed: they are told with the next state. */
  _carried = [];
  _hand = -1;
  _seat = null;
  /** Whether the line was lost since the last state: what happened meanwhile was not seen. */
  _wasAway = false;
  /** Whether the deal before those that the state at hand tells of was seen, too. */
  _wasHere = false;
  /** Whether the state at hand tells of the whole round anew. */
  _cameBack = false;
  _deals = new Map();
  /** The deals of the present round that were cut, in order. */
  _shuffles = [];
  _mirror = null;
  _moves = [];
  /** How many moves the round had when each of its deals was cut, by deal, where that is known. */
  _cutAt = new Map();
  /** A hand, and its moves as any tab of this browser was told them before this one began. */
  _recalled = { hand: -1, moves: [] };
  /** What the newest deal of a round started from; null if it was not seen. */
  _lastSetup = null;
  /** What the next round starts from if nobody comes or goes; null if the last one was not seen to its end. */
  _base = null;
  /** Of the closing of the deal `_tailOf`, what was seen of it; `begun` are moves that it must begin with. */
  _tail = {};
  _tailOf = 0;
  /** The rules of the match to come, while its lobby is seen. */
  _lobbyRules = null;
  /** A match whose beginning was seen, as { hand, seats, total }. */
  _start = null;
  /** Whether another match may begin now. Not after a round that did not end this one. */
  #mayRestart = true;
  /** Whether people may come and go between the rounds of this match. */
  #isOpenTable = false;
  /** Whether the player was told that the rules of the game are not known here. */
  _toldWithoutRules = false;

  /** `me` is the player's id; `engineOf` finds what the page knows of a game: its replay and its faces; null for a
   * game that brings none, undefined for a game that there is not. */
  constructor(me, engineOf, memory = null) {
    Object.assign(this, { me, engineOf, memory });
  }

  _fault(code, facts = {}) {
    this._found.push(finding(code, facts));
  }

  _note(code, facts = {}) {
    this._noted.push(finding(code, facts));
  }

  #knownEngine(game) {
    const engine = this.engineOf(game);
    if (!engine) throw new Malformed("game");
    return engine;
  }

  /** Takes note of the lobby, and of who is there when a match begins. */
  _watchStart({ public: { phase, game, rules, members, hand, deal, options } }) {
    if (phase === "lobby") {
      const engine = this.engineOf(game);
      this._lobbyRules = engine ? rulesText(engine, game, rules) : null;
    } else if (this._lobbyRules !== null) {
      if (!this._wasAway) {
        const seats = new Set(members.flatMap(({ seat }) => (seat === null ? [] : [seat])));
        this._start = { hand, seats, total: options.seats };
        if (rulesText(this.#knownEngine(game), game, rules) !== this._lobbyRules) this._fault("RULES_CHANGED", { deal });
      }
      this._lobbyRules = null;
    }
  }

  /** Another round: the last one must have been played to its end, or called off before its cards. */
  _turnTo(hand) {
    const endedHere = this._mirror !== null && this._mirror.payouts !== null && hand === this._hand + 1;
    this.#finishRound(endedHere || !this._wasAway);
    if (this._wasAway) this._lastSetup = null;
    this._hand = hand;
    this._deals = new Map();
    Object.assign(this, { _shuffles: [], _mirror: null, _moves: [] });
  }

  /** Nothing is told any more of a round that was dealt: it has ended, while this client was there or was away. */
  _loseRound() {
    const isOver = this._mirror !== null && this._mirror.payouts !== null;
    // Once it has cards, a game that was called off when a later shuffle was void ended unseen.
    const isVoid = this.memory.missing.length > 0 && !this._shuffles.length;
    this.#finishRound(isOver || isVoid || !this._wasAway);
  }

  /** Takes note of what the next round starts from, if the end of this one was seen. */
  #finishRound(seen) {
    const mirror = this._mirror;
    const isOver = mirror !== null && mirror.payouts !== null;
    if (!seen) {
      if (this._shuffles.length && !isOver) this._note("END_NOT_SEEN", { hand: this._hand });
      Object.assign(this, { _base: null, _lastSetup: null });
      this.#mayRestart = true;
      if (this._shuffles.length) this.#keepTail({ begun: this._moves });
    } else if (isOver) {
      this._base = mirror.nextSetup;
      this.#mayRestart = mirror.mayRestart;
      this.#isOpenTable = mirror.isOpenTable;
      if (this._shuffles.length) {
        this.#keepTail({ moves: mirror.moves });
        this._tail.payouts = [...mirror.payouts];
      }
    } else if (this._shuffles.length)
      this._fault("HAND_BROKEN_OFF", { deal: this._shuffles.at(-1), hand: this._hand });
    else if (mirror !== null) this._base = mirror.setup;
    else if (this.#toldAgain().length) this._base = this.#afterVoid(this._deals.get(Math.max(...this.#toldAgain())).context);
    else if (this._moves.length) this._base = this.#afterUndealt();
  }

  /** Takes note of the moves since the newest deal, for its closing. */
  #keepTail(known) {
    this._tailOf = this._shuffles.at(-1);
    const since = this._cutAt.get(this._tailOf);
    const entries = since === undefined ? [] : Object.entries(known);
    this._tail = Object.fromEntries(entries.map(([name, moves]) => [name, moves.slice(since)]));
  }

  /** The deals of the present round, after a reload. */
  #toldAgain() {
    return [...this._deals.values()].flatMap(({ context }) => (context.hand === this._hand ? [context.deal] : []));
  }

  /** What follows from a round whose only deals were void; null when its game is not known here. */
  #afterVoid(context) {
    const start = readStart(context);
    const raw = canonical.read(context.rules);
    const engine = this.engineOf(raw.game);
    if (start === null || !engine) return null;
    const mirror = new Mirror(engine, withoutGame(raw), start.setup);
    mirror.advance(this._moves);
    return mirror.payouts === null ? mirror.setup : mirror.nextSetup;
  }

  /** What follows from a round that ended without a deal. Where people cannot come and go, those who were away may have
   * lost their blinds; elsewhere nothing has changed. */
  #afterUndealt() {
    const { memory } = this;
    if (this._base === null || !memory?.rules) return null;
    const raw = canonical.read(memory.rules);
    const engine = this.#knownEngine(raw.game);
    const rules = withoutGame(raw);
    if (engine.isOpenTable(readRules(engine, rules))) return this._base;
    try {
      const mirror = new Mirror(engine, rules, amended(engine, rules, this._base, []));
      mirror.advance(this._moves);
      return mirror.payouts === null ? this._base : mirror.nextSetup;
    } catch (error) {
      if (error instanceof MirrorError) return null;
      throw error;
    }
  }

  /** The closing that a deal carries, if it is the one that its context names; null for a room's first deal. */
  _closingOf({ context: { deal, before }, closing: text }) {
    const isFirst = deal === 1 && before === cut2.FIRST_BEFORE;
    if (deal === 1 || before === cut2.FIRST_BEFORE) {
      if (!isFirst || text) this._fault("BEFORE_MISMATCH", { deal });
      return null;
    }
    if (cut2.closingDigest(text) !== before) {
      this._fault("BEFORE_MISMATCH", { deal });
      return null;
    }
    const closing = readClosing(text);
    if (closing === null) this._fault("CLOSING_MALFORMED", { deal });
    return closing;
  }

  /** A complete deal stands: its hand is played to its end, and only a pack that is used up is shuffled again. */
  _checkPlace({ deal, hand, shuffle, cutters }, memory, closing) {
    const isAt = (otherHand, otherShuffle) => hand === otherHand && shuffle === otherShuffle;
    // Rounds that nobody bet on had no deal.
    const isLater = hand > memory.hand && shuffle === 0;
    let allowed;
    if (!memory.deal || closing === null) allowed = shuffle === 0;
    else if (closing.cut === null) allowed = isAt(memory.hand, memory.shuffle) || isLater;
    else if (closing.payouts !== null) allowed = isLater;
    else allowed = isAt(memory.hand, memory.shuffle + 1);
    if (!allowed || hand > this._hand) this._fault("HAND_BROKEN_OFF", { deal, hand: memory.hand });
    const isThird = hand === memory.hand && memory.handVoids >= VOIDS_MAX;
    // Spectators, and whoever is away, are not asked.
    if (isThird && memory.agreedHand !== memory.hand && cutters.some(({ seat }) => seat === this._seat))
      this._fault("VOID_TWICE", { deal, hand });
  }

  /** Whether a seat has as many chips at the start of this deal's round as can be bought. Without the rules of the game
   * nobody can tell. */
  _isFull(context, seat) {
    const { game, ...rules } = canonical.read(context.rules);
    const engine = this.engineOf(game);
    const start = readStart(context);
    if (!engine || start === null) return engine === null;
    try {
      engine.amend(rules, start.setup, { seat, kind: "bought", chips: 1 });
      return false;
    } catch (error) {
      if (error instanceof ReplayFault && error.code === "CHANGE_REFUSED") return true;
      throw error;
    }
  }

  /** Rules, setup, pack and T as the rules have them. */
  _checkContents(context, memory, closing, { public: { game, rules: shownRules } }) {
    const { deal, hand, shuffle } = context;
    const engine = this.engineOf(game);
    if (engine === undefined) {
      this._fault("PLACES_NOT_CHECKED", { game: game.slice(0, 32) });
      return;
    }
    if (engine === null) {
      this.#checkWithoutRules(context, memory, game, shownRules);
      return;
    }
    const rules = withoutGame(canonical.read(context.rules));
    readRules(engine, rules);
    const start = readStart(context);
    if (start === null) {
      this._fault("CONTEXT_MALFORMED", { field: "setup", value: context.setup.slice(0, 60) });
      return;
    }
    const sameMatch = memory.match === start.match;
    const isShown = context.rules === rulesText(engine, game, shownRules);
    if (!isShown || (sameMatch && memory.rules && context.rules !== memory.rules)) this._fault("RULES_CHANGED", { deal });
    const packs = engine.opensAll ? cut2.PACKS_OPENED : cut2.PACKS_HIDDEN;
    if (context.packs !== packs) this._fault("PACKS_MISMATCH", { deal, packs: context.packs, expected: packs });
    if (shuffle === 0) this.#checkSetup(engine, rules, context, closing, start);
    if (this._found.length || (shuffle && this._cameBack)) return;
    const mirror = shuffle ? this._mirror : openedMirror(engine, rules, start);
    if (mirror === null) return;
    const wanted = mirror.wants;
    if (wanted === null) this._fault("HAND_BROKEN_OFF", { deal, hand });
    else if (canonical.write(wanted) !== context.pack) this._fault("PACK_MISMATCH", { deal });
    if (hand === this._hand) this._mirror = mirror;
  }

  /** What a deal says of itself, where the page lacks the rules of the game: always the same game, by the rules shown. */
  #checkWithoutRules(context, memory, game, shownRules) {
    const { deal, hand, shuffle, packs } = context;
    const start = readStart(context);
    if (start === null) {
      this._fault("CONTEXT_MALFORMED", { field: "setup", value: context.setup.slice(0, 60) });
      return;
    }
    const before = gameIn(memory.rules);
    const isOther = (before !== null && before !== currentName(game)) || (memory.match === start.match && context.rules !== memory.rules);
    if (!areShown(context.rules, game, shownRules) || (memory.rules && isOther)) this._fault("RULES_CHANGED", { deal });
    if (![cut2.PACKS_OPENED, cut2.PACKS_HIDDEN].includes(packs))
      this._fault("PACKS_MISMATCH", { deal, packs, expected: cut2.PACKS_HIDDEN });
    if (memory.deal && start.match < memory.match) this._fault("SETUP_MISMATCH", { deal, field: "match" });
    this._noteWithoutRules(game);
    if (shuffle === 0 && hand === this._hand) this._mirror = new RulelessRound(context);
  }

  /** Tells once that the rules of the game are not known here. */
  _noteWithoutRules(game) {
    if (this._toldWithoutRules) return;
    this._toldWithoutRules = true;
    this._note("PLACES_NOT_CHECKED", { game: game.slice(0, 32) });
  }

  /** The setup follows from the round before, or is that of a new match; the moves are those that were told. */
  #checkSetup(engine, rules, context, closing, start) {
    const { deal, hand } = context;
    const expected = this.#expectedSetup(engine, rules, { deal, hand }, closing, start);
    this._lastSetup = start.setup;
    if (expected !== null && !same(start.setup, expected)) {
      const differs = (name) => !same(start.setup[name] ?? null, expected[name]);
      this._fault("SETUP_MISMATCH", { deal, field: Object.keys(expected).find(differs) ?? "" });
    } else if (expected === null && closing !== null) this.#checkStacks(engine, rules, context, this.memory, closing);
    // A hand that was called off has no moves any more.
    const told = hand === this._hand && (this._moves.length > 0 || !this._cameBack);
    if (told && !same(this._moves.slice(0, start.moves.length), start.moves))
      this._fault("SETUP_MISMATCH", { deal, field: "moves" });
  }

  /** A deal that this client missed: its rules and chips follow from the deal before it. */
  _checkBridged(context, memory, closing) {
    const { match } = readStart(context);
    const raw = canonical.read(context.rules);
    const engine = isObject(raw) && Object.hasOwn(raw, "game") ? this.engineOf(raw.game) : null;
    if (match < memory.match) this._fault("SETUP_MISMATCH", { deal: context.deal, field: "match" });
    else if (match === memory.match && memory.rules && context.rules !== memory.rules)
      this._fault("RULES_CHANGED", { deal: context.deal });
    else if (engine) this.#checkStacks(engine, withoutGame(raw), context, memory, closing);
  }

  /** Chips whose way was not seen follow from the closing: what the deal before it started from, its payouts, and what was
   * brought, bought or taken away since. */
  #checkStacks(engine, rules, context, memory, closing) {
    const read = readRules(engine, rules);
    const start = readStart(context);
    const lastSetup = memorySetup(memory);
    if (start === null || lastSetup === null || start.match !== memory.match) return;
    const carried = stacksAfter(stacksOf(engine, rules, lastSetup), closing);
    const stacks = stacksOf(engine, rules, start.setup);
    // Where people cannot come and go, a hand without a deal may have taken blinds from those who were away.
    const undealt = closing.cut === null || context.hand > memory.hand + 1;
    const totalsOnly = undealt && context.hand > memory.hand && !engine.isOpenTable(read);
    if (carried === null || !(totalsOnly ? total(carried) === total(stacks) : same(carried, stacks)))
      this._fault("SETUP_MISMATCH", { deal: context.deal, field: "stacks" });
  }

  /** What the deal must start from; null where that was not seen. */
  #expectedSetup(engine, rules, { deal, hand }, closing, start) {
    const { memory } = this;
    if (memory.deal && start.match === memory.match) {
      if (hand === memory.hand) return this._lastSetup ?? memorySetup(memory);
      const known = this._base !== null && closing !== null;
      return known ? amended(engine, rules, this._base, closing.changes) : null;
    }
    if (memory.deal && start.match < memory.match) {
      this._fault("SETUP_MISMATCH", { deal, field: "match" });
      return null;
    }
    // Blinds of those who are away can end a match without a deal; one that waits for agreement can be called off.
    const isUndealt = hand > memory.hand + 1 && !this.#isOpenTable;
    const isOver = this.#mayRestart || isUndealt || memory.handVoids >= VOIDS_MAX;
    // A match begins in the lobby, after the end of the one before. This client was there all the time.
    if (memory.deal && this._wasHere && !(this._start?.hand > memory.hand && isOver))
      this._fault("SETUP_MISMATCH", { deal, field: "match" });
    return this._start?.hand === hand ? freshSetup(engine, rules, this._start) : null;
  }
}

/** The rules in the form that a context carries: game, edition and all options. */
function rulesText(engine, game, raw) {
  const rules = plainRules(engine, raw);
  return canonical.write({ game: writtenName(game, rules.edition), ...rules });
}

/** What a match starts from: the customary setup, without the seats that nobody has taken. */
function freshSetup(engine, rules, { seats, total }) {
  if (!engine.isOpenTable(readRules(engine, rules))) return engine.firstSetup(rules, seats.size);
  const free = Array.from({ length: total }, (_, seat) => seat).filter((seat) => !seats.has(seat));
  const changes = free.map((seat) => ({ seat, kind: "left", chips: 0 }));
  return amended(engine, rules, engine.firstSetup(rules, total), changes);
}

/** The mirror of a round that begins so, and waits for its first deal. */
export function openedMirror(engine, rules, { setup, moves }) {
  const mirror = new Mirror(engine, rules, setup);
  mirror.advance(moves);
  return mirror;
}

const hasExactly = (value, names) =>
  isObject(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** What the newest deal that is remembered started from; null if that is not known. */
const memorySetup = ({ setup }) => (setup ? canonical.read(setup).setup : null);

const total = (chips) => chips.reduce((sum, each) => sum + each, 0);

/** Each seat's chips after a deal and all that its closing tells; null if that cannot be. */
function stacksAfter(stacks, { payouts, changes }) {
  if (!stacks.length) return [];
  if (payouts !== null) {
    const good = Array.isArray(payouts) && payouts.length === stacks.length && payouts.every(Number.isSafeInteger);
    if (!good) return null;
  }
  const after = stacks.map((chips, seat) => chips + (payouts === null ? 0 : payouts[seat]));
  for (const raw of changes) {
    const { seat, kind, chips = 0 } = raw;
    if (!(seat >= 0 && seat < after.length)) return null;
    if (kind === "taken" || kind === "bought") after[seat] += chips;
    else if (kind === "left") after[seat] = 0;
  }
  return after;
}

/** What a deal starts from, as its context has it; null when it is not in that form. */
export function readStart({ setup: text }) {
  const start = canonical.read(text);
  const isMove = (move) => hasExactly(move, ["seat", "action"]);
  const good =
    hasExactly(start, ["match", "setup", "moves"]) &&
    Number.isSafeInteger(start.match) &&
    isObject(start.setup) &&
    Array.isArray(start.moves) &&
    start.moves.every(isMove);
  return good ? start : null;
}

function readClosing(text) {
  try {
    const closing = canonical.read(text);
    if (!hasExactly(closing, CLOSING_FIELDS) || !Array.isArray(closing.paid) || !Array.isArray(closing.changes)) return null;
    closing.changes.forEach(readChange);
    return closing;
  } catch (error) {
    if (error instanceof canonical.CanonicalError || error instanceof ReplayFault) return null;
    throw error;
  }
}
