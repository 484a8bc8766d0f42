// What a screen reader is told: one polite region. Every message is a new paragraph, so the same words are read again.
// While a dialog is open only what lies in it is heard: the region goes along.

import { h } from "./dom.js";

const KEPT_MS = 20_000;
/** A region must have been there for a moment before what comes into it is read. */
const MOVED_MS = 100;
const region = h("div", { class: "unseen", role: "log", "aria-live": "polite", "aria-relevant": "additions" });

export const liveRegion = region;

export function tell(text) {
  if (!text) return;
  const place = Array.from(document.querySelectorAll("dialog[open]")).at(-1) ?? document.body;
  const moved = region.parentElement !== place;
  if (moved) place.append(region);
  const paragraph = h("p", {}, text);
  if (moved) setTimeout(() => region.append(paragraph), MOVED_MS);
  else region.append(paragraph);
  setTimeout(() => paragraph.remove(), KEPT_MS);
}
