// What a player's client knows of shuffle-1, against a server that may lie: all that stands in its own log. It takes no
// step by itself. Each question to it (may I bet, is this answer right, may I see this state) gives lines to be written
// down, alarms among them; once they are kept, `take` makes them part of what is known. So every tab and later visit that
// reads the same log knows the same. The same as dealing/shuffle1_client.py, line by line.

import { isHash } from "./encoding.js";
import { packOf, shuffle } from "./shuffle1.js";
import { checks, FIRST_CARDS } from "./shuffle1checks.js";

export const FORMAT = "croupier-shuffle-1-log-1";
/** After so many rounds the client has the seed revealed by itself: what is not revealed is not proved. */
const ROUNDS_BEFORE_ROTATION = 50;

const keyOf = ({ serverSeedHash, clientSeed, nonce }) => JSON.stringify([serverSeedHash, clientSeed, nonce]);
const pairOf = ({ serverSeedHash, clientSeed }) => JSON.stringify([serverSeedHash, clientSeed]);
const alarm = (found, atMs) => ({ type: "ALARM", atMs, ...found });
const isAlarming = (lines) => lines.some(({ type }) => type === "ALARM");
const without = (draws, hash) => new Map([...draws].filter(([, { serverSeedHash }]) => serverSeedHash !== hash));

const committed = ({ version, serverSeedHash, nextServerSeedHash, decks }, atMs) => ({
  type: "COMMITMENT",
  atMs,
  version,
  serverSeedHash,
  nextServerSeedHash,
  decks,
});

const seen = ({ serverSeed, ...round }, version, atMs) => ({ type: "CARDS", atMs, version, payout: null, ...round });

export class Notebook {
  /** The commitment in force, as it was first shown. */
  commitment = null;
  /** A rotation that was asked for and not yet answered. */
  asked = null;
  /** Those about which the player has not decided. */
  alarms = [];
  /** How many rounds were dealt as their revealed seeds say. */
  proven = 0;
  /** Bets that were sent, and not dealt as far as is known. */
  openBets = new Map();
  /** The rounds of seeds that are not revealed. */
  rounds = new Map();
  /** The newest version of the session that was seen. */
  version = 0;
  #givenUp = new Map();
  #replaced = new Set();
  #counts = new Map();
  /** The amounts that were sent for each draw. */
  #amounts = new Map();
  #typed = new Map();
  #accepted = new Set();

  constructor(lines = []) {
    for (const line of lines) this.take(line);
  }

  /** How many rounds were dealt by seeds that are not revealed. */
  get unproven() {
    return this.rounds.size;
  }

  /** The first bet on the commitment in force that was not dealt: the next one is the same draw. */
  get pending() {
    const hash = this.commitment?.serverSeedHash;
    return [...this.openBets.values()].find(({ serverSeedHash }) => serverSeedHash === hash) ?? null;
  }

  /** Makes a line of the log part of what is known. */
  take(line) {
    if (["COMMITMENT", "CARDS"].includes(line.type)) this.version = Math.max(this.version, line.version);
    switch (line.type) {
      case "COMMITMENT":
        this.#goOnWith(line);
        break;
      case "BET":
        this.openBets.set(keyOf(line), line);
        this.#amounts.set(keyOf(line), [...(this.#amounts.get(keyOf(line)) ?? []), line.amount]);
        if (line.typed) this.#typed.set(line.clientSeed, line.serverSeedHash);
        break;
      case "CARDS":
        this.#counts.set(pairOf(line), Math.max(this.#counts.get(pairOf(line)) ?? 0, line.nonce + 1));
        this.openBets.delete(keyOf(line));
        this.#keepRound(line);
        break;
      case "ROTATE":
        this.asked = line;
        break;
      case "ROTATE_REFUSED":
        this.asked = null;
        break;
      case "REVEALED":
        this.proven += line.rounds;
        this.asked = null;
        this.rounds = without(this.rounds, line.serverSeedHash);
        this.openBets = without(this.openBets, line.serverSeedHash);
        this.#givenUp = without(this.#givenUp, line.serverSeedHash);
        this.#forgetAmounts(line.serverSeedHash);
        break;
      case "ALARM":
        this.alarms.push(line);
        break;
      case "DECIDED":
        this.#decided(line);
    }
  }

