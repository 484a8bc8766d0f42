// One WebSocket to the room server: says hello, keeps its token, reconnects by itself, and asks again what was lost.
// When the server tells of others with the same rooms, it goes from one that is gone to the next.
//
// Tells "status" when it is lost or found again, "frame" for everything that answers no request, and "malformed" (detail:
// what is wrong) for what cannot be read: no honest server sends that.

import { MAY_CHANGE_NODE } from "./origin.js";
import { read, write } from "./settings.js";

const TOKEN_KEY = "croupier.token";
const NEXT_TOKEN_KEY = "croupier.token.next";
const DEVICE_KEY = "croupier.device";
const RETRY_MS_FIRST = 200;
const RETRY_MS_MAX = 5000;
/** Refusals that pass: the same may be asked again. */
const PASSING = ["BUSY", "FAILED", "RATE_LIMITED", "STORE_FAILED"];
const QUIET_MS_MAX = 10_000;
const ANSWER_MS_MAX = 5_000;
/** How long to wait instead when another node may be better. */
const ELSEWHERE_MS_MAX = 2500;

/** The server refused a request; nothing was changed. */
export class Refused extends Error {
  constructor({ code, message, facts }) {
    super(`${code}: ${message}`);
    Object.assign(this, { code, facts, message });
  }
}

/** 32 random bytes as the server writes tokens. */
const newToken = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";

/** What no frame of a server lacks; empty when this one has it all. */
function faultOf(frame) {
  if (!isObject(frame)) return "JSON";
  const { type, requestId = "", code, message, facts, public: shown } = frame;
  if (!isText(type)) return "type";
  if (!isText(requestId)) return "requestId";
  if (type === "ERROR" && !(isText(code) && isText(message) && isObject(facts))) return "ERROR";
  return type === "ROOM_STATE" && !isText(shown?.roomCode) ? "roomCode" : "";
}

export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(36)).join("");

export class Connection extends EventTarget {
  /** "closed" before the first hello, "open", or "lost". */
  status = "closed";
  player = null;
  /** Asked at every hello: which rooms to hear again, and the versions that are known of them. */
  resume = () => [];
  #socket = null;
  #waiting = new Map();
  #count = 0;
  #retryMs = RETRY_MS_FIRST;
  #retryTimer = 0;
  #quietTimer = 0;
  #clockAheadMs = 0;
  #greeting = null;
  #nodes = [location.origin];
  #node = 0;

