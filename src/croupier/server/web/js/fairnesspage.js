// The fairness page: against whom a deal is protected, how, and what no proof can do. The same as SECURITY.md.

import { h, icon } from "./dom.js";
import { t } from "./texts.js";
import { topBar } from "./topbar.js";

const AGAINST = ["server", "seats", "network", "client"];
const UNSEEN = ["choose", "change", "place", "cut", "again", "rules", "tables", "record"];
const REMAINS = ["see", "stop", "miss", "who", "money", "page", "spectators", "machine"];
const YOURS = ["look", "pictures", "log", "local"];

export function makeFairness(app) {
  const element = h(
    "main",
    { class: "fairness" },
    topBar(app),
    h("h1", {}, t("web.fairness.title")),
    h("p", {}, t("web.fairness.intro")),
    panel("against", h("ul", {}, ...AGAINST.map((name) => h("li", {}, t(`web.fairness.against.${name}`))))),
    panel("unseen", h("dl", {}, ...UNSEEN.flatMap((name) => pair("unseen", name)))),
    panel("remains", h("dl", {}, ...REMAINS.flatMap((name) => pair("remains", name)))),
    panel("yours", h("ul", {}, ...YOURS.map((name) => h("li", {}, t(`web.fairness.yours.${name}`))))),
    h(
      "div",
      { class: "button-row" },
      h("a", { class: "quiet-button", href: "#/verify" }, icon("shield"), t("web.verify.title")),
    ),
  );
  return { element, title: `${t("web.fairness.title")} · ${t("web.title")}`, close: () => {} };
}

function panel(name, content) {
  return h("section", { class: "panel" }, h("h2", {}, t(`web.fairness.${name}.title`)), content);
}

function pair(part, name) {
  return [h("dt", {}, t(`web.fairness.${part}.${name}.what`)), h("dd", {}, t(`web.fairness.${part}.${name}.why`))];
}
