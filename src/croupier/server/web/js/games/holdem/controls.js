// What the player does: only what the menu offers. Slider and presets set an amount; one button submits it.
//
// Nothing here is rebuilt while it has the focus: buttons are shown, hidden and renamed in place.

import { h, setAttribute, setShown, setText, setVariable } from "../../dom.js";
import { number, t } from "../../texts.js";

const PRESETS = ["min", "half", "three_quarters", "pot", "all_in"];

/** What a preset comes to, within what is offered. Shares of the pot count it as it is after calling. */
export function presetAmount(preset, view, { low, high }) {
  const share = { half: 1 / 2, three_quarters: 3 / 4, pot: 1 }[preset];
  if (preset === "min") return low;
  if (preset === "all_in") return high;
  const wanted = view.bet + Math.round(share * (view.total + view.toCall));
  return Math.min(Math.max(wanted, low), high);
}

export class Controls {
  #act;
  #menu = [];
  #view = null;
  #own = null;
  #early = "";
  #hand = 0;
  #sending = false;
  #waiting = null;

  /** `act` plays an action, and resolves to whether it was done. What is to be shown meanwhile waits for that. */
  constructor(act) {
    this.#act = act;
    this.prompt = h("p", { class: "prompt" });
    this.ownHand = h("p", { class: "own-hand" });
    this.fold = this.#button("fold", "F", () => this.#play("HOLDEM_FOLD"));
    this.stay = this.#button("stay", "C", () =>
      this.#play(this.#offer("HOLDEM_CHECK") ? "HOLDEM_CHECK" : "HOLDEM_CALL"),
    );
    this.raise = this.#button("raise", "R", () => this.#submitAmount());
    this.push = this.#button("push", "A", () => this.#play("HOLDEM_ALL_IN"));
    this.showCards = this.#button("reveal", "C", () => this.#play("HOLDEM_SHOW"));
    this.muck = this.#button("muck", "F", () => this.#play("HOLDEM_MUCK"));
    this.buttons = h(
      "div",
      { class: "buttons" },
      this.fold,
      this.stay,
      this.raise,
      this.push,
      this.muck,
      this.showCards,
    );
    this.#makeAmount();
    this.#makeEarly();
    this.element = h(
      "section",
      { class: "controls", "aria-label": t("web.holdem.your_actions"), tabindex: "-1" },
      h("div", { class: "say" }, this.prompt, this.ownHand),
      this.amount,
      this.buttons,
      this.early,
    );
  }

  /** Shows what may be done now. An empty menu leaves the choices that can be made in advance. */
  show(view, menu, own) {
    if (this.#sending) {
      this.#waiting = [view, menu, own];
      return;
    }
    this.#view = view;
    this.#menu = menu;
    this.#own = own;
    if (view.hand !== this.#hand) this.#chooseEarly("");
    this.#hand = view.hand;
    if (this.#menu.length && this.#playEarly()) return;
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    this.#showButtons();
    this.#showAmount();
    this.#showEarly(own);
    setText(this.prompt, this.#promptText());
    this.element.classList.toggle("active", this.#menu.length > 0);
    if (focused && !focused.checkVisibility()) this.element.focus({ preventScroll: true });
  }

  /** The picture is not the newest: nothing can be done until it is. */
  hold() {
    if (this.#view) this.show({ ...this.#view, turn: null }, [], this.#own);
  }

  /** After a hand, in place of the prompt. */
  showResult(text) {
    setText(this.prompt, text);
  }

  showOwnHand(name) {
    setText(this.ownHand, name);
  }

  /** A physical key; true when it meant something here. */
  key(code) {
    const button = { KeyF: [this.fold, this.muck], KeyC: [this.stay, this.showCards], KeyA: [this.push] }[code]?.find(
      (each) => !each.hidden,
    );
    if (button && this.#menu.length) {
      button.click();
      return true;
    }
    if (code === "KeyF" && !this.early.hidden) return this.#toggleEarly("check_fold");
    if (code === "KeyC" && !this.early.hidden) return this.#toggleEarly("check");
    if (this.amount.hidden) return false;
    if (code === "KeyR") {
      if (document.activeElement === this.field) this.#submitAmount();
      else this.field.focus();
      return true;
    }
    const preset = PRESETS[Number(code.replace("Digit", "")) - 1];
    if (preset) this.#set(presetAmount(preset, this.#view, this.#range()));
    return Boolean(preset);
  }

  #button(kind, key, click) {
    return h(
      "button",
      { class: `action ${kind}`, type: "button", hidden: true, "aria-keyshortcuts": key, on: { click } },
      h("span", { class: "label" }),
      h("kbd", { "aria-hidden": "true" }, key),
    );
  }

  #makeAmount() {
    this.field = h("input", {
      class: "amount-field",
      type: "number",
      inputmode: "numeric",
      step: 1,
      "aria-label": t("web.holdem.amount"),
    });
    this.slider = h("input", {
      class: "amount-slider",
      type: "range",
      step: 1,
      "aria-label": t("web.holdem.amount_slider"),
    });
    this.field.addEventListener("input", () => this.#set(Number(this.field.value), false));
    // The field also changes when it goes because the turn is over: then there is no amount any more.
    this.field.addEventListener("change", () => {
      if (this.#range()) this.#set(this.#amount());
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#submitAmount();
    });
    this.slider.addEventListener("input", () => this.#set(Number(this.slider.value)));
    const presets = PRESETS.map((preset, place) =>
      h(
        "button",
        {
          type: "button",
          class: "preset",
          "aria-keyshortcuts": String(place + 1),
          on: { click: () => this.#set(presetAmount(preset, this.#view, this.#range())) },
        },
        t(`web.holdem.preset.${preset}`),
      ),
    );
    this.amount = h(
      "div",
      { class: "amount", role: "group", "aria-label": t("web.holdem.amount"), hidden: true },
      h("div", { class: "presets" }, ...presets),
      h("div", { class: "dial" }, this.slider, this.field),
    );
  }

  #makeEarly() {
    const toggle = (choice) =>
      h(
        "button",
        {
          type: "button",
          class: "toggle",
          "aria-pressed": "false",
          "data-choice": choice,
          on: { click: () => this.#toggleEarly(choice) },
        },
        t(`web.holdem.early.${choice}`),
      );
    this.early = h(
      "div",
      { class: "early", role: "group", "aria-label": t("web.holdem.early.title"), hidden: true },
      toggle("check_fold"),
      toggle("check"),
    );
  }

  #offer(type) {
    return this.#menu.find((offer) => offer.action.type === type);
  }

  #range() {
    return this.#offer("HOLDEM_RAISE") ?? this.#offer("HOLDEM_BET");
  }

  #amount() {
    const { low, high } = this.#range();
    return Math.min(Math.max(Math.round(Number(this.field.value)) || low, low), high);
  }

  #set(amount, writeField = true) {
    const range = this.#range();
    if (!range) return;
    if (writeField) this.field.value = amount;
    const inside = Math.min(Math.max(amount, range.low), range.high);
    this.slider.value = inside;
    const width = Math.max(range.high - range.low, 1);
    setVariable(this.slider, "--filled", ((inside - range.low) / width).toFixed(3));
    this.#nameRaise(inside, range);
  }

  #nameRaise(amount, { high, action }) {
    const key = amount === high ? "action.HOLDEM_ALL_IN" : `action.${action.type}`;
    setText(this.raise.firstChild, `${t(key)} ${number(amount)}`);
  }

  async #play(type, fields = {}) {
    const offer = this.#offer(type);
    if (!offer || this.#sending) return;
    this.#sending = true;
    this.element.classList.remove("active");
    for (const button of this.buttons.children) setAttribute(button, "aria-disabled", "true");
    const done = await this.#act({ ...offer.action, ...fields });
    this.#sending = false;
    for (const button of this.buttons.children) setAttribute(button, "aria-disabled", null);
    if (this.#waiting) this.show(...this.#waiting);
    else if (done) this.hold();
    else this.show(this.#view, this.#menu, this.#own);
    this.#waiting = null;
  }

  #submitAmount() {
    const range = this.#range();
    if (range) this.#play(range.action.type, { [range.field]: this.#amount() });
  }

  #showButtons() {
    const view = this.#view;
    const check = this.#offer("HOLDEM_CHECK");
    const shown = [
      [this.fold, this.#offer("HOLDEM_FOLD"), t("action.HOLDEM_FOLD")],
      [
        this.stay,
        check ?? this.#offer("HOLDEM_CALL"),
        check ? t("action.HOLDEM_CHECK") : `${t("action.HOLDEM_CALL")} ${number(view.toCall)}`,
      ],
      [this.raise, this.#range(), ""],
      [
        this.push,
        !this.#range() && this.#offer("HOLDEM_ALL_IN"),
        `${t("action.HOLDEM_ALL_IN")} ${number(view.seats[view.you]?.chips ?? 0)}`,
      ],
      [this.muck, this.#offer("HOLDEM_MUCK"), t("action.HOLDEM_MUCK")],
      [this.showCards, this.#offer("HOLDEM_SHOW"), t("action.HOLDEM_SHOW")],
    ];
    for (const [button, offer, label] of shown) {
      setShown(button, Boolean(offer));
      if (label) setText(button.firstChild, label);
    }
  }

  #showAmount() {
    const range = this.#range();
    const appears = Boolean(range) && this.amount.hidden;
    setShown(this.amount, Boolean(range));
    if (!range) return;
    for (const input of [this.field, this.slider]) {
      setAttribute(input, "min", range.low);
      setAttribute(input, "max", range.high);
    }
    this.#set(appears ? range.low : this.#amount(), document.activeElement !== this.field);
  }

  /** In advance: to check or fold, and to check only; offered to who is in the hand and waits. */
  #showEarly(own) {
    const seat = this.#view.seats[own];
    const waits =
      !this.#menu.length &&
      seat?.inHand &&
      seat.hasCards &&
      !seat.allIn &&
      !["SHOWDOWN", "OVER"].includes(this.#view.street);
    setShown(this.early, Boolean(waits));
    if (this.#early === "check" && waits && seat.bet < this.#view.bet) this.#chooseEarly("");
  }

  #toggleEarly(choice) {
    this.#chooseEarly(this.#early === choice ? "" : choice);
    return true;
  }

  #chooseEarly(choice) {
    this.#early = choice;
    for (const button of this.early.children)
      setAttribute(button, "aria-pressed", String(button.dataset.choice === choice));
  }

  /** Does what was chosen in advance, if it still fits; true when something was done. */
  #playEarly() {
    const choice = this.#early;
    if (!choice) return false;
    this.#chooseEarly("");
    const type = this.#offer("HOLDEM_CHECK")
      ? "HOLDEM_CHECK"
      : choice === "check_fold" && this.#offer("HOLDEM_FOLD")
        ? "HOLDEM_FOLD"
        : "";
    if (type) this.#play(type);
    return Boolean(type);
  }

  #promptText() {
    if (!this.#menu.length) return "";
    if (this.#offer("HOLDEM_SHOW")) return t("web.holdem.show_or_muck");
    return this.#view.toCall
      ? t("web.holdem.your_turn_call", { amount: this.#view.toCall })
      : t("web.holdem.your_turn");
  }
}
