// `cut-1`: what anybody can compute from what was published. The findings' codes are those of docs/fairness.md.

import { LINKS_MAX, reaches } from "./chain.js";
import { frame, fromHex, isHash, isWhole, toHex, u64, utf8 } from "./encoding.js";
import { sha256 } from "./hash.js";
import { leaf, ledTo } from "./merkle.js";
import { shuffled } from "./stream.js";

const finding = (code, facts = {}) => ({ code, facts });

/** The context of a deal of `size` cards, in 32 bytes. */
export function contextHash(context, size) {
  const { table, hand, rules, shuffle } = context;
  return sha256(frame(utf8("croupier cut-1 context"), utf8(table), u64(hand), utf8(rules), u64(shuffle), u64(size)));
}

/** π: the k-th card dealt is the server's position π[k]. */
export async function permutation(root, contributions, size, context) {
  const entries = contributions.flatMap(({ seat, value }) => [u64(seat), fromHex(value ?? "")]);
  const domain = utf8("croupier cut-1 permutation");
  const key = await sha256(frame(domain, await contextHash(context, size), fromHex(root), ...entries));
  return shuffled(size, key);
}

/** Whether each seat's contribution is the link of its chain that it claims to be, or is rightly absent. */
export async function checkContributions(contributions) {
  const found = [];
  for (const [place, contribution] of contributions.entries()) {
    if (contribution.seat !== place) found.push(finding("SEAT_MISPLACED", { place, seat: contribution.seat }));
    found.push(...(await checkContribution(contribution)));
  }
  return found;
}

async function checkContribution({ seat, anchor, link, value }) {
  if (value !== null && !isHash(value)) return [finding("CONTRIBUTION_MALFORMED", { seat, value })];
  if (anchor === null && value !== null) return [finding("CONTRIBUTION_WITHOUT_CHAIN", { seat })];
  if (anchor !== null && !isHash(anchor)) return [finding("ANCHOR_MALFORMED", { seat, value: anchor })];
  const [low, high] = anchor === null ? [0, 0] : [1, LINKS_MAX];
  if (!isWhole(link) || link < low || link > high) {
    return [finding("LINK_OUT_OF_RANGE", { seat, value: link, low, high })];
  }
  if (anchor !== null && value !== null && !(await reaches(anchor, link, value))) {
    return [finding("CONTRIBUTION_OFF_CHAIN", { seat, link })];
  }
  return [];
}

/** Checks one card as soon as it is shown; `order` is the public permutation of its deal. */
export async function checkOpening(opening, root, order, context) {
  const malformed = checkForm(opening, order.length);
  if (malformed.length) return malformed;
  const { k, position } = opening;
  const found = [];
  if (position !== order[k]) found.push(finding("POSITION_MISMATCH", { k, position, expected: order[k] }));
  if ((await impliedRoot(opening, order.length, context)) !== root) found.push(finding("OPENING_NOT_IN_ROOT", { k }));
  return found;
}

function checkForm({ k, position, salt, card, path }, size) {
  const found = [];
  for (const [field, value] of [
    ["k", k],
    ["position", position],
  ]) {
    if (!isWhole(value) || value >= size)
      found.push(finding("OPENING_OUT_OF_RANGE", { k, field, value, high: size - 1 }));
  }
  if (!isHash(salt)) found.push(finding("SALT_MALFORMED", { k, value: salt }));
  for (const sibling of path) if (!isHash(sibling)) found.push(finding("PATH_MALFORMED", { k, value: sibling }));
  if (typeof card !== "string") found.push(finding("CARD_NOT_TEXT", { k, value: card }));
  return found;
}

/** The root that an opening leads to; null if its path has the wrong length. */
export async function impliedRoot({ position, salt, card, path }, size, context) {
  const hashed = await contextHash(context, size);
  const content = frame(utf8("croupier cut-1 leaf"), hashed, u64(position), fromHex(salt), utf8(card));
  const reached = await ledTo(await leaf(content), position, size, path.map(fromHex));
  return reached === null ? null : toHex(reached);
}
