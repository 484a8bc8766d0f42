// Records held to the log of somebody who was there: line by line, what their client saw, gave and was promised. A record
// that was forged as a whole agrees with itself; it does not agree with the log of a player who was dealt other cards.

import { fact, finding } from "../fairness/findings.js";
import { same } from "../fairness/memory.js";
import { engineOf } from "../games/engines.js";
import { ReplayFault } from "../games/record.js";
import { VOIDS_MAX } from "../fairness/dealchecker.js";
import { ShapeError, parseLine, readLogLine } from "./shape.js";

const CONTEXT_FIELDS = ["room", "deal", "hand", "shuffle", "rules", "setup", "pack", "packs", "before", "cutters"];

/** The comparison of one log with the records of one file. */
export class OwnLogCheck {
  findings = [];
  notices = [];
  /** How many lines were compared. */
  lines = 0;
  #checks;
  #deals;
  #rounds = new Map();
  #room;
  /** The deals that the log tells of, as { line, hand }, and the line of those that are not in the record. */
  #seen = new Map();
  #absent = new Map();
  #promises = new Set();
  /** By deal the line, and the seat that this player had when it was fixed. */
  #seats = new Map();
  #cuts = new Map();
  #acknowledged = new Set();
  #agreed = new Set();
  /** The last line in which the player decided to go on in spite of an alarm. */
  #decidedAt = 0;
  /** What the log tells of each round: { line, moves, told, payouts, cards }; `told` has for each program that wrote the
   * log the moves since the hand was last told anew. */
  #own = new Map();
  /** Hands that were seen to have a deal that everybody cut. */
  #dealtHands = new Set();
  /** What this player did, by hand. */
  #actions = new Map();
  #newestHand = 0;
  #hiddenCards = 0;
  #alarms = [];

  /** `checks` are the RecordChecks of the file, in order. */
  constructor(checks) {
    this.#checks = checks;
    this.#deals = new Map(checks.flatMap(({ deals }) => deals.map((deal) => [deal.number, deal])));
    for (const check of checks)
      if (check.hasOwnDeal && check.deals.length) this.#rounds.set(check.deals.at(-1).hand, check);
    const [first] = this.#deals.values();
    this.#room = first?.proof.context.room ?? "";
  }

