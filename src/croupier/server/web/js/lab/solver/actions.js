// The actions of the tree for people: their names in the reader's language, and a colour for each.

import { h, setVariable } from "../../dom.js";
import { number, t } from "../../texts.js";
import { percent } from "../figures.js";

const BETS = 4;

/** `raise 125` in the reader's language. */
export function actionName(action) {
  const [kind, amount] = action.split(" ");
  return t(`web.lab.solver.action.${kind.replace("-", "_")}`, { amount: amount ? number(Number(amount)) : "" }).trim();
}

/** The same with what a bet is of the pot. */
export function actionDetail(action, pot, faced) {
  const [kind, amount] = action.split(" ");
  return faced || !amount || kind === "raise" ? actionName(action) : `${actionName(action)} · ${percent(Number(amount) / pot, 0)}`;
}

/** A colour for every action: blue gives up, green goes along, warm colours are bets, the darker the larger. */
export function actionColours(actions) {
  const sizes = actions.filter(({ action }) => /^(bet|raise) /.test(action)).length;
  let bets = 0;
  return actions.map(({ action }) => {
    const kind = action.split(" ")[0];
    if (kind === "fold" || kind === "all-in") return `var(--act-${kind})`;
    if (kind === "check" || kind === "call") return "var(--act-call)";
    bets += 1;
    // One size alone has the colour in the middle.
    const tone = sizes === 1 ? 2 : Math.ceil((bets * BETS) / sizes);
    return `var(--act-bet-${tone})`;
  });
}

/** A bar of shares side by side, as a background. */
export function mixture(shares, colours) {
  let from = 0;
  const parts = shares.map((share, place) => {
    const to = from + 100 * share;
    const part = `${colours[place]} ${from.toFixed(2)}% ${to.toFixed(2)}%`;
    from = to;
    return part;
  });
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

export function swatch(colour) {
  const mark = h("span", { class: "swatch", "aria-hidden": "true" });
  setVariable(mark, "--colour", colour);
  return mark;
}

/** A bar with what it shows in words. */
export function strategyBar(shares, colours, words) {
  const bar = h("span", { class: "strategy-bar", role: "img", "aria-label": words });
  setVariable(bar, "--mix", mixture(shares, colours));
  return bar;
}

/** Chips with so many digits; what is rounded to 0 has no sign. */
const written = (value, digits) =>
  number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "negative" });

/** Chips that a hand wins. */
export const chips = (value) => (value === null || value === undefined ? "–" : written(value, 2));

/** The same where there is little room. */
export const shortChips = (value) => {
  const digits = value === null || Math.abs(value) >= 100 ? 0 : 1;
  return value === null ? "–" : written(value, digits);
};

export const share = (value, digits = 1) => (value === null || value === undefined ? "–" : percent(value, digits));
