// The live table of a blackjack room.

import { cardMark } from "/js/cards.js";
import { h, icon, setShown, setText } from "/js/dom.js";
import { onSettings } from "/js/settings.js";
import { play } from "/js/sound.js";
import { number, plural, t } from "/js/texts.js";
import { tell } from "/js/speech.js";
import { CashRow } from "/js/cashrow.js";
import { LowTimeWarning, timeLeft } from "/js/games/turnclock.js";
import { Controls } from "./controls.js";
import { Felt } from "./felt.js";
import { pictureOf } from "./picture.js";
import { openRounds } from "./rounds.js";
import { Unveiling } from "./unveil.js";
import { clothText, sentence, totalText } from "./words.js";

const TICK_MS = 250;
/** What everybody begins with, and may buy again. */
const PURSE_CHIPS = 1000;
const DEALT = ["CARD_DEALT", "DEALER_CARD_DEALT", "HOLE_CARD_REVEALED"];

export { sentence };
export const makeTable = (room, page) => new Table(room, page);

class Table {
  #room;
  #page;
  #view = null;
  #menu = [];
  #mine = false;
  #lowTime = new LowTimeWarning(5);
  #closed = new AbortController();

  constructor(room, page) {
    this.#room = room;
    this.#page = page;
    this.felt = new Felt((seat) => page.openPerson(seat));
    this.controls = new Controls((action) => this.#act(action));
    this.unveiling = new Unveiling((picture) => this.felt.show(picture, this.#room.me?.seat ?? null));
    const { rules } = room.state.public;
    this.felt.showPrint(...clothText(rules.blackjack_pays, rules.dealer_hits_soft_17));
    this.shoe = h("p", { class: "level" });
    this.next = h("p", { class: "next" });
    this.cash = new CashRow(page);
    this.lastRounds = h(
      "button",
      {
        type: "button",
        class: "quiet-button last-hands",
        on: { click: () => openRounds(room.memory, page.records()) },
      },
      icon("history"),
      h("span", {}, t("web.blackjack.last_rounds")),
    );
    this.element = h(
      "div",
      { class: "blackjack" },
      h("div", { class: "info" }, this.shoe, this.next, this.lastRounds),
      this.felt.element,
      this.controls.element,
      this.cash.element,
    );
    const { signal } = this.#closed;
    room.addEventListener("state", ({ detail }) => this.#take(detail), { signal });
    room.addEventListener("presence", () => this.#draw(), { signal });
    room.addEventListener("reaction", ({ detail }) => this.#react(detail), { signal });
    signal.addEventListener(
      "abort",
      onSettings(() => this.#draw()),
    );
    this.ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#settle(room.state);
  }

  close() {
    clearInterval(this.ticker);
    this.#closed.abort();
  }

  key(code) {
    return this.controls.key(code);
  }

  factsAbout(seat) {
    const shown = this.#view?.seats[seat];
    return shown
      ? [
          [t("web.blackjack.purse"), number(shown.chips ?? 0)],
          [t("web.blackjack.bet"), number(shown.bet)],
        ]
      : [];
  }

  freshness(fresh) {
    if (fresh) this.#settle(this.#room.state);
    else this.controls.show([], "");
  }

  async #act(action) {
    await this.#page.act(action);
    this.#showControls();
  }

  #take(frame) {
    this.#settle(frame);
    if (!frame.you.view) return;
    for (const event of frame.events) this.#narrate(event);
  }

  #narrate(event) {
    const nameOf = (seat) => this.#nameOf(seat);
    const said = sentence(event, nameOf);
    if (said) {
      this.#page.log(sentence(event, nameOf, cardMark));
      tell(said);
    }
    const own = event.seat === this.#room.me?.seat;
    if (DEALT.includes(event.type)) play("card");
    else if (event.type === "BET_PLACED") play("chips");
    else if (event.type === "HAND_SETTLED" && own) play({ win: "win", push: "check" }[event.result] ?? "fold");
  }

  async #settle(frame) {
    if (!frame.you.view) return;
    this.#view = frame.you.view;
    this.#menu = frame === this.#room.state && this.#room.fresh ? frame.you.menu : [];
    setShown(this.lastRounds, Boolean(this.#room.memory?.last));
    setText(this.shoe, t("web.blackjack.shoe", { count: this.#view.shoeLeft }));
    this.#showControls();
    await this.#draw();
  }

  #draw() {
    return this.#view ? this.unveiling.take(this.#picture()) : null;
  }

  #showControls() {
    const seat = this.#room.me?.seat ?? null;
    const own = seat === null ? null : this.#view.seats[seat];
    const hand = own?.hands[this.#view.activeHand ?? 0];
    this.controls.show(this.#menu, this.#promptText(hand, own), {
      bet: hand?.bet,
      insurance: own ? Math.floor(own.bet / 2) : 0,
    });
    const mine = this.#menu.length > 0;
    if (mine && !this.#mine) {
      play("turn");
      tell(this.controls.prompt.textContent);
    }
    this.#mine = mine;
    const { phase, nextRoundAtMs } = this.#room.state.public;
    const isCash = phase === "playing" && own && own.chips !== null;
    this.cash.show(isCash ? this.#room.me : null, {
      most: own && own.chips + (this.#room.me?.bought ?? 0) < PURSE_CHIPS ? PURSE_CHIPS : 0,
      inRound: nextRoundAtMs === null,
      isOut: null,
    });
  }

  #promptText(hand, own) {
    const view = this.#view;
    if (this.#menu.some(({ action }) => action.type === "PLACE_BET")) return t("web.blackjack.place_your_bet");
    if (this.#menu.some(({ action }) => action.type === "BLACKJACK_INSURANCE")) return t("web.blackjack.insure");
    if (this.#menu.length && hand && own.hands.length > 1)
      return t("web.blackjack.hand_of", { hand: view.activeHand + 1, hands: own.hands.length, total: totalText(hand) });
    if (this.#menu.length && hand) return t("web.blackjack.your_hand", { total: totalText(hand) });
    if (view.activeHand !== null) return t("web.blackjack.turn_of", { name: this.#nameOf(view.toAct[0]) });
    return view.phase === "betting" ? t("web.blackjack.waits_for_bets") : "";
  }

  #picture() {
    const note = this.#view.void ? t("code.SHOE_EMPTY") : "";
    const frame = { public: this.#room.state.public, you: { view: this.#view } };
    return pictureOf(frame, (seat) => this.#plateOf(seat), note);
  }

  /** A seat's name on show, and how its player is gone. */
  #plateOf(seat) {
    const person = this.#page.personAt(seat);
    return [person?.name, person?.gone].filter(Boolean).join(" · ");
  }

  #nameOf(seat) {
    return this.#page.personAt(seat)?.name ?? "";
  }

  #tick() {
    const shown = this.#room.state?.public;
    if (!shown || !this.#view) return;
    const now = this.#page.nowMs();
    const seat = shown.turn.includes(this.#room.me?.seat) ? this.#room.me.seat : (shown.turn[0] ?? null);
    const time = seat === null ? null : timeLeft(shown, seat, now);
    this.felt.showClock(seat, time);
    if (seat === this.#room.me?.seat) this.#lowTime.take(shown, time);
    const waitMs = shown.nextRoundAtMs === null ? 0 : shown.nextRoundAtMs - now;
    const cutting = shown.waitsFor.length > 0;
    setText(
      this.next,
      cutting
        ? t("web.blackjack.cutting")
        : waitMs > 0
          ? plural("web.blackjack.next_round", Math.ceil(waitMs / 1000))
          : "",
    );
  }

  #react({ member, reaction }) {
    const seat = this.#room.state.public.members.find(({ id }) => id === member)?.seat;
    if (seat !== null && seat !== undefined) this.felt.showReaction(seat, reaction);
  }
}
