// Merkle trees, shaped and hashed as in RFC 6962.

import { join } from "./encoding.js";
import { sha256 } from "./hash.js";

export const leaf = (content) => sha256(join(Uint8Array.of(0), content));
export const node = (left, right) => sha256(join(Uint8Array.of(1), left, right));

/** The root that a path leads to from the leaf at `position` of `size`; null if the path has the wrong length. */
export async function ledTo(start, position, size, siblings) {
  let reached = start;
  let used = 0;
  for (let count = size; count > 1; count = Math.ceil(count / 2)) {
    if ((position ^ 1) < count) {
      if (used === siblings.length) return null;
      const sibling = siblings[used];
      reached = position % 2 ? await node(sibling, reached) : await node(reached, sibling);
      used += 1;
    }
    position >>= 1;
  }
  return used === siblings.length ? reached : null;
}
