// The pages besides the lobby: each is loaded when somebody goes there.

import { suitMark } from "./cards.js";
import { h, icon } from "./dom.js";
import { loadSheet } from "./games/registry.js";
import { t } from "./texts.js";

/** What `#/name` shows: a function that gives the maker of the page, and the style sheets of it alone. */
const PAGES = {
  room: [() => import("./roompage.js").then((module) => module.makeRoomPage)],
  casino: [() => import("./casino/page.js").then((module) => module.makeCasino), "casino", "verify"],
  classroom: [() => import("./classroom/page.js").then((module) => module.makeClassroom), "classroom"],
  beamer: [() => import("./classroom/page.js").then((module) => module.makeBeamer), "classroom"],
  verify: [() => import("./verify/page.js").then((module) => module.makeVerify), "verify"],
  lab: [() => import("./lab/page.js").then((module) => module.makeLab), "lab", "solver"],
  replay: [() => import("./replaypage.js").then((module) => module.makeReplayPage), "verify"],
  fairness: [() => import("./fairnesspage.js").then((module) => module.makeFairness), "verify"],
};

export const isPlace = (name) => Object.hasOwn(PAGES, name);

/** Loads what `#/name` needs; gives the maker of the page. */
export async function loadPlace(name) {
  const [load, ...sheets] = PAGES[name];
  const [make] = await Promise.all([load(), ...sheets.map((sheet) => loadSheet(`/css/${sheet}.css`))]);
  return make;
}

/** The way to the fairness page, from wherever somebody may wonder. */
export function fairnessLink() {
  return h("a", { class: "fairness-link", href: "#/fairness" }, icon("shield"), t("web.fairness.enter"));
}

const SUITS = { casino: "c", classroom: "s", lab: "h", verify: "d" };

/** The ways there, for the lobby. */
export function placeCards() {
  return Object.keys(SUITS).map((place) =>
    h(
      "a",
      { class: "place", href: `#/${place}`, "data-place": place },
      suitMark(SUITS[place]),
      h("b", {}, t(`web.${place}.title`)),
      h("span", {}, t(`web.${place}.about`)),
    ),
  );
}
