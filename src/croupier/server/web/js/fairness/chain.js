// Hash chains: contributions of `cut-1`, fixed when a player sat down and revealed one a deal.

import { frame, fromHex, isHash, toHex, utf8 } from "./encoding.js";
import { sha256 } from "./hash.js";

export const LINKS_MAX = 4096;
const DOMAIN = utf8("croupier cut-1 chain");

/** Whether the value is link `number` of the chain that ends in the anchor. */
export function reaches(anchor, number, value) {
  if (!isHash(value)) return false;
  let link = fromHex(value);
  for (let i = 0; i < number; i++) link = sha256(frame(DOMAIN, link));
  return toHex(link) === anchor;
}
