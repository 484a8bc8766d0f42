// Arrow keys in a grid of cells: they go from cell to cell; one cell of a grid is in the order of the Tab key.

const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Makes the cells of a table reachable by arrow keys. */
export function withArrowKeys(table) {
  table.querySelector("td").tabIndex = 0;
  table.addEventListener("keydown", (event) => step(event, table));
}

function step(event, table) {
  const way = WAYS[event.key];
  const cell = event.target.closest("td");
  if (!way || !cell) return;
  event.preventDefault();
  const rows = Array.from(table.tBodies[0].rows);
  const row = rows[rows.indexOf(cell.parentElement) + way[0]];
  const next = row?.cells[cell.cellIndex + way[1]];
  if (next?.tagName !== "TD") return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
