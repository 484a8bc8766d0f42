// The lines of the board, and which sequences a chip completes.

import { FACES, SIDE, columnOf, faceOf, rowOf } from "../layout.js";

const LINE_LENGTH = 5;
const SHARED_CELLS_MAX = 1;
/** Rows and columns that a step takes: right, down, down-right, down-left. */
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

export const CELLS = FACES.map((_, cell) => cell);

const CELLS_BY_FACE = new Map(FACES.map((face) => [face, CELLS.filter((cell) => FACES[cell] === face)]));

/** The cells that carry a card: two, none for a jack. */
export const cellsOf = (card) => CELLS_BY_FACE.get(faceOf(card)) ?? [];

/** All lines of five, by direction, then by the cell where they begin. */
const LINES = DIRECTIONS.map(([down, right]) =>
  CELLS.filter((start) => {
    const column = columnOf(start) + right * (LINE_LENGTH - 1);
    return rowOf(start) + down * (LINE_LENGTH - 1) < SIDE && column >= 0 && column < SIDE;
  }).map((start) => Array.from({ length: LINE_LENGTH }, (_, step) => start + step * (down * SIDE + right))),
);

/** The lines through a new chip on `cell` that its team completes besides those it has. `isOwn` tells its cells.
 *
 * Each shares at most one cell with each completed line and with each other. Lines of different directions never share
 * more than the cell where they cross. In one direction all hold the new chip, so at most two go together: one that ends
 * there and one that begins there, which can only be the first and the last. */
export function newLines(isOwn, cell, completed) {
  return LINES.flatMap((lines) => {
    const standing = lines.filter((line) => line.includes(cell) && line.every(isOwn));
    const allowed = standing.filter((line) => completed.every((other) => goTogether(line, other)));
    const [first, last] = [allowed[0], allowed.at(-1)];
    return allowed.length > 1 && goTogether(first, last) ? [first, last] : allowed.slice(0, 1);
  });
}

function goTogether(line, other) {
  return line.filter((cell) => other.includes(cell)).length <= SHARED_CELLS_MAX;
}
