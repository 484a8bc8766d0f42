// A room: the frame round its table, the talk, the people, and what the host decides.

import { openAlarm, openVoids } from "./alarm.js";
import { confirmFirst } from "./confirm.js";
import { makeDoor, refusedText } from "./door.js";
import { h, icon, setAttribute, setShown, setText } from "./dom.js";
import { recordButtons } from "./downloads.js";
import { WaitingList } from "./entry.js";
import { HELP_KEY, openHelp } from "./help.js";
import { loadTable, presetOf } from "./games/registry.js";
import { brand } from "./lobby.js";
import { land } from "./motion.js";
import { goneText, memberName, MISSED_MAX, openMember, waitText } from "./people.js";
import { forgetRecent, WAITING } from "./rooms.js";
import { SeatOffer } from "./seats.js";
import { openShare } from "./share.js";
import { Side } from "./side.js";
import { findingText, gameName, refusalText, t } from "./texts.js";
import { toast } from "./toast.js";
import { tool } from "./topbar.js";
import { TrustMark } from "./trust.js";
import { TurnNotice } from "./turnnotice.js";
import { Waiting } from "./waiting.js";

/** The page of a room, or its door for somebody who is not in it. */
export async function makeRoomPage(app, code) {
  if (!app.player) return makeDoor(app, code);
  const known = app.rooms.of(code);
  if (known.state && known.fresh) return new RoomPage(app, known);
  try {
    const room = await app.rooms.watch(code);
    if (room.me?.away) return makeDoor(app, code, { returns: true });
    return new RoomPage(app, room);
  } catch (refused) {
    app.rooms.forget(code);
    if (refused.code === "NOT_IN_ROOM") return makeDoor(app, code);
    if (refused.code === WAITING) return makeDoor(app, code, { waits: true });
    if (refused.code === "NO_SUCH_ROOM") forgetRecent(code);
    return makeDoor(app, code, { known: refused.code ? refusedText(refused) : t("web.lost") });
  }
}

class RoomPage {
  #closed = new AbortController();
  #table = null;
  #waiting = null;
  #tableFor = "";
  #alarm = null;
  #over = false;

