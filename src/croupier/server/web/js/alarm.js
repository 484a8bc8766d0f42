// An alarm: the server did what an honest one does not. It lies over everything until the player has decided, and says
// who did what, what to do now, and how to keep the evidence.

import { saveText } from "./downloads.js";
import { h, icon, openDialog } from "./dom.js";
import { findingText, t } from "./texts.js";

/** A button that saves the player's own log of a room. */
export function logButton(room) {
  const save = async () => saveText(await room.guard.log(), `croupier-${room.code}-mine.jsonl`, "application/x-ndjson");
  return h(
    "button",
    { type: "button", class: "quiet-button small", "data-download": "mine", on: { click: save } },
    icon("download"),
    t("web.alarm.save"),
  );
}

/** Every kind of finding once, as sentences: seven false cards are one lie, and all of them are in the log. */
function sentences(findings) {
  const kinds = findings.filter((found, at) => findings.findIndex(({ code }) => code === found.code) === at);
  return h("ul", { class: "faults" }, ...kinds.map((found) => h("li", {}, findingText(found))));
}

/** Asks the player what to do about an alarm. Nothing but a decision closes it. `leave` and `goOn` are what they do. */
export function openAlarm(room, { leave, goOn }) {
  const decide = (work) => () => {
    dialog.close();
    work();
  };
  const heading = h("h2", { id: "alarm-title" }, icon("alarm"), t("web.alarm.title"));
  const dialog = h(
    "dialog",
    { class: "alarm-dialog", role: "alertdialog", "aria-labelledby": heading.id, "aria-describedby": "alarm-text" },
    heading,
    h(
      "div",
      { id: "alarm-text" },
      sentences(room.alarms),
      h("p", {}, t("web.alarm.stopped")),
      h("p", {}, t("web.alarm.advice")),
    ),
    h("div", { class: "button-row" }, logButton(room)),
    h(
      "div",
      { class: "button-row" },
      h(
        "button",
        { type: "button", class: "primary", "data-do": "leave", on: { click: decide(leave) } },
        t("web.alarm.leave"),
      ),
      h(
        "button",
        { type: "button", class: "quiet-button", "data-do": "go-on", on: { click: decide(goOn) } },
        t("web.alarm.go_on"),
      ),
    ),
  );
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks whether to cut on although many deals were void. */
export function openVoids(note, { leave, goOn }) {
  const dialog = openDialog(
    t("web.voids.title"),
    t("web.close"),
    h("p", {}, findingText(note)),
    h(
      "div",
      { class: "button-row" },
      h("button", { type: "button", class: "primary", "data-do": "go-on" }, t("web.voids.go_on")),
      h("button", { type: "button", class: "quiet-button", "data-do": "leave" }, t("web.alarm.leave")),
    ),
  );
  for (const [name, work] of Object.entries({ "go-on": goOn, leave })) {
    dialog.querySelector(`[data-do=${name}]`).addEventListener("click", () => {
      dialog.close();
      work();
    });
  }
}
