// Chips: a pile for an amount, in the customary colours.

import { h, s } from "./dom.js";
import { number } from "./texts.js";

const VALUES = [100_000, 25_000, 5000, 1000, 500, 100, 25, 5, 1];
const CHIPS_SHOWN_MAX = 7;

/** The fewest chips that make the amount, the biggest first; a high pile is cut off at the small end. */
function chipsFor(amount) {
  const found = [];
  let left = amount;
  for (const value of VALUES) {
    while (left >= value && found.length < CHIPS_SHOWN_MAX) {
      found.push(value);
      left -= value;
    }
  }
  return found;
}

/** A drawing of the pile. It is for the eye only: the amount stands beside it. */
export function chipPile(amount) {
  const chips = chipsFor(amount);
  const height = 16 + 4 * Math.max(chips.length - 1, 0);
  const drawing = s("svg", { viewBox: `0 0 26 ${height}`, class: "pile", "aria-hidden": "true" });
  chips.forEach((value, place) => {
    const y = height - 8 - 4 * place;
    drawing.append(
      s(
        "g",
        { class: `chip chip-${value}` },
        s("ellipse", { class: "edge", cx: 13, cy: y + 2, rx: 12, ry: 6 }),
        s("ellipse", { class: "top", cx: 13, cy: y, rx: 12, ry: 6 }),
        s("ellipse", { class: "ring", cx: 13, cy: y, rx: 7.5, ry: 3.4 }),
      ),
    );
  });
  return drawing;
}

/** A pile with its amount, changed in place by `showPile`; `meaning` is for who hears the amount and sees no table. */
export function makePile(className, meaning = "") {
  const words = meaning ? h("span", { class: "unseen" }, meaning) : null;
  return h("span", { class: `bet ${className}` }, h("span", { class: "pile-place" }), words, h("b", {}));
}

export function showPile(element, amount, label = number(amount)) {
  if (element.dataset.amount !== String(amount)) {
    element.dataset.amount = amount;
    element.firstChild.replaceChildren(...(amount ? [chipPile(amount)] : []));
  }
  if (element.lastChild.textContent !== label) element.lastChild.textContent = label;
  element.hidden = !amount;
}
