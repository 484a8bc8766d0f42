// SHA-256 and HMAC-SHA-256. WebCrypto does the work where the browser has it. Over plain HTTP to another machine of
// the house it does not (browsers keep it for secure pages), so the same functions are here in plain JavaScript too:
// a player on the host's network checks every card as well.

const subtle = globalThis.crypto?.subtle;
const BLOCK_BYTES = 64;

/** The SHA-256 of some bytes. */
export async function sha256(data) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", data)) : plainSha256(data);
}

/** The HMAC-SHA-256 of a message. */
export async function hmac(key, message) {
  if (!subtle) return plainHmac(key, message);
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, message));
}

/** Random bytes; every browser has them, on secure pages or not. */
export function randomBytes(count) {
  return crypto.getRandomValues(new Uint8Array(count));
}

const ROUND = roundConstants();

/** Fractional parts of the cube roots of the first 64 primes, as FIPS 180-4 defines the constants. */
function roundConstants() {
  const found = [];
  for (let number = 2; found.length < 64; number++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) prime = false;
    if (prime) found.push(fraction(Math.cbrt(number)));
  }
  return found;
}

function fraction(root) {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** The plain form of `sha256`. */
export function plainSha256(data) {
  const state = Int32Array.from([2, 3, 5, 7, 11, 13, 17, 19], (prime) => fraction(Math.sqrt(prime)));
  const padded = new Uint8Array(Math.ceil((data.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(data.length) * 8n);
  const words = new Int32Array(64);
  for (let start = 0; start < padded.length; start += BLOCK_BYTES) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(start + 4 * i);
    compress(state, words);
  }
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => result.setInt32(4 * i, word));
  return new Uint8Array(result.buffer);
}

function compress(state, words) {
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15];
    const y = words[i - 2];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = words[i - 16] + s0 + words[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
}

/** The plain form of `hmac`, for keys of at most one block. */
export function plainHmac(key, message) {
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(key);
  const inner = plainSha256(Uint8Array.of(...padded.map((byte) => byte ^ 0x36), ...message));
  return plainSha256(Uint8Array.of(...padded.map((byte) => byte ^ 0x5c), ...inner));
}
