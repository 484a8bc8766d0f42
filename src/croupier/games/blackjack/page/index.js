// Blackjack rooms on the page. The table is loaded when needed.

import { number, t } from "/js/texts.js";
import { Rounds } from "./rounds.js";

export default {
  emblem: ["Ah", "Js"],
  playNow: { seats: 3, pauseSeconds: 6 },
  firstOptions: ["decks", "blackjack_pays", "dealer_hits_soft_17", "double", "surrender", "insurance", "bet_min", "bet_max"],
  stakeOptions: ["bet_min", "bet_max", "blackjack_pays"],
  stakes: ({ bet_min, bet_max, blackjack_pays }) =>
    [
      t("web.blackjack.bet_range", { low: number(bet_min), high: number(bet_max) }),
      blackjack_pays === "none" ? "" : t("web.blackjack.cloth.pays", { pays: blackjack_pays }),
    ]
      .filter(Boolean)
      .join(" · "),
  shortcuts: [
    ["1–6", "web.blackjack.keys.chips"],
    ["C", "web.blackjack.clear"],
    ["H", "web.blackjack.half"],
    ["D", "web.blackjack.double"],
    ["E", "web.blackjack.keys.rebet"],
    ["B", "action.PLACE_BET"],
    ["H", "action.BLACKJACK_HIT"],
    ["S", "action.BLACKJACK_STAND"],
    ["D", "action.BLACKJACK_DOUBLE"],
    ["P", "action.BLACKJACK_SPLIT"],
    ["R", "action.BLACKJACK_SURRENDER"],
    ["I", "blackjack.insure"],
    ["N", "blackjack.decline"],
  ],
  memory: (code) => new Rounds(code),
  table: () => import("./table.js"),
};
