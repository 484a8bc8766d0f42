// The form of a room's options: made from what the game's entry in the registry lists, every option explained.

import { h, setShown } from "./dom.js";
import { GAMES } from "./games/registry.js";
import { t } from "./texts.js";

/** What every room has, by its name on the wire. */
const ROOM_OPTIONS = [
  { name: "turnSeconds", low: 3, high: 600, value: 30 },
  { name: "bankSeconds", low: 0, high: 3600, value: 60 },
  { name: "pauseSeconds", low: 0, high: 60, value: 5 },
];

/** A form for a game. `value()` gives what ROOM_CREATE and HOST_SET_OPTIONS take. */
export function makeOptions(game, present = null) {
  const entry = GAMES[game];
  const [fewest, most] = entry.seats;
  const seats = number("seats", { low: fewest, high: most, value: Math.min(6, most) }, "room", present?.options.seats);
  const common = ROOM_OPTIONS.map((option) => number(option.name, option, "room", present?.options[option.name]));
  const own = entry.options.map((option) => number(option.name, option, game, present?.rules[option.name]));
  const listed = h("input", {
    type: "checkbox",
    role: "switch",
    name: "listed",
    checked: present?.options.listed ?? false,
  });
  const preset = h(
    "select",
    { name: "preset" },
    ...entry.presets.map((name) =>
      h("option", { value: name, selected: name === present?.preset }, t(`${game}.preset.${name}`)),
    ),
  );
  const about = h("small", {});
  const fit = () => {
    about.textContent = t(`web.preset.${game}.${preset.value}`);
    own.forEach(({ element }, place) =>
      setShown(element, entry.options[place].presets?.includes(preset.value) ?? true),
    );
  };
  preset.addEventListener("change", fit);
  fit();
  const element = h(
    "div",
    { class: "options" },
    h("label", { class: "option" }, h("span", {}, t("web.option.preset")), preset, about),
    seats.element,
    ...own.map((field) => field.element),
    h("details", {}, h("summary", {}, t("web.option.more")), ...common.map((field) => field.element)),
    h(
      "label",
      { class: "option switch" },
      h("span", {}, t("web.option.room.listed")),
      listed,
      h("small", {}, t("web.option.room.listed_about")),
    ),
  );
  const value = () => ({
    preset: preset.value,
    rules: Object.fromEntries(own.filter((field) => !field.element.hidden).map((field) => [field.name, field.value()])),
    options: {
      ...Object.fromEntries([seats, ...common].map((field) => [field.name, field.value()])),
      listed: listed.checked,
    },
  });
  return { element, value };
}

function number(name, { low, high, value }, area, present) {
  const input = h("input", {
    type: "number",
    inputmode: "numeric",
    name,
    min: low,
    max: high,
    value: present ?? value,
    required: true,
  });
  const element = h(
    "label",
    { class: "option" },
    h("span", {}, t(`web.option.${area}.${name}`)),
    input,
    h("small", {}, t(`web.option.${area}.${name}_about`)),
  );
  return { name, element, value: () => Number(input.value) };
}