  constructor(app, room) {
    this.app = app;
    this.room = room;
    this.notice = new TurnNotice(`${room.code} · ${t("web.title")}`);
    this.trust = new TrustMark(room, app);
    this.side = new Side(room, this);
    this.stage = h("main", { class: "stage" });
    this.banner = h("p", { class: "notice paused", hidden: true });
    this.wantsIn = new WaitingList(room, this);
    this.seatOffer = new SeatOffer(room, this);
    this.dealing = this.#dealing();
    this.missed = this.#missed();
    this.ended = h("section", { class: "ended", hidden: true, "aria-label": t("web.ended.title") });
    this.element = h(
      "div",
      { class: "room" },
      this.#bar(),
      this.trust.alarm,
      this.banner,
      this.wantsIn.element,
      this.seatOffer.element,
      this.dealing,
      this.missed,
      h(
        "div",
        { class: "room-body" },
        h("div", { class: "stage-place" }, this.ended, this.stage),
        this.side.element,
      ),
    );
    const { signal } = this.#closed;
    room.addEventListener("state", () => this.#show(), { signal });
    room.addEventListener("presence", () => this.#show(), { signal });
    room.addEventListener("trust", () => this.trust.show(), { signal });
    room.addEventListener("alarm", () => this.#showAlarm(), { signal });
    room.addEventListener("note", ({ detail }) => this.#note(detail), { signal });
    room.addEventListener("closed", ({ detail }) => this.#gone(detail), { signal });
    // What the page chokes on while it draws is as malformed as what it cannot read.
    addEventListener("error", ({ error }) => this.#choked(error), { signal });
    addEventListener("unhandledrejection", ({ reason }) => this.#choked(reason), { signal });
    this.#show();
    this.#showAlarm();
  }

  get title() {
    return this.notice.title;
  }

  close() {
    this.#closed.abort();
    this.#alarm?.close();
    this.notice.close();
    this.#closeTable();
    this.side.close();
  }

  /** The connection is lost, or found again; what is on show stays marked as old until the next state is here. */
  freshness(fresh) {
    if (fresh) return;
    this.element.classList.add("stale");
    this.notice.lost();
    this.#table?.freshness(false);
  }

  key(code) {
    if (code === HELP_KEY) return this.#help();
    if (code === "KeyT") return this.side.open("talk");
    return this.#table?.key(code) ?? false;
  }

  #help() {
    openHelp(this.room.state.public.game, this.room.state.public, [["T", "web.help.chat"]]);
    return true;
  }

  // What a game's table may ask of the room page.

  personAt(seat) {
    const member = this.room.state.public.members.find((each) => each.seat === seat);
    if (!member) return null;
    return {
      ...member,
      name: memberName(member, this.room.state.public.game),
      waits: waitText(member, this.room.state.public),
      away: member.away || member.stands,
      gone: goneText(member, this.room),
    };
  }

  openPerson(seat) {
    const member = this.room.state.public.members.find((each) => each.seat === seat);
    if (member) openMember(member, this.room, this, this.#table?.factsAbout?.(seat) ?? []);
  }

  /** The table has shown all that it was told: only now the end of a match is no spoiler. */
  rested() {
    this.#showEnded(this.room.state.public);
  }

  /** Buttons that give the room's records away. */
  records() {
    return recordButtons(this.app, this.room);
  }

  log(text) {
    this.side.log(text);
  }

  nowMs() {
    return this.app.connection.nowMs();
  }

  act(action) {
    return this.app.attempt(() => this.room.act(action));
  }

  command(type, fields = {}) {
    return this.app.attempt(() => this.room.command(type, fields));
  }

  /** Another table of the same game against bots, at once. */
  async playAnother() {
    const { game } = this.room.state.public;
    await this.app.attempt(async () => {
      await this.room.command("ROOM_LEAVE");
      const room = await this.app.rooms.playNow(game);
      this.app.go(`#/room/${room.code}`);
    });
  }

  /** What a deal waits for, where that takes longer than a moment: quiet words, and a button for who must agree. */
  #dealing() {
    this.dealingText = h("span", {});
    this.agree = h(
      "button",
      { type: "button", class: "primary small", "data-do": "agree", on: { click: () => this.#agree() } },
      t("web.cut.agree"),
    );
    return h("p", { class: "notice dealing", role: "status", hidden: true }, this.dealingText, this.agree);
  }

  /** For a player whom the table does not wait for any more, and who cannot sit out: one press, and it waits again. */
  #missed() {
    const back = h(
      "button",
      { type: "button", class: "primary small", "data-do": "back", on: { click: () => this.command("PLAYER_BACK") } },
      t("web.cash.sit_in"),
    );
    return h("p", { class: "notice dealing", role: "status", hidden: true }, h("span", {}, t("web.room.missed")), back);
  }

  #showMissed({ phase }) {
    const { me, state } = this.room;
    const seat = state.you.view?.seats?.[me?.seat];
    const isOut = me?.sitsNext === "out" || seat?.state === "sitting_out";
    setShown(this.missed, phase === "playing" && Boolean(seat) && me.missed >= MISSED_MAX && !isOut);
  }

  #agree() {
    return this.app.attempt(() => this.room.agree());
  }

  #showDealing({ agreeing, gathering, members }) {
    const names = (those) => those.map((member) => memberName(member, this.room.state.public.game)).join(", ");
    const asked = members.filter(({ id }) => agreeing.includes(id));
    const missing = members.filter((member) => member.seat !== null && !member.bot && !member.promised);
    let text = "";
    if (asked.length) text = t("web.cut.agreeing", { names: names(asked) });
    else if (gathering) text = t("web.cut.gathering", { names: names(missing) });
    setText(this.dealingText, text);
    setShown(
      this.agree,
      asked.some(({ id }) => id === this.room.me?.id),
    );
    setShown(this.dealing, text !== "");
  }

  /** Something that the player should know, and is no alarm: one quiet line. */
  #note(note) {
    if (note.code === "MANY_VOIDS") {
      openVoids(note, {
        leave: () => this.leave(),
        goOn: () => this.app.attempt(() => this.room.acceptVoids()),
      });
    } else this.log(findingText(note));
  }

  /** The player must decide: until then nothing can be done at the table. */
  #showAlarm() {
    if (!this.room.alarms.length || this.#alarm?.open) return;
    this.#table?.freshness(false);
    this.#alarm = openAlarm(this.room, {
      leave: () => this.leave(),
      goOn: () => this.app.attempt(() => this.room.goOn()),
    });
  }

  #choked(error) {
    if (error instanceof TypeError || error instanceof RangeError) this.room.malformed(error.message);
  }

  #bar() {
    this.pause = tool("pause", t("web.host.pause"), () =>
      this.command(this.room.state.public.paused ? "HOST_RESUME" : "HOST_PAUSE"),
    );
    this.leaveTool = tool("leave", t("web.room.leave"), () => this.#askToLeave());
    const code = h(
      "button",
      {
        type: "button",
        class: "code-button",
        title: t("web.waiting.invite"),
        on: { click: () => openShare(this.room.code) },
      },
      h("span", { class: "code" }, this.room.code),
      icon("share"),
      h("span", { class: "unseen" }, t("web.waiting.invite")),
    );
    return h(
      "header",
      { class: "bar" },
      brand(),
      code,
      this.trust.mark,
      h("span", { class: "gap" }),
      this.pause,
      tool("help", t("web.help.open"), () => this.#help()),
      this.side.opener,
      tool("settings", t("web.settings.title"), () => this.app.openSettings()),
      this.leaveTool,
    );
  }

  /** Whoever is in a hand is asked first: leaving gives it up. */
  #askToLeave() {
    const { turn, phase, nextRoundAtMs, payouts } = this.room.state.public;
    const isRunning = phase === "playing" && nextRoundAtMs === null && payouts === null;
    const isIn = isRunning && Number.isInteger(this.room.me?.seat) && !this.room.me.away && !this.room.me.stands;
    if (isIn && (turn.length || this.room.state.you.view))
      confirmFirst(t("web.ask.leave"), t("web.ask.leave_about"), t("web.room.leave"), () => this.leave());
    else this.leave();
  }

