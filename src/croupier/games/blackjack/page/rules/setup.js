// What a round starts from: each seat's purse, the dealer's seat where a person deals, and the used cards of the shoe.

import {
  ReplayFault,
  changeRefused,
  isSeat,
  isText,
  isWhole,
  listOf,
  orNull,
  readChange,
  readFields,
} from "/js/games/record.js";

const CUSTOMARY_PURSE = 1000;

const SETUP = { purses: [listOf(isWhole)], dealer: [orNull(isWhole), null], gone: [listOf(isText), []] };

/** The setup of a record, with defaults for what it does not say; `pack` is the whole shoe. */
export function readSetup(raw, pack) {
  const setup = readFields(raw, SETUP, "SETUP_MALFORMED");
  const unknown = setup.gone.find((card) => !pack.includes(card));
  if (unknown !== undefined) throw new ReplayFault("SETUP_MALFORMED", { fault: `$.gone: ${unknown}` });
  return setup;
}

export function firstSetup(rules, seats) {
  return {
    purses: Array(seats).fill(rules.dealer_seat ? 0 : CUSTOMARY_PURSE),
    dealer: rules.dealer_seat ? 0 : null,
    gone: [],
  };
}

/** Why no round can start from this; null if one can. */
export function setupFault(rules, { purses, dealer, gone }) {
  const seats = purses.length;
  if (seats < rules.seats_min || seats > rules.seats_max) return "WRONG_SEAT_COUNT";
  if (purses.some((purse) => purse < 0)) return "BAD_SETUP";
  if (rules.dealer_seat !== (dealer !== null) || !isSeat(dealer ?? 0, seats)) return "BAD_SETUP";
  if (gone.length && !rules.penetration) return "BAD_SETUP";
  const counts = new Map();
  for (const card of gone) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts.values()].some((count) => count > rules.decks) ? "BAD_SETUP" : null;
}

/** The setup after somebody came, went or bought chips between two rounds. Sitting out is not betting. */
export function amended(rules, setup, rawChange) {
  const { seat, kind, chips } = readChange(rawChange);
  const { purses } = setup;
  if (!isSeat(seat, purses.length)) throw changeRefused(seat, "NO_SUCH_SEAT");
  if (kind === "reshuffled") return rules.edition > 1 ? setup : { ...setup, gone: [] };
  if (rules.dealer_seat || kind === "bomb") throw changeRefused(seat, "NOT_BETWEEN_ROUNDS");
  const purse = { taken: chips, left: 0, bought: purses[seat] + chips }[kind] ?? purses[seat];
  return { ...setup, purses: purses.with(seat, purse) };
}
