// A player's range at a point of the tree on the 13×13 grid: coloured by strategy, expected value, equity or weight.

import { h, setAttribute, setText, setVariable } from "../../dom.js";
import { t } from "../../texts.js";
import { withArrowKeys } from "../gridkeys.js";
import { HANDS, RANKS } from "../hands.js";
import { actionColours, actionName, chips, mixture, share, shortChips, swatch } from "./actions.js";
import { toneOf } from "./cardmap.js";
import { cellOf } from "./range.js";

const KINDS = ["strategy", "ev", "equity", "weight"];

/** The combinations of every cell with averages by weight; hands that never come here are averaged as equals. */
export function cellsOf(view, player) {
  const { hands } = view.players[player];
  const acts = view.players[player].name === view.player;
  const groups = new Map();
  for (const [name, [weight, ev, equity]] of Object.entries(hands)) {
    const choice = acts ? view.choices[name] : null;
    const hand = { name, weight, ev, equity, strategy: choice?.[0] ?? null, values: choice?.[1] ?? null };
    const cell = cellOf(name);
    if (!groups.has(cell)) groups.set(cell, []);
    groups.get(cell).push(hand);
  }
  return new Map([...groups].map(([cell, held]) => [cell, { hands: held, ...average(held) }]));
}

export function average(held) {
  const total = held.reduce((sum, { weight }) => sum + weight, 0);
  const part = (hand) => (total > 0 ? hand.weight / total : 1 / held.length);
  const mean = (value) => {
    const some = held.filter((hand) => value(hand) !== null);
    const shares = some.reduce((sum, hand) => sum + part(hand), 0);
    return shares > 0 ? some.reduce((sum, hand) => sum + part(hand) * value(hand), 0) / shares : null;
  };
  const each = (list) => list?.map((_, place) => mean((hand) => hand[list === held[0].strategy ? "strategy" : "values"][place])) ?? null;
  return {
    weight: total / held.length,
    total,
    ev: mean(({ ev }) => ev),
    equity: mean(({ equity }) => equity),
    strategy: each(held[0].strategy),
    values: each(held[0].values),
  };
}

export class RangeView {
  #cells = new Map();
  #chosen = null;
  #view = null;
  #wanted = KINDS[0];

  /** `tell` is called with the name of a cell that is looked at. */
  constructor(tell) {
    this.tell = tell;
    this.player = h(
      "select",
      { name: "whose", on: { change: () => this.#changed() } },
      ...["oop", "ip"].map((name, place) => h("option", { value: place }, t(`web.lab.solver.${name}`))),
    );
    this.kind = h(
      "select",
      { name: "figure", on: { change: () => this.#want(this.kind.value) } },
      ...KINDS.map((kind) => h("option", { value: kind }, t(`web.lab.solver.figure.${kind}`))),
    );
    this.cells = HANDS.map((hand) => this.#cell(hand));
    this.grid = h(
      "table",
      { class: "range-grid study-grid", role: "grid" },
      h("tbody", {}, ...[...RANKS].map((_, row) => h("tr", {}, ...this.cells.slice(13 * row, 13 * row + 13).map(({ cell }) => cell)))),
    );
    withArrowKeys(this.grid);
    this.legend = h("ul", { class: "legend", "aria-label": t("web.lab.solver.legend") });
    const label = (name, field) => h("label", {}, h("span", {}, t(`web.lab.solver.${name}`)), field);
    this.element = h(
      "div",
      { class: "study-range" },
      h("div", { class: "study-choices" }, label("whose", this.player), label("show", this.kind)),
      h("div", { class: "grid-box" }, this.grid),
      this.legend,
    );
  }

  #cell(hand) {
    const figure = h("small", {});
    const cell = h("td", { class: "range-cell study-cell", role: "gridcell", tabindex: "-1", "data-hand": hand }, h("span", {}, hand), figure);
    const choose = () => this.#choose(hand);
    for (const event of ["focus", "click"]) cell.addEventListener(event, choose);
    // A mouse that passes over shows, until a cell is chosen: then nothing moves on the way to its figures.
    cell.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && !this.#chosen && this.tell(hand));
    return { cell, figure, hand };
  }

  #choose(hand) {
    this.#chosen = hand;
    for (const each of this.cells) each.cell.classList.toggle("chosen", each.hand === hand);
    this.tell(hand);
  }

  /** Lets go of the chosen cell. Whether there was one. */
  release() {
    if (!this.#chosen) return false;
    this.#choose(null);
    return true;
  }

  get chosen() {
    return this.#chosen;
  }

  get whose() {
    return Number(this.player.value);
  }

  /** The figures of a cell, or undefined if the player cannot hold it. */
  figures(hand) {
    return this.#cells.get(hand);
  }

  /** A new point of the tree. Where somebody acts, it is their range that is shown. */
  show(view) {
    const moved = this.#view?.path !== view.path;
    this.#view = view;
    const acts = view.players.findIndex(({ name }) => name === view.player);
    if (moved && acts >= 0) {
      this.player.value = acts;
      this.#wanted = "strategy";
    }
    this.#changed();
  }

  #want(kind) {
    this.#wanted = kind;
    this.#draw();
  }

  #changed() {
    this.#cells = cellsOf(this.#view, this.whose);
    this.#draw();
    this.tell(this.#chosen);
  }

  #draw() {
    const actions = this.#view.actions;
    const acts = this.#view.players[this.whose].name === this.#view.player;
    // Somebody who does not act here has no strategy to show.
    const kind = this.#wanted === "strategy" && !acts ? "weight" : this.#wanted;
    this.kind.value = kind;
    this.kind.options[KINDS.indexOf("strategy")].disabled = !acts;
    const colours = actionColours(actions);
    const values = [...this.#cells.values()].filter(({ total }) => total > 0).map((cell) => cell[kind]).filter(Number.isFinite);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const whose = t(`web.lab.solver.${this.#view.players[this.whose].name.toLowerCase()}`);
    setAttribute(this.grid, "aria-label", t("web.lab.solver.grid_of", { player: whose, figure: t(`web.lab.solver.figure.${kind}`) }));
    for (const { cell, figure, hand } of this.cells) {
      const known = this.#cells.get(hand);
      const here = known && known.total > 0;
      setVariable(cell, "--weight", here ? known.weight : 0);
      setAttribute(cell, "data-away", !here);
      if (!here) {
        setText(figure, "");
        setAttribute(cell, "aria-label", t("web.lab.solver.not_in_range", { hand }));
        continue;
      }
      const mix = { strategy: () => mixture(known.strategy, colours), weight: () => "linear-gradient(var(--tone-plain), var(--tone-plain))" };
      setVariable(cell, "--mix", (mix[kind] ?? (() => toneOf(known[kind], low, high)))());
      const written = { ev: () => chips(known.ev), equity: () => share(known.equity, 0), weight: () => share(known.weight, 0) }[kind]?.() ?? "";
      setText(figure, kind === "ev" ? shortChips(known.ev) : written);
      setAttribute(cell, "aria-label", `${hand}: ${kind === "strategy" ? this.#words(known, actions) : written}`);
    }
    this.legend.replaceChildren(
      ...(kind === "strategy"
        ? actions.map(({ action, frequency }, place) => h("li", {}, swatch(colours[place]), `${actionName(action)} ${share(frequency)}`))
        : []),
    );
  }

  #words({ strategy, ev }, actions) {
    const played = actions.map(({ action }, place) => [actionName(action), strategy[place]]).filter(([, often]) => often >= 0.005);
    return `${played.map(([name, often]) => `${name} ${share(often, 0)}`).join(", ")}; EV ${chips(ev)}`;
  }
}
