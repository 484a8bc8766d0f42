// A team's chip: its colour, and its sign for those who do not tell colours apart.

import { s } from "/js/dom.js";
import { TEAM_SIGNS } from "./layout.js";

export function teamChip(team) {
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: `team-chip team-${team}`, "aria-hidden": "true" },
    s("circle", { class: "disc", cx: 50, cy: 50, r: 46 }),
    s("circle", { class: "ring", cx: 50, cy: 50, r: 35 }),
    s("path", { class: "sign", d: TEAM_SIGNS[team] }),
  );
}
