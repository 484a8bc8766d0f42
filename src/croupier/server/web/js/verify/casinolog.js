// Records of the casino held to the log of their player: every bet, its seeds, its cards and what came of it. The log is
// what the casino's page and the Python client write.

import { fact, finding } from "../fairness/findings.js";
import { ShapeError, parseLine, readCasinoLine } from "./shape.js";

const SEAT = 0;
/** Amounts are compared in hundredths of a chip. */
const HUNDREDTHS = 100;

const drawOf = ({ serverSeedHash, clientSeed, nonce }) => JSON.stringify([serverSeedHash, clientSeed, nonce]);

/** An amount of the log, which has hundredths at most. */
function exact(amount) {
  const hundredths = Math.round(amount * HUNDREDTHS);
  return BigInt(Number.isFinite(hundredths) ? hundredths : 0);
}

function shown(hundredths) {
  const chips = Number(hundredths) / HUNDREDTHS;
  return Number.isInteger(chips) ? String(chips) : chips.toFixed(2);
}

/** A round of the file, by the draw that decided it. */
class RecordedRound {
  constructor(proof, check) {
    Object.assign(this, { proof, check, draw: drawOf(proof), cards: check.record.cards });
  }

  #chips(units) {
    return BigInt(units) * BigInt(HUNDREDTHS / this.check.record.chip);
  }

  /** Whether the record says that the round was never finished. A casino finishes every round that it deals. */
  get isAbandoned() {
    return this.check.record.payouts === null && !this.check.round?.over;
  }

  /** What was bet before the cards; null where that cannot be told. */
  get bet() {
    const amount = this.check.moves[0]?.action?.amount;
    return Number.isInteger(amount) ? this.#chips(amount) : null;
  }

  /** What was staked, given back and left at the end; empty for a round that cannot be played to its end. */
  get result() {
    const { round, game } = this.check;
    if (!round?.over || game !== "blackjack") return {};
    const seat = round.view(SEAT).seats[SEAT];
    const [left] = round.engine.stacks(round.following, round.rules);
    const staked = seat.hands.reduce((sum, { bet }) => sum + bet, seat.insurance);
    return { staked: this.#chips(staked), payout: this.#chips(seat.finalPayout), balance: this.#chips(left ?? 0) };
  }
}

