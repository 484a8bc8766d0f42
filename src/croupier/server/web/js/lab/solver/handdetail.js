// One cell of the grid in full: every combination with its equity, and how often it takes each action for which value.
// Two combinations can be kept side by side while one walks on.

import { smallCard } from "../../cards.js";
import { h, setShown } from "../../dom.js";
import { number, t } from "../../texts.js";
import { actionColours, actionName, chips, share, strategyBar, swatch } from "./actions.js";

const COMPARED_MAX = 2;

const cards = (name) => [smallCard(name.slice(0, 2)), smallCard(name.slice(2))];

/** A hand in words, for a screen reader and for headings. */
const written = (name) => (name.length === 4 ? `${name.slice(0, 2)} ${name.slice(2)}` : name);

export class HandDetail {
  #compared = [];
  #view = null;
  #whose = 0;
  #shown = null;

  constructor() {
    this.summary = h("div", { class: "node-summary" });
    this.hand = h("div", { class: "hand-figures" });
    this.comparison = h("section", { class: "comparison", "aria-label": t("web.lab.solver.comparison"), hidden: true });
    this.element = h("section", { class: "panel study-detail", "aria-label": t("web.lab.detail") }, this.summary, this.comparison, this.hand);
  }

  /** A new point of the tree, or the other player's range at it. */
  at(view, whose) {
    this.#view = view;
    this.#whose = whose;
    this.#compared = this.#compared.filter((name) => view.players[whose].hands[name]);
    this.#summarise();
    this.#compare();
  }

