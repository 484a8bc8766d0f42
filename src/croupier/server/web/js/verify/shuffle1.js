// `shuffle-1`: one player and the house. As docs/fairness.md writes it down, and nothing else.

import { isHash, isWhole, toHex, utf8 } from "../fairness/encoding.js";
import { sha256 } from "../fairness/hash.js";

const SEED_CHARACTERS_MIN = 8;
const SEED_CHARACTERS_MAX = 256;

const finding = (code, facts = {}) => ({ code, facts });

/** The hash by which a server seed is promised: of its 64 characters, not of the bytes that they stand for. */
export const commitment = async (serverSeed) => toHex(await sha256(utf8(serverSeed)));

/** h mod m, where h is a big-endian number of any size. */
const remainder = (bytes, divisor) => bytes.reduce((rest, byte) => (rest * 256 + byte) % divisor, 0);

/** The pack in the order in which it is dealt. */
export async function shuffle(pack, serverSeed, clientSeed, nonce) {
  const order = [...pack];
  for (let i = order.length - 1; i > 0; i--) {
    const j = remainder(await sha256(utf8(`${serverSeed}:${clientSeed}:${nonce}:${i}`)), i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

async function checkCommitment({ serverSeedHash, serverSeed }) {
  const found = isHash(serverSeedHash) ? [] : [finding("COMMITMENT_MALFORMED", { value: serverSeedHash })];
  if (serverSeed === null) return [...found, finding("SEED_NOT_REVEALED")];
  if (!isHash(serverSeed)) return [...found, finding("SERVER_SEED_MALFORMED", { value: serverSeed })];
  const computed = await commitment(serverSeed);
  return found.length || computed === serverSeedHash
    ? found
    : [finding("COMMITMENT_MISMATCH", { committed: serverSeedHash, computed })];
}

function checkSeeds({ clientSeed, nonce }) {
  const found = [];
  const { length } = Array.from(clientSeed);
  if (!clientSeed.isWellFormed()) found.push(finding("CLIENT_SEED_NOT_TEXT", { value: clientSeed }));
  else if (length < SEED_CHARACTERS_MIN || length > SEED_CHARACTERS_MAX) {
    found.push(finding("CLIENT_SEED_LENGTH", { length, low: SEED_CHARACTERS_MIN, high: SEED_CHARACTERS_MAX }));
  }
  if (!isWhole(nonce)) found.push(finding("NONCE_OUT_OF_RANGE", { value: nonce, high: Number.MAX_SAFE_INTEGER }));
  return found;
}

/** The cards in the order dealt, null for each where the proof does not tell, and every fault in it. */
export async function cardsOfShuffle(proof, pack) {
  const seeds = checkSeeds(proof);
  const found = [...(await checkCommitment(proof)), ...seeds];
  const following = proof.nextServerSeedHash;
  if (following !== null && !isHash(following)) found.push(finding("NEXT_COMMITMENT_MALFORMED", { value: following }));
  else if (following === proof.serverSeedHash) found.push(finding("NEXT_COMMITMENT_NOT_NEW", { value: following }));
  const tells = proof.serverSeed !== null && isHash(proof.serverSeed) && !seeds.length;
  return {
    cards: tells ? await shuffle(pack, proof.serverSeed, proof.clientSeed, proof.nonce) : pack.map(() => null),
    findings: found,
  };
}
