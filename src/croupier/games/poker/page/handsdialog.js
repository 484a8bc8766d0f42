// Old hands, step by step or street by street, on a felt of their own.

import { h, icon, keyed, openDialog, setAttribute, setShown, setText } from "/js/dom.js";
import { smallCard } from "/js/cards.js";
import { saveFile } from "/js/downloads.js";
import { replayLink } from "/js/replaypage.js";
import { copyText } from "/js/share.js";
import { number, plural, t } from "/js/texts.js";
import { Coach } from "./coach.js";
import { cardsSeen, equitiesOf } from "./equities.js";
import { Felt } from "./felt.js";
import { handPicture } from "./handpicture.js";
import { outcome } from "./hands.js";
import { blankView, step } from "./story.js";
import { awardSentence, sentence } from "./words.js";

const SILENT = new Set(["HOLDEM_HOLE_CARDS_DEALT", "HOLDEM_POTS_FORMED", "HOLDEM_HAND_OVER"]);

/** Hands with the last one on show: { code, all, last }. Their list is left out where there is only one. */
export function makeReplay(hands) {
  const view = new Replay(hands.code);
  const list = h("ol", { class: "hand-list", reversed: true, "aria-label": t("web.poker.hands") });
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
  choose(hands.last);
  return h("div", { class: "replay" }, list, view.element);
}

/** Opens the hands of a room; `below` stands under them. */
export function openHands(hands, below = null) {
  const empty = h("p", { class: "quiet" }, t("web.poker.no_hands"));
  const dialog = openDialog(t("web.poker.hands"), t("web.close"), hands.last ? makeReplay(hands) : empty, below);
  dialog.classList.add("wide");
}

/** Whether the lab can say who stood how: it knows Hold'em with the whole pack. */
const isWeighed = ({ pack, hole_cards, used, pot }) =>
  pack === "full" && hole_cards === 2 && used === "any" && pot === "high";

function line(hand, choose) {
  const { net, awards } = outcome(hand);
  const own = hand.events.find((event) => event.type === "HOLDEM_HOLE_CARDS");
  return h(
    "button",
    { type: "button", on: { click: () => choose(hand) } },
    h("span", { class: "hand-number" }, t("web.poker.hand_number", { hand: hand.hand })),
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

const COACHED = ["pack", "hole_cards", "used", "betting", "pot", "rake_permille", "rake_cap"];
const rulesForCoach = (rules) => Object.fromEntries(COACHED.filter((name) => name in rules).map((name) => [name, rules[name]]));

/** The two whose pot it was when a street was dealt and somebody still had a choice: out of position first. Or null. */
function headsUp(events) {
  const { seats = [] } = events.find(({ type }) => type === "HOLDEM_HAND_STARTED") ?? {};
  const live = new Set(seats);
  let pair = null;
  for (const event of events) {
    if (event.type === "HOLDEM_ACTED" && pair) return pair;
    if (event.type === "HOLDEM_ACTED" && event.move === "FOLD") live.delete(event.seat);
    if (event.type === "HOLDEM_STREET_DEALT" && !event.board && live.size === 2) pair = seats.filter((seat) => live.has(seat));
  }
  return null;
}

class Replay {
  #hand = null;
  #views = [];
  #at = 0;
  #equities = new Map();

  /** `code` is that of the room. */
  constructor(code) {
    this.code = code;
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
    const shared = (name, icons, work) =>
      h(
        "button",
        { type: "button", class: "quiet-button small", "data-do": name, on: { click: work } },
        icon(icons),
        t(`web.replay.${name}`),
      );
    this.share = h(
      "div",
      { class: "button-row share-hand" },
      shared("link", "share", () => copyText(replayLink(this.code, this.#hand.hand))),
      shared("picture", "download", () => this.#givePicture()),
    );
    this.coach = new Coach({ address: () => "/api/lab/coach", go: (event) => this.#goTo(event) });
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
      this.share,
      this.coach.element,
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
    this.#openCoach(hand);
  }

  /** The coach speaks about pots of two players after the flop. */
  #openCoach({ rules, events, names }) {
    const body = { rules: rulesForCoach(rules), events };
    const seats = headsUp(events);
    this.coach.open({ body, seats, nameOf: (seat) => names[seat] || t("web.coach.seat", { seat: seat + 1 }) });
    setShown(this.coach.element, isWeighed(rules) && rules.betting === "no_limit" && seats !== null);
  }

  /** Shows the event of this number; one that is not looked at stands with the one before. */
  #goTo(number) {
    const event = this.#hand.events[number];
    const at = this.#views.findIndex((each) => each.event === event);
    if (at >= 0) this.#go(at);
  }

  /** Has the lab say who stood how on every street; until it has, and where it cannot, the replay goes without. */
  async #weigh(hand) {
    this.#equities = new Map();
    this.#showEquities();
    setText(this.odds, cardsSeen(hand).size ? t("web.replay.weighing") : t("web.replay.nothing_seen"));
    const equities = isWeighed(hand.rules) ? await equitiesOf(hand).catch(() => null) : null;
    if (hand !== this.#hand) return;
    if (!equities) setText(this.odds, t("web.replay.no_equities"));
    else if (equities.size) {
      this.#equities = equities;
      this.#showEquities();
    }
  }

  /** The end of the hand as a picture: to another app where the device can do that, else as a file. */
  async #givePicture() {
    const { names, own, hand } = this.#hand;
    const { view } = this.#views.at(-1);
    const award = this.#hand.events.findLast(({ type }) => type === "HOLDEM_POT_AWARDED");
    const said = award ? awardSentence(award, (seat) => names[seat] ?? "") : "";
    const picture = await handPicture({ view, names, own, said, code: this.code, hand });
    const file = new File([picture], `croupier-${this.code}-${hand}.png`, { type: picture.type });
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] }).catch(() => {});
    else saveFile(file, file.name);
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
