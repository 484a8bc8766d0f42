// A room: the frame round its table, the talk, the people, and what the host decides.

import { openAlarm, openVoids } from "./alarm.js";
import { makeDoor } from "./door.js";
import { h, icon, setAttribute, setShown, setText } from "./dom.js";
import { recordButtons } from "./downloads.js";
import { WaitingList } from "./entry.js";
import { GAMES } from "./games/registry.js";
import { brand } from "./lobby.js";
import { memberName, openMember, waitText } from "./people.js";
import { forgetRecent, WAITING } from "./rooms.js";
import { openShare } from "./share.js";
import { Side } from "./side.js";
import { standingsTable } from "./standings.js";
import { findingText, refusalText, t } from "./texts.js";
import { toast } from "./toast.js";
import { tool } from "./topbar.js";
import { TrustMark } from "./trust.js";
import { Waiting } from "./waiting.js";

/** The page of a room, or its door for somebody who is not in it. */
export async function makeRoomPage(app, code) {
  if (!app.player) return makeDoor(app, code);
  const known = app.rooms.of(code);
  if (known.state && known.fresh) return new RoomPage(app, known);
  try {
    const room = await app.rooms.watch(code);
    if (room.me?.away) return makeDoor(app, code);
    return new RoomPage(app, room);
  } catch (refused) {
    app.rooms.forget(code);
    if (refused.code === "NOT_IN_ROOM") return makeDoor(app, code);
    if (refused.code === WAITING) return makeDoor(app, code, "", true);
    if (refused.code === "NO_SUCH_ROOM") forgetRecent(code);
    return makeDoor(app, code, refused.code ? refusalText(refused) : t("web.lost"));
  }
}

class RoomPage {
  #closed = new AbortController();
  #table = null;
  #waiting = null;
  #tableFor = "";
  #alarm = null;

  constructor(app, room) {
    this.app = app;
    this.room = room;
    this.title = `${room.code} · ${t("web.title")}`;
    this.trust = new TrustMark(room, app);
    this.side = new Side(room, this);
    this.stage = h("main", { class: "stage" });
    this.banner = h("p", { class: "notice paused", hidden: true });
    this.wantsIn = new WaitingList(room, this);
    this.dealing = this.#dealing();
    this.ended = h("section", { class: "ended", hidden: true, "aria-label": t("web.ended.title") });
    this.element = h(
      "div",
      { class: "room" },
      this.#bar(),
      this.trust.alarm,
      this.banner,
      this.wantsIn.element,
      this.dealing,
      this.ended,
      h("div", { class: "room-body" }, this.stage, this.side.element),
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

  close() {
    this.#closed.abort();
    this.#alarm?.close();
    this.#table?.close();
    this.side.close();
  }

  /** The connection is lost, or found again; what is on show stays marked as old until the next state is here. */
  freshness(fresh) {
    if (fresh) return;
    this.element.classList.add("stale");
    this.#table?.freshness(false);
  }

  key(code) {
    if (code === "KeyT") return this.side.open("talk");
    return this.#table?.key(code) ?? false;
  }

  // What a game's table may ask of the room page.

  personAt(seat) {
    const member = this.room.state.public.members.find((each) => each.seat === seat);
    if (!member) return null;
    return {
      ...member,
      name: memberName(member, this.room.state.public.game),
      waits: waitText(member, this.room.state.public),
      connected: this.room.connected.includes(member.id),
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
    this.leaveTool = tool("leave", t("web.room.leave"), () => this.leave());
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
      this.side.opener,
      tool("settings", t("web.settings.title"), () => this.app.openSettings()),
      this.leaveTool,
    );
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
    const isKept = running && GAMES[shown.game]?.keepsSeats && Number.isInteger(this.room.me?.seat);
    setShown(this.leaveTool, !isKept);
    this.pause.replaceChildren(icon(shown.paused ? "play" : "pause"));
    setAttribute(this.pause, "aria-label", t(shown.paused ? "web.host.resume" : "web.host.pause"));
    setShown(this.banner, shown.paused);
    setText(this.banner, shown.paused ? t("web.room.paused") : "");
    this.trust.show();
    this.#showDealing(shown);
    this.wantsIn.show();
    this.side.show();
    if (shown.phase === "lobby") this.#showWaiting();
    else this.#showTable(shown);
    // The table hears of the state after the page: only then it is known whether it takes its time.
    queueMicrotask(() => this.#showEnded(this.room.state.public));
    if (this.room.me === null && this.room.fresh) this.#gone({ code: "KICKED" });
  }

  #showWaiting() {
    this.#table?.close();
    this.#table = null;
    this.#tableFor = "";
    if (!this.#waiting) {
      this.#waiting = new Waiting(this.room, this);
      this.stage.replaceChildren(this.#waiting.element);
    }
    this.#waiting.show();
  }

  /** Loads the game's table once, and lets it draw every state by itself from then on. */
  async #showTable({ game }) {
    if (this.#tableFor === game) return;
    this.#tableFor = game;
    this.#waiting = null;
    const { makeTable } = await GAMES[game].table();
    if (this.#closed.signal.aborted || this.#tableFor !== game) return;
    this.#table = makeTable(this.room, this);
    this.stage.replaceChildren(h("h1", { class: "unseen" }, t(`${game}.name`)), this.#table.element);
  }

  #showEnded(shown) {
    const over = shown.phase === "ended" && !this.#table?.busy;
    if (over === !this.ended.hidden) return;
    setShown(this.ended, over);
    if (!over) return;
    const again = this.room.isHost
      ? h("button", { type: "button", class: "primary", on: { click: () => this.#again() } }, t("web.ended.again"))
      : h("p", {}, t("web.ended.wait"));
    const { view } = this.room.state.you;
    const nameOf = (seat) => this.personAt(seat)?.name ?? "";
    this.ended.replaceChildren(
      h("div", { class: "ended-words" }, h("h2", {}, t("web.ended.title")), again, recordButtons(this.app, this.room)),
      ...(view ? [standingsTable(view, shown.game, nameOf)] : []),
    );
  }

  /** Back to the lobby of the room; where nobody but bots waits there, straight on. */
  async #again() {
    if (!(await this.command("HOST_REMATCH"))) return;
    const others = this.room.state.public.members.filter((member) => !member.bot && member.id !== this.room.me?.id);
    if (!others.length) await this.command("HOST_START_GAME");
  }
}
