// What a proof out of a record tells, whatever its scheme.

import { finding } from "../fairness/findings.js";
import { cardsOfCut } from "./cut1.js";
import { cardsOfDeal } from "./cut2.js";
import { readProof } from "./shape.js";
import { cardsOfShuffle } from "./shuffle1.js";

/** Eight decks. */
export const PACK_CARDS_MAX = 416;

/** The cards in the order dealt, null where a sound proof does not tell, and every fault. `seats` is how many seats must
 * be listed in a cut, where that is known. */
export async function cardsOfProof(proof, pack, seats = null) {
  if (pack.length < 1 || pack.length > PACK_CARDS_MAX) {
    const facts = { cards: pack.length, low: 1, high: PACK_CARDS_MAX };
    return { cards: pack.map(() => null), findings: [finding("PACK_OUT_OF_RANGE", facts)] };
  }
  if (proof.scheme === "shuffle-1") return cardsOfShuffle(proof, pack);
  return proof.scheme === "cut-1" ? cardsOfCut(proof, pack, seats) : cardsOfDeal(proof, pack);
}

/** The same for a proof as it stands in a record. */
export async function cardsOf(raw, pack, seats = null) {
  const { proof, finding: malformed } = readProof(raw);
  return malformed ? { cards: pack.map(() => null), findings: [malformed] } : cardsOfProof(proof, pack, seats);
}
