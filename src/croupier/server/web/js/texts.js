// Every text that the page shows comes from the server's catalogue, in the language that the reader chose.

export const LANGUAGES = { en: "English", ko: "한국어", zh: "中文", ru: "Русский" };

let catalogue = {};
let language = "en";
/** The promise of the texts that are loaded later. */
let more = null;

/** The first language of the browser that the page speaks. */
export function preferredLanguage(wishes = navigator.languages) {
  for (const wish of wishes) {
    const short = wish.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short;
  }
  return "en";
}

/** Loads what the lobby and a table say. */
export async function loadTexts(wanted) {
  catalogue = await fetched(`/api/texts/${wanted}.json`);
  language = wanted;
  more = null;
  document.documentElement.lang = wanted;
}

/** Loads all other texts of the language, once: faults and notices, and the pages that few people open. */
export function loadMoreTexts() {
  const wanted = language;
  more ??= fetched(`/api/texts/${wanted}/more.json`).then(
    (texts) => {
      if (wanted === language) catalogue = { ...catalogue, ...texts };
    },
    (error) => {
      more = null;
      throw error;
    },
  );
  return more;
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`texts: ${answer.status}`);
  return answer.json();
}

export const currentLanguage = () => language;

/** The text for a key, filled in with the facts. */
export function t(key, facts = {}) {
  const text = catalogue[key];
  return text === undefined ? key : fill(text, facts);
}

export const hasText = (key) => Object.hasOwn(catalogue, key);

/** The text for a key, or else the words of a name: `hand_cards` is "Hand cards", `CRAZY_PLAYED` "Crazy played". */
export const textOr = (key, name, facts = {}) => (hasText(key) ? t(key, facts) : readable(name));

/** The words of a name that programs read. */
export function readable(name) {
  const words = String(name)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a game is called. */
export const gameName = (game) => textOr(`${game}.name`, game);

/** What ready-made rules of a game are called. */
export const presetName = (game, preset) => textOr(`${game}.preset.${preset}`, preset);

/** A text that depends on a number: `key.one`, `key.few`, `key.many`, `key.other`, by the rules of the language. */
export function plural(key, count, facts = {}) {
  const form = new Intl.PluralRules(language).select(count);
  return t(hasText(`${key}.${form}`) ? `${key}.${form}` : `${key}.other`, { ...facts, count: number(count) });
}

function fill(text, facts) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = facts[name];
    if (value === undefined) return whole;
    return Array.isArray(value) ? value.join(", ") : typeof value === "number" ? number(value) : value;
  });
}

/** A number as people of this language write it; `format` as `Intl.NumberFormat` takes it. */
export const number = (value, format = {}) => new Intl.NumberFormat(language, format).format(value);

/** What a refusal says, in the reader's language, whatever language the server spoke. */
export function refusalText({ code, facts, message }) {
  return hasText(`code.${code}`) ? t(`code.${code}`, facts) : message;
}

/** What a fault in a deal says. */
export function findingText({ code, facts }) {
  return saidOf("finding", code, facts);
}

/** What a check cannot know, or its reader should know. */
export function noticeText({ code, facts }) {
  return saidOf("notice", code, facts);
}

function saidOf(kind, code, facts = {}) {
  const key = hasText(`${kind}.${code}`) ? `${kind}.${code}` : `web.${kind}.${code}`;
  return t(key, Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, counted(name, value)])));
}

const COUNTED = ["card", "k", "move", "pack", "place", "proof", "seat", "shuffle"];

/** People count cards, moves and seats from 1, and call a game by its name. */
function counted(name, value) {
  if (name === "game" && hasText(`${value}.name`)) return t(`${value}.name`);
  if (COUNTED.includes(name) && Number.isInteger(value)) return value + 1;
  if (name !== "seats" || typeof value !== "string") return value;
  return value.replace(/\d+/g, (seat) => String(Number(seat) + 1));
}
