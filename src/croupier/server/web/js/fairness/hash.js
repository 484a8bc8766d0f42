// SHA-256 and HMAC-SHA-256 in plain JavaScript, at once and without promises. Browsers keep WebCrypto for secure pages,
// and a player on the host's network must check every card as well. For the short texts of a deal this is also faster:
// it makes thousands of hashes, and each answer of WebCrypto takes longer than the hash.

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const LENGTH_BYTES = 8;

/** Random bytes; every browser has them, on secure pages or not. */
export function randomBytes(count) {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** Fractional parts of roots of the first primes, as FIPS 180-4 defines the constants. */
function fractions(count, root) {
  const found = [];
  for (let number = 2; found.length < count; number++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) prime = false;
    if (prime) found.push(((root(number) % 1) * 2 ** 32) | 0);
  }
  return Int32Array.from(found);
}

const START = fractions(8, Math.sqrt);
const ROUND = fractions(64, Math.cbrt);
const words = new Int32Array(64);

/** Takes the block of `data` that begins at `at` into the state. */
function compress(state, data, at) {
  for (let i = 0; i < 16; i++, at += 4) {
    words[i] = (data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8) | data[at + 3];
  }
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15];
    const y = words[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

const state = new Int32Array(8);
const tail = new Uint8Array(2 * BLOCK_BYTES);

/** The hash of `data`, from a state that has taken `before` bytes, which are whole blocks. */
function finish(started, data, before) {
  state.set(started);
  const whole = data.length - (data.length % BLOCK_BYTES);
  for (let at = 0; at < whole; at += BLOCK_BYTES) compress(state, data, at);
  const rest = data.length - whole;
  const end = rest + 1 + LENGTH_BYTES > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES;
  tail.fill(0, rest, end);
  for (let i = 0; i < rest; i++) tail[i] = data[whole + i];
  tail[rest] = 0x80;
  let bits = 8 * (before + data.length);
  for (let at = end - 1; bits > 0; at--) {
    tail[at] = bits % 256;
    bits = Math.floor(bits / 256);
  }
  for (let at = 0; at < end; at += BLOCK_BYTES) compress(state, tail, at);
  const hash = new Uint8Array(HASH_BYTES);
  for (let i = 0; i < 8; i++) {
    hash[4 * i] = state[i] >>> 24;
    hash[4 * i + 1] = state[i] >>> 16;
    hash[4 * i + 2] = state[i] >>> 8;
    hash[4 * i + 3] = state[i];
  }
  return hash;
}

/** The SHA-256 of some bytes. */
export function sha256(data) {
  return finish(START, data, 0);
}

/** HMAC-SHA-256 under one key of at most a block: what the key makes of both hashes is computed once. */
export class Hmac {
  #inner = Int32Array.from(START);
  #outer = Int32Array.from(START);

  constructor(key) {
    const block = new Uint8Array(BLOCK_BYTES);
    block.set(key);
    compress(
      this.#inner,
      block.map((byte) => byte ^ 0x36),
      0,
    );
    compress(
      this.#outer,
      block.map((byte) => byte ^ 0x5c),
      0,
    );
  }

  digest(message) {
    return finish(this.#outer, finish(this.#inner, message, BLOCK_BYTES), BLOCK_BYTES);
  }
}

/** The HMAC-SHA-256 of a message. */
export function hmac(key, message) {
  return new Hmac(key).digest(message);
}
