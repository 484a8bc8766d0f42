// The deals of a room as a client checks them: fixed before the cut, cut by everybody, chained to the one before. A twin
// of `croupier.table.deal_checker`.

import * as canonical from "./canonical.js";
import * as cut2 from "./cut2.js";
import { fromHex, isHash, toHex } from "./encoding.js";
import { checkKeptSeat, seatAfter } from "./keptseat.js";
import { checkFixed, isObject, malformed, same } from "./memory.js";
import { MirrorError } from "./mirror.js";
import { FixedDeal, readStart, RoundChecker, VOIDS_MAX } from "./roundchecker.js";
import { sealedPack } from "./sealedpack.js";

export { VOIDS_MAX };

/** Among so many deals the void ones are counted. */
export const DEALS_LOOKED_AT = 10;
/** For the first, second, third miss, and for every further one. */
const REST_HANDS = [1, 2, 4, 8];
/** So many hands cut in time take one miss off. */
export const CUTS_FORGIVING = 10;

const DECIDED = ["DEAL_MADE", "DEAL_VOID"];

/** How many hands a seat is not listed after so many misses, the missed one included. */
export const restHands = (misses) => REST_HANDS[Math.min(misses, REST_HANDS.length) - 1];
const seatsOf = (list) => list.map(({ seat }) => seat);
/** What happens to a seat between two hands only if its player asks for it: chips are bought, or blinds will be due. */
export const ASKED_FOR = ["bought", "sat_in", "waits"];
const inOrder = (numbers) => [...numbers].sort((one, other) => one - other);

/** What is known of a room's deals. */
export class DealChecker extends RoundChecker {
  /** The cut of the newest deal, for people to compare; hex. */
  code = "";
  /** The cuts that this client gave, by deal. */
  gave = new Map();
  acknowledged = new Set();
  /** How long each of these cuts took, in seconds, as text. */
  seconds = new Map();
  /** The deal that was seen being fixed, and not yet decided. */
  _openDeal = null;
  /** The people in the seats. */
  _members = new Map();
  /** Where this player sits, and where they have sat without a break since the newest deal was fixed. */
  _place = null;
  _held = null;
  /** Whether the room says that this player is away. */
  _isAway = false;
  /** What the player says is another device of theirs. */
  accepted = new Set();
  /** What this player asked for from one hand to another, each as { kind, chips }, in any program that shares what it
   * remembers; null where that is not known. */
  ownRequests = null;
  /** Whether a promise was made by any program that shares what it remembers; null where that is not known. */
  isOwnPromise = null;

  /** The deals between the newest that this client knew and the one that the room has now, up to `last`, each as it was
   * fixed: every one must be chained to the one before it. */
  bridge(missed, last) {
    this._found = [];
    this._noted = [];
    let { memory } = this;
    try {
      checkFixed(missed);
      for (const fixed of missed) {
        memory = this.#bridged(memory, fixed);
        if (this._found.length) break;
      }
    } catch (error) {
      if (error instanceof MirrorError) this._fault(error.code, error.facts);
      else this._found.push(malformed(error.message));
    }
    if (memory.deal !== last && !this._found.length)
      this._fault("DEAL_NOT_NEXT", { deal: last + 1, expected: memory.deal + 1 });
    if (!this._found.length) {
      const { _noted: _carried } = this;
      Object.assign(this, { memory, _base: null, _tail: {}, _lastSetup: null, _carried });
    }
    return this._found;
  }

