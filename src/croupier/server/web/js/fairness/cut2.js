// `cut-2`: several players, against a server that lies. Everything here anybody can compute; docs/fairness.md says it
// byte by byte. A twin of `croupier.dealing.cut2`.

import * as canonical from "./canonical.js";
import { frame, fromHex, isHash, isWhole, toHex, u64, utf8 } from "./encoding.js";
import { fact, finding } from "./findings.js";
import { hmac, sha256 } from "./hash.js";
import { sealedPack } from "./sealedpack.js";
import { shuffled } from "./stream.js";

export const SCHEME = "cut-2";
/** T where the pack is never opened whole: a false pack among them is found 7 times in 8. */
export const PACKS_HIDDEN = 8;
/** T where the pack is opened whole at the end, and found out for certain. */
export const PACKS_OPENED = 1;
/** What stands for the closing before a room's first deal. */
export const FIRST_BEFORE = "0".repeat(64);
const CUTTERS_MAX = 200;

const domain = (name) => utf8(`croupier cut-2 ${name}`);

/** What a player promises for a deal to come, from 32 random bytes that are for that deal only. */
export const promiseOf = (value) => toHex(sha256(frame(domain("promise"), value)));

/** Whether this is the value that was promised. */
export const keeps = (promise, value) => isHash(value) && promiseOf(fromHex(value)) === promise;

/** The context in 32 bytes. */
export function contextHash({ room, deal, hand, shuffle, rules, setup, pack, packs, before, cutters }) {
  return sha256(
    frame(
      domain("context"),
      fromHex(room),
      u64(deal),
      u64(hand),
      u64(shuffle),
      utf8(rules),
      utf8(setup),
      utf8(pack),
      u64(packs),
      fromHex(before),
      ...cutters.flatMap(({ seat, promise }) => [u64(seat), fromHex(promise)]),
    ),
  );
}

/** What the players cut: the context and all roots, in 32 bytes. */
export const sealOf = (hashed, roots) => sha256(frame(domain("seal"), hashed, ...roots.map(fromHex)));

/** The cut that all contributions make, in the order of their seats. */
export function cutOf(seal, cuts) {
  const entries = cuts.flatMap(({ seat, value }) => [u64(seat), fromHex(value)]);
  return sha256(frame(domain("cut"), seal, ...entries));
}

/** Which of the packs is played. */
export const choice = (cut, packs) => hmac(cut, utf8("choice"))[0] % packs;

/** π: the k-th card dealt is the one at position π[k] of the played pack. */
export const permutation = (cut, size) => shuffled(size, hmac(cut, utf8("permutation")));

/** The digest of a closing, which the next deal carries as `before`. */
export const closingDigest = (text) => toHex(sha256(frame(domain("closing"), utf8(text))));

/** Names each field of a context that is out of bounds, or not in canonical form. */
export function checkContext(context) {
  const found = [];
  const malformed = (field) => found.push(finding("CONTEXT_MALFORMED", { field, value: fact(context[field]) }));
  for (const field of ["room", "before"]) if (!isHash(context[field])) malformed(field);
  for (const [field, low] of Object.entries({ deal: 1, hand: 1, shuffle: 0, packs: 1 })) {
    const value = context[field];
    if (!isWhole(value) || value < low || (field === "packs" && value > PACKS_HIDDEN)) malformed(field);
  }
  for (const field of ["rules", "setup", "pack"]) {
    if (!isCanonical(context[field]))
      found.push(finding("CONTEXT_NOT_CANONICAL", { field, value: fact(context[field]) }));
  }
  const seats = context.cutters.map(({ seat }) => seat);
  const inOrder = seats.every((seat, place) => isWhole(seat) && (place === 0 || seats[place - 1] < seat));
  if (seats.length > CUTTERS_MAX || !inOrder)
    found.push(finding("CUTTERS_MALFORMED", { seats: seats.join(" ").slice(0, 80) }));
  for (const { seat, promise } of context.cutters)
    if (!isHash(promise)) found.push(finding("PROMISE_MALFORMED", { seat: fact(seat), value: fact(promise) }));
  return found;
}

function isCanonical(text) {
  try {
    canonical.read(text);
    return true;
  } catch (error) {
    if (error instanceof canonical.CanonicalError) return false;
    throw error;
  }
}

/** Whether there is a root for each pack. */
export function checkRoots({ packs }, roots) {
  if (roots.length !== packs) return [finding("ROOT_COUNT", { roots: roots.length, packs: fact(packs) })];
  return roots.filter((root) => !isHash(root)).map((root) => finding("ROOT_MALFORMED", { value: fact(root) }));
}

/** Whether exactly the cutters have cut, in order, each as promised. */
export function checkCuts(context, cuts) {
  const { cutters } = context;
  if (cuts.length !== cutters.length || cuts.some(({ seat }, place) => seat !== cutters[place].seat))
    return [finding("CUTS_INCOMPLETE", { seats: cuts.map(({ seat }) => seat).join(" ").slice(0, 80) })];
  return checkGiven(context, cuts);
}

/** Whether each of these cuts is what its seat promised. A void deal lacks some. */
export function checkGiven({ cutters }, cuts) {
  const promised = new Map(cutters.map(({ seat, promise }) => [seat, promise]));
  return cuts
    .filter(({ seat, value }) => !promised.has(seat) || !keeps(promised.get(seat), value))
    .map(({ seat }) => finding("CUT_NOT_PROMISED", { seat: fact(seat) }));
}

/** Whether every pack that is not played, or with `played` null all of a void deal, was an honest shuffle. */
export function checkSecrets(hashed, roots, pack, secrets, played) {
  if (secrets.length !== roots.length)
    return [finding("SECRET_COUNT", { secrets: secrets.length, packs: roots.length })];
  const found = [];
  roots.forEach((root, number) => {
    const secret = secrets[number];
    if (number === played) return;
    if (!isHash(secret)) found.push(finding("SECRET_MISSING", { pack: number }));
    else if (sealedPack(fromHex(secret), hashed, pack).root !== root)
      found.push(finding("PACK_FALSE", { pack: number }));
  });
  return found;
}
