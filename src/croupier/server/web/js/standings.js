// The end of a match: who came where, in a table, and what can be done now.

import { h } from "./dom.js";
import { avatar } from "./people.js";
import { gameEntry } from "./games/registry.js";
import { hasText, number, t } from "./texts.js";

/** Rows { name, value } in order with their places: equal values share one. */
function placed(rows) {
  let place = 0;
  return rows.map((row, index) => {
    if (!index || row.rank !== rows[index - 1].rank) place = index + 1;
    return { ...row, place };
  });
}

/** What a match is measured by. */
function standingName(game, view) {
  if (hasText(`${game}.standing`)) return t(`${game}.standing`);
  return t(view.seats?.some(({ chips }) => Number.isInteger(chips)) ? "web.ended.chips" : "web.ended.points");
}

/** The end of a match: who won, the first three on a podium, what is worth telling, and the whole table. `nameOf` gives
 * the name of a seat, "" where nobody sits; `memory` is what the game remembers of the room. */
export async function matchEnd(view, shown, nameOf, memory) {
  const { standings, story } = gameEntry(shown.game);
  const rows = placed(standings(view, nameOf, shown.payouts));
  const told = memory && story ? (await story()).story(memory) : [];
  return [podium(rows), toldOf(told), standingsTable(rows, shown.game, view)].filter(Boolean);
}

/** What stands over the end of a match: its winner, where there is one. */
export function headline(view, { game, payouts }, nameOf) {
  const first = placed(gameEntry(game).standings(view, nameOf, payouts)).filter(({ place }) => place === 1);
  return first.length === 1 ? t("web.ended.won", { name: first[0].name }) : t("web.ended.title");
}

function podium(rows) {
  const steps = rows.filter(({ place }) => place <= 3).slice(0, 3);
  if (steps.length < 2) return null;
  return h(
    "ol",
    { class: "podium", "aria-label": t("web.ended.podium") },
    ...steps.map(({ place, name }) =>
      h("li", { class: `step-${place}` }, avatar(name), h("b", {}, name), h("span", { class: "step" }, number(place))),
    ),
  );
}

function toldOf(sentences) {
  if (!sentences.length) return null;
  return h("section", { class: "night" }, h("h3", {}, t("web.ended.story")), h("ul", {}, ...sentences.map((text) => h("li", {}, text))));
}

function standingsTable(rows, game, view) {
  const head = [t("web.ended.place"), t("web.ended.name"), standingName(game, view)].map((text) => h("th", { scope: "col" }, text));
  const body = rows.map(({ place, name, value, own }) =>
    h(
      "tr",
      { class: place === 1 ? "winner" : "", "aria-current": own ? "true" : null },
      h("td", {}, number(place)),
      h("th", { scope: "row" }, name),
      h("td", {}, number(value)),
    ),
  );
  return h(
    "div",
    { class: "standings-place", tabindex: "0", role: "region", "aria-label": t("web.ended.standings") },
    h(
      "table",
      { class: "standings" },
      h("caption", { class: "unseen" }, t("web.ended.standings")),
      h("thead", {}, h("tr", {}, ...head)),
      h("tbody", {}, ...body),
    ),
  );
}
