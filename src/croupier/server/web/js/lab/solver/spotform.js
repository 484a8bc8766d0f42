// The spot: board, chips, sizes. What is written is what `croupier solve holdem` takes.

import { cardName, smallCard, suitMark } from "../../cards.js";
import { h, setAttribute, setText } from "../../dom.js";
import { t } from "../../texts.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const STREETS = ["flop", "turn", "river"];
const BOARD_MAX = 5;
/** No sizes at all on one street; without a word they are the usual ones. */
const NONE = "-";
const USUAL = {
  board: "QsJh2h7c",
  pot: "55",
  stack: "975",
  bets: "33%,75%",
  raises: "3x",
  rake: "",
  target: "0.3",
  seconds: "60",
  compact: "",
};

/** The cards that a text names. */
export const cardsOf = (text) =>
  (text.replace(/[\s,]+/g, "").match(/[2-9TJQKA][shdc]/gi) ?? []).map((card) => card[0].toUpperCase() + card[1].toLowerCase());

export class SpotForm {
  constructor(given, changed) {
    this.changed = changed;
    const value = (name) => given[name] ?? USUAL[name] ?? "";
    const words = (name, example, mode = "text") =>
      h("input", { name, value: value(name), placeholder: example, maxlength: 80, autocomplete: "off", autocapitalize: "off", spellcheck: "false", inputmode: mode });
    const amount = (name, least, most, step) =>
      h("input", { type: "number", name, value: value(name), min: least, max: most, step, required: true, inputmode: "decimal" });
    this.fields = {
      board: h("input", { class: "cards-field", name: "board", value: value("board"), maxlength: 20, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "QsJh2h" }),
      pot: amount("pot", 1, 1e9, 1),
      stack: amount("stack", 1, 1e9, 1),
      bets: words("bets", "50%, 100%, a"),
      raises: words("raises", "2.5x, a"),
      ...Object.fromEntries(
        STREETS.flatMap((street) => [
          [`${street}_bets`, words(`${street}_bets`, "")],
          [`${street}_raises`, words(`${street}_raises`, "")],
        ]),
      ),
      rake: words("rake", "5%, 3"),
      target: amount("target", 0.01, 100, "any"),
      seconds: amount("seconds", 1, 120, 1),
      compact: h("input", { type: "checkbox", role: "switch", name: "compact", checked: Boolean(value("compact")) }),
    };
    this.shown = h("div", { class: "board-cards" });
    this.element = this.#layout();
    this.element.addEventListener("input", () => this.#draw());
    this.#draw();
  }

  #layout() {
    const row = (name, about = "") =>
      h("label", { class: "option" }, h("span", {}, t(`web.lab.solver.field.${name}`)), this.fields[name], about && h("small", {}, about));
    const streets = STREETS.map((street) =>
      h(
        "div",
        { class: "street-sizes" },
        h("b", {}, t(`web.lab.solver.street.${street}`)),
        ...["bets", "raises"].map((kind) => h("label", {}, h("span", {}, t(`web.lab.solver.field.${kind}`)), this.fields[`${street}_${kind}`])),
      ),
    );
    return h(
      "section",
      { class: "spot-form", "aria-label": t("web.lab.solver.spot") },
      h("div", { class: "board-head" }, h("h3", {}, t("web.lab.solver.field.board")), this.shown),
      this.fields.board,
      this.#picker(),
      h("div", { class: "chips-fields" }, row("pot"), row("stack")),
      row("bets"),
      row("raises", t("web.lab.solver.sizes_about")),
      h(
        "details",
        {},
        h("summary", {}, t("web.lab.solver.more")),
        h("p", { class: "quiet" }, t("web.lab.solver.streets_about")),
        ...streets,
        row("rake"),
        row("target"),
        row("seconds"),
        h("label", { class: "option switch" }, h("span", {}, t("web.lab.solver.field.compact")), this.fields.compact),
      ),
    );
  }

  #picker() {
    this.cards = [...SUITS].flatMap((suit) =>
      [...RANKS].map((rank) =>
        h(
          "button",
          { type: "button", class: `pick suit-${suit}`, "data-card": rank + suit, "aria-label": cardName(rank + suit), on: { click: () => this.#pick(rank + suit) } },
          h("span", { "aria-hidden": "true" }, rank === "T" ? "10" : rank),
          suitMark(suit),
        ),
      ),
    );
    return h("div", { class: "pick-cards", role: "group", "aria-label": t("web.lab.solver.pick") }, ...this.cards);
  }

  #pick(card) {
    const board = cardsOf(this.fields.board.value);
    const rest = board.filter((each) => each !== card);
    this.fields.board.value = (rest.length < board.length || board.length >= BOARD_MAX ? rest : [...board, card]).join("");
    this.#draw();
    this.changed();
  }

  #draw() {
    const board = cardsOf(this.fields.board.value);
    for (const card of this.cards) setAttribute(card, "aria-pressed", String(board.includes(card.dataset.card)));
    this.shown.replaceChildren(...board.map(smallCard));
    if (!board.length) setText(this.shown, "");
  }

  /** Fills in what a usual pot begins with. */
  set({ pot, stack }) {
    this.fields.pot.value = pot;
    this.fields.stack.value = stack;
  }

  /** Everything as it is written, without what is as usual: for the address. */
  written() {
    const values = Object.entries(this.fields).map(([name, field]) => [name, name === "compact" ? (field.checked ? "1" : "") : field.value.trim()]);
    return Object.fromEntries(values.filter(([name, value]) => value !== (USUAL[name] ?? "")));
  }

  /** The question to the solver, without ranges and locks. */
  question() {
    const { board, bets, raises, rake } = this.fields;
    const streets = (kind) =>
      Object.fromEntries(STREETS.map((street) => [street, this.fields[`${street}_${kind}`].value.trim()]).filter(([, sizes]) => sizes).map(([street, sizes]) => [street, sizes === NONE ? "" : sizes]));
    return {
      board: board.value.trim(),
      pot: Math.round(Number(this.fields.pot.value)),
      stack: Math.round(Number(this.fields.stack.value)),
      bets: bets.value.trim(),
      raises: raises.value.trim(),
      streetBets: streets("bets"),
      streetRaises: streets("raises"),
      rake: rake.value.trim(),
      target: Number(this.fields.target.value) / 100,
      seconds: Number(this.fields.seconds.value),
      compact: this.fields.compact.checked,
    };
  }
}
