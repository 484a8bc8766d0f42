// Checks the shared examples with WebCrypto alone, as a browser does. Written from docs/fairness.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const { subtle } = globalThis.crypto;
const utf8 = (text) => new TextEncoder().encode(text);
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => Array.from(part)));
const sha256 = async (data) => new Uint8Array(await subtle.digest("SHA-256", data));

function big(number, size) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(number));
  return new Uint8Array(view.buffer).slice(8 - size);
}
const u64 = (number) => big(number, 8);
const frame = (...parts) => join(...parts.map((part) => join(big(part.length, 4), part)));

async function hmac(key, message) {
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, message));
}

async function shuffle1(size, { serverSeed, clientSeed, nonce }) {
  const order = Array.from({ length: size }, (_, index) => index);
  for (let i = size - 1; i > 0; i--) {
    const hash = await sha256(utf8(`${serverSeed}:${clientSeed}:${nonce}:${i}`));
    const j = Number(BigInt("0x" + hex(hash)) % BigInt(i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

async function streamShuffle(size, key) {
  const order = Array.from({ length: size }, (_, index) => index);
  let block = [], at = 0, counter = 0;
  for (let i = size - 1; i > 0; i--) {
    const limit = 65536 - (65536 % (i + 1));
    let word;
    do {
      if (at === block.length) [block, at] = [await hmac(key, u64(counter++)), 0];
      word = 256 * block[at] + block[at + 1];
      at += 2;
    } while (word >= limit);
    const j = word % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

const contextHash = ({ table, hand, rules, shuffle }, size) =>
  sha256(frame(utf8("croupier cut-1 context"), utf8(table), u64(hand), utf8(rules), u64(shuffle), u64(size)));

async function permutation({ context, root, contributions, size }) {
  const entries = contributions.flatMap(({ seat, value }) => [u64(seat), bytes(value ?? "")]);
  const parts = [utf8("croupier cut-1 permutation"), await contextHash(context, size), bytes(root), ...entries];
  return streamShuffle(size, await sha256(frame(...parts)));
}

async function leadsTo({ position, salt, card, path }, context, size) {
  const content = frame(utf8("croupier cut-1 leaf"), await contextHash(context, size), u64(position), bytes(salt), utf8(card));
  let hash = await sha256(join([0], content));
  const siblings = path.map(bytes);
  for (let count = size; count > 1; count = (count + 1) >> 1, position >>= 1) {
    if (position === count - 1 && count % 2 === 1) continue;
    if (siblings.length === 0) return null;
    const other = siblings.shift();
    hash = await sha256(position % 2 ? join([1], other, hash) : join([1], hash, other));
  }
  return siblings.length === 0 ? hex(hash) : null;
}

async function onChain({ anchor, link, value }) {
  let hash = bytes(value);
  for (let count = 0; count < link; count++) hash = await sha256(frame(utf8("croupier cut-1 chain"), hash));
  return hex(hash) === anchor;
}

// The findings that need mathematics; those about form alone are a matter of regular expressions.
async function findings(proof) {
  const found = new Set();
  for (const entry of proof.contributions) {
    if (entry.value !== null && entry.anchor !== null && !(await onChain(entry))) found.add("CONTRIBUTION_OFF_CHAIN");
  }
  const order = await permutation(proof);
  const roots = new Set();
  for (const opening of proof.openings) {
    if (opening.position !== order[opening.k]) found.add("POSITION_MISMATCH");
    roots.add(await leadsTo(opening, proof.context, proof.size));
  }
  if (roots.size === 1 && !roots.has(proof.root)) return new Set(["ROOT_MISMATCH"]);
  if (roots.size > 1 || !roots.has(proof.root)) found.add("OPENING_NOT_IN_ROOT");
  return found;
}

const COMPUTED = ["CONTRIBUTION_OFF_CHAIN", "POSITION_MISMATCH", "OPENING_NOT_IN_ROOT", "ROOT_MISMATCH"];
const FORM = /MALFORMED|OUT_OF_RANGE|SIZE_MISMATCH/;

const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
const packs = Object.fromEntries(vectors.packs.map(({ name, cards }) => [name, cards]));
let cases = 0;

for (const example of vectors["shuffle-1"]) {
  assert.equal(hex(await sha256(utf8(example.serverSeed))), example.serverSeedHash);
  assert.deepEqual(await shuffle1(packs[example.pack].length, example), example.order, example.name);
  cases++;
}
for (const example of vectors["cut-1"]) {
  const size = packs[example.pack].length;
  assert.equal(hex(await contextHash(example.context, size)), example.contextHash);
  assert.deepEqual(await permutation({ ...example, size }), example.permutation, example.name);
  for (const opening of example.openings) assert.equal(await leadsTo(opening, example.context, size), example.root);
  cases++;
}
for (const { name, proof, findings: expected } of vectors["cut-1 proofs"]) {
  if (!expected.some((code) => FORM.test(code))) {
    const computable = expected.filter((code) => COMPUTED.includes(code));
    assert.deepEqual([...(await findings(proof))].sort(), computable, name);
  }
  cases++;
}
console.log(cases, "cases");
