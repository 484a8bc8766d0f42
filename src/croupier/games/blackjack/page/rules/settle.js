// Who wins what, and the chips' way back. The order of the tests is the order of the rules.

import { tell } from "/js/games/record.js";
import { half, share } from "./options.js";
import { TARGET, isBlackjack, total } from "./worth.js";

/** Ends the round: results, payouts, chips back to the purses. A void round gives every bet back. */
export function cashOut(round, isVoid = false) {
  const { rules, dealer } = round;
  round.phase = "over";
  round.void = isVoid;
  round.undecided = [];
  tell(round, "PHASE_CHANGED", { phase: "finished" });
  const dealerBlackjack = rules.hasBlackjack && isBlackjack(dealer);
  round.seats.forEach((seat, number) => {
    if (isVoid) {
      for (const hand of seat.hands) pay(seat, hand, hand.status, hand.bet);
      seat.insurancePayout = seat.insurance;
    } else {
      const results = resultsOf(rules, seat, dealer, dealerBlackjack);
      seat.insurancePayout = dealerBlackjack ? 3 * seat.insurance : 0;
      results.forEach(({ status, back }, hand) => {
        pay(seat, seat.hands[hand], status, back);
        tell(round, "HAND_SETTLED", { seat: number, hand, result: status, payout: back });
      });
      if (seat.insurance) tell(round, "INSURANCE_SETTLED", { seat: number, payout: seat.insurancePayout });
    }
    seat.purse += seat.insurancePayout;
  });
  tell(round, "PHASE_CHANGED", { phase: "cashed_out" });
}

function pay(seat, hand, status, payout) {
  Object.assign(hand, { status, payout });
  seat.purse += payout;
}

function resultsOf(rules, seat, dealer, dealerBlackjack) {
  const results = seat.hands.map((hand) => resultOf(rules, hand, dealer, dealerBlackjack));
  const [first] = results;
  if (!rules.original_bets_only || !dealerBlackjack || first?.status !== "lose" || first.back) return results;
  // The seat loses the bet it began with; what it added since goes back.
  return seat.hands.map(({ bet }, index) =>
    index ? { status: "push", back: bet } : { status: "lose", back: bet - seat.bet },
  );
}

/** A hand's result and what the table gives back for it, stake included. */
function resultOf(rules, { cards, bet, status }, dealer, dealerBlackjack) {
  if (status === "surrendered") {
    const kept = rules.surrender === "early" || !dealerBlackjack;
    return { status: "lose", back: kept ? half(bet) : 0 };
  }
  if (status === "busted") return { status: "lose", back: 0 };
  if (status === "blackjack") {
    if (dealerBlackjack) return { status: "push", back: bet };
    return { status: "win", back: bet + share(bet, ...rules.blackjackRatio) };
  }
  if (dealerBlackjack) return { status: "lose", back: 0 };
  const theirs = total(dealer, rules).best;
  const ours = total(cards, rules).best;
  if (theirs > TARGET || ours > theirs) return { status: "win", back: 2 * bet };
  return ours < theirs ? { status: "lose", back: 0 } : { status: "push", back: bet };
}

/** Each seat's net result: in chips or, in a game without bets, a point a hand won or lost against the dealer. */
export function payoutsOf({ rules, setup, seats }) {
  if (rules.bet_max) return seats.map(({ purse }, seat) => purse - setup.purses[seat]);
  const points = seats.map(({ hands }) =>
    hands.reduce((sum, { status }) => sum + (status === "win" ? 1 : status === "lose" ? -1 : 0), 0),
  );
  const { dealer } = setup;
  return dealer === null
    ? points
    : points.with(
        dealer,
        points.reduce((rest, point) => rest - point, 0),
      );
}
