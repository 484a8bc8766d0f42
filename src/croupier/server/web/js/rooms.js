// The rooms that this page hears: their newest state, checked before anybody sees it, and what is said in them.

import { newId } from "./connection.js";
import { Checker } from "./fairness/checker.js";
import { GAMES } from "./games/registry.js";
import { read, write } from "./settings.js";

const CHATS_KEPT_MAX = 200;
const RECENT_KEY = "croupier.recent";
const RECENT_MAX = 6;

/** One room. Tells "state" (detail: the frame), "said", "reaction", "presence", "closed" and "trust". */
export class Room extends EventTarget {
  state = null;
  connected = [];
  said = [];
  checker = new Checker();
  /** Whether the state on show is the newest that there is. */
  fresh = false;
  /** What the game wants to remember of all that it heard here, whichever page is on show; see the registry. */
  memory = null;
  #connection;
  #queue = Promise.resolve();
  #publishing = false;

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

  /** A command of the room. */
  command(type, fields = {}) {
    return this.#connection.request(type, { roomCode: this.code, commandId: newId(), ...fields });
  }

  /** An action of the game as the menu offers it, at the version that was seen. Where several may act at once, as when
   * bets are made, somebody else may have been first: then it is asked again, as long as the same is offered. */
  async act({ type, ...fields }) {
    const { public: shown, you } = this.state;
    const offered = JSON.stringify(you.menu);
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

  /** Takes a frame of this room; one after the other, because checking takes a moment. */
  take(frame) {
    this.#queue = this.#queue.then(() => this.#take(frame));
    return this.#queue;
  }

  async #take(frame) {
    if (frame.type === "ROOM_STATE") await this.#takeState(frame);
    else if (frame.type === "PRESENCE") this.connected = frame.connected;
    else if (frame.type === "CHAT_SAID") this.said = [...this.said, frame].slice(-CHATS_KEPT_MAX);
    const name = { ROOM_STATE: "state", PRESENCE: "presence", CHAT_SAID: "said", REACTION_SHOWN: "reaction" };
    this.dispatchEvent(new CustomEvent(name[frame.type] ?? "closed", { detail: frame }));
  }

  async #takeState(frame) {
    const seat = this.#seatIn(frame);
    const { view } = frame.you;
    const faults = await this.checker.check(frame, seat, view ? GAMES[frame.public.game].cardsInSight(view) : []);
    this.state = frame;
    this.fresh = true;
    this.memory ??= GAMES[frame.public.game].memory?.(this.code) ?? null;
    this.memory?.take(frame);
    if (faults.length || frame.openings.length) this.dispatchEvent(new Event("trust"));
    this.#cut(frame, seat);
  }

  #seatIn(frame) {
    return frame.public.members.find((member) => member.id === this.#connection.player?.id)?.seat ?? null;
  }

  /** Takes part in the cut: gives the link that a deal waits for, and publishes a chain where there is none. */
  async #cut(frame, seat) {
    if (seat === null) return;
    const owed = this.checker.contribution(frame.public, seat);
    if (owed) {
      this.command("DEAL_CUT", { value: owed.value }).then(owed.accepted, (refused) => {
        if (refused.code === "BAD_CONTRIBUTION") this.checker.dropChain();
      });
    } else if (
      this.checker.needsChain &&
      !this.#publishing &&
      !frame.public.deals.some((deal) => deal.waitsFor.length)
    ) {
      await this.publishChain();
    }
  }

  /** Publishes a new chain. While a deal is being cut that is refused, and tried again with the next state. */
  async publishChain() {
    this.#publishing = true;
    try {
      await this.command("DEAL_ANCHOR", { anchor: await this.checker.newChain() });
    } catch {
      this.checker.dropChain();
    } finally {
      this.#publishing = false;
    }
  }
}

/** All rooms of a connection. */
export class Rooms {
  #connection;
  #rooms = new Map();

  constructor(connection) {
    this.#connection = connection;
    connection.addEventListener("frame", ({ detail }) => this.#hear(detail));
    connection.addEventListener("status", () => {
      if (connection.status !== "open") for (const room of this.#rooms.values()) room.fresh = false;
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
    await this.#connection.request("ROOM_WATCH", { roomCode: code, knownVersion: this.of(code).version });
    return this.#settled(code);
  }

  async join(code, asSpectator = false) {
    const type = asSpectator ? "ROOM_JOIN_AS_SPECTATOR" : "ROOM_JOIN";
    await this.#connection.request(type, { roomCode: code, commandId: newId() });
    return this.#settled(code);
  }

  async create(fields) {
    const { roomCode } = await this.#connection.request("ROOM_CREATE", { commandId: newId(), ...fields });
    return this.#settled(roomCode);
  }

  /** Opens a room, fills its seats with bots and starts: one click. */
  async playNow(game) {
    const { playNow } = GAMES[game];
    const room = await this.create({ game, preset: playNow.preset, options: playNow.options });
    for (const bot of playNow.bots) await room.command("HOST_ADD_BOT", { bot });
    if (room.checker.needsChain) await room.publishChain();
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
    if (!room.state) await new Promise((resolve) => room.addEventListener("state", resolve, { once: true }));
    const { game } = room.state.public;
    remember(code, game);
    return room;
  }
}

/** The rooms that this browser was in lately, the last one first. */
export const recentRooms = () => read(RECENT_KEY, []);

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
