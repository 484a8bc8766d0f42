// The picture of a Hold'em table: seats round a felt, cards, chips, pots. It shows a view and knows nothing of the
// room; the live table and the replay of old hands both draw with it. Every element is made once and changed in place.

import { makeCard, showCard } from "/js/cards.js";
import { makePile, showPile } from "/js/chips.js";
import { h, keyed, setAttribute, setName, setShown, setText, setVariable } from "/js/dom.js";
import { comeFrom, sendTo } from "/js/motion.js";
import { showTime } from "/js/games/turnclock.js";
import { avatar, showAvatar } from "/js/people.js";
import { percent } from "/js/lab/figures.js";
import { showReaction } from "/js/reactions.js";
import { number, t } from "/js/texts.js";
import { awardSentence } from "./words.js";

const BOARD_CARDS = 5;
/** How far the seats of a narrow screen are moved from an ellipse towards its corners: there they leave the board free. */
const SQUARENESS = 0.55;

/** The side of the table that a seat is at. */
const edgeOf = (cos, sin) => (Math.abs(cos) > 0.6 ? (cos < 0 ? "left" : "right") : sin < 0 ? "top" : "bottom");

/** Shows a board's cards, those of winning hands set apart, and faintly those that would have come. */
function showBoard(element, cards, rabbit, winning) {
  slotsOf(element).forEach((slot, place) => {
    const card = cards[place] ?? rabbit[place - cards.length];
    slot.classList.toggle("rabbit", place >= cards.length && Boolean(card));
    if (!card) slot.replaceChildren();
    else if (!slot.firstChild) slot.append(makeCard(card));
    else showCard(slot.firstChild, card);
    slot.firstChild?.classList.toggle("winning", winning.has(card));
    slot.firstChild?.classList.toggle("losing", winning.size > 0 && !winning.has(card));
  });
}

const slotsOf = (board) => Array.from(board?.querySelectorAll(".slot") ?? []);

/** Who won how much on a board: where there are several, there is no room for sentences. */
function wonOn(place, awards, nameOf) {
  const won = new Map();
  for (const { board = 0, winners, shares } of awards) {
    if (board === place) winners.forEach((seat, at) => won.set(seat, (won.get(seat) ?? 0) + shares[at]));
  }
  return [...won].map(([seat, chips]) => `${nameOf(seat)} +${number(chips)}`).join(" · ");
}

/** As many cards as are shown lie before a seat. */
function fitCards(element, count) {
  while (element.children.length < count) element.append(makeCard());
  while (element.children.length > Math.max(count, 2)) element.lastChild.remove();
  if (count) setAttribute(element, "data-cards", count);
}

export class Felt {
  /** `onSeat` is called with a seat's number when somebody wants to know more of it. */
  constructor(onSeat = null) {
    this.onSeat = onSeat;
    this.pots = h("div", { class: "pots" });
    this.total = h("p", { class: "total-pot", hidden: true });
    this.boards = h("div", { class: "boards", role: "group", "aria-label": t("web.poker.board") });
    this.message = h("div", { class: "message" });
    this.deck = h("span", { class: "deck", "aria-hidden": "true" });
    this.seats = h("ol", { class: "seats", "aria-label": t("web.poker.seats") });
    const centre = h("div", { class: "centre" }, this.deck, h("div", { class: "pots-row" }, this.total, this.pots), this.boards, this.message);
    this.element = h(
      "div",
      { class: "table" },
      h("div", { class: "rail" }, h("div", { class: "felt" })),
      centre,
      this.seats,
    );
    this.moves = new Map();
  }

  /** Shows a view. `people` tells of each seat { name, bot, away, gone, waits }, or null where nobody sits; `own` is the
   * seat at the bottom. With `event`, what the event moves is seen to move. */
  show(view, people, own, event = null) {
    if (event) this.#before(event);
    this.#note(event);
    this.#showCentre(view, people);
    this.#showSeats(view, people, own);
    if (event) this.#after(event);
  }

  /** The clock of the seat in turn: the part that is left, and seconds when they are few. */
  showClock(seat, time) {
    for (const [number_, parts] of this.#parts()) showTime(parts, number_ === seat ? time : null);
  }

  /** What part of the pot each seat could expect: a Map of seat to a part of one. */
  showEquities(bySeat, isSampled = false) {
    for (const [seat, { equity }] of this.#parts()) {
      setShown(equity, bySeat.has(seat));
      if (bySeat.has(seat)) setText(equity, isSampled ? `≈ ${percent(bySeat.get(seat), 0)}` : percent(bySeat.get(seat)));
    }
  }

  /** A reaction that somebody sent, over their seat. */
  showReaction(seat, reaction) {
    const parts = this.#of(seat);
    if (parts) showReaction(parts.pod, reaction);
  }

  #parts() {
    return Array.from(this.seats.children, (element) => [Number(element.dataset.key), element.parts]);
  }

