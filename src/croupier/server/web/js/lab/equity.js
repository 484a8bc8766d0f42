// Hands and ranges against each other: exact where that takes seconds, else sampled, with an interval that narrows.

import { cardName, suitMark } from "../cards.js";
import { h, icon, setAttribute, setShown, setText, setVariable } from "../dom.js";
import { tell } from "../speech.js";
import { number, plural, t } from "../texts.js";
import { percent } from "./figures.js";
import { Running } from "./running.js";

const HANDS_MIN = 2;
const HANDS_MAX = 10;
const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const SAMPLES = [1_000_000, 20_000_000, 500_000_000];

export async function makeEquity({ given, keep }) {
  const page = new EquityPage(given, keep);
  return { element: page.element, close: () => page.running.end() };
}

/** The cards that a text names outright; what belongs to a range (`JTs`) is no card yet. */
function cardsIn(text) {
  const words = text.split(/[\s,]+/).filter((word) => /^([2-9TJQKA][shdc])+$/i.test(word));
  return (words.join("").match(/../g) ?? []).map((card) => card[0].toUpperCase() + card[1].toLowerCase());
}

class EquityPage {
  #target = null;
  #made = 0;

  constructor(given, keep) {
    this.keep = keep;
    this.hands = h("ol", { class: "hands" });
    this.board = this.#field("board", "QsJh2d");
    this.dead = this.#field("dead", "9c");
    this.add = h(
      "button",
      { type: "button", class: "quiet-button small", on: { click: () => this.#addHand("", true) } },
      t("web.lab.equity.add"),
    );
    this.sampled = h("input", { type: "checkbox", role: "switch", name: "sampled" });
    this.samples = h(
      "select",
      { name: "samples" },
      ...SAMPLES.map((count) => h("option", { value: count, selected: count === SAMPLES[1] }, number(count))),
    );
    this.running = new Running(
      "equity",
      () => this.#question(),
      (line) => this.#show(line),
    );
    this.summary = h("p", { class: "quiet" });
    const written = given.hands?.split("|") ?? ["AsKs", "QQ"];
    for (const hand of written.slice(0, HANDS_MAX)) this.#addHand(hand);
    while (this.hands.children.length < HANDS_MIN) this.#addHand("");
    this.board.value = given.board ?? "";
    this.dead.value = given.dead ?? "";
    this.element = this.#form();
    this.#changed();
  }

  #form() {
    const row = (name, field) => h("label", { class: "option" }, h("span", {}, t(`web.lab.equity.${name}`)), field);
    const form = h(
      "form",
      { class: "panel lab-form" },
      h("div", { class: "hands-head" }, h("h2", {}, t("web.lab.equity.hands")), this.add),
      this.hands,
      h("div", { class: "board-and-dead" }, row("board", this.board), row("dead", this.dead)),
      this.#picker(),
      h(
        "details",
        {},
        h("summary", {}, t("web.lab.equity.method")),
        h(
          "label",
          { class: "option switch" },
          h("span", {}, t("web.lab.equity.sampled")),
          this.sampled,
          h("small", {}, t("web.lab.equity.sampled_about")),
        ),
        row("samples", this.samples),
      ),
      this.running.element,
      this.summary,
      h("p", { class: "quiet notation" }, t("web.lab.equity.notation")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.running.run();
    });
    form.addEventListener("input", () => this.#changed());
    form.addEventListener("focusin", ({ target }) => {
      if (target.matches(".cards-field")) this.#aim(target);
    });
    return form;
  }

  #field(name, example) {
    return h("input", {
      class: "cards-field",
      name,
      maxlength: 400,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: example,
    });
  }

  #addHand(written, focus = false) {
    if (this.hands.children.length >= HANDS_MAX) return;
    this.#made += 1;
    const field = this.#field(`hand-${this.#made}`, "AsKs, QQ+, random");
    field.value = written;
    const remove = h("button", { type: "button", class: "icon" }, icon("close"));
    const parts = {
      field,
      remove,
      win: h("span", { class: "part win" }),
      tie: h("span", { class: "part tie" }),
      equity: h("b", { class: "equity" }),
      margin: h("small", { class: "quiet" }),
    };
    parts.bar = h("span", { class: "equity-bar", role: "img", hidden: true }, parts.win, parts.tie);
    const figures = h("span", { class: "equity-figures" }, parts.equity, parts.margin);
    const item = h("li", { class: "hand-row" }, field, remove, parts.bar, figures);
    item.parts = parts;
    remove.addEventListener("click", () => {
      item.remove();
      this.#aim(null);
      this.#changed();
    });
    this.hands.append(item);
    if (focus) field.focus();
    if (this.element) this.#changed();
  }

