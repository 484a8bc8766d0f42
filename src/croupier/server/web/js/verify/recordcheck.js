// The check of one record: its proofs, every card, every move, every payout, from nothing but its text.

import * as canonical from "../fairness/canonical.js";
import { cardsIn, packWithout } from "../fairness/cardsshown.js";
import * as cut2 from "../fairness/cut2.js";
import { fact, finding } from "../fairness/findings.js";
import { ABSENT } from "../fairness/mirror.js";
import { same } from "../fairness/memory.js";
import { engineOf } from "../games/engines.js";
import { gameNames, gameShape, writtenName } from "../games/registry.js";
import { sealOf } from "./cut2.js";
import { checkDeal, checkVoid, checkedDeal, packOf, readStart, roundAt } from "./deals.js";
import { cardsOfProof } from "./proofs.js";
import { CheckError, Round, UnseenCard, readRules, readSetup } from "./round.js";
import { RECORD_FORMAT_1, ShapeError, readProof, readRecord, unknownName } from "./shape.js";

/** What can still be checked after a fault is checked. Nothing in a record makes this throw. */
export class RecordCheck {
  game = "";
  record = null;
  /** As replayed; null where that was not possible. */
  round = null;
  findings = [];
  /** What this page cannot check, as findings. */
  notices = [];
  /** The proofs of shuffles made for this round; not of a shoe that goes on from the round before. */
  shuffles = [];
  /** The deals by `cut-2`, void ones included, in order. */
  deals = [];
  /** With which card of the round each of its shuffles begins. */
  starts = [];
  /** All proofs that could be read. */
  proofs = [];
  /** What was found out about each of them, for people: { proof, cards, findings, dealtIn }. */
  draws = [];
  /** All moves, as plain values. */
  moves = [];
  /** How many cards were proved, and how many the record's reader was never shown. */
  cards = 0;
  unseen = 0;
  /** Places in the deal whose card a sound proof does not tell. */
  #unproven = new Set();
  /** Void deals of later shuffles, which are checked when the round waits for them. */
  #voids = [];
  #breathe;

  /** `breathe` is awaited before every heavy step. */
  constructor(breathe = async () => {}) {
    this.#breathe = breathe;
  }

  /** Whether the round had cards. */
  get hasOwnDeal() {
    return Boolean(this.record?.proofs.length);
  }

  /** What the round was played by: { game, engine, rules }. */
  get by() {
    const { engine, rules } = this.round;
    return { game: this.game, engine, rules };
  }

  fault(code, facts = {}) {
    this.findings.push(finding(code, facts));
  }

  /** Checks a record in plain values. */
  async run(raw) {
    try {
      const record = readRecord(raw, "$");
      this.record = record;
      this.game = record.game;
      this.moves = record.moves;
      if (record.chip !== 1 && !isOfTheHouse(record)) this.fault("RECORD_MALFORMED", { fault: "$.chip" });
      const engine = engineOf(record.game);
      await (engine ? this.#replay(record, engine) : this.#checkWithoutRules(record));
    } catch (error) {
      if (error instanceof ShapeError) this.fault("RECORD_MALFORMED", { fault: fact(error.message) });
      else if (error instanceof CheckError) this.findings.push(error.finding);
      else throw error;
    }
    this.deals.sort((one, other) => one.number - other.number);
  }

  async #replay(record, engine) {
    const opened = this.#open(record, engine);
    if (!opened) return;
    if (record.voids.length && record.format === RECORD_FORMAT_1) this.fault("RECORD_MALFORMED", { fault: "$.voids" });
    await this.runVoids(record.voids);
    if (!(await this.#play(opened, record))) return;
    this.round = opened;
    this.#compare(opened, record);
  }

  /** The round before its first card; null if it cannot begin. */
  #open(record, engine) {
    const read = (reader, raw, code) => {
      try {
        const value = reader(engine, raw);
        const unknown = unknownName(raw, value);
        if (unknown) this.fault(code, { fault: fact(unknown) });
        return value;
      } catch (error) {
        if (!(error instanceof CheckError)) throw error;
        this.findings.push(error.finding);
        return null;
      }
    };
    const rules = read(readRules, record.rules, "RULES_MALFORMED");
    if (rules && rules.edition !== record.edition) {
      this.fault("EDITION_MISMATCH", { edition: fact(record.edition), rules: fact(rules.edition) });
      return null;
    }
    if (rules && record.game !== writtenName(record.game, rules.edition)) {
      this.fault("GAME_UNKNOWN", { game: fact(record.game), known: gameNames().join(", ") });
      return null;
    }
    const setup = read(readSetup, record.setup, "SETUP_MALFORMED");
    return rules && setup && new Round(engine, rules, setup);
  }

  /** Checks void deals; those of a later shuffle wait for the round. */
  async runVoids(voids) {
    for (const raw of voids) {
      await this.#breathe();
      const proof = this.#proof(raw);
      if (!proof) continue;
      if (proof.scheme !== "cut-2") this.fault("RECORD_MALFORMED", { fault: "$.voids" });
      else if (proof.context.shuffle) this.#voids.push(proof);
      else this.#void(proof, null);
    }
  }

  /** A void deal, for which the round waited as it is `now`; before the first cards, as its context says. */
  #void(proof, now) {
    const { context, roots } = proof;
    try {
      const start = readStart(context);
      const waiting = now ?? roundAt(start);
      if (!waiting.wants) {
        this.fault("HAND_BROKEN_OFF", { deal: context.deal, hand: context.hand });
        return;
      }
      this.findings.push(...checkDeal(waiting, proof, context.shuffle, start), ...checkVoid(proof));
      if (!cut2.checkRoots(context, roots).length) this.deals.push(checkedDeal(waiting, proof, start));
    } catch (error) {
      if (!(error instanceof CheckError)) throw error;
      this.findings.push(error.finding);
    }
  }

