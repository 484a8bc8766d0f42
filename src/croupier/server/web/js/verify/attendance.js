// Who may be listed in a deal, as far as records tell: misses, owed cuts, rests, and hands that are dealt again.
// docs/fairness.md has the rules. A seat is followed as long as the same person sits there.

import { VOIDS_MAX, restHands } from "../fairness/dealchecker.js";
import { keeps } from "../fairness/cut2.js";
import { fact, finding } from "../fairness/findings.js";

/** So many hands cut in time take one miss off. */
const CUTS_FORGIVING = 10;
/** What is known of the person in a seat; `isPerson` is null as long as it may be a bot, `owes` the deal whose cut is
 * owed. */
const NEWCOMER = { isPerson: null, misses: 0, cutStreak: 0, owes: null, backAtHand: 0 };

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Follows the seats of a table from deal to deal. */
export class Attendance {
  notices = [];
  #seats = new Map();
  /** What was promised and not given, by deal and seat. */
  #promises = new Map();
  #first = null;
  #last = null;
  #handVoids = 0;

  /** Deals are missing, or people have taken other seats. */
  forget() {
    this.#seats = new Map();
    this.#last = null;
    this.#handVoids = 0;
  }

  /** Whether the host may call the match off after this deal: it waits for everybody, or for their agreement. */
  mayRestart(last) {
    return last.isVoid && (last.everybodyNeeded || this.#handVoids >= VOIDS_MAX);
  }

  /** What happened between two deals: owed cuts that came, people that came and went. */
  closed({ paid, changes }) {
    const found = paid.map((raw) => this.#pay(raw)).filter((each) => each !== null);
    for (const { kind, seat } of changes) if (["taken", "left"].includes(kind)) this.#seats.delete(seat);
    return found;
  }

  #pay(raw) {
    const { deal, seat, value } = isObject(raw) ? raw : {};
    if (!Number.isInteger(deal) || !Number.isInteger(seat) || Object.keys(raw).sort().join() !== "deal,seat,value")
      return finding("PAID_CUT_FALSE", { deal: 0, seat: 0 });
    const key = `${deal}.${seat}`;
    const promise = this.#promises.get(key) ?? null;
    this.#promises.delete(key);
    // Missed before the first of these records.
    if (promise === null && (this.#first === null || deal < this.#first)) return null;
    if (promise === null || !keeps(promise, value))
      return finding("PAID_CUT_FALSE", { deal: fact(deal), seat: fact(seat) });
    const past = this.#past(seat);
    if (past.owes === deal) this.#seats.set(seat, { ...past, owes: null });
    return null;
  }

  #past(seat) {
    return this.#seats.get(seat) ?? NEWCOMER;
  }

  /** Checks who is listed in the next deal, and takes note of who cut it. */
  take(deal) {
    this.#first ??= deal.number;
    const found = this.#checkAgain(deal);
    const listed = new Set(deal.proof.context.cutters.map(({ seat }) => seat));
    const concerned = [...new Set([...listed, ...deal.dealtIn])].sort((one, other) => one - other);
    for (const seat of concerned) found.push(...this.#checkSeat(deal, seat, listed.has(seat)));
    if (!listed.size) this.notices.push(finding("NOBODY_CUT", { deal: deal.number }));
    if (deal.isVoid) this.#missed(deal);
    else for (const { seat } of deal.proof.cuts) this.#forgive(seat);
    this.#last = deal;
    return found;
  }

  /** A hand that is dealt again is dealt to those who had cut it, and after two voids only if all agree. */
  #checkAgain(deal) {
    const last = this.#last;
    if (!last?.isVoid || last.hand !== deal.hand || last.shuffle !== deal.shuffle) {
      this.#handVoids = 0;
      return [];
    }
    if (this.#handVoids >= VOIDS_MAX)
      this.notices.push(finding("AGREEMENT_UNKNOWN", { deal: deal.number, hand: deal.hand }));
    if (deal.everybodyNeeded) return [];
    const gave = new Set(last.proof.cuts.map(({ seat }) => seat));
    return deal.proof.context.cutters
      .filter(({ seat }) => !gave.has(seat))
      .map(({ seat }) => finding("REDEAL_WITH_OTHERS", { deal: deal.number, seat }));
  }

  #checkSeat({ number, hand, shuffle }, seat, listed) {
    const past = this.#past(seat);
    const found = [];
    // A later shuffle of a game goes on without the cut of whoever is away.
    if (!shuffle) {
      if (past.isPerson !== null && past.isPerson !== listed)
        found.push(finding("SEAT_NOT_LISTED", { deal: number, seat }));
      this.#seats.set(seat, { ...past, isPerson: listed });
    }
    if (listed && past.owes !== null) found.push(finding("OWED_CUT_MISSING", { deal: number, seat }));
    else if (listed && hand < past.backAtHand) found.push(finding("LISTED_EARLY", { deal: number, seat }));
    return found;
  }

  #missed({ number, hand, shuffle, everybodyNeeded, proof }) {
    this.#handVoids += 1;
    const promised = new Map(proof.context.cutters.map(({ seat, promise }) => [seat, promise]));
    for (const seat of proof.missing) {
      const { isPerson, misses: before } = this.#past(seat);
      const misses = before + 1;
      const backAtHand = !shuffle && !everybodyNeeded ? hand + restHands(misses) : 0;
      this.#seats.set(seat, { isPerson, misses, cutStreak: 0, owes: number, backAtHand });
      this.#promises.set(`${number}.${seat}`, promised.get(seat) ?? "");
    }
  }

  #forgive(seat) {
    const past = this.#past(seat);
    if (!past.misses) return;
    const streak = past.cutStreak + 1;
    const forgiven = streak >= CUTS_FORGIVING;
    this.#seats.set(seat, {
      ...past,
      cutStreak: forgiven ? 0 : streak,
      misses: forgiven ? past.misses - 1 : past.misses,
    });
  }
}
