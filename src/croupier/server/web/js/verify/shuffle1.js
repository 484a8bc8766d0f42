// The proofs of `shuffle-1` in a record: what is wrong with them, and the cards that they tell.

import { isHash, isText, isWhole } from "../fairness/encoding.js";
import { fact, finding } from "../fairness/findings.js";
import { commitment, shuffle } from "../fairness/shuffle1.js";

const SEED_CHARACTERS_MIN = 8;
const SEED_CHARACTERS_MAX = 256;

function checkCommitment({ serverSeedHash, serverSeed }) {
  const found = isHash(serverSeedHash) ? [] : [finding("COMMITMENT_MALFORMED", { value: fact(serverSeedHash) })];
  if (serverSeed === null) return [...found, finding("SEED_NOT_REVEALED")];
  if (!isHash(serverSeed)) return [...found, finding("SERVER_SEED_MALFORMED", { value: fact(serverSeed) })];
  const computed = commitment(serverSeed);
  return found.length || computed === serverSeedHash
    ? found
    : [finding("COMMITMENT_MISMATCH", { committed: serverSeedHash, computed })];
}

function checkSeeds({ clientSeed, nonce }) {
  const found = [];
  const { length } = Array.from(clientSeed);
  if (!isText(clientSeed)) found.push(finding("CLIENT_SEED_NOT_TEXT", { value: fact(clientSeed) }));
  else if (length < SEED_CHARACTERS_MIN || length > SEED_CHARACTERS_MAX) {
    found.push(finding("CLIENT_SEED_LENGTH", { length, low: SEED_CHARACTERS_MIN, high: SEED_CHARACTERS_MAX }));
  }
  if (!isWhole(nonce)) found.push(finding("NONCE_OUT_OF_RANGE", { value: fact(nonce), high: Number.MAX_SAFE_INTEGER }));
  return found;
}

/** The cards in the order dealt, null for each where the proof does not tell, and every fault in it. */
export async function cardsOfShuffle(proof, pack) {
  const seeds = checkSeeds(proof);
  const found = [...checkCommitment(proof), ...seeds];
  const following = proof.nextServerSeedHash;
  const facts = { value: fact(following) };
  if (following !== null && !isHash(following)) found.push(finding("NEXT_COMMITMENT_MALFORMED", facts));
  else if (following === proof.serverSeedHash) found.push(finding("NEXT_COMMITMENT_NOT_NEW", facts));
  const tells = proof.serverSeed !== null && isHash(proof.serverSeed) && !seeds.length;
  return {
    cards: tells ? await shuffle(pack, proof.serverSeed, proof.clientSeed, proof.nonce) : pack.map(() => null),
    findings: found,
  };
}
