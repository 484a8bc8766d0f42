// The hands of this session, as this player heard them: kept in this browser until the tab is closed.

import { memberName } from "/js/people.js";
import { read, write } from "/js/settings.js";

const HANDS_KEPT_MAX = 60;

export class Hands {
  #key;
  #current = null;
  #version = 0;

  constructor(code) {
    this.code = code;
    this.#key = `croupier.hands.${code}`;
    this.all = read(this.#key, [], sessionStorage);
  }

  /** The last hand that is over. */
  get last() {
    return this.all.at(-1) ?? null;
  }

  /** Takes what a state tells. A hand of which something was missed is not kept: a replay must be whole. */
  take({ public: shown, you, events }) {
    if (shown.version > this.#version + 1 && !events.length) this.#current = null;
    this.#version = shown.version;
    for (const event of events) {
      if (event.type === "HOLDEM_HAND_STARTED") {
        this.#current = { hand: event.hand, rules: shown.rules, own: you.seat, names: namesBySeat(shown), events: [] };
      }
      this.#current?.events.push(event);
      if (event.type === "HOLDEM_HAND_OVER") this.#keep();
    }
  }

  #keep() {
    if (!this.#current) return;
    this.all = [...this.all, this.#current].slice(-HANDS_KEPT_MAX);
    this.#current = null;
    write(this.#key, this.all, sessionStorage);
  }
}

function namesBySeat({ members, game }) {
  const seated = members.filter((member) => member.seat !== null);
  return Object.fromEntries(seated.map((member) => [member.seat, memberName(member, game)]));
}

/** What a hand brought its owner, and who won it. */
export function outcome({ own, events }) {
  const over = events.findLast((event) => event.type === "HOLDEM_HAND_OVER");
  const awards = events.filter((event) => event.type === "HOLDEM_POT_AWARDED");
  return { net: own === null ? null : over.payouts[own], awards };
}