  /** Plays all moves; false when the record leaves the rules and nothing more can be said. */
  async #play(round, record) {
    const proofs = [...record.proofs];
    let made = 0;
    try {
      while (made < this.moves.length || round.wants) {
        const move = this.moves[made];
        if (move && (!round.wants || move.action === ABSENT)) round.redo(move, made++);
        else if (!(await this.#supply(round, record, proofs))) return false;
      }
    } catch (error) {
      if (error instanceof CheckError) this.findings.push(error.finding);
      else if (error instanceof UnseenCard) this.fault("CARD_HIDDEN", { card: firstHidden(record) });
      else throw error;
      return false;
    }
    if (proofs.length) this.fault("PROOF_UNUSED", { count: proofs.length });
    for (const { context } of this.#voids) this.fault("DEAL_DIFFERS", { deal: context.deal, field: "shuffle" });
    return true;
  }

  /** Gives the round the shoe it wants, made from the next proof; false when there is none. */
  async #supply(round, record, proofs) {
    const { dealt } = round;
    if (!proofs.length) {
      this.fault("PROOF_MISSING", { card: dealt.length });
      return false;
    }
    const shuffle = this.starts.length;
    const waiting = this.#voids.filter(({ context }) => context.shuffle === shuffle);
    this.#voids = this.#voids.filter(({ context }) => context.shuffle !== shuffle);
    for (const proof of waiting) this.#void(proof, round);
    await this.#breathe();
    const order = await this.#proven(round, proofs.shift(), shuffle);
    this.starts.push(dealt.length);
    const recorded = this.#recorded(round, record);
    if (!recorded) return false;
    round.supply(merged(round, order, recorded));
    return true;
  }

  #proof(raw) {
    const { proof, finding: malformed } = readProof(raw);
    if (malformed) this.findings.push(malformed);
    return proof ?? null;
  }

