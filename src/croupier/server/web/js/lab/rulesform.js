// A form for every rule of blackjack, made from what the server lists: presets, switches, choices, numbers.

import { h, setText } from "../dom.js";
import { hasText, t } from "../texts.js";
import { ask } from "./ask.js";

/** What most people ask for; everything else stands below. */
const MAIN = [
  "decks",
  "dealer_hits_soft_17",
  "peek",
  "blackjack_pays",
  "double",
  "double_after_split",
  "hands_max",
  "surrender",
  "insurance",
];

let listed = null;

/** Loads the list once. */
export async function loadRules() {
  listed ??= ask("rules").catch((error) => {
    listed = null;
    throw error;
  });
  return listed;
}

const isSwitch = ({ choices }) => choices?.length === 2 && choices.includes("true");

export class RulesForm {
  /** `given` are the options that an address names; `changed` is called whenever something is chosen. */
  constructor({ options, presets }, given, changed) {
    this.options = options;
    this.presets = presets;
    this.fields = new Map();
    this.preset = h(
      "select",
      { name: "preset" },
      ...Object.keys(presets).map((name) => h("option", { value: name }, t(`blackjack.preset.${name}`))),
    );
    this.about = h("small", {});
    const rows = new Map(options.map((option) => [option.name, this.#row(option)]));
    const more = options.filter(({ name }) => !MAIN.includes(name));
    this.element = h(
      "div",
      { class: "options rules-form" },
      h("label", { class: "option" }, h("span", {}, t("web.lab.presets.label")), this.preset, this.about),
      ...MAIN.filter((name) => rows.has(name)).map((name) => rows.get(name)),
      h("details", {}, h("summary", {}, t("web.lab.more_rules")), ...more.map(({ name }) => rows.get(name))),
    );
    this.preset.value = given.preset in presets ? given.preset : Object.keys(presets)[0];
    this.#fill({ ...presets[this.preset.value], ...given });
    this.preset.addEventListener("change", () => {
      this.#fill(presets[this.preset.value]);
      changed();
    });
    for (const field of this.fields.values()) field.addEventListener("change", changed);
  }

  /** The preset, and what differs from it. */
  value() {
    const base = this.presets[this.preset.value];
    const chosen = this.options.map((option) => [option.name, this.#read(option)]);
    const changes = chosen.filter(([name, value]) => value !== String(base[name]));
    return { preset: this.preset.value, ...Object.fromEntries(changes) };
  }

  #row(option) {
    const field = makeField(option);
    this.fields.set(option.name, field);
    const key = `web.lab.rule.${option.name}`;
    const about = hasText(`${key}_about`) ? h("small", {}, t(`${key}_about`)) : null;
    return h("label", { class: isSwitch(option) ? "option switch" : "option" }, h("span", {}, t(key)), field, about);
  }

  #read(option) {
    const field = this.fields.get(option.name);
    return isSwitch(option) ? String(field.checked) : field.value;
  }

  #fill(values) {
    const about = `web.lab.presets.${this.preset.value}_about`;
    setText(this.about, hasText(about) ? t(about) : "");
    for (const option of this.options) {
      const field = this.fields.get(option.name);
      const value = String(values[option.name]);
      if (isSwitch(option)) field.checked = value === "true";
      else field.value = value;
    }
  }
}

function makeField({ name, choices, low, high, whole }) {
  if (isSwitch({ choices })) return h("input", { type: "checkbox", role: "switch", name });
  if (!choices)
    return h("input", { type: "number", name, min: low, max: high, step: whole ? 1 : 0.05, required: true });
  const word = (choice) => (hasText(`web.lab.choice.${choice}`) ? t(`web.lab.choice.${choice}`) : choice);
  return h("select", { name }, ...choices.map((choice) => h("option", { value: choice }, word(choice))));
}
