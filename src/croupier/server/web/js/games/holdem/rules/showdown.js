// The showdown: which hands are shown, in which order, who may give one up unseen, and who wins which pot.
//
// The last aggressor of the river shows first, else the first seat left of the button; then clockwise. A hand that can
// still win a pot is shown by the table. A hand that the hands already shown beat in every pot it could win is its
// player's to show or to muck. Hands that this viewer never saw cannot be shown, so their players are asked to muck,
// except the last one that could win a pot.

import { offerOf, tell } from "../../record.js";
import { giveTurn } from "./betting.js";
import { bestFive, strength } from "./evaluate.js";
import { potsOf, shares } from "./pots.js";

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
    const own = known ? strength([...hand.board, ...hand.hole[seat]]) : null;
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

/** Whether in every pot that the seat could win a better hand is already shown. */
function isBeaten({ worths }, seat, own, pots) {
  return pots
    .filter(({ seats }) => seats.includes(seat))
    .every(({ seats }) => seats.some((other) => (worths.get(other) ?? own) > own));
}

function isLastForAPot({ mucked }, seat, pots) {
  return pots.some(({ seats }) => seats.includes(seat) && seats.every((other) => other === seat || mucked.has(other)));
}

/** Gives each pot, by itself, to the best hands shown among those that can win it. */
export function award(hand, oddChips) {
  const { worths, mucked } = hand;
  for (const seat of worths.keys())
    tell(hand, "HOLDEM_HAND_NAMED", { seat, ...bestFive([...hand.board, ...hand.hole[seat]]) });
  potsOf(hand).forEach(({ amount, seats }, pot) => {
    const best = Math.max(...seats.map((seat) => worths.get(seat) ?? -1));
    // Without a hand shown, all others who could win it have mucked: only a replay that does not know all comes here.
    const winners =
      best < 0 ? [seats.find((seat) => !mucked.has(seat))] : seats.filter((seat) => worths.get(seat) === best);
    const made = best < 0 ? {} : bestFive([...hand.board, ...hand.hole[winners[0]]]);
    give(hand, { pot, amount, winners, shares: shares(amount, winners, oddChips), ...made });
  });
}

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
  const amount = hand.paid.reduce((sum, paid) => sum + paid, hand.dead);
  if (amount) give(hand, { pot: 0, amount, winners: [winner], shares: [amount] });
}
