// The best play for any rules as a coloured grid. Every cell tells what each play is worth: under the pointer, with the
// focus, or tapped.

import { h, setAttribute, setShown, setText } from "../dom.js";
import { number, t } from "../texts.js";
import { ask, faultText } from "./ask.js";
import { percent } from "./figures.js";
import { withArrowKeys } from "./gridkeys.js";
import { loadRules, RulesForm } from "./rulesform.js";

const UPCARDS = [..."23456789TA"];
const PLAYS = ["stand", "hit", "double", "split", "surrender"];
const KINDS = ["hard", "soft", "pairs"];
const WAIT_MS = 400;

export async function makeStrategy({ given, keep }) {
  const page = new StrategyPage(await loadRules(), given, keep);
  page.load();
  return { element: page.element, close: () => page.close() };
}

const rankName = (rank) => (rank === "T" ? "10" : rank);

/** The two cards that a row of the grid can be. */
function compositions(cells, kind, hand, up) {
  const points = (rank) => (rank === "A" ? 1 : rank === "T" ? 10 : Number(rank));
  return cells.filter(({ up: against, cards }) => {
    const [one, other] = cards;
    if (against !== up) return false;
    if (kind === "pairs") return one === hand && other === hand;
    const soft = cards.includes("A");
    const total = points(one) + points(other);
    return kind === "soft" ? soft && total + 10 === Number(hand) : !soft && total === Number(hand);
  });
}

class StrategyPage {
  #asked = null;
  #report = null;

  constructor(rules, given, keep) {
    this.keep = keep;
    this.form = new RulesForm(rules, given, () => this.load());
    this.state = h("p", { class: "quiet lab-state", role: "status" });
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.figures = h("dl", { class: "facts lab-figures" });
    this.grids = h("div", { class: "strategy-grids" });
    this.detail = h("section", {
      class: "panel strategy-detail",
      "aria-live": "polite",
      "aria-label": t("web.lab.detail"),
    });
    this.legend = h("ul", { class: "legend", "aria-label": t("web.lab.legend") });
    this.element = h(
      "div",
      { class: "lab-columns" },
      h(
        "div",
        { class: "lab-ask" },
        this.detail,
        h("form", { class: "panel lab-form", on: { submit: (event) => event.preventDefault() } }, this.form.element),
      ),
      h("div", { class: "lab-result" }, this.figures, this.state, this.fault, this.legend, this.grids),
    );
    this.#tell(null);
  }

  close() {
    this.#asked?.abort();
  }

