// A room before its match: who is here, who is ready, what will be played.

import { h, keyed, openDialog, setAttribute, setShown, setText } from "./dom.js";
import { howTo, ruleFacts } from "./help.js";
import { gameEntry, presetOf } from "./games/registry.js";
import { avatar, memberName, memberNotes, openBots, showHostChoices } from "./people.js";
import { freeSeats, showFreeSeats } from "./seats.js";
import { invitation } from "./share.js";
import { gameName, number, presetName, t } from "./texts.js";

const TEAM_IDS = ["A", "B", "C"];

export class Waiting {
  constructor(room, page) {
    this.room = room;
    this.page = page;
    this.title = h("h1", { tabindex: "-1" });
    this.rules = h("p", { class: "quiet" });
    this.stakes = h("ul", { class: "stakes", "aria-label": t("web.help.rules") });
    this.people = h("ul", { class: "people seated" });
    this.free = h("ul", { class: "people seated free-seats", "aria-label": t("web.waiting.free_seat") });
    this.watching = h("ul", { class: "people" });
    this.watchingTitle = h("h3", {}, t("web.people.watching"));
    this.hint = h("p", { class: "hint", role: "status" });
    const button = (name, label, click) =>
      h("button", { type: "button", class: "quiet-button", "data-do": name, on: { click } }, label);
    this.ready = button("ready", t("web.waiting.ready"), () =>
      page.command("PLAYER_READY_SET", { ready: !room.me.ready }),
    );
    this.start = button("start", t("web.waiting.start"), () => page.command("HOST_START_GAME"));
    this.bot = button("bot", t("web.host.add_bot"), () => openBots(room, page));
    this.fill = button("fill", t("web.host.fill"), () => page.app.attempt(() => room.fillWithBots()));
    this.options = button("options", t("web.waiting.options"), () =>
      page.app.attempt(() => this.#openOptions()),
    );
    this.sit = button("sit", "", () =>
      page.command(room.me.seat === null ? "SPECTATOR_SWITCH_TO_PARTICIPANT" : "PLAYER_SWITCH_TO_SPECTATOR"),
    );
    this.element = h(
      "div",
      { class: "waiting" },
      h(
        "section",
        { class: "panel" },
        this.title,
        this.rules,
        this.stakes,
        this.people,
        this.free,
        this.watchingTitle,
        this.watching,
        h(
          "div",
          { class: "waiting-foot" },
          this.hint,
          h("div", { class: "button-row" }, this.start, this.ready, this.bot, this.fill, this.options, this.sit),
        ),
      ),
      this.#invitation(),
      this.#howTo(),
    );
  }

  /** Where the window has room for it, something to read while others come. */
  #howTo() {
    const { game } = this.room.state.public;
    return h("section", { class: "panel how" }, h("h2", {}, t("web.help.title", { game: gameName(game) })), howTo(game));
  }

