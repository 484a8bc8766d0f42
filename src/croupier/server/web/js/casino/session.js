// A player's session at the casino: its newest state, and the commands that change it. It has a connection of its own,
// because in a blackjack room the same words (PLACE_BET, BLACKJACK_HIT …) are the room's.

import { Connection, newId } from "../connection.js";
import { toHex, utf8 } from "../fairness/encoding.js";
import { randomBytes, sha256 } from "../fairness/hash.js";
import { settings } from "../settings.js";

let connection = null;

/** A client seed made by this browser. */
export const newSeed = () => toHex(randomBytes(16));

/** Tells "state" whenever something changed, and "status" when the connection was lost or found. */
export class CasinoSession extends EventTarget {
  state = null;
  params = null;
  rounds = [];
  /** The server seed that was revealed last, and whether its hash is the one that was promised. */
  revealed = null;
  clientSeed = "";
  #closed = new AbortController();

  async open() {
    connection ??= new Connection();
    connection.addEventListener("status", () => this.#status(), { signal: this.#closed.signal });
    if (connection.status !== "open") await connection.hello("", settings().language);
    this.params = await connection.request("BLACKJACK_GET_PARAMS");
    await this.refresh();
  }

  close() {
    this.#closed.abort();
  }

  get fresh() {
    return connection?.status === "open";
  }

  async refresh() {
    this.#take(await connection.request("BLACKJACK_GET_STATE"));
    await this.loadHistory();
  }

  async loadHistory() {
    this.rounds = (await connection.request("BLACKJACK_HISTORY")).rounds;
    this.#changed();
  }

  /** Plays an action as the menu offers it; a bet brings the client seed. */
  async act({ type, ...fields }) {
    const own = type === "PLACE_BET" ? { clientSeed: this.clientSeed, gameParams: { blackjack: {} } } : {};
    const after = await this.#command(type, { ...fields, ...own });
    this.#take(after);
    if (after.finalPayout !== undefined) await this.loadHistory();
  }

  /** Takes the chips of a newcomer again; only an empty wallet is filled. */
  async refill() {
    await this.#command("WALLET_REFILL", {});
    await this.refresh();
  }

  /** Has the server seed revealed, checks it against the hash that was shown before, and takes a fresh client seed. */
  async rotate() {
    const promised = this.state.seeds.serverSeedHash;
    const { revealed } = await this.#command("BLACKJACK_ROTATE_SEED", {});
    this.revealed = { seed: revealed, hash: promised, kept: toHex(await sha256(utf8(revealed))) === promised };
    this.clientSeed = newSeed();
    await this.refresh();
  }

  async wallet() {
    return connection.request("WALLET_GET", { most: 20 });
  }

  /** The records of all rounds, one a line, as the verify page and `croupier verify` read them. */
  async records() {
    const answer = await fetch("/api/casino/records.jsonl", {
      headers: { authorization: `Bearer ${connection.token}` },
    });
    if (!answer.ok) throw new Error(`records: ${answer.status}`);
    return answer.text();
  }

  async #command(type, fields) {
    try {
      return await connection.request(type, { commandId: newId(), expectedVersion: this.state.version, ...fields });
    } catch (refused) {
      if (refused.code === "STALE_VERSION") await this.refresh();
      throw refused;
    }
  }

  #take(state) {
    this.state = state;
    if (!this.clientSeed) this.clientSeed = state.seeds.clientSeed ?? newSeed();
    this.#changed(state.events);
  }

  #changed(events = []) {
    this.dispatchEvent(new CustomEvent("state", { detail: events }));
  }

  async #status() {
    this.dispatchEvent(new Event("status"));
    if (this.fresh && this.state) await this.refresh().catch(() => {});
  }
}
