// The rooms that this page hears: their newest state, checked before anybody sees it, and what is said in them.

import { newId } from "./connection.js";
import { Deals } from "./deals.js";
import { withoutCards } from "./fairness/cardsshown.js";
import { Guard } from "./fairness/guard.js";
import { vault } from "./fairness/vault.js";
import { currentName, gameEntry, gameShape, loadGame } from "./games/registry.js";
import { read, write } from "./settings.js";
import { findingText, loadMoreTexts } from "./texts.js";

const RECENT_KEY = "croupier.recent";
const RECENT_MAX = 6;
const PROMISE_MS_MAX = 5000;
const UNTOLD_MAX = 150;
/** Why a room cannot be heard yet: its host must let this player in. */
export const WAITING = "ROOM_WAITING";

const TOLD_AS = {
  PRESENCE: "presence",
  CHAT_SAID: "said",
  ROOM_STORY: "story",
  REACTION_SHOWN: "reaction",
  ROOM_ADMITTED: "admitted",
};

/** One room. Tells "state" (detail: the frame), "said", "story", "reaction", "presence", "closed", "trust" when something about
 * the checks has changed, "alarm" when the player must decide, and "note" (detail: a finding that is no alarm). */
export class Room extends EventTarget {
  state = null;
  connected = [];
  /** What was said and what happened, as lines on show: { kind, name, text }. */
  lines = [];
  /** What the server told of the time before this page came: lines, until they are on show. */
  story = null;
  /** What happened while no table was there to tell it: events, each with those who sat there then. */
  untold = [];
  /** Whether a table is on show that tells what happens. */
  isTold = false;
  /** Whether the state on show is the newest that there is. */
  fresh = false;
  /** What the game wants to remember of all that it heard here, whichever page is on show; see the registry. */
  memory = null;
  #connection;
  #queue = Promise.resolve();
  /** After the player went on in spite of an alarm: until a state tells the whole round again. */
  #beginsAnew = false;
  #guard = null;
  #deals = null;

  constructor(connection, code) {
    super();
    this.#connection = connection;
    this.code = code;
  }

  get version() {
    return this.state?.public.version ?? 0;
  }

  get me() {
    return this.state?.public.members.find((member) => member.id === this.#connection.player?.id) ?? null;
  }

  get isHost() {
    return this.state?.public.host === this.#connection.player?.id;
  }

  /** The player's guard here: what was checked, and what was found. */
  get guard() {
    const me = this.#connection.player?.id ?? "";
    if (this.#guard?.me !== me) {
      this.#guard = new Guard(me, this.code, vault);
      this.#deals = new Deals(this, this.#guard, () => this.#alarmed(this.state));
    }
    return this.#guard;
  }

  /** What the player must decide about before anything is bet here. */
  get alarms() {
    return this.guard.checker.alarms;
  }

  /** A command of the room. What a seat is asked for between two hands is written down first. */
  async command(type, fields = {}) {
    const { hand } = this.state?.public ?? {};
    if (type === "PLAYER_BUY_CHIPS") await this.guard.asks(hand, "bought", fields.chips);
    if (type === "PLAYER_SIT_IN") await this.guard.asks(hand, fields.wait ? "waits" : "sat_in");
    return this.#connection.request(type, { roomCode: this.code, commandId: newId(), ...fields });
  }

  /** A bot for every free seat. Those that the game names take turns. */
  async fillWithBots() {
    const { game, options, members } = this.state.public;
    const { fillingBots: kinds } = gameShape(game);
    const taken = members.filter(({ seat }) => seat !== null).length;
    for (let seat = taken; seat < options.seats; seat += 1)
      await this.command("HOST_ADD_BOT", { bot: kinds[(seat - 1) % kinds.length] });
  }

  /** The line is lost: what comes next was not seen from its beginning, but what waits to be checked was. */
  loseSight() {
    this.fresh = false;
    this.#queue = this.#queue.then(() => this.guard.checker.loseSight());
  }

  /** How deals of the room were fixed, from this number on. */
  history(first) {
    return this.#connection.request("DEAL_HISTORY", { roomCode: this.code, first });
  }

  /** An action of the game as the menu offers it, at the version that was seen. Where several may act at once, as when
   * bets are made, somebody else may have been first: then it is asked again, as long as the same is offered. */
  async act({ type, ...fields }) {
    const { public: shown, you } = this.state;
    const offered = JSON.stringify(you.menu);
    await this.guard.act(shown.game, shown.hand, { type, ...fields });
    try {
      return await this.command(type, { expectedVersion: this.version, ...fields });
    } catch (refused) {
      if (refused.code !== "STALE_VERSION" || shown.turn.length < 2) throw refused;
      while (this.version < refused.facts.version) await this.#nextState();
      if (JSON.stringify(this.state.you.menu) !== offered) throw refused;
      return this.act({ type, ...fields });
    }
  }

  #nextState() {
    return new Promise((resolve) => {
      this.addEventListener("state", resolve, { once: true });
    });
  }

