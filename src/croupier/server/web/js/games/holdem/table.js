// The live Hold'em table: plays what happened event by event, then settles on what the server says.
//
// What every game's table module offers the room page: `makeTable(room, page)` gives { element, key, freshness,
// factsAbout, close }. `page` is the room page's help: `personAt(seat)`, `openPerson(seat)`, `log(text)`, `act(action)`,
// `command(type, fields)`, `playAnother()`, `records()`, `nowMs()`, and `rested()`, which a table that takes its time
// (`busy`) calls when all has been seen.

import { h, icon, setShown, setText } from "../../dom.js";
import { onSettings, paceFactor } from "../../settings.js";
import { play } from "../../sound.js";
import { number, plural, t } from "../../texts.js";
import { tell } from "../../speech.js";
import { Controls } from "./controls.js";
import { Felt } from "./felt.js";
import { openHands } from "./handsdialog.js";
import { looksMs, step } from "./story.js";
import { handName, sentence } from "./words.js";

const BEHIND_MS_MAX = 9000;
const TICK_MS = 200;

export const makeTable = (room, page) => new Table(room, page);

class Table {
  #room;
  #page;
  #queue = [];
  #playing = false;
  #view = null;
  #closed = new AbortController();
  #hurried = 0;

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
      h("span", {}, t("web.holdem.hands")),
    );
    this.chips = h("div", { class: "chips-row" });
    this.another = h(
      "button",
      { type: "button", class: "primary", hidden: true, on: { click: () => page.playAnother() } },
      t("web.holdem.another"),
    );
    this.element = h(
      "div",
      { class: "holdem" },
      h("div", { class: "info" }, this.level, this.next, this.lastHand),
      this.felt.element,
      this.controls.element,
      this.chips,
      h("div", { class: "chips-row" }, this.another),
    );
    const { signal } = this.#closed;
    room.addEventListener("state", ({ detail }) => this.#take(detail), { signal });
    room.addEventListener("reaction", ({ detail }) => this.#react(detail), { signal });
    room.addEventListener("presence", () => this.#draw(), { signal });
    this.ticker = setInterval(() => this.#tick(), TICK_MS);
    signal.addEventListener(
      "abort",
      onSettings(() => this.#draw()),
    );
    this.#settle(room.state);
  }

  close() {
    clearInterval(this.ticker);
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
      [t("holdem.stack"), number(shown.chips)],
      [t("web.holdem.statistics.hands"), number(hands)],
      [t("web.holdem.statistics.won"), share(won)],
      [t("web.holdem.statistics.vpip"), share(vpip)],
      [t("web.holdem.statistics.pfr"), share(pfr)],
      [t("web.holdem.statistics.showdowns"), share(showdowns)],
    ];
  }

  /** The connection is lost, or found again. */
  freshness(fresh) {
    if (fresh) this.#settle(this.#room.state);
    else this.controls.hold();
  }

  #take(frame) {
    if (!frame.you.view) return;
    if (document.hidden) this.#queue = [];
    else if (this.#view) this.#queue.push(...frame.events.map((event) => ({ event })));
    this.#queue.push({ frame });
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
      this.controls.show(this.#view, [], this.#room.me?.seat ?? null);
      this.#nameOwnHand(event);
      this.#narrate(event);
      const wait = looksMs(event, this.#view) * this.#pace();
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

  /** The server's own picture. Only the newest one lets the player act. */
  #settle(frame) {
    if (!frame.you.view) return;
    this.#view = frame.you.view;
    const newest = frame === this.#room.state && this.#room.fresh;
    this.#draw();
    this.#showInfo(frame);
    const menu = newest ? frame.you.menu : [];
    const wasMine = this.controls.element.classList.contains("active");
    this.controls.show(this.#view, menu, frame.you.seat);
    if (menu.length && !wasMine && this.controls.element.classList.contains("active")) {
      play("turn");
      tell(this.controls.prompt.textContent);
    }
    const made = this.#view.own;
    this.controls.showOwnHand(made ? handName(made) : "");
    this.#showNet();
  }

  /** What a player's cards make is known from the server alone: named with the last card of what it told at once. */
  #nameOwnHand(event) {
    if (event.type === "HOLDEM_HAND_OVER") this.#showNet();
    if (event.type !== "HOLDEM_STREET_DEALT" && event.type !== "HOLDEM_HAND_STARTED") return;
    const coming = this.#queue.find(({ frame }) => frame)?.frame.you.view;
    const made = coming?.board.length === this.#view.board.length ? coming.own : null;
    this.controls.showOwnHand(made ? handName(made) : "");
  }

  /** After a hand: what it brought, or cost. */
  #showNet() {
    const net = this.#view.payouts[this.#room.me?.seat ?? -1];
    if (net > 0) this.controls.showResult(t("web.holdem.net_gain", { amount: net }));
    else if (net < 0) this.controls.showResult(t("web.holdem.net_loss", { amount: -net }));
  }

  #draw(event = null) {
    if (this.#view) this.felt.show(this.#view, (seat) => this.#page.personAt(seat), this.#room.me?.seat ?? null, event);
  }

  #narrate(event) {
    const said = sentence(event, (seat) => this.#page.personAt(seat)?.name ?? "");
    if (said) {
      this.#page.log(said);
      tell(said);
    }
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
    const ante = view.ante ? ` · ${t("holdem.ante")} ${number(view.ante)}` : "";
    setText(
      this.level,
      `${view.level ? `${t("holdem.level", { level: view.level })} · ` : ""}${t("web.holdem.blinds", { blinds })}${ante}`,
    );
    setShown(this.lastHand, Boolean(this.hands.last));
    const own = view.seats[this.#room.me?.seat ?? -1];
    const isOut = own?.place > 1 && shown.phase === "playing";
    setShown(this.another, isOut && shown.members.every((member) => member.bot || member.id === this.#room.me.id));
    this.#showChips(shown);
  }

  /** At a cash table people buy chips and sit out. */
  #showChips(shown) {
    const seat = this.#room.me?.seat ?? null;
    const cash = shown.rules.mode === "cash" && seat !== null && shown.phase === "playing";
    setShown(this.chips, cash);
    if (!cash) return;
    if (!this.chips.children.length) {
      this.buy = h("button", {
        type: "button",
        class: "quiet-button",
        on: { click: () => this.#page.command("PLAYER_BUY_CHIPS", { chips: this.#mayBuy() }) },
      });
      this.sit = h("button", {
        type: "button",
        class: "quiet-button",
        on: {
          click: () =>
            this.#page.command(this.#view.seats[this.#room.me.seat].sittingOut ? "PLAYER_SIT_IN" : "PLAYER_SIT_OUT"),
        },
      });
      this.chips.append(this.buy, this.sit);
    }
    setShown(this.buy, this.#mayBuy() > 0);
    setText(this.buy, t("web.holdem.buy", { chips: this.#mayBuy() }));
    setText(this.sit, t(this.#view.seats[seat].sittingOut ? "web.holdem.sit_in" : "web.holdem.sit_out"));
  }

  /** How many chips may be bought. */
  #mayBuy() {
    const { rules } = this.#room.state.public;
    return (rules.top_up_to_chips ?? rules.stack_chips) - (this.#view.seats[this.#room.me.seat]?.chips ?? 0);
  }

  /** Clocks: the turn's own time first, then the player's reserve; and the time to the next hand. */
  #tick() {
    const state = this.#room.state?.public;
    if (!state || !this.#view) return;
    const now = this.#page.nowMs();
    const seat = this.#queue.length ? null : (this.#view.toAct[0] ?? null);
    const running = seat !== null && state.deadlineMs !== null && !state.paused && state.turn.includes(seat);
    if (running) this.#tickTurn(state, seat, state.deadlineMs - now);
    else this.felt.showClock(null);
    const waitMs = state.nextRoundAtMs === null ? 0 : state.nextRoundAtMs - now;
    const cutting = state.waitsFor.length > 0;
    setText(this.next, this.#nextText(waitMs, cutting));
  }

  #nextText(waitMs, cutting) {
    if (cutting) return t("web.holdem.cutting");
    if (waitMs > 0) return plural("web.holdem.next_hand", Math.ceil(waitMs / 1000));
    const hands = this.#view.handsToNextLevel;
    return hands ? plural("web.holdem.next_level", hands) : "";
  }

  #tickTurn(state, seat, leftMs) {
    const bankMs = state.members.find((member) => member.seat === seat)?.bankMs ?? 0;
    const turnMs = leftMs - bankMs;
    const onBank = turnMs <= 0;
    const left = onBank ? leftMs / Math.max(bankMs, 1) : turnMs / (1000 * state.options.turnSeconds);
    const seconds = Math.max(Math.ceil((onBank ? leftMs : turnMs) / 1000), 0);
    this.felt.showClock(seat, Math.min(Math.max(left, 0), 1), seconds, onBank);
    if (seat === this.#room.me?.seat && !onBank && seconds === 5 && this.#hurried !== state.version) {
      this.#hurried = state.version;
      play("hurry");
      tell(plural("web.seconds_left", seconds));
    }
  }

  #react({ member, reaction }) {
    const seat = this.#room.state.public.members.find(({ id }) => id === member)?.seat;
    if (seat !== null && seat !== undefined) this.felt.showReaction(seat, reaction);
  }
}
