// Poker rooms on the page. The table is loaded when needed.

import { number, t } from "/js/texts.js";
import { Hands } from "./hands.js";

export default {
  emblem: ["As", "Ks"],
  playNow: { seats: 6, pauseSeconds: 6 },
  firstOptions: ["stack_chips", "small_blind", "big_blind", "ante", "hands_per_level", "betting", "rake_permille"],
  standings: ({ seats }, nameOf) =>
    seats
      .filter((seat) => nameOf(seat.seat))
      .map(({ seat, place, chips }) => ({ name: nameOf(seat), value: chips, rank: place || -chips }))
      .sort((one, other) => one.rank - other.rank),
  records: [{ key: "web.records.phh", file: "hands.phhs", type: "application/toml" }],
  shortcuts: [
    ["F", "web.poker.keys.fold"],
    ["C", "web.poker.keys.stay"],
    ["R", "web.poker.keys.raise"],
    ["1–6", "web.poker.keys.presets"],
    ["A", "action.HOLDEM_ALL_IN"],
    ["F C A", "web.poker.keys.early"],
  ],
  replay: () => import("./handsdialog.js"),
  story: () => import("./night.js"),
  stakeOptions: ["small_blind", "big_blind", "stack_chips"],
  stakes: ({ small_blind, big_blind, stack_chips }) =>
    `${t("web.poker.blinds", { blinds: `${number(small_blind)}/${number(big_blind)}` })} · ${t("web.door.stack", { chips: number(stack_chips) })}`,
  memory: (code) => new Hands(code),
  table: () => import("./table.js"),
};
