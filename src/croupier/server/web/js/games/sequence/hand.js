// The player's own cards. One of them can be chosen; dead ones and jacks say what they are.

import { cardName, makeCard } from "../../cards.js";
import { h, keyed, setAttribute, setShown, setText } from "../../dom.js";
import { t } from "../../texts.js";
import { faceOf, jackKind } from "./layout.js";

export class Hand {
  /** `onCard` is called with a card that somebody chose. */
  constructor(onCard) {
    this.onCard = onCard;
    this.element = h("div", { class: "sequence-hand", role: "group", "aria-label": t("web.sequence.hand") });
  }

  /** Shows the cards; `playable` are those that can be chosen now, `chosen` is the one that is. */
  show(cards, dead, playable, chosen) {
    setShown(this.element, cards.length > 0);
    keyed(
      this.element,
      cards,
      (card) => card,
      (card) => this.#make(card),
      (element, card) => {
        const isDead = dead.includes(card);
        const place = cards.indexOf(card) + 1;
        element.classList.toggle("dead", isDead);
        element.classList.toggle("playable", playable.has(card));
        setAttribute(element, "aria-pressed", String(card === chosen));
        setAttribute(element, "aria-keyshortcuts", place);
        setText(
          element.note,
          isDead ? t("sequence.dead") : jackKind(card) ? t(`web.sequence.kind.${jackKind(card)}`) : "",
        );
        setAttribute(
          element,
          "aria-label",
          [cardName(faceOf(card)), element.note.textContent].filter(Boolean).join(", "),
        );
      },
    );
  }

  /** The card at a place of the hand, the first being 1. */
  choose(place) {
    const element = this.element.children[place - 1];
    element?.click();
    return Boolean(element);
  }

  #make(card) {
    const note = h("span", { class: "card-note" });
    const picture = makeCard(faceOf(card));
    for (const name of ["role", "aria-label"]) picture.removeAttribute(name);
    const element = h(
      "button",
      { type: "button", class: `hand-card ${jackKind(card)}`, on: { click: () => this.onCard(card) } },
      picture,
      note,
    );
    element.note = note;
    return element;
  }
}
