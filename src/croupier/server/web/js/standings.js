// The end of a match: who came where, in a table, and what can be done now.

import { h } from "./dom.js";
import { GAMES } from "./games/registry.js";
import { number, t } from "./texts.js";

/** Rows { name, value } in order with their places: equal values share one. */
function placed(rows) {
  let place = 0;
  return rows.map((row, index) => {
    if (!index || row.rank !== rows[index - 1].rank) place = index + 1;
    return { ...row, place };
  });
}

/** The table of a match that is over. `nameOf` gives the name of a seat, "" where nobody sits. */
export function standingsTable(view, game, nameOf) {
  const rows = placed(GAMES[game].standings(view, nameOf));
  const head = ["place", "name", `value.${game}`].map((key) => h("th", { scope: "col" }, t(`web.ended.${key}`)));
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
