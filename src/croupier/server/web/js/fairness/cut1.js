// `cut-1`, by which rooms were dealt before `cut-2`: what anybody can compute from what was published.

import { LINKS_MAX, reaches } from "./chain.js";
import { frame, fromHex, isHash, isWhole, u64, utf8 } from "./encoding.js";
import { finding } from "./findings.js";
import { sha256 } from "./hash.js";
import * as sealed from "./sealedpack.js";
import { shuffled } from "./stream.js";

/** The context of a deal of `size` cards, in 32 bytes. */
export function contextHash(context, size) {
  const { table, hand, rules, shuffle } = context;
  return sha256(frame(utf8("croupier cut-1 context"), utf8(table), u64(hand), utf8(rules), u64(shuffle), u64(size)));
}

/** π: the k-th card dealt is the server's position π[k]. */
export function permutation(root, contributions, size, context) {
  const entries = contributions.flatMap(({ seat, value }) => [u64(seat), fromHex(value ?? "")]);
  const domain = utf8("croupier cut-1 permutation");
  return shuffled(size, sha256(frame(domain, contextHash(context, size), fromHex(root), ...entries)));
}

/** Whether each seat's contribution is the link of its chain that it claims to be, or is rightly absent. */
export function checkContributions(contributions) {
  const found = [];
  for (const [place, contribution] of contributions.entries()) {
    if (contribution.seat !== place) found.push(finding("SEAT_MISPLACED", { place, seat: contribution.seat }));
    found.push(...checkContribution(contribution));
  }
  return found;
}

function checkContribution({ seat, anchor, link, value }) {
  if (value !== null && !isHash(value)) return [finding("CONTRIBUTION_MALFORMED", { seat, value })];
  if (anchor === null && value !== null) return [finding("CONTRIBUTION_WITHOUT_CHAIN", { seat })];
  if (anchor !== null && !isHash(anchor)) return [finding("ANCHOR_MALFORMED", { seat, value: anchor })];
  const [low, high] = anchor === null ? [0, 0] : [1, LINKS_MAX];
  if (!isWhole(link) || link < low || link > high) {
    return [finding("LINK_OUT_OF_RANGE", { seat, value: link, low, high })];
  }
  if (anchor !== null && value !== null && !reaches(anchor, link, value)) {
    return [finding("CONTRIBUTION_OFF_CHAIN", { seat, link })];
  }
  return [];
}

/** Checks one card as soon as it is shown; `order` is the public permutation of its deal. */
export function checkOpening(opening, root, order, context) {
  return sealed.checkOpening(opening, root, order, contextHash(context, order.length));
}

/** The root that an opening leads to; null if its path has the wrong length. */
export function impliedRoot(opening, size, context) {
  return sealed.impliedRoot(opening, size, contextHash(context, size));
}
