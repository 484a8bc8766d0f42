// The player's own cards. One of them can be chosen; dead ones and jacks say what they are.

import { cardName, makeCard } from "../../cards.js";
import { h, keyed, s, setAttribute, setShown, setText } from "../../dom.js";
import { t } from "../../texts.js";
import { faceOf, jackKind } from "./layout.js";

/** The eyes of a jack, drawn between its cap and its suit: one removes a chip, two go anywhere. */
const EYES = {
  remove: "M33 42q6-5 12 0-6 5-12 0zm4.3 0a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z",
  wild: "M27 42q5.5-5 11 0-5.5 5-11 0zm3.8 0a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0zM40 42q5.5-5 11 0-5.5 5-11 0zm3.8 0a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z",
};

export class Hand {
  /** `onCard` is called with a card that somebody chose. */
  constructor(onCard) {
    this.onCard = onCard;
    this.element = h("div", { class: "sequence-hand", role: "group", "aria-label": t("web.sequence.hand") });
  }

  /** Shows the cards; `playable` are those that can be chosen now, `chosen` is the one that is. `jacks` tells what decides
   * about jacks. */
  show(cards, dead, playable, chosen, jacks) {
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
