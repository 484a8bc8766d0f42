// The showdown: which hands are shown, in which order, who may give one up unseen, and who wins which pot.
//
// The last aggressor of the river shows first, else the first seat left of the button; then clockwise. A hand that can
// still win a pot is shown by the table. A hand that the hands already shown beat in every pot it could win is its
// player's to show or to muck. Hands that this viewer never saw cannot be shown, so their players are asked to muck,
// except the last one that could win a pot.

import { offerOf, tell } from "/js/games/record.js";
import { giveTurn } from "./betting.js";
import { potsOf, shares } from "./pots.js";
import { NO_LOW, made, madeLow, partsOf, worthOf } from "./worth.js";

const SHOW = offerOf({ type: "HOLDEM_SHOW" });
const MUCK = offerOf({ type: "HOLDEM_MUCK" });

const isKnown = (hand, seat) => hand.hole[seat].every((card) => card !== null);

/** All live hands go face up, because there is no more betting. */
export function turnUp(hand) {
  for (const seat of hand.live) if (isKnown(hand, seat)) show(hand, seat);
}

/** Turns a hand up. */
export function show(hand, seat) {
  if (hand.shown.has(seat)) return;
  hand.shown.add(seat);
  tell(hand, "HOLDEM_SHOWN", { seat, cards: hand.hole[seat] });
}

/** Gives a hand up unseen. */
export function muck(hand, seat) {
  hand.mucked.add(seat);
  tell(hand, "HOLDEM_MUCKED", { seat });
}

/** Shows and mucks in order until a player must decide; then false. True when all is done and the pots can go. */
export function goOn(hand) {
  const place = Math.max(hand.live.indexOf(hand.aggressor), 0);
  const pots = potsOf(hand);
  for (const seat of [...hand.live.slice(place), ...hand.live.slice(0, place)]) {
    if (hand.worths.has(seat) || hand.mucked.has(seat)) continue;
    const known = isKnown(hand, seat);
    if (!known && isLastForAPot(hand, seat, pots)) continue;
    const own = known ? worthOf(hand.rules, hand.hole[seat], boardsOf(hand)) : null;
    const mayMuck = !known || (!hand.shown.has(seat) && isBeaten(hand, seat, own, pots));
    if (!mayMuck) {
      show(hand, seat);
      hand.worths.set(seat, own);
    } else if (hand.left.has(seat)) muck(hand, seat);
    else {
      hand.showdown = true;
      giveTurn(hand, seat, known ? [SHOW, MUCK] : [MUCK]);
      return false;
    }
  }
  return true;
}

/** Whether in every pot that the seat could win, and in every part of it, a better hand is already shown. */
function isBeaten({ rules, worths, otherBoards }, seat, own, pots) {
  const parts = partsOf(rules, 1 + otherBoards.length);
  return pots
    .filter(({ seats }) => seats.includes(seat))
    .every(({ seats }) =>
      parts.every(
        ({ isLow }, part) =>
          (isLow && own[part] === NO_LOW) || seats.some((other) => (worths.get(other) ?? own)[part] > own[part]),
      ),
    );
}

function isLastForAPot({ mucked }, seat, pots) {
  return pots.some(({ seats }) => seats.includes(seat) && seats.every((other) => other === seat || mucked.has(other)));
}

/** Gives each pot, by itself, to the best hands shown among those that can win it. */
export function award(hand, oddChips) {
  const { rules, worths } = hand;
  const boards = boardsOf(hand);
  const parts = partsOf(rules, boards.length);
  boards.forEach((board, number) => {
    for (const seat of worths.keys()) tell(hand, "HOLDEM_HAND_NAMED", namedHand(hand, seat, number, board));
  });
  raked(hand, potsOf(hand)).forEach((pot, number) => {
    parts.forEach((part, place) => {
      const amount = amountOf(hand, pot, parts, place, boards.length);
      if (amount || parts.length === 1) awardPart(hand, { ...pot, amount }, number, { ...part, place }, oddChips);
    });
  });
}

