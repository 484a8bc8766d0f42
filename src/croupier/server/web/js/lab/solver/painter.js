// A range to paint on the 13×13 grid: by dragging, by keys, as text, or from a list of usual ones. Grid and text are
// always the same range.

import { h, setAttribute, setShown, setText, setVariable } from "../../dom.js";
import { number, refusalText, t } from "../../texts.js";
import { percent } from "../figures.js";
import { withArrowKeys } from "../gridkeys.js";
import { HANDS, RANKS } from "../hands.js";
import { ALL, COMBINATIONS, cellWeight, parseRange, RangeFault, size, writeRange } from "./range.js";

const ACTS = ["open", "call", "three_bet", "three_bet_call"];

export class Painter {
  #weights = new Map();
  #dragged = null;

  /** `known` has the usual ranges and the order of the hands; `changed` is called after every change. */
  constructor(name, known, changed) {
    this.name = name;
    this.known = known;
    this.changed = changed;
    const title = t(`web.lab.solver.${name}`);
    this.share = h("span", { class: "quiet range-share" });
    this.presets = h(
      "select",
      { "aria-label": t("web.lab.solver.preset_of", { player: title }), on: { change: () => this.#choose() } },
      h("option", { value: "" }, t("web.lab.solver.presets")),
      ...ACTS.map((act) => this.#presetGroup(act)),
    );
    this.cells = HANDS.map((hand) => h("td", { class: "range-cell", role: "gridcell", tabindex: "-1", "data-hand": hand }, hand));
    this.grid = h(
      "table",
      { class: "range-grid paint-grid", role: "grid", "aria-label": t("web.lab.solver.paint", { player: title }), "aria-multiselectable": "true" },
      h("tbody", {}, ...[...RANKS].map((_, row) => h("tr", {}, ...this.cells.slice(13 * row, 13 * row + 13)))),
    );
    this.#listen();
    this.brush = h("input", { type: "range", min: 0, max: 100, step: 5, value: 100, name: `brush-${name}` });
    this.brushShare = h("output", {}, percent(1, 0));
    this.brush.addEventListener("input", () => setText(this.brushShare, percent(this.#brushed, 0)));
    this.text = h("textarea", {
      class: "range-text-field",
      name: `range-${name}`,
      rows: 3,
      maxlength: 12_000,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-label": t("web.lab.solver.range_text", { player: title }),
      on: { input: () => this.#read() },
    });
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    const clear = h("button", { type: "button", class: "quiet-button small", on: { click: () => this.set("") } }, t("web.lab.solver.clear"));
    this.element = h(
      "section",
      { class: "painter", "data-player": name, "aria-label": title },
      h("div", { class: "painter-head" }, h("h3", {}, title), this.share),
      this.presets,
      h("div", { class: "grid-box" }, this.grid),
      h("div", { class: "brush" }, h("label", {}, h("span", {}, t("web.lab.solver.brush")), this.brush, this.brushShare), clear),
      this.text,
      this.fault,
    );
    this.#draw();
  }

  get value() {
    return this.text.value.trim();
  }

  set(text) {
    this.text.value = text;
    this.#read();
  }

  get #brushed() {
    return Number(this.brush.value) / 100;
  }

  #presetGroup(act) {
    const some = this.known.ranges.map((each, place) => [each, place]).filter(([each]) => each.act === act);
    const option = ([{ position, against }, place]) =>
      h("option", { value: place }, against ? t("web.lab.solver.preset_against", { position, against }) : position);
    return h("optgroup", { label: t(`web.lab.solver.act.${act}`) }, ...some.map(option));
  }

  #choose() {
    const chosen = this.known.ranges[this.presets.value];
    if (chosen) this.set(chosen.range);
  }

  #listen() {
    withArrowKeys(this.grid);
    this.grid.addEventListener("pointerdown", (event) => this.#begin(event));
    this.grid.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"])
      this.grid.addEventListener(end, () => {
        if (this.#dragged !== null) this.#write();
        this.#dragged = null;
      });
    this.grid.addEventListener("keydown", (event) => this.#key(event));
  }

  #begin(event) {
    const cell = event.target.closest("td");
    if (!cell || event.button) return;
    event.preventDefault();
    // A mouse or a finger that leaves the grid goes on painting when it comes back.
    this.grid.setPointerCapture(event.pointerId);
    this.#dragged = this.#toggled(cell);
    this.#paint(cell, this.#dragged);
    cell.focus({ preventScroll: true });
  }

  #drag(event) {
    if (this.#dragged === null) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("td");
    if (cell && this.grid.contains(cell)) this.#paint(cell, this.#dragged);
  }

  /** What painting a cell makes of it: the brush's weight, or nothing if it has that already. */
  #toggled(cell) {
    const weight = cellWeight(this.#weights, cell.dataset.hand);
    return Math.abs(weight - this.#brushed) < 0.005 ? 0 : this.#brushed;
  }

  #key(event) {
    const cell = event.target.closest("td");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = /^Digit(\d)$/.exec(event.code)?.[1];
    if (event.key === " " || event.key === "Enter") this.#paint(cell, this.#toggled(cell));
    else if (event.key === "Delete" || event.key === "Backspace") this.#paint(cell, 0);
    else if (digit) this.#paint(cell, digit === "0" ? 1 : Number(digit) / 10);
    // The arrow has moved the focus already.
    else if (event.shiftKey && event.key.startsWith("Arrow")) this.#paint(document.activeElement, this.#brushed);
    else return;
    event.preventDefault();
    this.#write();
  }

  #paint(cell, weight) {
    const hand = cell.dataset.hand;
    for (const name of COMBINATIONS.get(hand))
      if (weight > 0) this.#weights.set(name, weight);
      else this.#weights.delete(name);
    this.#drawCell(cell);
    this.#drawShare();
  }

  #write() {
    this.text.value = writeRange(this.#weights);
    this.presets.value = "";
    this.#say(null);
    this.changed();
  }

  #read() {
    try {
      this.#weights = parseRange(this.text.value, this.known.order);
      this.#say(null);
      this.#draw();
    } catch (error) {
      if (!(error instanceof RangeFault)) throw error;
      this.#say(error);
    }
    this.changed();
  }

  #say(fault) {
    setShown(this.fault, Boolean(fault));
    setText(this.fault, fault ? refusalText({ code: fault.code, facts: fault.facts, message: fault.code }) : "");
    setAttribute(this.text, "aria-invalid", fault ? "true" : null);
  }

  #draw() {
    for (const cell of this.cells) this.#drawCell(cell);
    this.#drawShare();
    if (this.known.ranges[this.presets.value]?.range !== this.text.value) this.presets.value = "";
  }

  #drawCell(cell) {
    const weight = cellWeight(this.#weights, cell.dataset.hand);
    setVariable(cell, "--part", weight);
    setAttribute(cell, "aria-selected", String(weight > 0));
    setAttribute(cell, "aria-label", t("web.lab.solver.weight_of", { hand: cell.dataset.hand, weight: percent(weight, 0) }));
  }

  #drawShare() {
    const held = size(this.#weights);
    const facts = { share: percent(held / ALL.length), count: number(held, { maximumFractionDigits: 1 }) };
    setText(this.share, t("web.lab.solver.share_of_hands", facts));
  }
}
