// Figures as people of a language write them.

import { number } from "../texts.js";

/** A part of one as per cent. */
export const percent = (part, digits = 1) =>
  number(part, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A big number in few signs: 20M. */
export const compact = (count) => number(count, { notation: "compact", maximumFractionDigits: 1 });
