// The cards that may be dealt, as a heat map: what each does to both players, or what is played after it.

import { cardName, suitMark } from "../../cards.js";
import { h, setAttribute, setText, setVariable } from "../../dom.js";
import { t } from "../../texts.js";
import { withArrowKeys } from "../gridkeys.js";
import { actionColours, actionName, chips, mixture, share, shortChips, swatch } from "./actions.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const KINDS = ["ev_oop", "ev_ip", "equity_oop", "equity_ip", "actions"];

export class CardMap {
  #cards = [];

  /** `choose` is called with a card. */
  constructor(choose) {
    this.choose = choose;
    this.kind = h(
      "select",
      { name: "card-figure", on: { change: () => this.#draw() } },
      ...KINDS.map((kind) => h("option", { value: kind }, t(`web.lab.solver.card_figure.${kind}`))),
    );
    this.cells = new Map();
    const rows = [...SUITS].map((suit) => h("tr", {}, ...[...RANKS].map((rank) => this.#cell(rank + suit))));
    this.grid = h("table", { class: "card-map", role: "grid", "aria-label": t("web.lab.solver.card_map") }, h("tbody", {}, ...rows));
    withArrowKeys(this.grid);
    this.legend = h("ul", { class: "legend" });
    this.about = h("p", { class: "quiet" }, t("web.lab.solver.card_about"));
    this.element = h(
      "section",
      { class: "panel card-panel", "aria-label": t("web.lab.solver.card_map") },
      h("label", { class: "option" }, h("span", {}, t("web.lab.solver.show")), this.kind),
      this.grid,
      this.legend,
      this.about,
    );
  }

  #cell(card) {
    const figure = h("small", {});
    const cell = h(
      "td",
      { class: `map-cell suit-${card[1]}`, role: "gridcell", tabindex: "-1", "data-card": card },
      h("span", { class: "map-card", "aria-hidden": "true" }, card[0] === "T" ? "10" : card[0], suitMark(card[1])),
      figure,
    );
    cell.addEventListener("click", () => this.#take(card));
    cell.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.#take(card);
    });
    this.cells.set(card, { cell, figure });
    return cell;
  }

  #take(card) {
    if (this.#cards.some((each) => each.card === card)) this.choose(card);
  }

  /** The figures of every card; none while they are worked out. */
  show(cards) {
    this.#cards = cards;
    setAttribute(this.grid, "aria-busy", cards.length ? null : "true");
    this.#draw();
  }

  #draw() {
    const found = new Map(this.#cards.map((each) => [each.card, each]));
    const [figure, of] = this.kind.value.split("_");
    const player = of === "ip" ? 1 : 0;
    const values = figure === "actions" ? [] : this.#cards.map((each) => each[figure][player]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    for (const [card, { cell, figure: text }] of this.cells) {
      const known = found.get(card);
      setAttribute(cell, "data-dealt", !known);
      setAttribute(cell, "aria-disabled", known ? null : "true");
      if (!known) {
        setText(text, "");
        setAttribute(cell, "aria-label", t("web.lab.solver.card_out", { card: cardName(card) }));
        continue;
      }
      const words = figure === "actions" ? this.#mix(cell, known) : this.#tone(cell, known[figure][player], low, high, figure);
      setText(text, figure === "actions" ? "" : figure === "ev" ? shortChips(known.ev[player]) : words);
      setAttribute(cell, "aria-label", `${cardName(card)}: ${words}`);
    }
    const actions = this.#cards[0]?.actions ?? [];
    const colours = actionColours(actions);
    this.legend.replaceChildren(
      ...(figure === "actions" ? actions.map(({ action }, place) => h("li", {}, swatch(colours[place]), actionName(action))) : []),
    );
  }

  #mix(cell, { actions }) {
    setVariable(cell, "--mix", mixture(actions.map(({ frequency }) => frequency), actionColours(actions)));
    return actions.map(({ action, frequency }) => `${actionName(action)} ${share(frequency, 0)}`).join(", ");
  }

  #tone(cell, value, low, high, figure) {
    setVariable(cell, "--mix", toneOf(value, low, high));
    return figure === "ev" ? chips(value) : share(value);
  }
}

/** A colour between the lowest and the highest value, as a background. */
export function toneOf(value, low, high) {
  const part = high > low ? (100 * (value - low)) / (high - low) : 50;
  const colour = `color-mix(in oklab, var(--tone-low), var(--tone-high) ${part.toFixed(1)}%)`;
  return `linear-gradient(${colour}, ${colour})`;
}
