// What a check can find wrong: { code, facts }. The codes are those of docs/fairness.md.

const SHOWN_CHARACTERS_MAX = 80;

export const finding = (code, facts = {}) => ({ code, facts });

/** A value out of a message as a fact: a whole number stays one, anything else is shown as short text. */
export function fact(value) {
  if (Number.isSafeInteger(value)) return value;
  if (typeof value !== "string") return `(${value === null ? "null" : Array.isArray(value) ? "list" : typeof value})`;
  const clipped = value.length <= SHOWN_CHARACTERS_MAX ? value : `${value.slice(0, SHOWN_CHARACTERS_MAX)}…`;
  // Nothing that could be taken for the page's own words: line ends, marks that turn the direction, halves of pairs.
  return clipped.replace(/[^\x20-\x7e…]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
