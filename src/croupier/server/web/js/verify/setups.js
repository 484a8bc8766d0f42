// What a round starts from: what the one before it left, changed by the comings, goings and purchases since.

import { same } from "../fairness/memory.js";
import { isSound } from "../fairness/mirror.js";
import { ReplayFault, isSeat } from "../games/record.js";
import { sameRules } from "./deals.js";
import { isOpenTable } from "./round.js";

/** What some work of a replay engine gives; null when the rules refuse it. */
function orRefused(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof ReplayFault) return null;
    throw error;
  }
}

const amended = ({ engine, rules }, setup, change) => orRefused(() => engine.amend(rules, setup, change));

/** The way from the setup that a deal left to the next: changes in order, rounds without a deal, new matches. `by` is
 * always { game, engine, rules }. */
export class Path {
  #left;
  #ended = false;
  /** Whether a match that waits for a deal may have been called off. */
  #mayRestart;
  #by;
  /** Null where it is not known. */
  #setup;

  constructor(match, by, setup, changes = [], mayRestart = false) {
    this.#left = [...changes];
    this.match = match;
    this.#mayRestart = mayRestart;
    this.#by = by;
    this.#setup = setup;
  }

  /** From a deal, which stands in this record. */
  static after({ start, isVoid }, check, changes, mayRestart) {
    const path = new Path(start.match, start, start.setup, changes, mayRestart);
    if (!isVoid) path.play(check);
    return path;
  }

  /** A round was played to its end. */
  play(check) {
    const { round } = check;
    if (!round?.over) {
      this.#setup = null;
      return;
    }
    this.#by = check.by;
    this.#ended = round.ended;
    this.#setup = round.following;
  }

  /** Whether this setup is the next after some of the changes; with `match`, after all of them. */
  reach(by, setup, match = null) {
    const restarted = this.#ended || (this.#mayRestart && match === this.match + 1);
    if (restarted) this.match += 1;
    const begun = restarted ? freshSetup(by, setup, this.#left) : this.#setup;
    const reached =
      (restarted || sameRules(by, this.#by)) && (begun === null || this.#goes(by, begun, setup, match !== null));
    this.#by = by;
    this.#setup = setup;
    this.#ended = this.#mayRestart = false;
    return reached;
  }

  /** Whether the changes that no deal followed can have happened, as far as that is known. */
  get canEnd() {
    const { engine, rules } = this.#by;
    let setup = this.#setup;
    for (const change of setup === null ? [] : this.#left) {
      if (!isSeat(change.seat, engine.stacks(setup, rules).length)) return false;
      if (!isSound(engine, rules, setup, change)) return false;
      const after = amended(this.#by, setup, change);
      if (after === null && !this.#ended && !this.#mayRestart) return false;
      setup = after ?? setup;
    }
    return true;
  }

  #goes(by, begun, goal, toTheEnd) {
    const left = [...this.#left];
    let setup = begun;
    while (!same(setup, goal) || (toTheEnd && left.length)) {
      const change = left.shift();
      if (!change || !isSound(by.engine, by.rules, setup, change)) return false;
      setup = amended(by, setup, change);
      if (setup === null) return false;
    }
    this.#left = left;
    return true;
  }
}

/** What a match with as many seats starts from: the customary setup, without the seats that nobody had taken; null where
 * none can. */
export function freshSetup(by, setup, changes) {
  const { engine, rules } = by;
  const seats = orRefused(() => engine.seatCount(engine.begin(rules, setup).state));
  if (seats === null) return null;
  let fresh = engine.firstSetup(rules, seats);
  if (!isOpenTable(engine, rules)) return fresh;
  const first = new Map();
  for (const { seat, kind } of changes) if (kind !== "bomb" && !first.has(seat)) first.set(seat, kind);
  const chips = engine.stacks(setup, rules);
  for (let seat = 0; seat < seats && fresh !== null; seat++) {
    const empty = first.has(seat) ? first.get(seat) === "taken" : chips.length > 0 && !chips[seat];
    if (empty) fresh = amended(by, fresh, { seat, kind: "left", chips: 0 });
  }
  return fresh;
}
