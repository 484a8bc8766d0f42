// Beside the table: what is said, what happened, who is here. On a small screen it lies over the table when opened.

import { cardMark, withCards, withoutMarks } from "./cards.js";
import { h, icon, keyed, setAttribute, setShown, setText } from "./dom.js";
import { EntryChoice, RemovedList } from "./entry.js";
import { loadTable } from "./games/registry.js";
import { memberName, memberNotes, openBots, showHostChoices } from "./people.js";
import { REACTIONS, reactionMark } from "./reactions.js";
import { play } from "./sound.js";
import { t } from "./texts.js";
import { tell } from "./speech.js";

const CHAT_CHARACTERS_MAX = 300;
const LINES_KEPT_MAX = 250;
const TABS = ["talk", "people"];

/** Cards that are marked in the text of an event are drawn. */
const line = ({ kind, name, text }) =>
  h("li", { class: kind }, name ? h("b", {}, name) : null, h("span", {}, kind === "event" ? withCards(text) : text));

export class Side {
  #closed = new AbortController();

  constructor(room, page) {
    this.room = room;
    this.page = page;
    this.lines = h("ol", {
      class: "lines",
      tabindex: "0",
      "aria-label": t("web.side.lines"),
      "data-empty": t("web.side.empty"),
    });
    this.people = h("ul", { class: "people" });
    this.unread = h("span", { class: "unread", hidden: true });
    this.opener = h(
      "button",
      {
        type: "button",
        class: "icon side-opener",
        "aria-expanded": "false",
        "aria-label": t("web.side.open"),
        title: t("web.side.open"),
        on: { click: () => this.#toggle() },
      },
      icon("chat"),
      this.unread,
    );
    this.panels = {
      talk: h("div", { class: "side-panel" }, this.lines, this.#reactions(), this.#writer()),
      people: h("div", { class: "side-panel" }, this.people, this.#hostTools()),
    };
    this.tabs = h(
      "div",
      { class: "tabs", role: "tablist" },
      ...TABS.map((name) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${name}`,
            "aria-controls": `panel-${name}`,
            "data-tab": name,
            on: { click: () => this.#choose(name), keydown: (event) => this.#arrow(event) },
          },
          t(`web.side.${name}`),
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "icon side-close",
          "aria-label": t("web.close"),
          on: { click: () => this.#toggle(false) },
        },
        icon("close"),
      ),
    );
    for (const [name, panel] of Object.entries(this.panels)) {
      for (const [key, value] of [
        ["id", `panel-${name}`],
        ["role", "tabpanel"],
        ["aria-labelledby", `tab-${name}`],
      ])
        setAttribute(panel, key, value);
    }
    this.element = h(
      "aside",
      { class: "side", "aria-label": t("web.side.label") },
      this.tabs,
      ...Object.values(this.panels),
    );
    this.#choose("talk");
    // Whoever reads the last line still reads it when the window gets another size.
    this.resized = new ResizeObserver(() => {
      if (this.atEnd) this.lines.scrollTop = this.lines.scrollHeight;
    });
    this.resized.observe(this.lines);
    room.addEventListener("said", ({ detail }) => this.#said(detail), { signal: this.#closed.signal });
    room.addEventListener("reaction", ({ detail }) => this.#reacted(detail), { signal: this.#closed.signal });
    room.addEventListener("story", () => this.#tellStory(), { signal: this.#closed.signal });
    for (const each of room.lines) this.lines.append(line(each));
    this.#tellStory();
  }

  close() {
    this.#closed.abort();
    this.resized.disconnect();
  }

  /** Opens a panel and puts the focus where one writes. */
  open(name) {
    this.#toggle(true);
    this.#choose(name);
    if (name === "talk") this.field.focus();
    return true;
  }

  /** Something that happened at the table. */
  log(text) {
    this.#line("event", "", text);
  }

  /** What happened before the table came, in its words; from now on the table tells it. */
  tell(sentence) {
    const { game } = this.room.state.public;
    for (const { event, members } of this.room.untold) {
      const nameOf = (seat) => {
        const member = members.find((each) => each.seat === seat);
        return member ? memberName(member, game) : "";
      };
      const text = sentence?.(event, nameOf, cardMark, game);
      if (text) this.log(text);
    }
    this.room.untold = [];
    this.room.isTold = true;
  }

  show() {
    const { public: shown } = this.room.state;
    const order = (member) => (member.seat === null ? 1000 : member.seat);
    const members = [...shown.members].sort((a, b) => order(a) - order(b));
    keyed(
      this.people,
      members,
      (member) => member.id,
      () => {
        const parts = {
          name: h("b", {}),
          notes: h("span", { class: "quiet" }),
          choices: h("span", { class: "choices" }),
        };
        const item = h("li", {}, h("span", { class: "person" }, parts.name, parts.notes), parts.choices);
        item.parts = parts;
        return item;
      },
      (item, member) => {
        setText(item.parts.name, memberName(member, shown.game));
        setText(item.parts.notes, memberNotes(member, this.room).join(" · "));
        showHostChoices(item.parts.choices, member, this.room, this.page);
      },
    );
    this.entry.show();
    this.removed.show();
    const taken = shown.members.filter((member) => member.seat !== null).length;
    const open = shown.phase === "lobby" || (shown.phase === "playing" && shown.openTable);
    setShown(this.bot, this.room.isHost && open && taken < shown.options.seats);
  }

  #hostTools() {
    this.bot = h(
      "button",
      { type: "button", class: "quiet-button", hidden: true, on: { click: () => openBots(this.room, this.page) } },
      t("web.host.add_bot"),
    );
    this.entry = new EntryChoice(this.room, this.page);
    this.removed = new RemovedList(this.room, this.page);
    return h("div", { class: "column" }, this.entry.element, this.removed.element, h("div", { class: "button-row" }, this.bot));
  }

  #reactions() {
    return h(
      "div",
      { class: "reactions", role: "group", "aria-label": t("web.side.reactions") },
      ...REACTIONS.map((reaction) =>
        h(
          "button",
          {
            type: "button",
            "aria-label": t("web.side.react", { reaction }),
            on: { click: () => this.page.app.attempt(() => this.room.react(reaction)) },
          },
          reactionMark(reaction, { "aria-hidden": "true" }),
        ),
      ),
    );
  }

  #writer() {
    this.field = h("input", {
      name: "message",
      maxlength: CHAT_CHARACTERS_MAX,
      autocomplete: "off",
      placeholder: t("web.side.write"),
      "aria-label": t("web.side.write"),
    });
    const form = h(
      "form",
      { class: "writer" },
      this.field,
      h("button", { class: "primary small" }, t("web.side.send")),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text && (await this.page.app.attempt(() => this.room.say(text)))) this.field.value = "";
    });
    return form;
  }

  #nameOf(id, name) {
    const member = this.room.state.public.members.find((each) => each.id === id);
    return member ? memberName(member, this.room.state.public.game) : name;
  }

  #said({ member, name, text }) {
    this.#line("chat", this.#nameOf(member, name), text);
    if (member === this.room.me?.id) return;
    play("said");
    tell(`${name}: ${text}`);
    if (!this.element.checkVisibility()) {
      setText(this.unread, Number(this.unread.textContent || 0) + 1);
      setShown(this.unread, true);
    }
  }

  #reacted({ member, reaction }) {
    const name = this.#nameOf(member, "");
    this.#line("chat", name, reactionMark(reaction));
    if (member !== this.room.me?.id) tell(`${name}: ${reaction}`);
  }

  /** What was said and what happened before this page came, above what it has seen itself. Only the server answers for
   * it: no card of it is drawn, and a line says so. */
  async #tellStory() {
    const { story } = this.room;
    if (!story?.length) return;
    this.room.story = [];
    const { game } = this.room.state.public;
    const { sentence } = await loadTable(game);
    const { members } = this.room.state.public;
    const nameAt = (names) => (seat) => {
      const member = members.find((each) => each.seat === seat && each.name === names[seat]);
      return member ? memberName(member, game) : withoutMarks(names[seat] ?? "");
    };
    const told = story
      .map(({ kind, event, names, member, name, text }) =>
        kind === "SAID"
          ? { kind: "chat", name: this.#nameOf(member, name), text }
          : { kind: "told", name: "", text: sentence?.(event, nameAt(names), undefined, game) },
      )
      .filter(({ text }) => text);
    const isMarked = told.some(({ kind }) => kind === "told");
    const lines = isMarked ? [{ kind: "told origin", name: "", text: t("web.side.story") }, ...told] : told;
    this.room.lines = [...lines, ...this.room.lines];
    this.lines.prepend(...lines.map(line));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** One more line; who reads further up is left where they are. */
  #line(kind, name, text) {
    const { lines } = this;
    this.atEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
    const said = { kind, name, text };
    this.room.lines = [...this.room.lines, said].slice(-LINES_KEPT_MAX);
    lines.append(line(said));
    while (lines.children.length > LINES_KEPT_MAX) lines.firstElementChild.remove();
    if (this.atEnd) lines.scrollTop = lines.scrollHeight;
  }

  #toggle(open = !this.element.classList.contains("open")) {
    this.element.classList.toggle("open", open);
    setAttribute(this.opener, "aria-expanded", String(open));
    if (!open) {
      this.opener.focus();
      return;
    }
    setText(this.unread, "");
    setShown(this.unread, false);
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  #choose(name) {
    for (const tab of this.tabs.querySelectorAll("[role=tab]")) {
      const chosen = tab.dataset.tab === name;
      setAttribute(tab, "aria-selected", String(chosen));
      setAttribute(tab, "tabindex", chosen ? "0" : "-1");
      setShown(this.panels[tab.dataset.tab], chosen);
    }
  }

  #arrow(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = TABS[1 - TABS.indexOf(event.target.dataset.tab)];
    this.#choose(other);
    this.tabs.querySelector(`[data-tab=${other}]`).focus();
  }
}
