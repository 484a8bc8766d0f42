// A round as one viewer can play it along: the same rules, the public moves, and only the cards that were proved.
// Whatever the room shows this viewer must be what the mirror shows. A twin of `croupier.table.mirror`.

import { ReplayFault } from "../games/record.js";
import { Malformed, isObject, same, sortedJson } from "./memory.js";

export const ABSENT = "absent";

/** The room shows what the rules do not allow; `code` and `facts` are those of a finding. */
export class MirrorError extends Error {
  constructor(code, facts = {}) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
}

/** Does some work of a replay engine; its faults are told by the codes of the checks. */
function translated(work, tell) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ReplayFault)) throw error;
    throw tell(error);
  }
}

const malformed = (code) => (error) => new MirrorError(code, { fault: `${error.code}: ${JSON.stringify(error.facts)}` });

/** The rules out of a context, as the engine reads them. */
export function readRules(engine, raw) {
  return translated(() => engine.readRules(withoutGame(raw)), malformed("RULES_MALFORMED"));
}

/** The options alone, of rules out of a context. */
export function withoutGame(raw) {
  if (!isObject(raw)) return raw;
  const { game: _, ...plain } = raw;
  return plain;
}

/** The rules in the form that a context carries: game, edition and all options. */
export function plainRules(engine, raw) {
  return translated(() => engine.plainRules(withoutGame(raw)), malformed("RULES_MALFORMED"));
}

/** A setup after some changes. The shoe is new for every round. */
export function amended(engine, rules, setup, changes) {
  let after = reshuffled(engine, rules, setup);
  for (const raw of changes) {
    const change = { chips: 0, ...raw };
    if (!isSound(engine, rules, after, change))
      throw new MirrorError("CHANGE_REFUSED", { seat: change.seat, kind: change.kind, code: String(change.chips) });
    after = translated(
      () => engine.amend(rules, after, change),
      ({ code, facts }) =>
        code === "CHANGE_MALFORMED"
          ? new Malformed("changes")
          : new MirrorError("CHANGE_REFUSED", { seat: change.seat, kind: change.kind, code: facts.code }),
    );
  }
  return after;
}

function reshuffled(engine, rules, setup) {
  try {
    return engine.amend(rules, setup, { seat: 0, kind: "reshuffled", chips: 0 });
  } catch (error) {
    if (error instanceof ReplayFault && error.code === "CHANGE_REFUSED") return setup;
    throw error;
  }
}

/** Whether a room makes such a change: a newcomer brings what everybody had at the start, and nobody buys less than
 * nothing. */
export function isSound(engine, rules, setup, { seat, kind, chips }) {
  if (kind === "bought") return chips > 0;
  if (kind === "reshuffled") return false;
  if (kind === "bomb" && seat !== 0) return false;
  if (kind !== "taken") return chips === 0;
  const seats = engine.stacks(setup, rules).length;
  const brings = seat >= 0 && seat < seats ? engine.stacks(engine.firstSetup(rules, seats), rules)[seat] : 0;
  return chips === brings;
}

/** Each seat's chips in a setup; none in a game without chips. Throws MirrorError when it is no setup. */
export const stacksOf = (engine, rules, setup) =>
  translated(() => [...engine.stacks(setup, rules)], malformed("SETUP_MALFORMED"));

/** One round. `proved` has for each of its shuffles the cards that are known, a Map by k. */
export class Mirror {
  proved = [];
  /** For each shuffle, the places asked for so far: the k-th card is for the k-th of them. */
  places = [];
  /** The packs that were shuffled. */
  packs = [];
  moves = [];
  /** All cards dealt so far, null for those that are not known. */
  dealt = [];
  #unseen = new Set();
  #replay = null;

  constructor(engine, rules, setup) {
    Object.assign(this, { engine, rules, setup });
    this.read = readRules(engine, rules);
    this.#begin();
  }

