// What the player does: only what the menu offers. Chips make up a bet; one button places it.
//
// Nothing here is rebuilt while it has the focus: buttons are shown, hidden and renamed in place.

import { chipPile } from "/js/chips.js";
import { h, setAttribute, setShown, setText } from "/js/dom.js";
import { read, write } from "/js/settings.js";
import { number, t } from "/js/texts.js";

const CHIPS = [1, 5, 25, 100, 500, 1000];
const KEYS = {
  BLACKJACK_HIT: "H",
  BLACKJACK_STAND: "S",
  BLACKJACK_DOUBLE: "D",
  BLACKJACK_SPLIT: "P",
  BLACKJACK_SURRENDER: "R",
  insure: "I",
  decline: "N",
  BLACKJACK_SIT_OUT: "O",
};
/** Where the amount of the last bet is kept, so that it can be bet again, also after a reload. */
const LAST_BET_KEY = "croupier.bet";
const KINDS = {
  BLACKJACK_HIT: "stay",
  BLACKJACK_STAND: "fold",
  BLACKJACK_DOUBLE: "raise",
  BLACKJACK_SPLIT: "raise",
  insure: "stay",
  decline: "fold",
  BLACKJACK_SURRENDER: "fold",
  BLACKJACK_SIT_OUT: "fold",
};

/** The button that an offer belongs to. Insurance is offered twice: to take it, and to go without. */
const nameOf = ({ action }) =>
  action.type === "BLACKJACK_INSURANCE" ? (action.take === false ? "decline" : "insure") : action.type;

/** The key of a button's text. */
export const textKey = (name) => (name === "insure" || name === "decline" ? `blackjack.${name}` : `action.${name}`);

export class Controls {
  #act;
  #menu = [];
  #sending = false;
  #amount = 0;
  #units;

