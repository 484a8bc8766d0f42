// What a card can do on a turn. A turn is { seat, cleared, exchanged, idle }: whose it is, the cell that a one-eyed jack
// has just cleared, whether a dead card was exchanged on it, and how many seats before it had nothing to play.

import { isOffered, offerOf } from "/js/games/record.js";
import { FACES, jackKind } from "../layout.js";
import { CELLS, cellsOf } from "./board.js";

/** What a jack does, "" for other cards. */
const kindOf = ({ rules }, card) => jackKind(card, rules.jacks);

/** What the seat in turn may do with this card, as an offer; null for nothing. */
function offerFor(game, turn, card) {
  const kind = kindOf(game, card);
  const cells = cellsFor(game, turn, card, kind);
  if (cells.length) {
    const field = kind === "remove" ? "removeCellId" : "targetCellId";
    return offerOf({ type: TYPES[kind], cardId: card, [field]: cells[0] }, { field, among: cells });
  }
  return kind === "" && mayExchange(game, turn) ? offerOf({ type: "TURN_EXCHANGE_DEAD_CARD", cardId: card }) : null;
}

const TYPES = { "": "TURN_PLAY_NORMAL", wild: "TURN_PLAY_JACK_WILD", remove: "TURN_PLAY_JACK_REMOVE" };

/** The cells where a chip can be put or taken away with a card. */
function cellsFor(game, turn, card, kind) {
  if (kind === "wild") return CELLS.filter((cell) => isEmpty(game, cell) && cell !== turn.cleared);
  if (kind === "remove") return CELLS.filter((cell) => isRemovable(game, turn, cell));
  return cellsOf(card).filter((cell) => isEmpty(game, cell));
}

/** Whether the seat in turn could do anything with this card. */
export const isPlayable = (game, turn, card) => offerFor(game, turn, card) !== null;

/** Whether the seat in turn may do this with a card of its hand. */
export function isAllowed(game, turn, action) {
  const offer = offerFor(game, turn, action.cardId);
  return offer !== null && isOffered([offer], action);
}

/** The offers to a seat, one for each of its cards that is known and can be played; none out of turn. */
export function menu(game, seat) {
  const { awaits, turn, hands } = game;
  if (awaits.kind !== "turn" || turn.seat !== seat) return [];
  const known = hands[seat].filter((card) => card !== null);
  return known.map((card) => offerFor(game, turn, card)).filter((offer) => offer !== null);
}

/** Whether the cell can take a chip: a free corner never does. */
function isEmpty({ rules, chips }, cell) {
  return chips[cell] === null && !(rules.free_corners && FACES[cell] === null);
}

const mayExchange = ({ rules }, { exchanged }) => rules.exchange_dead_cards && !exchanged;

/** Opponents' chips outside of completed sequences. */
function isRemovable({ chips, completed, setup }, { seat }, cell) {
  const team = chips[cell] ?? null;
  return team !== null && team !== seat % setup.teams && !completed.some(({ cells }) => cells.includes(cell));
}