  /** The order of the pack that is wanted, as far as the proof tells. */
  async #proven(round, raw, shuffle) {
    const { pack, gone } = round.wants;
    const proof = this.#proof(raw);
    if (!proof) return pack.map(() => null);
    this.proofs.push(proof);
    const { cards: order, findings } = await cardsOfProof(proof, pack, round.seats);
    this.findings.push(...findings);
    this.draws.push({ proof, cards: order, findings, dealtIn: round.dealtIn.length, size: pack.length });
    this.#fits(round, proof, shuffle);
    if (!gone.length) this.shuffles.push(proof);
    else if (gone.some((card, place) => order[place] !== null && order[place] !== card))
      this.fault("SHOE_MISMATCH", { cards: gone.length });
    if (!findings.length) this.#noteUnproven(round, order, round.dealt.length - gone.length);
    return order;
  }

  #noteUnproven({ dealt }, order, first) {
    this.#unproven = new Set([...this.#unproven].filter((place) => place < dealt.length));
    order.forEach((card, place) => {
      if (card === null) this.#unproven.add(first + place);
    });
  }

  /** Whether the proof is of this round. */
  #fits(round, proof, shuffle) {
    if (proof.scheme === "cut-1") this.#fitsOld(round, proof);
    if (proof.scheme !== "cut-2") return;
    const { context, roots, missing } = proof;
    if (this.record.format === RECORD_FORMAT_1) this.fault("RECORD_MALFORMED", { fault: "$.format" });
    if (missing.length) this.fault("DEAL_DIFFERS", { deal: context.deal, field: "missing" });
    let start;
    try {
      start = readStart(context);
    } catch (error) {
      if (!(error instanceof CheckError)) throw error;
      this.findings.push(error.finding);
      return;
    }
    this.findings.push(...checkDeal(round, proof, shuffle, start));
    if (cut2.checkRoots(context, roots).length) return;
    this.deals.push(checkedDeal(round, proof, start));
    this.#checkOpened(round.engine.opensAll, proof);
  }

  #fitsOld({ rules, moves }, { context }) {
    const expected = `${this.game}/${rules.edition}`;
    if (context.rules !== expected) this.fault("CONTEXT_MISMATCH", { found: fact(context.rules), expected });
    moves.forEach(({ action }, move) => {
      if (action === ABSENT) this.fault("ACTION_MALFORMED", { move, fault: ABSENT });
    });
  }

  /** The played pack is opened by its secret where the rules open it, else card by card. */
  #checkOpened(opensAll, proof) {
    const { context, roots, cuts, secrets, openings } = proof;
    if (secrets.length !== roots.length || cut2.checkCuts(context, cuts).length) return;
    const isWhole = secrets[cut2.choice(cut2.cutOf(sealOf(proof), cuts), context.packs)] !== null;
    if (opensAll && !isWhole) this.fault("SECRET_NOT_REVEALED", { deal: context.deal });
    if (isWhole && openings.length) this.fault("DEAL_DIFFERS", { deal: context.deal, field: "openings" });
  }

  /** The cards that the record says were dealt from here on; null if one of them is no card of this pack. */
  #recorded({ dealt, wants }, record) {
    const cards = new Set(wants.pack);
    const recorded = record.cards.slice(dealt.length);
    const unknown = recorded.slice(0, wants.places.length).findIndex((card) => card !== null && !cards.has(card));
    if (unknown >= 0) {
      this.fault("CARD_UNKNOWN", { card: dealt.length + unknown, found: fact(recorded[unknown]) });
      return null;
    }
    return recorded.map((card) => (cards.has(card) ? card : null));
  }

  /** The replayed round against what the record says of it. */
  #compare({ dealt, engine, over, payouts }, record) {
    if (dealt.length !== record.cards.length)
      this.fault("CARD_COUNT_MISMATCH", { recorded: record.cards.length, dealt: dealt.length });
    dealt.slice(0, record.cards.length).forEach((card, place) => {
      const recorded = record.cards[place];
      if (card !== recorded)
        this.fault("CARD_MISMATCH", { card: place, recorded: fact(recorded ?? "?"), proven: card ?? "?" });
      else if (this.#unproven.has(place) && (recorded !== null || engine.opensAll))
        this.fault("CARD_NOT_PROVEN", { card: place, recorded: recorded ?? "?" });
      else if (recorded === null) this.unseen += 1;
      else this.cards += 1;
    });
    if (!over) {
      if (record.payouts) this.fault("ROUND_UNFINISHED", { moves: record.moves.length });
      // A room has no record of a round before it is over.
      else if (this.deals.length) this.fault("ROUND_BROKEN_OFF", { moves: record.moves.length });
    } else if (!record.payouts) this.fault("PAYOUTS_MISSING");
    else if (record.payouts.join() !== payouts.join())
      this.fault("PAYOUT_MISMATCH", { recorded: amounts(record.payouts), computed: amounts(payouts) });
  }

  /** A game whose rules this page lacks: the draws are checked, by the pack that was fixed, and nothing else can be. */
  async #checkWithoutRules(record) {
    this.notices.push(finding("GAME_NOT_REPLAYED", { game: fact(record.game) }));
    const orders = [];
    for (const raw of [...record.proofs, ...record.voids]) {
      await this.#breathe();
      const proof = this.#proof(raw);
      if (proof?.scheme !== "cut-2") {
        if (proof) this.notices.push(finding("DRAW_NOT_CHECKED", { scheme: proof.scheme }));
        if (proof?.scheme === "cut-1") this.#fitsOld({ rules: record, moves: [] }, proof);
        continue;
      }
      const [first] = [...cut2.checkContext(proof.context), ...cut2.checkRoots(proof.context, proof.roots)];
      if (first) throw new CheckError(first.code, first.facts);
      if (canonical.read(proof.context.rules)?.game !== record.game)
        this.fault("DEAL_DIFFERS", { deal: proof.context.deal, field: "rules" });
      const isDealt = record.proofs.includes(raw);
      if (!isDealt) this.findings.push(...checkVoid(proof));
      else orders.push(await this.#drawWithoutRules(proof, record));
      this.deals.push(checkedDeal(null, proof, null));
    }
    if (orders.length === record.proofs.length && !this.findings.length) this.#placeWithoutRules(record, orders);
  }

  /** The cards of a draw in their order. The first pack of a round is the whole one of the preset, or what is left of it
   * without the cards that the round's setup names: those went in earlier rounds. */
  async #drawWithoutRules(proof, record) {
    const pack = packOf(proof.context);
    const preset = gameShape(record.game).presets.find(({ rules }) => same(rules, record.rules));
    if (preset && !proof.context.shuffle) {
      const rest = packWithout(preset.pack, cardsIn(record.setup));
      if (![preset.pack, rest].some((whole) => same(pack, whole)))
        this.fault("PACK_MISMATCH", { deal: proof.context.deal });
    }
    const { cards, findings } = await cardsOfProof(proof, pack);
    this.findings.push(...findings);
    this.draws.push({ proof, cards, findings, dealtIn: proof.context.cutters.length, size: pack.length });
    if (proof.missing.length) this.fault("DEAL_DIFFERS", { deal: proof.context.deal, field: "missing" });
    return cards;
  }

  /** Whether the cards of the record are those of the draws, one after the other. With which card a later shuffle begins,
   * only the rules know: here it is where the cards fit, if they fit anywhere. */
  #placeWithoutRules({ cards: dealt }, orders) {
    this.starts = startsOf(dealt, orders) ?? orders.map((_, shuffle) => orders.slice(0, shuffle).flat().length);
    dealt.forEach((recorded, place) => {
      const shuffle = this.starts.findLastIndex((start) => start <= place);
      const card = orders[shuffle]?.[place - this.starts[shuffle]] ?? null;
      if (recorded === null) this.unseen += 1;
      else if (card === null) this.fault("CARD_NOT_PROVEN", { card: place, recorded: fact(recorded) });
      else if (card !== recorded) this.fault("CARD_MISMATCH", { card: place, recorded: fact(recorded), proven: card });
      else this.cards += 1;
    });
  }
}

