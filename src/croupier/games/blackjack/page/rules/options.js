// Every option of blackjack, as a record has it. The rules themselves are those of `croupier.games.blackjack.rules`.

import {
  ReplayFault,
  checkEdition,
  checkOptions,
  isFlag,
  isNumber,
  isText,
  isWhole,
  oneOf,
  readFields,
} from "/js/games/record.js";

const HOUSE_SEATS_MAX = 7;
const PAYS_MAX = 100;
const EDITIONS = [1, 2];

const RULES = {
  edition: [isWhole, 1],
  decks: [isWhole, 6],
  ace: [oneOf(["best", "one"]), "best"],
  dealer_stands_on: [isWhole, 17],
  dealer_hits_soft_17: [isFlag, false],
  dealer_seat: [isFlag, false],
  peek: [isFlag, true],
  original_bets_only: [isFlag, false],
  blackjack_pays: [isText, "3:2"],
  double: [oneOf(["any", "9-11", "no"]), "any"],
  double_after_split: [isFlag, true],
  hands_max: [isWhole, 2],
  hit_split_aces: [isFlag, false],
  resplit_aces: [isFlag, false],
  insurance: [isFlag, true],
  surrender: [oneOf(["no", "late", "early"]), "no"],
  penetration: [isNumber, 0],
  bet_min: [isWhole, 1],
  bet_max: [isWhole, 1e6],
  seats_min: [isWhole, 1],
  seats_max: [isWhole, 1],
};
const RANGES = {
  decks: [1, 8],
  dealer_stands_on: [12, 21],
  hands_max: [1, 4],
  penetration: [0, 0.95],
  bet_min: [0, 1e12],
  bet_max: [0, 1e12],
  seats_min: [1, 200],
  seats_max: [1, 200],
};

/** The rules of a record, with defaults for what they do not say. */
export function readRules(raw) {
  const rules = readFields(raw, RULES, "RULES_MALFORMED");
  checkEdition(rules, EDITIONS);
  const hasBlackjack = rules.blackjack_pays !== "none";
  const noBets = rules.bet_max === 0;
  const oneAce = rules.ace === "one";
  checkOptions(rules, RANGES, [
    ["original_bets_only", "peek", rules.original_bets_only && rules.peek],
    ["resplit_aces", "hands_max", rules.resplit_aces && rules.hands_max < 3],
    ["hit_split_aces", "hands_max", rules.hit_split_aces && rules.hands_max === 1],
    ["insurance", "blackjack_pays", rules.insurance && !hasBlackjack],
    ["dealer_hits_soft_17", "ace", rules.dealer_hits_soft_17 && oneAce],
    ["dealer_hits_soft_17", "dealer_stands_on", rules.dealer_hits_soft_17 && rules.dealer_stands_on !== 17],
    ["blackjack_pays", "ace", hasBlackjack && oneAce],
    ["peek", "dealer_seat", rules.peek && rules.dealer_seat],
    ["blackjack_pays", "dealer_seat", hasBlackjack && rules.dealer_seat],
    ["penetration", "dealer_seat", rules.penetration > 0 && rules.dealer_seat],
    ["bet_max", "dealer_seat", rules.dealer_seat && !noBets],
    ["insurance", "bet_max", rules.insurance && noBets],
    ["surrender", "bet_max", rules.surrender !== "no" && noBets],
    ["double", "bet_max", rules.double !== "no" && noBets],
    ["hands_max", "bet_max", rules.hands_max > 1 && noBets],
    ["bet_min", "bet_max", rules.bet_min > rules.bet_max || (rules.bet_min === 0 && !noBets)],
    ["seats_min", "seats_max", rules.seats_min > rules.seats_max],
    ["seats_max", "dealer_seat", rules.seats_max > HOUSE_SEATS_MAX && !rules.dealer_seat],
  ]);
  return { ...rules, hasBlackjack, blackjackRatio: hasBlackjack ? readRatio(rules.blackjack_pays) : null };
}

/** What a blackjack wins, as numerator and denominator of the bet. */
function readRatio(text) {
  const [, numerator, denominator] = /^(\d{1,3}):(\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (!(numerator <= PAYS_MAX && denominator > 0 && denominator <= PAYS_MAX))
    throw new ReplayFault("RULES_MALFORMED", { fault: "BAD_OPTION: blackjack_pays" });
  return [numerator, denominator];
}

/** A fraction of an amount, rounded down to a whole chip: the one rounding rule. */
export const share = (amount, numerator, denominator) => Math.floor((amount * numerator) / denominator);

/** What insurance stakes and a surrender returns. */
export const half = (amount) => share(amount, 1, 2);
