// Blackjack rooms on the page: what the lobby and the checks must know of them. The table is loaded when needed.

import { Rounds } from "./rounds.js";

export default {
  emblem: ["Ah", "Js"],
  seats: [1, 7],
  bots: ["basic", "random"],
  presets: ["trainer"],
  playNow: { preset: "trainer", options: { seats: 3, pauseSeconds: 6 }, bots: ["basic", "basic"] },
  options: [
    { name: "decks", low: 1, high: 8, value: 6 },
    { name: "hands_max", low: 1, high: 4, value: 4 },
    { name: "bet_min", low: 1, high: 1_000_000, value: 1 },
    { name: "bet_max", low: 1, high: 1_000_000_000, value: 1_000_000 },
  ],
  standings: ({ seats }, nameOf) =>
    seats
      .map(({ chips }, seat) => ({ name: nameOf(seat), value: chips, rank: -chips }))
      .filter(({ name }) => name)
      .sort((one, other) => one.rank - other.rank),
  memory: (code) => new Rounds(code),
  table: () => import("./table.js"),
};
