// The lobby: play at once against bots, open a room, join one, find one again.

import { makeCard, suitMark } from "./cards.js";
import { entrySelect } from "./entry.js";
import { h, icon, keyed, openDialog, setShown } from "./dom.js";
import { gameEntry, gameNames, loadGame } from "./games/registry.js";
import { openHelp } from "./help.js";
import { NICKNAME_CHARACTERS_MAX } from "./nickname.js";
import { fairnessLink, placeCards } from "./places.js";
import { recentRooms } from "./rooms.js";
import { languageChoice } from "./settingsdialog.js";
import { gameName, hasText, t } from "./texts.js";

const LIST_MS = 5000;

export async function makeLobby(app) {
  await Promise.all(gameNames().map(loadGame));
  const lobby = new Lobby(app);
  return { element: lobby.element, title: t("web.title"), close: () => clearInterval(lobby.timer) };
}

/** What a newcomer wrote as a nickname: it stays when the page is drawn in another language. */
let typedName = "";
/** The nickname that a newcomer is offered; anybody may write another. */
const guestName = () => t("web.name.guest", { number: 100 + Math.floor(Math.random() * 900) });

class Lobby {
  #app;

  constructor(app) {
    this.#app = app;
    this.name = h("input", {
      id: "nickname",
      name: "nickname",
      maxlength: NICKNAME_CHARACTERS_MAX,
      autocomplete: "nickname",
      spellcheck: "false",
      value: typedName || guestName(),
      on: {
        input: ({ target }) => {
          typedName = target.value;
        },
      },
    });
    this.rooms = h("ul", { class: "room-list" });
    this.noRooms = h("p", { class: "quiet" }, t("web.lobby.no_rooms"));
    this.element = h(
      "main",
      { class: "lobby" },
      this.#top(),
      this.#hero(),
      h(
        "section",
        { class: "games", "aria-label": t("web.lobby.games") },
        ...gameNames().map((game) => this.#game(game)),
      ),
      h("div", { class: "lobby-columns" }, this.#join(), this.#listed(), this.#recent()),
      h("nav", { class: "places", "aria-label": t("web.lobby.places") }, ...placeCards()),
      h("footer", { class: "quiet" }, t("web.lobby.footer")),
    );
    this.timer = setInterval(() => this.#list(), LIST_MS);
    this.#list();
  }

  #top() {
    const label = t("web.settings.title");
    return h(
      "header",
      { class: "bar" },
      brand(),
      h("span", { class: "gap" }),
      this.#app.player ? h("span", { class: "who" }, this.#app.player.name) : null,
      languageChoice(),
      h(
        "button",
        {
          type: "button",
          class: "icon",
          "aria-label": label,
          title: label,
          on: { click: () => this.#app.openSettings() },
        },
        icon("settings"),
      ),
    );
  }

  #hero() {
    const words = [h("h1", {}, t("web.lobby.welcome")), h("p", {}, t("web.lobby.about")), fairnessLink()];
    const name = this.#app.player
      ? null
      : h("label", { class: "nickname", for: "nickname" }, h("span", {}, t("web.name.label")), this.name);
    return h("section", { class: "hero" }, h("div", { class: "hero-words" }, ...words, name), fan());
  }

  #game(game) {
    const entry = gameEntry(game);
    const start = h(
      "button",
      {
        type: "button",
        class: "primary",
        "data-play": game,
        "aria-label": `${t("web.lobby.play_now")}: ${gameName(game)}`,
        on: { click: () => this.#playNow(game) },
      },
      icon("play"),
      t("web.lobby.play_now"),
    );
    const create = h(
      "button",
      {
        type: "button",
        class: "quiet-button",
        "data-create": game,
        "aria-label": `${t("web.lobby.create")}: ${gameName(game)}`,
        on: { click: () => this.#app.attempt(() => this.#create(game)) },
      },
      t("web.lobby.create"),
    );
    const how = h(
      "button",
      {
        type: "button",
        class: "icon how",
        "aria-label": `${t("web.lobby.how")}: ${gameName(game)}`,
        title: t("web.lobby.how"),
        on: { click: () => openHelp(game) },
      },
      icon("help"),
    );
    return h(
      "article",
      { class: `game game-${game}` },
      h("div", { class: "game-art", "aria-hidden": "true" }, ...entry.emblem.map((card) => makeCard(card))),
      h("div", { class: "game-name" }, h("h2", {}, gameName(game)), how),
      hasText(`${game}.about`) ? h("p", {}, t(`${game}.about`)) : null,
      h("div", { class: "game-buttons" }, start, create),
    );
  }

  #join() {
    const code = h("input", {
      name: "code",
      required: true,
      maxlength: 80,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      placeholder: "ABC234",
      "aria-label": t("web.lobby.code"),
    });
    const form = h("form", { class: "join" }, code, h("button", { class: "primary" }, t("web.lobby.join")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = code.value
        .trim()
        .toUpperCase()
        .replace(/^.*[/]/, "");
      this.#enter(wanted);
    });
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.lobby.join_title")),
      h("p", { class: "quiet" }, t("web.lobby.join_about")),
      form,
    );
  }

  #listed() {
    return h("section", { class: "panel" }, h("h2", {}, t("web.lobby.listed")), this.noRooms, this.rooms);
  }

