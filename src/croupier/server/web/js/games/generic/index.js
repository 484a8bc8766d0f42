// What stands in for a game that brings no page of its own, and for whatever its entry leaves out.

/** By chips where there are any, else by what the last round brought. */
function standings({ seats }, nameOf, payouts) {
  const hasChips = seats.some(({ chips }) => Number.isInteger(chips));
  const worth = (seat) => (hasChips ? seats[seat].chips : payouts?.[seat]) ?? 0;
  return seats
    .map((_, seat) => ({ name: nameOf(seat), value: worth(seat), rank: -worth(seat) }))
    .filter(({ name }) => name)
    .sort((one, other) => one.rank - other.rank);
}

export default {
  shortcuts: [],
  emblem: ["Qh", null, "8s"],
  playNow: {},
  records: [],
  standings,
  table: () => import("./table.js"),
};
