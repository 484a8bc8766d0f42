// Playing cards, drawn here. A card is written rank, then suit: `As`, `Td`. Colours come from the style sheet.

import { h, s, setAttribute } from "./dom.js";
import { hasText, t } from "./texts.js";

const SUITS = {
  h: "M50 90C18 62 7 47 7 30 7 17 17 8 29 8c9 0 17 5 21 14 4-9 12-14 21-14 12 0 22 9 22 22 0 17-11 32-43 60z",
  d: "M50 4q15 25 36 46-21 21-36 46Q35 71 14 50 35 29 50 4z",
  s: "M50 5c11 21 43 36 43 58 0 12-9 20-20 20-8 0-15-4-19-11 1 11 5 18 13 23H33c8-5 12-12 13-23-4 7-11 11-19 11C16 83 7 75 7 63 7 41 39 26 50 5z",
  c: "M50 6a20 20 0 0 1 16 32 20 20 0 1 1-12 33c1 11 5 19 13 24H33c8-5 12-13 13-24a20 20 0 1 1-12-33A20 20 0 0 1 50 6z",
};
/** A king's crown, a queen's coronet, a jack's feathered cap. */
const EMBLEMS = {
  K: "M8 34 4 12l9 8 7-14 7 14 9-8-4 22zM8 37h24v4H8zM20 1v6M17 3.5h6",
  Q: "M8 34 3 15l8 9 3-14 6 13 6-13 3 14 8-9-5 19zM8 37h24v4H8zM3 13a2 2 0 1 0 .1 0M14 8a2 2 0 1 0 .1 0M26 8a2 2 0 1 0 .1 0M37 13a2 2 0 1 0 .1 0",
  J: "M6 34c0-13 8-18 15-18 8 0 13 6 13 18zM5 36h30v5H5zM22 16C22 8 28 3 36 2c1 8-4 14-12 16",
};

/** Whether a value is a card that can be drawn. */
export const isCard = (value) => typeof value === "string" && /^[2-9TJQKA][cdhs]$/.test(value);

/** The name of a card for people: `ace of spades`. */
export function cardName(card) {
  const rank = card[0] === "T" ? "10" : card[0];
  return t("web.card.name", {
    rank: hasText(`web.card.rank.${rank}`) ? t(`web.card.rank.${rank}`) : rank,
    suit: t(`web.card.suit.${card[1]}`),
  });
}

/** Stands before a card in a text in which cards are to be drawn: a character that no language uses. */
const MARK = "\uE000";

/** A card in a text for `withCards`. */
export const cardMark = (card) => MARK + card;

/** A text of people, in which no card can be drawn. */
export const withoutMarks = (text) => text.replaceAll(MARK, "");

/** A text as nodes, with its marked cards drawn; those side by side need no comma. */
export function withCards(text) {
  const parts = text.replaceAll(new RegExp(`(${MARK}..), (?=${MARK})`, "g"), "$1").split(new RegExp(`${MARK}([2-9TJQKA][cdhs])`));
  return parts.map((part, place) => (place % 2 ? smallCard(part) : part)).filter(Boolean);
}

/** The drawing of a suit. */
export function suitMark(suit, properties = {}) {
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: `suit suit-${suit}`, "aria-hidden": "true", ...properties },
    s("path", { d: SUITS[suit] }),
  );
}

function face(card) {
  const [rank, suit] = card;
  const place = (x, y, size) => ({ d: SUITS[suit], transform: `translate(${x} ${y}) scale(${size / 100})` });
  const emblem = EMBLEMS[rank];
  return s(
    "svg",
    { viewBox: "0 0 60 84", class: `face suit-${suit}`, "aria-hidden": "true" },
    emblem ? s("rect", { class: "panel", x: 24, y: 7, width: 30, height: 70, rx: 3 }) : null,
    s(
      "text",
      { class: "rank", x: rank === "T" ? 3 : 5, y: 25, "letter-spacing": rank === "T" ? -2.5 : 0 },
      rank === "T" ? "10" : rank,
    ),
    s("path", place(5, 30, 16)),
    emblem ? s("path", { class: "emblem", d: emblem, transform: "translate(27 12) scale(.6)" }) : null,
    s("path", emblem ? place(27, 46, 26) : place(19, 38, rank === "A" ? 42 : 36)),
  );
}

/** A card in place: `card` is null for one that lies face down. */
export function makeCard(card = null) {
  const element = h("span", { class: "card", role: "img" });
  showCard(element, card);
  return element;
}

/** Shows another card in the same place; a card that was face down turns over. */
export function showCard(element, card) {
  const wanted = card ?? "back";
  if (element.dataset.card !== wanted) {
    const before = element.dataset.card;
    element.dataset.card = wanted;
    element.classList.toggle("back", card === null);
    element.replaceChildren(...(card === null ? [] : [face(card)]));
    element.classList.toggle("turned", before === "back" && card !== null);
  }
  setAttribute(element, "aria-label", card === null ? t("web.card.back") : cardName(card));
}

/** A card in a line of text. */
export function smallCard(card) {
  const rank = card[0] === "T" ? "10" : card[0];
  return h(
    "span",
    { class: `small-card suit-${card[1]}`, role: "img", "aria-label": cardName(card) },
    h("span", { "aria-hidden": "true" }, rank),
    suitMark(card[1]),
  );
}
