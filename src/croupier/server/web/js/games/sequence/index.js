// Sequence on the page: what the lobby and the checks must know of it. The table itself is loaded when needed.

import { t } from "../../texts.js";

export default {
  emblem: ["7d", "8d", "9d", "Td", "Jd"],
  seats: [2, 12],
  keepsSeats: true,
  bots: ["builder", "random"],
  presets: ["house", "classic"],
  playNow: { preset: "house", options: { seats: 2, turnSeconds: 60 }, bots: ["builder"] },
  options: [{ name: "sequences_to_win", low: 1, high: 2, value: 2 }],
  standings: ({ scoreByTeam, teamBySeat, winner }, nameOf) =>
    Object.entries(scoreByTeam)
      .map(([team, score]) => ({
        name: `${t("sequence.team", { teamId: team })}: ${teamBySeat.flatMap((of, seat) => (of === team ? [nameOf(seat)] : [])).join(", ")}`,
        value: score,
        rank: team === winner ? -Infinity : -score,
      }))
      .sort((one, other) => one.rank - other.rank),
  table: () => import("./table.js"),
};