  get #acts() {
    return this.#view.players[this.#whose].name === this.#view.player;
  }

  #summarise() {
    const head = ["", "combinations", "equity", "ev", "stack"].map((name) =>
      h("th", { scope: "col" }, name && t(`web.lab.solver.column.${name}`)),
    );
    const rows = this.#view.players.map((player) =>
      h(
        "tr",
        { "data-acts": player.name === this.#view.player },
        h("th", { scope: "row" }, t(`web.lab.solver.short.${player.name.toLowerCase()}`)),
        h("td", {}, number(player.combinations, { minimumFractionDigits: 1, maximumFractionDigits: 1 })),
        h("td", {}, share(player.equity)),
        h("td", {}, chips(player.ev)),
        h("td", {}, String(player.stack)),
      ),
    );
    this.summary.replaceChildren(h("table", { class: "values" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
  }

  /** A cell with its figures; without one, how to ask. */
  tell(cell, figures) {
    this.#shown = [cell, figures];
    if (!cell || !figures) {
      const words = cell ? t("web.lab.solver.not_in_range", { hand: cell }) : t("web.lab.solver.choose_hand");
      this.hand.replaceChildren(h("p", { class: "quiet" }, words));
      return;
    }
    const held = [...figures.hands].sort((one, other) => other.weight - one.weight || one.name.localeCompare(other.name));
    this.hand.replaceChildren(
      h("h2", {}, cell, " ", h("small", { class: "quiet" }, t("web.lab.solver.cell_summary", { weight: share(figures.weight, 0), equity: share(figures.equity), ev: chips(figures.ev) }))),
      ...(figures.strategy ? [this.#bar(cell, figures)] : []),
      this.#table(held),
    );
  }

  #bar(name, figures) {
    const actions = this.#view.actions;
    const colours = actionColours(actions);
    const words = actions.map(({ action }, place) => `${actionName(action)} ${share(figures.strategy[place])}`);
    return h(
      "div",
      {},
      strategyBar(figures.strategy, colours, `${name}: ${words.join(", ")}`),
      h("ul", { class: "legend" }, ...words.map((text, place) => h("li", {}, swatch(colours[place]), text))),
    );
  }

  #head(first) {
    const colours = actionColours(this.#view.actions);
    const actions = this.#acts ? this.#view.actions : [];
    return h(
      "tr",
      {},
      h("th", { scope: "col" }, first),
      ...["weight", "equity", "ev"].map((name) => h("th", { scope: "col" }, t(`web.lab.solver.column.${name}`))),
      ...actions.map(({ action }, place) => h("th", { scope: "col" }, swatch(colours[place]), actionName(action))),
    );
  }

  #table(held) {
    const region = { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("web.lab.solver.combinations") };
    const rows = held.map((hand) => h("tr", { "data-away": hand.weight === 0 }, h("th", { scope: "row" }, this.#keep(hand)), ...this.#figures(hand)));
    return h(
      "div",
      region,
      h("table", { class: "values combinations" }, h("thead", {}, this.#head(h("span", { class: "unseen" }, t("web.lab.hand")))), h("tbody", {}, ...rows)),
    );
  }

  #figures({ weight, equity, ev, strategy, values }) {
    const best = values ? Math.max(...values.filter((value) => value !== null)) : null;
    return [
      h("td", {}, share(weight, 0)),
      h("td", {}, share(equity)),
      h("td", {}, chips(ev)),
      ...(strategy ?? []).map((often, place) =>
        h("td", { class: values[place] === best ? "best" : "" }, h("b", {}, share(often)), h("small", {}, chips(values[place]))),
      ),
    ];
  }

  /** The hand as a button that keeps it for the comparison. */
  #keep({ name }) {
    const kept = this.#compared.includes(name);
    return h(
      "button",
      {
        type: "button",
        class: "keep-hand",
        "data-hand": name,
        "aria-pressed": String(kept),
        "aria-label": t("web.lab.solver.compare", { hand: written(name) }),
        title: t("web.lab.solver.compare", { hand: written(name) }),
        on: { click: () => this.#toggle(name) },
      },
      ...cards(name),
    );
  }

  #toggle(name) {
    const others = this.#compared.filter((each) => each !== name);
    this.#compared = others.length < this.#compared.length ? others : [...others, name].slice(-COMPARED_MAX);
    this.#compare();
    this.tell(...this.#shown);
    this.hand.querySelector(`[data-hand="${name}"]`)?.focus();
  }

  #compare() {
    setShown(this.comparison, this.#compared.length > 0);
    if (!this.#compared.length) return;
    const player = this.#view.players[this.#whose];
    const hands = this.#compared.map((name) => {
      const [weight, ev, equity] = player.hands[name];
      const [strategy, values] = this.#acts ? this.#view.choices[name] : [null, null];
      return { name, weight, ev, equity, strategy, values };
    });
    const rows = hands.map((hand) => h("tr", {}, h("th", { scope: "row" }, this.#keep(hand)), ...this.#figures(hand)));
    if (hands.length === COMPARED_MAX) rows.push(this.#difference(...hands));
    const words = hands.length < COMPARED_MAX ? t("web.lab.solver.compare_another") : t("web.lab.solver.compare_about");
    this.comparison.replaceChildren(
      h("h2", {}, t("web.lab.solver.comparison")),
      h(
        "div",
        { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("web.lab.solver.comparison") },
        h("table", { class: "values combinations" }, h("thead", {}, this.#head(h("span", { class: "unseen" }, t("web.lab.hand")))), h("tbody", {}, ...rows)),
      ),
      h("p", { class: "quiet" }, words),
    );
  }

  #difference(one, other) {
    const apart = (value, write) => (value(one) === null || value(other) === null ? "–" : signed(write, value(one) - value(other)));
    return h(
      "tr",
      { class: "difference" },
      h("th", { scope: "row" }, t("web.lab.solver.difference")),
      h("td", {}, apart(({ weight }) => weight, (value) => share(value, 0))),
      h("td", {}, apart(({ equity }) => equity, share)),
      h("td", {}, apart(({ ev }) => ev, chips)),
      ...(one.strategy ?? []).map((_, place) =>
        h(
          "td",
          {},
          h("b", {}, apart(({ strategy }) => strategy[place], share)),
          h("small", {}, apart(({ values }) => values[place], chips)),
        ),
      ),
    );
  }
}

const signed = (write, value) => (value > 0 ? `+${write(value)}` : write(value));
