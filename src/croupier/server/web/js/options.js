// The form of a room's options, made from the server's description of the game: what each takes, and what holds now.

import { h, setShown } from "./dom.js";
import { gameEntry, gameShape, presetOf, roomChoices } from "./games/registry.js";
import { hasText, loadMoreTexts, presetName, t, textOr } from "./texts.js";

/** Room options that have a place of their own in the form, and one that nobody is asked about. */
const APART = ["seats", "listed", "cutSeconds"];

/** A form for a game, with `apart` at its end. `value()` gives what ROOM_CREATE and HOST_SET_OPTIONS take. Options that
 * few people change are folded away, so that the rest is in sight. */
export function makeOptions(game, present = null, apart = null) {
  const shape = gameShape(game);
  const room = roomChoices();
  const wanted = (name) => present?.options[name] ?? room.values[name];
  const common = room.options.filter(({ name }) => !APART.includes(name)).map((each) => makeField("room", each, wanted(each.name)));
  const seats = makeField("room", { name: "seats", kind: "number", whole: true }, present?.options.seats);
  const listed = makeField("room", { name: "listed", kind: "switch" }, wanted("listed"));
  const own = askedOf(shape).map((option) => makeField(game, option, present?.rules[option.name]));
  const { firstOptions } = gameEntry(game);
  const first = own.filter(({ name }) => !firstOptions || firstOptions.includes(name));
  const rest = own.filter((field) => !first.includes(field));
  const preset = h(
    "select",
    { name: "preset" },
    ...shape.presets.map(({ name }) =>
      h("option", { value: name, selected: name === present?.preset }, presetName(game, name)),
    ),
  );
  const about = h("small", {});
  const fit = (values) => {
    const { name, seats: range, customarySeats, rules, changeable } = presetOf(game, preset.value);
    about.textContent = hasText(`${game}.preset_about.${name}`) ? t(`${game}.preset_about.${name}`) : "";
    seats.bound(...range, values ? values.options.seats : customarySeats);
    for (const field of own) {
      setShown(field.element, changeable.includes(field.name));
      field.set(values ? values.rules[field.name] : rules[field.name]);
    }
    setShown(folded, rest.some((field) => !field.element.hidden));
  };
  const fold = (key, fields) =>
    h("details", {}, h("summary", {}, t(key)), ...fields.map((field) => field.element));
  const folded = fold("web.option.rules", rest);
  preset.addEventListener("change", () => fit(null));
  fit(present);
  const element = h(
    "div",
    { class: "options" },
    h("label", { class: "option broad" }, h("span", {}, t("web.option.preset")), preset, about),
    seats.element,
    ...first.map((field) => field.element),
    listed.element,
    apart,
    folded,
    fold("web.option.more", common),
  );
  // A field that is folded away cannot show what is wrong with it.
  element.addEventListener("invalid", ({ target }) => target.closest("details")?.setAttribute("open", ""), true);
  const valuesOf = (fields) =>
    Object.fromEntries(fields.map((field) => [field.name, field.value()]).filter(([, value]) => value !== null));
  const value = () => ({
    preset: preset.value,
    rules: valuesOf(own.filter((field) => !field.element.hidden)),
    options: valuesOf([seats, ...common, listed]),
  });
  return { element, value };
}

/** Does what a form asks for. A refusal of it names options and their values as the form shows them. */
export async function asked(game, work) {
  try {
    return await work();
  } catch (refused) {
    const named = (name) => [`${game}.option.${name}`, `room.option.${name}`].find(hasText);
    const valued = (value) => {
      const choice = `${game}.choice.${value}`;
      const isSwitch = ["true", "false"].includes(String(value).toLowerCase());
      if (isSwitch) return t(String(value).toLowerCase() === "true" ? "web.help.yes" : "web.help.no");
      return hasText(choice) ? t(choice) : value;
    };
    await loadMoreTexts();
    const facts = { ...refused.facts };
    for (const name of ["option", "first", "second"])
      if (name in facts && named(facts[name])) facts[name] = t(named(facts[name]));
    for (const name of ["value", "firstValue", "secondValue"]) if (name in facts) facts[name] = valued(facts[name]);
    throw Object.assign(refused, { facts });
  }
}

/** The options that a form asks for: those that the game has a text for; of a game without any such text, all. */
function askedOf({ name: game, options }) {
  const asked = options.filter(({ kind }) => kind !== "other");
  const named = asked.filter(({ name }) => hasText(`${game}.option.${name}`));
  return named.length ? named : asked;
}

/** One option: { name, element, value, set, bound }. */
function makeField(area, option, present) {
  const { name, kind, optional = false } = option;
  const input = inputOf(area, option);
  const about = `${area}.option_about.${name}`;
  const element = h(
    "label",
    { class: kind === "switch" ? "option switch" : "option" },
    h("span", {}, textOr(`${area}.option.${name}`, name)),
    input,
    hasText(about) ? h("small", {}, t(about)) : null,
  );
  const set = (value) => {
    if (kind === "switch") input.checked = Boolean(value);
    else if (kind === "text") setText(value);
    else input.value = value ?? "";
  };
  /** A text that is not among those on offer becomes one. */
  const setText = (value) => {
    if (value !== undefined && !option.choices.includes(value)) input.append(h("option", { value }, value));
    input.value = value ?? "";
  };
  const bound = (low, high, value) => {
    Object.assign(input, { min: low, max: high });
    set(value);
  };
  const value = () => {
    if (kind === "switch") return input.checked;
    if (kind === "choice" || kind === "text") return input.value;
    // What may be left open, and is, stays as the preset has it.
    return optional && input.value === "" ? null : Number(input.value);
  };
  set(present);
  return { name, element, value, set, bound };
}

function inputOf(area, { name, kind, low, high, whole, choices = [], optional = false, usual }) {
  if (kind === "switch") return h("input", { type: "checkbox", role: "switch", name });
  if (kind === "choice" || kind === "text")
    return h(
      "select",
      { name },
      ...choices.map((choice) => h("option", { value: choice }, textOr(`${area}.choice.${choice}`, choice))),
    );
  return h("input", {
    type: "number",
    inputmode: whole ? "numeric" : "decimal",
    step: whole ? 1 : "any",
    name,
    min: low,
    max: high,
    required: !optional,
    placeholder: usual,
  });
}
