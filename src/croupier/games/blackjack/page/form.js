// The form of a round's view before its cards: what the page draws then cannot be checked by any deal.

import { isFlag, isNumber, isText, listOf, oneOf, orNull, shaped } from "/js/fairness/memory.js";

const isEmpty = (value) => Array.isArray(value) && !value.length;
const isStatus = oneOf(["active", "stand", "busted", "blackjack", "surrendered", "win", "lose", "push"]);
const WORTH = { softValue: isNumber, hardValue: isNumber, bestValue: isNumber };
const isHand = shaped(
  {
    cards: isEmpty,
    status: isStatus,
    bet: isNumber,
    isDoubled: isFlag,
    isSplit: isFlag,
    isFromAces: isFlag,
    isBlackjack: isFlag,
    isSurrendered: isFlag,
    ...WORTH,
    canHit: isFlag,
    canStand: isFlag,
    canDouble: isFlag,
    canSplit: isFlag,
    canSurrender: isFlag,
  },
  true,
  { result: isStatus, payout: isNumber },
);
const isSeat = shaped(
  {
    cards: isEmpty,
    chips: orNull(isNumber),
    state: isText,
    bet: isNumber,
    insurance: isNumber,
    hands: listOf(isHand),
  },
  true,
  { totalPayout: isNumber, finalPayout: isNumber },
);

/** Whether this is the view of a round without a card. */
export const isUndealt = shaped(
  {
    you: orNull(isNumber),
    toAct: listOf(isNumber),
    phase: oneOf(["betting", "dealing", "playing", "dealer", "finished", "cashed_out"]),
    seats: listOf(isSeat),
    dealer: shaped(
      { cards: isEmpty, showCard: (card) => card === null, isRevealed: isFlag, hasBlackjack: isFlag, ...WORTH },
      true,
    ),
    dealerSeat: orNull(isNumber),
    activeHand: orNull(isNumber),
    shoeLeft: isNumber,
    void: isFlag,
  },
  true,
);
