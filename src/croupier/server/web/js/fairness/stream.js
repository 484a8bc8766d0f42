// A Fisher–Yates shuffle whose choices come from an HMAC-SHA-256 stream, without any bias.

import { u64 } from "./encoding.js";
import { Hmac } from "./hash.js";

const WORDS = 65536;

/** The numbers 0 … size − 1 as the key shuffles them. */
export function shuffled(size, key) {
  const order = Array.from({ length: size }, (_, index) => index);
  const stream = new Hmac(key);
  let block = new Uint8Array(0);
  let at = 0;
  let counter = 0;
  for (let i = size - 1; i > 0; i--) {
    const limit = WORDS - (WORDS % (i + 1));
    let word = limit;
    while (word >= limit) {
      if (at === block.length) {
        block = stream.digest(u64(counter));
        counter += 1;
        at = 0;
      }
      word = block[at] * 256 + block[at + 1];
      at += 2;
    }
    const j = word % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
