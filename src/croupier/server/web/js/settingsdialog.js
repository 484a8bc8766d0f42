// The reader's own choices: language, looks, sound, pace, and who they are.

import { h, openDialog, setAttribute } from "./dom.js";
import { install, isInstallable } from "./install.js";
import { NICKNAME_CHARACTERS_MAX } from "./nickname.js";
import { changeSettings, PACE_NAMES, settings } from "./settings.js";
import { LANGUAGES, t } from "./texts.js";
import { toast } from "./toast.js";
import { askToNotify, mayNotify } from "./turnnotice.js";

const THEMES = ["auto", "light", "dark"];

export function openSettings(app) {
  const dialog = openDialog(t("web.settings.title"), t("web.close"), ...content(app));
  dialog.classList.add("settings");
}

/** The choice of a language by itself, where newcomers look for it. */
export function languageChoice() {
  const choice = select("language", LANGUAGES, settings().language);
  setAttribute(choice, "aria-label", t("web.settings.language.label"));
  return h("span", { class: "language" }, choice);
}

function content(app) {
  const chosen = settings();
  const named = (kind, names) => Object.fromEntries(names.map((name) => [name, t(`web.settings.${kind}.${name}`)]));
  const rows = [
    row("language", select("language", LANGUAGES, chosen.language)),
    row("theme", select("theme", named("theme", THEMES), chosen.theme)),
    row("pace", select("pace", named("pace", PACE_NAMES), chosen.pace)),
    row("sound", check("sound", chosen.sound)),
    row("four_colours", check("fourColours", chosen.fourColours)),
    row("coach", check("coach", chosen.coach)),
    ...("vibrate" in navigator ? [row("vibration", check("vibration", chosen.vibration))] : []),
    ...(mayNotify() ? [row("notification", notification(chosen.notification))] : []),
  ];
  if (isInstallable()) rows.push(installRow());
  if (!app.player) return rows;
  const change = h(
    "button",
    {
      type: "button",
      class: "quiet-button",
      on: {
        click: ({ target }) => {
          target.closest("dialog").close();
          openNewName(app);
        },
      },
    },
    t("web.name.change"),
  );
  return [
    ...rows,
    h("div", { class: "row" }, h("span", {}, t("web.name.playing_as", { name: app.player.name })), change),
    h("div", { class: "row" }, h("span", {}, t("web.sign_out.about")), signOut(app)),
  ];
}

/** The page as an app, where the browser offers that. */
function installRow() {
  const button = h("button", { type: "button", class: "quiet-button", "data-do": "install" }, t("web.install.button"));
  button.addEventListener("click", async () => {
    if (await install()) button.closest(".row").remove();
  });
  return h("div", { class: "row" }, h("span", {}, t("web.install.about")), button);
}

/** Ends the player's sessions everywhere but here. */
function signOut(app) {
  const button = h("button", { type: "button", class: "quiet-button" }, t("web.sign_out.elsewhere"));
  button.addEventListener("click", async () => {
    if (!(await app.attempt(() => app.connection.signOutElsewhere()))) return;
    button.closest("dialog").close();
    toast(t("web.sign_out.done"));
  });
  return button;
}

function row(name, control) {
  return h("label", { class: "row" }, h("span", {}, t(`web.settings.${name}.label`)), control);
}

function select(name, options, value) {
  const element = h(
    "select",
    { name },
    ...Object.entries(options).map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
  );
  element.addEventListener("change", () => choose(element, { [name]: element.value }));
  return element;
}

function check(name, value) {
  const element = h("input", { type: "checkbox", role: "switch", name, checked: value });
  element.addEventListener("change", () => choose(element, { [name]: element.checked }));
  return element;
}

/** Notifications are on when the reader wants them, and the browser's question was answered so. */
function notification(value) {
  const element = h("input", { type: "checkbox", role: "switch", name: "notification", checked: value });
  element.addEventListener("change", async () => {
    const wanted = element.checked && (await askToNotify());
    if (element.checked && !wanted) toast(t("web.settings.notification.refused"));
    element.checked = wanted;
    changeSettings({ notification: wanted });
  });
  return element;
}

function choose(control, changes) {
  if ("language" in changes) control.closest("dialog")?.close();
  changeSettings(changes);
}

function openNewName(app) {
  const field = h("input", {
    name: "nickname",
    maxlength: NICKNAME_CHARACTERS_MAX,
    required: true,
    autocomplete: "nickname",
    "aria-label": t("web.name.label"),
  });
  const form = h(
    "form",
    { class: "column" },
    h("p", {}, t("web.name.change_about")),
    field,
    h("button", { class: "primary" }, t("web.name.take")),
  );
  const dialog = openDialog(t("web.name.change"), t("web.close"), form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await app.attempt(() => app.introduce(field.value))) {
      dialog.close();
      app.show();
    }
  });
}
