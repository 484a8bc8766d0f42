// Actions, events, fields and states of any game in words: the game's own texts, or else the words of their names. Text
// keys are `action.<TAG>`, `event.<TAG>`, `<game>.field.<field>`, `<game>.state.<word>`.

import { isCard, smallCard, suitMark } from "../../cards.js";
import { h } from "../../dom.js";
import { hasText, number, readable, t, textOr } from "../../texts.js";

const SUIT_SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };

const isSuit = (name, value) => /suit/i.test(name) && Object.hasOwn(SUIT_SIGNS, value);
const isSeat = (name, value) => /^seat$|Seat$/.test(name) && Number.isInteger(value);
const isPlain = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);

/** Whether a value can be written on a line: a number, a word, a card, a list of them. */
export const isShown = (value) => isPlain(value) || (Array.isArray(value) && value.every(isPlain));

/** A value in text: a card by its signs, a seat by its player's name. */
export function valueText(game, name, value, nameOf) {
  if (Array.isArray(value))
    return value.map((each) => valueText(game, name.replace(/s$/, ""), each, nameOf)).join(", ") || "–";
  if (value === null || value === "") return "–";
  if (typeof value === "boolean") return t(value ? "web.generic.yes" : "web.generic.no");
  if (isSeat(name, value)) return nameOf(value) || number(value + 1);
  if (typeof value === "number") return number(value);
  if (isCard(value)) return `${value[0] === "T" ? "10" : value[0]}${SUIT_SIGNS[value[1]]}`;
  if (isSuit(name, value)) return `${SUIT_SIGNS[value]} ${t(`web.card.suit.${value}`)}`;
  return hasText(`${game}.word.${value}`) ? t(`${game}.word.${value}`) : value;
}

/** A value as elements: cards and suits are drawn. */
export function valueNodes(game, name, value, nameOf) {
  if (Array.isArray(value) && value.some(isCard))
    return value.flatMap((each) => valueNodes(game, name, each, nameOf));
  if (isCard(value)) return [smallCard(value)];
  if (isSuit(name, value)) return [suitSign(value)];
  return [valueText(game, name, value, nameOf)];
}

/** A suit in a line of text, with its name for those who hear it. */
function suitSign(suit) {
  const label = t(`web.card.suit.${suit}`);
  return h("span", { class: "small-card", role: "img", "aria-label": label, title: label }, suitMark(suit));
}

/** The name of a field of a game's view. */
export const fieldName = (game, name) => textOr(`${game}.field.${snake(name)}`, name);

/** What is special about a seat. */
export const stateText = (game, state) => (state ? textOr(`${game}.state.${state}`, state) : "");

/** Fields have the names of Python in texts, and those of JSON on the wire. */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The words of a tag without the game's name, which everybody knows: `GIN_KNOCK` is "Knock". */
function tagWords(game, tag) {
  const prefix = `${game.toUpperCase()}_`;
  return readable(tag.startsWith(prefix) && tag.length > prefix.length ? tag.slice(prefix.length) : tag);
}

const factsOf = (value) => Object.entries(value).filter(([name, fact]) => name !== "type" && isShown(fact));

/** What happened, as one sentence; "" where the game has nothing to say about it. */
export function eventText(game, event, nameOf) {
  const facts = factsOf(event).map(([name, value]) => [name, valueText(game, name, value, nameOf)]);
  const key = `event.${event.type}`;
  if (hasText(key)) return t(key, facts.length ? Object.fromEntries(facts) : {});
  const told = facts.map(([, text]) => text).join(", ");
  return told ? `${tagWords(game, event.type)}: ${told}` : tagWords(game, event.type);
}

/** An action as people see it: for a place in the player's hand (`handIndex`, from 0) the card that lies there, or its
 * number from 1. */
export const inHand = (action, hand) =>
  Number.isInteger(action.handIndex)
    ? { ...action, handIndex: hand[action.handIndex] ?? action.handIndex + 1 }
    : action;

/** What an action is called: { text, nodes }, the nodes with cards drawn. `open` are fields that are still to be chosen. */
export function actionWords(game, action, nameOf, open = []) {
  const facts = factsOf(action).map(([name, value]) => [name, open.includes(name) ? "…" : value]);
  const key = `action.${action.type}`;
  const text = hasText(key)
    ? t(key)
    : [tagWords(game, action.type), ...facts.map(([name]) => `{${name}}`)].join(" ");
  const values = Object.fromEntries(facts);
  const nodes = text.split(/(\{\w+\})/).flatMap((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return part ? [part] : [];
    return Object.hasOwn(values, name) ? valueNodes(game, name, values[name], nameOf) : [part];
  });
  const spoken = nodes.map((node) => (typeof node === "string" ? node : (node.getAttribute("aria-label") ?? ""))).join("");
  return { text: spoken, nodes };
}

/** The cards of an action that lie in a hand. */
export const cardsOf = (action, hand) =>
  factsOf(action)
    .flatMap(([, value]) => value)
    .filter((value) => isCard(value) && hand.includes(value));
