// The live Sequence table. A card and a cell make a move, whichever is chosen first; both come from the menu.

import { cardMark, smallCard } from "/js/cards.js";
import { h, keyed, setAttribute, setName, setShown, setText } from "/js/dom.js";
import { showReaction } from "/js/reactions.js";
import { reducedMotion } from "/js/settings.js";
import { play } from "/js/sound.js";
import { number, plural, t } from "/js/texts.js";
import { tell } from "/js/speech.js";
import { LowTimeWarning, showTime, timeLeft } from "/js/games/turnclock.js";
import { Board } from "./board.js";
import { teamChip } from "./chip.js";
import { Hand } from "./hand.js";
import { faceOf, isJack, jackKind } from "./layout.js";
import { resultText, sentence } from "./words.js";

const TICK_MS = 250;

export { sentence };
export const makeTable = (room, page) => new Table(room, page);

class Table {
  #room;
  #page;
  #view = null;
  #menu = [];
  #card = null;
  #cell = null;
  #sending = false;
  #mine = false;
  #lowTime = new LowTimeWarning(10);
  #closed = new AbortController();

  constructor(room, page) {
    this.#room = room;
    this.#page = page;
    this.board = new Board((cell) => this.#chooseCell(cell));
    this.hand = new Hand((card) => this.#chooseCard(card));
    this.seats = h("ol", { class: "sequence-seats", "aria-label": t("web.sequence.seats") });
    this.scores = h("ul", { class: "scores" });
    this.pack = h("p", { class: "quiet" });
    this.prompt = h("p", { class: "prompt" });
    this.exchange = h(
      "button",
      { type: "button", class: "quiet-button small", hidden: true, on: { click: () => this.#exchange() } },
      t("action.TURN_EXCHANGE_DEAD_CARD"),
    );
    this.sort = h("button", {
      type: "button",
      class: "quiet-button small",
      "data-do": "sort",
      "aria-keyshortcuts": "S",
      on: { click: () => this.#sort() },
    });
    this.result = h("p", { class: "sequence-result", hidden: true });
    this.element = h(
      "div",
      { class: "sequence", tabindex: "-1" },
      h("div", { class: "sequence-top" }, this.seats, h("div", { class: "sequence-info" }, this.scores, this.pack)),
      this.result,
      this.board.element,
      h("div", { class: "sequence-own" }, h("div", { class: "say" }, this.prompt, this.exchange, this.sort), this.hand.element),
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

  /** Digits choose a card of the hand, S sorts them, B goes to the board, X exchanges, Escape takes a choice back. */
  key(code) {
    if (code === "Escape" && (this.#card || this.#cell !== null)) {
      this.#choose(null, null);
      return true;
    }
    if (code === "KeyB") {
      this.board.focus(this.#lit());
      return true;
    }
    if (code === "KeyS" && !this.sort.hidden) {
      this.#sort();
      return true;
    }
    if (code === "KeyX" && !this.exchange.hidden) {
      this.#exchange();
      return true;
    }
    return /^Digit[1-9]$/.test(code) && this.hand.choose(Number(code.at(-1)));
  }

  factsAbout(seat) {
    if (!this.#view) return [];
    return [
      [t("web.sequence.team"), t("sequence.team", { teamId: this.#view.teamBySeat[seat] })],
      [t("web.sequence.cards"), number(this.#view.handSizeBySeat[seat] ?? 0)],
    ];
  }

  freshness(fresh) {
    if (fresh) this.#settle(this.#room.state);
    else {
      this.#menu = [];
      this.#draw();
    }
  }

  #take(frame) {
    const { events } = frame;
    const turns = events.filter((event) => event.type === "EVT_TURN");
    for (const { seat, action } of turns)
      if (action.removeCellId !== undefined) this.board.lift(action.removeCellId, this.#seatElement(seat));
    this.#settle(frame);
    for (const { seat, action } of turns)
      if (action.targetCellId !== undefined) this.board.drop(action.targetCellId, this.#seatElement(seat));
    for (const event of events) this.#narrate(event);
  }

  #narrate(event) {
    const nameOf = (seat) => this.#nameOf(seat);
    const said = sentence(event, nameOf);
    if (said) {
      this.#page.log(sentence(event, nameOf, cardMark));
      tell(said);
    }
    const own = this.#view?.private?.seat;
    const won = event.type === "EVT_GAME_OVER" && event.winner && event.winner === this.#view.teamBySeat[own];
    const sound = {
      EVT_TURN: "chips",
      EVT_DEAL: "card",
      EVT_DRAW: "card",
      EVT_SEQUENCE: "win",
      EVT_GAME_OVER: won ? "win" : "check",
    }[event.type];
    if (sound) play(sound);
  }

  /** The server's own picture. Only the newest lets the player act. */
  #settle(frame) {
    if (!frame.you.view) return;
    this.#view = frame.you.view;
    this.#menu = frame === this.#room.state && this.#room.fresh ? frame.you.menu : [];
    if (!this.#menu.some((offer) => offer.action.cardId === this.#card)) this.#card = null;
    if (!this.#menu.some((offer) => offer.among?.includes(this.#cell))) this.#cell = null;
    this.#draw();
    const mine = this.#menu.length > 0;
    if (mine && !this.#mine) {
      play("turn");
      tell(this.prompt.textContent);
    }
    this.#mine = mine;
  }

  /** The cells that can be chosen: those of the chosen card; before there is one, the own cells of every card. */
  #lit() {
    const offers = this.#menu.filter(({ action }) =>
      this.#card ? action.cardId === this.#card : !isJack(action.cardId),
    );
    return new Set(offers.flatMap((offer) => offer.among ?? []));
  }

  /** The cards that can be chosen: all that are offered, or those that fit the chosen cell. */
  #playable() {
    const offers = this.#menu.filter((offer) => this.#cell === null || offer.among?.includes(this.#cell));
    return new Set(offers.map(({ action }) => action.cardId));
  }

  #chooseCard(card) {
    if (!this.#menu.length) return;
    const offer = this.#menu.find(({ action }) => action.cardId === card);
    if (offer && this.#cell !== null && offer.among?.includes(this.#cell)) this.#play(offer, this.#cell);
    else this.#choose(card === this.#card ? null : offer ? card : null, null, !offer);
  }

  #chooseCell(cell) {
    if (!this.#menu.length) return;
    const offers = this.#menu.filter((offer) => offer.among?.includes(cell));
    const offer = offers.find(({ action }) => action.cardId === this.#card);
    if (offer) this.#play(offer, cell);
    else if (cell === this.#cell) this.#choose(null, null);
    else this.#choose(null, offers.length ? cell : null, !offers.length);
  }

  #choose(card, cell, useless = false) {
    this.#card = card;
    this.#cell = cell;
    this.#draw();
    if (useless) setText(this.prompt, t("web.sequence.nothing_there"));
    tell(this.prompt.textContent);
  }

  async #play(offer, cell) {
    if (this.#sending) return;
    this.#sending = true;
    this.#menu = [];
    this.#card = this.#cell = null;
    this.#draw();
    await this.#page.act({ ...offer.action, [offer.field]: cell });
    this.#sending = false;
    this.#settle(this.#room.state);
  }

  async #exchange() {
    const offer = this.#exchangeOffer();
    if (offer) await this.#page.act(offer.action);
  }

  #sort() {
    this.hand.sortAnew();
    this.#draw();
    tell(this.sort.textContent);
  }

  #exchangeOffer() {
    const offers = this.#menu.filter(({ action }) => action.type === "TURN_EXCHANGE_DEAD_CARD");
    return offers.find(({ action }) => action.cardId === this.#card) ?? (offers.length === 1 ? offers[0] : null);
  }

  #draw() {
    const view = this.#view;
    if (!view) return;
    const offered = this.#sending ? [] : this.#menu;
    this.board.show(view, offered.length ? this.#lit() : new Set(), this.#cell);
    const own = view.private;
    this.hand.show(own?.hand ?? [], own?.deadCards ?? [], this.#playable(), this.#card, view.jacks);
    setShown(this.sort, (own?.hand.length ?? 0) > 1);
    setText(this.sort, t(`web.sequence.sort.${this.hand.order}`));
    setShown(this.exchange, Boolean(this.#exchangeOffer()));
    setText(this.prompt, this.#promptText());
    setAttribute(this.element, "data-turn", view.turnNumber);
    this.element.classList.toggle("my-turn", offered.length > 0);
    this.element.classList.toggle("card-chosen", this.#card !== null);
    setText(this.pack, t("sequence.pack_left", { packLeft: view.packLeft }));
    this.#showScores();
    this.#showSeats();
    const over = view.phase === "ended";
    setShown(this.result, over);
    if (over)
      setText(
        this.result,
        resultText(view, (seat) => this.#nameOf(seat)),
      );
  }

  #promptText() {
    const view = this.#view;
    if (view.phase === "ended") return "";
    if (this.#cell !== null) return t("web.sequence.choose_card");
    if (this.#card) return t(`web.sequence.choose_cell.${jackKind(this.#card, this.#view.jacks) || "normal"}`);
    if (this.#menu.length) return t("web.sequence.your_turn");
    return view.currentSeat === null ? "" : t("web.sequence.turn_of", { name: this.#nameOf(view.currentSeat) });
  }

  #showScores() {
    const { scoreByTeam, sequencesToWin, winner } = this.#view;
    keyed(
      this.scores,
      Object.entries(scoreByTeam),
      ([team]) => team,
      ([team]) => h("li", { class: "score" }, teamChip(team), h("span", {})),
      (element, [team, score]) => {
        setText(element.lastChild, t("sequence.score", { teamId: team, score, needed: sequencesToWin }));
        element.classList.toggle("winner", team === winner);
      },
    );
  }

  #showSeats() {
    const view = this.#view;
    const own = this.#room.me?.seat ?? null;
    keyed(
      this.seats,
      view.teamBySeat.map((team, seat) => ({ team, seat })),
      ({ seat }) => seat,
      ({ seat, team }) => this.#makeSeat(seat, team),
      (element, { seat, team }) => {
        const { parts } = element;
        const person = this.#page.personAt(seat);
        const inTurn = view.currentSeat === seat;
        if (inTurn && !element.classList.contains("turn")) this.#bringIntoSight(element);
        element.classList.toggle("turn", inTurn);
        element.classList.toggle("own", seat === own);
        element.classList.toggle("away", Boolean(person?.away));
        setAttribute(parts.pod, "aria-current", inTurn ? "true" : null);
        if (parts.team !== team) {
          parts.team = team;
          parts.chip.replaceChildren(teamChip(team));
        }
        setName(parts.name, person?.name ?? "");
        setText(
          parts.count,
          // The team is seen by its chip, too: where there is no room, the word for it goes first.
          [
            person?.gone || person?.waits || plural("web.sequence.held", view.handSizeBySeat[seat] ?? 0),
            t("sequence.team", { teamId: team }),
          ].join(" · "),
        );
        const top = view.discardTopBySeat[seat];
        if (parts.top.dataset.card !== String(top)) {
          parts.top.dataset.card = top;
          parts.top.replaceChildren(...(top ? [smallCard(faceOf(top))] : []));
        }
      },
    );
  }

  /** Where the seats are more than fit in a line, whoever is in turn is moved into sight; nothing else moves. */
  #bringIntoSight(element) {
    const { seats } = this;
    const left = element.offsetLeft - (seats.clientWidth - element.offsetWidth) / 2;
    if (seats.scrollWidth > seats.clientWidth) seats.scrollTo({ left, behavior: reducedMotion() ? "auto" : "smooth" });
  }

  #makeSeat(seat) {
    const parts = {
      chip: h("span", { class: "seat-chip" }),
      name: h("b", { class: "name" }),
      count: h("span", { class: "count" }),
      top: h("span", { class: "discard", title: t("web.sequence.discard") }),
      clock: h("span", { class: "clock", "aria-hidden": "true", hidden: true }),
      seconds: h("span", { class: "clock-seconds", "aria-hidden": "true" }),
    };
    parts.pod = h(
      "button",
      { type: "button", class: "sequence-seat", on: { click: () => this.#page.openPerson(seat) } },
      parts.chip,
      h("span", { class: "about" }, parts.name, parts.count),
      parts.top,
      parts.seconds,
      parts.clock,
    );
    const element = h("li", {}, parts.pod);
    element.parts = parts;
    return element;
  }

  #seatElement(seat) {
    return Array.from(this.seats.children).find((element) => element.dataset.key === String(seat))?.parts.pod;
  }

  #nameOf(seat) {
    return this.#page.personAt(seat)?.name ?? "";
  }

  #tick() {
    const shown = this.#room.state?.public;
    if (!shown || !this.#view) return;
    for (const element of this.seats.children) {
      const seat = Number(element.dataset.key);
      const time = timeLeft(shown, seat, this.#page.nowMs());
      showTime(element.parts, time);
      if (seat === this.#room.me?.seat) this.#lowTime.take(shown, time);
    }
  }

  #react({ member, reaction }) {
    const seat = this.#room.state.public.members.find(({ id }) => id === member)?.seat;
    const pod = seat === null || seat === undefined ? null : this.#seatElement(seat);
    if (pod) showReaction(pod, reaction);
  }
}
