// Sequence on the page: what the lobby and the checks must know of it. The table itself is loaded when needed.

export default {
  suit: "d",
  seats: [2, 12],
  bots: ["builder", "random"],
  presets: ["house", "classic"],
  playNow: { preset: "house", options: { seats: 2, turnSeconds: 60 }, bots: ["builder"] },
  options: [{ name: "sequences_to_win", low: 1, high: 2, value: 2 }],
  cardsInSight: (view) => [...(view.private?.hand ?? []), ...view.discardTopBySeat.filter((card) => card !== null)],
  table: () => import("./table.js"),
};