  async load() {
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    const rules = this.form.value();
    this.keep(rules);
    setShown(this.fault, false);
    const waiting = setTimeout(() => setText(this.state, t("web.lab.getting_ready")), WAIT_MS);
    setAttribute(this.grids, "aria-busy", "true");
    try {
      const report = await ask(`strategy?${new URLSearchParams(rules)}`, { signal: asked.signal });
      if (asked === this.#asked) this.#show(report);
    } catch (error) {
      if (asked !== this.#asked) return;
      setText(this.fault, faultText(error));
      setShown(this.fault, true);
    } finally {
      clearTimeout(waiting);
      if (asked === this.#asked) {
        setText(this.state, "");
        setAttribute(this.grids, "aria-busy", null);
      }
    }
  }

  #show(report) {
    this.#report = report;
    const { ev, strategy } = report;
    this.figures.replaceChildren(
      ...[
        ["house_edge", percent(-ev.perInitialBet, 3)],
        ["return", percent(ev.rtp, 3)],
        ["by_cards", percent(ev.compositionDependent, 3)],
      ].map(([name, value]) => h("div", {}, h("dt", {}, t(`web.lab.figure.${name}`)), h("dd", {}, value))),
    );
    const used = new Set(KINDS.flatMap((kind) => Object.values(strategy[kind]).flatMap((row) => Object.values(row))));
    this.legend.replaceChildren(
      ...[...used].sort().map((code) => h("li", {}, mark(code), h("span", {}, t(`strategy.play.${code}`)))),
    );
    this.grids.replaceChildren(
      ...KINDS.filter((kind) => Object.keys(strategy[kind]).length).map((kind) => this.#grid(kind)),
    );
    this.#tell(null);
  }

  #grid(kind) {
    const rows = Object.entries(this.#report.strategy[kind]);
    const order =
      kind === "pairs" ? ([hand]) => (hand === "A" ? 11 : hand === "T" ? 10 : Number(hand)) : ([hand]) => Number(hand);
    rows.sort((one, other) => order(other) - order(one));
    const head = h(
      "tr",
      {},
      h("th", { scope: "col" }, h("span", { class: "unseen" }, t("web.lab.hand"))),
      ...UPCARDS.map((up) => h("th", { scope: "col" }, rankName(up))),
    );
    const body = rows.map(([hand, row]) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, kind === "pairs" ? `${rankName(hand)}, ${rankName(hand)}` : hand),
        ...UPCARDS.map((up) => this.#cell(kind, hand, up, row[up])),
      ),
    );
    const table = h(
      "table",
      { class: "strategy-grid", role: "grid", "aria-label": `${t(`strategy.${kind}`)}: ${t("strategy.upcard")}` },
      h("caption", {}, t(`strategy.${kind}`)),
      h("thead", {}, head),
      h("tbody", {}, ...body),
    );
    withArrowKeys(table);
    return table;
  }

  #cell(kind, hand, up, code) {
    const show = ({ currentTarget }) => this.#tell({ kind, hand, up, code, cell: currentTarget });
    return h(
      "td",
      {
        class: "strategy-cell",
        role: "gridcell",
        tabindex: "-1",
        "data-play": code,
        "aria-label": `${code}: ${t(`strategy.play.${code}`)}`,
        on: { pointerenter: show, focus: show, click: show },
      },
      code,
    );
  }

  /** What is known of one cell; without one, how to ask. */
  #tell(chosen) {
    for (const cell of this.grids.querySelectorAll(".chosen")) cell.classList.remove("chosen");
    if (!chosen) {
      this.detail.replaceChildren(h("p", { class: "quiet" }, t("web.lab.choose_cell")));
      return;
    }
    const { kind, hand, up, code, cell } = chosen;
    cell.classList.add("chosen");
    const name = kind === "pairs" ? `${rankName(hand)}, ${rankName(hand)}` : `${t(`strategy.${kind}`)} ${hand}`;
    const found = compositions(this.#report.cells, kind, hand, up);
    this.detail.replaceChildren(
      h("h2", {}, t("web.lab.against", { hand: name, up: rankName(up) })),
      h("p", { class: "best-play" }, mark(code), t(`strategy.play.${code}`)),
      found.length ? values(found) : h("p", { class: "quiet" }, t("web.lab.no_two_cards")),
    );
  }
}

/** The values of every play, a column a composition, the best one marked. */
function values(found) {
  const offered = PLAYS.filter((play) => found.some((cell) => cell[play] !== null));
  const figure = (value) =>
    number(value, { minimumFractionDigits: 4, maximumFractionDigits: 4, signDisplay: "always" });
  const head = found.map(({ cards }) => h("th", { scope: "col" }, [...cards].map(rankName).join("-")));
  const rows = offered.map((play) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, t(`web.lab.play.${play}`)),
      ...found.map((cell) =>
        h("td", { class: cell.best === play ? "best" : "" }, cell[play] === null ? "–" : figure(cell[play])),
      ),
    ),
  );
  return h(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("web.lab.values") },
    h("table", { class: "values" }, h("thead", {}, h("tr", {}, h("td", {}), ...head)), h("tbody", {}, ...rows)),
  );
}

const mark = (code) => h("b", { class: "play-mark", "data-play": code }, code);
