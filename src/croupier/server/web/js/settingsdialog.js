// The reader's own choices: language, looks, sound, pace, and who they are.

import { h, openDialog, setAttribute } from "./dom.js";
import { changeSettings, PACE_NAMES, settings } from "./settings.js";
import { LANGUAGES, t } from "./texts.js";
import { toast } from "./toast.js";

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
  ];
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

function choose(control, changes) {
  if ("language" in changes) control.closest("dialog")?.close();
  changeSettings(changes);
}

function openNewName(app) {
  const field = h("input", {
    name: "nickname",
    maxlength: 20,
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
