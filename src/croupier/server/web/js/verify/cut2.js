// A whole proof by `cut-2`: what was fixed, the cuts, the packs that were not played, and the cards of the one that was.

import * as cut2 from "../fairness/cut2.js";
import { fromHex, isHash } from "../fairness/encoding.js";
import { finding } from "../fairness/findings.js";
import { checkOpening, sealedPack } from "../fairness/sealedpack.js";
import { openedCards } from "./openings.js";

/** The seal of a deal whose context and roots are sound: what its players cut. */
export const sealOf = ({ context, roots }) => cut2.sealOf(cut2.contextHash(context), roots);

/** The cards of a deal that was cut, and every fault: all cards once the played pack's secret is known, else those that
 * were opened, and null for the rest. */
export function cardsOfDeal(proof, pack) {
  const { context, roots, cuts, secrets, openings } = proof;
  const unknown = pack.map(() => null);
  let found = [...cut2.checkContext(context), ...cut2.checkRoots(context, roots)];
  if (!found.length) found = cut2.checkCuts(context, cuts);
  if (found.length) return { cards: unknown, findings: found };
  const hashed = cut2.contextHash(context);
  const cut = cut2.cutOf(cut2.sealOf(hashed, roots), cuts);
  const played = cut2.choice(cut, context.packs);
  const order = cut2.permutation(cut, pack.length);
  found = cut2.checkSecrets(hashed, roots, pack, secrets, played);
  if (found[0]?.code === "SECRET_COUNT") return { cards: unknown, findings: found };
  const secret = secrets[played];
  if (secret !== null) {
    const opened = isHash(secret) ? sealedPack(fromHex(secret), hashed, pack) : null;
    if (opened?.root !== roots[played])
      return { cards: unknown, findings: [...found, finding("PACK_FALSE", { pack: played })] };
    return { cards: order.map((position) => opened.order[position]), findings: found };
  }
  for (const opening of openings) found.push(...checkOpening(opening, roots[played], order, hashed));
  const { cards, findings } = openedCards(openings, pack);
  return { cards, findings: [...found, ...findings] };
}
