// A player's session at the casino: its newest state that passed the checks, and the commands that change it. It has a
// connection of its own, because in a blackjack room the same words (PLACE_BET, BLACKJACK_HIT …) are the room's.
//
// Everything is written to the player's own log in the vault before it counts; all tabs share it. When the server does
// what an honest one does not, there is an alarm, and nothing is bet until the player has decided.

import { Connection, newId, Refused } from "../connection.js";
import { toHex, utf8 } from "../fairness/encoding.js";
import { randomBytes, sha256 } from "../fairness/hash.js";
import { FORMAT, Notebook } from "../fairness/shuffle1client.js";
import { vault } from "../fairness/vault.js";
import { settings } from "../settings.js";
import { t } from "../texts.js";
import { pastRound, shownSeeds, shownState } from "./shown.js";

/** Statuses that a round passes through; the page takes its own time to show the dealer's cards. */
const PASSING = ["dealing", "dealer", "finished"];
/** Refusals for which the server has its own reasons, and so often a reveal may be refused for them. */
const PASSING_REFUSALS = ["STALE_VERSION", "STORE_FAILED", "BUSY", "RATE_LIMITED", "FAILED"];
const REVEAL_TRIES_MAX = 3;
const SEED_BYTES = 32;

/** What the player's side of the draw rests on. Tests replace it, to show what would happen otherwise. */
export const duties = { freshSeed: () => toHex(randomBytes(SEED_BYTES)) };

let connection = null;

/** The server did what an honest one does not: the player must decide. */
export class Alarmed extends Error {}

/** Tells "state" whenever something changed, and "status" when the connection was lost or found. */
export class CasinoSession extends EventTarget {
  state = null;
  params = null;
  rounds = [];
  notebook = new Notebook();
  /** The server seed that was revealed last, and passed every check. */
  revealed = null;
  /** A seed of the player's own choice, kept for every bet; "" for a fresh one each time. */
  typedSeed = "";
  #closed = new AbortController();
  #log = "";
  #linesRead = 0;
  #turn = Promise.resolve();

  async open() {
    connection ??= new Connection();
    connection.addEventListener("status", () => this.#status(), { signal: this.#closed.signal });
    connection.addEventListener("frame", ({ detail }) => this.#pushed(detail), { signal: this.#closed.signal });
    if (connection.status !== "open") await connection.hello("", settings().language);
    // The token is the one name for this player that no server can choose anew.
    this.#log = `shuffle1/${toHex(sha256(utf8(connection.token))).slice(0, 32)}`;
    this.params = await connection.request("BLACKJACK_GET_PARAMS");
    await this.#inTurn(() => this.#arrive());
    if (this.notebook.asked && !this.alarms.length) await this.rotate();
  }

  close() {
    this.#closed.abort();
  }

  get fresh() {
    return connection?.status === "open";
  }

  get alarms() {
    return this.notebook.alarms;
  }

  /** The player's own log, one line a step: the evidence, and what `croupier verify --mine` reads. */
  async log() {
    return `${(await vault.lines(this.#log)).join("\n")}\n`;
  }

  refresh() {
    return this.#inTurn(async () => {
      await this.#sync();
      const since = this.notebook.version;
      const state = await connection.request("BLACKJACK_GET_STATE");
      await this.#loadHistory();
      const shown = await this.#read(() => shownState(state, this.#decks));
      // It ended on another device, perhaps.
      if (shown && this.notebook.hasLost(shown))
        await this.#write(...this.notebook.seeHistory(this.rounds.map(pastRound), Date.now()));
      await this.#take(state, { since });
    });
  }

  /** Plays an action as the menu offers it. */
  async act({ type, ...fields }) {
    if (type === "PLACE_BET") {
      await this.#sync();
      if (!this.typedSeed && this.notebook.rotationDue(this.#seedsLeft)) await this.rotate();
      await this.#inTurn(() => this.#bet(fields.amount));
    } else {
      await this.#inTurn(async () => {
        await this.#sync();
        this.#hold();
        await this.#take(await this.#command(type, fields));
      });
    }
    if (this.state.finalPayout !== undefined) await this.#loadHistory();
  }

  /** Takes the chips of a newcomer again; only an empty wallet is filled. */
  async refill() {
    await this.#command("WALLET_REFILL", {});
    await this.refresh();
  }