  #bridged(known, fixed) {
    let memory = known;
    const { context, roots } = fixed;
    const found = [...cut2.checkContext(context), ...cut2.checkRoots(context, roots)];
    if (found.length) {
      this._found.push(...found);
      return memory;
    }
    if (context.room !== memory.room || context.deal !== memory.deal + 1) {
      this._fault("DEAL_NOT_NEXT", { deal: context.deal, expected: memory.deal + 1 });
      return memory;
    }
    if (readStart(context) === null) {
      this._fault("CONTEXT_MALFORMED", { field: "setup", value: context.setup.slice(0, 60) });
      return memory;
    }
    const closing = this.#checkClosing(fixed, memory, this.#seenOfClosing(fixed, memory));
    if (this._found.length || closing === null) return memory;
    memory = this.#checkMissedVoid(memory, closing);
    this._checkBridged(context, memory, closing);
    memory = { ...memory, seat: seatAfter(memory, context, closing) };
    if (!this.accepted.has("PROMISE_NOT_MINE"))
      this._found.push(...checkKeptSeat(memory.seat, context, this.engineOf, this.isOwnPromise));
    // Who sat where meanwhile is not known: a debt that was paid is forgotten.
    const owing = Object.entries(paid(memory.misses, closing)).filter(([, miss]) => !miss.paid);
    const unpaid = readStart(context).match === memory.match ? Object.fromEntries(owing) : {};
    const voids = closing.cut === null ? [...memory.voids, memory.deal] : memory.voids;
    const seal = toHex(cut2.sealOf(cut2.contextHash(context), roots));
    return shown({ ...memory, voids: recent(voids, context.deal) }, context, seal, unpaid);
  }

  /** Before the first state: how far a hand had come when any tab of this browser last saw it. Its newest deal was cut
   * after the first `since` of these moves. */
  recallMoves({ hand, deal, since, moves }) {
    this._recalled = { hand, moves };
    Object.assign(this, { _tail: { begun: moves.slice(since) }, _tailOf: deal });
  }

  /** The moves of the present hand, as `recallMoves` takes them; null before its cards, and where it was not seen when
   * they were dealt. */
  get toldMoves() {
    const deal = this._shuffles.at(-1) ?? 0;
    if (!this._cutAt.has(deal)) return null;
    return { hand: this._hand, deal, since: this._cutAt.get(deal), moves: this._moves };
  }

  /** A deal that is fixed. Gives [from, to] when the deals between must be asked for first. */
  _fixed(fixed, state) {
    const { context, roots } = fixed;
    const { memory } = this;
    const found = [...cut2.checkContext(context), ...cut2.checkRoots(context, roots)];
    if (found.length) {
      this._found.push(...found);
      return null;
    }
    if (context.room !== memory.room) {
      this._fault("ROOM_REPLACED", { room: context.room.slice(0, 16) });
      return null;
    }
    const hashed = cut2.contextHash(context);
    const seal = cut2.sealOf(hashed, roots);
    if (context.deal <= memory.deal) this.#knownAgain(fixed, toHex(seal));
    else if (memory.deal && context.deal > memory.deal + 1) {
      if (this._cameBack) return [memory.deal + 1, context.deal - 1];
      this._fault("DEAL_NOT_NEXT", { deal: context.deal, expected: memory.deal + 1 });
    } else this.#newDeal(fixed, toHex(seal), state);
    this._deals.set(context.deal, new FixedDeal(fixed, hashed, seal));
    this._openDeal = context.deal;
    return null;
  }

  /** A deal that was shown before. After a reload the whole round is told again: the same deals, still chained to each
   * other, up to the newest that this client knew. */
  #knownAgain(fixed, seal) {
    const { memory } = this;
    const { deal } = fixed.context;
    if (deal === memory.deal && seal !== memory.seal) this._fault("DEAL_CHANGED", { deal });
    else if (!this._cameBack) this._fault("DEAL_NOT_NEXT", { deal, expected: memory.deal + 1 });
    const before = this._deals.get(deal - 1);
    const closing = this._closingOf(fixed);
    if (before && closing !== null && !tellsOf(closing, before)) this._fault("DEAL_CHANGED", { deal: deal - 1 });
  }

  /** When the whole round is told again, nothing that was known is left out or taken back. */
  _checkWhole() {
    const { memory } = this;
    if (!this._cameBack || !this._deals.size) return;
    const told = this._deals.get(memory.deal);
    if (!told) this._fault("DEAL_NOT_NEXT", { deal: Math.max(...this._deals.keys()), expected: memory.deal + 1 });
    else if ((memory.cut && !told.cut) || (memory.missing.length && !told.missing.length))
      this._fault("DEAL_TAKEN_BACK", { deal: memory.deal });
  }

  #newDeal(fixed, seal, state) {
    const { context } = fixed;
    let { memory } = this;
    const closing = this.#checkClosing(fixed, memory, this.#seenOfClosing(fixed, memory));
    if (this._found.length) return;
    if (closing !== null) memory = this.#checkMissedVoid(memory, closing);
    // It was cut while this client was away.
    if (closing !== null && closing.cut !== null && !memory.cut) memory = this.#forgiven(memory.cutters);
    this.#checkOwnChanges(context, memory, closing);
    this._checkPlace(context, memory, closing);
    this._checkContents(context, memory, closing, state);
    let misses = paid(memory.misses, closing);
    const start = readStart(context);
    if (start !== null && start.match !== memory.match) misses = this._wasAway ? {} : this.#reseated(misses);
    this.#checkCutters(context, memory, misses, state);
    if (this._found.length) return;
    this.memory = { ...shown(memory, context, seal, misses), seat: this._seat };
    // Of a deal that is cut already, it was not seen where people sat since it was fixed.
    const isOpen = context.deal === state.public.deal && state.public.waitsFor.length > 0;
    this._held = isOpen ? this._place : null;
  }

  /** The misses by the seats of another match, to which people bring theirs along. Who left in between owes nothing; a
   * client that was away at any time between the matches cannot know who did. */
  #reseated(misses) {
    const seats = new Map([...this._members].map(([seat, member]) => [member, seat]));
    const known = Object.values(misses).filter(({ member, gone }) => seats.has(member) && !gone);
    return Object.fromEntries(known.map((miss) => [seats.get(miss.member), miss]));
  }

  /** Nobody takes this player's seat away between two deals, or buys chips or sits in again in their name. */
  #checkOwnChanges(context, memory, closing) {
    const changes = closing === null || this._place === null ? [] : closing.changes;
    const own = changes.filter(({ seat }) => seat === this._place);
    if (this._held === this._place && own.some(({ kind }) => kind === "left"))
      this._fault("MOVE_NOT_MINE", { move: "left" });
    // What stands before was asked for by the player who sat there before.
    const since = own.slice(own.findLastIndex(({ kind }) => kind === "taken") + 1);
    const done = since.filter(({ kind }) => ASKED_FOR.includes(kind));
    if (!this.ownRequests || this.accepted.has("MOVE_NOT_MINE") || !done.length) return;
    // What was asked for in one hand may have reached the room in the next.
    const asked = [...this.ownRequests(memory.hand - 1, context.hand)];
    const isAsked = ({ kind, chips }) => {
      const at = asked.findIndex((each) => each.kind === kind && each.chips === chips);
      return at >= 0 && asked.splice(at, 1).length > 0;
    };
    const others = done.filter((change) => !isAsked(change));
    // A purchase that was booked during a hand is cut down to what the table allows after it.
    const isCutDown = ({ kind, chips }) =>
      asked.some((other) => other.kind === kind && other.chips > chips) && this._isFull(context, this._place);
    for (const change of others)
      if (!isCutDown(change))
        this._fault("MOVE_NOT_MINE", { move: change.chips ? `${change.kind} ${change.chips}` : change.kind });
  }

  /** The rest of the closing of the deal before, as far as this client saw it. */
  #seenOfClosing({ context }, memory) {
    // Nothing is played on a void deal.
    if (memory.missing.length) return { payouts: null, moves: [] };
    const tail = memory.deal === this._tailOf ? this._tail : {};
    if (!context.shuffle) return context.hand > memory.hand ? tail : {};
    const start = this._cutAt.get(memory.deal);
    // The round is not told any more.
    if (!this._deals.has(memory.deal) || start === undefined) return { payouts: null, ...tail };
    // When the whole round is told again, there may be moves after the deal, too.
    return { payouts: null, [this._cameBack ? "within" : "moves"]: this._moves.slice(start) };
  }

  /** How the deal before is said to have ended must be how this client saw it end. */
  #checkClosing(fixed, memory, seen) {
    const closing = this._closingOf(fixed);
    const { deal } = fixed.context;
    if (this._found.length || !memory.deal) return closing;
    if (closing === null) {
      this._fault("DEAL_NOT_NEXT", { deal, expected: memory.deal + 1 });
      return null;
    }
    const { begun = [], within = null, ...rest } = seen;
    const known = { deal: memory.deal, seal: memory.seal, ...rest };
    if (memory.missing.length) Object.assign(known, { missing: memory.missing, cut: null });
    else if (memory.cut) Object.assign(known, { missing: [], cut: memory.cut });
    // It was fixed before these eyes and neither cut nor void.
    else if (this._openDeal === memory.deal) this._fault("DEAL_NOT_NEXT", { deal, expected: memory.deal });
    const moves = Array.isArray(closing.moves) ? closing.moves : [null];
    const isWithin = within === null || same(within.slice(0, moves.length), moves);
    if (!same(moves.slice(0, begun.length), begun) || !isWithin)
      this._fault("CLOSING_MISMATCH", { deal: deal - 1, field: "moves" });
    for (const [field, value] of Object.entries(known))
      if (!same(closing[field], value)) this._fault("CLOSING_MISMATCH", { deal: deal - 1, field });
    return closing;
  }

  /** Exactly the people dealt in must cut, without those who may not be back yet. */
  #checkCutters(context, memory, misses, { deals }) {
    const { deal, hand, shuffle, cutters } = context;
    const mirror = this._mirror;
    if (!mirror?.engine || hand !== this._hand) return;
    const listed = seatsOf(cutters);
    const { needsEverybody, dealtIn } = mirror;
    const people = inOrder(dealtIn).filter((seat) => this._members.has(seat));
    const isOpen = !deals.some((news) => DECIDED.includes(news.type) && news.deal === deal);
    const areTheyAll = shuffle ? listed.every((seat) => people.includes(seat)) : same(listed, people);
    const isLeftOut = dealtIn.includes(this._seat) && !listed.includes(this._seat);
    if (isLeftOut && this.#mustList(context, memory, misses)) this._fault("NOT_LISTED", { deal });
    else if (isOpen && !areTheyAll) this._fault("CUTTERS_CHANGED", { deal, seats: listed.join(" ").slice(0, 80) });
    if (memory.missing.length && hand === memory.hand && shuffle === memory.shuffle && !needsEverybody) {
      for (const seat of listed)
        if (!memory.gave.includes(seat)) this._fault("REDEAL_WITH_OTHERS", { deal, seat });
    }
    for (const [name, miss] of Object.entries(misses)) {
      const seat = Number(name);
      if (!listed.includes(seat)) continue;
      if (!miss.paid) this._fault("OWED_CUT_MISSING", { deal, seat });
      else if (!needsEverybody && hand < miss.backAtHand) this._fault("LISTED_EARLY", { deal, seat });
    }
  }

  /** Whether this player's cut must go into a deal. A later shuffle goes on without whoever is away, or has not cut it: not
   * without somebody who was there all the time, and cut the one before. */
  #mustList({ hand, shuffle }, memory, misses) {
    if (!shuffle) return true;
    const isAgain = memory.missing.length > 0 && hand === memory.hand && shuffle === memory.shuffle;
    // Only those who cut it are dealt in again: nobody who came back meanwhile.
    if (isAgain && !memory.gave.includes(this._seat)) return false;
    const isAway = this._wasAway || this._isAway || Object.hasOwn(misses, this._seat);
    return !isAway && this._shuffles.every((number) => this.gave.has(number));
  }

  _made({ deal: number, cuts, secrets }) {
    const { memory } = this;
    const deal = this._deals.get(number);
    if (!deal || deal.missing.length || (memory.deal === number && memory.missing.length)) {
      this._fault("DEAL_TAKEN_BACK", { deal: number });
      return;
    }
    if (deal.context.hand !== this._hand || deal.context.shuffle !== this._shuffles.length) {
      this._fault("HAND_BROKEN_OFF", { deal: number, hand: this._hand });
      return;
    }
    const found = cut2.checkCuts(deal.context, cuts);
    if (found.length) {
      this._found.push(...found);
      return;
    }
    this.#checkOwnCut(deal, cuts);
    deal.cut = cut2.cutOf(deal.seal, cuts);
    deal.played = cut2.choice(deal.cut, deal.context.packs);
    const pack = canonical.read(deal.context.pack);
    this._found.push(...cut2.checkSecrets(deal.hashed, deal.roots, pack, secrets, deal.played));
    deal.order = cut2.permutation(deal.cut, pack.length);
    this.code = toHex(deal.cut);
    if (memory.deal === number) {
      if (memory.cut && memory.cut !== this.code) this._fault("DEAL_TAKEN_BACK", { deal: number });
      if (!memory.cut) this.memory = { ...this.#forgiven(memory.cutters), cut: this.code };
    }
    this._shuffles.push(number);
    this.#markCut(deal.context);
    this._openDeal = null;
  }

  /** Takes note of how many moves the round had when a deal was cut, or void. */
  #markCut(context) {
    const { deal, shuffle } = context;
    if (!shuffle) this._cutAt.set(deal, readStart(context)?.moves.length ?? 0);
    else if (!this._cameBack) this._cutAt.set(deal, this._moves.length);
  }

  /** What this client gave is in the cut, for the seat in which it is dealt its cards. */
  #checkOwnCut(deal, cuts) {
    const number = deal.context.deal;
    const given = this.gave.get(number);
    if (given === undefined) return;
    const promise = cut2.promiseOf(fromHex(given));
    deal.ownSeat = deal.context.cutters.find((cutter) => cutter.promise === promise)?.seat ?? null;
    const value = cuts.find(({ seat }) => seat === deal.ownSeat)?.value;
    if (value === undefined) this._fault("CUT_LEFT_OUT", { deal: number });
    else if (value !== given) this._fault("CUT_REPLACED", { deal: number });
  }

  /** The memory after a complete deal: so many cut in time take one miss off. */
  #forgiven(seats) {
    const misses = { ...this.memory.misses };
    for (const seat of seats) {
      const miss = misses[seat];
      if (!miss?.misses || this._members.get(seat) !== miss.member) continue;
      const streak = miss.streak + 1;
      const forgiven = streak >= CUTS_FORGIVING;
      misses[seat] = { ...miss, streak: forgiven ? 0 : streak, misses: forgiven ? miss.misses - 1 : miss.misses };
    }
    return { ...this.memory, misses, handVoids: 0 };
  }

  _void(told) {
    const { deal: number, cuts, missing, secrets } = told;
    const { memory } = this;
    const deal = this._deals.get(number);
    if (!deal || deal.cut || (memory.deal === number && memory.cut)) {
      this._fault("DEAL_TAKEN_BACK", { deal: number });
      return;
    }
    const gave = seatsOf(cuts);
    if (!missing.length) this._fault("VOID_FOR_NOBODY", { deal: number });
    for (const seat of inOrder(new Set(missing)))
      if (gave.includes(seat)) this._fault("VOID_WITH_CUT", { deal: number, seat });
    if (!this._found.length && !same(inOrder([...missing, ...gave]), seatsOf(deal.context.cutters)))
      this._fault("CUT_LEFT_OUT", { deal: number });
    this._found.push(...cut2.checkGiven(deal.context, cuts));
    const pack = canonical.read(deal.context.pack);
    this._found.push(...cut2.checkSecrets(deal.hashed, deal.roots, pack, secrets, null));
    this._openDeal = null;
    deal.missing = missing;
    this.#markCut(deal.context);
    if (this._found.length || memory.deal !== number) return;
    if (memory.missing.length) {
      if (!same(memory.missing, missing)) this._fault("DEAL_TAKEN_BACK", { deal: number });
      return;
    }
    this.#checkOwnMiss(told, deal);
    this.#rememberVoid(told, deal);
  }

  /** Void because this player is said to be missing: late, or left out. */
  #checkOwnMiss({ deal, missing }, { context }) {
    if (deal <= this.memory.decidedDeal) return;
    const given = this.gave.get(deal);
    const promise = given === undefined ? null : cut2.promiseOf(fromHex(given));
    const mine = context.cutters.filter((cutter) => cutter.promise === promise);
    if (!mine.some(({ seat }) => missing.includes(seat))) {
      // When a hand is called off nobody has a seat in it any more, but everybody keeps theirs in the room.
      const isMe = (seat) => this._members.get(seat) === this.me;
      if (given === undefined && missing.some(isMe)) this._note("CUT_TOO_LATE", { deal });
      return;
    }
    this.memory = this.#leftOut(this.memory, deal);
  }

  /** The newest deal was void while this client was away: the cut that it gave is among those that came. */
  #checkMissedVoid(memory, closing) {
    const given = this.gave.get(memory.deal);
    const isMissed = closing.cut === null && !memory.missing.length && memory.deal > memory.decidedDeal;
    if (given === undefined || !isMissed || closing.cuts.some((cut) => cut?.value === given)) return memory;
    return this.#leftOut(memory, memory.deal);
  }

  /** A deal is void because this player is said to be missing, and has cut it. */
  #leftOut(memory, deal) {
    const times = memory.missingThoughCut + 1;
    if (this.acknowledged.has(deal) || times > 1) this._fault("MISSING_THOUGH_CUT", { deal });
    else this._note("CUT_NOT_COUNTED", { deal, seconds: this.seconds.get(deal) ?? "–" });
    return { ...memory, missingThoughCut: times };
  }

  #rememberVoid({ deal: number, missing, cuts }, { context }) {
    const { memory } = this;
    const misses = { ...memory.misses };
    const promised = new Map(context.cutters.map(({ seat, promise }) => [seat, promise]));
    const rests = context.shuffle === 0 && !this._mirror?.needsEverybody;
    for (const seat of missing) {
      const before = misses[seat];
      const member = this._members.get(seat) ?? "";
      const count = before ? before.misses + 1 : 1;
      const backAtHand = rests ? context.hand + restHands(count) : 0;
      const promise = promised.get(seat);
      misses[seat] = { deal: number, member, promise, backAtHand, misses: count, streak: 0, paid: false, gone: false };
    }
    const voids = recent([...memory.voids, number], number);
    this.memory = { ...memory, missing, gave: seatsOf(cuts), misses, voids, handVoids: memory.handVoids + 1 };
  }

  /** The played pack as a whole: it must be the one that was committed to, and its cards those that were dealt. */
  _opened({ deal: number, secret }) {
    const deal = this._deals.get(number);
    if (!deal?.cut || !isHash(secret)) {
      this._fault("SECRET_NOT_REVEALED", { deal: number });
      return;
    }
    const { order, root } = sealedPack(fromHex(secret), deal.hashed, canonical.read(deal.context.pack));
    if (root !== deal.roots[deal.played]) this._fault("PACK_FALSE", { pack: deal.played });
    else deal.cards = deal.order.map((position) => order[position]);
  }
}