  #recent() {
    const rooms = recentRooms();
    if (!rooms.length) return null;
    const entries = rooms.map(({ code, game }) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: `#/room/${code}` },
          h("b", { class: "code" }, code),
          " ",
          game ? gameName(game) : "",
        ),
      ),
    );
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.lobby.recent")),
      h("ul", { class: "room-list" }, ...entries),
    );
  }

  async #list() {
    if (document.hidden) return;
    const answer = await fetch("/api/rooms")
      .then((response) => response.json())
      .catch(() => ({ rooms: [] }));
    const rooms = answer.rooms.slice(0, 30);
    setShown(this.noRooms, !rooms.length);
    keyed(
      this.rooms,
      rooms,
      (room) => `${room.roomCode}${room.players}${room.phase}`,
      (room) =>
        h(
          "li",
          {},
          h(
            "a",
            { href: `#/room/${room.roomCode}` },
            h("b", { class: "code" }, room.roomCode),
            ` ${gameName(room.game)} · ${room.hostName} · ${room.players}/${room.seats} · ${t(`web.phase.${room.phase}`)}`,
          ),
        ),
    );
  }

  /** A newcomer is introduced under the nickname in the field; who is known goes on at once. */
  async #known() {
    if (!this.#app.player) await this.#app.introduce(this.name.value || guestName());
  }

  async #playNow(game) {
    await this.#app.attempt(async () => {
      await this.#known();
      const room = await this.#app.rooms.playNow(game);
      this.#app.go(`#/room/${room.code}`);
    });
  }

  async #create(game) {
    const { asked, makeOptions } = await import("./options.js");
    // A second press came while the form was fetched.
    if (document.querySelector("dialog[open]")) return;
    const entry = entrySelect();
    const door = h("label", { class: "option broad" }, h("span", {}, t("web.entry.label")), entry);
    const options = makeOptions(game, null, door);
    const form = h(
      "form",
      { class: "column" },
      options.element,
      h("button", { class: "primary" }, t("web.lobby.create")),
    );
    const dialog = openDialog(t("web.lobby.create_title", { game: gameName(game) }), t("web.close"), form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.#app.attempt(async () => {
        await this.#known();
        const wanted = { game, ...options.value(), entry: entry.value };
        const room = await asked(game, () => this.#app.rooms.create(wanted));
        dialog.close();
        this.#app.go(`#/room/${room.code}`);
      });
    });
  }

  async #enter(code) {
    await this.#app.attempt(async () => {
      await this.#known();
      this.#app.go(`#/room/${code}`);
    });
  }
}

/** The name of the house, and the way back to the lobby. */
export function brand() {
  return h("a", { class: "brand", href: "#/" }, suitMark("s"), h("span", {}, "Croupier"));
}

function fan() {
  return h(
    "div",
    { class: "fan", "aria-hidden": "true" },
    ...["Tc", "Jd", "Qh", "Ks", "As"].map((card) => makeCard(card)),
  );
}
