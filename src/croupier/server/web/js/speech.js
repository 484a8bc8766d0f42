// What a screen reader is told: one polite region. Every message is a new paragraph, so the same words are read again.

import { h } from "./dom.js";

const KEPT_MS = 20_000;
const region = h("div", { class: "unseen", role: "log", "aria-live": "polite", "aria-relevant": "additions" });

export const liveRegion = region;

export function tell(text) {
  if (!text) return;
  const paragraph = h("p", {}, text);
  region.append(paragraph);
  setTimeout(() => paragraph.remove(), KEPT_MS);
}
