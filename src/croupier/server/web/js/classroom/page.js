// The classroom: join by name, deal with the key, hit or stand; and the same table big, for the beamer.

import { h, setAttribute, setShown, setText, setVariable } from "../dom.js";
import { loadSheet, pageFile } from "../games/registry.js";
import { ROOMS } from "../origin.js";
import { qrCode } from "../share.js";
import { play } from "../sound.js";
import { tell } from "../speech.js";
import { t } from "../texts.js";
import { toast } from "../toast.js";
import { topBar } from "../topbar.js";
import { ClassroomBoard, changes } from "./board.js";
import { ClassroomSeat } from "./room.js";

const BEAMER_NUMBER_MAX = 1000;
/** A smaller window is somebody's own, who can scroll. */
const WALL_WIDTH_MIN = 800;
const WALL_HEIGHT_MIN = 500;
const FIT_MIN = 0.3;
const FIT_STEP = 0.05;

const titleOf = () => `${t("web.classroom.title")} · ${t("web.title")}`;

/** The page on which people join and play. */
export async function makeClassroom(app) {
  return opened(app, false);
}

/** The view for the whole class. A beamer has no name of its own, so it is given one. */
export async function makeBeamer(app) {
  if (!app.player) await app.introduce(`beamer ${Math.floor(Math.random() * BEAMER_NUMBER_MAX)}`);
  return opened(app, true);
}

/** The table has the hands of blackjack, and their looks. */
async function opened(app, isBeamer) {
  await loadSheet(pageFile("blackjack", "style.css"));
  return new ClassroomPage(app, isBeamer).opened();
}

class ClassroomPage {
  #closed = new AbortController();
  #mine = false;

  constructor(app, isBeamer) {
    this.app = app;
    this.isBeamer = isBeamer;
    this.title = titleOf();
    this.seat = new ClassroomSeat(app.connection);
    this.board = new ClassroomBoard();
    this.prompt = h("p", { class: "class-prompt", role: "status" });
    this.element = h(
      "div",
      { class: `classroom ${isBeamer ? "beamer" : ""}` },
      this.#bar(),
      h(
        "main",
        { class: "class-stage" },
        this.prompt,
        this.board.element,
        isBeamer ? this.#address() : this.#controls(),
      ),
    );
    const { signal } = this.#closed;
    this.seat.addEventListener("state", () => this.#show(), { signal });
    this.seat.addEventListener(
      "notice",
      ({ detail }) => toast(t(detail === "LOST" ? "web.classroom.lost" : `code.${detail}`)),
      { signal },
    );
  }

  async opened() {
    if (this.app.player) await this.seat.watch();
    this.#show();
    if (this.isBeamer) {
      const { signal } = this.#closed;
      addEventListener("resize", () => this.#fit(), { signal });
      this.element.querySelector(".qr").addEventListener("load", () => this.#fit(), { signal });
    }
    return this;
  }

  /** On the wall nobody scrolls: the whole class is in sight, as big as there is room for. */
  #fit() {
    let scale = 1;
    const isWall = innerWidth >= WALL_WIDTH_MIN && innerHeight >= WALL_HEIGHT_MIN;
    setVariable(this.board.element, "--fit", scale);
    while (isWall && scale > FIT_MIN && this.element.offsetHeight > innerHeight) {
      scale -= FIT_STEP;
      setVariable(this.board.element, "--fit", scale.toFixed(2));
    }
  }

  close() {
    this.#closed.abort();
    this.seat.close();
  }

  freshness(fresh) {
    this.element.classList.toggle("stale", !fresh);
  }

  key(code) {
    const button = { KeyH: this.hit, KeyS: this.stand, KeyD: this.start }[code];
    if (!button || button.hidden) return false;
    button.click();
    return true;
  }

  #bar() {
    const way = this.isBeamer
      ? h("a", { class: "quiet-button small", href: "#/classroom" }, t("web.classroom.enter"))
      : h("a", { class: "quiet-button small", href: "#/beamer", target: "_blank" }, t("web.classroom.beamer"));
    const title = h("h1", { class: "class-title" }, t("web.classroom.title"));
    return topBar(this.app, title, h("span", { class: "gap" }), way);
  }

  /** How the class comes in: read from the last row, or scanned. */
  #address() {
    return h(
      "aside",
      { class: "class-address" },
      qrCode("/api/classroom/qr.svg", t("web.classroom.qr"), 200),
      h("p", {}, t("web.classroom.address", { address: `${new URL(ROOMS).host}/#/classroom` })),
    );
  }

