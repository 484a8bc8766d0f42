// What the player does: only what the menu offers. Slider and presets set an amount; one button submits it.
//
// Nothing here is rebuilt while it has the focus: buttons are shown, hidden and renamed in place.

import { cardMark, withCards } from "/js/cards.js";
import { confirmFirst } from "/js/confirm.js";
import { h, keyed, setAttribute, setShown, setText, setVariable } from "/js/dom.js";
import { number, t } from "/js/texts.js";
import { presetAmount, Presets } from "./presets.js";

/** What can be chosen in advance, with its key. */
const EARLY = [
  ["check_fold", "F"],
  ["check", "C"],
  ["call", "C"],
  ["call_any", "A"],
];

export class Controls {
  #act;
  #menu = [];
  #view = null;
  #own = null;
  #early = "";
  /** What the player owes now, and what they owed when they chose in advance. */
  #owed = 0;
  #earlyOwed = 0;
  #hand = 0;
  #sending = false;
  #waiting = null;

  /** `act` plays an action, and resolves to whether it was done. What is to be shown meanwhile waits for that. */
  constructor(act) {
    this.#act = act;
    this.prompt = h("p", { class: "prompt" });
    this.ownHand = h("p", { class: "own-hand" });
    this.fold = this.#button("fold", "F", () => this.#askToFold());
    this.stay = this.#button("stay", "C", () =>
      this.#play(this.#offer("HOLDEM_CHECK") ? "HOLDEM_CHECK" : "HOLDEM_CALL"),
    );
    this.raise = this.#button("raise", "R", () => this.#submitAmount());
    this.push = this.#button("push", "A", () => this.#play("HOLDEM_ALL_IN"));
    this.showCards = this.#button("reveal", "C", () => this.#play("HOLDEM_SHOW"));
    this.muck = this.#button("muck", "F", () => this.#play("HOLDEM_MUCK"));
    /** One button for each value of an offer that has few: how often to run it, which card to show. */
    this.few = h("div", { class: "buttons few", hidden: true });
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
      { class: "controls", "aria-label": t("web.poker.your_actions"), tabindex: "-1" },
      h("div", { class: "say" }, this.prompt, this.ownHand),
      this.amount,
      this.few,
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
    this.#showFew();
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

  /** The line is lost: nothing is offered, in advance neither. */
  goOffline() {
    this.hold();
    setShown(this.early, false);
  }

  /** After a hand, in place of the prompt. */
  showResult(text) {
    setText(this.prompt, text);
  }

  showOwnHand(name) {
    setText(this.ownHand, name);
  }

