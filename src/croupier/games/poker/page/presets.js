// Ready-made amounts of a bet, by the pot and by the big blind: the smallest and all-in are always there, those between
// are the player's own, for before and after the flop, and kept in this browser.

import { h, keyed, openDialog, setAttribute, setText } from "/js/dom.js";
import { read, write } from "/js/settings.js";
import { number, t } from "/js/texts.js";

const KEY = "croupier.bets";
const PRESETS_MAX = 4;
const STREETS = ["preflop", "later"];
const DEFAULTS = { preflop: ["2.5bb", "3bb", "4bb"], later: ["50%", "75%", "100%"] };
const FORM = /^(\d{1,3}(?:[.,]\d)?)(bb|%)$/i;
const SIGNS = { "25%": "¼", "33%": "⅓", "50%": "½", "66%": "⅔", "67%": "⅔", "75%": "¾" };

/** A text of presets as a list, like `["2.5bb", "50%"]`; a RangeError with a sentence for what is none. */
function readPresets(text) {
  const parts = text.split(/[\s;]+/).filter(Boolean);
  if (!parts.length || parts.length > PRESETS_MAX) throw new RangeError(t("web.poker.presets.count", { max: PRESETS_MAX }));
  return parts.map((part) => {
    const [, figure, unit] = FORM.exec(part) ?? [];
    const value = Number(figure?.replace(",", "."));
    if (!value) throw new RangeError(t("web.poker.presets.unknown", { part }));
    return `${value}${unit.toLowerCase()}`;
  });
}

/** What was kept; the customary ones where nothing, or nothing readable, is. */
function kept() {
  const found = read(KEY, {});
  const checked = (street) => {
    try {
      return readPresets(found[street].join(" "));
    } catch {
      return DEFAULTS[street];
    }
  };
  return Object.fromEntries(STREETS.map((street) => [street, checked(street)]));
}

/** What a preset comes to, within what is offered. Shares of the pot count it as it is after calling. */
export function presetAmount(preset, view, { low, high }) {
  if (preset === "min") return low;
  if (preset === "all_in" || preset === "max") return high;
  const value = parseFloat(preset);
  const wanted = preset.endsWith("bb")
    ? Math.round(value * view.bigBlind)
    : view.bet + Math.round((value / 100) * (view.total + view.toCall));
  return Math.min(Math.max(wanted, low), high);
}

function presetName(preset) {
  if (preset === "100%") return t("web.poker.preset.pot");
  if (SIGNS[preset]) return SIGNS[preset];
  if (preset.endsWith("bb")) return t("web.poker.preset.blinds", { count: number(parseFloat(preset)) });
  return preset.endsWith("%") ? preset : t(`web.poker.preset.${preset}`);
}

export class Presets {
  #names = [];
  #street = "preflop";
  #allIn = true;
  #choose;

  /** `choose` is called with the name of a preset. */
  constructor(choose) {
    this.#choose = choose;
    this.row = h("div", { class: "presets" });
    const label = t("web.poker.presets.title");
    this.edit = h(
      "button",
      { type: "button", class: "preset edit", title: label, "aria-label": label, on: { click: () => this.#open() } },
      "✎",
    );
    this.element = h("div", { class: "presets-row" }, this.row, this.edit);
  }

  /** Shows those of the street; where a limit allows no all-in, the last one is the most that it does allow. */
  show(street, allIn = true) {
    this.#allIn = allIn;
    this.#street = street === "PREFLOP" ? "preflop" : "later";
    this.#names = ["min", ...kept()[this.#street], allIn ? "all_in" : "max"];
    keyed(
      this.row,
      this.#names.map((name, place) => ({ name, place })),
      ({ place }) => place,
      ({ place }) => h("button", { type: "button", class: "preset", on: { click: () => this.#choose(this.#names[place]) } }),
      (element, { name, place }) => {
        setText(element, presetName(name));
        setAttribute(element, "aria-keyshortcuts", place + 1);
      },
    );
  }

  /** The preset of a digit's key, or undefined. */
  at(code) {
    return this.#names[Number(code.replace("Digit", "")) - 1];
  }

  #open() {
    const present = kept();
    const fields = STREETS.map((street) => [street, h("input", { name: street, value: present[street].join(" "), autocomplete: "off" })]);
    const fault = h("p", { class: "fault", role: "alert" });
    const reset = h("button", { type: "button", class: "quiet-button" }, t("web.poker.presets.reset"));
    reset.addEventListener("click", () => {
      for (const [street, field] of fields) field.value = DEFAULTS[street].join(" ");
    });
    const form = h(
      "form",
      { class: "column" },
      h("p", {}, t("web.poker.presets.about")),
      ...fields.map(([street, field]) => h("label", { class: "column" }, t(`web.poker.presets.${street}`), field)),
      fault,
      h("div", { class: "button-row" }, reset),
      h("button", { class: "primary" }, t("web.poker.presets.save")),
    );
    const dialog = openDialog(t("web.poker.presets.title"), t("web.close"), form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      try {
        write(KEY, Object.fromEntries(fields.map(([street, field]) => [street, readPresets(field.value)])));
        this.show(this.#street === "preflop" ? "PREFLOP" : "FLOP", this.#allIn);
        dialog.close();
      } catch (refused) {
        setText(fault, refused.message);
      }
    });
  }
}
