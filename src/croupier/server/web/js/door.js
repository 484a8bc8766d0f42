// The door of a room: for somebody who came by link or code and is not in it yet.

import { h, setShown } from "./dom.js";
import { brand } from "./lobby.js";
import { NICKNAME_CHARACTERS_MAX } from "./nickname.js";
import { gameEntry, loadGame } from "./games/registry.js";
import { languageChoice } from "./settingsdialog.js";
import { gameName, plural, presetName, refusalText, t } from "./texts.js";

const GUESTS = 1000;
/** Refusals that no name and no second try would change. */
const FINAL = ["NO_SUCH_ROOM", "GAME_NOT_OFFERED"];

/** Why a room cannot be entered, in words. */
export const refusedText = (refusal) =>
  refusal.code === "GAME_NOT_OFFERED"
    ? t("web.door.not_offered", { game: gameName(refusal.facts.game) })
    : refusalText(refusal);

/** What the server tells of a room before one comes in: a RoomDoor, or { fault }; null when it cannot be had. */
async function lookThrough(code) {
  try {
    const answer = await fetch(`/api/rooms/${code}`);
    const told = await answer.json();
    if (answer.ok) {
      await loadGame(told.game);
      return told;
    }
    return FINAL.includes(told.code) ? { fault: refusedText(told) } : null;
  } catch {
    return null;
  }
}

/** Game, host, stakes, and who sits there. */
function tableFacts({ game, preset, hostName, players, seats, names, rules }) {
  const stakes = gameEntry(game).stakes?.(rules) ?? "";
  // Where names are told, all others are bots.
  const bots = names.length ? players - names.length : 0;
  const sitting = bots > 0 ? [...names, plural("web.door.bots", bots)] : names;
  return [
    h("p", {}, [presetName(game, preset), stakes].filter(Boolean).join(" · ")),
    hostName ? h("p", {}, t("web.door.host", { name: hostName })) : null,
    h("p", { class: "quiet" }, t("web.waiting.seats", { players, seats }), sitting.length ? `: ${sitting.join(", ")}` : ""),
  ];
}

/** Why a newcomer can only watch; "" for who can sit down. */
function watchReason({ sits, seatsKept, phase, seats }) {
  if (sits) return "";
  if (phase === "ended") return t("web.door.ended");
  return seatsKept ? t("web.door.running") : t("web.door.full", { seats });
}

/** `known` is a fault that is known already; `waits` is true for somebody who has asked to be let in, `returns` for who
 * has a seat there. */
export async function makeDoor(app, code, { known = "", waits = false, returns = false } = {}) {
  let waiting = false;
  const room = known ? null : await lookThrough(code);
  const fault = known || room?.fault || "";
  const reason = room && !room.fault && !returns ? watchReason(room) : "";
  const name = app.player || fault
    ? null
    : h("input", {
        value: t("web.door.guest", { number: 1 + Math.floor(Math.random() * GUESTS) }),
        on: { focus: ({ target }) => target.select() },
        name: "nickname",
        maxlength: NICKNAME_CHARACTERS_MAX,
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
      class: reason ? "primary" : "quiet-button",
      on: {
        click: () => {
          if (form.reportValidity()) enter(true);
        },
      },
    },
    t("web.door.watch"),
  );
  const about = fault
    ? h("p", { class: "fault", role: "alert" }, fault)
    : h("div", { class: "column" }, h("p", {}, t("web.door.about")), ...(room ? tableFacts(room) : []));
  const why = reason ? h("p", { class: "hint", role: "status" }, reason) : null;
  const buttons = h("div", { class: "button-row", hidden: fault !== "" }, reason ? null : sit, watch);
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
    h("h1", {}, [room?.game && gameName(room.game), t("web.door.title", { code })].filter(Boolean).join(" · ")),
    about,
    why,
    name ? h("label", { class: "nickname" }, h("span", {}, t("web.name.label")), name) : null,
    buttons,
    patience,
    fault ? h("a", { href: "#/", class: "quiet-button" }, t("web.door.back")) : null,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(reason !== "");
  });
  if (waits) enter(false);
  const element = h(
    "div",
    { class: "room" },
    h("header", { class: "bar" }, brand(), h("span", { class: "gap" }), languageChoice()),
    h("main", { class: "stage" }, form),
  );
  const close = () => {
    if (waiting) giveUp();
    waiting = false;
  };
  return { element, title: `${code} · ${t("web.title")}`, close };
}