/** With which card each shuffle begins, so that every card that is known is the one of its draw; the shuffles are used up
 * as far as possible. Null where there is no such way. */
function startsOf(dealt, orders, from = 0, tried = new Set()) {
  const [order, ...later] = orders;
  if (order === undefined) return from === dealt.length ? [] : null;
  const now = `${orders.length} ${from}`;
  if (tried.has(now)) return null;
  tried.add(now);
  let end = from;
  while (end < dealt.length && end - from < order.length && [null, order[end - from]].includes(dealt[end])) end += 1;
  for (; end > from; end -= 1) {
    const rest = startsOf(dealt, later, end, tried);
    if (rest) return [from, ...rest];
  }
  return null;
}

/** Whether the round was dealt by `shuffle-1`, as the casino deals: only there amounts are not whole chips. */
const isOfTheHouse = ({ proofs }) => proofs.length > 0 && proofs.every((proof) => proof?.scheme === "shuffle-1");

/** Amounts as text; of one that no table has only its size. */
function amounts(numbers) {
  const shown = (number) => (Number.isSafeInteger(number) ? number : `(${BigInt(number).toString(2).length} bit)`);
  return numbers.map(shown).join(" ");
}

function firstHidden({ cards }) {
  const place = cards.indexOf(null);
  return place < 0 ? cards.length : place;
}

/** The proven order, with the record's word for it where there is no proof. */
function merged({ wants, engine }, order, recorded) {
  const begun = wants.gone.length;
  return order.map((card, place) => {
    const known = card ?? (place >= begun ? (recorded[place - begun] ?? null) : null);
    return known ?? (engine.opensAll ? wants.pack[place] : null);
  });
}
