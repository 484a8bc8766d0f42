// The page: settings and texts first, then the connection, then whatever the address names.
//
//   /             the lobby
//   /#/room/CODE  a room; /room/CODE, as QR codes have it, leads there too
//   /#/casino     and the other pages of `places.js`

import { Connection } from "./connection.js";
import { h, setShown, setText } from "./dom.js";
import { keepShell } from "./install.js";
import { loadGames } from "./games/registry.js";
import { makeLobby } from "./lobby.js";
import { isPlace, loadPlace } from "./places.js";
import { Rooms } from "./rooms.js";
import { applySettings, onSettings, settings } from "./settings.js";
import { openSettings } from "./settingsdialog.js";
import { liveRegion } from "./speech.js";
import { currentLanguage, findingText, loadMoreTexts, loadTexts, refusalText, t } from "./texts.js";
import { toasts, toast } from "./toast.js";

const GREETING_MS_MAX = 4000;

class App {
  connection = new Connection();
  rooms = new Rooms(this.connection);
  #page = null;
  #asked = 0;
  #notice = h("p", { class: "notice lost", role: "alert", hidden: true });
  #offline = h("p", { class: "notice offline", role: "status", hidden: true });
  #main = h("div", { class: "app" });

  async start() {
    applySettings();
    const scanned = /^\/room\/([A-Za-z0-9]{1,16})$/.exec(location.pathname)?.[1];
    if (scanned) history.replaceState(null, "", `/#/room/${scanned}`);
    await Promise.all([loadTexts(settings().language), loadGames()]);
    document.body.replaceChildren(this.#notice, this.#offline, this.#main, toasts, liveRegion);
    onSettings((changes) => {
      if ("language" in changes) this.#speak();
    });
    this.connection.addEventListener("status", () => this.#showStatus());
    for (const change of ["online", "offline"]) addEventListener(change, () => this.#showStatus());
    addEventListener("hashchange", () => this.#arrive());
    document.addEventListener("keydown", (event) => this.#key(event));
    await this.#greet();
    await this.show();
    this.#showStatus();
    performance.mark("ready");
    document.documentElement.dataset.ready = "true";
    // Most people go on to a table: what it needs is fetched and rehearsed while they look round.
    (globalThis.requestIdleCallback ?? setTimeout)(async () => {
      keepShell(currentLanguage());
      await loadPlace("room").catch(() => {});
      // Without it, as where the line has gone, the first deal is slower to check.
      const rehearsal = await import("./fairness/rehearsal.js").catch(() => null);
      await rehearsal?.rehearse();
      performance.mark("rehearsed");
    });
  }

  /** Somebody who has been here is known again. Where the server does not answer, the page does not wait for it. */
  async #greet() {
    if (!this.connection.token) return;
    const late = Symbol("late");
    const known = this.connection.hello("", settings().language).catch(() => {});
    const patience = new Promise((resolve) => setTimeout(resolve, navigator.onLine ? GREETING_MS_MAX : 0, late));
    if ((await Promise.race([known, patience])) === late) known.then(() => this.show());
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
      if (refused.findings) {
        await loadMoreTexts();
        toast(findingText(refused.findings[0]));
      }
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

  /** Shows another place from its top, and lets those who hear the page begin at its title. */
  async #arrive() {
    await this.show();
    scrollTo(0, 0);
    const start = this.#main.querySelector("[autofocus]") ?? this.#main.querySelector("h1");
    if (start?.matches("h1")) start.tabIndex = -1;
    start?.focus({ preventScroll: true });
  }

  /** The page that the address names; the lobby where it names none, or that page cannot be had. */
  async #place() {
    const code = /^#\/room\/([A-Za-z0-9]{1,16})$/.exec(location.hash)?.[1];
    const name = /^#\/(\w+)/.exec(location.hash)?.[1] ?? "";
    let page = null;
    if (isPlace(name) && (name !== "room" || code))
      await this.attempt(async () => {
        const [make] = await Promise.all([loadPlace(name), loadMoreTexts()]);
        page = await make(this, code?.toUpperCase());
      });
    return page ?? (await makeLobby(this));
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
    // Where nobody plays, only the device's own word tells that there is no network.
    setText(this.#offline, t("web.offline"));
    setShown(this.#offline, !lost && !navigator.onLine);
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