function namedHand({ rules, hole }, seat, board, cards) {
  const low = rules.pot === "high_low" ? madeLow(rules, hole[seat], cards) : [];
  return {
    seat,
    ...made(rules, hole[seat], cards),
    board: board || undefined,
    low: low.length ? low : undefined,
  };
}

/** What of a pot a part of it is for: as much for each board, odd chips for the earlier ones; of that, half for the low
 * if there is one, and the odd chip for the high. */
function amountOf({ worths }, { amount, seats }, parts, place, boards) {
  const { board, isLow } = parts[place];
  const forBoard = Math.floor(amount / boards) + (board < amount % boards ? 1 : 0);
  const low = isLow ? place : place + 1;
  const hasLow =
    parts[low]?.isLow && parts[low].board === board && seats.some((seat) => (worths.get(seat)?.[low] ?? NO_LOW) > NO_LOW);
  const half = hasLow ? Math.floor(forBoard / 2) : 0;
  return isLow ? half : forBoard - half;
}

function awardPart(hand, { amount, seats }, pot, { board, isLow, place }, oddChips) {
  const { rules, worths, mucked } = hand;
  const best = Math.max(...seats.map((seat) => worths.get(seat)?.[place] ?? -1));
  // Without a hand shown, all others who could win it have mucked: only a replay that does not know all comes here.
  const winners =
    best < 0 ? [seats.find((seat) => !mucked.has(seat))] : seats.filter((seat) => worths.get(seat)?.[place] === best);
  const cards = boardsOf(hand)[board];
  const own = hand.hole[winners[0]];
  const won = best < 0 ? {} : isLow ? { cards: madeLow(rules, own, cards), low: true } : made(rules, own, cards);
  give(hand, { pot, amount, winners, shares: shares(amount, winners, oddChips), ...won, ...(board && { board }) });
}

/** The pots after the house took its part: of each, rounded down, no more in all than the cap, and nothing of a hand
 * without a flop. */
function raked(hand, pots) {
  const { rake_permille: permille, rake_cap: cap } = hand.rules;
  if (!permille || !hand.board.length) return pots;
  return pots.map(({ amount, seats }, pot) => {
    const part = Math.floor((amount * permille) / 1000);
    const rake = cap ? Math.min(part, cap - hand.rake) : part;
    if (rake) tell(hand, "HOLDEM_RAKE_TAKEN", { pot, amount: rake });
    hand.rake += rake;
    return { amount: amount - rake, seats };
  });
}

/** Everybody dealt in pays a winner who has shown a seven and a deuce, as far as their stacks go. */
export function paySevenDeuce(hand) {
  const { rules, dealt, won, shown, hole, stacks } = hand;
  for (const seat of dealt) {
    const held = won.has(seat) && shown.has(seat) ? hole[seat].map((card) => card[0]).sort() : [];
    if (held.join("") !== "27") continue;
    let amount = 0;
    for (const other of dealt.filter((each) => each !== seat)) {
      const chips = Math.min(rules.seven_deuce, stacks[other]);
      stacks[other] -= chips;
      amount += chips;
    }
    stacks[seat] += amount;
    tell(hand, "HOLDEM_SEVEN_DEUCE", { seat, amount });
  }
}

/** All boards, the first one first. */
export const boardsOf = ({ board, otherBoards }) => [board, ...otherBoards];

/** A pot goes to its winners. */
function give(hand, awarded) {
  hand.awards.push(awarded);
  tell(hand, "HOLDEM_POT_AWARDED", awarded);
  awarded.winners.forEach((winner, place) => {
    hand.stacks[winner] += awarded.shares[place];
    hand.won.add(winner);
  });
}

/** Everybody else has folded: no more cards, nothing is shown, all that is in is theirs. */
export function awardUncontested(hand) {
  const [winner] = hand.live;
  const all = hand.paid.reduce((sum, paid) => sum + paid, hand.dead);
  const [{ amount }] = raked(hand, [{ amount: all, seats: hand.live }]);
  if (amount) give(hand, { pot: 0, amount, winners: [winner], shares: [amount] });
}
