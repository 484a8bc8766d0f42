// Texas Hold'em on the page: what the lobby and the checks must know of it. The table itself is loaded when needed.

import { Hands } from "./hands.js";

export default {
  emblem: ["As", "Ks"],
  seats: [2, 10],
  bots: ["solid", "shark", "caller", "random"],
  presets: ["tournament", "cash"],
  playNow: {
    preset: "tournament",
    options: { seats: 6, pauseSeconds: 6 },
    bots: ["solid", "shark", "caller", "solid", "shark"],
  },
  options: [
    { name: "stack_chips", low: 20, high: 1_000_000, value: 1000 },
    { name: "small_blind", low: 0, high: 100_000, value: 5 },
    { name: "big_blind", low: 1, high: 200_000, value: 10 },
    { name: "ante", low: 0, high: 100_000, value: 0 },
    { name: "hands_per_level", low: 1, high: 1000, value: 10, presets: ["tournament"] },
  ],
  standings: ({ seats }, nameOf) =>
    seats
      .filter((seat) => nameOf(seat.seat))
      .map(({ seat, place, chips }) => ({ name: nameOf(seat), value: chips, rank: place || -chips }))
      .sort((one, other) => one.rank - other.rank),
  memory: (code) => new Hands(code),
  table: () => import("./table.js"),
};
