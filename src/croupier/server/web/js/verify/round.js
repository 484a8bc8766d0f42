// A round of a record in replay: the mirror that the page plays along with at a table, fed with what the record says.

import { ReplayFault } from "../games/record.js";
import { finding, fact } from "../fairness/findings.js";
import { ABSENT, Mirror, MirrorError } from "../fairness/mirror.js";

/** A round, or a deal, of which nothing more can be said; `finding` says why. */
export class CheckError extends Error {
  constructor(code, facts = {}) {
    super(code);
    this.finding = finding(code, facts);
  }
}

/** The record does not tell a card that the rules need. */
export class UnseenCard extends Error {}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as the engine reads it; throws CheckError with this code when it is none. */
function read(reader, value, code) {
  try {
    if (!isObject(value)) throw new ReplayFault(code, { fault: "$" });
    return reader(value);
  } catch (error) {
    if (!(error instanceof ReplayFault)) throw error;
    throw new CheckError(code, { fault: `${error.code}: ${JSON.stringify(error.facts)}`.slice(0, 200) });
  }
}

export const readRules = (engine, raw) => read(engine.plainRules, raw, "RULES_MALFORMED");
export const readSetup = (engine, raw) => read(engine.readSetup, raw, "SETUP_MALFORMED");

/** Whether people may come and go between two rounds by these rules. */
export const isOpenTable = (engine, rules) => engine.isOpenTable(engine.readRules(rules));

export class Round {
  /** The moves so far, as plain values with their defaults. */
  moves = [];
  #mirror;

  /** `rules` and `setup` are as `readRules` and `readSetup` give them. */
  constructor(engine, rules, setup) {
    Object.assign(this, { engine, rules, setup });
    try {
      this.#mirror = new Mirror(engine, rules, setup);
    } catch (error) {
      if (!(error instanceof MirrorError)) throw error;
      throw new CheckError("SETUP_REFUSED", { code: error.facts.code ?? error.code });
    }
  }

  /** What the rules wait for, while it is a pack that must be shuffled; else null. */
  get wants() {
    return this.#mirror.wants === null ? null : this.#mirror.awaits;
  }

  get over() {
    return this.#mirror.awaits.kind === "over";
  }

  /** Each seat's net result, once the round is over. */
  get payouts() {
    return this.#mirror.payouts;
  }

  get dealt() {
    return this.#mirror.dealt;
  }

  get seats() {
    return this.#mirror.seats;
  }

  get dealtIn() {
    return this.#mirror.dealtIn;
  }

  get ended() {
    return this.#mirror.ended;
  }

  /** What a seat sees of it. */
  view(viewer) {
    return this.#mirror.view(viewer);
  }

  /** Once the round is over: what the next one starts from, with a new shoe. */
  get following() {
    return this.#mirror.following([]);
  }

  /** Makes a move in plain values, the `number`-th; throws CheckError for one that the rules refuse. */
  redo(raw, number) {
    const { seat } = isObject(raw) ? raw : {};
    if (!Number.isInteger(seat) || Object.keys(raw).sort().join() !== "action,seat")
      throw new CheckError("ACTION_MALFORMED", { move: number, fault: "$" });
    const action = this.#plainAction(seat, raw.action, number);
    const refused = (code) => new CheckError("ACTION_REFUSED", { move: number, seat: fact(seat), code });
    const { wants } = this;
    const isAbsent = action === ABSENT;
    if (isAbsent ? wants === null || wants.gone.length : wants !== null) throw refused("NOT_BETWEEN_ROUNDS");
    try {
      this.#mirror.advance([{ seat, action }]);
    } catch (error) {
      if (!(error instanceof MirrorError)) throw error;
      if (error.code === "CARD_WITHOUT_PROOF") throw new UnseenCard();
      throw refused(error.facts.code ?? error.code);
    }
    this.moves.push({ seat, action });
  }

  #plainAction(seat, action, number) {
    if (action === null || action === ABSENT) return action;
    try {
      return this.engine.readMove(seat, action);
    } catch (error) {
      if (!(error instanceof ReplayFault)) throw error;
      throw new CheckError("ACTION_MALFORMED", { move: number, fault: fact(error.facts.fault ?? "$") });
    }
  }

  /** Goes on with the pack that was wanted: its cards in the order dealt, null for those that are not known. */
  supply(cards) {
    const left = cards.slice(this.wants.gone.length).entries();
    this.#mirror.proved.push(new Map([...left].filter(([, card]) => card !== null)));
    try {
      this.#mirror.deal();
    } catch (error) {
      if (error instanceof MirrorError && error.code === "CARD_WITHOUT_PROOF") throw new UnseenCard();
      throw error;
    }
  }

  /** Whether the game has no deal without one of its seats. */
  get needsEverybody() {
    if (isOpenTable(this.engine, this.rules)) return false;
    return this.engine.hidesHands || this.dealtIn.every((seat) => !this.#mayExclude(seat));
  }

  /** Whether the round that waits for its first pack can be dealt without this seat. */
  #mayExclude(seat) {
    if (this.dealt.length) return false;
    const copy = new Round(this.engine, this.rules, this.setup);
    this.moves.forEach((move, number) => copy.redo(move, number));
    try {
      copy.redo({ seat, action: ABSENT }, 0);
      return true;
    } catch (error) {
      if (error instanceof CheckError) return false;
      throw error;
    }
  }
}
