// The lab: five pages under one roof, each loaded when somebody goes there.
//
//   #/lab/strategy?decks=2   the best play for any rules; the address keeps the rules
//   #/lab/equity             hands and ranges against each other
//   #/lab/solver?board=…     a spot of Hold'em, solved and walked through
//   #/lab/pushfold?stack=10  push or fold before the flop, and a drill
//   #/lab/simulation?…       a way to play, played

import { h, setAttribute } from "../dom.js";
import { t } from "../texts.js";
import { topBar } from "../topbar.js";

const ROOMS = {
  strategy: () => import("./strategy.js").then((module) => module.makeStrategy),
  equity: () => import("./equity.js").then((module) => module.makeEquity),
  solver: () => import("./solver.js").then((module) => module.makeSolver),
  pushfold: () => import("./pushfold.js").then((module) => module.makePushfold),
  simulation: () => import("./simulation.js").then((module) => module.makeSimulation),
};

/** What the address asks of the room, and a way to keep what is asked there without going anywhere. */
function question(room) {
  const given = Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? ""));
  const keep = (values) => {
    const written = new URLSearchParams(values).toString();
    history.replaceState(null, "", `#/lab/${room}${written ? `?${written}` : ""}`);
  };
  return { given, keep };
}

export async function makeLab(app) {
  const named = /^#\/lab\/(\w+)/.exec(location.hash)?.[1];
  const room = named in ROOMS ? named : "strategy";
  const make = await ROOMS[room]();
  const { element, close, key } = await make(question(room));
  const ways = Object.keys(ROOMS).map((name) =>
    h(
      "a",
      { class: "lab-way", href: `#/lab/${name}`, "aria-current": name === room ? "page" : null },
      t(`web.lab.${name}.title`),
    ),
  );
  const page = h(
    "div",
    { class: "lab-page" },
    topBar(app),
    h("nav", { class: "lab-ways", "aria-label": t("web.lab.title") }, ...ways),
    h(
      "main",
      { class: "lab" },
      h("h1", {}, t(`web.lab.${room}.title`)),
      h("p", {}, t(`web.lab.${room}.about`)),
      element,
    ),
  );
  setAttribute(page, "data-room", room);
  return { element: page, title: `${t(`web.lab.${room}.title`)} · ${t("web.title")}`, close, key };
}
