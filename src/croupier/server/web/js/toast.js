// Short messages that come and go at the edge of the page, and are read aloud.

import { h } from "./dom.js";
import { tell } from "./speech.js";

const SHOWN_MS = 6000;
/** More than that would cover what they are about. */
const SHOWN_MAX = 3;

export const toasts = h("div", { class: "toasts", popover: "manual" });

export function toast(text) {
  const element = h("p", { class: "toast" }, text);
  for (const old of Array.from(toasts.children)) if (old.textContent === text) old.remove();
  while (toasts.children.length >= SHOWN_MAX) toasts.firstElementChild.remove();
  // Shown anew, it lies over every dialog that has been opened since.
  if (toasts.matches(":popover-open")) toasts.hidePopover();
  toasts.showPopover();
  toasts.append(element);
  tell(text);
  setTimeout(() => {
    element.remove();
    if (!toasts.children.length && toasts.matches(":popover-open")) toasts.hidePopover();
  }, SHOWN_MS);
}