  #keepRound(line) {
    const before = this.rounds.get(keyOf(line));
    // A line from the history has no cards.
    this.rounds.set(keyOf(line), before && !line.cards.length ? { ...line, cards: before.cards } : line);
  }

  #forgetAmounts(hash) {
    for (const key of this.#amounts.keys()) if (JSON.parse(key)[0] === hash) this.#amounts.delete(key);
  }

  #goOnWith(shown) {
    const before = this.commitment?.serverSeedHash ?? shown.serverSeedHash;
    if (before !== shown.serverSeedHash) this.#replaced.add(before);
    this.commitment = shown;
  }

  #decided(line) {
    this.alarms = [];
    this.#givenUp = new Map([...this.#givenUp, ...this.openBets]);
    this.openBets.clear();
    this.asked = null;
    this.version = line.version;
    this.#goOnWith(committed(line, line.atMs));
    this.#replaced.delete(line.serverSeedHash);
    for (const seen of this.#running) this.#accepted.add(keyOf(seen));
    if (line.clientSeed !== null && line.nonce !== null) this.#accepted.add(keyOf(line));
  }

  // Seeing what the server shows.

  /** What is to be written about a message that cannot be read. */
  seeNonsense(fault, atMs) {
    return this.alarms.length ? [] : [alarm({ code: "STATE_MALFORMED", facts: { fault: String(fault) } }, atMs)];
  }

  /** What is to be written about the first state of a visit. Somebody who plays on several devices has the seed revealed
   * on another one, too: nothing is wrong with that where no round of this log depends on the seed, or the server's
   * history tells it, and it fits. */
  async arrive(shown, history, atMs, since = 0) {
    const known = this.commitment;
    if (!known || this.alarms.length || this.#rotates(shown) || shown.serverSeedHash === known.serverSeedHash)
      return this.see(shown, atMs, since);
    const found =
      checks.malformed(shown) ?? checks.woundBack(since, shown) ?? checks.cameBack(this.#replaced, shown);
    if (found) return [alarm(found, atMs)];
    const told = history.find(
      ({ serverSeedHash, serverSeed }) => serverSeed && serverSeedHash === known.serverSeedHash,
    );
    let lines = [];
    if (told) lines = await this.#revealed(told.serverSeed, atMs);
    else if (this.pending || this.#dealt.length) return this.see(shown, atMs, since);
    return isAlarming(lines) ? lines : [...lines, committed(shown, atMs)];
  }

  /** What is to be written about a state. `since` is the version that was known when it was asked for; 0 for one that
   * came by itself. One that is older than what is known by now says nothing. */
  async see(shown, atMs, since = 0) {
    if (this.alarms.length) return [];
    const found = checks.woundBack(since, shown);
    if (found) return [alarm(found, atMs)];
    if (shown.version < this.version) return [];
    const lines = await this.#seeCommitment(shown, atMs);
    if (this.#rotates(shown) || isAlarming(lines)) return lines;
    lines.push(...this.#seeRound(shown.round, shown.version, atMs));
    return isAlarming(lines) ? lines : [...lines, ...this.#seeDropped(shown, atMs)];
  }

  /** Whether the server has done what was asked for, and goes on with the seed it announced. */
  #rotates(shown) {
    const known = this.commitment;
    return (
      known !== null &&
      this.asked?.serverSeedHash === known.serverSeedHash &&
      shown.serverSeedHash === known.nextServerSeedHash
    );
  }

  async #seeCommitment(shown, atMs) {
    const malformed = checks.malformed(shown);
    if (malformed) return [alarm(malformed, atMs)];
    const known = this.commitment;
    if (!known) return [committed(shown, atMs)];
    if (this.#rotates(shown)) {
      const last = shown.round;
      // Whoever asked for it is told the seed, and checks it.
      if (!last?.serverSeed || last.serverSeedHash !== known.serverSeedHash) return [];
      return this.reveal(last.serverSeed, shown, atMs);
    }
    const found = checks.unasked(known, shown) ?? checks.swapped(known, shown) ?? checks.nextChanged(known, shown);
    if (found) return [alarm(found, atMs)];
    const same =
      shown.serverSeedHash === known.serverSeedHash && shown.nextServerSeedHash === known.nextServerSeedHash;
    return same ? [] : [committed(shown, atMs)];
  }

  #seeRound(shown, version, atMs) {
    if (!shown || this.#accepted.has(keyOf(shown))) return [];
    const before = this.rounds.get(keyOf(shown)) ?? null;
    if (!before && !this.openBets.has(keyOf(shown))) {
      const strange = shown.over ? null : checks.notMine(shown);
      return strange ? [alarm(strange, atMs)] : [];
    }
    const found = before ? checks.cardSwapped(before, shown) : this.#otherAmount(shown);
    if (found) return [alarm(found, atMs)];
    if (before?.over === shown.over && JSON.stringify(before.cards) === JSON.stringify(shown.cards)) return [];
    return [seen(shown, version, atMs)];
  }

  #seeDropped(shown, atMs) {
    const found = checks.dropped(this.#running, shown);
    return found ? [alarm(found, atMs)] : [];
  }

  /** Whether a round that was running is not in this state: then only the history can tell how it ended. */
  hasLost(shown) {
    return checks.dropped(this.#running, shown) !== null;
  }

  /** The rounds that were not seen to end. There is one at most, at an honest server. */
  get #running() {
    return [...this.rounds.values()].filter((seen) => !seen.over && !this.#accepted.has(keyOf(seen)));
  }

  /** Bets whose answer never came, and rounds not seen to end, that are among the server's past rounds after all. */
  seeHistory(rounds, atMs) {
    const known = new Set([...this.openBets.keys(), ...this.#running.map(keyOf)]);
    return rounds
      .filter((played) => known.has(keyOf(played)))
      .map((played) => {
        const found = this.#otherAmount(played);
        return found ? alarm(found, atMs) : seen(played, this.version, atMs);
      });
  }

  /** What is wrong with the stake of a round that was bet on and whose beginning was not seen. */
  #otherAmount(shown) {
    const sent = this.#amounts.get(keyOf(shown));
    return sent ? checks.otherAmount(sent, shown, { answers: false }) : null;
  }

  // Betting.

  /** The bet to be written down and then sent; null while nothing may be bet. What was refused or not answered is asked
   * again: the same seed and nonce, whatever the amount. Else it is the typed seed with its next nonce, or the fresh one. */
  bet(amount, commandId, freshSeed, atMs, typedSeed = null) {
    const known = this.commitment;
    if (!known || this.alarms.length || this.asked) return null;
    const { pending } = this;
    if (pending) return { ...pending, atMs, amount, commandId };
    const { serverSeedHash } = known;
    const clientSeed = typedSeed ?? freshSeed;
    const nonce = this.#counts.get(pairOf({ serverSeedHash, clientSeed })) ?? 0;
    return { type: "BET", atMs, serverSeedHash, clientSeed, nonce, amount, commandId, typed: typedSeed !== null };
  }

  /** Whether a seed was used under another commitment: then the house knew it before it made this one. */
  wasTypedElsewhere(seed) {
    const hash = this.commitment?.serverSeedHash;
    return hash !== undefined && (this.#typed.get(seed) ?? hash) !== hash;
  }

  /** What is to be written about the answer to a bet, before anything else is done with it. */
  async answer(bet, shown, atMs) {
    if (this.alarms.length) return [];
    if (!shown.round) return [alarm({ code: "BET_NOT_DEALT", facts: {} }, atMs)];
    const found =
      checks.otherHash(bet, shown.round) ??
      checks.otherSeed(bet, shown.round) ??
      checks.otherNonce(bet, shown.round) ??
      checks.otherAmount([bet.amount], shown.round, { answers: true });
    if (found) return [alarm(found, atMs)];
    let lines = await this.#seeCommitment(shown, atMs);
    if (!isAlarming(lines)) lines = [...lines, ...this.#seeDropped(shown, atMs)];
    return isAlarming(lines) ? lines : [...lines, seen(shown.round, shown.version, atMs)];
  }

  /** What is to be written about a refused bet. It stays open: the next one is the same draw. */
  refuse(bet, code, clientSeedsLeft, atMs) {
    const refused = { type: "REFUSED", atMs, commandId: bet.commandId, code };
    const found = checks.untrue(code, clientSeedsLeft);
    return found ? [refused, alarm(found, atMs)] : [refused];
  }

  // The reveal.

  /** The rounds dealt by the seed in force. */
  get #dealt() {
    return [...this.rounds.values()].filter(({ serverSeedHash }) => serverSeedHash === this.commitment?.serverSeedHash);
  }

  /** Whether the client should have the seed revealed before the next bet with a fresh seed. */
  rotationDue(clientSeedsLeft) {
    if (!this.commitment || this.alarms.length || this.pending) return false;
    const dealt = this.#dealt.length;
    return dealt > 0 && (dealt >= ROUNDS_BEFORE_ROTATION || clientSeedsLeft < 1);
  }

  /** The wish to be written down and then sent; one that was not answered is sent again. Null while there is nothing to
   * reveal, or an alarm. */
  askRotation(commandId, version, atMs) {
    if (!this.commitment || this.alarms.length) return null;
    const { serverSeedHash } = this.commitment;
    return this.asked ?? { type: "ROTATE", atMs, serverSeedHash, commandId, version };
  }

  /** What is to be written when the seed is not revealed: loud, unless a round runs or none was dealt by it. */
  refuseRotation(asked, code, running, atMs) {
    const refused = { type: "ROTATE_REFUSED", atMs, commandId: asked.commandId, code };
    const found = checks.revealRefused(code, running || this.#dealt.length === 0);
    return found ? [refused, alarm(found, atMs)] : [refused];
  }

  /** What is to be written about a seed that was revealed as asked for, and about the next commitment. */
  async reveal(serverSeed, shown, atMs) {
    const known = this.commitment;
    const lines = await this.#revealed(serverSeed, atMs);
    if (isAlarming(lines)) return lines;
    const found = checks.malformed(shown) ?? checks.nextSkipped(known, shown);
    return found ? [alarm(found, atMs)] : [...lines, committed(shown, atMs)];
  }

  /** Whether the seed is the one first promised, and every card that was seen follows from it; and what the bets that
   * were never dealt would have been. */
  async #revealed(serverSeed, atMs) {
    const known = this.commitment;
    const { serverSeedHash, decks } = known;
    const rounds = this.#dealt;
    const found = checks.notPromised(known, serverSeed) ?? (await checks.notFromSeeds(known, rounds, serverSeed));
    if (found) return [alarm(found, atMs)];
    const never = [];
    for (const bet of new Map([...this.#givenUp, ...this.openBets]).values()) {
      if (bet.serverSeedHash !== serverSeedHash || !isHash(serverSeed)) continue;
      const { clientSeed, nonce, amount } = bet;
      const cards = (await shuffle(packOf(decks), serverSeed, clientSeed, nonce)).slice(0, FIRST_CARDS);
      never.push({ type: "NEVER_DEALT", atMs, serverSeedHash, clientSeed, nonce, amount, cards });
    }
    return [...never, { type: "REVEALED", atMs, serverSeedHash, serverSeed, rounds: rounds.length }];
  }

  /** The player goes on in spite of the alarms, from what the server shows now. */
  decide({ version, serverSeedHash, nextServerSeedHash, decks, round }, atMs) {
    const { clientSeed = null, nonce = null } = round && !round.over ? round : {};
    return { type: "DECIDED", atMs, version, serverSeedHash, nextServerSeedHash, decks, clientSeed, nonce };
  }
}