  #controls() {
    const button = (kind, name, key, click) =>
      h(
        "button",
        {
          type: "button",
          class: `action ${kind}`,
          hidden: true,
          "data-action": name,
          "aria-keyshortcuts": key,
          on: { click },
        },
        h("span", {}, t(`web.classroom.${name}`)),
        h("kbd", { "aria-hidden": "true" }, key),
      );
    const attempt = (work) => () => this.app.attempt(work);
    this.hit = button(
      "stay",
      "hit",
      "H",
      attempt(() => this.seat.hit()),
    );
    this.stand = button(
      "fold",
      "stand",
      "S",
      attempt(() => this.seat.stand()),
    );
    this.start = button(
      "raise",
      "start",
      "D",
      attempt(() => this.seat.start()),
    );
    this.leave = h(
      "button",
      { type: "button", class: "quiet-button", hidden: true, on: { click: attempt(() => this.seat.leave()) } },
      t("web.classroom.leave"),
    );
    this.form = this.#joinForm();
    return h(
      "div",
      { class: "class-controls" },
      this.form,
      h("div", { class: "buttons" }, this.hit, this.stand, this.start),
      this.leave,
    );
  }

  #joinForm() {
    this.name = h("input", {
      name: "className",
      required: true,
      autocomplete: "nickname",
      spellcheck: "false",
      value: this.app.player?.name ?? "",
    });
    const key = h("input", { name: "dealerKey", type: "password", autocomplete: "off", maxlength: 200 });
    const form = h(
      "form",
      { class: "panel class-join" },
      h("label", {}, h("span", {}, t("web.classroom.name")), this.name),
      h(
        "details",
        {},
        h("summary", {}, t("web.classroom.dealer")),
        h("label", {}, h("span", {}, t("web.classroom.key")), key),
      ),
      h("button", { class: "primary" }, t("web.classroom.join")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.app.attempt(async () => {
        if (!this.app.player) await this.app.introduce(this.name.value);
        await this.seat.watch();
        await this.seat.join(this.name.value, key.value);
        if (key.value && !this.seat.me?.isDealer) toast(t("web.classroom.wrong_key"));
        key.value = "";
      });
    });
    return form;
  }

  #show() {
    const { state, options, me, playerId, before } = this.seat;
    if (state) {
      this.board.show(state, playerId);
      for (const each of changes(before, state)) tell(each);
      if (changes(before, state).length) play("card");
      this.seat.before = state;
    }
    setText(this.prompt, this.#promptText());
    if (this.isBeamer) {
      this.#fit();
      return;
    }
    if (options) setAttribute(this.name, "maxlength", options.maxNameLength);
    const inRound = state?.phase === "InRound";
    const mine = Boolean(me) && inRound && state.currentTurnPlayerId === playerId && !me.isDealer;
    const hadFocus = this.element.querySelector(".class-controls").contains(document.activeElement);
    setShown(this.form, !me && !inRound);
    setShown(this.hit, mine);
    setShown(this.stand, mine);
    setShown(this.start, Boolean(me?.isDealer) && !inRound);
    setShown(this.leave, Boolean(me));
    if (mine && !this.#mine) {
      play("turn");
      if (hadFocus) this.hit.focus();
    }
    this.#mine = mine;
  }

  #promptText() {
    const { state, options, me } = this.seat;
    if (!state) return "";
    if (state.phase === "InRound") {
      const turn = state.players.find(({ playerId }) => playerId === state.currentTurnPlayerId);
      if (!turn) return t("web.classroom.dealer_plays");
      return turn === me ? t("web.classroom.your_turn") : t("web.classroom.turn_of", { name: turn.name });
    }
    if (!state.dealerPlayerId) return t("web.classroom.no_dealer");
    if (state.players.length < options.minPlayersToStart) return t("web.classroom.waits_for_players");
    return t(me?.isDealer ? "web.classroom.ready" : "web.classroom.waits_for_start");
  }
}
