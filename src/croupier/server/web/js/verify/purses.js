// The purse of a player against the house, from round to round: what a round left is what the next one starts with.

import { finding } from "../fairness/findings.js";
import { same } from "../fairness/memory.js";

/** Rounds of the casino, which announces its next commitment, as far as none is missing. A purse without a whole chip may
 * have been filled up. `checks` are { line, check }; the answer has findings with their line. */
export function checkPurses(checks) {
  const found = [];
  /** An amount in units, with how many of them make a chip. */
  let left = null;
  let last = null;
  for (const { line, check } of checks) {
    const proofs = check.proofs.filter(({ scheme }) => scheme === "shuffle-1");
    const { round, record } = check;
    const stacks = round ? round.engine.stacks(round.setup, round.rules) : [];
    if (!proofs.length || stacks.length !== 1) {
      left = last = null;
      continue;
    }
    const purse = { units: stacks[0], chip: record.chip };
    if (left && last && left.units >= left.chip && !isEqual(left, purse) && goesOn(last, proofs[0], check)) {
      const facts = { seat: 0, recorded: chips(purse), expected: chips(left) };
      found.push({ line, ...finding("PURSE_MISMATCH", facts) });
    }
    left = round.over ? { units: round.engine.stacks(round.following, round.rules)[0], chip: record.chip } : null;
    last = proofs.at(-1);
  }
  return found;
}

const isEqual = (one, other) => BigInt(one.units) * BigInt(other.chip) === BigInt(other.units) * BigInt(one.chip);

const chips = ({ units, chip }) => (units % chip === 0 ? units / chip : (units / chip).toFixed(2));

/** Whether no round can be missing between two shuffles: the next nonce, a new seed, or the same shoe. */
function goesOn(last, first, { shuffles }) {
  if (last.nextServerSeedHash === null) return false;
  if (!shuffles.length) return same(first, last);
  if (first.serverSeedHash !== last.serverSeedHash) return first.serverSeedHash === last.nextServerSeedHash;
  return first.clientSeed !== last.clientSeed ? first.nonce === 0 : first.nonce === last.nonce + 1;
}