  /** Cards to tap: each goes into the field that had the focus last, or out of it. */
  #picker() {
    this.cards = SUITS.split("").flatMap((suit) =>
      RANKS.split("").map((rank) => {
        const card = rank + suit;
        return h(
          "button",
          {
            type: "button",
            class: `pick suit-${suit}`,
            "data-card": card,
            "aria-label": cardName(card),
            on: { click: () => this.#pick(card) },
          },
          h("span", { "aria-hidden": "true" }, rank === "T" ? "10" : rank),
          suitMark(suit),
        );
      }),
    );
    this.pickerTitle = h("summary", {});
    return h(
      "details",
      { class: "picker", open: matchMedia("(min-width: 720px)").matches },
      this.pickerTitle,
      h("div", { class: "pick-cards", role: "group", "aria-label": t("web.lab.equity.pick") }, ...this.cards),
    );
  }

  #pick(card) {
    const field = this.#target?.isConnected ? this.#target : this.#firstOpen();
    const present = cardsIn(field.value);
    if (present.includes(card)) field.value = field.value.replace(new RegExp(`\\s*${card}`, "i"), "").trim();
    else {
      const full = !field.name.startsWith("hand") ? present.length >= 5 && field === this.board : present.length >= 2;
      field.value = full || (present.length === 0 && field.value.trim() !== "") ? card : field.value.trim() + card;
      if (field.name.startsWith("hand") && cardsIn(field.value).length === 2) this.#aim(this.#firstOpen(field));
      else this.#aim(field);
    }
    this.#changed();
  }

  /** The first hand without two cards, after `field` if there is one; else the board. */
  #firstOpen(field = null) {
    const fields = this.#handFields();
    return fields.slice(fields.indexOf(field) + 1).find((each) => each.value.trim().length < 2) ?? this.board;
  }

  #handFields() {
    return Array.from(this.hands.children, (item) => item.parts.field);
  }

  #aim(field) {
    this.#target = field;
    for (const each of [...this.#handFields(), this.board, this.dead]) each.classList.toggle("aimed", each === field);
    setText(
      this.pickerTitle,
      t("web.lab.equity.pick_into", { field: field?.getAttribute("aria-label") || t("web.lab.equity.board") }),
    );
  }

  #changed() {
    const fields = this.#handFields();
    const used = new Set([...fields, this.board, this.dead].flatMap((field) => cardsIn(field.value)));
    for (const card of this.cards ?? []) setAttribute(card, "aria-pressed", String(used.has(card.dataset.card)));
    Array.from(this.hands.children).forEach(({ parts }, place) => {
      setAttribute(parts.field, "aria-label", t("web.lab.equity.hand", { number: place + 1 }));
      setAttribute(parts.remove, "aria-label", t("web.lab.equity.remove", { number: place + 1 }));
      setShown(parts.remove, fields.length > HANDS_MIN);
      setShown(parts.bar, false);
      setText(parts.equity, "");
      setText(parts.margin, "");
    });
    setAttribute(this.board, "aria-label", t("web.lab.equity.board"));
    setAttribute(this.dead, "aria-label", t("web.lab.equity.dead"));
    setShown(this.add, fields.length < HANDS_MAX);
    setText(this.summary, "");
    if (!this.#target?.isConnected) this.#aim(this.#firstOpen());
    this.running.end();
  }

  #question() {
    const hands = this.#handFields().map((field) => field.value.trim());
    const question = { hands, board: this.board.value, dead: this.dead.value };
    this.keep({
      hands: hands.join("|"),
      ...(question.board && { board: question.board }),
      ...(question.dead && { dead: question.dead }),
    });
    return { ...question, sampled: this.sampled.checked, samples: Number(this.samples.value) };
  }

  #show({ hands, method, boards, seconds, done, total }) {
    Array.from(this.hands.children).forEach(({ parts }, place) => {
      const found = hands[place];
      if (!found) return;
      setShown(parts.bar, true);
      setVariable(parts.win, "--part", found.win);
      setVariable(parts.tie, "--part", found.tie);
      const words = t("web.lab.equity.bar", { win: percent(found.win), tie: percent(found.tie) });
      setAttribute(parts.bar, "aria-label", words);
      setAttribute(parts.bar, "title", words);
      setText(parts.equity, percent(found.equity, 2));
      setText(parts.margin, "low" in found ? `± ${percent((found.high - found.low) / 2, 3)}` : words);
    });
    setText(
      this.summary,
      plural(`web.lab.equity.${method}`, boards, { seconds: number(seconds, { maximumFractionDigits: 3 }) }),
    );
    if (done === total) tell(hands.map(({ hand, equity }) => `${hand}: ${percent(equity, 2)}`).join("; "));
  }
}
