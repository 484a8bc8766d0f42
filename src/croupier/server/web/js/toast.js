// Short messages that come and go at the edge of the page, and are read aloud.

import { h } from "./dom.js";
import { tell } from "./speech.js";

const SHOWN_MS = 6000;

export const toasts = h("div", { class: "toasts" });

export function toast(text) {
  const element = h("p", { class: "toast" }, text);
  toasts.append(element);
  tell(text);
  setTimeout(() => element.remove(), SHOWN_MS);
}
