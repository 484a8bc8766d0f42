// JSON with one way to write a value: what two languages read alike, they hash alike. Texts that are hashed are sent as
// texts, and refused unless writing what was read gives the same text. A twin of `croupier.dealing.canonical`.

import { isText, utf8 } from "./encoding.js";

const TEXT_BYTES_MAX = 65536;
const DEPTH_MAX = 32;

/** A text that is not in canonical form, or a value that has none. */
export class CanonicalError extends Error {}

/** The canonical text of plain values. */
export function write(value) {
  check(value, 0);
  return JSON.stringify(value);
}

/** The value of a canonical text; throws CanonicalError for any other text. */
export function read(text) {
  if (!isText(text) || utf8(text).length > TEXT_BYTES_MAX) throw new CanonicalError("not a text of a bearable length");
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CanonicalError(error.message);
  }
  if (write(value) !== text) throw new CanonicalError("not in canonical form");
  return value;
}

function check(value, depth) {
  if (depth > DEPTH_MAX) throw new CanonicalError("nested too deep");
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "number") checkNumber(value);
  else if (typeof value === "string") {
    if (!isText(value)) throw new CanonicalError("a text that has no UTF-8 form");
  } else if (Array.isArray(value)) for (const each of value) check(each, depth + 1);
  else if (typeof value === "object") {
    for (const [key, each] of Object.entries(value)) {
      // JavaScript puts such keys first, or takes them for an object's prototype.
      if (!isText(key) || /^[0-9]+$/.test(key) || key === "__proto__") throw new CanonicalError(`the key ${key}`);
      check(each, depth + 1);
    }
  } else throw new CanonicalError(`a value of type ${typeof value}`);
}

/** Of fractions only what both languages write alike, without an exponent. */
function checkNumber(value) {
  if (Number.isSafeInteger(value)) return;
  const size = Math.abs(value);
  if (Number.isInteger(value) || !(size >= 1e-4 && size < 1e15)) throw new CanonicalError("a number out of bounds");
}