  say(text) {
    return this.#connection.request("CHAT_SEND", { roomCode: this.code, text });
  }

  react(reaction) {
    return this.#connection.request("REACTION_SEND", { roomCode: this.code, reaction });
  }

  /** Goes on in spite of every alarm so far. The room is told anew, so that what comes next can be checked again. */
  async goOn() {
    this.guard.goOn();
    this.#beginsAnew = true;
    this.dispatchEvent(new Event("trust"));
    await this.#connection.request("ROOM_WATCH", { roomCode: this.code, knownVersion: 0 });
  }

  /** Agrees to another deal of a hand that was void twice. */
  async agree() {
    this.guard.agree(this.state.public.hand);
    await this.command("DEAL_AGREE");
  }

  /** Cuts on although many deals were void. */
  async acceptVoids() {
    const wanted = this.guard.acceptVoids();
    if (wanted) await this.#deals.cut(wanted);
  }

  /** Takes a frame of this room; one after the other, because checking takes a moment. */
  take(frame) {
    this.#queue = this.#queue.then(() => this.#take(frame)).catch((error) => this.malformed(error?.message));
    return this.#queue;
  }

  /** Something came that cannot be read, or not be drawn. No honest server sends that: the player must decide. */
  malformed(fault) {
    this.guard.alarm("STATE_MALFORMED", { fault: String(fault).slice(0, 200) });
    this.#alarmed(null);
  }

