// A way to play, played: figures and a plot that grow while the server deals, until all rounds are done or one stops.

import { h, keyed, setShown, setText } from "../dom.js";
import { number, t } from "../texts.js";
import { compact, percent } from "./figures.js";
import { Plot } from "./plot.js";
import { loadRules, RulesForm } from "./rulesform.js";
import { Running } from "./running.js";

const ROUNDS = [1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
const PLAYERS_MAX = 7;
const OUTCOMES = [
  "win",
  "push",
  "lose",
  "blackjack",
  "bust",
  "double",
  "split",
  "surrender",
  "dealerBlackjack",
  "dealerBust",
];

export async function makeSimulation({ given, keep }) {
  const page = new SimulationPage(await loadRules(), given, keep);
  return { element: page.element, close: () => page.running.end() };
}

const strategyName = (name) => {
  const [word, total] = name.split("-");
  return t(`web.lab.strategies.${word}`, { total: total ?? "" });
};

class SimulationPage {
  constructor(rules, { strategy = "basic", rounds = "100000000", players = "1", seed = "0", ...given }, keep) {
    this.keep = keep;
    this.form = new RulesForm(rules, given, () => this.running.end());
    const choice = (name, values, chosen, word) =>
      h(
        "select",
        { name },
        ...values.map((each) => h("option", { value: each, selected: String(each) === chosen }, word(each))),
      );
    const seats = Array.from({ length: PLAYERS_MAX }, (_, place) => place + 1);
    this.fields = {
      strategy: choice("strategy", rules.strategies, strategy, strategyName),
      rounds: choice("rounds", ROUNDS, rounds, number),
      players: choice("players", seats, players, number),
      seed: h("input", { type: "number", name: "seed", min: 0, step: 1, value: seed, required: true }),
    };
    this.plot = new Plot();
    this.hint = h("figcaption", { class: "lab-empty" }, t("web.lab.empty"));
    this.figures = h("dl", { class: "facts lab-figures" });
    this.outcomes = h("dl", { class: "facts outcomes" });
    this.running = new Running(
      "simulation",
      () => this.#question(),
      (line) => this.#show(line),
    );
    this.element = this.#layout();
  }

  #layout() {
    const rows = Object.entries(this.fields).map(([name, field]) =>
      h("label", { class: "option" }, h("span", {}, t(`web.lab.simulation.field.${name}`)), field),
    );
    const form = h(
      "form",
      { class: "panel lab-form" },
      h("div", { class: "options" }, ...rows),
      this.running.element,
      h("details", {}, h("summary", {}, t("web.lab.simulation.rules")), this.form.element),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.plot.clear();
      this.running.run();
    });
    return h(
      "div",
      { class: "lab-columns" },
      form,
      h(
        "div",
        { class: "lab-result" },
        h("figure", { class: "panel plot-panel" }, this.hint, this.plot.element),
        this.figures,
        this.outcomes,
      ),
    );
  }

  #question() {
    const rules = this.form.value();
    const { strategy, rounds, players, seed } = Object.fromEntries(
      Object.entries(this.fields).map(([name, field]) => [name, field.value]),
    );
    this.keep({ ...rules, strategy, rounds, players, seed });
    return { rules, strategy, rounds: Number(rounds), players: Number(players), seed: Number(seed) };
  }

  #show(line) {
    const { ev, houseEdge, interval, standardDeviation, rounds, roundsPerSecond, exact, course, total, outcomes } =
      line;
    setShown(this.hint, false);
    this.plot.add(course, exact, total);
    const rows = [
      ["house_edge", percent(houseEdge, 3)],
      ["interval", `${percent(interval[0], 3)} … ${percent(interval[1], 3)}`],
      ["ev", percent(ev, 3)],
      ["exact", exact === null ? "–" : percent(exact, 3)],
      ["deviation", number(standardDeviation, { maximumFractionDigits: 3 })],
      ["rounds", compact(rounds)],
      ["speed", t("web.lab.per_second", { count: compact(roundsPerSecond) })],
    ];
    this.#fill(this.figures, rows, "web.lab.figure");
    const seen = OUTCOMES.filter((name) => outcomes[name] > 0).map((name) => [name, percent(outcomes[name], 2)]);
    this.#fill(this.outcomes, seen, "web.lab.outcome");
  }

  /** Names and values in place, so that nothing jumps while figures change. */
  #fill(list, rows, area) {
    keyed(
      list,
      rows,
      ([name]) => name,
      ([name]) => h("div", {}, h("dt", {}, t(`${area}.${name}`)), h("dd", {})),
      (element, [, value]) => setText(element.lastChild, value),
    );
  }
}
