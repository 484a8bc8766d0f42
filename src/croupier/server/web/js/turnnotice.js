// Tells somebody who looks elsewhere that it is their turn: by the title and the icon of the tab, a vibration, and where
// they allowed it a notification of the system.

import { settings } from "./settings.js";
import { gameName, t } from "./texts.js";

/** What was chosen in advance is played within this time: then there is nothing to tell. */
const SETTLED_MS = 500;
const VIBRATION_MS = [120, 80, 120];

/** Whether this browser lets the page ask for notifications: only where it is secure. */
export const mayNotify = () => isSecureContext && "Notification" in globalThis;

/** Asks for the permission; whether it was given. */
export async function askToNotify() {
  return mayNotify() && (await Notification.requestPermission()) === "granted";
}

const iconLink = () => document.querySelector("link[rel=icon]");

export class TurnNotice {
  #title;
  #mine = false;
  /** The room's version with which the last turn began: after an outage the same turn is not told of again. */
  #since = 0;
  #timer = 0;
  #shown = null;

  /** `title` is that of the page while nobody waits for the reader. */
  constructor(title) {
    this.#title = title;
  }

  get title() {
    return this.#mine ? `● ${t("web.turn.yours")} · ${this.#title}` : this.#title;
  }

  /** Takes a new state: is it the reader's turn? */
  show({ public: shown, you }) {
    const mine = shown.phase === "playing" && !shown.paused && you.menu.length > 0;
    if (mine === this.#mine) return;
    this.#mark(mine);
    if (!mine || shown.version === this.#since) return;
    this.#since = shown.version;
    this.#timer = setTimeout(() => this.#call(shown), SETTLED_MS);
  }

  /** The line is lost: whether it is still the reader's turn, nobody knows, and nothing can be done about it. */
  lost() {
    if (this.#mine) this.#mark(false);
  }

  #mark(mine) {
    this.#mine = mine;
    document.title = this.title;
    iconLink().href = mine ? "/icon-turn.svg" : "/icon.svg";
    clearTimeout(this.#timer);
    if (!mine) this.#takeBack();
  }

  close() {
    clearTimeout(this.#timer);
    this.#takeBack();
    iconLink().href = "/icon.svg";
  }

  #call({ game, roomCode }) {
    const chosen = settings();
    if (chosen.vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
    if (chosen.notification && document.hidden) this.#notify(t("web.turn.yours"), `${gameName(game)} · ${roomCode}`);
  }

  /** On phones only a service worker may show one. */
  async #notify(title, body) {
    if (!mayNotify() || Notification.permission !== "granted") return;
    const options = { body, icon: "/icon.svg", tag: "croupier-turn", renotify: true };
    const worker = await navigator.serviceWorker?.getRegistration();
    if (!this.#mine) return;
    if (worker?.active) {
      await worker.showNotification(title, options);
      this.#shown = { close: () => worker.getNotifications({ tag: options.tag }).then((all) => all.forEach((each) => each.close())) };
      return;
    }
    const notification = new Notification(title, options);
    notification.onclick = () => {
      focus();
      notification.close();
    };
    this.#shown = notification;
  }

  #takeBack() {
    this.#shown?.close();
    this.#shown = null;
  }
}
