// The board: a hundred cells in a grid that the arrow keys walk over. Cells are made once and changed in place.

import { cardName, suitMark } from "/js/cards.js";
import { h, s, setAttribute, setShown } from "/js/dom.js";
import { comeOver, sendTo } from "/js/motion.js";
import { t } from "/js/texts.js";
import { teamChip } from "./chip.js";
import { FACES, SIDE, columnOf, rowOf } from "./layout.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Board {
  #cells;
  #teams = new Map();

  /** `onCell` is called with the number of a cell that somebody chose. */
  constructor(onCell) {
    this.#cells = FACES.map((face, cell) => this.#makeCell(face, cell, onCell));
    const rows = Array.from({ length: SIDE }, (_, row) =>
      h("div", { role: "row", class: "board-row" }, ...this.#cells.slice(SIDE * row, SIDE * (row + 1))),
    );
    this.lines = s("svg", { class: "lines", viewBox: `0 0 ${SIDE} ${SIDE}`, "aria-hidden": "true" });
    this.grid = h(
      "div",
      {
        class: "board-grid",
        role: "grid",
        "aria-label": t("web.sequence.board"),
        on: { keydown: (event) => this.#walk(event) },
      },
      ...rows,
    );
    this.element = h("div", { class: "sequence-board" }, this.grid, this.lines);
    this.#reach(this.#cells[44]);
  }

  /** Shows a view; `lit` are the cells that can be chosen now, `chosen` the one that is. */
  show(view, lit, chosen) {
    const done = new Set(view.completedSequences.flatMap(({ cells }) => cells));
    const last = view.lastAction?.cellId ?? null;
    this.#cells.forEach((element, cell) => {
      const team = view.chipsByCell[cell] ?? null;
      this.#showChip(element, cell, team);
      element.classList.toggle("lit", lit.has(cell));
      element.classList.toggle("last", cell === last);
      element.classList.toggle("removed", cell === last && team === null);
      element.classList.toggle("done", done.has(cell));
      element.classList.toggle("free", FACES[cell] === null && view.freeCorners);
      setAttribute(element, "aria-selected", String(cell === chosen));
      setAttribute(
        element,
        "aria-label",
        this.#label(cell, team, {
          last: cell === last,
          done: done.has(cell),
          lit: lit.has(cell),
          free: view.freeCorners,
        }),
      );
    });
    this.#showLines(view.completedSequences);
  }

  /** A chip comes from the seat that played it. */
  drop(cell, origin) {
    const chip = this.#cells[cell].querySelector(".team-chip");
    if (chip) comeOver(chip, origin);
  }

  /** A chip that is taken away goes to the seat that took it; called while it is still there. */
  lift(cell, goal) {
    const chip = this.#cells[cell].querySelector(".team-chip");
    if (chip) sendTo(chip, goal);
  }

  /** Puts the focus on the board: on the first cell that can be chosen. */
  focus(lit) {
    const first = this.#cells.find((_, cell) => lit.has(cell)) ?? this.grid.querySelector("[tabindex='0']");
    this.#reach(first);
    first.focus();
  }

  #makeCell(face, cell, onCell) {
    const print = face
      ? [h("span", { class: "cell-rank", "aria-hidden": "true" }, face[0] === "T" ? "10" : face[0]), suitMark(face[1])]
      : [suitMark("s", { class: "suit corner-mark" })];
    const element = h(
      "button",
      {
        type: "button",
        role: "gridcell",
        class: `cell ${face ? `suit-${face[1]}` : "corner"}`,
        tabindex: "-1",
        "data-cell": cell,
      },
      ...print,
      h("span", { class: "chip-place" }),
    );
    element.addEventListener("click", () => {
      this.#reach(element);
      onCell(cell);
    });
    return element;
  }

  #showChip(element, cell, team) {
    if (this.#teams.get(cell) === team) return;
    this.#teams.set(cell, team);
    element.lastChild.replaceChildren(...(team ? [teamChip(team)] : []));
    element.classList.toggle("taken", team !== null);
  }

  #label(cell, team, { last, done, lit, free }) {
    const face = FACES[cell];
    return [
      face ? cardName(face) : t("sequence.corner"),
      t("web.sequence.place", { row: rowOf(cell) + 1, column: columnOf(cell) + 1 }),
      team ? t("sequence.team", { teamId: team }) : !face && free ? t("web.sequence.free") : "",
      done ? t("web.sequence.in_line") : "",
      last ? t("web.sequence.last") : "",
      lit ? t("web.sequence.playable") : "",
    ]
      .filter(Boolean)
      .join(", ");
  }

  #showLines(completed) {
    setShown(this.lines, completed.length > 0);
    while (this.lines.children.length > completed.length) this.lines.lastChild.remove();
    completed.slice(this.lines.children.length).forEach(({ cells, teamId }) => {
      const [first, last] = [cells[0], cells.at(-1)];
      const ends = {
        x1: columnOf(first) + 0.5,
        y1: rowOf(first) + 0.5,
        x2: columnOf(last) + 0.5,
        y2: rowOf(last) + 0.5,
      };
      this.lines.append(
        s(
          "g",
          { class: `line team-${teamId}` },
          s("line", { class: "under", ...ends }),
          s("line", { class: "over", ...ends }),
        ),
      );
    });
  }

  #reach(element) {
    this.grid?.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
  }

  #walk(event) {
    const cell = Number(event.target.dataset.cell);
    let goal = null;
    if (STEPS[event.key]) {
      const [down, right] = STEPS[event.key];
      goal = ((rowOf(cell) + down + SIDE) % SIDE) * SIDE + ((columnOf(cell) + right + SIDE) % SIDE);
    } else if (event.key === "Home") goal = rowOf(cell) * SIDE;
    else if (event.key === "End") goal = rowOf(cell) * SIDE + SIDE - 1;
    if (goal === null) return;
    event.preventDefault();
    this.#reach(this.#cells[goal]);
    this.#cells[goal].focus();
  }
}
