// The picture of a blackjack table: the dealer, and every seat with its hands side by side. It knows neither room nor
// casino; both draw with it. A picture is { dealer, seats: [{ seat, name, … }], activeSeat, activeHand, asked }.

import { makeCard, showCard } from "/js/cards.js";
import { makePile, showPile } from "/js/chips.js";
import { h, keyed, s, setAttribute, setName, setShown, setText, setVariable } from "/js/dom.js";
import { showTime } from "/js/games/turnclock.js";
import { comeFrom } from "/js/motion.js";
import { showReaction } from "/js/reactions.js";
import { number, t } from "/js/texts.js";
import { resultText, signed, totalMark, totalText } from "./words.js";

export class Felt {
  /** `onSeat` is called with a seat's number when somebody wants to know more of it. */
  constructor(onSeat = null) {
    this.onSeat = onSeat;
    this.shoe = h("span", { class: "shoe", "aria-hidden": "true" });
    this.dealer = this.#makeHand();
    this.dealer.classList.add("dealer-hand");
    this.note = h("p", { class: "felt-note" });
    this.print = h("div", { class: "felt-print", "aria-hidden": "true" });
    this.seats = h("ol", { class: "bj-seats", "aria-label": t("web.blackjack.seats") });
    this.element = h(
      "div",
      { class: "bj-felt" },
      this.shoe,
      h(
        "section",
        { class: "bj-dealer", "aria-label": t("web.blackjack.dealer") },
        h("h2", {}, t("web.blackjack.dealer")),
        this.dealer,
      ),
      h("div", { class: "felt-middle" }, this.print, this.note),
      this.seats,
    );
  }

  /** Shows a picture; `own` is the seat of whoever looks. */
  show(picture, own) {
    const { dealer } = picture;
    const hidden = dealer?.cards.length === 1 && picture.hasHole;
    this.#showCards(this.dealer, dealer ? [...dealer.cards, ...(hidden ? [null] : [])] : []);
    setText(this.dealer.parts.total, dealer?.cards.length ? totalMark(dealer) : "");
    setAttribute(this.dealer.parts.total, "aria-label", dealer?.cards.length ? totalText(dealer) : null);
    setText(
      this.dealer.parts.state,
      dealer?.hasBlackjack
        ? t("blackjack.state.blackjack")
        : dealer && dealer.bestValue > 21
          ? t("blackjack.state.busted")
          : "",
    );
    this.showNote(picture.note ?? "");
    setAttribute(this.element, "data-seats", picture.seats.length);
    keyed(
      this.seats,
      picture.seats,
      (seat) => seat.seat,
      (seat) => this.#makeSeat(seat.seat),
      (element, seat) => this.#showSeat(element, seat, picture, own),
    );
    // On the arc of the table: those at its ends sit higher.
    const last = picture.seats.length - 1;
    Array.from(this.seats.children).forEach((element, place) => {
      const off = last ? (2 * place) / last - 1 : 0;
      setVariable(element, "--off", off.toFixed(3));
      setVariable(element, "--rise", (off * off).toFixed(3));
    });
  }

  /** What is printed on the cloth: two lines, in an arc as on real tables. For the eye only. */
  showPrint(...lines) {
    const arcs = lines.map((line, place) => {
      const id = `felt-arc-${place}`;
      return [
        s("path", { id, d: `M10 ${14 + 34 * place}Q300 ${84 + 34 * place} 590 ${14 + 34 * place}`, fill: "none" }),
        s("text", { "text-anchor": "middle" }, s("textPath", { href: `#${id}`, startOffset: "50%" }, line)),
      ];
    });
    this.print.replaceChildren(s("svg", { viewBox: "0 0 600 100" }, ...arcs.flat()));
  }

  /** A word to everybody, in the middle of the cloth, until the next picture. */
  showNote(text) {
    setText(this.note, text);
  }

  showClock(seat, time) {
    for (const element of this.seats.children)
      showTime(element.parts, Number(element.dataset.key) === seat ? time : null);
  }

  showReaction(seat, reaction) {
    const element = Array.from(this.seats.children).find((each) => each.dataset.key === String(seat));
    if (element) showReaction(element.parts.pod, reaction);
  }

