// The door of a room: for somebody who came by link or code and is not in it yet.

import { h, setShown } from "./dom.js";
import { brand } from "./lobby.js";
import { t } from "./texts.js";

/** `waits` is true for somebody who has asked to be let in already. */
export function makeDoor(app, code, fault = "", waits = false) {
  let waiting = false;
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
      try {
        await app.rooms.join(code, asSpectator, () => showWaiting(true));
        waiting = false;
        app.show();
      } catch (refused) {
        showWaiting(false);
        if (refused.code !== "LEFT") throw refused;
      }
    });
  const showWaiting = (now) => {
    waiting = now;
    setShown(about, !now);
    setShown(buttons, !now);
    setShown(patience, now);
  };
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
  const about = fault ? h("p", { class: "fault", role: "alert" }, fault) : h("p", {}, t("web.door.about"));
  const buttons = h("div", { class: "button-row", hidden: fault !== "" }, sit, watch);
  const giveUp = () => app.rooms.giveUp(code).catch(() => {});
  const patience = h(
    "div",
    { class: "column", role: "status", hidden: true },
    h("p", {}, t("web.entry.wait")),
    h("button", { type: "button", class: "quiet-button", on: { click: giveUp } }, t("web.entry.give_up")),
  );
  const form = h(
    "form",
    { class: "panel door" },
    h("h1", {}, t("web.door.title", { code })),
    about,
    name ? h("label", { class: "nickname" }, h("span", {}, t("web.name.label")), name) : null,
    buttons,
    patience,
    fault ? h("a", { href: "#/", class: "quiet-button" }, t("web.door.back")) : null,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(false);
  });
  if (waits) enter(false);
  const element = h(
    "div",
    { class: "room" },
    h("header", { class: "bar" }, brand()),
    h("main", { class: "stage" }, form),
  );
  const close = () => {
    if (waiting) giveUp();
    waiting = false;
  };
  return { element, title: `${code} · ${t("web.title")}`, close };
}