  #of(seat) {
    return this.#parts().find(([number_]) => number_ === seat)?.[1];
  }

  #note(event) {
    if (event?.type === "HOLDEM_HAND_STARTED") this.moves.clear();
    if (event?.type === "HOLDEM_STREET_DEALT") {
      for (const [seat, move] of this.moves) if (move.move !== "FOLD") this.moves.delete(seat);
    }
    if (event?.type === "HOLDEM_ACTED") this.moves.set(event.seat, event);
  }

  #showCentre(view, people) {
    const live = view.pots.map((pot, place) => ({ ...pot, place })).filter((pot) => pot.amount);
    keyed(
      this.pots,
      live,
      (pot) => pot.place,
      () => makePile("pot"),
      (element, pot) => {
        showPile(element, pot.amount, t(pot.place ? "poker.side_pot" : "poker.pot", { amount: pot.amount }));
      },
    );
    // All that can be won, with the bets that still lie before the players; a pot that holds it all says so itself.
    setShown(this.total, view.total > 0 && !(live.length === 1 && live[0].amount === view.total));
    setText(this.total, t("web.poker.total", { amount: view.total }));
    const winning = new Set(view.awards.flatMap((award) => award.cards ?? []));
    const boards = [view.board, ...(view.otherBoards ?? [])];
    setAttribute(this.element, "data-boards", boards.length);
    const nameOf = (seat) => people(seat)?.name ?? "";
    keyed(
      this.boards,
      boards.map((cards, place) => ({ cards, place, rabbit: view.rabbit?.[place] ?? [] })),
      ({ place }) => place,
      () => {
        const slots = Array.from({ length: BOARD_CARDS }, () => h("span", { class: "slot" }));
        return h("div", { class: "board" }, ...slots, h("span", { class: "won-here" }));
      },
      (element, { cards, rabbit, place }) => {
        showBoard(element, cards, rabbit, winning);
        setText(element.lastChild, boards.length > 1 ? wonOn(place, view.awards, nameOf) : "");
      },
    );
    keyed(
      this.message,
      view.awards,
      (award) => `${award.pot}.${award.board ?? 0}.${award.low ?? false}`,
      () => h("p", {}),
      (element, award) => setText(element, awardSentence(award, nameOf)),
    );
    this.message.classList.toggle("result", view.awards.length > 0);
  }

  #showSeats(view, people, own) {
    const taken = view.seats.filter((seat) => people(seat.seat));
    const count = taken.length;
    const first = Math.max(
      taken.findIndex((seat) => seat.seat === own),
      0,
    );
    const winning = new Set(view.awards.flatMap((award) => award.cards ?? []));
    setAttribute(this.element, "data-seats", count);
    keyed(
      this.seats,
      taken,
      (seat) => seat.seat,
      (seat) => this.#makeSeat(seat.seat),
      (element, seat) => {
        const place = (taken.indexOf(seat) - first + count) % count;
        const angle = Math.PI / 2 + (2 * Math.PI * place) / count;
        for (const [name, value] of [
          ["cos", Math.cos(angle)],
          ["sin", Math.sin(angle)],
        ]) {
          setVariable(element, `--${name}`, value.toFixed(4));
          setVariable(element, `--${name}-square`, (Math.sign(value) * Math.abs(value) ** SQUARENESS).toFixed(4));
        }
        setAttribute(element, "data-edge", edgeOf(Math.cos(angle), Math.sin(angle)));
        setAttribute(element, "data-head", Math.sin(angle) < 0 && Math.abs(Math.cos(angle)) < 0.2);
        setAttribute(element, "data-side", Math.abs(Math.sin(angle)) < 0.1);
        this.#showSeat(element, seat, view, people(seat.seat), seat.seat === own, winning);
      },
    );
  }

  #makeSeat(seat) {
    const parts = {
      avatar: avatar(),
      name: h("span", { class: "name" }),
      stack: h("span", { class: "stack" }),
      state: h("span", { class: "state" }),
      seconds: h("span", { class: "seconds", "aria-hidden": "true" }),
      clock: h("span", { class: "clock", "aria-hidden": "true", hidden: true }),
      cards: h("span", { class: "hole" }, makeCard(), makeCard()),
      bet: makePile("on-street", t("action.HOLDEM_BET")),
      equity: h("span", { class: "seat-equity", hidden: true }),
      button: h(
        "span",
        { class: "dealer-button", role: "img", "aria-label": t("poker.button"), title: t("poker.button") },
        "D",
      ),
    };
    parts.clock.append(parts.seconds);
    const inside = [parts.avatar, h("span", { class: "about" }, parts.name, parts.stack), parts.state, parts.clock];
    parts.pod = this.onSeat
      ? h("button", { class: "pod", type: "button", on: { click: () => this.onSeat(seat) } }, ...inside)
      : h("div", { class: "pod" }, ...inside);
    const element = h("li", { class: "seat" }, parts.cards, parts.pod, parts.equity, parts.bet, parts.button);
    element.parts = parts;
    return element;
  }

  #showSeat(element, seat, view, person, isOwn, winning) {
    const { parts } = element;
    const won = view.awards.some((award) => award.winners.includes(seat.seat));
    const flags = {
      own: isOwn,
      turn: view.toAct.includes(seat.seat),
      out: !seat.inHand,
      won,
      lost: view.awards.length > 0 && !won,
      away: person.away,
    };
    for (const [name, on] of Object.entries(flags)) element.classList.toggle(name, Boolean(on));
    setAttribute(parts.pod, "aria-current", view.toAct.includes(seat.seat) ? "true" : null);
    setName(parts.name, person.name);
    showAvatar(parts.avatar, person.name, person.bot);
    setText(parts.stack, number(seat.chips));
    setText(parts.state, person.gone || this.#stateOf(seat, view) || (person.waits ?? ""));
    setShown(parts.button, view.button === seat.seat);
    showPile(parts.bet, seat.bet);
    const isSeen = seat.cards.some((card) => card !== null);
    const shown = isSeen || seat.hasCards ? seat.cards : [];
    fitCards(parts.cards, shown.length);
    setShown(parts.cards, shown.length > 0);
    Array.from(parts.cards.children).forEach((card, place) => {
      showCard(card, shown[place] ?? null);
      card.classList.toggle("winning", won && winning.has(shown[place]));
      card.classList.toggle("losing", winning.size > 0 && isSeen && !winning.has(shown[place]));
    });
    parts.cards.classList.toggle("folded", isOwn && !seat.inHand && isSeen);
  }

  #stateOf(seat, view) {
    if (seat.place) return t("poker.place", { place: seat.place });
    if (seat.sittingOut) return t("poker.state.sitting_out");
    if (seat.allIn) return t("action.HOLDEM_ALL_IN");
    const move = this.moves.get(seat.seat);
    if (view.toAct.includes(seat.seat) || view.street === "OVER" || !move) return "";
    return t(`web.poker.move.${move.move}`);
  }

  #before(event) {
    const parts = this.#of(event.seat);
    if (event.type === "HOLDEM_POTS_FORMED") {
      for (const [, { bet }] of this.#parts()) if (!bet.hidden) sendTo(bet, this.pots.firstElementChild ?? this.pots);
    } else if (event.type === "HOLDEM_BET_RETURNED" && parts) {
      sendTo(parts.bet, parts.pod);
    } else if (event.type === "HOLDEM_POT_AWARDED") {
      const pile = this.pots.children[event.pot] ?? this.pots.lastElementChild;
      event.winners.forEach((seat) => {
        if (pile && this.#of(seat)) sendTo(pile, this.#of(seat).pod, { ms: 800 });
      });
    } else if ((event.type === "HOLDEM_ACTED" && event.move === "FOLD") || event.type === "HOLDEM_MUCKED") {
      if (parts && !parts.cards.hidden) sendTo(parts.cards, this.deck);
    }
  }

  #after(event) {
    if (event.type === "HOLDEM_POSTED" || event.type === "HOLDEM_ACTED") {
      const parts = this.#of(event.seat);
      if (event.amount && parts) comeFrom(parts.bet, parts.pod);
    } else if (event.type === "HOLDEM_STREET_DEALT") {
      const cards = slotsOf(this.boards.children[event.board ?? 0])
        .filter((slot) => slot.firstChild)
        .slice(-event.cards.length);
      cards.forEach((slot, place) => comeFrom(slot.firstChild, this.deck, { delay: 110 * place, turn: -20 }));
    } else if (event.type === "HOLDEM_HOLE_CARDS_DEALT") {
      event.seats.forEach((seat, place) => {
        const cards = this.#of(seat)?.cards.children ?? [];
        Array.from(cards).forEach((card, round) =>
          comeFrom(card, this.deck, { delay: 45 * place + 150 * round, turn: 120 }),
        );
      });
    }
  }
}