  #invitation() {
    return h("section", { class: "panel invite" }, h("h2", {}, t("web.waiting.invite")), invitation(this.room.code));
  }

  show() {
    const { room } = this;
    const { public: shown } = room.state;
    const players = shown.members.filter((member) => member.seat !== null).sort((a, b) => a.seat - b.seat);
    const watchers = shown.members.filter((member) => member.seat === null);
    setText(this.title, gameName(shown.game));
    setText(
      this.rules,
      `${presetName(shown.game, shown.preset)} · ${t("web.waiting.seats", { players: players.length, seats: shown.options.seats })}`,
    );
    this.#showStakes(shown);
    this.#showPeople(this.people, players);
    this.#showPeople(this.watching, watchers);
    setShown(this.watchingTitle, watchers.length > 0);
    const seated = room.me !== null && room.me.seat !== null;
    const full = players.length >= shown.options.seats;
    setShown(this.start, room.isHost);
    setShown(this.ready, seated && !room.isHost);
    setAttribute(this.ready, "aria-pressed", String(Boolean(room.me?.ready)));
    setText(this.ready, t(room.me?.ready ? "web.waiting.not_ready" : "web.waiting.ready"));
    setShown(this.bot, room.isHost && !full);
    setShown(this.fill, room.isHost && shown.options.seats - players.length > 1);
    setShown(this.options, room.isHost);
    setShown(this.sit, seated || !full);
    setText(this.sit, t(seated ? "web.waiting.watch" : "web.waiting.sit"));
    setText(this.hint, this.#hintText(players, shown));
    const free = freeSeats(shown);
    showFreeSeats(this.free, free, this.page, "free-seat");
    setShown(this.free, free.length > 0);
    // What is to be done next stands out.
    const next = players.length < 2 ? this.bot : room.isHost ? this.start : room.me?.ready ? null : this.ready;
    for (const each of [this.start, this.ready, this.bot]) {
      each.classList.toggle("primary", each === next);
      each.classList.toggle("quiet-button", each !== next);
    }
  }

  /** What is played for, which rules are other than the preset's, and how much time there is. */
  #showStakes({ game, preset, rules, options }) {
    const { stakes: told, stakeOptions = [] } = gameEntry(game);
    const stakes = (told?.(rules) ?? "").split(" · ").filter(Boolean);
    const usual = presetOf(game, preset)?.rules ?? {};
    const changed = ruleFacts(game, { preset, rules }).filter(
      ([, , value, name]) => !stakes.length || (value !== usual[name] && !stakeOptions.includes(name)),
    );
    const clocks = ["turnSeconds", "bankSeconds"].map((name) => [t(`room.option.${name}`), number(options[name])]);
    keyed(
      this.stakes,
      [...stakes.map((text) => ["", text]), ...changed, ...clocks],
      ([name, text]) => `${name} ${text}`,
      ([name, text]) => h("li", {}, name ? `${name} ` : "", h("b", {}, text)),
    );
  }

  #hintText(players, shown) {
    const waiting = players.filter((member) => !member.ready && member.id !== shown.host);
    if (players.length < 2) return t("web.waiting.more_players");
    if (waiting.length) return t("web.waiting.waits_for", { names: waiting.map((member) => member.name).join(", ") });
    return this.room.isHost ? t("web.waiting.all_ready") : t("web.waiting.waits_for_host");
  }

  #showPeople(list, members) {
    const { game } = this.room.state.public;
    keyed(
      list,
      members,
      (member) => member.id,
      (member) => {
        const parts = {
          name: h("b", {}),
          notes: h("span", { class: "quiet" }),
          teams: h("span", { class: "teams" }),
          choices: h("span", { class: "choices" }),
        };
        const item = h(
          "li",
          {},
          avatar(memberName(member, game), member.bot),
          h("span", { class: "person" }, parts.name, parts.notes),
          parts.teams,
          parts.choices,
        );
        item.parts = parts;
        return item;
      },
      (item, member) => {
        setText(item.parts.name, memberName(member, game));
        setText(item.parts.notes, memberNotes(member, this.room).join(" · "));
        showHostChoices(item.parts.choices, member, this.room, this.page);
        this.#showTeam(item.parts.teams, member);
      },
    );
  }

  /** Where there are teams, everybody's is shown, and one's own can be chosen. */
  #showTeam(place, member) {
    const teams = member.teamId ? TEAM_IDS.slice(0, this.#teamCount()) : [];
    const own = member.id === this.room.me?.id;
    keyed(
      place,
      own ? teams : teams.filter((team) => team === member.teamId),
      (team) => team,
      (team) =>
        own
          ? h(
              "button",
              {
                type: "button",
                class: `team team-${team}`,
                on: { click: () => this.page.command("PLAYER_TEAM_SET", { teamId: team }) },
              },
              team,
            )
          : h("span", { class: `team team-${team}` }, team),
      (element, team) => {
        if (own) setAttribute(element, "aria-pressed", String(team === member.teamId));
      },
    );
  }

  #teamCount() {
    const used = this.room.state.public.members.map((member) => TEAM_IDS.indexOf(member.teamId) + 1);
    return Math.max(2, ...used, ...(this.room.state.public.rules.team_counts ?? [2]));
  }

  async #openOptions() {
    const { asked, makeOptions } = await import("./options.js");
    // A second press came while the form was fetched.
    if (document.querySelector("dialog[open]")) return;
    const { public: shown } = this.room.state;
    const options = makeOptions(shown.game, shown);
    const form = h(
      "form",
      { class: "column" },
      options.element,
      h("button", { class: "primary" }, t("web.waiting.save_options")),
    );
    const dialog = openDialog(t("web.waiting.options"), t("web.close"), form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const set = () => asked(shown.game, () => this.room.command("HOST_SET_OPTIONS", options.value()));
      if (await this.page.app.attempt(set)) dialog.close();
    });
  }
}
