// Checks records in this browser, from nothing but their text. What is checked: that every shuffle was promised before,
// that the draw follows from seeds and cuts, that the record's cards are those that were drawn, and that no round is
// missing. Whether actions and payouts follow the rules needs the rules: `croupier verify` replays them.

import { cardsOfCut } from "./cut1.js";
import { packOf, seatsOf } from "./packs.js";
import { readProof } from "./shape.js";
import { cardsOfShuffle } from "./shuffle1.js";
import { checkSuccession } from "./succession.js";

const FORMAT = "croupier-record-1";

/** The cards that a proof tells, and its faults. */
export function cardsOf(raw, pack, seats = null) {
  const { proof, finding } = readProof(raw);
  if (finding) return Promise.resolve({ cards: pack.map(() => null), findings: [finding] });
  return proof.scheme === "shuffle-1" ? cardsOfShuffle(proof, pack) : cardsOfCut(proof, pack, seats);
}

/** Checks a file with one record a line. `progress(done, all)` is called on the way. The answer: { rounds, findings },
 * where a round is { line, game, steps, findings }, and a step { name, good, facts }. */
export async function verifyText(text, progress = () => {}) {
  const lines = text
    .split("\n")
    .map((content, index) => ({ content, line: index + 1 }))
    .filter(({ content }) => content.trim());
  if (!lines.length) return { rounds: [], findings: [{ code: "FILE_EMPTY", facts: {} }] };
  const rounds = [];
  const memory = new Map();
  for (const { content, line } of lines) {
    rounds.push({ line, ...(await checkRecord(content, memory)) });
    progress(rounds.length, lines.length);
  }
  const fresh = rounds.flatMap((round) => round.shuffles.map((proof) => ({ proof, round })));
  const found = checkSuccession(fresh.map(({ proof }) => proof));
  for (const each of found) {
    const { round } = fresh[each.facts.proof];
    round.findings.push(each);
    round.steps.push({ name: "succession", good: false, facts: {} });
  }
  return { rounds, findings: rounds.flatMap((round) => round.findings) };
}

async function checkRecord(content, memory) {
  const check = new RecordCheck(memory);
  let record;
  try {
    record = JSON.parse(content);
  } catch (error) {
    check.fault("RECORD_MALFORMED", { fault: String(error.message) });
  }
  if (record !== undefined) await check.run(record);
  return check;
}

class RecordCheck {
  game = "";
  steps = [];
  findings = [];
  /** The proofs of shuffles made for this round; not of a shoe that goes on from the round before. */
  shuffles = [];
  #memory;

  constructor(memory) {
    this.#memory = memory;
  }

  fault(code, facts = {}) {
    this.findings.push({ code, facts });
  }

  async run(record) {
    if (record?.format !== FORMAT || !Array.isArray(record.proofs) || !Array.isArray(record.cards)) {
      this.fault("RECORD_MALFORMED", { fault: `format, proofs, cards: ${FORMAT}` });
      return;
    }
    this.game = String(record.game);
    const pack = packOf(record);
    if (!pack) {
      this.fault("GAME_UNKNOWN", { game: this.game.slice(0, 40), known: "blackjack, holdem, sequence" });
      return;
    }
    const gone = record.setup?.gone ?? [];
    let next = 0;
    for (const [place, raw] of record.proofs.entries()) {
      const begun = place === 0 ? gone : [];
      next = await this.#proof(record, raw, place === 0 ? pack : repack(raw, pack), begun, next);
    }
    if (!record.proofs.length) this.fault("PROOF_MISSING", { card: 0 });
    if (record.cards.length > next) this.fault("CARD_COUNT_MISMATCH", { recorded: record.cards.length, dealt: next });
    this.#step("rules", null, { moves: record.moves?.length ?? 0 });
  }

