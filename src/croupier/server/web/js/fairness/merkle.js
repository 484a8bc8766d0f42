// Merkle trees, shaped and hashed as in RFC 6962.

import { join } from "./encoding.js";
import { sha256 } from "./hash.js";

export const leaf = (content) => sha256(join(Uint8Array.of(0), content));

const pair = new Uint8Array(65);
pair[0] = 1;

export function node(left, right) {
  pair.set(left, 1);
  pair.set(right, 33);
  return sha256(pair);
}

/** The root over some leaves, at least one. */
export function root(leaves) {
  let level = leaves;
  while (level.length > 1) {
    const above = [];
    for (let at = 0; at + 1 < level.length; at += 2) above.push(node(level[at], level[at + 1]));
    if (level.length % 2) above.push(level.at(-1));
    level = above;
  }
  return level[0];
}

/** The root that a path leads to from the leaf at `position` of `size`; null if the path has the wrong length. */
export function ledTo(start, position, size, siblings) {
  let reached = start;
  let used = 0;
  for (let count = size; count > 1; count = Math.ceil(count / 2)) {
    if ((position ^ 1) < count) {
      if (used === siblings.length) return null;
      const sibling = siblings[used];
      reached = position % 2 ? node(sibling, reached) : node(reached, sibling);
      used += 1;
    }
    position >>= 1;
  }
  return used === siblings.length ? reached : null;
}
