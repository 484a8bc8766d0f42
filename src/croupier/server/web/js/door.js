// The door of a room: for somebody who came by link or code and is not in it yet.

import { h } from "./dom.js";
import { brand } from "./lobby.js";
import { t } from "./texts.js";

export function makeDoor(app, code, fault = "") {
  const name = app.player
    ? null
    : h("input", {
        name: "nickname",
        maxlength: 20,
        required: true,
        autocomplete: "nickname",
        spellcheck: "false",
        autofocus: true,
      });
  const enter = (asSpectator) =>
    app.attempt(async () => {
      if (name) await app.introduce(name.value);
      await app.rooms.join(code, asSpectator);
      app.show();
    });
  const sit = h("button", { class: "primary" }, t("web.door.sit"));
  const watch = h(
    "button",
    {
      type: "button",
      class: "quiet-button",
      on: {
        click: () => {
          if (form.reportValidity()) enter(true);
        },
      },
    },
    t("web.door.watch"),
  );
  const form = h(
    "form",
    { class: "panel door" },
    h("h1", {}, t("web.door.title", { code })),
    fault ? h("p", { class: "fault", role: "alert" }, fault) : h("p", {}, t("web.door.about")),
    name ? h("label", { class: "nickname" }, h("span", {}, t("web.name.label")), name) : null,
    fault ? null : h("div", { class: "button-row" }, sit, watch),
    fault ? h("a", { href: "#/", class: "quiet-button" }, t("web.door.back")) : null,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(false);
  });
  const element = h(
    "div",
    { class: "room" },
    h("header", { class: "bar" }, brand()),
    h("main", { class: "stage" }, form),
  );
  return { element, title: `${code} · ${t("web.title")}`, close: () => {} };
}