  #makeSeat(seat) {
    const parts = {
      hands: h("div", { class: "bj-hands" }),
      name: h("b", { class: "name" }),
      chips: h("span", { class: "purse" }),
      bet: makePile("seat-bet", t("web.blackjack.bet")),
      insurance: h("span", { class: "insured" }),
      gain: h("span", { class: "gain-mark" }),
      clock: h("span", { class: "clock", "aria-hidden": "true", hidden: true }),
      seconds: h("span", { class: "clock-seconds", "aria-hidden": "true" }),
    };
    const inside = [h("span", { class: "about" }, parts.name, parts.chips), parts.gain, parts.seconds, parts.clock];
    parts.pod = this.onSeat
      ? h("button", { type: "button", class: "bj-pod", on: { click: () => this.onSeat(seat) } }, ...inside)
      : h("div", { class: "bj-pod" }, ...inside);
    const element = h(
      "li",
      { class: "bj-seat" },
      parts.hands,
      h("div", { class: "bj-stakes" }, parts.bet, parts.insurance),
      parts.pod,
    );
    element.parts = parts;
    return element;
  }

  #showSeat(element, seat, picture, own) {
    const { parts } = element;
    const active = picture.activeSeat === seat.seat;
    element.classList.toggle("own", seat.seat === own);
    element.classList.toggle("turn", active || Boolean(picture.asked?.includes(seat.seat)));
    element.classList.toggle("idle", !seat.hands.length && !seat.bet);
    setName(parts.name, seat.name);
    setText(parts.chips, number(seat.chips ?? 0));
    showPile(parts.bet, seat.hands.length ? 0 : seat.bet);
    setText(parts.insurance, seat.insurance ? t("web.blackjack.insured", { amount: seat.insurance }) : "");
    const staked = seat.hands.reduce((sum, hand) => sum + hand.bet, 0) + seat.insurance;
    const over = seat.finalPayout !== undefined && seat.hands.length > 0;
    setText(parts.gain, over ? signed(seat.finalPayout - staked) : "");
    parts.gain.classList.toggle("won", over && seat.finalPayout > staked);
    parts.gain.classList.toggle("lost", over && seat.finalPayout < staked);
    setAttribute(parts.hands, "data-hands", seat.hands.length);
    const hands = seat.hands.map((hand, index) => ({ ...hand, index }));
    keyed(
      parts.hands,
      hands,
      (hand) => hand.index,
      () => this.#makeHand(),
      (place, hand) => this.#showHand(place, hand, active && picture.activeHand === hand.index, picture.dealer),
    );
  }

  #makeHand() {
    const parts = {
      cards: h("span", { class: "bj-cards" }),
      total: h("span", { class: "bj-total", role: "img" }),
      state: h("span", { class: "bj-state" }),
      bet: makePile("hand-bet", t("web.blackjack.bet")),
      why: h("span", { class: "bj-why" }),
    };
    const element = h(
      "div",
      { class: "bj-hand" },
      parts.cards,
      h("span", { class: "bj-line" }, parts.total, parts.bet, parts.state),
      parts.why,
    );
    element.parts = parts;
    setShown(parts.bet, false);
    return element;
  }

  #showHand(element, hand, active, dealer) {
    const { parts } = element;
    this.#showCards(element, hand.cards);
    setText(parts.total, hand.cards.length ? totalMark(hand) : "");
    setAttribute(parts.total, "aria-label", hand.cards.length ? totalText(hand) : null);
    showPile(parts.bet, hand.bet);
    element.classList.toggle("active", active);
    setAttribute(element, "aria-current", active ? "true" : null);
    setAttribute(element, "data-result", hand.result ?? null);
    const status =
      hand.result ?? (["busted", "blackjack", "surrendered", "stand"].includes(hand.status) ? hand.status : "");
    setText(
      parts.state,
      status ? t(`blackjack.state.${status}`) : hand.isDoubled ? t("web.blackjack.doubled") : "",
    );
    setText(parts.why, hand.result ? resultText(hand, dealer) : "");
  }

  /** New cards come from the shoe, one after the other. */
  #showCards(element, cards) {
    const { cards: row } = element.parts;
    if (row.dataset.first !== String(cards[0]) || cards.length < row.children.length) row.replaceChildren();
    row.dataset.first = cards[0];
    let fresh = 0;
    cards.forEach((card, place) => {
      if (row.children[place]) {
        showCard(row.children[place], card);
        return;
      }
      const made = makeCard(card);
      row.append(made);
      comeFrom(made, this.shoe, { delay: 140 * fresh, turn: 60 });
      fresh += 1;
    });
    setVariable(row, "--count", cards.length);
  }
}