  #begin() {
    this.#replay = translated(
      () => this.engine.begin(this.rules, this.setup),
      ({ code, facts }) =>
        code === "SETUP_REFUSED"
          ? new MirrorError("SETUP_REFUSED", { code: facts.code })
          : new MirrorError("SETUP_MALFORMED", { fault: JSON.stringify(facts) }),
    );
    this.places = [];
    this.packs = [];
    this.dealt = [];
    this.#unseen.clear();
  }

  /** What the rules wait for: { kind: "draw", places, pack, gone }, { kind: "turn", seats } or { kind: "over", payouts }. */
  get awaits() {
    return this.#replay.awaits;
  }

  /** The pack that must be shuffled before the round goes on; null when none is, or its deal is there. */
  get wants() {
    const awaits = this.awaits;
    const wanted = awaits.kind === "draw" && awaits.pack !== null;
    return wanted && this.places.length === this.proved.length ? awaits.pack : null;
  }

  get seats() {
    return this.engine.seatCount(this.#replay.state);
  }

  /** Once the round is over: whether the match is, too, so that only a new one can follow. */
  get ended() {
    return this.engine.ended(this.read, this.#replay.state);
  }

  /** Whether people may come and go between two rounds. */
  get isOpenTable() {
    return this.engine.isOpenTable(this.read);
  }

  /** Once the round is over: whether another match may begin. A game that waits for everybody can be called off. */
  get mayRestart() {
    return this.ended || new Mirror(this.engine, this.rules, this.setup).needsEverybody;
  }

  get dealtIn() {
    return this.engine.dealtIn(this.#replay.state);
  }

  get payouts() {
    const awaits = this.awaits;
    return awaits.kind === "over" ? awaits.payouts : null;
  }

  /** Whether a card was dealt here before it was known, so that the round must be played again with it. Where hidden
   * hands are played from, a card is known by being played, and nothing need be played again. */
  wasUnseen(shuffle, k) {
    return this.tellsAll && this.#unseen.has(`${shuffle}.${k}`);
  }

  /** Plays the round again from its beginning, with all that is known now. */
  replay() {
    const { moves } = this;
    this.moves = [];
    this.#begin();
    this.advance(moves);
  }

  /** Makes moves as the room tells them; throws MirrorError for one that the rules refuse, and for a card that they need
   * and nobody proved. */
  advance(moves) {
    for (const move of moves) this.#make(move);
    this.deal();
  }

  #make(move) {
    if (move.action !== ABSENT) this.deal();
    this.#move(move);
    this.moves.push(move);
  }

  /** Deals as long as the rules ask for cards of a shuffle that is there. */
  deal() {
    while (this.awaits.kind === "draw") {
      const { pack, places } = this.awaits;
      if (pack !== null) {
        if (this.places.length >= this.proved.length) return;
        this.places.push([]);
        this.packs.push(pack);
      }
      this.#deal(places);
    }
  }

  #deal(wanted) {
    const shuffle = this.places.length - 1;
    const places = this.places[shuffle];
    const drawn = wanted.map((place) => {
      const k = places.length;
      const card = this.proved[shuffle].get(k) ?? null;
      if (card === null) this.#unseen.add(`${shuffle}.${k}`);
      else if (!this.packs[shuffle].includes(card)) throw new MirrorError("CARD_NOT_IN_PACK", { k, card });
      places.push(place);
      return card;
    });
    translated(
      () => this.#replay.deal(drawn),
      ({ code, facts }) =>
        code === "CARD_HIDDEN"
          ? new MirrorError("CARD_WITHOUT_PROOF", { place: wanted[drawn.lastIndexOf(null)] ?? facts.place })
          : new MirrorError("STATE_MALFORMED", { fault: code }),
    );
    this.dealt.push(...drawn);
  }

  #move({ seat, action }) {
    if (seat === undefined || action === undefined) throw new Malformed("moves");
    if (!Number.isSafeInteger(seat) || seat < 0 || seat >= this.seats)
      throw new MirrorError("MOVE_REFUSED", { seat: String(seat).slice(0, 20), code: "NO_SUCH_SEAT" });
    const refused = ({ code, facts }) => {
      if (code === "ACTION_MALFORMED") return new MirrorError("MOVE_MALFORMED", { seat, fault: facts.fault ?? "" });
      if (code === "CARD_HIDDEN") return new MirrorError("CARD_WITHOUT_PROOF", { place: facts.place });
      return new MirrorError("MOVE_REFUSED", { seat, code: facts.code ?? code });
    };
    // Nobody goes while cards are awaited, and nobody need go when all is over.
    if (action === null && this.awaits.kind !== "turn") throw new MirrorError("MOVE_REFUSED", { seat, code: "ROUND_OVER" });
    translated(() => {
      if (action === null) this.#replay.leave(seat);
      else if (action === ABSENT) this.#replay.absent(seat);
      else this.#replay.act(seat, action);
    }, refused);
  }

  /** Which of a seat's moves, from 0, are what the rules do for somebody who does not act in time. */
  byItself(seat) {
    const again = new Mirror(this.engine, this.rules, this.setup);
    again.proved = this.proved;
    const found = new Set();
    let number = 0;
    for (const move of this.moves) {
      if (move.seat === seat) {
        if (isObject(move.action)) {
          again.deal();
          if (same(again.#madeFor(seat), move.action)) found.add(number);
        }
        number += 1;
      }
      again.#make(move);
    }
    return found;
  }

  /** What the rules do now for a seat that does not act in time; null when it has nothing to do. */
  #madeFor(seat) {
    return this.engine.madeFor(this.#replay.state, seat);
  }

  /** The seat that a card of the shuffle went to; null for one that went to none. */
  seatOf(shuffle, k) {
    const [kind, seat] = this.places[shuffle][k].split(":");
    return ["hole", "hand", "draw", "card"].includes(kind) ? Number(seat) : null;
  }

  /** It is the turn of these seats: those before them whose cards are not known have passed. Where more than one turn may
   * be meant, it is the one that the viewer is shown. */
  passTo(turn, viewer, shown) {
    if (this.tellsAll || turn.length !== 1) return;
    this.#replay.passTo(turn[0], () => same(this.unstamped(this.view(viewer)), this.unstamped(shown)));
  }

  /** What the viewer sees, as plain values that can be compared with what the room sent. */
  view(viewer) {
    return this.engine.view(this.read, this.#replay.state, viewer);
  }

  /** What the seat may do now, as plain values. */
  menu(seat) {
    return this.engine.menu(this.#replay.state, seat);
  }

  /** How often each event that this viewer heard has happened so far, a Map by the event in JSON. */
  heard(viewer) {
    const counts = new Map();
    for (const { to, event } of this.#replay.state.events) {
      const name = sortedJson(this.unstampedEvent(event));
      if (to === null || to === viewer) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  /** A view without what the table fills in, who knows persons and times. */
  unstamped(view) {
    return (this.engine.stamped ?? []).reduce(without, view);
  }

  /** An event without it. */
  unstampedEvent(event) {
    return (this.engine.stampedInEvents ?? []).reduce(without, event);
  }

  /** Whether everything that happens can be told from what a viewer knows: not where unseen seats pass. */
  get tellsAll() {
    return !this.engine.hidesHands;
  }

  /** Whether the game has no deal without one of its seats. */
  get needsEverybody() {
    return !this.isOpenTable && !this.dealtIn.some((seat) => this.#replay.canBeAbsent(seat));
  }

  /** Once the round is over: what the next one starts from if nobody comes or goes. */
  get nextSetup() {
    return this.#replay.following();
  }

  /** The setup of the next round, after these comings, goings and purchases. */
  following(changes) {
    return amended(this.engine, this.rules, this.nextSetup, changes);
  }
}

/** A view without one of its fields, which may lie deeper. */
function without(view, [name, ...deeper]) {
  if (!isObject(view) || !Object.hasOwn(view, name)) return view;
  const { [name]: inner, ...others } = view;
  return deeper.length ? { ...others, [name]: without(inner, deeper) } : others;
}