  /** One shuffle: its proof, and the record's cards that came from it. Gives the place of the next shuffle's first card. */
  async #proof(record, raw, pack, gone, first) {
    const name = JSON.stringify(raw);
    if (!this.#memory.has(name)) this.#memory.set(name, cardsOf(raw, pack, seatsOf(record)));
    const { cards, findings } = await this.#memory.get(name);
    this.findings.push(...findings);
    this.#tellProof(raw, cards, findings);
    if (!gone.length && readProof(raw).proof) this.shuffles.push(raw);
    if (raw?.scheme === "cut-1" && raw.context?.rules !== `${record.game}/${record.edition}`) {
      this.fault("CONTEXT_MISMATCH", {
        found: String(raw.context?.rules),
        expected: `${record.game}/${record.edition}`,
      });
    }
    if (gone.some((card, place) => cards[place] !== null && cards[place] !== card))
      this.fault("SHOE_MISMATCH", { cards: gone.length });
    const drawn = cards.slice(gone.length);
    this.#compare(record.cards.slice(first, first + drawn.length), drawn, first, findings.length === 0);
    return first + drawn.length;
  }

  #compare(recorded, drawn, first, sound) {
    let agreed = 0;
    let bad = 0;
    recorded.forEach((card, place) => {
      if (card === null) return;
      if (drawn[place] === card) agreed += 1;
      else if (drawn[place] !== null) {
        bad += 1;
        this.fault("CARD_MISMATCH", { card: first + place, proven: drawn[place], recorded: String(card) });
      } else if (sound) {
        bad += 1;
        this.fault("CARD_NOT_PROVEN", { card: first + place, recorded: String(card) });
      }
    });
    const hidden = recorded.filter((card) => card === null).length;
    this.#step("cards", !bad && agreed + hidden === recorded.length, { count: agreed, all: recorded.length });
    if (hidden) this.#step("hidden", null, { count: hidden });
  }

  #tellProof(raw, cards, findings) {
    const has = (...codes) => findings.some(({ code }) => codes.includes(code));
    if (findings.some(({ code }) => code === "PROOF_MALFORMED")) {
      this.#step("malformed", false);
      return;
    }
    if (raw.scheme === "shuffle-1") {
      if (raw.serverSeed === null) {
        this.#step("sealed", null, { hash: raw.serverSeedHash });
        return;
      }
      this.#step("commitment", !has("COMMITMENT_MALFORMED", "COMMITMENT_MISMATCH", "SERVER_SEED_MALFORMED"), {
        hash: raw.serverSeedHash,
      });
      this.#step("seeds", !has("CLIENT_SEED_NOT_TEXT", "CLIENT_SEED_LENGTH", "NONCE_OUT_OF_RANGE"), {
        seed: raw.clientSeed,
        nonce: String(raw.nonce),
      });
      this.#step(
        "shuffled",
        cards.every((card) => card !== null),
        { count: cards.length },
      );
      return;
    }
    const cutters = raw.contributions.filter(({ value }) => value !== null).length;
    const about = ["SEAT_", "ANCHOR_", "LINK_", "CONTRIBUTION_"];
    this.#step("promised", !has("ROOT_MALFORMED", "ROOT_MISMATCH", "CONTEXT_MALFORMED", "PACK_SIZE_MISMATCH"), {
      root: raw.root,
    });
    this.#step(
      cutters ? "contributions" : "nobody_cut",
      findings.some(({ code }) => about.some((start) => code.startsWith(start))) ? false : cutters ? true : null,
      { count: cutters, seats: raw.contributions.length },
    );
    this.#step(
      "openings",
      !has(
        "POSITION_MISMATCH",
        "OPENING_NOT_IN_ROOT",
        "OPENING_OUT_OF_RANGE",
        "OPENING_REPEATED",
        "SALT_MALFORMED",
        "PATH_MALFORMED",
        "ROOT_MISMATCH",
      ),
      { count: raw.openings.length, size: raw.size },
    );
    if (raw.whole)
      this.#step("whole", !has("PACK_NOT_WHOLLY_OPENED", "CARD_TOO_OFTEN", "CARD_NOT_IN_PACK"), { size: raw.size });
  }

  #step(name, good, facts = {}) {
    this.steps.push({ name, good, facts });
  }
}

/** A later shuffle of a round is of the cards that were played: which they are, the openings say, within the pack. */
function repack(raw, pack) {
  const opened = Array.isArray(raw?.openings) && raw.whole ? raw.openings.map(({ card }) => card) : null;
  return opened?.every((card) => pack.includes(card))
    ? [...opened].sort((a, b) => pack.indexOf(a) - pack.indexOf(b))
    : pack;
}
