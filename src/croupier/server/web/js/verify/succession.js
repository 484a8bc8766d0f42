// How the proofs of successive shuffles belong together: no nonce, deal or link skipped, none used twice.
// A proof whose own fields are broken is passed over here. Facts say by `proof` which of them, the first being 0.

import { isWhole } from "../fairness/encoding.js";
import { fact, finding } from "../fairness/findings.js";

/** Every fault in the succession. What was begun before the first proof is unknown, unless `fromStart`. A hand that
 * everybody sat out has a number and no deal: `undealt` says by proof how many of them came right before it. */
export function checkSuccession(proofs, fromStart = false, undealt = new Map()) {
  const numbered = proofs.map((proof, index) => ({ ...proof, index }));
  const shuffles = numbered.filter(({ scheme, nonce }) => scheme === "shuffle-1" && isWhole(nonce));
  const deals = numbered.filter(
    ({ scheme, context }) => scheme === "cut-1" && isWhole(context.hand) && isWhole(context.shuffle),
  );
  return [
    ...checkNonces(shuffles, fromStart),
    ...checkClientSeeds(shuffles),
    ...checkRotations(shuffles),
    ...checkDeals(deals, undealt),
    ...checkLinks(deals, fromStart),
  ];
}

function checkNonces(shuffles, fromStart) {
  const following = new Map();
  return shuffles.flatMap(({ index: proof, serverSeedHash, clientSeed, nonce }, place) => {
    const pair = JSON.stringify([serverSeedHash, clientSeed]);
    const expected = place === 0 && !fromStart ? nonce : (following.get(pair) ?? 0);
    following.set(pair, Math.max(expected, nonce + 1));
    if (nonce === expected) return [];
    return [finding(nonce < expected ? "NONCE_REPEATED" : "NONCE_MISSING", { proof, nonce, expected })];
  });
}

function checkClientSeeds(shuffles) {
  const commitments = new Map();
  return shuffles.flatMap(({ index: proof, serverSeedHash, clientSeed: seed }) => {
    const under = commitments.get(seed) ?? new Set();
    const reused = under.size > 0 && !under.has(serverSeedHash);
    commitments.set(seed, under.add(serverSeedHash));
    return reused ? [finding("CLIENT_SEED_REUSED", { proof, seed: fact(seed) })] : [];
  });
}

/** Every commitment after the first is new, and is the one announced on the pair before it. */
function checkRotations(shuffles) {
  const announced = new Map();
  const found = [];
  let current = null;
  for (const { index: proof, serverSeedHash: hash, nextServerSeedHash: now } of shuffles) {
    const promise = current === null ? null : announced.get(current);
    if (current !== null && hash !== current) {
      if (announced.has(hash)) found.push(finding("SERVER_SEED_REUSED", { proof, hash: fact(hash) }));
      else if (promise === null) found.push(finding("NEXT_COMMITMENT_MISSING", { proof, hash: fact(hash) }));
      else if (hash !== promise)
        found.push(finding("NEXT_COMMITMENT_MISMATCH", { proof, announced: fact(promise), used: fact(hash) }));
    }
    current = hash;
    const before = announced.get(hash) ?? null;
    if (before !== null && now !== null && before !== now)
      found.push(finding("NEXT_COMMITMENT_CHANGED", { proof, announced: fact(before), now: fact(now) }));
    announced.set(hash, now ?? before);
  }
  return found;
}

function checkDeals(deals, undealt) {
  const last = new Map();
  return deals.flatMap(({ index: proof, context: { table, hand, shuffle } }) => {
    const before = last.get(table);
    const late = before && (hand < before.hand || (hand === before.hand && shuffle <= before.shuffle));
    const nextHand = before && before.hand + 1 + (undealt.get(proof) ?? 0);
    const next =
      before && ((hand === before.hand && shuffle === before.shuffle + 1) || (hand === nextHand && shuffle === 0));
    if (!late) last.set(table, { hand, shuffle });
    if (!before || next) return [];
    return [finding(late ? "DEAL_REPEATED" : "DEAL_MISSING", { proof, table: fact(table), hand, shuffle })];
  });
}

function checkLinks(deals, fromStart) {
  const last = new Map();
  return deals.flatMap(({ index: proof, context, contributions }) =>
    contributions.flatMap(({ seat, anchor, link }) => {
      if (anchor === null || !isWhole(link)) return [];
      const chain = JSON.stringify([context.table, anchor]);
      const expected = !last.has(chain) && !fromStart ? link : (last.get(chain) ?? 0) + 1;
      last.set(chain, Math.max(expected, link));
      return link === expected ? [] : [finding("LINK_NOT_NEXT", { proof, seat: fact(seat), link, expected })];
    }),
  );
}
