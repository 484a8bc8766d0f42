// Push or fold before the flop: a spot to describe, its equilibrium as charts that settle while one looks, and a drill.

import { h, setAttribute, setShown, setText, setVariable } from "../dom.js";
import { tell } from "../speech.js";
import { number, t } from "../texts.js";
import { Drill } from "./drill.js";
import { percent } from "./figures.js";
import { withArrowKeys } from "./gridkeys.js";
import { HANDS, RANKS } from "./hands.js";
import { Running } from "./running.js";

const PLAYERS_MIN = 2;
const PLAYERS_MAX = 9;
const SEATS = ["UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN", "SB", "BB"];
const EARLY = { 9: 3, 8: 2, 7: 1, 6: 1 };
const FIELDS = { stack: 10, smallBlind: 0.5, bigBlind: 1, ante: 0, bigBlindAnte: 0 };
const WORDS = {
  smallBlind: "small_blind",
  bigBlind: "big_blind",
  bigBlindAnte: "big_blind_ante",
};

export async function makePushfold({ given, keep }) {
  const page = new PushfoldPage(given, keep);
  return { element: page.element, close: () => page.running.end(), key: (code) => page.drill.key(code) };
}

/** The names of the seats in the order in which they act. */
function seatNames(players) {
  const early = EARLY[players] ?? 0;
  return [...SEATS.slice(0, early), ...SEATS.slice(SEATS.length - (players - early))];
}

const amount = (value, digits = 4) =>
  number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "exceptZero" });

class PushfoldPage {
  #found = null;
  #chosen = null;

  constructor(given, keep) {
    this.keep = keep;
    this.players = h(
      "select",
      { name: "players" },
      ...Array.from({ length: PLAYERS_MAX - PLAYERS_MIN + 1 }, (_, place) =>
        h("option", { value: place + PLAYERS_MIN }, number(place + PLAYERS_MIN)),
      ),
    );
    this.fields = Object.fromEntries(
      Object.entries(FIELDS).map(([name, usual]) => [name, amountField(name, given[name] ?? usual)]),
    );
    this.ownStacks = h("input", { type: "checkbox", role: "switch", name: "own_stacks" });
    this.stacks = h("div", { class: "options seat-stacks" });
    this.payouts = h("input", {
      name: "payouts",
      maxlength: 120,
      autocomplete: "off",
      inputmode: "decimal",
      placeholder: "50,30,20",
      value: given.payouts ?? "",
    });
    this.running = new Running(
      "pushfold",
      () => this.#question(),
      (line) => this.#show(line),
    );
    this.drill = new Drill();
    this.#results();
    const stacks = given.stacks?.split(",") ?? [];
    this.players.value = stacks.length || given.players || PLAYERS_MIN;
    if (!this.players.value) this.players.value = PLAYERS_MIN;
    this.ownStacks.checked = stacks.length > 0;
    this.element = this.#layout();
    this.#seats(stacks);
  }

