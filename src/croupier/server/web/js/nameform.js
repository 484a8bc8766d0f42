// The question for a name, for somebody who comes straight to a page and is not known yet.

import { h } from "./dom.js";
import { brand } from "./lobby.js";
import { NICKNAME_CHARACTERS_MAX } from "./nickname.js";
import { t } from "./texts.js";

/** A whole page that asks; once the name is known the page that the address names is shown. */
export function askName(app, title, about) {
  const name = h("input", {
    name: "nickname",
    maxlength: NICKNAME_CHARACTERS_MAX,
    required: true,
    autocomplete: "nickname",
    spellcheck: "false",
    autofocus: true,
  });
  const form = h(
    "form",
    { class: "panel door" },
    h("h1", {}, title),
    h("p", {}, about),
    h("label", { class: "nickname" }, h("span", {}, t("web.name.label")), name),
    h("div", { class: "button-row" }, h("button", { class: "primary" }, t("web.casino.enter"))),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await app.attempt(() => app.introduce(name.value))) app.show();
  });
  return h("div", { class: "room" }, h("header", { class: "bar" }, brand()), h("main", { class: "stage" }, form));
}
