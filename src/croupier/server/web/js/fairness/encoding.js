// Bytes as docs/fairness.md writes them down.

const encoder = new TextEncoder();

export const utf8 = (text) => encoder.encode(text);
export const toHex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
export const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;

/** A whole number as 8 bytes, big-endian. */
export function u64(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(number));
  return new Uint8Array(view.buffer);
}

export function join(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Each part behind its length: no two different lists of parts have the same frame. */
export function frame(...parts) {
  return join(...parts.flatMap((part) => [u64(part.length).slice(4), part]));
}
