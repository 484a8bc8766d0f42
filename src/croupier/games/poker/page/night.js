// The story of a night of poker, in a few sentences: from the hands that this browser has heard.

import { plural, t } from "/js/texts.js";
import { strength } from "./rules/evaluate.js";
import { amid, handName } from "./words.js";

/** What is worth telling of the hands: sentences. */
export function story({ all }) {
  if (!all.length) return [];
  const awards = all.flatMap(({ hand, names, events }) =>
    events.filter(({ type }) => type === "HOLDEM_POT_AWARDED").map((award) => ({ ...award, hand, names })),
  );
  const named = ({ winners, names }) => winners.map((seat) => names[seat] ?? "").join(", ");
  const biggest = awards.reduce((best, award) => (award.amount > (best?.amount ?? 0) ? award : best), null);
  const shown = awards.filter(({ category }) => category);
  const worth = ({ cards }) => strength(cards);
  const finest = shown.reduce((best, award) => (best === null || worth(award) > worth(best) ? award : best), null);
  const wins = new Map();
  for (const award of awards) for (const seat of award.winners) wins.set(award.names[seat], (wins.get(award.names[seat]) ?? 0) + 1);
  const [name, count] = [...wins].reduce((best, each) => (each[1] > best[1] ? each : best), ["", 0]);
  return [
    plural("web.poker.night.hands", all.length),
    biggest && t("web.poker.night.biggest", { names: named(biggest), amount: biggest.amount, hand: biggest.hand }),
    finest && t("web.poker.night.finest", { names: named(finest), made: amid(handName(finest)), hand: finest.hand }),
    count > 1 && plural("web.poker.night.most", count, { name }),
  ].filter(Boolean);
}
