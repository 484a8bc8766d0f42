// What a client checks for itself before its player sees a card, cuts a deal or puts in a chip. The adversary is the
// server. A `Checker` watches one room for one player: it is fed every state, in order, and answers with what is wrong
// (`alarms`), what the player should know (`notes`), and which deal to cut. It remembers in a `memory`, which its client
// keeps where no reload and no second tab loses it. A twin of `croupier.table.checker`; docs/fairness.md says what each
// check is for.

import * as canonical from "./canonical.js";
import { CardChecker } from "./cardchecker.js";
import { cardsIn } from "./cardsshown.js";
import * as cut2 from "./cut2.js";
import { DEALS_LOOKED_AT } from "./dealchecker.js";
import { finding } from "./findings.js";
import { checkState, count, isObject, malformed, Malformed, newMemory, same, sortedJson } from "./memory.js";
import { MirrorError, plainRules } from "./mirror.js";
import { dealsFirst, isUndealt, strangeMoves } from "./stateform.js";

/** So many void deals among the last ten: the player is asked before the next cut. */
const VOIDS_ASKED = 3;
/** What the player may have done with another device: once they have said so, it is no alarm any more. */
export const OF_ANOTHER_DEVICE = ["PROMISE_NOT_MINE", "MOVE_NOT_MINE"];

/** One player's checks in one room. */
export class Checker extends CardChecker {
  /** Every alarm so far; the newest ones hold until the player decides. */
  findings = [];
  /** How many of them the player has decided to go on in spite of. */
  decided = 0;
  notes = [];
  /** What this player did in a hand, by any program that shares what it remembers; null where that is not known. */
  ownActions = null;
  /** Whether the player must say first whether to cut on after so many void deals. */
  asksAboutVoids = false;
  /** The last deal for which the player was asked because of many voids, and up to which the player agreed to them. */
  #voidsAsked = 0;
  #voidsAccepted = 0;
  /** The newest state that passed. */
  #state = null;
  /** A hand that was dealt by a scheme that proves nothing: its player was told once. */
  #oldHand = -1;
  /** Whoever is in the seats, bots too. */
  #persons = new Map();
  /** How often each event of the present round was told, by the event in JSON. */
  #events = new Map();
  /** The game and the rules of the present round, as they were last shown and found good. */
  #shownRules = null;

  /** Whether there is an alarm that the player has not decided about. */
  get isAlarmed() {
    return this.findings.length > this.decided;
  }

  /** Those that the player has not decided about. */
  get alarms() {
    return this.findings.slice(this.decided);
  }

  /** The player goes on in spite of every alarm so far. What the room shows next is taken as a beginning: from there on
   * everything must follow again. With `room`, the player goes on in that one. */
  decideToGoOn(room = this.memory?.room) {
    for (const { code } of this.alarms) if (OF_ANOTHER_DEVICE.includes(code)) this.accepted.add(code);
    this.decided = this.findings.length;
    this.loseSight();
    this._start = null;
    if (!this.memory) return;
    const { voids, agreedHand, missingThoughCut, deal } = this.memory;
    const decidedDeal = Math.max(deal, ...this._deals.keys());
    const passedDeal = Math.max(deal, this.memory.passedDeal);
    const ofRoom = room === this.memory.room ? { voids, agreedHand, decidedDeal, passedDeal } : {};
    this.memory = { ...newMemory(room), missingThoughCut, ...ofRoom };
  }

  /** The line was lost: until the next state nothing was seen of what happened. */
  loseSight() {
    this._wasAway = true;
  }

  /** The player goes on although so many deals were void. */
  agreeToVoids() {
    this.#voidsAccepted = this.memory?.deal ?? 0;
    this.asksAboutVoids = false;
  }

  /** The player agrees that a hand is dealt again after it was void twice. */
  agreeToHand(hand) {
    if (this.memory) this.memory = { ...this.memory, agreedHand: hand };
  }

  /** Whether every deal of the present round was cut by this player; true while it has none. */
  get cutThisHand() {
    return this._hand !== this.#oldHand && this._shuffles.every((number) => this.#wasCutHere(number));
  }

