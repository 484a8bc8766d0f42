// Bets become pots: what nobody could call goes back, the rest is layered by who can win it, and goes to the winners.

import { tell } from "/js/games/record.js";

/** The main pot and the side pots of what has been put in on earlier streets, as { amount, seats }.
 *
 * One layer for each amount that a live seat is in for; folded seats have left chips in every layer they reached, and
 * can win none. */
export function potsOf({ paid, live, dead }) {
  const levels = [...new Set(live.map((seat) => paid[seat]))].sort((one, other) => one - other);
  const pots = [];
  let below = 0;
  let amount = dead;
  for (const level of levels) {
    // The top layer takes all that is left, so that no chip can fall out whatever a folded seat had in.
    const reach = level === levels.at(-1) ? Math.max(...paid) : level;
    for (const chips of paid) amount += Math.max(Math.min(chips, reach) - below, 0);
    if (amount || levels.length === 1) pots.push({ amount, seats: live.filter((seat) => paid[seat] >= level) });
    [below, amount] = [level, 0];
  }
  return pots;
}

/** Takes the street's bets in, after giving back what nobody could call; nothing is left to call. */
export function collect(hand) {
  const betting = hand.bets.some((bet) => bet);
  hand.bet = 0;
  if (!betting) return;
  const totals = hand.paid.map((paid, seat) => paid + hand.bets[seat]);
  const [highest, second] = [...totals].sort((one, other) => other - one);
  if (highest > second) {
    const seat = totals.indexOf(highest);
    totals[seat] = second;
    const { able } = hand;
    if (!hand.stacks[seat]) hand.able = hand.live.filter((other) => other === seat || able.includes(other));
    hand.stacks[seat] += highest - second;
    tell(hand, "HOLDEM_BET_RETURNED", { seat, amount: highest - second });
  }
  hand.paid = totals;
  hand.bets = totals.map(() => 0);
  if (hand.live.length > 1) tell(hand, "HOLDEM_POTS_FORMED", { pots: potsOf(hand) });
}

/** Each winner's part of a pot; winners are in order from the left of the button. Odd chips go one each in that order or,
 * by option and in edition 1, all to the first. */
export function shares(amount, winners, oddChips = "first") {
  const share = Math.floor(amount / winners.length);
  const odd = amount - share * winners.length;
  if (oddChips === "each") return winners.map((_, place) => (place < odd ? share + 1 : share));
  return winners.map((_, place) => (place ? share : share + odd));
}
