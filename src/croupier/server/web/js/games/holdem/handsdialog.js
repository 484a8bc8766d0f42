// Old hands, step by step or street by street, on a felt of their own.

import { h, icon, keyed, openDialog, setAttribute, setText } from "../../dom.js";
import { smallCard } from "../../cards.js";
import { number, plural, t } from "../../texts.js";
import { cardsSeen, equitiesOf } from "./equities.js";
import { Felt } from "./felt.js";
import { outcome } from "./hands.js";
import { blankView, step } from "./story.js";
import { awardSentence, sentence } from "./words.js";

const SILENT = new Set(["HOLDEM_HOLE_CARDS_DEALT", "HOLDEM_POTS_FORMED", "HOLDEM_HAND_OVER"]);

/** Opens the list of hands with the last one on show; `below` stands under them. */
export function openHands(hands, below = null) {
  const wanted = hands.last;
  const view = new Replay();
  const list = h("ol", { class: "hand-list", reversed: true, "aria-label": t("web.holdem.hands") });
  const empty = h("p", { class: "quiet" }, t("web.holdem.no_hands"));
  const choose = (hand) => {
    view.open(hand);
    for (const item of list.children)
      setAttribute(item.firstChild, "aria-current", item.dataset.key === String(hand.hand) ? "true" : null);
  };
  keyed(
    list,
    [...hands.all].reverse(),
    (hand) => hand.hand,
    (hand) => h("li", {}, line(hand, choose)),
  );
  const dialog = openDialog(
    t("web.holdem.hands"),
    t("web.close"),
    wanted ? h("div", { class: "replay" }, list, view.element) : empty,
    below,
  );
  dialog.classList.add("wide");
  if (wanted) choose(wanted);
}

function line(hand, choose) {
  const { net, awards } = outcome(hand);
  const own = hand.events.find((event) => event.type === "HOLDEM_HOLE_CARDS");
  return h(
    "button",
    { type: "button", on: { click: () => choose(hand) } },
    h("span", { class: "hand-number" }, t("web.holdem.hand_number", { hand: hand.hand })),
    h("span", { class: "hand-cards" }, ...(own ? own.cards.map(smallCard) : [])),
    net === null
      ? null
      : h("b", { class: net > 0 ? "gain" : net < 0 ? "loss" : "" }, net > 0 ? `+${number(net)}` : number(net)),
    h("span", { class: "quiet" }, awards[0] ? awardSentence(awards[0], (seat) => hand.names[seat] ?? "") : ""),
  );
}

/** Cards that were seen at any time lie open from the start: a replay hides nothing that is known. */
function faceUp(view, seen) {
  const seats = view.seats.map((seat) => (seen.has(seat.seat) ? { ...seat, cards: seen.get(seat.seat) } : seat));
  return { ...view, seats };
}

class Replay {
  #hand = null;
  #views = [];
  #at = 0;
  #equities = new Map();

  constructor() {
    this.felt = new Felt();
    this.said = h("p", { class: "said", role: "status" });
    this.odds = h("p", { class: "quiet odds" });
    const button = (name, go) =>
      h(
        "button",
        {
          type: "button",
          class: "icon",
          "aria-label": t(`web.replay.${name}`),
          title: t(`web.replay.${name}`),
          on: { click: go },
        },
        icon(name),
      );
    this.streets = h("div", { class: "streets", role: "group", "aria-label": t("web.replay.streets") });
    this.element = h(
      "div",
      { class: "replay-view" },
      this.felt.element,
      this.said,
      this.odds,
      h(
        "div",
        { class: "steps" },
        button("first", () => this.#go(0)),
        button("back", () => this.#go(this.#at - 1)),
        this.streets,
        button("next", () => this.#go(this.#at + 1)),
        button("last", () => this.#go(this.#views.length - 1)),
      ),
    );
  }

  /** Puts a hand on the felt, at its end: that is what people ask for first. */
  open(hand) {
    this.#hand = hand;
    const seats = hand.events[0].stacks.length;
    const seen = cardsSeen(hand);
    let view = blankView(seats);
    this.#views = [];
    for (const event of hand.events) {
      view = step(view, event);
      if (event.type === "HOLDEM_HOLE_CARDS_DEALT") view = faceUp(view, seen);
      if (!SILENT.has(event.type)) this.#views.push({ view, event });
    }
    const starts = this.#views
      .map(({ event }, at) => ({ street: event.type === "HOLDEM_STREET_DEALT" ? event.street : null, at }))
      .filter(({ street }) => street);
    const streets = [{ street: "PREFLOP", at: 0 }, ...starts, { street: "OVER", at: this.#views.length - 1 }];
    keyed(
      this.streets,
      streets,
      ({ street }) => `${hand.hand}.${street}`,
      ({ street, at }) =>
        h(
          "button",
          { type: "button", class: "preset", "data-at": at, on: { click: () => this.#go(at) } },
          t(`street.${street}`),
        ),
    );
    this.felt.moves.clear();
    this.#go(this.#views.findLastIndex(({ event }) => event.type === "HOLDEM_POT_AWARDED"));
    this.#weigh(hand);
  }

  /** Has the lab say who stood how on every street; until it has, and where it cannot, the replay goes without. */
  async #weigh(hand) {
    this.#equities = new Map();
    this.#showEquities();
    setText(this.odds, cardsSeen(hand).size ? t("web.replay.weighing") : t("web.replay.nothing_seen"));
    const equities = await equitiesOf(hand).catch(() => null);
    if (hand !== this.#hand) return;
    if (!equities) setText(this.odds, t("web.replay.no_equities"));
    else if (equities.size) {
      this.#equities = equities;
      this.#showEquities();
    }
  }

  #showEquities() {
    const found = this.#equities.get(this.#views[this.#at].view.board.length);
    this.felt.showEquities(found?.bySeat ?? new Map());
    if (!found) return;
    if (found.unseen && found.bySeat.size > 1) setText(this.odds, t("web.replay.among_seen"));
    else setText(this.odds, found.unseen ? plural("web.replay.against_unseen", found.unseen) : t("web.replay.exact"));
  }

  #go(at) {
    this.#at = Math.min(Math.max(at, 0), this.#views.length - 1);
    const { view, event } = this.#views[this.#at];
    const nameOf = (seat) => this.#hand.names[seat] ?? "";
    this.felt.show(view, (seat) => (nameOf(seat) ? { name: nameOf(seat) } : null), this.#hand.own);
    setText(this.said, sentence(event, nameOf) ?? "");
    this.#showEquities();
    const marks = Array.from(this.streets.children);
    const present = marks.findLast((mark) => Number(mark.dataset.at) <= this.#at);
    for (const mark of marks) setAttribute(mark, "aria-current", mark === present ? "step" : null);
  }
}