  #wasCutHere(number) {
    const isElsewhere = this.accepted.has("PROMISE_NOT_MINE") && this.#isListed(number);
    return number >= this.memory.passedDeal && (this.gave.has(number) || isElsewhere);
  }

  #isListed(number) {
    return this._deals.get(number).context.cutters.some(({ seat }) => seat === this._seat);
  }

  /** How many cards of the present round were proved. */
  get proved() {
    return this._mirror?.proved.reduce((sum, known) => sum + known.size, 0) ?? 0;
  }

  /** The roots and the cutters of the deals of the present round, as they were fixed. */
  get deals() {
    return [...this._deals.values()].map(({ context, roots, cut }) => ({ context, roots, isCut: cut !== null }));
  }

  /** Raises an alarm that the client found itself. */
  alarm(code, facts = {}) {
    const found = finding(code, facts);
    this.findings.push(found);
    return found;
  }

  /** Checks a ROOM_STATE. Whatever came, the answer is findings: what cannot be read is one too. */
  see(state) {
    this._found = [];
    this._noted = this._carried;
    this._carried = [];
    const before = this.memory;
    let [cut, gap, events, isProved] = [null, null, [], true];
    try {
      checkState(state);
      gap = this.#see(state);
      if (!this._found.length && gap === null) {
        isProved = this._hand !== this.#oldHand;
        events = isProved ? this.#heard(state) : [];
        cut = this.#wanted(state);
        // Whoever has left the room hears nothing more of it.
        this._wasAway = state.public.members.every(({ id, away, stands }) => id !== this.me || away || stands);
        this.#state = state;
      }
    } catch (error) {
      // No honest room sends what the rules choke on.
      if (error instanceof MirrorError) this._fault(error.code, error.facts);
      else this._found.push(malformed(error.message));
    }
    // What was found out about a state that does not hold is not remembered.
    if (this._found.length && before) this.memory = before;
    this.findings.push(...this._found);
    this.notes.push(...this._noted);
    const [alarms, notes, remember] = [this._found, this._noted, this.memory !== before];
    return { alarms, notes, cut: alarms.length ? null : cut, gap, remember, events, isProved };
  }

  bridge(missed, last) {
    const found = super.bridge(missed, last);
    this.findings.push(...found);
    return found;
  }

  #see(state) {
    const { public: shown, you, moves, deals, openings, whole } = state;
    this._seat = you.seat;
    const made = deals.filter(({ type }) => type === "DEAL_MADE").map(({ deal }) => deal);
    this.memory ??= { ...newMemory(shown.roomId), decidedDeal: Math.max(0, ...made) };
    if (shown.roomId !== this.memory.room) {
      this._fault("ROOM_REPLACED", { room: shown.roomId.slice(0, 16) });
      return null;
    }
    const seated = shown.members.filter(({ seat }) => seat !== null);
    this.#persons = new Map(seated.map(({ seat, id }) => [seat, id]));
    this._members = new Map(seated.filter(({ bot }) => !bot).map(({ seat, id }) => [seat, id]));
    const own = shown.members.find(({ id }) => id === this.me);
    Object.assign(this, { _place: own?.seat ?? null, _isAway: !own || own.away || own.stands });
    if (this._wasAway || this._place !== this._held) this._held = null;
    this.#forgetTheGone(shown);
    this._watchStart(state);
    if (shown.hand !== this._hand) {
      this._turnTo(shown.hand);
      this.#events = new Map();
      if (shown.hand === this._recalled.hand) this._moves = this._recalled.moves;
    }
    this._recalled = { hand: -1, moves: [] };
    if (shown.scheme !== cut2.SCHEME) {
      if (this.#oldHand !== shown.hand && shown.payouts === null)
        this._fault("SCHEME_OLD", { scheme: shown.scheme.slice(0, 16) });
      this.#oldHand = shown.hand;
      return null;
    }
    this._wasHere = this._lastSetup !== null;
    this._cameBack = whole;
    if (whole) {
      this.#checkToldAgain(state);
      if (this._deals.size && !deals.length) this._loseRound();
      this._deals = new Map();
      Object.assign(this, { _shuffles: [], _mirror: null, _moves: [] });
      this.#events = new Map();
      if (this._wasAway) this._openDeal = null;
    }
    this._moves = [...this._moves, ...moves];
    // What was played on the deals that are known comes first: it decides whether the next one is due.
    const known = this._shuffles.length;
    const isKnown = ({ shuffle = 0 }) => shuffle < known;
    if (this._mirror) this._take(this._mirror, openings.filter(isKnown));
    for (const news of deals) {
      const gap = this.#hear(news, state);
      if (gap || this._found.length) return gap;
    }
    // Of a round that is over, or before the deal of the present one.
    const { deal: newest } = this.memory;
    if (whole && newest > 0 && newest < shown.deal) return [newest + 1, shown.deal];
    if (newest && newest !== shown.deal) this._fault("DEAL_NOT_NEXT", { deal: shown.deal, expected: newest });
    this._checkWhole();
    this.#follow(
      state,
      openings.filter((opening) => !isKnown(opening)),
    );
    this.#checkOwnMoves(state);
    if (whole && this._mirror?.engine && !this._found.length) this.#checkPacks(this._mirror);
    return null;
  }

  /** Between two matches people come and go without a word: whoever left the room owes nothing there any more, once
   * another match has begun. */
  #forgetTheGone({ phase, members }) {
    const misses = Object.entries(this.memory.misses);
    if (phase !== "lobby" || !misses.length) return;
    const here = new Set(this._wasAway ? [] : members.map(({ id }) => id));
    const kept = misses.map(([seat, miss]) => [seat, { ...miss, gone: miss.gone || !here.has(miss.member) }]);
    if (kept.some(([, { gone }], at) => gone !== misses[at][1].gone))
      this.memory = { ...this.memory, misses: Object.fromEntries(kept) };
  }

  /** When the whole round is told again, its moves are those that were told before. A hand that was called off before its
   * cards has none any more, and of one that ended while this client was away nothing is told. */
  #checkToldAgain({ public: { hand }, you, moves, deals }) {
    const isGone = !moves.length && you.view === null && !(this._shuffles.length && deals.length);
    if (!isGone && !same(moves.slice(0, this._moves.length), this._moves))
      this._fault("VIEW_MISMATCH", { field: "moves", hand });
  }

  /** When the whole round is told again, each shuffle was of the pack that the rules had asked for by then. */
  #checkPacks(mirror) {
    const packs = mirror.wants === null ? mirror.packs : [...mirror.packs, mirror.wants];
    const deals = [...this._deals.values()].filter(
      ({ missing, context }) => !missing.length && context.hand === this._hand,
    );
    if (deals.length > packs.length)
      this._fault("HAND_BROKEN_OFF", { deal: deals.at(-1).context.deal, hand: this._hand });
    deals.slice(0, packs.length).forEach(({ context }, place) => {
      if (canonical.write(packs[place]) !== context.pack) this._fault("PACK_MISMATCH", { deal: context.deal });
    });
  }

  #hear(news, state) {
    if (news.type === "DEAL_FIXED") return this._fixed(news, state);
    if (news.type === "DEAL_MADE") this._made(news);
    else if (news.type === "DEAL_VOID") this._void(news);
    else this._opened(news);
    return null;
  }

  /** Nobody acts in this player's name, but for what the rules do when somebody does not act in time. Before the cards,
   * nobody puts in chips. */
  #checkOwnMoves({ public: { game } }) {
    const engine = this.engineOf(game);
    const isKnown = this.ownActions && engine && this._seat !== null;
    if (this._found.length || !isKnown || this.accepted.has("MOVE_NOT_MINE")) return;
    const read = (action) => {
      try {
        return engine.readMove(this._seat, action);
      } catch {
        return null;
      }
    };
    const isOwn = (action) => action && (this._shuffles.length || engine.stakes(action));
    const told = [...this.#ownMoves.entries()].filter(([, raw]) => isOwn(read(raw)));
    if (!told.length) return;
    const made = this.ownActions(this._hand).map(({ number, action }) => [number, sortedJson(read(action))]);
    const strange = strangeMoves(told, made);
    const forced = strange.length && this._mirror ? this._mirror.byItself(this._seat) : new Set();
    for (const [number, move] of strange)
      if (!forced.has(number)) this._fault("MOVE_NOT_MINE", { move: move.slice(0, 80) });
  }

  get #ownMoves() {
    const own = [];
    for (const move of this._mirror?.moves ?? this._moves) {
      if (!Object.hasOwn(move, "seat")) throw new Malformed("moves");
      if (move.seat !== this._seat) continue;
      if (!Object.hasOwn(move, "action")) throw new Malformed("moves");
      own.push(move.action);
    }
    return own;
  }

  /** How many moves of this player the room has told in this hand: what they do now is the next one. */
  get nextOwnMove() {
    return this.#ownMoves.length;
  }

  /** Holds what the room shows to what follows from the proofs and the moves. */
  #follow(state, openings) {
    if (this._found.length) return;
    if (!this._mirror && this._shuffles.length) this._mirror = this._restored(state);
    const mirror = this._mirror;
    if (!mirror) {
      this.#checkBare(state);
      return;
    }
    this._take(mirror, openings);
    if (this._found.length) return;
    const { public: shown, you } = state;
    if (you.view === null) {
      this.#checkUnseen(state);
      return;
    }
    if (!mirror.engine) {
      this._found.push(...mirror.faultsIn(state));
      this.#checkOwnSeat();
      return;
    }
    this.#checkRules(mirror, shown);
    this._checkPlayed(mirror);
    this.#checkOwnPlace(mirror);
    if (mirror.payouts === null) mirror.passTo(shown.turn, this._seat, you.view);
    this.#compare(mirror, state);
  }

  /** Nothing of a round is shown in the lobby, and when a hand was called off before its cards: then nobody has anything
   * to do, either. */
  #checkUnseen({ public: { phase, hand }, you }) {
    if (phase !== "lobby" && this._shuffles.length) this._fault("VIEW_MISMATCH", { field: "view", hand });
    else if (you.menu.length) this._fault("VIEW_MISMATCH", { field: "menu", hand });
  }

  /** As long as a round is shown, so are the game and the rules that it was dealt by. */
  #checkRules(mirror, { game, rules, phase, deal }) {
    const known = this.#shownRules;
    if (phase === "lobby" || (known?.mirror === mirror && known.game === game && same(known.rules, rules))) return;
    const engine = this.engineOf(game);
    if (engine !== mirror.engine || !same(plainRules(engine, rules), plainRules(engine, mirror.rules)))
      this._fault("RULES_CHANGED", { deal });
    else this.#shownRules = { mirror, game, rules };
  }

  /** This player is dealt in only where their cut went in. */
  #checkOwnPlace(mirror) {
    if (this._seat === null || !this._shuffles.length) return;
    const [first] = this._shuffles;
    if (mirror.dealtIn.includes(this._seat) && !this.#isListed(first)) this._fault("NOT_LISTED", { deal: first });
    this.#checkOwnSeat();
  }

  /** Nobody is moved to another seat after the cut, and nobody cuts in this player's name. */
  #checkOwnSeat() {
    for (const number of this._shuffles) {
      const { ownSeat } = this._deals.get(number);
      if (ownSeat !== null && ownSeat !== this._seat)
        this._fault("SEAT_CHANGED", { deal: number, seat: ownSeat, shown: this._seat });
      else if (ownSeat === null && this.#isListed(number) && this.#mustBeMine(number))
        this._fault("PROMISE_NOT_MINE", { deal: number });
    }
  }

  /** Whether a cut for this player in a deal must be one that this client gave. */
  #mustBeMine(number) {
    return number > this.memory.decidedDeal && !this.accepted.has("PROMISE_NOT_MINE");
  }

  /** Whether a deal was seen being fixed, and not yet cut or void. */
  isOpen(deal) {
    return this._openDeal === deal;
  }

  /** Before a deal is cut, no card can be there; and where the cards come first, nobody has anything to do yet. */
  #checkBare({ public: shown, you }) {
    const [place] = cardsIn(you.view);
    if (this._found.length) return;
    const engine = this.engineOf(shown.game);
    if (place !== undefined) this._fault("CARD_WITHOUT_PROOF", { place });
    else if (!isUndealt(engine, you)) this._found.push(malformed("view"));
    else if (you.menu.length && (you.view === null || dealsFirst(engine, shown.rules)))
      this._fault("VIEW_MISMATCH", { field: "menu", hand: shown.hand });
  }

  /** What the room shows this viewer is what the rules make of the moves and the proved cards. */
  #compare(mirror, { public: shown, you }) {
    const made = mirror.view(this._seat);
    if (!isObject(you.view)) {
      this._found.push(malformed("view"));
      return;
    }
    const mismatch = (field) => this._fault("VIEW_MISMATCH", { field, hand: shown.hand });
    if (mirror.engine.stamped && (you.view.currentUid ?? null) !== (this.#persons.get(made.currentSeat) ?? null))
      mismatch("currentUid");
    const [view, expected] = [mirror.unstamped(you.view), mirror.unstamped(made)];
    if (!same(view, expected))
      mismatch(Object.keys(expected).find((name) => !same(view[name] ?? null, expected[name])) ?? "view");
    if (you.menu.length && (this._seat === null || !same(you.menu, mirror.menu(this._seat)))) mismatch("menu");
    const { payouts } = mirror;
    if (payouts === null && shown.payouts === null) return;
    if (!same(shown.payouts, payouts)) {
      const row = (numbers) => (numbers ?? []).join(" ");
      this._fault("PAYOUT_MISMATCH", { recorded: row(shown.payouts), computed: row(payouts) });
    }
    const unopened = this._shuffles.find((number) => !this._deals.get(number).cards.length);
    if (mirror.engine.opensAll && unopened !== undefined) this._fault("SECRET_NOT_REVEALED", { deal: unopened });
  }

  /** What happened, as far as it follows from the rules. Whoever comes back is told some of earlier rounds, too, which
   * nobody could check any more. */
  #heard({ public: shown, you, events, whole }) {
    const mirror = this._mirror;
    const isRuleless = mirror ? !mirror.engine : this.engineOf(shown.game) === null;
    if (isRuleless) return this.#heardWithoutRules(events, whole);
    const expected = mirror?.heard(this._seat) ?? new Map();
    // Of a hand that was called off nothing is shown.
    const mustFollow = mirror !== null && mirror.tellsAll && you.view !== null;
    const told = this.#events;
    const good = [];
    for (const event of events) {
      if (typeof event?.type !== "string") {
        this._found.push(malformed("events"));
        return [];
      }
      const name = sortedJson(mirror === null ? event : mirror.unstampedEvent(event));
      count(told, name);
      if (told.get(name) <= (expected.get(name) ?? 0) || !(mustFollow || cardsIn(event).length)) good.push(event);
      else if (!whole) this._fault("VIEW_MISMATCH", { field: "events", hand: shown.hand });
    }
    // What does not follow was of an earlier round, and may happen again in this one.
    if (whole) this.#events = new Map([...told].map(([name, times]) => [name, Math.min(times, expected.get(name) ?? 0)]));
    return good;
  }

  /** What happened, as far as its cards were proved. */
  #heardWithoutRules(events, whole) {
    const unproved = (event) => (this._mirror ? this._mirror.unproved(event) : cardsIn(event)[0]);
    const good = events.filter((event) => typeof event?.type === "string" && unproved(event) === undefined);
    // Whoever comes back is told some of earlier rounds, too.
    if (good.length < events.length && !whole) this._found.push(malformed("events"));
    return good;
  }

  /** The cut that the room waits for, once the player has answered what stood against it. */
  wantedNow() {
    return this.#state === null || this.isAlarmed ? null : this.#wanted(this.#state);
  }

  /** The cut that the room waits for from this player, if nothing speaks against it. */
  #wanted({ public: shown }) {
    const { memory } = this;
    this.asksAboutVoids = false;
    const deal = this._deals.get(memory.deal);
    if (this._seat === null || !shown.waitsFor.includes(this._seat)) return null;
    if (!deal || deal.cut || deal.missing.length || deal.context.hand !== this._hand) return null;
    const promise = deal.context.cutters.find(({ seat }) => seat === this._seat)?.promise;
    if (promise === undefined) return null;
    const recent = memory.voids.filter((number) => number > memory.deal - DEALS_LOOKED_AT);
    if (recent.length >= VOIDS_ASKED && Math.max(...recent) > this.#voidsAccepted) {
      this.asksAboutVoids = true;
      if (this.#voidsAsked !== memory.deal) {
        this.#voidsAsked = memory.deal;
        this._note("MANY_VOIDS", { voids: recent.length, deals: DEALS_LOOKED_AT });
      }
      return null;
    }
    return { deal: memory.deal, promise, seal: memory.seal };
  }
}
