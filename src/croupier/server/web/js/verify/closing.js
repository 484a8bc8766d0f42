// The closing of a deal as text: how it ended and what happened until the next, which the next deal is chained to.

import * as canonical from "../fairness/canonical.js";
import { FIRST_BEFORE, closingDigest } from "../fairness/cut2.js";

const FIELDS = ["changes", "cut", "cuts", "deal", "missing", "moves", "paid", "payouts", "seal", "secrets"];
const KINDS = ["taken", "left", "sat_out", "sat_in", "waits", "bought", "reshuffled", "bomb"];

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const hasFields = (value, names) => isObject(value) && Object.keys(value).sort().join() === names.join();

/** The closing as plain values; null when the text is none. */
export function readClosing(text) {
  let closing;
  try {
    closing = canonical.read(text);
  } catch (error) {
    if (error instanceof canonical.CanonicalError) return null;
    throw error;
  }
  if (!hasFields(closing, FIELDS) || !Array.isArray(closing.changes) || !Array.isArray(closing.paid)) return null;
  return closing.changes.every(isChange) ? closing : null;
}

function isChange(change) {
  if (!hasFields(change, ["chips", "kind", "seat"])) return false;
  return Number.isInteger(change.seat) && KINDS.includes(change.kind) && Number.isInteger(change.chips);
}

/** Whether this is the closing whose digest a context names; the first deal of a room has none. */
export const follows = (text, before) => (before === FIRST_BEFORE ? text === "" : closingDigest(text) === before);
