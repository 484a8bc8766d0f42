// A table for any game, drawn from what every view has: who sits there with which cards, chips and state, who is to act,
// the view's other plain fields, and the menu. A game that wants more brings a table of its own.

import { isCard, makeCard, showCard } from "../../cards.js";
import { h, keyed, setAttribute, setName, setShown, setText } from "../../dom.js";
import { avatar, showAvatar } from "../../people.js";
import { showReaction } from "../../reactions.js";
import { play } from "../../sound.js";
import { tell } from "../../speech.js";
import { number, plural, t } from "../../texts.js";
import { LowTimeWarning, showTime, timeLeft } from "../turnclock.js";
import { Controls } from "./controls.js";
import { cardsOf, eventText, fieldName, inHand, isShown, stateText, valueNodes } from "./words.js";

const TICK_MS = 250;
/** From here on, what can be done with one card is one button until that card is chosen. */
const OFFERS_SHOWN_MAX = 4;
const BASE = ["you", "toAct", "seats"];
const SEAT_BASE = ["cards", "chips", "state"];

/** As every table words an event for the story of a room; only this one must be told the game. */
export const sentence = (event, nameOf, _cardText, game) => eventText(game, event, nameOf);
export const makeTable = (room, page) => new Table(room, page);

class Table {
  #room;
  #page;
  #game;
  #view = null;
  #menu = [];
  #card = null;
  #sending = false;
  #mine = false;
  #lowTime = new LowTimeWarning(10);
  #closed = new AbortController();

  constructor(room, page) {
    this.#room = room;
    this.#page = page;
    this.#game = room.state.public.game;
    this.others = h("ol", { class: "any-seats", "aria-label": t("web.generic.seats") });
    this.fields = h("dl", { class: "any-fields" });
    this.message = h("p", { class: "any-message" });
    this.own = h("div", { class: "any-own" });
    this.hand = h("div", { class: "any-hand", role: "group", "aria-label": t("web.generic.hand") });
    this.controls = new Controls(
      this.#game,
      (seat) => this.#nameOf(seat),
      (action) => this.#act(action),
    );
    this.element = h(
      "div",
      { class: "any-table" },
      h(
        "div",
        { class: "any-felt" },
        this.others,
        h("div", { class: "any-middle" }, this.fields, this.message),
        h("div", { class: "any-mine" }, this.hand, this.own),
      ),
      this.controls.element,
    );
    const { signal } = this.#closed;
    room.addEventListener("state", ({ detail }) => this.#take(detail), { signal });
    room.addEventListener("presence", () => this.#draw(), { signal });
    room.addEventListener("reaction", ({ detail }) => this.#react(detail), { signal });
    this.ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#settle(room.state);
  }

  close() {
    clearInterval(this.ticker);
    this.#closed.abort();
  }

  /** Digits press the buttons, Escape takes a chosen card back. */
  key(code) {
    if (code === "Escape" && this.#card) {
      this.#choose(null);
      return true;
    }
    return /^Digit[1-9]$/.test(code) && this.controls.press(Number(code.at(-1)));
  }

  freshness(fresh) {
    if (fresh) this.#settle(this.#room.state);
    else {
      this.#menu = [];
      this.#draw();
    }
  }

  #take(frame) {
    this.#settle(frame);
    for (const event of frame.events) {
      const said = this.#sentence(event);
      this.#page.log(said);
      tell(said);
    }
    if (frame.events.length) play("card");
  }

  #sentence(event) {
    return eventText(this.#game, event, (seat) => this.#nameOf(seat));
  }

  /** The server's own picture. Only the newest lets the player act. */
  #settle(frame) {
    this.#view = frame.you.view;
    this.#menu = frame === this.#room.state && this.#room.fresh ? frame.you.menu : [];
    if (!this.#menu.some(({ action }) => this.#cardsOf(action).includes(this.#card))) this.#card = null;
    this.#draw();
    const mine = this.#menu.length > 0;
    if (mine && !this.#mine) {
      play("turn");
      tell(this.controls.prompt.textContent);
    }
    this.#mine = mine;
  }

  async #act(action) {
    if (this.#sending) return;
    this.#sending = true;
    this.#card = null;
    this.#draw();
    await this.#page.act(action);
    this.#sending = false;
    this.#settle(this.#room.state);
  }

  /** The cards of the player's own hand; null is one face down. */
  #hand() {
    return this.#view?.seats?.[this.#view.you]?.cards ?? [];
  }

  /** The cards of the player's own hand that an action names. */
  #cardsOf(action) {
    const hand = this.#hand();
    return cardsOf(inHand(action, hand), hand.filter(isCard));
  }

