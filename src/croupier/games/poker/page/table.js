// The live Hold'em table: plays what happened event by event, then settles on what the server says.
//
// What every game's table module offers the room page: `makeTable(room, page)` gives { element, key, freshness,
// factsAbout, close }. `page` is the room page's help: `personAt(seat)`, `openPerson(seat)`, `log(text)`, `act(action)`,
// `command(type, fields)`, `playAnother()`, `records()`, `nowMs()`, and `rested()`, which a table that takes its time
// (`busy`) calls when all has been seen.

import { cardMark } from "/js/cards.js";
import { h, icon, setShown, setText } from "/js/dom.js";
import { onSettings, paceFactor, settings } from "/js/settings.js";
import { play } from "/js/sound.js";
import { number, plural, t } from "/js/texts.js";
import { tell } from "/js/speech.js";
import { CashRow } from "/js/cashrow.js";
import { LowTimeWarning, choiceByMs, timeLeft } from "/js/games/turnclock.js";
import { Coach } from "./coach.js";
import { Controls } from "./controls.js";
import { Felt } from "./felt.js";
import { openHands } from "./handsdialog.js";
import { chances } from "./runout.js";
import { looksMs, step } from "./story.js";
import { ownName, sentence } from "./words.js";

const BEHIND_MS_MAX = 9000;
const TICK_MS = 200;

export { sentence };
export const makeTable = (room, page) => new Table(room, page);

class Table {
  #room;
  #page;
  #queue = [];
  #playing = false;
  #view = null;
  #closed = new AbortController();
  #lowTime = new LowTimeWarning(5);
  #chancesShown = false;
  #coached = 0;