/** A line of such a log; null for what is none. */
function readLine(text) {
  try {
    return readCasinoLine(parseLine(text), "$");
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

const isBlank = (text) => text !== null && !text.trim();

/** Whether these are the lines of a log of `shuffle-1`. */
export function isCasinoLog(log) {
  const first = log.find((text) => !isBlank(text));
  return first !== undefined && readLine(first)?.type === "LOG";
}

/** The comparison of one player's log with the records of one file. */
export class CasinoLogCheck {
  findings = [];
  notices = [];
  /** How many lines were compared. */
  lines = 0;
  #rounds = new Map();
  #hashes = new Map();
  #bets = new Map();
  #refused = new Set();
  /** The newest that was seen of each round, as { line, seen }, and every card that was, by its place. */
  #seen = new Map();
  #earlier = new Map();
  #revealed = new Set();
  #neverDealt = 0;
  #alarms = [];

  /** `checks` are the RecordChecks of the file, in order. */
  constructor(checks) {
    for (const check of checks) {
      const [proof] = check.proofs;
      if (proof?.scheme !== "shuffle-1") continue;
      const round = new RecordedRound(proof, check);
      this.#rounds.set(round.draw, round);
      this.#hashes.set(proof.serverSeedHash, [...(this.#hashes.get(proof.serverSeedHash) ?? []), round]);
    }
  }

  /** Compares every line, then what must hold of all of them together. */
  async run(log, breathe = async () => {}) {
    for (const [place, text] of log.entries()) {
      if (isBlank(text)) continue;
      await breathe();
      const line = readLine(text);
      if (!line) {
        this.#note(place + 1, "LOG_UNREADABLE", { fault: fact(text?.slice(0, 40) ?? "UTF-8") });
        continue;
      }
      this.lines += 1;
      this.#line(place + 1, line);
    }
    if (!this.#rounds.size && this.#seen.size) {
      this.#fault(1, "LOG_OTHER_KIND");
      return;
    }
    for (const [draw, { line, seen }] of this.#seen) this.#compare(line, draw, seen);
    for (const [draw, sent] of this.#bets) this.#compareBets(draw, sent);
    this.#tellCounts();
  }

  #line(number, line) {
    const { type } = line;
    if (type === "COMMITMENT") this.#committed(number, line);
    else if (type === "BET")
      this.#bets.set(drawOf(line), [...(this.#bets.get(drawOf(line)) ?? []), { line: number, bet: line }]);
    else if (type === "REFUSED") this.#refused.add(line.commandId);
    else if (type === "CARDS") this.#cards(number, line);
    else if (type === "REVEALED") this.#reveal(number, line);
    else if (type === "NEVER_DEALT") {
      this.#neverDealt += 1;
      if (this.#rounds.has(drawOf(line))) this.#fault(number, "LOG_REFUSED_BET_DEALT", { nonce: fact(line.nonce) });
    } else if (type === "ALARM") this.#alarms.push(line.code);
  }

  #cards(number, line) {
    const draw = drawOf(line);
    if (line.cards.length || !this.#seen.has(draw)) this.#seen.set(draw, { line: number, seen: line });
    const places = this.#earlier.get(draw) ?? new Map();
    this.#earlier.set(draw, places);
    line.cards.forEach((card, place) => {
      const key = `${place} ${card}`;
      if (card !== null && !places.has(key)) places.set(key, { line: number, place, card });
    });
  }

  #reveal(number, { serverSeedHash, serverSeed }) {
    this.#revealed.add(serverSeedHash);
    for (const { proof } of this.#hashes.get(serverSeedHash) ?? [])
      if (proof.serverSeed !== null && proof.serverSeed !== serverSeed)
        this.#seedDiffers(number, serverSeedHash, "serverSeed");
  }

  #committed(number, { serverSeedHash, nextServerSeedHash, decks }) {
    for (const { proof, check } of this.#hashes.get(serverSeedHash) ?? []) {
      if (proof.nextServerSeedHash !== nextServerSeedHash)
        this.#seedDiffers(number, serverSeedHash, "nextServerSeedHash");
      if ((check.round?.rules.decks ?? decks) !== decks) this.#seedDiffers(number, serverSeedHash, "decks");
    }
  }

  #seedDiffers(number, hash, field) {
    this.#fault(number, "LOG_SEED_DIFFERS", { hash: fact(hash).slice(0, 16), field });
  }

  /** A round that was seen is in the record as it was seen. One that runs is not there yet. */
  #compare(number, draw, seen) {
    const played = this.#rounds.get(draw);
    const round = fact(seen.roundId);
    if (!played) {
      const isNewest = [...this.#seen.values()].every(({ line }) => line <= number);
      if (seen.over || !isNewest) this.#fault(number, "LOG_ROUND_MISSING", { round });
      else this.#note(number, "LOG_ROUND_RUNS", { round });
      return;
    }
    for (const { line, place, card } of this.#earlier.get(draw).values()) {
      const recorded = played.cards[place] ?? null;
      if (recorded !== card)
        this.#cardDiffers(line, { round, card: place, seen: fact(card), recorded: fact(recorded ?? "?") });
    }
    if (played.isAbandoned) this.#fault(number, "LOG_ROUND_ABANDONED", { round });
    else if (seen.over) this.#compareResult(number, seen, played);
  }

  #cardDiffers(line, facts) {
    this.#fault(line, "LOG_ROUND_CARD_DIFFERS", facts);
  }

  #compareResult(number, seen, played) {
    const count = (cards) => BigInt(cards.length * HUNDREDTHS);
    if (seen.cards.length && seen.cards.length !== played.cards.length)
      this.#differs(number, seen.roundId, "cards", count(seen.cards), count(played.cards));
    const { result } = played;
    const said = { staked: seen.staked, payout: seen.payout };
    // A purse without a whole chip may have been filled up; what the history tells has no balance.
    if (seen.cards.length && (result.balance ?? 0n) >= BigInt(HUNDREDTHS)) said.balance = seen.balance;
    for (const [field, due] of Object.entries(result)) {
      const own = said[field] ?? null;
      if (own !== null && exact(own) !== due) this.#differs(number, seen.roundId, field, exact(own), due);
    }
  }

  #differs(number, roundId, field, own, recorded) {
    const facts = { round: fact(roundId), field, seen: shown(own), recorded: shown(recorded) };
    this.#fault(number, "LOG_ROUND_DIFFERS", facts);
  }

  /** A bet that was refused was not dealt; one that was dealt is of the amount that was sent. */
  #compareBets(draw, sent) {
    const played = this.#rounds.get(draw);
    if (!played) return;
    const open = sent.filter(({ bet }) => !this.#refused.has(bet.commandId));
    const seen = this.#seen.get(draw)?.seen;
    const { bet: recorded } = played;
    if (!open.length && !seen)
      this.#fault(sent.at(-1).line, "LOG_REFUSED_BET_DEALT", { nonce: fact(played.proof.nonce) });
    else if (open.length && recorded !== null && open.every(({ bet }) => exact(bet.amount) !== recorded)) {
      const { line, bet } = open.at(-1);
      this.#differs(line, seen?.roundId ?? 0, "amount", exact(bet.amount), recorded);
    }
  }

  #tellCounts() {
    const unproven = [...this.#seen.values()].filter(({ seen }) => !this.#revealed.has(seen.serverSeedHash));
    const others = [...this.#rounds.keys()].filter((draw) => !this.#seen.has(draw) && !this.#bets.has(draw));
    const counts = {
      LOG_ROUNDS_UNPROVEN: unproven.length,
      LOG_NEVER_DEALT: this.#neverDealt,
      LOG_LACKS_ROUNDS: others.length,
    };
    for (const [code, count] of Object.entries(counts)) if (count) this.#note(0, code, { count });
    if (!this.#alarms.length) return;
    const codes = fact([...new Set(this.#alarms)].join(", "));
    this.#note(0, "LOG_HAS_ALARMS", { count: this.#alarms.length, codes });
  }

  #fault(line, code, facts = {}) {
    this.findings.push({ line, ...finding(code, facts) });
  }

  #note(line, code, facts) {
    this.notices.push({ line, ...finding(code, facts) });
  }
}
