// The classroom table as this page hears it: the newest state, one's own place at it, and the commands.

/** Tells "state" after any change, and "notice" (detail: its code) when something ended for everybody. */
export class ClassroomSeat extends EventTarget {
  state = null;
  /** How the table was set up; comes with every state. */
  options = null;
  /** One's own id at the table; "" while watching only. */
  playerId = "";
  #connection;
  #closed = new AbortController();

  constructor(connection) {
    super();
    this.#connection = connection;
    const { signal } = this.#closed;
    connection.addEventListener("frame", ({ detail }) => this.#hear(detail), { signal });
    connection.addEventListener("status", () => this.#status(), { signal });
  }

  close() {
    if (this.playerId) this.leave().catch(() => {});
    this.#closed.abort();
  }

  get me() {
    return this.state?.players.find((player) => player.playerId === this.playerId) ?? null;
  }

  /** Hears the table; whoever had a place here a moment ago, as before a reload, has it again. */
  async watch() {
    const { playerId } = await this.#connection.request("CLASSROOM_WATCH");
    if (!this.state?.players.some((player) => player.playerId === playerId)) return;
    this.playerId = playerId;
    this.dispatchEvent(new Event("state"));
  }

  async join(name, dealerKey) {
    const { playerId } = await this.#connection.request("CLASSROOM_JOIN", { name, dealerKey });
    this.playerId = playerId;
    this.dispatchEvent(new Event("state"));
  }

  start() {
    return this.#connection.request("CLASSROOM_START_ROUND");
  }

  hit() {
    return this.#connection.request("CLASSROOM_HIT");
  }

  stand() {
    return this.#connection.request("CLASSROOM_STAND");
  }

  async leave() {
    await this.#connection.request("CLASSROOM_LEAVE");
    this.playerId = "";
    this.dispatchEvent(new Event("state"));
  }

  #hear(frame) {
    if (frame.type === "CLASSROOM_STATE") {
      this.before = this.state;
      this.state = frame.state;
      this.options = frame.options;
      this.dispatchEvent(new Event("state"));
    } else if (frame.type === "CLASSROOM_NOTICE") {
      if (frame.code === "GAME_TERMINATED") this.playerId = "";
      this.dispatchEvent(new CustomEvent("notice", { detail: frame.code }));
    }
  }

  /** The place waits for a moment; after that, losing the connection was leaving the table. */
  async #status() {
    if (this.#connection.status === "lost") this.lost = this.playerId !== "";
    if (this.#connection.status !== "open") return;
    this.playerId = "";
    await this.watch().catch(() => {});
    if (this.lost && !this.playerId) this.dispatchEvent(new CustomEvent("notice", { detail: "LOST" }));
    this.lost = false;
  }
}
