// A player's part in the deals of a room: a promise for the next one, a cut of each that passed the checks, what is owed
// from one that was missed, and the deals that were missed while the line was down.

import { OF_ANOTHER_DEVICE } from "./fairness/checker.js";

/** Does what the room expects of this player's client by itself. `changed` is called when a cut raised an alarm. */
export class Deals {
  /** Deals that this client has answered, or is about to. */
  #answered = new Set();
  /** Deals whose cut is owed, and was promised by another device or one that has forgotten it. */
  #unpayable = new Set();
  #promising = false;

  constructor(room, guard, changed) {
    Object.assign(this, { room, guard, changed });
  }

  /** Gives the cut that a deal waits for, once. */
  async cut(wanted) {
    if (this.#answered.has(wanted.deal)) return;
    this.#answered.add(wanted.deal);
    const given = await this.guard.cut(wanted);
    if (given === null) {
      this.#answered.delete(wanted.deal);
      this.changed();
      return;
    }
    await quietly(async () => {
      await this.room.command("DEAL_CUT", { deal: wanted.deal, ...given });
      await this.guard.acknowledge(wanted.deal);
    });
  }

  /** After an alarm nothing is cut, and the others need not wait for it: unless what is listed for this seat may be
   * another device's. */
  decline(frame) {
    const { waitsFor, deal } = frame?.public ?? {};
    if (this.guard.checker.alarms.every(({ code }) => OF_ANOTHER_DEVICE.includes(code))) return;
    if (!Array.isArray(waitsFor) || !waitsFor.includes(frame.you?.seat) || this.#answered.has(deal)) return;
    this.#answered.add(deal);
    quietly(() => this.room.command("DEAL_DECLINE", { deal }));
  }

  /** Sees to it that the room has a promise for the next deal, and the cut that this player owes. */
  async keepPromising({ public: { members, waitsFor } }) {
    const me = members.find(({ id }) => id === this.guard.me);
    if (this.#promising || !me || me.seat === null || me.away || me.stands || this.guard.forgets) return;
    if (me.owes === null ? me.promised || waitsFor.includes(me.seat) : this.#unpayable.has(me.owes)) return;
    this.#promising = true;
    // Too late, or while a deal is cut, it is refused; the next state tells what became of it.
    await quietly(() => (me.owes === null ? this.#promise() : this.#pay(me)));
    this.#promising = false;
  }

  async #promise() {
    const promise = await this.guard.promise();
    if (promise !== null) await this.room.command("DEAL_PROMISE", { promise });
  }

  /** Gives the cut that is owed, so that everybody can compute what was avoided. */
  async #pay({ owes }) {
    const { deals } = await this.room.history(owes);
    const given = await this.guard.owed(owes, deals);
    if (given !== null) await this.room.command("DEAL_CUT", { deal: owes, ...given });
    else {
      this.#unpayable.add(owes);
      this.changed();
    }
  }

  /** Asks for the deals that this client missed. False when the line was lost: then the room will be told anew. */
  async bridge([first, last]) {
    const missed = [];
    try {
      while (missed.length < last - first + 1) {
        const { deals } = await this.room.history(first + missed.length);
        if (!Array.isArray(deals) || !deals.length) break;
        missed.push(...deals.slice(0, last - first + 1 - missed.length));
      }
    } catch (refused) {
      if (!refused.code) return false;
    }
    await this.guard.bridge(missed, last);
    return true;
  }
}

/** Tries something that may be refused, and of which the next state tells what came of it. */
async function quietly(work) {
  try {
    await work();
  } catch (refused) {
    if (refused instanceof TypeError || refused instanceof ReferenceError) throw refused;
  }
}
