// Every text that the page shows comes from the server's catalogue, in the language that the reader chose.

export const LANGUAGES = { en: "English", ko: "한국어", zh: "中文", ru: "Русский" };

let catalogue = {};
let language = "en";

/** The first language of the browser that the page speaks. */
export function preferredLanguage(wishes = navigator.languages) {
  for (const wish of wishes) {
    const short = wish.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short;
  }
  return "en";
}

export async function loadTexts(wanted) {
  const answer = await fetch(`/api/texts/${wanted}.json`);
  if (!answer.ok) throw new Error(`texts: ${answer.status}`);
  catalogue = await answer.json();
  language = wanted;
  document.documentElement.lang = wanted;
}

export const currentLanguage = () => language;

/** The text for a key, filled in with the facts. */
export function t(key, facts = {}) {
  const text = catalogue[key];
  return text === undefined ? key : fill(text, facts);
}

export const hasText = (key) => key in catalogue;

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

/** People count cards, moves and seats from 1. */
function counted(name, value) {
  if (COUNTED.includes(name) && Number.isInteger(value)) return value + 1;
  if (name !== "seats" || typeof value !== "string") return value;
  return value.replace(/\d+/g, (seat) => String(Number(seat) + 1));
}