  /** Has the server seed revealed, and checks every round that was dealt by it. */
  async rotate() {
    await this.#inTurn(async () => {
      for (let left = REVEAL_TRIES_MAX - 1; left >= 0; left--) if (await this.#rotateOnce(left)) break;
    });
    this.typedSeed = "";
    await this.refresh();
  }

  /** The player goes on in spite of every alarm so far, from what the server shows now. */
  async goOn() {
    await this.#inTurn(async () => {
      const state = await connection.request("BLACKJACK_GET_STATE");
      await this.#sync();
      await this.#write(this.notebook.decide(shownState(state, this.#decks), Date.now()));
      await this.#take(state);
    });
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

  get #decks() {
    return this.params.gameParameters.deckCount;
  }

  get #seedsLeft() {
    return this.state?.seeds.clientSeedsLeft ?? 0;
  }

  async #arrive() {
    await this.#sync();
    if (!this.#linesRead) {
      const about = { server: location.origin, player: connection.player?.id ?? "", format: FORMAT };
      await this.#write({ type: "LOG", atMs: Date.now(), ...about });
    }
    const since = this.notebook.version;
    const state = await connection.request("BLACKJACK_GET_STATE");
    await this.#loadHistory();
    await this.#sync();
    this.state = state;
    const shown = await this.#read(() => shownState(state, this.#decks));
    if (shown) {
      const past = this.rounds.map(pastRound);
      const sameDraw = (a, b) =>
        a.serverSeedHash === b?.serverSeedHash && a.clientSeed === b.clientSeed && a.nonce === b.nonce;
      const older = past.filter((round) => !sameDraw(round, shown.round));
      await this.#write(...this.notebook.seeHistory(older, Date.now()));
      await this.#write(...(await this.notebook.arrive(shown, past, Date.now(), since)));
    }
    this.#changed();
  }

  async #bet(amount) {
    await this.#sync();
    this.#hold();
    const typed = this.typedSeed || null;
    // A server that lies would take it, and had it before it committed to its own seed.
    if (typed && this.notebook.wasTypedElsewhere(typed))
      throw new Refused({ code: "CLIENT_SEED_USED", message: t("code.CLIENT_SEED_USED"), facts: {} });
    const bet = this.notebook.bet(amount, newId(), duties.freshSeed(this.state), Date.now(), typed);
    if (!bet) throw new Alarmed();
    // First written, then sent.
    await this.#write(bet);
    const { clientSeed, commandId } = bet;
    try {
      const fields = { amount, clientSeed, gameParams: { blackjack: {} } };
      const answer = await connection.request("PLACE_BET", {
        commandId,
        expectedVersion: this.state.version,
        ...fields,
      });
      await this.#take(answer, { bet });
    } catch (refused) {
      if (refused.code) await this.#refused(bet, refused);
      throw refused;
    }
  }

  async #refused(bet, { code }) {
    await this.#sync();
    await this.#write(...this.notebook.refuse(bet, code, this.#seedsLeft, Date.now()));
    this.#hold();
    if (code === "STALE_VERSION") await this.#lookAgain();
  }

  async #lookAgain() {
    const since = this.notebook.version;
    const state = await connection.request("BLACKJACK_GET_STATE");
    await this.#loadHistory();
    await this.#write(...this.notebook.seeHistory(this.rounds.map(pastRound), Date.now()));
    await this.#take(state, { since });
  }

  /** Asks once for the reveal; true when there is no more to ask. */
  async #rotateOnce(triesLeft) {
    await this.#sync();
    this.#hold();
    const asked = this.notebook.askRotation(newId(), this.state.version, Date.now());
    if (!this.notebook.asked) await this.#write(asked);
    try {
      const { commandId, version: expectedVersion } = asked;
      const answer = await connection.request("BLACKJACK_ROTATE_SEED", { commandId, expectedVersion });
      await this.#sync();
      const shown = await this.#read(() => shownSeeds(answer.seeds, answer.version, this.#decks));
      if (shown && this.notebook.asked)
        await this.#write(...(await this.notebook.reveal(answer.revealed, shown, Date.now())));
      this.#hold();
      this.revealed = { seed: answer.revealed };
      return true;
    } catch (refused) {
      if (!refused.code) throw refused;
      await this.#sync();
      const passing = PASSING_REFUSALS.includes(refused.code) && triesLeft > 0;
      const running = [...this.notebook.rounds.values()].some(({ over }) => !over);
      await this.#write(...this.notebook.refuseRotation(asked, refused.code, running || passing, Date.now()));
      this.#hold();
      if (!passing) throw refused;
      await this.#lookAgain();
      return false;
    }
  }

  async #command(type, fields) {
    try {
      return await connection.request(type, { commandId: newId(), expectedVersion: this.state.version, ...fields });
    } catch (refused) {
      if (refused.code === "STALE_VERSION") await this.#lookAgain();
      throw refused;
    }
  }

  /** Checks a state that was asked for, or came by itself; it is shown only if it is right. */
  async #take(state, { bet = null, since = 0 } = {}) {
    await this.#sync();
    const shown = await this.#read(() => shownState(state, this.#decks));
    if (shown) {
      const now = Date.now();
      const lines = bet ? await this.notebook.answer(bet, shown, now) : await this.notebook.see(shown, now, since);
      await this.#write(...lines);
    }
    this.#hold();
    if (state.version < this.state.version) return;
    this.state = state;
    this.#changed(state.events);
  }

  /** What cannot be read is an alarm. */
  async #read(work) {
    try {
      return work();
    } catch (fault) {
      await this.#write(...this.notebook.seeNonsense(fault.message, Date.now()));
      return null;
    }
  }

  #hold() {
    if (!this.alarms.length) return;
    this.#changed();
    throw new Alarmed();
  }

  /** A state that was not asked for: what the round passes through, or what another tab has done. */
  #pushed(frame) {
    if (frame.type !== "BLACKJACK_GAME_STATE" || PASSING.includes(frame.status) || !this.state) return;
    this.#inTurn(() => this.#take(frame))
      .then(() => (frame.finalPayout === undefined ? null : this.#loadHistory()))
      .catch(() => {});
  }

  async #loadHistory() {
    this.rounds = (await connection.request("BLACKJACK_HISTORY")).rounds;
    if (this.state) this.#changed();
  }

  /** One thing at a time: nothing is judged by a notebook that is about to change. */
  #inTurn(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Keeps some lines, and knows from then on what they say. */
  async #write(...lines) {
    for (const line of lines) await vault.append(this.#log, JSON.stringify(line));
    if (lines.length) await this.#sync();
  }

  /** Reads what this and other tabs have written. */
  async #sync() {
    const lines = await vault.lines(this.#log, this.#linesRead);
    this.#linesRead += lines.length;
    for (const line of lines) this.notebook.take(JSON.parse(line));
  }

  #changed(events = []) {
    this.dispatchEvent(new CustomEvent("state", { detail: events }));
  }

  async #status() {
    this.dispatchEvent(new Event("status"));
    if (this.fresh && this.state) await this.refresh().catch(() => {});
  }
}
