// The player's own cards. One of them can be chosen; dead ones and jacks say what they are.

import { cardName, makeCard } from "/js/cards.js";
import { h, keyed, s, setAttribute, setShown, setText } from "/js/dom.js";
import { read, write } from "/js/settings.js";
import { t } from "/js/texts.js";
import { faceOf, isJack, jackKind } from "./layout.js";

/** The eyes of a jack, drawn between its cap and its suit: one removes a chip, two go anywhere. */
const EYES = {
  remove: "M33 42q6-5 12 0-6 5-12 0zm4.3 0a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z",
  wild: "M27 42q5.5-5 11 0-5.5 5-11 0zm3.8 0a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0zM40 42q5.5-5 11 0-5.5 5-11 0zm3.8 0a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z",
};

const ORDER_KEY = "croupier.sequence.order";
const ORDERS = ["drawn", "suit", "rank"];
const SUITS = "shcd";
const RANKS = "23456789TQKAJ";

/** The cards in an order: as they were drawn, by suit, or by rank; jacks, which belong to no cell, come last. */
export function sorted(cards, order) {
  if (order === "drawn") return cards;
  const worth = (card) => {
    const [rank, suit] = faceOf(card);
    const [byRank, bySuit] = [RANKS.indexOf(rank), SUITS.indexOf(suit)];
    return (isJack(card) ? 1000 : 0) + (order === "suit" ? 20 * bySuit + byRank : 20 * byRank + bySuit);
  };
  return [...cards].sort((one, other) => worth(one) - worth(other));
}

export class Hand {
  /** `onCard` is called with a card that somebody chose. */
  constructor(onCard) {
    this.onCard = onCard;
    this.order = ORDERS.includes(read(ORDER_KEY, "")) ? read(ORDER_KEY, "") : "drawn";
    this.element = h("div", { class: "sequence-hand", role: "group", "aria-label": t("web.sequence.hand") });
  }

  /** Shows the cards; `playable` are those that can be chosen now, `chosen` is the one that is. `jacks` tells what decides
   * about jacks. */
  show(held, dead, playable, chosen, jacks) {
    const cards = sorted(held, this.order);
    setShown(this.element, cards.length > 0);
    keyed(
      this.element,
      cards,
      (card) => `${card} ${jackKind(card, jacks)}`,
      (card) => this.#make(card, jackKind(card, jacks)),
      (element, card) => {
        const isDead = dead.includes(card);
        const place = cards.indexOf(card) + 1;
        element.classList.toggle("dead", isDead);
        element.classList.toggle("playable", playable.has(card));
        setAttribute(element, "aria-pressed", String(card === chosen));
        setAttribute(element, "aria-keyshortcuts", place);
        setText(
          element.note,
          isDead ? t("sequence.dead") : element.kind ? t(`web.sequence.kind.${element.kind}`) : "",
        );
        setAttribute(
          element,
          "aria-label",
          [cardName(faceOf(card)), element.note.textContent].filter(Boolean).join(", "),
        );
      },
    );
  }

  /** The next order, which is kept in this browser. */
  sortAnew() {
    this.order = ORDERS[(ORDERS.indexOf(this.order) + 1) % ORDERS.length];
    write(ORDER_KEY, this.order);
  }

  /** The card at a place of the hand, the first being 1. */
  choose(place) {
    const element = this.element.children[place - 1];
    element?.click();
    return Boolean(element);
  }

  #make(card, kind) {
    const note = h("span", { class: "card-note" });
    const picture = makeCard(faceOf(card));
    for (const name of ["role", "aria-label"]) picture.removeAttribute(name);
    if (kind) picture.firstChild.append(s("path", { class: "eyes", "fill-rule": "evenodd", d: EYES[kind] }));
    const element = h(
      "button",
      { type: "button", class: `hand-card ${kind}`, on: { click: () => this.onCard(card) } },
      picture,
      note,
    );
    element.note = note;
    element.kind = kind;
    return element;
  }
}
