// Every option of Hold'em, as a record has it. The rules themselves are those of `croupier.games.poker.rules`.

import {
  ReplayFault,
  checkEdition,
  checkOptions,
  isListOfObjects,
  isWhole,
  oneOf,
  orNull,
  readFields,
} from "../../record.js";

export const CHIPS_MAX = 1e14;
const DOUBLINGS_MAX = 30;
const HANDS_PER_LEVEL = 10;
const LEVELS_MAX = 100;
const EDITIONS = [1, 2];

const RULES = {
  edition: [isWhole, 1],
  mode: [oneOf(["tournament", "cash"]), "tournament"],
  stack_chips: [isWhole, 1000],
  small_blind: [isWhole, 5],
  big_blind: [isWhole, 10],
  ante: [isWhole, 0],
  ante_from: [oneOf(["each", "big_blind"]), "each"],
  hands_per_level: [orNull(isWhole), null],
  levels: [isListOfObjects, []],
  odd_chips: [oneOf(["each", "first"]), "first"],
  top_up_to_chips: [orNull(isWhole), null],
};
const LEVEL = { small_blind: [isWhole], big_blind: [isWhole], ante: [isWhole, 0] };
const RANGES = {
  stack_chips: [1, CHIPS_MAX],
  small_blind: [0, CHIPS_MAX],
  big_blind: [1, CHIPS_MAX],
  ante: [0, CHIPS_MAX],
  hands_per_level: [1, 10_000],
  top_up_to_chips: [1, CHIPS_MAX],
};

/** The rules of a record, with defaults for what they do not say. */
export function readRules(raw) {
  const rules = readFields(raw, RULES, "RULES_MALFORMED");
  checkEdition(rules, EDITIONS);
  const levels = rules.levels.map((level) => readFields(level, LEVEL, "RULES_MALFORMED"));
  const cash = rules.mode === "cash";
  const anyAnte = levels.length ? levels.some((level) => level.ante) : rules.ante > 0;
  checkOptions(rules, RANGES, [
    ["small_blind", "big_blind", rules.small_blind > rules.big_blind],
    ["stack_chips", "big_blind", rules.stack_chips < rules.big_blind],
    ["ante", "ante_from", rules.ante_from === "big_blind" && !anyAnte],
    ["ante", "levels", rules.ante > 0 && levels.length > 0],
    ["edition", "odd_chips", rules.edition === 1 && rules.odd_chips !== "first"],
    ["mode", "hands_per_level", cash && rules.hands_per_level !== null],
    ["mode", "levels", cash && levels.length > 0],
    ["mode", "top_up_to_chips", !cash && rules.top_up_to_chips !== null],
    ["stack_chips", "top_up_to_chips", cash && rules.stack_chips > topUpLimit(rules)],
  ]);
  if (levels.length > LEVELS_MAX || !levels.every(isSound))
    throw new ReplayFault("RULES_MALFORMED", { fault: "BAD_OPTION: levels" });
  return { ...rules, levels };
}

function isSound({ small_blind, big_blind, ante }) {
  return 0 <= small_blind && small_blind <= big_blind && 0 < big_blind && big_blind <= CHIPS_MAX && ante >= 0;
}

/** The most that buying chips may bring a stack to. */
export const topUpLimit = (rules) => rules.top_up_to_chips ?? rules.stack_chips;

/** How many hands a level lasts; 0 where there are no levels. */
export const levelHands = (rules) => (rules.mode === "cash" ? 0 : (rules.hands_per_level ?? HANDS_PER_LEVEL));

/** The level of the hand with this number, both from 1; 0 where there are no levels. */
export function levelNumber(rules, hand) {
  const hands = levelHands(rules);
  return hands ? Math.floor((hand - 1) / hands) + 1 : 0;
}

/** The blinds and the ante of the level with this number. */
export function levelAt({ small_blind, big_blind, ante, levels }, number) {
  if (!number) return { small_blind, big_blind, ante };
  if (levels.length) return levels[Math.min(number, levels.length) - 1];
  const times = 2 ** Math.min(number - 1, DOUBLINGS_MAX);
  return { small_blind: small_blind * times, big_blind: big_blind * times, ante: ante * times };
}

/** The blinds and the ante of the hand with this number. */
export const levelOf = (rules, hand) => levelAt(rules, levelNumber(rules, hand));
