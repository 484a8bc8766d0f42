// Everybody's equity on every street of a hand that was played, as the lab computes it from the cards that were seen.

import { ask } from "/js/lab/ask.js";

/** By seat, the cards that this player has seen in a hand: their own, and those that were shown. */
export function cardsSeen({ events }) {
  const seen = events.filter(({ type }) => type === "HOLDEM_HOLE_CARDS" || type === "HOLDEM_SHOWN");
  return new Map(seen.map(({ seat, cards }) => [seat, cards]));
}

/** What to ask the lab: hands in the order of `seats`, "" where nobody saw them, and who folded when. */
function questionOf({ events }, seen) {
  const { seats } = events.find(({ type }) => type === "HOLDEM_HAND_STARTED");
  const folded = {};
  const board = [];
  let street = "PREFLOP";
  for (const event of events) {
    if (event.type === "HOLDEM_STREET_DEALT") {
      street = event.street;
      board.push(...event.cards);
    } else if (event.type === "HOLDEM_ACTED" && event.move === "FOLD") folded[seats.indexOf(event.seat)] = street;
  }
  return {
    seats,
    body: { hands: seats.map((seat) => (seen.get(seat) ?? []).join("")), board: board.join(""), folded },
  };
}

const asked = new WeakMap();

/** By the number of cards on the board: { bySeat: a Map of seat to equity, unseen }. Empty where no cards were seen. */
export function equitiesOf(hand) {
  if (!asked.has(hand)) asked.set(hand, compute(hand));
  return asked.get(hand);
}

async function compute(hand) {
  const seen = cardsSeen(hand);
  if (!seen.size) return new Map();
  const { seats, body } = questionOf(hand, seen);
  try {
    const streets = await ask("streets", { body });
    return new Map(
      streets.map(({ board, equities, unseen }) => {
        const known = seats.map((seat, place) => [seat, equities[place]]).filter(([, equity]) => equity !== null);
        return [board.length, { bySeat: new Map(known), unseen }];
      }),
    );
  } catch (error) {
    asked.delete(hand);
    throw error;
  }
}