  /** `act` plays an action, and resolves when it is done or refused. A bet is a multiple of a chip's part: `units` of
   * them make one. */
  constructor(act, units = 1) {
    this.#act = act;
    this.#units = units;
    this.prompt = h("p", { class: "prompt" });
    this.hint = h("p", { class: "hint-line", role: "status" });
    this.buttons = Object.fromEntries(Object.keys(KEYS).map((name) => [name, this.#button(name)]));
    this.row = h("div", { class: "buttons" }, ...Object.values(this.buttons));
    this.bet = this.#makeBet();
    this.element = h(
      "div",
      { class: "controls bj-controls", tabindex: "-1", role: "group", "aria-label": t("web.blackjack.controls") },
      h("div", { class: "say" }, this.prompt, this.hint),
      this.bet,
      this.row,
    );
  }

  /** Shows what may be done now. `facts` = { bet, insurance } are what the buttons name. */
  show(menu, prompt, facts = {}) {
    this.#menu = menu;
    const hadFocus = this.element.contains(document.activeElement);
    const offered = new Set(this.#menu.map(nameOf));
    for (const [name, button] of Object.entries(this.buttons)) {
      setShown(button, offered.has(name));
      const amount = name === "BLACKJACK_DOUBLE" ? facts.bet : name === "insure" ? facts.insurance : null;
      setText(
        button.firstChild,
        amount ? `${t(textKey(name))} ${number(amount)}` : t(textKey(name)),
      );
    }
    this.#showBet();
    setText(this.prompt, prompt);
    this.element.classList.toggle("active", this.#menu.length > 0);
    if (hadFocus && !document.activeElement?.checkVisibility()) this.element.focus({ preventScroll: true });
  }

  /** Marks the button that the trainer would press; none when empty. */
  suggest(type) {
    for (const [name, button] of Object.entries(this.buttons)) button.classList.toggle("suggested", name === type);
  }

  /** A physical key; true when it meant something here. */
  key(code) {
    const name = Object.keys(KEYS).find((each) => `Key${KEYS[each]}` === code && !this.buttons[each].hidden);
    if (name) {
      this.buttons[name].click();
      return true;
    }
    if (this.bet.hidden) return false;
    if (code === "KeyB") this.#place();
    else if (code === "KeyC") this.#set(0);
    else if (code === "KeyH") this.#set(this.#amount / 2);
    else if (code === "KeyD") this.#set(this.#amount * 2);
    else if (code === "KeyE" && !this.rebet.hidden) this.#rebet();
    else if (/^Digit[1-6]$/.test(code)) this.#set(this.#amount + CHIPS[Number(code.at(-1)) - 1]);
    else return false;
    return true;
  }

  #button(name) {
    return h(
      "button",
      {
        class: `action ${KINDS[name]}`,
        type: "button",
        hidden: true,
        "data-action": name,
        "aria-keyshortcuts": KEYS[name],
        on: { click: () => this.#play(name) },
      },
      h("span", { class: "label" }),
      h("kbd", { "aria-hidden": "true" }, KEYS[name]),
    );
  }

  #makeBet() {
    this.field = h("input", {
      class: "amount-field",
      type: "number",
      inputmode: this.#units > 1 ? "decimal" : "numeric",
      min: 0,
      step: 1 / this.#units,
      "aria-label": t("web.blackjack.amount"),
    });
    this.field.addEventListener("input", () => this.#set(Number(this.field.value), false));
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#place();
    });
    const chips = CHIPS.map((value, place) =>
      h(
        "button",
        {
          type: "button",
          class: "chip-button",
          "data-chip": value,
          "aria-keyshortcuts": place + 1,
          "aria-label": t("web.blackjack.add_chip", { amount: value }),
          on: { click: () => this.#set(this.#amount + value) },
        },
        chipPile(value),
        h("span", { "aria-hidden": "true" }, number(value)),
      ),
    );
    const quick = (key, label, text, click) =>
      h(
        "button",
        {
          type: "button",
          class: "quiet-button small",
          "aria-keyshortcuts": key,
          "aria-label": label === text ? null : label,
          title: label === text ? null : label,
          on: { click },
        },
        text,
      );
    const clear = quick("C", t("web.blackjack.clear"), t("web.blackjack.clear"), () => this.#set(0));
    const half = quick("H", t("web.blackjack.half"), "½", () => this.#set(this.#amount / 2));
    const double = quick("D", t("web.blackjack.double"), "×2", () => this.#set(this.#amount * 2));
    this.rebet = quick("E", "", "", () => this.#rebet());
    this.place = h(
      "button",
      { type: "button", class: "action stay place-bet", "aria-keyshortcuts": "B", on: { click: () => this.#place() } },
      h("span", { class: "label" }),
      h("kbd", { "aria-hidden": "true" }, "B"),
    );
    return h(
      "div",
      { class: "bet-maker", role: "group", "aria-label": t("web.blackjack.amount"), hidden: true },
      h("div", { class: "chip-row" }, ...chips),
      h("div", { class: "bet-row" }, clear, half, double, this.rebet, this.field, this.place),
    );
  }

  #offer(name) {
    return this.#menu.find((offer) => nameOf(offer) === name);
  }

  #range() {
    return this.#menu.find((offer) => offer.action.type === "PLACE_BET");
  }

  #showBet() {
    const range = this.#range();
    setShown(this.bet, Boolean(range));
    if (!range) return;
    setAttribute(this.field, "max", range.high);
    for (const button of this.bet.querySelectorAll("[data-chip]"))
      setAttribute(button, "disabled", Number(button.dataset.chip) > range.high);
    const last = this.#lastBet();
    setShown(this.rebet, last !== null);
    if (last !== null) setText(this.rebet, t("web.blackjack.rebet", { amount: last }));
    this.#set(
      Math.min(this.#amount || Math.max(range.low, Math.min(10, range.high)), range.high),
      document.activeElement !== this.field,
    );
  }

  #set(amount, writeField = true) {
    const range = this.#range();
    if (!range) return;
    const rounded = Math.round(amount * this.#units) / this.#units;
    this.#amount = Math.min(Math.max(rounded || 0, 0), range.high);
    if (writeField || this.#amount !== rounded) this.field.value = this.#amount;
    const enough = this.#amount >= range.low;
    setAttribute(this.place, "aria-disabled", enough ? null : "true");
    setText(
      this.place.firstChild,
      enough
        ? `${t("action.PLACE_BET")} ${number(this.#amount)}`
        : t("web.blackjack.bet_range", { low: range.low, high: range.high }),
    );
  }

  #place() {
    const range = this.#range();
    if (!range || this.#amount < range.low) return;
    write(LAST_BET_KEY, this.#amount);
    this.#send({ ...range.action, amount: this.#amount });
  }

  /** What was bet last, if it can be bet now; else null. */
  #lastBet() {
    const { low, high } = this.#range();
    const last = read(LAST_BET_KEY, 0);
    const fits = Number.isInteger(last * this.#units) && last >= low && last <= high;
    return fits ? last : null;
  }

  #rebet() {
    const last = this.#range() && this.#lastBet();
    if (last === null || last === undefined) return;
    this.#set(last);
    this.#place();
  }

  #play(name) {
    const offer = this.#offer(name);
    if (offer) this.#send(offer.action);
  }

  async #send(action) {
    if (this.#sending) return;
    this.#sending = true;
    this.#menu = [];
    this.element.classList.remove("active");
    for (const button of this.row.children) setAttribute(button, "aria-disabled", "true");
    try {
      await this.#act(action);
    } finally {
      this.#sending = false;
      for (const button of this.row.children) setAttribute(button, "aria-disabled", null);
    }
  }
}
