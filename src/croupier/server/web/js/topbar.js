// The bar over a page: the way home, what belongs to the page, and the settings.

import { h, icon } from "./dom.js";
import { brand } from "./lobby.js";
import { t } from "./texts.js";

/** A button that is a drawing. */
export function tool(name, label, click) {
  return h("button", { type: "button", class: "icon", "aria-label": label, title: label, on: { click } }, icon(name));
}

export function topBar(app, ...content) {
  return h(
    "header",
    { class: "bar" },
    brand(),
    ...content,
    content.length ? null : h("span", { class: "gap" }),
    tool("settings", t("web.settings.title"), () => app.openSettings()),
  );
}
