// Bytes as docs/fairness.md writes them down.

const encoder = new TextEncoder();
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export const utf8 = (text) => encoder.encode(text);
export const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
export const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;
/** Whether a value is a text that has a UTF-8 form: no half of a surrogate pair stands alone. */
export const isText = (value) => typeof value === "string" && !/\p{Surrogate}/u.test(value);

export function toHex(data) {
  let text = "";
  for (const byte of data) text += HEX[byte];
  return text;
}

/** The bytes of a hexadecimal text of even length. */
export function fromHex(text) {
  const data = new Uint8Array(text.length >> 1);
  for (let i = 0; i < data.length; i++) data[i] = 16 * nibble(text, 2 * i) + nibble(text, 2 * i + 1);
  return data;
}

function nibble(text, at) {
  const code = text.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
}

/** A whole number as 8 bytes, big-endian. */
export function u64(number) {
  const data = new Uint8Array(8);
  for (let at = 7; number > 0; at--) {
    data[at] = number % 256;
    number = Math.floor(number / 256);
  }
  return data;
}

export function join(...parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Each part behind its length: no two different lists of parts have the same frame. */
export function frame(...parts) {
  let length = 0;
  for (const part of parts) length += 4 + part.length;
  const framed = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    framed[at] = part.length >>> 24;
    framed[at + 1] = part.length >>> 16;
    framed[at + 2] = part.length >>> 8;
    framed[at + 3] = part.length;
    framed.set(part, at + 4);
    at += 4 + part.length;
  }
  return framed;
}