  #layout() {
    const row = (name, field, about = "") =>
      h(
        "label",
        { class: "option" },
        h("span", {}, t(`web.lab.pushfold.${WORDS[name] ?? name}`)),
        field,
        about && h("small", {}, about),
      );
    const { stack, ...posted } = this.fields;
    this.stackRow = row("stack", stack);
    const form = h(
      "form",
      { class: "panel lab-form" },
      h(
        "div",
        { class: "options" },
        row("players", this.players),
        this.stackRow,
        h("label", { class: "option switch" }, h("span", {}, t("web.lab.pushfold.own_stacks")), this.ownStacks),
        this.stacks,
        ...Object.entries(posted).map(([name, field]) => row(name, field)),
        row("payouts", this.payouts, t("web.lab.pushfold.payouts_about")),
      ),
      this.running.element,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.running.run();
    });
    form.addEventListener("input", ({ target }) => {
      this.running.end();
      if (target === this.players || target === this.ownStacks) this.#seats([]);
    });
    return h("div", { class: "lab-columns" }, h("div", { class: "lab-ask" }, form), this.result);
  }

  /** A field for every seat, where each has a stack of its own. */
  #seats(given) {
    const own = this.ownStacks.checked;
    const before = Array.from(this.stacks.querySelectorAll("input"), (field) => field.value);
    const names = seatNames(Number(this.players.value));
    setShown(this.stackRow, !own);
    setShown(this.stacks, own);
    this.stacks.replaceChildren(
      ...(own ? names : []).map((seat, place) =>
        h(
          "label",
          { class: "option" },
          h("span", {}, t("web.lab.pushfold.seat_stack", { seat })),
          amountField(`stack-${place}`, given[place] ?? before[place] ?? this.fields.stack.value),
        ),
      ),
    );
  }

  #question() {
    const players = Number(this.players.value);
    const own = Array.from(this.stacks.querySelectorAll("input"), (field) => field.value);
    const payouts = this.payouts.value.split(/[^\d.]+/).filter(Boolean);
    const written = Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, field.value]));
    const { stack, ...posted } = written;
    const changed = Object.entries(posted).filter(([name, value]) => Number(value) !== FIELDS[name]);
    this.keep({
      ...(own.length ? { stacks: own.join(",") } : { players, stack }),
      ...Object.fromEntries(changed),
      ...(payouts.length && { payouts: payouts.join(",") }),
    });
    return {
      stacks: (own.length ? own : Array(players).fill(stack)).map(Number),
      ...Object.fromEntries(Object.entries(posted).map(([name, value]) => [name, Number(value)])),
      payouts: payouts.map(Number),
    };
  }

  #results() {
    this.table = h("tbody", {});
    const heads = ["seat", "held", "ev", "gain"].map((name) => h("th", { scope: "col" }, t(`web.lab.pushfold.${name}`)));
    this.decision = h("select", { name: "decision", on: { change: () => this.#draw() } });
    this.goes = h("p", {});
    this.range = h("p", { class: "range-text" });
    this.cells = HANDS.map((hand, place) => {
      const show = () => this.#tell(place);
      const cell = h("td", { class: "range-cell", role: "gridcell", tabindex: "-1" }, hand);
      for (const event of ["pointerenter", "focus", "click"]) cell.addEventListener(event, show);
      return cell;
    });
    const rows = [...RANKS].map((_, row) => h("tr", {}, ...this.cells.slice(13 * row, 13 * row + 13)));
    this.chart = h(
      "table",
      { class: "range-grid", role: "grid", "aria-label": t("web.lab.pushfold.chart") },
      h("tbody", {}, ...rows),
    );
    withArrowKeys(this.chart);
    this.detail = h("section", { class: "panel hand-detail", "aria-live": "polite", "aria-label": t("web.lab.detail") });
    const region = { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("web.lab.pushfold.players_table") };
    this.shown = h(
      "div",
      { class: "pushfold-result", hidden: true },
      h("div", region, h("table", { class: "values" }, h("thead", {}, h("tr", {}, ...heads)), this.table)),
      h("p", { class: "quiet" }, t("web.lab.pushfold.gain_about")),
      h("label", { class: "option decision" }, h("span", {}, t("web.lab.pushfold.decision")), this.decision),
      this.goes,
      h("div", { class: "chart-and-detail" }, this.chart, this.detail),
      h("div", {}, h("b", {}, t("web.lab.pushfold.range")), this.range),
      this.drill.element,
      (this.model = h("p", { class: "quiet" }, t("web.lab.pushfold.model"))),
    );
    this.hint = h("p", { class: "panel lab-empty" }, t("web.lab.empty"));
    this.result = h("div", { class: "lab-result" }, this.hint, this.shown);
  }

  #show(line) {
    const first = !this.#found || this.#found.charts.length !== line.charts.length;
    this.#found = line;
    setShown(this.shown, true);
    setShown(this.hint, false);
    setShown(this.model, line.players.length > 2);
    this.table.replaceChildren(
      ...line.players.map(({ seat, stack, ev, gain }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, seat),
          h("td", {}, number(stack)),
          h("td", {}, amount(ev)),
          h("td", {}, number(gain, { minimumFractionDigits: 6, maximumFractionDigits: 6 })),
        ),
      ),
    );
    if (first) {
      this.#chosen = null;
      this.decision.replaceChildren(
        ...line.charts.map((chart, place) => h("option", { value: place }, decisionName(chart))),
      );
    }
    this.#draw();
    this.drill.take(line);
    if (line.done === line.total) tell(t("web.lab.finished"));
  }

  #draw() {
    const { frequencies, share, probability, range } = this.#chart;
    this.cells.forEach((cell, place) => {
      const often = frequencies[place];
      setVariable(cell, "--part", often);
      setAttribute(cell, "data-full", often >= 0.5);
      setAttribute(cell, "aria-label", t("web.lab.pushfold.cell", { hand: HANDS[place], often: percent(often, 0) }));
    });
    setText(this.goes, t("web.lab.pushfold.goes", { share: percent(share), probability: percent(probability) }));
    setText(this.range, range.replaceAll(",", ", "));
    this.#tell(this.#chosen);
  }

  get #chart() {
    return this.#found.charts[Number(this.decision.value) || 0];
  }

  /** What is known of one hand; without one, how to ask. */
  #tell(place) {
    this.#chosen = place;
    for (const cell of this.chart.querySelectorAll(".chosen")) cell.classList.remove("chosen");
    if (place === null) {
      this.detail.replaceChildren(h("p", { class: "quiet" }, t("web.lab.pushfold.choose")));
      return;
    }
    const chart = this.#chart;
    const [go, fold, often] = [chart.go[place], chart.fold[place], chart.frequencies[place]];
    this.cells[place].classList.add("chosen");
    const row = (name, value, best) =>
      h("tr", {}, h("th", { scope: "row" }, t(`web.lab.pushfold.${name}`)), h("td", { class: best ? "best" : "" }, value));
    this.detail.replaceChildren(
      h("h2", {}, t("web.lab.pushfold.cell", { hand: HANDS[place], often: percent(often, 0) })),
      h("p", { class: "quiet" }, decisionName(chart)),
      h(
        "table",
        { class: "values" },
        h(
          "tbody",
          {},
          row("go", amount(go), go > fold),
          row("fold", amount(fold), fold > go),
          row("difference", amount(go - fold), false),
        ),
      ),
    );
  }
}

function amountField(name, value) {
  return h("input", { type: "number", name, min: 0, step: "any", inputmode: "decimal", value, required: true });
}

function decisionName({ seat, after }) {
  if (!after.length) return t("web.lab.pushfold.first_in", { seat });
  return t("web.lab.pushfold.against", { seat, before: after.join(" + ") });
}
