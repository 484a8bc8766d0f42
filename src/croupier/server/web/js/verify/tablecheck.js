// How the deals by `cut-2` in a file belong together: one room, no deal left out, each chained to the one before. What a
// deal's closing says is held to the record of its round, and what a round starts from to what the one before it left.

import * as canonical from "../fairness/canonical.js";
import { FIRST_BEFORE } from "../fairness/cut2.js";
import { isHash } from "../fairness/encoding.js";
import { fact, finding } from "../fairness/findings.js";
import { same } from "../fairness/memory.js";
import { Attendance } from "./attendance.js";
import { follows, readClosing } from "./closing.js";
import { sameRules } from "./deals.js";
import { isOpenTable } from "./round.js";
import { Path, freshSetup } from "./setups.js";
import { RECORD_FORMAT_1 } from "./shape.js";

/** Takes the records of a file in order. Findings and notices have the number of their line. */
export class TableCheck {
  findings = [];
  notices = [];
  links = 0;
  voids = 0;
  deals = 0;
  #attendance = new Attendance();
  #line = 0;
  #room = "";
  #last = null;
  /** The record that the last deal stands in. */
  #lastCheck = null;
  /** Whether there were rounds by `cut-1` before. */
  #old = false;
  /** Records of rounds without a deal since the last deal, as { line, check }. */
  #undealt = [];
  #ended = false;
  /** Hands of which nothing is recorded. */
  #calledOff = 0;
  /** Whether the file is of a room or of a table against the house. */
  #kind = "";

