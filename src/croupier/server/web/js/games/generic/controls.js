// What the player does at the generic table: every offer of the menu is a button; one with a range has a slider and a
// field, one with a choice of values has those. Nothing that was not offered can be sent.

import { h, keyed, setAttribute, setShown, setText, setVariable } from "../../dom.js";
import { number, t } from "../../texts.js";
import { actionWords, inHand } from "./words.js";

const VALUES_AS_BUTTONS_MAX = 8;

/** The value that an open field has in an offer, from its bounds. */
const rangeOf = ({ low = 0, high = 0 }) => ({ low, high });

export class Controls {
  #act;
  #game;
  #nameOf;
  #hand = [];

  constructor(game, nameOf, act) {
    this.#game = game;
    this.#nameOf = nameOf;
    this.#act = act;
    this.prompt = h("p", { class: "prompt" });
    this.note = h("p", { class: "any-note" });
    this.buttons = h("div", { class: "any-buttons" });
    this.ranges = h("div", { class: "any-ranges" });
    this.element = h(
      "section",
      { class: "controls any-controls", tabindex: "-1", "aria-label": t("web.generic.actions") },
      h("div", { class: "say" }, this.prompt, this.note),
      this.ranges,
      this.buttons,
    );
  }

  /** Shows these offers, and groups of others as { action, open, choose }, for a player with this hand. The element of one
   * that stays keeps the focus. */
  show(offers, groups, hand, active) {
    this.#hand = hand;
    this.element.classList.toggle("active", active);
    const single = (action) => ({ action, open: [], choose: () => this.#act(action) });
    const choices = [...groups, ...offers.flatMap(singles).map(single)];
    keyed(
      this.buttons,
      choices.map((choice, place) => ({ ...choice, place })),
      ({ action, open }) => JSON.stringify([action, open, inHand(action, hand)]),
      (choice) => this.#button(choice),
      (element, { place }) => setText(element.lastChild, place < 9 ? place + 1 : ""),
    );
    setAttribute(this.buttons, "data-count", choices.length);
    keyed(
      this.ranges,
      offers.filter((offer) => offer.field && !singles(offer).length),
      (offer) => JSON.stringify({ ...offer.action, [offer.field]: offer.field }),
      (offer) => this.#range(offer),
      (element, offer) => element.update(offer),
    );
    setShown(this.ranges, this.ranges.childElementCount > 0);
  }

  /** Presses the button with that number, from 1. */
  press(place) {
    const button = this.buttons.children[place - 1];
    button?.click();
    return Boolean(button);
  }

  #button({ action, open, choose }) {
    const { text, nodes } = actionWords(this.#game, inHand(action, this.#hand), this.#nameOf, open);
    return h(
      "button",
      {
        type: "button",
        class: "action any-action",
        "data-action": action.type,
        "aria-label": text,
        on: { click: choose },
      },
      h("span", { class: "any-words" }, ...nodes),
      h("kbd", { "aria-hidden": "true" }),
    );
  }

  /** An offer with many values: a range has a slider and a field, a long choice a list. */
  #range(first) {
    let offer = first;
    const { text } = actionWords(this.#game, first.action, this.#nameOf, [first.field]);
    const { low, high } = rangeOf(first);
    const bounds = { min: low, max: high, value: first.action[first.field], "aria-label": text };
    const field = first.among
      ? h("select", { "aria-label": text }, ...first.among.map((value) => h("option", { value }, number(value))))
      : h("input", { type: "number", inputmode: "numeric", class: "amount-field", required: true, ...bounds });
    const slider = first.among ? null : h("input", { type: "range", class: "amount-slider", ...bounds });
    const submit = h("button", { class: "action any-action", "data-action": first.action.type });
    const chosen = () => Number(field.value);
    const label = () => {
      const { nodes } = actionWords(this.#game, { ...offer.action, [offer.field]: chosen() }, this.#nameOf);
      submit.replaceChildren(h("span", { class: "any-words" }, ...nodes));
      if (slider) setVariable(slider, "--filled", (slider.value - slider.min) / Math.max(slider.max - slider.min, 1));
    };
    slider?.addEventListener("input", () => {
      field.value = slider.value;
      label();
    });
    field.addEventListener("input", () => {
      if (slider) slider.value = field.value;
      label();
    });
    const note = first.among ? null : h("small", { class: "quiet" });
    const form = h("form", { class: "any-range" }, h("div", { class: "dial" }, slider, field), submit, note);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#act({ ...offer.action, [offer.field]: chosen() });
    });
    form.update = (next) => {
      const changed = JSON.stringify(next) !== JSON.stringify(offer);
      offer = next;
      const range = rangeOf(next);
      for (const input of [field, slider].filter((each) => each && !next.among)) {
        setAttribute(input, "min", range.low);
        setAttribute(input, "max", range.high);
        if (changed) input.value = next.action[next.field];
      }
      if (note) setText(note, t("web.generic.range", range));
      label();
    };
    return form;
  }
}

/** The single actions of an offer: itself, or one a value where those are few; none where there are too many. */
function singles({ action, field, among }) {
  if (!field) return [action];
  if (!among || among.length > VALUES_AS_BUTTONS_MAX) return [];
  return among.map((value) => ({ ...action, [field]: value }));
}
