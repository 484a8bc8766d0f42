// The page: settings and texts first, then the connection, then whatever the address names.
//
//   /             the lobby
//   /#/room/CODE  a room; /room/CODE, as QR codes have it, leads there too
//   /#/casino     and the other pages of `places.js`

import { Connection } from "./connection.js";
import { h, setShown, setText } from "./dom.js";
import { makeLobby } from "./lobby.js";
import { PLACES } from "./places.js";
import { Rooms } from "./rooms.js";
import { applySettings, onSettings, settings } from "./settings.js";
import { openSettings } from "./settingsdialog.js";
import { liveRegion } from "./speech.js";
import { findingText, loadTexts, refusalText, t } from "./texts.js";
import { toasts, toast } from "./toast.js";

class App {
  connection = new Connection();
  rooms = new Rooms(this.connection);
  #page = null;
  #asked = 0;
  #notice = h("p", { class: "notice lost", role: "alert", hidden: true });
  #main = h("div", { class: "app" });

  async start() {
    applySettings();
    const scanned = /^\/room\/([A-Za-z0-9]{1,16})$/.exec(location.pathname)?.[1];
    if (scanned) history.replaceState(null, "", `/#/room/${scanned}`);
    await loadTexts(settings().language);
    document.body.replaceChildren(this.#notice, this.#main, toasts, liveRegion);
    onSettings((changes) => {
      if ("language" in changes) this.#speak();
    });
    this.connection.addEventListener("status", () => this.#showStatus());
    addEventListener("hashchange", () => this.show());
    document.addEventListener("keydown", (event) => this.#key(event));
    if (this.connection.token) await this.connection.hello("", settings().language).catch(() => {});
    await this.show();
    performance.mark("ready");
    document.documentElement.dataset.ready = "true";
    // Most people go on to a table: what it needs is fetched while they look round.
    (globalThis.requestIdleCallback ?? setTimeout)(() => PLACES.room().catch(() => {}));
  }

  /** Who plays here; asks the server for a newcomer's place under this nickname. */
  async introduce(nickname) {
    await this.connection.hello(nickname, settings().language);
  }

  get player() {
    return this.connection.status === "closed" || this.connection.status === "refused" ? null : this.connection.player;
  }

  go(path) {
    if (location.hash === path || (!location.hash && path === "#/")) this.show();
    else location.hash = path;
  }

  openSettings() {
    openSettings(this);
  }

  /** Does something with the server; a refusal is told to the player. True when it was done. */
  async attempt(work) {
    try {
      await work();
      return true;
    } catch (refused) {
      if (refused.findings) toast(findingText(refused.findings[0]));
      else toast(refused.code ? refusalText(refused) : t("web.lost"));
      return false;
    }
  }

  /** Shows what the address names; when it names something else before that is there, only the last is shown. */
  async show() {
    this.#asked += 1;
    const turn = this.#asked;
    this.#page?.close();
    const page = await this.#place();
    if (turn !== this.#asked) {
      page.close();
      return;
    }
    this.#page = page;
    this.#main.replaceChildren(page.element);
    document.title = page.title;
  }

  /** The page that the address names; the lobby where it names none, or that page cannot be had. */
  async #place() {
    const code = /^#\/room\/([A-Za-z0-9]{1,16})$/.exec(location.hash)?.[1];
    const name = /^#\/(\w+)/.exec(location.hash)?.[1] ?? "";
    let page = null;
    if (Object.hasOwn(PLACES, name) && (name !== "room" || code))
      await this.attempt(async () => {
        page = await (await PLACES[name]())(this, code?.toUpperCase());
      });
    return page ?? makeLobby(this);
  }

  async #speak() {
    const { name } = document.activeElement;
    await loadTexts(settings().language);
    await this.show();
    this.#showStatus();
    if (name) this.#main.querySelector(`[name="${name}"]`)?.focus();
  }

  #showStatus() {
    const lost = this.connection.status === "lost";
    if (!lost && !this.#notice.hidden) toast(t("web.reconnected"));
    setText(this.#notice, lost ? t("web.reconnecting") : "");
    setShown(this.#notice, lost);
    this.#page?.freshness?.(!lost);
    // Signed out elsewhere: the token is worthless, and there is nobody here any more.
    if (this.connection.status === "refused" && this.#page) this.show();
  }

  /** Keys are bound to places on the keyboard, so that they work in every layout; never while somebody writes. */
  #key(event) {
    const writes = event.target.closest?.("input:not([type=range]), textarea, select, dialog");
    const amount = event.target.classList?.contains("amount-field") && !event.code.startsWith("Digit");
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || (writes && !amount)) return;
    if (this.#page?.key?.(event.code)) event.preventDefault();
  }
}

new App().start();
