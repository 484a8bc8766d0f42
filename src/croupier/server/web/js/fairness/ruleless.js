// A round of a game whose rules the page lacks. What needs no rules is checked: the deals are fixed, cut and chained as in
// any game, every card that is shown was proved, and what was told stays told. Whose card it is, which moves are legal and
// what they pay cannot be known here, and the player is told so.

import { currentName, writtenName } from "../games/registry.js";
import * as canonical from "./canonical.js";
import { cardsIn } from "./cardsshown.js";
import { finding } from "./findings.js";
import { isObject, same } from "./memory.js";

/** Stands where the mirror of a known game does. */
export class RulelessRound {
  /** No rules: whoever asks for them must do without. */
  engine = null;
  /** For each shuffle the cards that are known, a Map by k. */
  proved = [];
  moves = [];
  /** As the room said, once the round was over. */
  payouts = null;
  /** What follows is not known. */
  nextSetup = null;
  needsEverybody = true;
  mayRestart = true;
  isOpenTable = false;
  #public;

  /** Cards that the setup or the rules name are known to everybody before the deal. */
  constructor({ setup, rules }) {
    this.rules = rules;
    this.setup = canonical.read(setup).setup;
    this.#public = new Set(cardsIn([canonical.read(setup), canonical.read(rules)]));
  }

  wasUnseen() {
    return false;
  }

  replay() {}

  advance(moves) {
    this.moves.push(...moves);
  }

  /** What is wrong with a state: its cards were proved, its rules are those that were fixed, and what the round paid stays
   * as it was said. */
  faultsIn({ public: { game, rules, payouts, hand, deal }, you }) {
    const found = [];
    if (!areShown(this.rules, game, rules)) found.push(finding("RULES_CHANGED", { deal }));
    const place = this.unproved(you.view);
    if (place !== undefined) found.push(finding("CARD_WITHOUT_PROOF", { place }));
    if (this.payouts !== null && !same(this.payouts, payouts))
      found.push(finding("VIEW_MISMATCH", { field: "payouts", hand }));
    this.payouts = payouts;
    return found;
  }

  /** A card in something that the room shows, of which there is no proof; undefined where there is none. */
  unproved(shown) {
    const isKnown = (card) => this.#public.has(card) || this.proved.some((known) => [...known.values()].includes(card));
    return cardsIn(shown).find((card) => !isKnown(card));
  }
}

/** Whether the rules of a deal are those that the room shows: the same game, and every option that is shown. */
export function areShown(text, game, shown) {
  const rules = canonical.read(text);
  if (!isObject(rules) || !isObject(shown) || rules.game !== writtenName(game, shown.edition)) return false;
  return Object.entries(shown).every(([name, value]) => Object.hasOwn(rules, name) && same(rules[name], value));
}

/** The name today of the game that rules out of a context are of; null where they name none. */
export function gameIn(text) {
  const rules = text ? canonical.read(text) : null;
  return isObject(rules) && typeof rules.game === "string" ? currentName(rules.game) : null;
}
