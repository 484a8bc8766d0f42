// A shuffled pack under one hash: the order is fixed, and each card can be opened by itself. `hashed` is always the
// deal's context in 32 bytes. A twin of `croupier.dealing.sealed_pack`.

import { frame, fromHex, isHash, isText, isWhole, join, toHex, u64, utf8 } from "./encoding.js";
import { fact, finding } from "./findings.js";
import { Hmac, hmac, sha256 } from "./hash.js";
import { leaf, ledTo, root } from "./merkle.js";
import { shuffled } from "./stream.js";

const LEAF = utf8("croupier cut-1 leaf");
const SALT = utf8("croupier cut-1 salt");
const SHUFFLE = utf8("croupier cut-1 shuffle");
const LEAF_MARK = Uint8Array.of(0);
const HASH_BYTES = 32;

/** The pack as the secret shuffles it, { order, root }: the order and the root that commits to it, in hex. */
export function sealedPack(secret, hashed, pack) {
  const order = shuffled(pack.length, hmac(secret, frame(SHUFFLE, hashed))).map((index) => pack[index]);
  const salts = new Hmac(secret);
  // What is hashed for one position differs from the next in a few bytes: those are changed in place.
  const salted = join(frame(SALT, hashed), frame(u64(0)));
  const leafStart = join(LEAF_MARK, frame(LEAF, hashed), frame(u64(0), new Uint8Array(HASH_BYTES)));
  const leaves = order.map((card, position) => {
    const place = u64(position);
    salted.set(place, salted.length - place.length);
    const salt = salts.digest(salted);
    const content = framedCard(leafStart, card);
    content.set(place, leafStart.length - HASH_BYTES - 4 - place.length);
    content.set(salt, leafStart.length - HASH_BYTES);
    return sha256(content);
  });
  return { order, root: toHex(root(leaves)) };
}

/** The beginning of a leaf with a card behind it. */
function framedCard(start, card) {
  const text = utf8(card);
  const content = new Uint8Array(start.length + 4 + text.length);
  content.set(start);
  content[start.length + 3] = text.length;
  content[start.length + 2] = text.length >>> 8;
  content.set(text, start.length + 4);
  return content;
}

/** Checks one card as soon as it is shown; `order` is the public permutation of its deal. Empty only if the card is what
 * the server committed to at the position that the cut chose for this k. */
export function checkOpening(opening, rootHex, order, hashed) {
  const malformed = checkForm(opening, order.length);
  if (malformed.length) return malformed;
  const { k, position } = opening;
  const found = [];
  if (position !== order[k]) found.push(finding("POSITION_MISMATCH", { k, position, expected: order[k] }));
  if (impliedRoot(opening, order.length, hashed) !== rootHex) found.push(finding("OPENING_NOT_IN_ROOT", { k }));
  return found;
}

function checkForm({ k, position, salt, card, path }, size) {
  const found = [];
  for (const [field, value] of Object.entries({ k, position })) {
    if (!isWhole(value) || value >= size)
      found.push(finding("OPENING_OUT_OF_RANGE", { k: fact(k), field, value: fact(value), high: size - 1 }));
  }
  if (!isHash(salt)) found.push(finding("SALT_MALFORMED", { k: fact(k), value: fact(salt) }));
  for (const sibling of path)
    if (!isHash(sibling)) found.push(finding("PATH_MALFORMED", { k: fact(k), value: fact(sibling) }));
  if (!isText(card)) found.push(finding("CARD_NOT_TEXT", { k: fact(k), value: fact(card) }));
  return found;
}

/** The root that an opening of good form leads to; null if its path has the wrong length. */
export function impliedRoot({ position, salt, card, path }, size, hashed) {
  const content = frame(LEAF, hashed, u64(position), fromHex(salt), utf8(card));
  const reached = ledTo(leaf(content), position, size, path.map(fromHex));
  return reached === null ? null : toHex(reached);
}