  async #take(frame) {
    if (frame.type === "ROOM_STATE") {
      await this.#takeState(frame);
      return;
    }
    if (frame.type === "STATES_SKIPPED") {
      this.guard.checker.loseSight();
      return;
    }
    if (frame.type === "PRESENCE") this.connected = frame.connected;
    // A page that has lines of its own needs no other's.
    if (frame.type === "ROOM_STORY") this.story ??= this.lines.length ? [] : frame.lines;
    this.dispatchEvent(new CustomEvent(TOLD_AS[frame.type] ?? "closed", { detail: frame }));
  }

  /** A new state: checked before it is shown. After an alarm it is held back until the player has decided. */
  async #takeState(frame) {
    const { guard } = this;
    const { checker } = guard;
    if (checker.isAlarmed || (this.#beginsAnew && frame.whole !== true)) {
      guard.setAside(frame);
      this.#deals.decline(frame);
      return;
    }
    this.#beginsAnew = false;
    await loadGame(frame.public?.game);
    let seen = await guard.see(frame);
    while (seen.gap && !checker.isAlarmed) {
      if (!(await this.#deals.bridge(seen.gap))) return;
      if (!checker.isAlarmed) seen = await guard.see(frame);
    }
    for (const note of seen.notes) this.dispatchEvent(new CustomEvent("note", { detail: note }));
    if (checker.isAlarmed) {
      this.#alarmed(frame);
      return;
    }
    const menu = frame.you.menu.filter(({ action }) => guard.mayDo(frame.public.game, action));
    const view = seen.isProved ? frame.you.view : withoutCards(frame.you.view);
    const shown = { ...frame.public, game: currentName(frame.public.game) };
    this.#show({ ...frame, public: shown, events: seen.events, you: { ...frame.you, view, menu } });
    if (seen.cut) this.#deals.cut(seen.cut);
    this.#deals.keepPromising(frame);
  }

  #show(frame) {
    const isFirst = !this.state;
    this.state = frame;
    this.fresh = true;
    this.memory ??= gameEntry(frame.public.game).memory?.(this.code) ?? null;
    this.memory?.take(frame);
    // What happened before the first state that came is the server's story.
    if (!this.isTold && !isFirst)
      this.untold = [...this.untold, ...frame.events.map((event) => ({ event, members: frame.public.members }))].slice(-UNTOLD_MAX);
    this.dispatchEvent(new CustomEvent("state", { detail: frame }));
    this.dispatchEvent(new Event("trust"));
  }

  /** Nothing more is shown, cut or bet until the player has decided. */
  #alarmed(frame) {
    if (!this.guard.checker.isAlarmed) return;
    this.#deals.decline(frame);
    if (!this.state && Array.isArray(frame?.public?.members)) this.#show(withoutGame(frame));
    this.dispatchEvent(new Event("trust"));
    this.dispatchEvent(new Event("alarm"));
  }

  /** Resolves when the room has this player's promise, or needs none, or the player must decide first. */
  async promised() {
    const isDone = () => !this.me || this.me.seat === null || this.me.promised || this.alarms.length > 0;
    const late = new Promise((resolve) => {
      setTimeout(resolve, PROMISE_MS_MAX, true);
      this.addEventListener("alarm", () => resolve(true), { once: true });
    });
    while (!isDone()) if (await Promise.race([this.#nextState(), late]) === true) return;
  }
}

/** A state that was not proved, with nothing of the game in it. */
const withoutGame = (frame) => ({
  ...frame,
  events: [],
  you: { seat: frame.you?.seat ?? null, view: null, menu: [] },
});

/** All rooms of a connection. */
export class Rooms {
  #connection;
  #rooms = new Map();

  constructor(connection) {
    this.#connection = connection;
    connection.addEventListener("frame", ({ detail }) => this.#hear(detail));
    connection.addEventListener("malformed", ({ detail }) => {
      for (const room of this.#rooms.values()) room.malformed(detail);
    });
    connection.addEventListener("status", () => {
      if (connection.status !== "open") for (const room of this.#rooms.values()) room.loseSight();
    });
    connection.resume = () =>
      [...this.#rooms.values()]
        .filter((room) => room.state)
        .map((room) => ({ roomCode: room.code, knownVersion: room.version }));
  }

  #hear(frame) {
    const code = frame.public?.roomCode ?? frame.roomCode;
    if (!code) return;
    if (frame.type === "ROOM_CLOSED") {
      this.#rooms.get(code)?.take(frame);
      this.#rooms.delete(code);
    } else {
      this.of(code).take(frame);
    }
  }

  of(code) {
    if (!this.#rooms.has(code)) this.#rooms.set(code, new Room(this.#connection, code));
    return this.#rooms.get(code);
  }

  /** Hears a room that one is in already. */
  async watch(code) {
    await this.of(code).guard.recall();
    const knownVersion = this.of(code).version;
    const { type } = await this.#connection.request("ROOM_WATCH", { roomCode: code, knownVersion });
    if (type === WAITING) throw Object.assign(new Error(type), { code: WAITING });
    return this.#settled(code);
  }

  /** Comes into a room. Where its host lets people in, `waits` is called, and this goes on when that is done. */
  async join(code, asSpectator = false, waits = () => {}) {
    const type = asSpectator ? "ROOM_JOIN_AS_SPECTATOR" : "ROOM_JOIN";
    await this.of(code).guard.recall();
    for (;;) {
      const answer = await this.#connection.request(type, { roomCode: code, commandId: newId() });
      if (answer.type !== WAITING) return this.#settled(code);
      waits();
      await this.#admitted(code);
    }
  }

  /** Waits no longer to be let in. */
  giveUp(code) {
    return this.#connection.request("ROOM_LEAVE", { roomCode: code, commandId: newId() });
  }

  /** Resolves when it is worth asking again: the host has decided, or the line was lost and is back. */
  #admitted(code) {
    return new Promise((resolve, reject) => {
      const over = new AbortController();
      const { signal } = over;
      const room = this.of(code);
      const settle = (settled) => (value) => {
        over.abort();
        settled(value);
      };
      room.addEventListener("admitted", settle(resolve), { signal });
      room.addEventListener(
        "closed",
        ({ detail }) => settle(reject)(Object.assign(new Error(detail.code), { code: detail.code, facts: {} })),
        { signal },
      );
      this.#connection.addEventListener(
        "status",
        () => {
          if (this.#connection.status === "open") settle(resolve)();
        },
        { signal },
      );
    });
  }

  async create(fields) {
    const { roomCode } = await this.#connection.request("ROOM_CREATE", { commandId: newId(), ...fields });
    return this.#settled(roomCode);
  }

  /** Opens a room, fills its seats with bots and starts: one click. */
  async playNow(game) {
    const { presets } = gameShape(game);
    const { playNow } = await loadGame(game);
    const [{ name: preset, bots: customary }] = presets;
    const options = { seats: customary + 1, ...playNow };
    const room = await this.create({ game, preset, options });
    await room.fillWithBots();
    await room.command("HOST_START_GAME");
    return room;
  }

  forget(code) {
    this.#rooms.delete(code);
  }

  /** The room once its first state is there. */
  async #settled(code) {
    const room = this.of(code);
    remember(code);
    if (!room.state && !room.alarms.length)
      await new Promise((resolve) => {
        for (const name of ["state", "alarm"]) room.addEventListener(name, resolve, { once: true });
      });
    // What cannot even be read cannot be shown.
    if (!room.state) {
      await loadMoreTexts();
      throw Object.assign(new Error(findingText(room.alarms[0])), { code: "STATE_MALFORMED" });
    }
    const { game } = room.state.public;
    remember(code, game);
    await room.promised();
    return room;
  }
}

/** The rooms that this browser was in lately, the last one first. */
export const recentRooms = () =>
  read(RECENT_KEY, []).map(({ code, game }) => ({ code, game: game && currentName(game) }));

function remember(code, game = null) {
  const others = recentRooms().filter((room) => room.code !== code);
  write(RECENT_KEY, [{ code, game }, ...others].slice(0, RECENT_MAX));
}

export function forgetRecent(code) {
  write(
    RECENT_KEY,
    recentRooms().filter((room) => room.code !== code),
  );
}
