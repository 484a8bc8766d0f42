// Checks the shared examples of cut-2 with the page's own modules: node check_cut2.mjs FOLDER VECTORS
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [folder, file] = process.argv.slice(2);
const canonical = await import(`${folder}/fairness/canonical.js`);
const cut2 = await import(`${folder}/fairness/cut2.js`);
const { fromHex, toHex } = await import(`${folder}/fairness/encoding.js`);
const { checkOpening, sealedPack } = await import(`${folder}/fairness/sealedpack.js`);

const vectors = JSON.parse(readFileSync(file, "utf8"));
const packs = Object.fromEntries(vectors["cut-2 packs"].map(({ name, cards }) => [name, cards]));

/** What a function gives, or null where it throws a CanonicalError or JSON's own error. */
function attempt(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof canonical.CanonicalError || error instanceof SyntaxError) return null;
    throw error;
  }
}

const checks = {
  canonical({ text, written, accepted }) {
    assert.equal(attempt(() => canonical.write(JSON.parse(text))), written);
    assert.equal(attempt(() => (canonical.read(text), true)) ?? false, accepted);
  },
  promises({ value, promise }) {
    assert.equal(cut2.promiseOf(fromHex(value)), promise);
    assert.ok(cut2.keeps(promise, value));
    assert.ok(!cut2.keeps(promise, promise) && !cut2.keeps(promise, value.toUpperCase()) && !cut2.keeps(promise, null));
  },
  contexts({ context, hash }) {
    assert.deepEqual(cut2.checkContext(context), []);
    assert.equal(toHex(cut2.contextHash(context)), hash);
  },
  closings({ text, digest }) {
    assert.equal(cut2.closingDigest(text), digest);
  },
  "cut-2"({ pack, context, contextHash, secrets, firstOrders, roots, seal, cuts, cut, played, permutation, openings }) {
    const cards = packs[pack];
    const hashed = cut2.contextHash(context);
    assert.equal(toHex(hashed), contextHash);
    secrets.forEach((secret, number) => {
      const sealed = sealedPack(fromHex(secret), hashed, cards);
      assert.equal(sealed.root, roots[number]);
      assert.deepEqual(sealed.order.slice(0, 5), firstOrders[number].map((place) => cards[place]));
    });
    assert.equal(toHex(cut2.sealOf(hashed, roots)), seal);
    const made = cut2.cutOf(fromHex(seal), cuts);
    assert.equal(toHex(made), cut);
    assert.equal(cut2.choice(made, context.packs), played);
    const order = cut2.permutation(made, cards.length);
    assert.deepEqual(Array.from(order), permutation);
    for (const opening of openings) assert.deepEqual(checkOpening(opening, roots[played], order, hashed), []);
  },
  "cut-2 proofs"({ pack, proof, findings }) {
    // Types and fields are read elsewhere; an opening by itself does not know the cards of the others.
    const elsewhere = ["PROOF_MALFORMED", "OPENING_REPEATED", "CARD_TOO_OFTEN", "CARD_NOT_IN_PACK"];
    if (findings.includes("PROOF_MALFORMED")) return;
    assert.deepEqual(codes(cutFindings(proof, packs[pack])), findings.filter((code) => !elsewhere.includes(code)));
  },
  "cut-2 voids"({ pack, proof, findings }) {
    assert.deepEqual(codes(voidFindings(proof, packs[pack])), findings);
  },
};

function cutFindings({ context, roots, cuts, secrets, openings }, cards) {
  let found = [...cut2.checkContext(context), ...cut2.checkRoots(context, roots)];
  if (!found.length) found = cut2.checkCuts(context, cuts);
  if (found.length) return found;
  const hashed = cut2.contextHash(context);
  const cut = cut2.cutOf(cut2.sealOf(hashed, roots), cuts);
  const played = cut2.choice(cut, context.packs);
  found = cut2.checkSecrets(hashed, roots, cards, secrets, played);
  if (found.some(({ code }) => code === "SECRET_COUNT")) return found;
  if (secrets[played] !== null) {
    const alone = cut2.checkSecrets(hashed, [roots[played]], cards, [secrets[played]], null);
    return [...found, ...alone.map(() => ({ code: "PACK_FALSE" }))];
  }
  const order = cut2.permutation(cut, cards.length);
  return [...found, ...openings.flatMap((opening) => checkOpening(opening, roots[played], order, hashed))];
}

function voidFindings({ context, roots, cuts, secrets }, cards) {
  const found = [...cut2.checkContext(context), ...cut2.checkRoots(context, roots)];
  if (found.length) return found;
  const given = cut2.checkGiven(context, cuts);
  return [...given, ...cut2.checkSecrets(cut2.contextHash(context), roots, cards, secrets, null)];
}

const codes = (found) => [...new Set(found.map(({ code }) => code))].sort();

// Too long for a file of examples.
assert.equal(attempt(() => canonical.read(JSON.stringify("x".repeat(65534)))?.length), 65534);
assert.equal(attempt(() => canonical.read(JSON.stringify("x".repeat(65535)))), null);
assert.equal(attempt(() => canonical.read(JSON.stringify("é".repeat(32767)))?.length), 32767);
assert.equal(attempt(() => canonical.read(JSON.stringify("é".repeat(32768)))), null);

const counts = {};
for (const [list, check] of Object.entries(checks)) {
  for (const example of vectors[list]) {
    try {
      check(example);
    } catch (error) {
      error.message = `${list}, ${example.name}: ${error.message}`;
      throw error;
    }
  }
  counts[list] = vectors[list].length;
}
console.log(JSON.stringify(counts));
