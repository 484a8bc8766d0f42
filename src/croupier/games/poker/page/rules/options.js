// Every option of Hold'em, as a record has it. The rules themselves are those of `croupier.games.poker.rules`.

import {
  ReplayFault,
  checkEdition,
  checkOptions,
  isFlag,
  isListOfObjects,
  isWhole,
  oneOf,
  orNull,
  readFields,
} from "/js/games/record.js";
import { DECK } from "/js/deck.js";

export const CHIPS_MAX = 1e14;
export const BOARD_CARDS = 5;
export const BURNED_CARDS = 3;
const SEATS_MAX = 10;
const SHORT_DECK = DECK.filter((card) => !"2345".includes(card[0]));
const DOUBLINGS_MAX = 30;
const HANDS_PER_LEVEL = 10;
const LEVELS_MAX = 100;
const EDITIONS = [1, 2, 3, 4, 5];
const VARIANTS_SINCE = 4;
const RETURNS_SINCE = 5;

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
  pack: [oneOf(["full", "short"]), "full"],
  hole_cards: [isWhole, 2],
  used: [oneOf(["any", "two"]), "any"],
  betting: [oneOf(["no_limit", "pot_limit", "fixed_limit"]), "no_limit"],
  pot: [oneOf(["high", "high_low", "two_boards"]), "high"],
  blinds_from: [oneOf(["two_seats", "button"]), "two_seats"],
  straddle: [isFlag, false],
  bomb_every: [isWhole, 0],
  bomb_ante: [isWhole, 0],
  run_times: [isWhole, 1],
  rabbit: [isFlag, false],
  winner_shows: [isFlag, false],
  rake_permille: [isWhole, 0],
  rake_cap: [isWhole, 0],
  seven_deuce: [isWhole, 0],
  dead_button: [isFlag, false],
  missed_blinds: [isFlag, false],
};
const LEVEL = { small_blind: [isWhole], big_blind: [isWhole], ante: [isWhole, 0] };
const RANGES = {
  stack_chips: [1, CHIPS_MAX],
  small_blind: [0, CHIPS_MAX],
  big_blind: [1, CHIPS_MAX],
  ante: [0, CHIPS_MAX],
  hands_per_level: [1, 10_000],
  top_up_to_chips: [1, CHIPS_MAX],
  hole_cards: [2, 6],
  bomb_every: [0, 1000],
  bomb_ante: [0, CHIPS_MAX],
  run_times: [1, 3],
  rake_permille: [0, 200],
  rake_cap: [0, CHIPS_MAX],
  seven_deuce: [0, CHIPS_MAX],
};

/** Options by the edition that brought them: rules of an earlier one are written without them. */
const SINCE = {
  pack: VARIANTS_SINCE,
  hole_cards: VARIANTS_SINCE,
  used: VARIANTS_SINCE,
  betting: VARIANTS_SINCE,
  pot: VARIANTS_SINCE,
  blinds_from: VARIANTS_SINCE,
  straddle: VARIANTS_SINCE,
  bomb_every: VARIANTS_SINCE,
  bomb_ante: VARIANTS_SINCE,
  run_times: VARIANTS_SINCE,
  rabbit: VARIANTS_SINCE,
  winner_shows: VARIANTS_SINCE,
  rake_permille: VARIANTS_SINCE,
  rake_cap: VARIANTS_SINCE,
  seven_deuce: VARIANTS_SINCE,
  dead_button: RETURNS_SINCE,
  missed_blinds: RETURNS_SINCE,
};

/** The rules as a context carries them: with all options that their edition has. */
export function plainRules(raw) {
  const rules = readRules(raw);
  return Object.fromEntries(Object.entries(rules).filter(([name]) => (SINCE[name] ?? 1) <= rules.edition));
}

/** The rules of a record, with defaults for what they do not say. */
export function readRules(raw) {
  const rules = readFields(raw, RULES, "RULES_MALFORMED");
  checkEdition(rules, EDITIONS);
  const levels = rules.levels.map((level) => readFields(level, LEVEL, "RULES_MALFORMED"));
  const cash = rules.mode === "cash";
  const buttonBlind = rules.blinds_from === "button";
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
    ["pack", "pot", rules.pack === "short" && rules.pot === "high_low"],
    ["small_blind", "blinds_from", buttonBlind && !levels.length && rules.small_blind > 0],
    ["straddle", "blinds_from", buttonBlind && rules.straddle],
    ["bomb_every", "bomb_ante", rules.bomb_every > 0 && !rules.bomb_ante],
    ["edition", "bomb_ante", rules.bomb_ante > 0 && !rules.bomb_every && rules.edition < RETURNS_SINCE],
    ["run_times", "pot", rules.run_times > 1 && boardsOf(rules) > 1],
    ["rake_cap", "rake_permille", rules.rake_cap > 0 && !rules.rake_permille],
    ["mode", "rake_permille", !cash && rules.rake_permille > 0],
    ["seven_deuce", "hole_cards", rules.seven_deuce > 0 && rules.hole_cards !== 2],
    ["seven_deuce", "pack", rules.seven_deuce > 0 && rules.pack === "short"],
    ["levels", "blinds_from", buttonBlind && levels.some((level) => level.small_blind)],
    ["dead_button", "blinds_from", buttonBlind && rules.dead_button],
    ["missed_blinds", "blinds_from", buttonBlind && rules.missed_blinds],
    ["mode", "missed_blinds", !cash && rules.missed_blinds],
    ...Object.entries(SINCE).map(([name, edition]) => [
      "edition",
      name,
      rules.edition < edition && rules[name] !== RULES[name][1],
    ]),
  ]);
  if (levels.length > LEVELS_MAX || !levels.every(isSound))
    throw new ReplayFault("RULES_MALFORMED", { fault: "BAD_OPTION: levels" });
  return { ...rules, levels };
}

function isSound({ small_blind, big_blind, ante }) {
  return 0 <= small_blind && small_blind <= big_blind && 0 < big_blind && big_blind <= CHIPS_MAX && ante >= 0;
}

/** How many boards are dealt. */
export const boardsOf = ({ pot }) => (pot === "two_boards" ? 2 : 1);

/** Whether the hand with this number is a bomb pot. */
export const isBomb = ({ bomb_every }, hand) => bomb_every > 0 && hand % bomb_every === 0;

/** The cards that are shuffled. */
export const packOf = ({ pack }) => (pack === "short" ? SHORT_DECK : DECK);

/** As many seats as the pack has cards for, burned ones counted. */
export function seatsMax(rules) {
  const left = packOf(rules).length - BURNED_CARDS - BOARD_CARDS * boardsOf(rules);
  return Math.min(SEATS_MAX, Math.floor(left / rules.hole_cards));
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
