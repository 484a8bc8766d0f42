// How a game is played, which rules hold at this table, and what the keys do: one sheet, one key away.

import { h, openDialog } from "./dom.js";
import { gameEntry, gameShape, presetOf } from "./games/registry.js";
import { gameName, hasText, loadMoreTexts, number, presetName, t, textOr } from "./texts.js";

/** The key that opens the sheet, by its place on the keyboard: `?`. */
export const HELP_KEY = "Slash";

/** Opens the sheet of a game. `table` = { preset, rules } are those of the room that is on show; `keys` are those of the
 * page round the table. */
export async function openHelp(game, table = null, keys = []) {
  await loadMoreTexts();
  const dialog = openDialog(
    t("web.help.title", { game: gameName(game) }),
    t("web.close"),
    howTo(game),
    keysOf([...gameEntry(game).shortcuts, ...keys]),
    table ? rulesOf(game, table) : null,
  );
  dialog.classList.add("help");
}

/** How a game is played, in a few sentences. */
export function howTo(game) {
  const said = [];
  while (hasText(`how.${game}.${said.length + 1}`)) said.push(t(`how.${game}.${said.length + 1}`));
  if (!said.length) return h("p", {}, t("web.help.none"));
  return h("ul", { class: "how-to" }, ...said.map((text) => h("li", {}, text)));
}

/** What is chosen at a table: the form's own name and value, then the value and the option as the rules have them. */
export function ruleFacts(game, { preset, rules }) {
  const { changeable = [] } = presetOf(game, preset) ?? {};
  return gameShape(game)
    .options.map(({ name, usual = null }) => [name, rules[name] ?? (changeable.includes(name) ? usual : null)])
    .filter(([name, value]) => value !== null && hasText(`${game}.option.${name}`))
    .map(([name, value]) => [t(`${game}.option.${name}`), valueText(game, value), rules[name], name]);
}

function rulesOf(game, { preset, rules }) {
  const pairs = [[t("web.option.preset"), presetName(game, preset)], ...ruleFacts(game, { preset, rules })];
  const about = `${game}.preset_about.${preset}`;
  return h(
    "section",
    {},
    h("h3", {}, t("web.help.rules")),
    hasText(about) ? h("p", {}, t(about)) : null,
    h("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
  );
}

function valueText(game, value) {
  if (typeof value === "boolean") return t(value ? "web.help.yes" : "web.help.no");
  return typeof value === "number" ? number(value) : textOr(`${game}.choice.${value}`, value);
}

const EVERYWHERE = [
  ["?", "web.help.this"],
  ["Esc", "web.help.close"],
];

function keysOf(keys) {
  const rows = [...keys, ...EVERYWHERE].map(([keys, text]) => [
    h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key))),
    h("dd", {}, t(text)),
  ]);
  return h("section", {}, h("h3", {}, t("web.help.keys")), h("dl", { class: "keys" }, ...rows.flat()));
}
