// A player's guard in one room: checks every state, cuts the deals that pass, and remembers it all in the vault. A cut is
// bound to one deal before it is given: the vault keeps "this promise, this seal" once, for all tabs of this browser.
// What happened is written to the player's own log, which `croupier verify RECORD --mine LOG` reads. A twin of
// `croupier.clients.room_guard`.

import { engineOf, loadEngine } from "../games/engines.js";
import { Checker } from "./checker.js";
import { ASKED_FOR, VOIDS_MAX } from "./dealchecker.js";
import { checkContext, checkRoots, contextHash, promiseOf, sealOf } from "./cut2.js";
import { isHash, toHex, utf8 } from "./encoding.js";
import { finding } from "./findings.js";
import { randomBytes, sha256 } from "./hash.js";
import { isDealFixed, isObject, newMemory, same } from "./memory.js";

const SECRET_BYTES = 32;
const LOG_FORMAT = "croupier-log-1";
const PROGRAM_BYTES = 8;
const CODE = /^[A-Z0-9]{1,32}$/;

/** The room did what an honest one does not: nothing is bet until the player has decided. */
export class Alarm extends Error {
  constructor(findings) {
    super(findings.map(({ code }) => code).join(", "));
    this.findings = findings;
  }
}

export class Guard {
  /** Whether what must be remembered could not be kept. */
  forgets = false;
  #vault;
  #code;
  #room = "";
  /** The room that the newest state is about. */
  #shownRoom = "";
  #own;
  /** This tab among those that write the same log. */
  #program = toHex(randomBytes(PROGRAM_BYTES));
  /** When each deal was shown, and when its cut was sent. */
  #seenMs = new Map();
  #sentMs = new Map();
  /** What this player did in the newest hand, and what they asked for, as { hand, kind, chips }, in any tab. */
  #acts = { hand: -1, actions: [] };
  #asked = [];
  /** What was known when this page asked for the room, as { room, memory, told }, without a name where nothing was; null
   * when it did not look. */
  #remembered = null;
  /** What was kept last of the moves of a hand, as { hand, deal, since, moves }. */
  #told = null;
  #lines = [];
  #written = Promise.resolve();

  /** `me` is the player's id in the room, `code` the room's code. */
  constructor(me, code, vault) {
    this.me = me;
    this.checker = new Checker(me, engineOf);
    this.checker.ownActions = (hand) => (this.#acts.hand === hand ? this.#acts.actions : []);
    // An earlier version wrote down purchases only, and no kind.
    this.checker.ownRequests = (first, last) =>
      this.#asked.filter(({ hand }) => first <= hand && hand <= last).map(({ kind = "bought", chips }) => ({ kind, chips }));
    this.#code = code;
    this.#vault = vault;
    /** This player among those who share the vault. */
    this.#own = toHex(sha256(utf8(me))).slice(0, 16);
  }

  get #logName() {
    return `cut2/log/${this.#room}/${this.#own}`;
  }