  /** A card of the hand that only one offer plays is played; one with several leaves these to choose from. */
  #chooseCard(card) {
    const offers = this.#menu.filter(({ action }) => this.#cardsOf(action).includes(card));
    if (offers.length === 1 && !offers[0].field) this.#act(offers[0].action);
    else if (offers.length) this.#choose(card === this.#card ? null : card);
  }

  #choose(card) {
    this.#card = card;
    this.#draw();
    tell(this.controls.prompt.textContent);
  }

  #draw() {
    const offers = this.#sending ? [] : this.#menu;
    const chosen = this.#card ? offers.filter(({ action }) => this.#cardsOf(action).includes(this.#card)) : offers;
    const groups = this.#card ? [] : groupsOf(offers, (action) => this.#cardsOf(action)[0]);
    setShown(this.fields, this.#view !== null);
    if (this.#view) {
      this.#showSeats();
      this.#showFields();
      this.#showHand(offers);
    }
    setText(this.controls.prompt, this.#promptText(offers));
    setText(this.controls.note, this.#card ? t("web.generic.card_chosen") : "");
    setText(this.message, this.#messageText());
    setShown(this.message, this.message.textContent !== "");
    this.controls.show(
      chosen.filter((offer) => !groups.some((group) => group.offers.includes(offer))),
      groups.map(({ card, action, open }) => ({ action, open, choose: () => this.#choose(card) })),
      this.#hand(),
      offers.length > 0,
    );
    this.element.classList.toggle("my-turn", offers.length > 0);
  }

  #promptText(offers) {
    if (offers.length) return t("web.generic.your_turn");
    const toAct = this.#view?.toAct ?? [];
    const names = toAct.map((seat) => this.#nameOf(seat)).filter(Boolean);
    return names.length ? t("web.generic.turn_of", { name: names.join(", ") }) : "";
  }

  /** How the round ended, for this player or, for a spectator, for whoever did best. */
  #messageText() {
    const { payouts } = this.#room.state.public;
    if (!this.#view) return t("web.generic.no_cards_yet");
    if (!payouts) return "";
    const best = Math.max(...payouts);
    const winners = payouts.flatMap((points, seat) => (points === best ? [this.#nameOf(seat)] : [])).filter(Boolean);
    return best > 0 ? t("web.generic.winners", { names: winners.join(", "), amount: best }) : t("web.generic.nobody_won");
  }

  #showSeats() {
    const { seats, you } = this.#view;
    const all = seats.map((shown, seat) => ({ shown, seat }));
    // The others in the order in which they follow the player.
    const from = Number.isInteger(you) ? you + 1 : 0;
    const others = [...all.slice(from), ...all.slice(0, from)].filter(({ seat }) => seat !== you);
    this.#keySeats(this.others, others);
    this.#keySeats(
      this.own,
      all.filter(({ seat }) => seat === you),
    );
    setAttribute(this.others, "data-count", others.length);
  }

  #keySeats(place, seats) {
    keyed(
      place,
      seats,
      ({ seat }) => seat,
      ({ seat }) => this.#makeSeat(seat, place === this.others),
      (element, { shown, seat }) => this.#showSeat(element.parts, element, shown, seat),
    );
  }

  #makeSeat(seat, inList) {
    const parts = {
      face: avatar(),
      name: h("b", { class: "name" }),
      chips: h("span", { class: "any-chips" }),
      state: h("span", { class: "any-state" }),
      gain: h("span", { class: "any-gain" }),
      cards: h("div", { class: "any-cards" }),
      facts: h("dl", { class: "any-facts" }),
      clock: h("span", { class: "clock", "aria-hidden": "true", hidden: true }),
      seconds: h("span", { class: "clock-seconds", "aria-hidden": "true" }),
    };
    parts.pod = h(
      "button",
      { type: "button", class: "any-pod", on: { click: () => this.#page.openPerson(seat) } },
      parts.face,
      h("span", { class: "about" }, parts.name, h("span", { class: "any-line" }, parts.chips, parts.state)),
      parts.gain,
      parts.seconds,
      parts.clock,
    );
    const element = h(
      inList ? "li" : "div",
      { class: "any-seat", "data-seat": seat },
      inList ? parts.cards : null,
      parts.pod,
      parts.facts,
    );
    element.parts = parts;
    return element;
  }

  #showSeat(parts, element, shown, seat) {
    const person = this.#page.personAt(seat);
    const inTurn = (this.#view.toAct ?? []).includes(seat);
    const payout = this.#room.state.public.payouts?.[seat];
    const cards = shown.cards ?? [];
    element.classList.toggle("turn", inTurn);
    element.classList.toggle("away", Boolean(person?.away));
    element.classList.toggle("won", payout > 0);
    setAttribute(parts.pod, "aria-current", inTurn ? "true" : null);
    showAvatar(parts.face, person?.name ?? "", person?.bot ?? null);
    setName(parts.name, person?.name ?? t("web.generic.free_seat"));
    const hasChips = Number.isInteger(shown.chips);
    const counted = cards.length ? plural("web.generic.cards", cards.length) : "";
    setText(parts.chips, hasChips ? plural("web.generic.chips", shown.chips) : counted);
    setText(parts.state, person?.gone || person?.waits || stateText(this.#game, shown.state ?? ""));
    setText(parts.gain, Number.isInteger(payout) ? number(payout, { signDisplay: "exceptZero" }) : "");
    parts.gain.classList.toggle("lost", payout < 0);
    showRow(parts.cards, cards);
    this.#showFacts(parts.facts, shown, SEAT_BASE);
  }

  /** The plain fields of a view or of a seat, each with its name. */
  #showFacts(place, holder, known) {
    const facts = Object.entries(holder).filter(([name, value]) => !known.includes(name) && isShown(value));
    keyed(
      place,
      facts,
      ([name]) => name,
      ([name]) => h("div", { class: "any-field", "data-field": name }, h("dt", {}, fieldName(this.#game, name)), h("dd", {})),
      (element, [name, value]) => this.#showFact(element, name, value),
    );
    setShown(place, facts.length > 0);
  }

  #showFact(element, name, value) {
    const shown = JSON.stringify([name, value]);
    if (element.shown === shown) return;
    element.shown = shown;
    const cards = (Array.isArray(value) ? value : [value]).filter((each) => isCard(each) || each === null);
    const isRow = cards.length > 0 && cards.length === [value].flat().length && cards.some(isCard);
    element.classList.toggle("with-cards", isRow);
    const nodes = valueNodes(this.#game, name, value, (seat) => this.#nameOf(seat));
    if (!isRow) element.lastChild.replaceChildren(...nodes);
    else if (element.lastChild.querySelector(".card")) showRow(element.lastChild, cards);
    else element.lastChild.replaceChildren(...cards.map((card) => makeCard(card)));
  }

  #showFields() {
    this.#showFacts(this.fields, this.#view, BASE);
  }

  #showHand(offers) {
    const cards = this.#hand();
    const playable = new Set(offers.flatMap(({ action }) => this.#cardsOf(action)));
    keyed(
      this.hand,
      cards.map((card, place) => ({ card, place })),
      ({ card, place }) => card ?? `back ${place}`,
      ({ card }) =>
        h(
          "button",
          { type: "button", class: "any-card", "data-held": card, on: { click: () => this.#chooseCard(card) } },
          makeCard(card),
        ),
      (element, { card }) => {
        element.classList.toggle("playable", playable.has(card));
        setAttribute(element, "aria-disabled", playable.has(card) ? null : "true");
        setAttribute(element, "aria-pressed", playable.has(card) ? String(card === this.#card) : null);
      },
    );
    setShown(this.hand, cards.length > 0);
  }

  #nameOf(seat) {
    return this.#page.personAt(seat)?.name ?? "";
  }

  #seatElement(seat) {
    return this.element.querySelector(`.any-seat[data-seat="${seat}"]`);
  }

  #tick() {
    const shown = this.#room.state?.public;
    if (!shown || !this.#view) return;
    for (const element of this.element.querySelectorAll(".any-seat")) {
      const seat = Number(element.dataset.seat);
      const time = timeLeft(shown, seat, this.#page.nowMs());
      showTime(element.parts, time);
      if (seat === this.#room.me?.seat) this.#lowTime.take(shown, time);
    }
  }

  #react({ member, reaction }) {
    const seat = this.#room.state.public.members.find(({ id }) => id === member)?.seat;
    const pod = Number.isInteger(seat) ? this.#seatElement(seat)?.parts.pod : null;
    if (pod) showReaction(pod, reaction);
  }
}

/** Where there is much to choose from: the offers that differ only in what is done with one card of the hand, each group as
 * { card, offers, action, open } with the names of the fields in which they differ. */
function groupsOf(offers, cardOf) {
  if (offers.length <= OFFERS_SHOWN_MAX) return [];
  const groups = new Map();
  for (const offer of offers) {
    const card = cardOf(offer.action);
    const key = `${offer.action.type} ${card}`;
    if (card !== undefined) groups.set(key, [...(groups.get(key) ?? []), offer]);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => {
      const [{ action }] = group;
      const differs = (name) => group.some((offer) => offer.action[name] !== action[name] || offer.field === name);
      const open = Object.keys(action).filter((name) => name !== "type" && differs(name));
      return { card: cardOf(action), offers: group, action, open };
    });
}

/** A row of cards, each in its place; null lies face down. */
function showRow(place, cards) {
  keyed(
    place,
    cards.map((card, index) => ({ card, index })),
    ({ index }) => index,
    ({ card }) => makeCard(card),
    (element, { card }) => showCard(element, card),
  );
}
