// One deal by `cut-2` as a record tells of it: fixed for this round and no other, then cut by everybody, or void.

import * as canonical from "../fairness/canonical.js";
import * as cut2 from "../fairness/cut2.js";
import { toHex } from "../fairness/encoding.js";
import { finding } from "../fairness/findings.js";
import { same } from "../fairness/memory.js";
import { engineOf } from "../games/engines.js";
import { writtenName } from "../games/registry.js";
import { sealOf } from "./cut2.js";
import { PACK_CARDS_MAX } from "./proofs.js";
import { CheckError, Round, readRules, readSetup } from "./round.js";

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const seatsOf = (list) => list.map(({ seat }) => seat);
const ascending = (numbers) => [...numbers].sort((one, other) => one - other);

export const isVoid = ({ missing }) => missing.length > 0;

/** What a deal was fixed for, read from its context: { game, engine, rules, match, setup, moves }. Throws CheckError when
 * that makes no sense. */
export function readStart(context) {
  const [first] = cut2.checkContext(context);
  if (first) throw new CheckError(first.code, first.facts);
  const differs = (field) => new CheckError("DEAL_DIFFERS", { deal: context.deal, field });
  const written = canonical.read(context.rules);
  const engine = isObject(written) ? engineOf(written.game) : null;
  if (!engine) throw differs("rules");
  const start = canonical.read(context.setup);
  if (!isObject(start) || Object.keys(start).sort().join() !== "match,moves,setup") throw differs("setup");
  const { match, setup, moves } = start;
  if (!Number.isInteger(match) || !Array.isArray(moves)) throw differs("setup");
  const { game, ...plain } = written;
  const rules = readRules(engine, plain);
  if (game !== writtenName(game, rules.edition)) throw differs("rules");
  return { game, engine, rules, match, setup: readSetup(engine, setup), moves };
}

/** Whether two deals were fixed by the same rules. */
export const sameRules = (one, other) => one.game === other.game && same(one.rules, other.rules);

/** The round that waits for the deal. Throws CheckError when the rules do not lead there. */
export function roundAt({ engine, rules, setup, moves }) {
  const now = new Round(engine, rules, setup);
  moves.forEach((move, number) => now.redo(move, number));
  return now;
}

/** Whether the deal was fixed for exactly this: the round that waits for its `shuffle`-th pack. */
export function checkDeal(now, { context }, shuffle, start) {
  const { deal } = context;
  const says = {
    rules: start.engine === now.engine && same(start.rules, now.rules),
    setup: start.engine === now.engine && same(start.setup, now.setup),
    moves: same(start.moves, shuffle ? [] : now.moves),
    shuffle: context.shuffle === shuffle,
  };
  const found = Object.keys(says).filter((field) => !says[field]);
  const findings = found.map((field) => finding("DEAL_DIFFERS", { deal, field }));
  if (context.pack !== canonical.write(now.wants.pack)) findings.push(finding("PACK_MISMATCH", { deal }));
  const expected = now.engine.opensAll ? cut2.PACKS_OPENED : cut2.PACKS_HIDDEN;
  if (context.packs !== expected)
    findings.push(finding("PACKS_MISMATCH", { deal, packs: context.packs, expected }));
  const { dealtIn } = now;
  for (const seat of seatsOf(context.cutters))
    if (!dealtIn.includes(seat)) findings.push(finding("CUTTER_NOT_DEALT_IN", { deal, seat }));
  return findings;
}

/** Whether somebody was missing and everybody else's cut is there, each as promised, and all secrets are shown. */
export function checkVoid({ context, roots, cuts, secrets, missing, openings }) {
  const { deal } = context;
  const found = [];
  const gave = seatsOf(cuts);
  if (!missing.length) found.push(finding("VOID_FOR_NOBODY", { deal }));
  for (const seat of ascending(new Set(missing.filter((each) => gave.includes(each)))))
    found.push(finding("VOID_WITH_CUT", { deal, seat }));
  const inOrder = (seats) => same(seats, ascending(seats));
  if (!same(ascending([...missing, ...gave]), seatsOf(context.cutters)) || !inOrder(missing) || !inOrder(gave))
    found.push(finding("CUT_LEFT_OUT", { deal }));
  if (openings.length) found.push(finding("DEAL_DIFFERS", { deal, field: "openings" }));
  const faults = cut2.checkRoots(context, roots);
  found.push(...faults, ...cut2.checkGiven(context, cuts));
  if (!faults.length)
    found.push(...cut2.checkSecrets(cut2.contextHash(context), roots, packOf(context), secrets, null));
  return found;
}

/** The pack that a deal was fixed with. */
export function packOf({ pack: text, deal }) {
  const pack = canonical.read(text);
  const bearable = Array.isArray(pack) && pack.length >= 1 && pack.length <= PACK_CARDS_MAX;
  if (!bearable || !pack.every((card) => typeof card === "string")) throw new CheckError("PACK_MISMATCH", { deal });
  return pack;
}

/** A deal that stands in a record, and what everybody can compute of it; `now` is the round that waited for it. Without
 * the rules of the game, `now` and `start` are null. */
export function checkedDeal(now, proof, start) {
  const { context, cuts } = proof;
  const seal = sealOf(proof);
  const uncut = isVoid(proof) || cut2.checkCuts(context, cuts).length > 0;
  return {
    proof,
    number: context.deal,
    hand: context.hand,
    shuffle: context.shuffle,
    isVoid: isVoid(proof),
    seal: toHex(seal),
    /** What the cuts made; null for a void deal. */
    cut: uncut ? null : toHex(cut2.cutOf(seal, cuts)),
    start,
    /** How many moves the round had when the deal was fixed. */
    roundMoves: now?.moves.length ?? 0,
    dealtIn: now?.dealtIn ?? [],
    everybodyNeeded: now?.needsEverybody ?? false,
  };
}
