// shuffle-1, as docs/fairness.md writes it down: the commitment to a server seed, and the order that seeds make.

import { toHex, utf8 } from "./encoding.js";
import { sha256 } from "./hash.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

/** h mod m, where h is a big-endian number of any size. */
const remainder = (bytes, divisor) => bytes.reduce((rest, byte) => (rest * 256 + byte) % divisor, 0);

/** The hash by which a server seed is promised: of its 64 characters, not of the bytes that they stand for. */
export const commitment = (serverSeed) => toHex(sha256(utf8(serverSeed)));

/** So many decks in canonical order. */
export function packOf(decks) {
  const deck = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
  return Array.from({ length: decks }, () => deck).flat();
}

/** The pack in the order in which it is dealt. */
export async function shuffle(pack, serverSeed, clientSeed, nonce) {
  const order = [...pack];
  for (let i = order.length - 1; i > 0; i--) {
    const j = remainder(sha256(utf8(`${serverSeed}:${clientSeed}:${nonce}:${i}`)), i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
