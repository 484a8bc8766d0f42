// What a viewer of a hand may see, made from the replay alone: every card from its place, every chip from the moves. A
// twin of `croupier.games.poker.rules.view`. The page holds all that the server shows to it.

import { menu } from "./rules/betting.js";
import { blindsOwed } from "./rules/forcedbets.js";
import { levelAt, levelHands, levelNumber, plainRules, readRules } from "./rules/options.js";
import { potsOf } from "./rules/pots.js";
import { readSetup } from "./rules/setup.js";
import { boardsOf } from "./rules/showdown.js";
import { made, madeLow } from "./rules/worth.js";

export { isUndealt } from "./form.js";
export { plainRules, readRules, readSetup };


/** Most cards are never shown. */
export const opensAll = false;

/** Whether people may come and go between two hands. */
export const isOpenTable = (rules) => rules.mode === "cash";

const STAKES = ["HOLDEM_CALL", "HOLDEM_BET", "HOLDEM_RAISE", "HOLDEM_ALL_IN"];

/** Whether an action puts in chips. */
export const stakes = ({ type }) => STAKES.includes(type);

/** What is done for a seat that does not act in time: it checks if it can, else it folds; a beaten hand is
 * mucked, and nothing is dealt more than once. */
export function madeFor(hand, seat) {
  const types = menu(hand, seat).map(({ action }) => action.type);
  const type = ["HOLDEM_MUCK", "HOLDEM_CHECK", "HOLDEM_FOLD"].find((each) => types.includes(each));
  if (types.includes("HOLDEM_RUN_IT")) return { type: "HOLDEM_RUN_IT", times: 1 };
  return type ? { type } : null;
}

export const seatCount = ({ stacks }) => stacks.length;

/** The seats that get cards of the pack awaited. */
export const dealtIn = ({ dealt }) => dealt;

/** Whether one player has all the chips of a tournament; in a cash game people can buy more. */
export const ended = (rules, { stacks }) => rules.mode === "tournament" && stacks.filter(Boolean).length < 2;

const isOver = ({ awaits }) => awaits.kind === "over";

function streetOf(hand) {
  if (isOver(hand)) return "OVER";
  return hand.showdown ? "SHOWDOWN" : ["PREFLOP", "FLOP", "TURN", "RIVER"][Math.max(hand.board.length - 2, 0)];
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** The hand as a seat sees it, or with `viewer` null a spectator. */
export function view(rules, hand, viewer) {
  const { setup, turn } = hand;
  const over = isOver(hand);
  const level = levelNumber(rules, setup.hand);
  const { small_blind, big_blind, ante } = levelAt(rules, level);
  const betting = turn !== null && !hand.showdown && !over && !hand.isRunVote;
  const [own, ...ownOthers] = ownHands(hand, viewer);
  const isPaid = !over && (sum(hand.paid) || hand.dead);
  return {
    you: viewer,
    toAct: over || turn === null ? [] : [turn],
    seats: hand.stacks.map((_, seat) => seatView(hand, seat, viewer)),
    mode: rules.mode,
    hand: setup.hand,
    level,
    handsToNextLevel: handsToNextLevel(rules, setup.hand, level),
    smallBlind: small_blind,
    bigBlind: big_blind,
    ante,
    street: streetOf(hand),
    button: setup.button,
    board: hand.board,
    otherBoards: hand.otherBoards,
    rabbit: hand.rabbit,
    pots: isPaid ? potsOf(hand) : [],
    total: over ? 0 : sum(hand.paid) + sum(hand.bets) + hand.dead,
    bet: hand.bet,
    toCall: betting ? Math.min(hand.bet - hand.bets[turn], hand.stacks[turn]) : 0,
    own: own ?? null,
    ownOthers,
    awards: hand.awards.map((awarded) => ({ type: "HOLDEM_POT_AWARDED", ...awarded })),
    payouts: over ? hand.awaits.payouts : [],
  };
}

function handsToNextLevel(rules, number, level) {
  const same = (one, other) => Object.keys(one).every((name) => one[name] === other[name]);
  if (!level || same(levelAt(rules, level), levelAt(rules, level + 1))) return 0;
  return levelHands(rules) - ((number - 1) % levelHands(rules));
}

/** The cards that are known of a seat that was dealt in. */
const cardsOf = ({ hole, dealt }, seat) =>
  hole && dealt.includes(seat) ? hole[seat].filter((card) => card !== null) : [];

const NO_STATISTICS = { hands: 0, won: 0, vpip: 0, pfr: 0, showdowns: 0 };

function seatView(hand, seat, viewer) {
  const { setup } = hand;
  const over = isOver(hand);
  const inHand = hand.live.includes(seat) && !hand.mucked.has(seat);
  const allIn = inHand && !hand.stacks[seat] && !over;
  const hasCards = inHand && hand.hole !== null;
  const isSeen = seat === viewer || hand.shown.has(seat);
  return {
    cards: isSeen ? cardsOf(hand, seat) : hasCards ? backs(hand, seat) : [],
    chips: hand.stacks[seat],
    state: allIn ? "all_in" : inHand ? "" : stateOf(hand, seat),
    seat,
    bet: over ? 0 : hand.bets[seat],
    inHand,
    allIn,
    sittingOut: setup.sittingOut.includes(seat),
    left: hand.left.has(seat),
    owes: blindsOwed(hand.rules, setup, seat),
    place: hand.places[seat],
    hasCards,
    statistics: setup.statistics[seat] ?? NO_STATISTICS,
  };
}

/** Cards face down, but for single ones that were turned up. */
const backs = ({ hole, bared }, seat) => hole[seat].map((card, number) => (bared.has(`${seat}:${number}`) ? card : null));

/** The word for a seat that is not in the hand, or no more. */
function stateOf({ setup, places, left, mucked, dealt }, seat) {
  if (places[seat] > 1) return "out";
  if (setup.sittingOut.includes(seat)) return setup.waiting?.includes(seat) ? "waiting" : "sitting_out";
  if (left.has(seat)) return "left";
  if (mucked.has(seat)) return "mucked";
  return dealt.includes(seat) ? "folded" : "";
}

/** What the viewer's own cards make with each board. */
function ownHands(hand, viewer) {
  const { rules } = hand;
  const own = viewer === null ? [] : cardsOf(hand, viewer);
  if (own.length < rules.hole_cards || !hand.board.length) return [];
  const boards = boardsOf(hand).filter((board) => board.length);
  return boards.map((board) => ({
    ...made(rules, own, board),
    low: rules.pot === "high_low" ? madeLow(rules, own, board) : [],
  }));
}