  constructor(room, page) {
    this.#room = room;
    this.#page = page;
    this.hands = room.memory;
    this.felt = new Felt((seat) => page.openPerson(seat));
    this.controls = new Controls((action) => page.act(action));
    this.level = h("p", { class: "level" });
    this.next = h("p", { class: "next" });
    this.lastHand = h(
      "button",
      {
        type: "button",
        class: "quiet-button last-hands",
        hidden: !this.hands.last,
        on: { click: () => openHands(this.hands, page.records()) },
      },
      icon("history"),
      h("span", {}, t("web.poker.hands")),
    );
    this.cash = new CashRow(page);
    this.coach = null;
    this.another = h(
      "button",
      { type: "button", class: "primary", hidden: true, on: { click: () => page.playAnother() } },
      t("web.poker.another"),
    );
    const askBomb = async () => (await page.command("HOST_BOMB_POT")) && page.log(t("web.poker.bomb_comes"));
    this.bomb = h(
      "button",
      { type: "button", class: "quiet-button", "data-do": "bomb", hidden: true, on: { click: askBomb } },
      t("web.poker.bomb"),
    );
    this.element = h(
      "div",
      { class: "poker" },
      h("div", { class: "info" }, this.level, this.next, this.lastHand),
      this.felt.element,
      this.controls.element,
      h("div", { class: "chips-row" }, this.cash.element, this.another, this.bomb),
    );
    const { signal } = this.#closed;
    room.addEventListener("state", ({ detail }) => this.#take(detail), { signal });
    room.addEventListener("reaction", ({ detail }) => this.#react(detail), { signal });
    room.addEventListener("presence", () => this.#draw(), { signal });
    this.ticker = setInterval(() => this.#tick(), TICK_MS);
    signal.addEventListener(
      "abort",
      onSettings(() => {
        this.#draw();
        this.#showCoach(this.#room.state);
      }),
    );
    this.#settle(room.state);
  }

  close() {
    clearInterval(this.ticker);
    this.coach?.end();
    this.#closed.abort();
  }

  key(code) {
    return this.controls.key(code);
  }

  /** What is known of a seat's play, for whoever asks: pairs of a name and a value. */
  factsAbout(seat) {
    const shown = this.#view?.seats[seat];
    if (!shown) return [];
    const { hands, won, vpip, pfr, showdowns } = shown.statistics ?? this.#room.state.you.view.seats[seat].statistics;
    const share = (count) => (hands ? `${Math.round((100 * count) / hands)} %` : "–");
    return [
      [t("poker.stack"), number(shown.chips)],
      [t("web.poker.statistics.hands"), number(hands)],
      [t("web.poker.statistics.won"), share(won)],
      [t("web.poker.statistics.vpip"), share(vpip)],
      [t("web.poker.statistics.pfr"), share(pfr)],
      [t("web.poker.statistics.showdowns"), share(showdowns)],
    ];
  }

  /** The connection is lost, or found again. */
  freshness(fresh) {
    if (fresh) this.#settle(this.#room.state);
    else this.controls.goOffline();
  }

  #take(frame) {
    if (!frame.you.view) return;
    const told = frame.events.map((event) => ({ event }));
    if (document.hidden) {
      // Nobody looks: what happened is only written down.
      for (const { event } of [...this.#queue, ...told]) if (event) this.#write(event);
      this.#queue = [];
    } else if (this.#view) this.#queue.push(...told);
    this.#queue.push({ frame, arrivedMs: this.#page.nowMs() });
    this.#play();
  }

  async #play() {
    if (this.#playing) return;
    this.#playing = true;
    while (this.#queue.length && !this.#closed.signal.aborted) {
      const { frame, event } = this.#queue.shift();
      if (frame) {
        this.#settle(frame);
        continue;
      }
      this.#view = step(this.#view, event);
      this.#draw(event);
      this.#showChances();
      this.controls.show(this.#view, [], this.#room.me?.seat ?? null);
      this.#nameOwnHand(event);
      this.#narrate(event);
      const wait = this.#waitMs(event);
      if (wait > 0)
        await new Promise((resolve) => {
          setTimeout(resolve, wait);
        });
    }
    this.#playing = false;
    if (!this.#closed.signal.aborted) this.#page.rested();
  }

  /** Whether there is still something to be seen of what was told. */
  get busy() {
    return this.#playing;
  }

  /** Who has fallen far behind, or has another tab in front, is not kept waiting by pictures. */
  #pace() {
    if (document.hidden) return 0;
    const behindMs = this.#queue.reduce((sum, { event }) => sum + (event ? looksMs(event, this.#view) : 0), 0);
    return paceFactor() * (behindMs > BEHIND_MS_MAX ? 0.3 : 1);
  }

  /** How long an event is looked at. What stands before the player's own choice is hurried, so that it comes in time. */
  #waitMs(event) {
    const pace = this.#pace();
    const wait = looksMs(event, this.#view) * pace;
    const { frame, arrivedMs } = this.#queue.at(-1) ?? {};
    if (!frame?.you.menu.length) return wait;
    const before = this.#queue.reduce((sum, { event: later }) => sum + (later ? looksMs(later, this.#view) : 0), 0);
    const leftMs = Math.max(choiceByMs(frame.public, frame.you.seat, arrivedMs) - this.#page.nowMs(), 0);
    return Math.min(wait, (leftMs * wait) / Math.max(wait + before * pace, 1));
  }

  /** The server's own picture. Only the newest one lets the player act. */
  #settle(frame) {
    if (!frame.you.view) return;
    this.#view = frame.you.view;
    const newest = frame === this.#room.state && this.#room.fresh;
    this.#draw();
    this.#showChances();
    this.#showInfo(frame);
    const menu = newest ? frame.you.menu : [];
    const wasMine = this.controls.element.classList.contains("active");
    this.controls.show(this.#view, menu, frame.you.seat);
    if (menu.length && !wasMine && this.controls.element.classList.contains("active")) {
      play("turn");
      tell(this.controls.prompt.textContent);
    }
    this.controls.showOwnHand(ownName(this.#view));
    this.#showNet();
    this.#showCoach(frame);
  }

  /** By option, for the player's own decision in a heads-up pot, where all others are bots. The server holds to that too. */
  #showCoach({ public: shown, you }) {
    const me = this.#room.me;
    const alone = shown.members.every(({ bot, seat, id }) => bot || seat === null || id === me?.id);
    const inHand = this.#view?.seats.filter((seat) => seat.inHand) ?? [];
    const mine = you.menu.length > 0 && inHand.length === 2 && (this.#view?.board.length ?? 0) >= 3;
    const wanted = settings().coach && alone && mine && me?.seat !== null;
    if (!wanted && !this.coach) return;
    if (!this.coach) {
      const address = () => `/api/rooms/${this.#room.code}/coach`;
      this.coach = new Coach({ address, token: () => this.#page.app.connection.token });
      this.element.append(this.coach.element);
    }
    if (this.#coached !== shown.gameVersion) {
      this.#coached = shown.gameVersion;
      this.coach.open({ body: {}, nameOf: (seat) => this.#page.personAt(seat)?.name ?? "" });
    }
    setShown(this.coach.element, wanted);
  }

  /** What a player's cards make is known from the server alone: named with the last card of what it told at once. */
  #nameOwnHand(event) {
    if (event.type === "HOLDEM_HAND_OVER") this.#showNet();
    if (event.type !== "HOLDEM_STREET_DEALT" && event.type !== "HOLDEM_HAND_STARTED") return;
    const coming = this.#queue.find(({ frame }) => frame)?.frame.you.view;
    this.controls.showOwnHand(coming?.board.length === this.#view.board.length ? ownName(coming) : "");
  }

  /** After a hand: what it brought, or cost. */
  #showNet() {
    const net = this.#view.payouts[this.#room.me?.seat ?? -1];
    if (net > 0) this.controls.showResult(t("web.poker.net_gain", { amount: net }));
    else if (net < 0) this.controls.showResult(t("web.poker.net_loss", { amount: -net }));
  }

  #draw(event = null) {
    if (this.#view) this.felt.show(this.#view, (seat) => this.#page.personAt(seat), this.#room.me?.seat ?? null, event);
  }

  /** While an all-in runs out, what part of the pot each open hand can expect. */
  #showChances() {
    const found = chances(this.#view, this.#room.state.public.rules);
    if (found || this.#chancesShown) this.felt.showEquities(found?.bySeat ?? new Map(), found?.isSampled);
    this.#chancesShown = found !== null;
  }

  /** Writes what happened into the log of the table; gives the sentence. */
  #write(event) {
    const nameOf = (seat) => this.#page.personAt(seat)?.name ?? "";
    const said = sentence(event, nameOf);
    if (said) this.#page.log(sentence(event, nameOf, cardMark));
    return said;
  }

  #narrate(event) {
    const said = this.#write(event);
    if (said) tell(said);
    const own = this.#room.me?.seat ?? null;
    const sound = {
      HOLDEM_HOLE_CARDS_DEALT: "card",
      HOLDEM_STREET_DEALT: "card",
      HOLDEM_POSTED: "chips",
      HOLDEM_POTS_FORMED: "chips",
      HOLDEM_ACTED: { FOLD: "fold", CHECK: "check" }[event.move] ?? "chips",
      HOLDEM_POT_AWARDED: event.winners?.includes(own) ? "win" : "chips",
    }[event.type];
    if (sound) play(sound);
    if (event.type === "HOLDEM_HAND_OVER") setShown(this.lastHand, Boolean(this.hands.last));
  }

  #showInfo({ public: shown }) {
    const view = this.#view;
    const blinds = `${number(view.smallBlind)}/${number(view.bigBlind)}`;
    const ante = view.ante ? ` · ${t("poker.ante")} ${number(view.ante)}` : "";
    setText(
      this.level,
      `${view.level ? `${t("poker.level", { level: view.level })} · ` : ""}${t("web.poker.blinds", { blinds })}${ante}`,
    );
    setShown(this.lastHand, Boolean(this.hands.last));
    const own = view.seats[this.#room.me?.seat ?? -1];
    const isOut = own?.place > 1 && shown.phase === "playing";
    setShown(this.another, isOut && shown.members.every((member) => member.bot || member.id === this.#room.me.id));
    this.#showCash(shown);
    setShown(this.bomb, this.#room.isHost && shown.phase === "playing" && shown.rules.bomb_ante > 0);
  }

  /** At a cash table people buy chips, sit out and stand up. */
  #showCash(shown) {
    const seat = this.#room.me?.seat ?? null;
    const own = this.#view.seats[seat ?? -1];
    const isCash = shown.rules.mode === "cash" && own && shown.phase === "playing";
    const limit = shown.rules.top_up_to_chips ?? shown.rules.stack_chips;
    const inRound = shown.nextRoundAtMs === null && Boolean(own?.inHand);
    // Whoever is in a hand may have lost it all by its end: so much can be booked.
    this.cash.show(isCash ? this.#room.me : null, {
      most: inRound ? limit : limit - (own?.chips ?? 0) - (this.#room.me?.bought ?? 0),
      inRound,
      isOut: own?.sittingOut ?? false,
      owes: own?.owes ?? 0,
      waits: own?.state === "waiting",
    });
  }

  /** Clocks: the turn's own time first, then the player's reserve; and the time to the next hand. */
  #tick() {
    const state = this.#room.state?.public;
    if (!state || !this.#view) return;
    const now = this.#page.nowMs();
    const seat = this.#queue.length ? null : (this.#view.toAct[0] ?? null);
    const time = seat === null ? null : timeLeft(state, seat, now);
    this.felt.showClock(seat, time);
    if (seat === this.#room.me?.seat) this.#lowTime.take(state, time);
    const waitMs = state.nextRoundAtMs === null ? 0 : state.nextRoundAtMs - now;
    const cutting = state.waitsFor.length > 0;
    setText(this.next, this.#nextText(waitMs, cutting));
  }

  #nextText(waitMs, cutting) {
    if (cutting) return t("web.poker.cutting");
    if (waitMs > 0) return plural("web.poker.next_hand", Math.ceil(waitMs / 1000));
    const hands = this.#view.handsToNextLevel;
    return hands ? plural("web.poker.next_level", hands) : "";
  }

  #react({ member, reaction }) {
    const seat = this.#room.state.public.members.find(({ id }) => id === member)?.seat;
    if (seat !== null && seat !== undefined) this.felt.showReaction(seat, reaction);
  }
}
