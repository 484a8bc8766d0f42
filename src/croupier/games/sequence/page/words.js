// What happens in a game of Sequence, in words: for the log, the screen reader and the result.

import { cardName } from "/js/cards.js";
import { plural, t } from "/js/texts.js";
import { FACES, columnOf, faceOf, rowOf } from "./layout.js";

const placeName = (cell) => t("web.sequence.place", { row: rowOf(cell) + 1, column: columnOf(cell) + 1 });

/** A cell as people call it: the card that is printed on it, and where it is. */
const cellName = (cell, cardText) =>
  `${FACES[cell] ? cardText(FACES[cell]) : t("sequence.corner")} (${placeName(cell)})`;

/** One event as a sentence; null for what needs no words. `nameOf` gives the name of a seat, `cardText` that of a card. */
export function sentence(event, nameOf, cardText = cardName) {
  const key = `web.sequence.told.${event.type}`;
  const name = "seat" in event ? nameOf(event.seat) : "";
  switch (event.type) {
    case "EVT_DEAL":
      return t(key, { count: event.handSize });
    case "EVT_HAND":
      return t(key, { cards: event.cards.map((card) => cardText(faceOf(card))).join(", ") });
    case "EVT_DRAW":
      return t(key, { card: cardText(faceOf(event.cardId)) });
    case "EVT_TURN": {
      const { type, cardId, targetCellId, removeCellId } = event.action;
      const cell = type === "TURN_PLAY_NORMAL" ? placeName(targetCellId) : cellName(targetCellId ?? removeCellId, cardText);
      return t(`${key}.${type}`, { name, card: cardText(faceOf(cardId)), cell });
    }
    case "EVT_EXCHANGE":
      return t(key, { name, card: cardText(faceOf(event.cardId)) });
    case "EVT_SEQUENCE":
      return t(key, {
        team: t("sequence.team", { teamId: event.teamId }),
        cells: event.cells.map((cell) => cellName(cell, cardText)).join("; "),
      });
    case "EVT_PASS":
      return t(key, { name });
    case "EVT_RESHUFFLE":
      return t(key, { count: event.cardCount });
    case "EVT_GAME_OVER":
      return event.winner ? t("event.EVT_GAME_OVER.win", event) : t("event.EVT_GAME_OVER.draw");
    default:
      return null;
  }
}

/** The end of a game explained: who won, with how many lines, and who was in that team. */
export function resultText(view, nameOf) {
  if (!view.winner) return t("event.EVT_GAME_OVER.draw");
  const names = view.teamBySeat.flatMap((team, seat) => (team === view.winner ? [nameOf(seat)] : [])).join(", ");
  return plural("web.sequence.result", view.scoreByTeam[view.winner], {
    team: t("sequence.team", { teamId: view.winner }),
    names,
  });
}