  get #memoryName() {
    return `cut2/memory/${this.#room}`;
  }

  get #codeName() {
    return `cut2/code/${this.#code.toLowerCase()}`;
  }

  get #askedName() {
    return `cut2/bought/${this.#room}/${this.#own}`;
  }

  get #alarmsName() {
    return `cut2/alarms/${this.#room}/${this.#own}`;
  }

  #actsName(hand) {
    return `cut2/acts/${this.#room}/${hand}/${this.#own}`;
  }

  #key(kind, deal) {
    return `cut2/${kind}/${this.#room}/${deal}/${this.#own}`;
  }

  /** Before a room is entered: what is remembered of it now, its first state must know. What another tab sees meanwhile,
   * that state may not show yet. */
  async recall() {
    if (this.#room || !CODE.test(this.#code)) return;
    const room = (await this.#linesOf(this.#codeName)).at(-1) ?? "";
    this.#remembered = room ? await this.#rememberedOf(room) : { room, memory: null, told: null };
  }

  /** Checks a state, and writes down what it brought. */
  async see(frame) {
    await loadEngine(frame.public?.game);
    const alarms = await this.#open(frame);
    if (alarms.length) {
      this.#writeState(frame, { alarms, notes: [] });
      return { alarms, notes: [], cut: null, gap: null, events: [], isProved: false };
    }
    for (const news of Array.isArray(frame.deals) ? frame.deals : []) await this.#recall(news);
    await this.#recallActs(frame);
    await this.#recallAgreement();
    const seen = this.checker.see(frame);
    if (seen.gap === null) this.#writeState(frame, seen);
    this.#keepAlarms(seen.alarms);
    if (seen.remember) this.#keepMemory();
    if (!seen.alarms.length && seen.gap === null) this.#keepMoves();
    return seen;
  }

  /** At the first state: takes up what is remembered of the room. The alarms that hold already. */
  async #open(frame) {
    const room = frame.public?.roomId;
    if (isHash(room)) this.#shownRoom = room;
    if (this.#room || !isHash(room)) return [];
    this.#room = room;
    const { checker } = this;
    const isAsked = ["", room].includes(this.#remembered?.room);
    const { memory, told } = isAsked ? this.#remembered : await this.#rememberedOf(room);
    checker.memory = memory;
    // Of the newest deal this state may tell nothing more.
    if (memory?.deal) await this.#recallCut(memory.deal, memory.seal);
    if (told) checker.recallMoves(told);
    this.#told = told;
    const begun = await this.#kept((vault) => vault.last(this.#logName));
    if (!begun) this.#write({ format: LOG_FORMAT, room, player: this.me });
    for (const found of await this.#linesOf(this.#alarmsName)) {
      if (found.code) checker.findings.push(found);
      else checker.decided = checker.findings.length;
    }
    const before = CODE.test(this.#code) ? await this.#linesOf(this.#codeName) : [room];
    if (!before.length) this.#append(this.#codeName, room);
    else if (before.at(-1) !== room) this.#keepAlarms([checker.alarm("ROOM_REPLACED", { room: room.slice(0, 16) })]);
    return checker.alarms;
  }

  async #rememberedOf(room) {
    const memory = furthest(await this.#linesOf(`cut2/memory/${room}`));
    const told = memory && mostTold(await this.#linesOf(movesName(room, memory.hand)));
    return { room, memory, told: told && told.deal === memory.deal && memory.cut ? told : null };
  }

  async #linesOf(name) {
    return ((await this.#kept((vault) => vault.lines(name))) ?? []).map((line) => JSON.parse(line));
  }

  /** After a reload, and in a second tab: which of the round's deals this player has cut, and whether the room had taken
   * the cut. */
  async #recall(news) {
    const { memory, gave } = this.checker;
    if (isObject(news) && news.type === "DEAL_MADE" && memory?.deal === news.deal && !gave.has(news.deal))
      await this.#recallCut(memory.deal, memory.seal);
    if (!isDealFixed(news)) return;
    const { context, roots } = news;
    const { deal } = context;
    if (checkContext(context).length || checkRoots(context, roots).length || this.checker.gave.has(deal)) return;
    if (!this.#seenMs.has(deal)) this.#seenMs.set(deal, Date.now());
    await this.#recallCut(deal, toHex(sealOf(contextHash(context), roots)));
  }

  async #recallCut(deal, seal) {
    const keys = [this.#key("gave", deal), this.#key("acknowledged", deal)];
    const [given, acknowledged] = (await this.#kept((vault) => vault.getAll(keys))) ?? [null, null];
    const [sealed, secret] = given?.split(" ") ?? [];
    if (secret && sealed === seal) this.checker.gave.set(deal, secret);
    if (acknowledged !== null) this.checker.acknowledged.add(deal);
  }

  /** What this player did, also in another tab, where the room tells of moves or requests that may be theirs. */
  async #recallActs({ public: shown, you, moves, deals }) {
    const isOwn = (move) => isObject(move) && move.seat === you?.seat;
    if (Number.isSafeInteger(shown?.hand) && Array.isArray(moves) && moves.some(isOwn)) {
      await this.#written;
      const lines = await this.#linesOf(this.#actsName(shown.hand));
      // An earlier version wrote down the action alone.
      const actions = lines.map((line) => (Object.hasOwn(line, "number") ? line : { number: null, action: line }));
      this.#acts = { hand: shown.hand, actions };
    }
    const isAsked = ({ closing }) => typeof closing === "string" && ASKED_FOR.some((kind) => closing.includes(`"${kind}"`));
    if (Array.isArray(deals) && deals.some((news) => isObject(news) && isAsked(news))) {
      await this.#written;
      this.#asked = await this.#linesOf(this.#askedName);
    }
  }

  /** A hand that was void twice: whether this player has agreed to go on, in another tab. */
  async #recallAgreement() {
    const { memory } = this.checker;
    if (!memory || memory.handVoids < VOIDS_MAX || memory.agreedHand === memory.hand) return;
    const kept = await this.#linesOf(this.#memoryName);
    if (kept.some(({ agreedHand }) => agreedHand === memory.hand)) this.checker.agreeToHand(memory.hand);
  }

  #keepMemory() {
    if (this.#room) this.#append(this.#memoryName, this.checker.memory);
  }

  /** Keeps the moves of a hand that has its cards: told again after a reload, it must go on from there. */
  #keepMoves() {
    const told = this.checker.toldMoves;
    if (told === null || !this.#room) return;
    const kept = this.#told?.hand === told.hand ? this.#told : { deal: 0, moves: [] };
    const first = kept.moves.length;
    if (told.deal === kept.deal && told.moves.length <= first) return;
    this.#append(movesName(this.#room, told.hand), { ...told, moves: told.moves.slice(first), first });
    this.#told = told;
  }

  /** The player begins anew: what was told of the hand before need not be told again. */
  #forgetMoves() {
    if (!this.#room || !this.#told) return;
    const { hand } = this.#told;
    this.#append(movesName(this.#room, hand), { hand, deal: 0, since: 0, moves: [], first: 0 });
    this.#told = null;
  }

  /** An alarm holds until the player decides, also after a reload. */
  #keepAlarms(found) {
    if (this.#room) for (const each of found) this.#append(this.#alarmsName, each);
  }

  /** A promise for a deal to come. What is behind it is kept before anybody hears of it. */
  async promise() {
    const { promise, entry } = this.#fresh();
    if ((await this.#kept((vault) => vault.bind([entry]))) === undefined) return null;
    this.#write({ promise });
    return promise;
  }

  #fresh() {
    const secret = randomBytes(SECRET_BYTES);
    const promise = promiseOf(secret);
    return { promise, entry: [`cut2/secret/${promise}`, `${toHex(secret)} ${this.#own}`] };
  }

  /** What is behind a promise of this player; null when it is not theirs, or was made elsewhere. */
  async #secret(promise) {
    const kept = isHash(promise) ? await this.#kept((vault) => vault.get(`cut2/secret/${promise}`)) : null;
    const [secret, whose] = kept?.split(" ") ?? [];
    return whose === this.#own ? secret : null;
  }

  /** What to give to a deal, { value, promise } with the promise for the next one; null when nothing must be given. The
   * same seal again gets the same answer. */
  async cut(wanted) {
    const { deal, seal } = wanted;
    const given = await this.#bound(wanted, (secret) => [[this.#key("gave", deal), `${seal} ${secret}`]]);
    if (given === null) return null;
    const now = Date.now();
    this.checker.gave.set(deal, given.value);
    this.checker.seconds.set(deal, ((now - (this.#seenMs.get(deal) ?? now)) / 1000).toFixed(1));
    this.#sentMs.set(deal, now);
    return given;
  }

  /** What is behind a promise, once it is bound to this deal, together with what else is to be kept of it; null after an
   * alarm. */
  async #bound({ deal, promise, seal }, more) {
    const secret = await this.#secret(promise);
    if (secret === null) {
      if (!this.checker.accepted.has("PROMISE_NOT_MINE") && !this.forgets) this.alarm("PROMISE_NOT_MINE", { deal });
      return null;
    }
    await this.#written;
    const next = this.#fresh();
    const ofDeal = `cut2/deal/${this.#room}/${deal}`;
    const ofPromise = `cut2/sealed/${promise}`;
    const clash = await this.#kept((vault) =>
      vault.bind([[ofDeal, seal], [ofPromise, seal], ...more(secret), next.entry]),
    );
    if (clash !== null) {
      if (clash === ofDeal) this.alarm("DEAL_CHANGED", { deal });
      else if (clash !== undefined) this.alarm("PROMISE_SEALED_TWICE", { deal });
      return null;
    }
    this.#write({ promise: next.promise });
    this.#write({ cut: { deal, promise, seal, value: secret } });
    return { value: secret, promise: next.promise };
  }

  /** Raises an alarm that no single state shows, unless the player has decided about it. */
  alarm(code, facts = {}) {
    const { findings, decided } = this.checker;
    if (findings.slice(0, decided).some((each) => same(each, finding(code, facts)))) return;
    const alarms = [this.checker.alarm(code, facts)];
    this.#write({ alarms });
    this.#keepAlarms(alarms);
  }

  /** The cut that is owed to a deal, which is void by now; `told` begins with that deal as it was fixed. Null when it is
   * not to be given. */
  async owed(number, told) {
    const fixed = Array.isArray(told) ? told[0] : null;
    if (!isDealFixed(fixed)) return null;
    const { context, roots } = fixed;
    if (checkContext(context).length || checkRoots(context, roots).length) return null;
    const seal = toHex(sealOf(contextHash(context), roots));
    if (context.room !== this.#room || context.deal !== number || !this.#isPast(number, seal)) return null;
    for (const { promise } of context.cutters)
      if ((await this.#secret(promise)) !== null) return this.#bound({ deal: number, promise, seal }, () => []);
    return null;
  }

  /** Whether a deal is one of the room's that waits for no cut any more. */
  #isPast(deal, seal) {
    const { memory } = this.checker;
    if (!memory || deal > memory.deal || this.checker.isOpen(deal)) return false;
    return deal < memory.deal || seal === memory.seal;
  }

  /** The room has taken this player's cut: in time, unless the deal is known to be void, and this was what was owed. */
  async acknowledge(deal) {
    const { memory, isAlarmed } = this.checker;
    if (memory?.deal !== deal || memory.missing.length || isAlarmed) return;
    this.checker.acknowledged.add(deal);
    const now = Date.now();
    this.#write({ acknowledged: { deal, tookMs: now - (this.#sentMs.get(deal) ?? now) } });
    await this.#kept((vault) => vault.put(this.#key("acknowledged", deal), "yes"));
  }

  /** Takes the deals that were missed, up to the last of them. */
  async bridge(missed, last) {
    const own = new Set();
    for (const { context } of Array.isArray(missed) ? missed.filter(isDealFixed) : [])
      for (const { promise } of context.cutters) if ((await this.#secret(promise)) !== null) own.add(promise);
    this.checker.isOwnPromise = (promise) => own.has(promise);
    const alarms = this.checker.bridge(missed, last);
    this.#write({ bridged: missed, ...(alarms.length ? { alarms } : {}) });
    this.#keepAlarms(alarms);
    if (!alarms.length) this.#keepMemory();
    return alarms;
  }

  /** Whether an action may be offered: none that puts chips into a hand that was not cut here. */
  mayDo(game, action) {
    return this.checker.cutThisHand || engineOf(game)?.stakes(action) === false;
  }

  /** Writes down what the player is about to do. Throws Alarm when they must decide first, or would put chips into a hand
   * that was not cut here. */
  async act(game, hand, action) {
    const { checker } = this;
    if (checker.isAlarmed) throw new Alarm(checker.alarms);
    if (!this.mayDo(game, action)) throw new Alarm([finding("BET_WITHOUT_CUT")]);
    if (this.#room) this.#append(this.#actsName(hand), { number: checker.nextOwnMove, action });
    this.#write({ hand, action });
    await this.#written;
    if (checker.isAlarmed) throw new Alarm(checker.alarms);
  }

  /** Writes down what the player is about to ask for: `bought` chips, or to sit in again, `sat_in` or `waits`. */
  async asks(hand, kind, chips = 0) {
    if (this.#room) this.#append(this.#askedName, { hand, kind, chips });
    this.#write(kind === "bought" ? { hand, bought: chips } : { hand, sits: kind });
    await this.#written;
  }

  /** The player goes on in spite of every alarm so far, and begins anew with what the room shows next. */
  goOn() {
    const { checker } = this;
    this.#write({ decided: "go on", alarms: checker.alarms });
    this.#keepAlarms([finding("")]);
    if (checker.alarms.some(({ code }) => code === "ROOM_REPLACED")) {
      this.#room = this.#shownRoom;
      this.#append(this.#codeName, this.#room);
    }
    this.#forgetMoves();
    checker.decideToGoOn(this.#room);
    this.#keepMemory();
  }

  /** The player agrees to another deal of a hand that was void twice. */
  agree(hand) {
    this.checker.agreeToHand(hand);
    this.#keepMemory();
    this.#write({ agreed: hand });
  }

  /** The player cuts on although many deals were void. The cut that the room waits for, if it still does. */
  acceptVoids() {
    this.checker.agreeToVoids();
    this.#write({ decided: "voids" });
    return this.checker.wantedNow();
  }

  /** Writes down a state that came while the player had not decided: nobody sees it. */
  setAside(frame) {
    this.#writeState(frame, { alarms: [], notes: [] });
  }

  /** The player's own log of this room: one JSON text a line. */
  async log() {
    await this.#written;
    const lines = this.#room ? await this.#kept((vault) => vault.lines(this.#logName)) : [];
    return (lines ?? []).map((line) => `${line}\n`).join("");
  }

  #writeState({ public: shown, you, whole, deals, moves, openings }, { alarms, notes }) {
    const opened = Array.isArray(openings) ? openings : [];
    const entry = {
      deals,
      moves,
      cards: opened.map((opening) => ({ shuffle: opening?.shuffle, k: opening?.k, card: opening?.card })),
      payouts: Array.isArray(shown?.payouts) ? [shown.hand, ...shown.payouts] : [],
      alarms,
      notes,
    };
    const told = Object.entries(entry).filter(([, value]) => value?.length);
    const where = { hand: shown?.hand, seat: you?.seat, whole };
    if (told.some(([name]) => name !== "payouts")) this.#write({ ...where, ...Object.fromEntries(told) });
  }

  #write(entry) {
    if (this.#room) this.#append(this.#logName, { atMs: Date.now(), program: this.#program, ...entry });
  }

  /** Lines are kept in order; several that come at once go together. */
  #append(log, value) {
    this.#lines.push([log, JSON.stringify(value)]);
    this.#written = this.#written.then(() => {
      const lines = this.#lines.splice(0);
      return lines.length ? this.#kept((vault) => vault.appendAll(lines)) : null;
    });
  }

  /** Asks the vault for something. Where the browser keeps nothing the answer is undefined, and the player must know:
   * nobody who forgets can notice a lie. */
  async #kept(ask) {
    try {
      return await ask(this.#vault);
    } catch (error) {
      if (!this.forgets) this.checker.alarm("NOTHING_KEPT", { fault: String(error?.message ?? error).slice(0, 200) });
      this.forgets = true;
      return undefined;
    }
  }
}

/** The furthest that any tab of this browser has seen of a room, since its player last began anew. */
function furthest(kept) {
  const isDecided = ({ cut, missing }) => Boolean(cut || missing.length);
  const isFurther = (one, other) =>
    one.deal > other.deal || (one.deal === other.deal && isDecided(one) >= isDecided(other));
  const best = kept.reduce((one, each) => (one === null || !each.deal || isFurther(each, one) ? each : one), null);
  return best && { ...newMemory(best.room), ...best };
}

const movesName = (room, hand) => `cut2/moves/${room}/${hand}`;

/** The most that any tab of this browser was told of the moves of a hand; null where that is nothing. */
function mostTold(lines) {
  return lines.reduce((best, { first, ...told }) => {
    const before = best?.moves ?? [];
    if (!told.deal || before.length < first) return null;
    const isMore = before.length < first + told.moves.length || best === null || best.deal < told.deal;
    return isMore ? { ...told, moves: [...before.slice(0, first), ...told.moves] } : best;
  }, null);
}