/** The memory once another deal was shown. */
function shown(memory, context, seal, misses) {
  const { deal, hand, shuffle, rules, setup, cutters } = context;
  return {
    ...memory,
    ...{ deal, seal, hand, shuffle, rules, setup, misses },
    match: canonical.read(context.setup).match ?? 0,
    ...{ cut: "", missing: [], gave: [] },
    cutters: seatsOf(cutters),
    handVoids: hand === memory.hand ? memory.handVoids : 0,
  };
}

/** The misses, with the owed cuts that have come since marked as paid. Whoever left their seat is forgotten. */
function paid(misses, closing) {
  if (closing === null) return misses;
  const after = { ...misses };
  for (const given of closing.paid.filter(isObject)) {
    for (const [seat, miss] of Object.entries(misses))
      if (miss.deal === given.deal && cut2.keeps(miss.promise, given.value)) after[seat] = { ...miss, paid: true };
  }
  for (const { seat, kind } of closing.changes) if (kind === "taken" || kind === "left") delete after[seat];
  return after;
}

/** Whether a closing is that of a deal whose outcome is known. */
function tellsOf({ seal, cut, missing }, deal) {
  const outcome = deal.missing.length ? [null, deal.missing] : [deal.cut === null ? "" : toHex(deal.cut), []];
  return same([seal, cut, missing], [toHex(deal.seal), ...outcome]);
}

const recent = (voids, deal) => [...new Set(voids)].filter((number) => number > deal - DEALS_LOOKED_AT);