  /** The next record. */
  take(line, check) {
    this.#line = line;
    if (this.#ended && check.record) this.#fault("END_MISMATCH", { field: "format" });
    this.#checkSchemes(check);
    for (const deal of check.deals) this.#deal(deal, check);
    const newest = check.deals.at(-1);
    if (check.hasOwnDeal && newest?.isVoid) this.#fault("DEAL_DIFFERS", { deal: newest.number, field: "voids" });
    if (check.record && !check.hasOwnDeal) this.#undealt.push({ line, check });
  }

  /** A room goes on with `cut-2` once and for all; a table against the house has records of its own. */
  #checkSchemes({ shuffles }) {
    for (const { scheme } of shuffles) {
      const kind = scheme === "shuffle-1" ? "house" : "room";
      if (this.#kind && this.#kind !== kind) this.#fault("SCHEMES_MIXED");
      this.#kind = kind;
    }
    if (!shuffles.some(({ scheme }) => scheme === "cut-1")) return;
    this.#old = true;
    if (this.#last) this.#fault("SCHEME_OLD", { scheme: "cut-1" });
  }

  /** Whether all that the file has are rounds of a room that had no deal. */
  get #isRoom() {
    return !this.#kind && this.#undealt.some(({ check }) => check.record.format !== RECORD_FORMAT_1);
  }

  /** There are no more records. */
  finish() {
    if (!this.#ended && (this.#last || this.#isRoom)) this.#fault("END_MISSING", { deal: this.#last?.number ?? 0 });
    if (this.#calledOff) this.#note("HANDS_WITHOUT_RECORD", { count: this.#calledOff });
    if (this.voids) this.#note("DEALS_VOID", { voids: this.voids, deals: this.deals + this.voids });
  }

  /** The last line of a download: up to where it goes, and how the last deal closed. */
  end(line, end, voids) {
    this.#line = line;
    if (this.#ended) {
      this.#fault("END_MISMATCH", { field: "format" });
      return;
    }
    for (const deal of voids.deals) this.#deal(deal, voids);
    this.#ended = true;
    if (!isHash(end.room) || (this.#room && end.room !== this.#room))
      this.#fault("ROOM_DIFFERS", { deal: fact(end.deals), room: fact(end.room).slice(0, 16) });
    const last = this.#last;
    if (end.deals !== (last?.number ?? 0)) this.#fault("END_MISMATCH", { field: "deals" });
    else if (!last) {
      if (end.closing) this.#fault("END_MISMATCH", { field: "closing" });
    } else {
      const closing = readClosing(end.closing);
      if (!closing) this.#fault("CLOSING_MALFORMED", { deal: last.number + 1 });
      else {
        this.#checkClosing(closing, null);
        this.#explain(closing, null);
        this.#found(this.#attendance.closed(closing));
      }
    }
  }

  #deal(deal, check) {
    const { room } = deal.proof.context;
    if (deal.isVoid) this.voids += 1;
    else this.deals += 1;
    if (this.#room && room !== this.#room) {
      this.#fault("ROOM_DIFFERS", { deal: deal.number, room: room.slice(0, 16) });
      this.#last = null;
      this.#undealt = [];
      this.#attendance = new Attendance();
    }
    this.#room = room;
    this.#link(deal, check);
    this.#last = deal;
    this.#lastCheck = check;
    this.#undealt = [];
  }

  /** Holds a deal to the one before it. */
  #link(deal, check) {
    const last = this.#last;
    const closing = this.#closing(deal);
    if (!last) this.#first(deal);
    else if (deal.number <= last.number) {
      this.#fault("DEAL_AGAIN", { deal: deal.number });
      this.#attendance.forget();
    } else if (deal.number !== last.number + 1) {
      this.#fault("DEALS_MISSING", { first: last.number + 1, last: deal.number - 1 });
      this.#attendance.forget();
    } else if (closing) {
      this.links += 1;
      this.#checkClosing(closing, deal);
      this.#checkPlace(deal, last, check);
      this.#explain(closing, deal);
    }
    this.#takeAttendance(deal, closing);
  }

  #takeAttendance(deal, closing) {
    const attendance = this.#attendance;
    if (this.#last && this.#last.start?.match !== deal.start?.match) attendance.forget();
    this.#found(closing ? attendance.closed(closing) : []);
    this.#found(attendance.take(deal));
    for (const each of attendance.notices.splice(0)) this.notices.push({ line: this.#line, ...each });
  }

  /** The first deal of the file. A room's records begin with its first deal. */
  #first(deal) {
    const { number, hand, shuffle, proof, start } = deal;
    if (number !== 1) {
      this.#fault("DEALS_MISSING", { first: 1, last: number - 1 });
      return;
    }
    if (proof.context.before !== FIRST_BEFORE) this.#fault("BEFORE_MISMATCH", { deal: 1 });
    // Rounds of the first release came before.
    if (this.#old) {
      this.#note("FIRST_SETUP_UNKNOWN", { deal: 1 });
      return;
    }
    const calledOff = hand - 1 - this.#undealt.length;
    if (calledOff < 0 || shuffle) this.#fault("HAND_MISCOUNTED", { deal: 1, hand });
    this.#calledOff += Math.max(0, calledOff);
    if (!start) return;
    const { match, setup, engine, rules } = start;
    if (match < 1 || match > hand) this.#fault("MATCH_MISCOUNTED", { deal: 1 });
    else if (hand > 1 && (isOpenTable(engine, rules) || (match > 1 && this.#undealt.length))) {
      // Nothing tells what was bought, and who came and went, before the first deal.
      this.#note("FIRST_SETUP_UNKNOWN", { deal: 1 });
      this.#checkFirstRules(start);
    } else this.#checkWay(new Path(match, start, freshSetup(start, setup, [])), deal);
  }

  /** Rounds without a deal before the first one had the rules of their match. */
  #checkFirstRules(start) {
    if (start.match !== 1) return;
    for (const { line, check } of this.#undealt)
      if (check.round && !sameRules(check.by, start))
        this.findings.push({ line, ...finding("RULES_CHANGED", { deal: 1 }) });
  }

  /** The closing of the deal before, if it is what this one is chained to. */
  #closing({ proof, number }) {
    if (!follows(proof.closing, proof.context.before) || (number > 1 && !proof.closing)) {
      this.#fault("BEFORE_MISMATCH", { deal: number });
      return null;
    }
    if (!proof.closing) return null;
    const closing = readClosing(proof.closing);
    if (!closing) this.#fault("CLOSING_MALFORMED", { deal: number });
    else if (closing.deal !== number - 1) this.#fault("CLOSING_DIFFERS", { deal: number - 1, field: "deal" });
    return closing;
  }

  /** What the closing of the last deal says is what the record says. */
  #checkClosing(closing, following) {
    const last = this.#last;
    const { proof, isVoid } = last;
    const { record, moves } = this.#lastCheck;
    const expected = {
      deal: last.number,
      seal: last.seal,
      cut: last.cut,
      missing: proof.missing,
      cuts: isVoid ? proof.cuts : [],
      secrets: isVoid ? proof.secrets : [],
    };
    const sameHand = following?.hand === last.hand;
    if (isVoid) Object.assign(expected, { moves: [], payouts: null });
    else if (!last.start) Object.assign(expected, sameHand ? {} : { payouts: record.payouts });
    else if (sameHand)
      Object.assign(expected, { moves: moves.slice(last.roundMoves, following.roundMoves), payouts: null });
    else if (record) Object.assign(expected, { moves: moves.slice(last.roundMoves), payouts: record.payouts });
    if (sameHand) expected.changes = [];
    for (const [field, value] of Object.entries(expected))
      if (!isWrittenAlike(closing[field], value)) this.#fault("CLOSING_DIFFERS", { deal: last.number, field });
  }

  /** Hands, shuffles and matches go on by one; a hand that was called off has used up a number. */
  #checkPlace(deal, last, check) {
    const sameMatch = deal.start?.match === last.start?.match;
    let good;
    if (deal.hand === last.hand) {
      good = deal.shuffle === (last.isVoid ? last.shuffle : last.shuffle + 1) && sameMatch && !this.#undealt.length;
      // Within a round only: a record has one.
      good = good && (check === this.#lastCheck || last.isVoid);
    } else {
      // A round that went on without a deal after a void one has the number of that.
      const shared = last.isVoid && this.#undealt.some((undealt) => undealt.check === this.#lastCheck);
      const numbers = this.#undealt.length - (shared ? 1 : 0);
      good = deal.shuffle === 0 && deal.hand > last.hand + numbers;
      if (good) this.#calledOff += deal.hand - last.hand - 1 - numbers;
    }
    if (!good) this.#fault("HAND_MISCOUNTED", { deal: deal.number, hand: deal.hand });
    if (sameMatch && deal.start && !sameRules(deal.start, last.start))
      this.#fault("RULES_CHANGED", { deal: deal.number });
  }

  /** The next deal, and rounds without one before it, start from what the last deal left and the changes since. */
  #explain({ changes }, following) {
    const last = this.#last;
    if (!last.start || (following && !following.start)) return;
    if (following?.hand === last.hand) {
      if (!same(following.start.setup, last.start.setup)) this.#fault("SETUP_UNEXPLAINED", { deal: following.number });
      return;
    }
    this.#checkWay(Path.after(last, this.#lastCheck, changes, this.#attendance.mayRestart(last)), following);
  }

  /** Follows the rounds without a deal to the next deal, if there is one. */
  #checkWay(path, following) {
    for (const { line, check } of this.#undealt) {
      if (check.round && !path.reach(check.by, check.round.setup))
        this.findings.push({ line, ...finding("SETUP_UNEXPLAINED", { deal: this.#last?.number ?? 0 }) });
      path.play(check);
    }
    if (!following) {
      if (!path.canEnd) this.#fault("END_MISMATCH", { field: "changes" });
      return;
    }
    const { start } = following;
    if (!path.reach(start, start.setup, start.match)) this.#fault("SETUP_UNEXPLAINED", { deal: following.number });
    else if (start.match !== path.match) this.#fault("MATCH_MISCOUNTED", { deal: following.number });
  }

  #found(findings) {
    this.findings.push(...findings.map((each) => ({ line: this.#line, ...each })));
  }

  #fault(code, facts = {}) {
    this.#found([finding(code, facts)]);
  }

  #note(code, facts) {
    this.notices.push({ line: this.#line, ...finding(code, facts) });
  }
}

/** Whether two values are written alike. */
function isWrittenAlike(one, other) {
  try {
    return canonical.write(one) === canonical.write(other);
  } catch (error) {
    if (error instanceof canonical.CanonicalError) return false;
    throw error;
  }
}
