// The form of a game's view before its cards: what the page draws then cannot be checked by any deal.

import { isFlag, isNumber, isObject, isText, listOf, oneOf, orNull, shaped } from "/js/fairness/memory.js";

const isNull = (value) => value === null;
const isTeam = oneOf(["A", "B", "C"]);
const byName = (isName, test) => (value) =>
  isObject(value) && Object.entries(value).every(([name, each]) => isName(name) && test(each));
const isSequence = shaped({ teamId: isTeam, cells: listOf(isNumber), turnNumber: isNumber }, true);

const isSeat = shaped({ cards: (cards) => Array.isArray(cards) && !cards.length, chips: isNull, state: isText }, true);

/** Whether this is the view of a game without a card. */
export const isUndealt = shaped(
  {
    you: orNull(isNumber),
    toAct: listOf(isNumber),
    seats: listOf(isSeat),
    phase: oneOf(["dealing", "playing", "ended"]),
    turnNumber: isNumber,
    currentSeat: orNull(isNumber),
    currentUid: orNull(isText),
    teamBySeat: listOf(isTeam),
    chipsByCell: byName((cell) => /^(?:0|[1-9][0-9]{0,8})$/.test(cell), isTeam),
    freeCorners: isFlag,
    jacks: oneOf(["variant", "printed"]),
    clearedCellId: orNull(isNumber),
    completedSequences: listOf(isSequence),
    scoreByTeam: byName(isTeam, isNumber),
    sequencesToWin: isNumber,
    discardTopBySeat: listOf((card) => card === null),
    handSizeBySeat: listOf(isNumber),
    packLeft: isNumber,
    lastAction: (action) => action === null,
    winner: orNull(isTeam),
    private: (hand) => hand === null,
  },
  true,
);