  constructor() {
    super();
    const now = () => {
      if (this.status === "lost") this.#open();
    };
    addEventListener("online", now);
    // A network that has gone says nothing on its connections: whether the server can still be reached is tried anew.
    addEventListener("offline", () => this.#lost(this.#socket));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) now();
    });
  }

  get token() {
    return read(TOKEN_KEY, "");
  }

  /** A random name of this browser, by which a room keeps out who was removed from it. Only the server learns it. */
  get device() {
    const known = read(DEVICE_KEY, "");
    if (known) return known;
    write(DEVICE_KEY, newId());
    return read(DEVICE_KEY, "");
  }

  /** Makes the token of this player worthless wherever else it is: this browser has a new one. */
  async signOutElsewhere() {
    // Kept before it is sent: whether the answer comes or not, one of the two is right.
    const token = newToken();
    write(NEXT_TOKEN_KEY, token);
    await this.request("SIGN_OUT_EVERYWHERE", { token });
    this.#takeNextToken();
  }

  /** Takes the token that was to replace the last one; false when there is none. */
  #takeNextToken() {
    const token = read(NEXT_TOKEN_KEY, "");
    if (token) write(TOKEN_KEY, token);
    write(NEXT_TOKEN_KEY, null);
    return token !== "";
  }

  /** The server's clock, by which deadlines are given. */
  nowMs() {
    return Date.now() + this.#clockAheadMs;
  }

  /** Says hello: with the token of this browser, or as a newcomer. Resolves when the server knows who we are. */
  hello(nickname, language) {
    if (nickname) write(TOKEN_KEY, null);
    return new Promise((resolve, reject) => {
      this.#greeting = { nickname, language, resolve, reject };
      if (this.#socket) this.#socket.close();
      else this.#open();
    });
  }

  /** Asks, and gives the answer. A command is asked again after a loss: its id lets the server do it once only. */
  request(type, fields = {}) {
    return new Promise((resolve, reject) => {
      this.#count += 1;
      const frame = { type, requestId: String(this.#count), ...fields };
      this.#waiting.set(frame.requestId, { frame, resolve, reject });
      if (this.status === "open") this.#send(frame);
    });
  }

  #open() {
    clearTimeout(this.#retryTimer);
    if (this.#socket) return;
    const address = new URL("/ws", this.#nodes[this.#node]);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#greet());
    socket.addEventListener("message", (event) => this.#read(event.data));
    socket.addEventListener("close", () => this.#lost(socket));
    if (this.#nodes.length > 1) this.#listenFor(ANSWER_MS_MAX);
  }

  async #greet() {
    const socket = this.#socket;
    const { nickname = "", language = "" } = this.#greeting ?? {};
    const { token, device } = this;
    const who = token ? { token } : { nickname };
    try {
      const welcome = await this.#ask("HELLO", { ...who, language, device });
      if (welcome.token) write(TOKEN_KEY, welcome.token);
      this.player = { id: welcome.playerId, name: welcome.nickname };
      this.#nodes = [...new Set([location.origin, ...((MAY_CHANGE_NODE && welcome.nodes) || [])])];
      this.#clockAheadMs = welcome.serverTimeMs - Date.now();
      this.#hearAgain(socket);
      this.#became("open");
      for (const { frame } of [...this.#waiting.values()]) if (!frame.sent) this.#send(frame);
      this.#greeting?.resolve(this.player);
      this.#greeting = null;
    } catch (refused) {
      if (refused.code === "BAD_TOKEN" && (this.token !== token || this.#takeNextToken())) {
        // Somebody has signed out everywhere in this browser, and left the new token here.
        this.#socket?.close();
        return;
      }
      if (refused.code === "BAD_TOKEN") write(TOKEN_KEY, null);
      this.#greeting?.reject(refused);
      this.#greeting = null;
      if (refused.code) this.#became("refused");
      this.#socket?.close();
    }
  }

  /** Hears the rooms again that were heard before. Where that cannot be now, as when everybody comes back at once after
   * a restart, the line is taken for lost and tried anew, later each time. */
  async #hearAgain(socket) {
    const asked = this.resume().map((room) => this.#ask("ROOM_WATCH", room));
    const answers = await Promise.allSettled(asked);
    if (answers.some(({ reason }) => PASSING.includes(reason?.code))) this.#lost(socket);
    else if (socket === this.#socket) this.#retryMs = RETRY_MS_FIRST;
  }

  /** A request of the greeting itself, which does not wait for it. */
  #ask(type, fields) {
    const answer = this.request(type, fields);
    const waiting = this.#waiting.get(String(this.#count));
    if (!waiting.frame.sent) this.#send(waiting.frame);
    return answer;
  }

  #send(frame) {
    const { sent, ...plain } = frame;
    this.#socket.send(JSON.stringify(plain));
    frame.sent = true;
    this.#listenFor(ANSWER_MS_MAX);
  }

  /** When nothing is heard for a while the connection may be dead without saying so. A second HELLO is refused at once
   * and touches nothing: the cheapest question there is. */
  #listenFor(milliseconds) {
    clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(() => {
      if (this.status === "lost" || (this.status === "open" && this.#waiting.size)) this.#lost(this.#socket);
      else if (this.status === "open") this.#ask("HELLO", { nickname: "" }).catch(() => {});
    }, this.#atMost(milliseconds));
  }

  #read(text) {
    let frame = null;
    try {
      frame = JSON.parse(text);
    } catch {
      frame = null;
    }
    const fault = faultOf(frame);
    if (fault) this.dispatchEvent(new CustomEvent("malformed", { detail: fault }));
    else this.#heard(frame);
  }

  #heard(frame) {
    this.#listenFor(QUIET_MS_MAX);
    const waiting = this.#waiting.get(frame.requestId);
    if (!waiting) {
      this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
      return;
    }
    this.#waiting.delete(frame.requestId);
    if (frame.type === "ERROR") waiting.reject(new Refused(frame));
    else waiting.resolve(frame);
  }

  #lost(socket) {
    if (!socket || socket !== this.#socket) return;
    this.#socket = null;
    this.#node = (this.#node + 1) % this.#nodes.length;
    clearTimeout(this.#quietTimer);
    socket.close();
    for (const [id, waiting] of this.#waiting) {
      waiting.frame.sent = false;
      if (waiting.frame.commandId) continue;
      this.#waiting.delete(id);
      waiting.reject(new Error("the connection was lost"));
    }
    if (this.status === "refused" && !this.#greeting) return;
    if (this.status === "open") this.#became("lost");
    // Whoever introduces themselves anew is not kept waiting; where there is no network, they are.
    const isFirst = this.#greeting && !this.#greeting.tried;
    if (this.#greeting) this.#greeting.tried = true;
    this.#retryTimer = setTimeout(() => this.#open(), isFirst ? 0 : this.#retryMs * (0.75 + Math.random() / 2));
    this.#retryMs = Math.min(2 * this.#retryMs, this.#atMost(RETRY_MS_MAX));
  }

  #atMost(milliseconds) {
    return this.#nodes.length > 1 ? Math.min(milliseconds, ELSEWHERE_MS_MAX) : milliseconds;
  }

  #became(status) {
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }
}
