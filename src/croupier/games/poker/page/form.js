// The form of a hand's view before its cards: what the page draws then cannot be checked by any deal.

import { isFlag, isNumber, isText, listOf, oneOf, orNull, shaped } from "/js/fairness/memory.js";

const isEmpty = (value) => Array.isArray(value) && !value.length;
const isStatistics = shaped({ hands: isNumber, won: isNumber, vpip: isNumber, pfr: isNumber, showdowns: isNumber }, true);
const isSeat = shaped(
  {
    seat: isNumber,
    chips: isNumber,
    state: isText,
    bet: isNumber,
    inHand: isFlag,
    allIn: isFlag,
    sittingOut: isFlag,
    left: isFlag,
    owes: isNumber,
    place: isNumber,
    hasCards: isFlag,
    cards: isEmpty,
    statistics: isStatistics,
  },
  true,
);
const isAward = shaped(
  {
    type: oneOf(["HOLDEM_POT_AWARDED"]),
    pot: isNumber,
    amount: isNumber,
    winners: listOf(isNumber),
    shares: listOf(isNumber),
  },
  true,
);

/** Whether this is the view of a hand without a card. */
export const isUndealt = shaped(
  {
    you: orNull(isNumber),
    toAct: listOf(isNumber),
    mode: oneOf(["tournament", "cash"]),
    hand: isNumber,
    level: isNumber,
    handsToNextLevel: isNumber,
    smallBlind: isNumber,
    bigBlind: isNumber,
    ante: isNumber,
    street: oneOf(["PREFLOP", "FLOP", "TURN", "RIVER", "SHOWDOWN", "OVER"]),
    button: isNumber,
    board: isEmpty,
    otherBoards: listOf(isEmpty),
    rabbit: listOf(isEmpty),
    pots: listOf(shaped({ amount: isNumber, seats: listOf(isNumber) }, true)),
    total: isNumber,
    bet: isNumber,
    toCall: isNumber,
    seats: listOf(isSeat),
    own: (own) => own === null,
    ownOthers: isEmpty,
    awards: listOf(isAward),
    payouts: listOf(isNumber),
  },
  true,
);