  /** Nobody folds by mistake where checking is free. */
  #askToFold() {
    const fold = () => this.#play("HOLDEM_FOLD");
    if (!this.#offer("HOLDEM_CHECK")) fold();
    else confirmFirst(t("web.ask.fold"), t("web.ask.fold_about"), t("action.HOLDEM_FOLD"), fold);
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
    const early = { KeyF: ["check_fold"], KeyC: ["check", "call"], KeyA: ["call_any"] }[code]?.find(
      (choice) => !this.early.hidden && !this.#earlyButton(choice).hidden,
    );
    if (early) return this.#toggleEarly(early);
    if (this.amount.hidden) return false;
    if (code === "KeyR") {
      if (document.activeElement === this.field) this.#submitAmount();
      else this.field.focus();
      return true;
    }
    const preset = this.presets.at(code);
    if (preset) this.#setPreset(preset);
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
      "aria-label": t("web.poker.amount"),
    });
    this.slider = h("input", {
      class: "amount-slider",
      type: "range",
      step: 1,
      "aria-label": t("web.poker.amount_slider"),
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
    this.presets = new Presets((preset) => this.#setPreset(preset));
    this.amount = h(
      "div",
      { class: "amount", role: "group", "aria-label": t("web.poker.amount"), hidden: true },
      this.presets.element,
      h("div", { class: "dial" }, this.slider, this.field),
    );
  }

  #makeEarly() {
    const toggle = ([choice, key]) =>
      h(
        "button",
        {
          type: "button",
          class: "toggle",
          "aria-pressed": "false",
          "aria-keyshortcuts": key,
          "data-choice": choice,
          on: { click: () => this.#toggleEarly(choice) },
        },
        t(`web.poker.early.${choice}`),
      );
    this.early = h(
      "div",
      { class: "early", role: "group", "aria-label": t("web.poker.early.title"), hidden: true },
      ...EARLY.map(toggle),
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

  #setPreset(preset) {
    if (this.#range()) this.#set(presetAmount(preset, this.#view, this.#range()));
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
    const isAllIn = amount === high && Boolean(this.#offer("HOLDEM_ALL_IN"));
    const isRaise = !isAllIn && action.type === "HOLDEM_RAISE";
    const key = isAllIn ? "action.HOLDEM_ALL_IN" : `action.${action.type}`;
    setText(this.raise.firstChild, isRaise ? t("web.poker.raise_to", { amount }) : `${t(key)} ${number(amount)}`);
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

  /** How often the rest of the board is dealt, or which card is shown after a win. */
  #showFew() {
    const run = this.#offer("HOLDEM_RUN_IT");
    const one = this.#offer("HOLDEM_SHOW_CARD");
    const times = run ? Array.from({ length: run.high - run.low + 1 }, (_, place) => run.low + place) : [];
    const cards = one ? one.among.map((place) => [place, this.#view.seats[this.#own]?.cards[place]]) : [];
    const buttons = [
      ...times.map((count) => ({ key: `run.${count}`, label: t(`web.poker.run.${count}`), click: () => this.#play("HOLDEM_RUN_IT", { times: count }) })),
      ...cards.map(([place, card]) => ({ key: `card.${place}.${card}`, label: t("web.poker.show_card", { card: cardMark(card) }), click: () => this.#play("HOLDEM_SHOW_CARD", { card: place }) })),
    ];
    setShown(this.few, buttons.length > 0);
    keyed(
      this.few,
      buttons,
      ({ key }) => key,
      ({ label, click }) => h("button", { type: "button", class: "action few", on: { click } }, h("span", { class: "label" }, ...withCards(label))),
    );
  }

  #showAmount() {
    const range = this.#range();
    const appears = Boolean(range) && this.amount.hidden;
    setShown(this.amount, Boolean(range));
    if (!range) return;
    this.presets.show(this.#view.street, Boolean(this.#offer("HOLDEM_ALL_IN")));
    for (const input of [this.field, this.slider]) {
      setAttribute(input, "min", range.low);
      setAttribute(input, "max", range.high);
    }
    this.#set(appears ? range.low : this.#amount(), document.activeElement !== this.field);
  }

  #earlyButton(choice) {
    return Array.from(this.early.children).find((button) => button.dataset.choice === choice);
  }

  /** In advance: to check or fold, to check only, to call this bet, to call any; for a player in the hand who waits. A
   * choice that the bets have overtaken is taken back: nobody pays more than they saw. */
  #showEarly(own) {
    const seat = this.#view.seats[own];
    const waits =
      !this.#menu.length &&
      seat?.inHand &&
      seat.hasCards &&
      !seat.allIn &&
      !["SHOWDOWN", "OVER"].includes(this.#view.street);
    setShown(this.early, Boolean(waits));
    if (!waits) return;
    const owed = Math.min(this.#view.bet - seat.bet, seat.chips);
    setShown(this.#earlyButton("check"), owed <= 0);
    setShown(this.#earlyButton("call"), owed > 0);
    setText(this.#earlyButton("call"), t("web.poker.early.call", { amount: owed }));
    const isOvertaken = this.#early === "check" ? owed > 0 : this.#early === "call" && owed !== this.#earlyOwed;
    if (isOvertaken) this.#chooseEarly("");
    this.#owed = owed;
  }

  #toggleEarly(choice) {
    this.#chooseEarly(this.#early === choice ? "" : choice);
    return true;
  }

  #chooseEarly(choice) {
    this.#early = choice;
    this.#earlyOwed = this.#owed;
    for (const button of this.early.children)
      setAttribute(button, "aria-pressed", String(button.dataset.choice === choice));
  }

  /** Does what was chosen in advance, if it still fits; true when something was done. */
  #playEarly() {
    const choice = this.#early;
    if (!choice) return false;
    const seen = this.#earlyOwed;
    this.#chooseEarly("");
    const wanted = {
      check_fold: ["HOLDEM_CHECK", "HOLDEM_FOLD"],
      check: ["HOLDEM_CHECK"],
      call: this.#view.toCall === seen ? ["HOLDEM_CALL"] : [],
      call_any: ["HOLDEM_CHECK", "HOLDEM_CALL"],
    }[choice];
    const type = wanted.find((each) => this.#offer(each));
    if (type) this.#play(type);
    return Boolean(type);
  }

  #promptText() {
    if (!this.#menu.length) return "";
    if (this.#offer("HOLDEM_RUN_IT")) return t("web.poker.run_it");
    if (this.#offer("HOLDEM_SHOW_CARD")) return t("web.poker.show_won");
    if (this.#offer("HOLDEM_SHOW")) return t("web.poker.show_or_muck");
    return this.#view.toCall
      ? t("web.poker.your_turn_call", { amount: this.#view.toCall })
      : t("web.poker.your_turn");
  }
}
