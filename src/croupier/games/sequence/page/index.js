// Sequence rooms on the page. The table is loaded when needed.

import { t } from "/js/texts.js";

export default {
  emblem: ["7d", "8d", "9d", "Td", "Jd"],
  playNow: { seats: 2, turnSeconds: 60 },
  standings: ({ scoreByTeam, teamBySeat, winner }, nameOf) =>
    Object.entries(scoreByTeam)
      .map(([team, score]) => ({
        name: `${t("sequence.team", { teamId: team })}: ${teamBySeat.flatMap((of, seat) => (of === team ? [nameOf(seat)] : [])).join(", ")}`,
        value: score,
        rank: team === winner ? -Infinity : -score,
      }))
      .sort((one, other) => one.rank - other.rank),
  shortcuts: [
    ["1–9", "web.sequence.keys.card"],
    ["S", "web.sequence.keys.sort"],
    ["B", "web.sequence.keys.board"],
    ["X", "action.TURN_EXCHANGE_DEAD_CARD"],
    ["Esc", "web.sequence.keys.back"],
  ],
  table: () => import("./table.js"),
};
