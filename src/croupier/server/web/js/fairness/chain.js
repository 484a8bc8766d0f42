// Hash chains: contributions that are fixed when a player sits down and revealed one a deal.

import { frame, fromHex, isHash, toHex, utf8 } from "./encoding.js";
import { randomBytes, sha256 } from "./hash.js";

export const LINKS_MAX = 4096;
const DOMAIN = utf8("croupier cut-1 chain");

const before = (link) => sha256(frame(DOMAIN, link));

/** All links of a player's own chain; nobody else may see one before its deal. */
export class Chain {
  #links;

  constructor(links) {
    this.#links = links;
  }

  static async from(secret, length) {
    const links = [secret];
    for (let i = 0; i < length; i++) links.push(await before(links[i]));
    return new Chain(links.reverse());
  }

  static fresh(length) {
    return Chain.from(randomBytes(32), length);
  }

  get length() {
    return this.#links.length - 1;
  }

  get anchor() {
    return toHex(this.#links[0]);
  }

  /** The contribution to the `number`-th deal after the anchor was published, the first being 1. */
  link(number) {
    return toHex(this.#links[number]);
  }
}

/** Whether the value is link `number` of the chain that ends in the anchor. */
export async function reaches(anchor, number, value) {
  if (!isHash(value)) return false;
  let link = fromHex(value);
  for (let i = 0; i < number; i++) link = await before(link);
  return toHex(link) === anchor;
}