  /** Compares every line, then what must hold of all of them together. */
  async run(log, breathe = async () => {}) {
    for (const [place, text] of log.entries()) {
      if (text !== null && !text.trim()) continue;
      await breathe();
      let line;
      try {
        line = readLogLine(parseLine(text), "$");
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
        this.#note(place + 1, "LOG_UNREADABLE", { fault: fact(error.message) });
        continue;
      }
      this.lines += 1;
      this.#line(place + 1, line);
    }
    if (!this.lines) {
      this.#fault(1, "LOG_EMPTY");
      return;
    }
    this.#compareRanges();
    this.#compareCuts();
    this.#compareRounds();
    this.#compareOwnMoves();
    if (this.#hiddenCards) this.#note(0, "LOG_CARDS_HIDDEN", { count: this.#hiddenCards });
    if (this.#alarms.length) {
      const codes = fact([...new Set(this.#alarms)].join(", "));
      this.#note(0, "LOG_HAS_ALARMS", { count: this.#alarms.length, codes });
    }
  }

  #line(number, line) {
    const fixed = [...line.bridged, ...line.deals.filter(({ type }) => type === "DEAL_FIXED")];
    const rooms = new Set([line.room, ...fixed.map(({ context }) => context.room)].filter(Boolean));
    for (const room of rooms) {
      if (!this.#room || room === this.#room) continue;
      this.#fault(number, "LOG_OTHER_ROOM", { room: fact(room).slice(0, 16) });
      this.#room = "";
    }
    if (line.promise) this.#promises.add(line.promise);
    this.#alarms.push(...line.alarms.map(({ code }) => fact(code)));
    if (line.decided) this.#decidedAt = number;
    if (line.hand !== null) this.#newestHand = line.hand;
    if (line.action !== null)
      this.#actions.set(this.#newestHand, [...(this.#actions.get(this.#newestHand) ?? []), line.action]);
    if (line.agreed !== null) this.#agreed.add(line.agreed);
    if (line.acknowledged) this.#acknowledged.add(line.acknowledged.deal);
    if (line.cut) {
      this.#promises.add(line.cut.promise);
      this.#cuts.set(line.cut.deal, { line: number, cut: line.cut });
    }
    for (const each of line.bridged) this.#fixed(number, each);
    // Whoever is told a hand from its beginning may have taken their seat after its void deals.
    const voids = line.whole ? line.deals.filter(({ type }) => type === "DEAL_VOID").map(({ deal }) => deal) : [];
    for (const news of line.deals) {
      const isFixed = news.type === "DEAL_FIXED" && line.seat !== null && !voids.includes(news.context.deal);
      if (isFixed && !this.#seats.has(news.context.deal))
        this.#seats.set(news.context.deal, { line: number, seat: line.seat });
      this.#news(number, news);
    }
    this.#takeRound(number, line);
  }

  #takeRound(number, { program, hand, moves, whole, cards, payouts }) {
    if (hand === null) return;
    const own = this.#own.get(hand) ?? { line: number, moves: [], told: new Map(), payouts: null, cards: new Map() };
    this.#own.set(hand, own);
    // Somebody who comes back may be told less at first, by a node that is behind; of a hand that was called off nothing
    // more is told.
    const told = [...(whole ? [] : (own.told.get(program) ?? [])), ...moves];
    own.told.set(program, told);
    const known = Math.min(own.moves.length, told.length);
    if (!same(own.moves.slice(0, known), told.slice(0, known))) this.#fault(number, "LOG_MOVES_DIFFER", { hand });
    if (told.length > own.moves.length) own.moves = told;
    for (const { shuffle, k, card } of cards) {
      const key = JSON.stringify([shuffle, k, card]);
      if (!own.cards.has(key)) own.cards.set(key, { shuffle, k, card, line: number });
    }
    if (payouts.length && payouts[0] === hand) own.payouts = payouts.slice(1);
  }

  #news(number, news) {
    if (news.type === "DEAL_FIXED") {
      this.#fixed(number, news);
      return;
    }
    const before = this.#seen.get(news.deal);
    if (news.type === "DEAL_MADE" && before) this.#dealtHands.add(before.hand);
    const deal = this.#deals.get(news.deal);
    if (!deal) return;
    const { proof } = deal;
    const { secrets } = proof;
    if (news.type === "DEAL_OPENED") this.#differs(number, deal.number, { secrets: secrets.includes(news.secret) });
    else if (news.type === "DEAL_VOID")
      this.#differs(number, deal.number, {
        missing: same(news.missing, proof.missing),
        cuts: same(news.cuts, proof.cuts),
        secrets: same(news.secrets, secrets),
      });
    else
      this.#differs(number, deal.number, {
        missing: !deal.isVoid,
        cuts: same(news.cuts, proof.cuts),
        secrets:
          news.secrets.length === secrets.length &&
          news.secrets.every((secret, place) => secret === null || secret === secrets[place]),
      });
  }

  #fixed(number, { context, roots, closing }) {
    if (!this.#seen.has(context.deal)) this.#seen.set(context.deal, { line: number, hand: context.hand });
    const deal = this.#deals.get(context.deal);
    if (!deal) {
      if (!this.#absent.has(context.deal)) this.#absent.set(context.deal, number);
      return;
    }
    const { proof } = deal;
    const good = CONTEXT_FIELDS.map((field) => [field, same(context[field], proof.context[field])]);
    good.push(["roots", same(roots, proof.roots)], ["closing", closing === proof.closing]);
    this.#differs(number, context.deal, Object.fromEntries(good));
  }

  #differs(number, deal, good) {
    for (const field of Object.keys(good).filter((each) => !good[each]))
      this.#fault(number, "LOG_DEAL_DIFFERS", { deal, field });
  }

  /** Deals of the log that the record lacks, and deals of the record that the log should have seen. */
  #compareRanges() {
    const recorded = [...this.#deals.keys()];
    const last = highest(recorded, 0);
    const finished = [...this.#own].filter(([, own]) => own.payouts).map(([hand]) => hand);
    const newest = highest(finished, -Infinity);
    const goingOn = [...this.#absent.keys()].filter((deal) => deal > last && newest < this.#seen.get(deal).hand);
    const lacking = [...this.#absent.keys()].filter((deal) => !goingOn.includes(deal));
    for (const [first, until] of runs(lacking))
      this.#fault(this.#absent.get(first), "LOG_DEALS_NOT_IN_RECORD", { first, last: until });
    if (goingOn.length) {
      const deal = lowest(goingOn);
      this.#note(this.#absent.get(deal), "LOG_GOES_ON", { deal });
    }
    if (!this.#seen.size) {
      if (recorded.length && !this.#own.size) this.#note(0, "LOG_TELLS_NOTHING");
      return;
    }
    const [low, high] = [lowest([...this.#seen.keys()]), highest([...this.#seen.keys()], 0)];
    const unseen = recorded.filter((deal) => deal > low && deal < high && !this.#seen.has(deal));
    for (const [first, until] of runs(unseen))
      this.#fault(this.#seen.get(low).line, "LOG_LACKS_DEALS", { first, last: until });
    if (recorded.length && lowest(recorded) < low)
      this.#note(this.#seen.get(low).line, "LOG_BEGINS_LATER", { deal: low });
    if (last > high) this.#note(this.#seen.get(high).line, "LOG_ENDS_EARLIER", { deal: high });
  }

  #compareCuts() {
    for (const { line, cut } of this.#cuts.values()) {
      const deal = this.#deals.get(cut.deal);
      if (deal) this.#compareCut(line, cut, deal);
    }
    for (const [number, { line, seat }] of this.#seats) {
      const deal = this.#deals.get(number);
      const promise = deal?.proof.context.cutters.find((cutter) => cutter.seat === seat)?.promise;
      if (promise === undefined) continue;
      if (!this.#promises.has(promise) && this.#decidedAt < line)
        this.#fault(line, "LOG_PROMISE_UNKNOWN", { deal: number, seat });
      if (this.#mustAgree(deal) && !this.#agreed.has(deal.hand))
        this.#fault(line, "LOG_NOT_AGREED", { deal: number, hand: deal.hand });
    }
  }

  #compareCut(line, cut, { proof, seal, number: deal }) {
    const seat = proof.context.cutters.find(({ promise }) => promise === cut.promise)?.seat;
    const given = proof.cuts.findLast((each) => each.seat === seat)?.value;
    if (cut.seal !== seal || seat === undefined) this.#fault(line, "LOG_DEAL_DIFFERS", { deal, field: "seal" });
    else if (proof.missing.includes(seat)) {
      if (this.#acknowledged.has(deal)) this.#fault(line, "LOG_CUT_CALLED_MISSING", { deal });
      else this.#note(line, "LOG_CUT_TOO_LATE", { deal });
    } else if (given !== cut.value) this.#fault(line, "LOG_CUT_NOT_IN_RECORD", { deal });
  }

  /** Whether the hand had been void so often that everybody had to agree to this deal. */
  #mustAgree({ number, hand, shuffle }) {
    let before = number - 1;
    const isVoidBefore = (deal) => deal?.isVoid && deal.hand === hand && deal.shuffle === shuffle;
    while (isVoidBefore(this.#deals.get(before))) before -= 1;
    return number - 1 - before >= VOIDS_MAX;
  }

  #compareRounds() {
    let undealt = this.#checks.filter((check) => check.record && !check.hasOwnDeal);
    for (const [hand, own] of [...this.#own].sort(([one], [other]) => one - other)) {
      const check = this.#rounds.get(hand);
      if (check) this.#compareRound(hand, own, check);
      else if (own.payouts && !this.#dealtHands.has(hand)) {
        // A round without a deal has no number in its record.
        while (undealt.length && !isRound(own, undealt[0])) undealt = undealt.slice(1);
        if (!undealt.length) this.#fault(own.line, "LOG_ROUND_NOT_IN_RECORD", { hand });
        undealt = undealt.slice(1);
      }
    }
  }

  #compareRound(hand, own, { record, moves, starts }) {
    const recorded = own.payouts ? moves : moves.slice(0, own.moves.length);
    if (!same(own.moves, recorded)) this.#fault(own.line, "LOG_MOVES_DIFFER", { hand });
    if (own.payouts && !same(own.payouts, record.payouts)) this.#fault(own.line, "LOG_PAYOUTS_DIFFER", { hand });
    for (const { shuffle, k, card: seen, line } of own.cards.values()) {
      const place = shuffle >= 0 && shuffle < starts.length ? starts[shuffle] + k : -1;
      const isThere = place >= 0 && place < record.cards.length;
      const said = isThere ? record.cards[place] : null;
      // A record for somebody else. The card is bound by the roots and cuts, which are compared.
      if (isThere && said === null) this.#hiddenCards += 1;
      else if (said !== seen)
        this.#fault(line, "LOG_CARD_DIFFERS", { hand, card: place, seen: fact(seen), recorded: fact(said ?? "?") });
    }
  }

  /** Nobody put in chips in this player's name. Whoever went on in spite of that alarm has another device. */
  #compareOwnMoves() {
    if (this.#decidedAt) return;
    for (const [hand, { game, deals, moves }] of this.#rounds) {
      const engine = engineOf(game);
      const { cutters } = deals.at(-1).proof.context;
      const own = cutters.find(({ promise }) => this.#promises.has(promise));
      if (!engine || !own) continue;
      const did = (this.#actions.get(hand) ?? []).map((action) => readAction(engine, action));
      moves.forEach(({ seat, action: raw }, move) => {
        const action = readAction(engine, raw);
        if (seat !== own.seat || action === null || !engine.stakes(action)) return;
        const place = did.findIndex((each) => same(each, action));
        if (place >= 0) did.splice(place, 1);
        else this.#fault(this.#own.get(hand)?.line ?? 1, "LOG_MOVE_NOT_MINE", { hand, move });
      });
    }
  }

  #fault(line, code, facts = {}) {
    this.findings.push({ line, ...finding(code, facts) });
  }

  #note(line, code, facts = {}) {
    this.notices.push({ line, ...finding(code, facts) });
  }
}

/** An action with its defaults; null for what is none. */
function readAction(engine, raw) {
  try {
    return engine.readMove(0, raw);
  } catch (error) {
    if (error instanceof ReplayFault) return null;
    throw error;
  }
}

const lowest = (numbers) => numbers.reduce((least, number) => Math.min(least, number), Infinity);
const highest = (numbers, otherwise) => numbers.reduce((most, number) => Math.max(most, number), otherwise);

const isRound = (own, { record, moves }) => same(own.moves, moves) && same(own.payouts, record.payouts);

/** Numbers as runs without a gap, each [first, last]. */
function runs(numbers) {
  const found = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    if (found.at(-1)?.[1] === number - 1) found.at(-1)[1] = number;
    else found.push([number, number]);
  }
  return found;
}