  /** Leaves the seat, and the page. A seat that the rules keep stays ours: then only the page is left. */
  async leave() {
    await this.room.command("ROOM_LEAVE").catch((refused) => toast(refusalText(refused)));
    this.app.go("#/");
  }

  #gone({ code }) {
    if (code !== "LEFT") toast(t(code === "KICKED" ? "code.KICKED" : "web.room.closed"));
    this.app.go("#/");
  }

  #show() {
    const { public: shown } = this.room.state;
    if (this.room.fresh && this.element.classList.contains("stale")) {
      this.element.classList.remove("stale");
      this.#table?.freshness(true);
    }
    const running = shown.phase === "playing";
    setShown(this.pause, this.room.isHost && running);
    const isKept = running && presetOf(shown.game, shown.preset)?.keepsSeats && Number.isInteger(this.room.me?.seat);
    setShown(this.leaveTool, !isKept);
    this.pause.replaceChildren(icon(shown.paused ? "play" : "pause"));
    setAttribute(this.pause, "aria-label", t(shown.paused ? "web.host.resume" : "web.host.pause"));
    setShown(this.banner, shown.paused);
    setText(this.banner, shown.paused ? t("web.room.paused") : "");
    this.trust.show();
    this.notice.show(this.room.state);
    this.#showDealing(shown);
    this.#showMissed(shown);
    this.wantsIn.show();
    this.seatOffer.show();
    this.side.show();
    if (shown.phase === "lobby") this.#showWaiting();
    else this.#showTable(shown);
    // The table hears of the state after the page: only then it is known whether it takes its time.
    queueMicrotask(() => this.#showEnded(this.room.state.public));
    if (this.room.me === null && this.room.fresh) this.#gone({ code: "KICKED" });
  }

  #closeTable() {
    land();
    this.#table?.close();
    this.#table = null;
    this.#tableFor = "";
    this.room.isTold = false;
  }

  #showWaiting() {
    this.#closeTable();
    if (!this.#waiting) {
      this.#waiting = new Waiting(this.room, this);
      this.#setStage(this.#waiting.title, this.#waiting.element);
    }
    this.#waiting.show();
  }

  /** Loads the game's table once, and lets it draw every state by itself from then on. */
  async #showTable({ game }) {
    if (this.#tableFor === game) return;
    this.#tableFor = game;
    this.#waiting = null;
    const { makeTable, sentence } = await loadTable(game);
    if (this.#closed.signal.aborted || this.#tableFor !== game) return;
    this.side.tell(sentence);
    this.#table = makeTable(this.room, this);
    const heading = h("h1", { class: "unseen", tabindex: "-1" }, gameName(game));
    this.#setStage(heading, heading, this.#table.element);
  }

  /** Something else is on show. A focus that was on what goes, or nowhere, is put to its heading. */
  #setStage(heading, ...elements) {
    this.stage.replaceChildren(...elements);
    const { activeElement, body } = document;
    if (activeElement === body || this.ended.contains(activeElement)) heading.focus({ preventScroll: true });
  }

  #showEnded(shown) {
    const over = shown.phase === "ended" && !this.#table?.busy;
    if (over === this.#over) return;
    this.#over = over;
    if (over) this.#fillEnded(shown);
    else setShown(this.ended, false);
  }

  /** The result lies over the table, which can be looked at again. */
  async #fillEnded(shown) {
    const { headline, matchEnd } = await import("./standings.js");
    const again = this.room.isHost
      ? h("button", { type: "button", class: "primary", on: { click: () => this.#again() } }, t("web.ended.again"))
      : h("p", {}, t("web.ended.wait"));
    const { view } = this.room.state.you;
    const nameOf = (seat) => this.personAt(seat)?.name ?? "";
    const parts = view ? await matchEnd(view, shown, nameOf, this.room.memory) : [];
    if (!this.#over || this.#closed.signal.aborted) return;
    const fold = h("button", { type: "button", class: "quiet-button", "data-do": "fold" }, t("web.ended.fold"));
    fold.addEventListener("click", () => {
      const folded = this.ended.classList.toggle("folded");
      setText(fold, t(folded ? "web.ended.unfold" : "web.ended.fold"));
    });
    this.ended.classList.remove("folded");
    this.ended.replaceChildren(
      h(
        "div",
        { class: "ended-words" },
        h("h2", {}, view ? headline(view, shown, nameOf) : t("web.ended.title")),
        h("div", { class: "button-row" }, again, fold),
        recordButtons(this.app, this.room),
      ),
      ...parts,
    );
    land();
    setShown(this.ended, true);
  }

  /** Back to the lobby of the room; where nobody but bots waits there, straight on. */
  async #again() {
    if (!(await this.command("HOST_REMATCH"))) return;
    const others = this.room.state.public.members.filter((member) => !member.bot && member.id !== this.room.me?.id);
    if (!others.length) await this.command("HOST_START_GAME");
  }
}
