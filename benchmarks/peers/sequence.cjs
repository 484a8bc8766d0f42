// Sequence for the peers of benchmarks/server.py: the same board and the same rules as ours in the preset `house`. A
// game is plain arrays and objects, which cost a framework least; `shuffle` comes from it.
const SIDE = 10;
const HAND = 7;
const IN_A_ROW = 5;
const TO_WIN = 2;
const TEAMS = ["A", "B"];
const SUITS = { C: "clover", D: "diamond", H: "heart", S: "spade" };
const RANKS = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"];
const PACK = [1, 2].flatMap((variant) =>
  Object.values(SUITS).flatMap((suit) => RANKS.map((rank) => `${suit}_${rank}_${variant}`)),
);
const BOARD = `
  XX 2S 3S 4S 5S 6S 7S 8S 9S XX  6C 5C 4C 3C 2C AH KH QH TH TS
  7C AS 2D 3D 4D 5D 6D 7D 9H QS  8C KS 6C 5C 4C 3C 2C 8D 8H KS
  9C QS 7C 6H 5H 4H AH 9D 7H AS  TC TS 8C 7H 2H 3H KH TD 6H 2D
  QC 9S 9C 8H 9H TH QH QD 5H 3D  KC 8S TC QC KC AC AD KD 4H 4D
  AC 7S 6S 5S 4S 3S 2S 2H 3H 5D  XX AD KD QD TD 9D 8D 7D 6D XX`
  .trim()
  .split(/\s+/)
  .map(([rank, suit]) => (rank === "X" ? null : `${SUITS[suit]}_${rank === "T" ? "10" : rank.toLowerCase()}`));

const ALL_CELLS = [...BOARD.keys()];
const faceOf = (card) => card.slice(0, card.lastIndexOf("_"));
const CELLS_OF = Object.fromEntries(
  PACK.map((card) => [card, BOARD.flatMap((face, cell) => (face === faceOf(card) ? [cell] : []))]),
);
const isJack = (card) => card.includes("_j_");
const isWild = (card) => card.endsWith("_j_2");

/** For every cell, the lines of five that go through it. */
const LINES_THROUGH = BOARD.map(() => []);
for (let cell = 0; cell < BOARD.length; cell += 1)
  for (const [right, down] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [-1, 1],
  ]) {
    const lastColumn = (cell % SIDE) + (IN_A_ROW - 1) * right;
    const lastRow = Math.floor(cell / SIDE) + (IN_A_ROW - 1) * down;
    if (lastColumn < 0 || lastColumn >= SIDE || lastRow >= SIDE) continue;
    const line = Array.from({ length: IN_A_ROW }, (_, step) => cell + step * (right + SIDE * down));
    for (const each of line) LINES_THROUGH[each].push(line);
  }

const compatible = (line, other) => line.filter((cell) => other.includes(cell)).length <= 1;

/** The most lines that go together, the first such choice in board order. */
function mostOf(lines, kept = []) {
  if (!lines.length) return kept;
  const [line, ...others] = lines;
  const without = mostOf(others, kept);
  if (!kept.every((other) => compatible(line, other))) return without;
  const having = mostOf(others, [...kept, line]);
  return having.length >= without.length ? having : without;
}

/** Whether a card of this team can go to a cell now. */
function canGo(G, card, cell, team) {
  const chip = G.chips[cell];
  if (!isJack(card)) return chip === null && CELLS_OF[card].includes(cell);
  if (isWild(card)) return chip === null && cell !== G.cleared;
  return TEAMS.includes(chip) && chip !== team && !G.completedCells.includes(cell);
}

/** What the load generator plays: the first card that can go somewhere, to the first of its cells. */
function firstMove(G, playerID) {
  for (const card of G.players[playerID].hand) {
    const cells = isJack(card) ? ALL_CELLS : CELLS_OF[card];
    const found = cells.find((cell) => canGo(G, card, cell, TEAMS[playerID]));
    if (found !== undefined) return { type: "play", args: [card, found] };
  }
  return { type: "pass", args: [] };
}

function complete(G, cell, team) {
  const own = G.completed.filter((done) => done.team === team);
  const standing = LINES_THROUGH[cell].filter(
    (line) =>
      line.every((each) => G.chips[each] === team) && own.every((done) => compatible(line, done.cells)),
  );
  for (const cells of mostOf(standing)) {
    G.completed.push({ team, cells });
    G.completedCells.push(...cells);
  }
}

function draw(G, hand, shuffle) {
  if (!G.secret.pack.length) {
    G.secret.pack = shuffle(G.secret.discards);
    G.secret.discards = [];
  }
  hand.push(G.secret.pack.pop());
  G.packLeft = G.secret.pack.length;
}

/** A new game, with what everybody sees, each player's hand, and what nobody sees. */
function deal(seats, shuffle) {
  const pack = shuffle(PACK);
  const players = {};
  for (let seat = 0; seat < seats; seat += 1) players[seat] = { hand: pack.splice(0, HAND) };
  return {
    board: BOARD,
    chips: BOARD.map(() => null),
    completed: [],
    completedCells: [],
    cleared: null,
    passes: 0,
    last: null,
    discardTops: TEAMS.map(() => null),
    packLeft: pack.length,
    players,
    secret: { pack, discards: [] },
  };
}

/** Plays a card; false when that is against the rules, and then nothing has changed. */
function play(G, playerID, card, cell, shuffle) {
  const team = TEAMS[playerID];
  const { hand } = G.players[playerID];
  const at = hand.indexOf(card);
  if (at < 0 || !canGo(G, card, cell, team)) return false;
  const removes = isJack(card) && !isWild(card);
  hand.splice(at, 1);
  G.chips[cell] = removes ? null : team;
  G.cleared = removes ? cell : null;
  G.passes = 0;
  G.last = { playerID, card, cell };
  G.discardTops[playerID] = card;
  G.secret.discards.push(card);
  if (!removes) complete(G, cell, team);
  draw(G, hand, shuffle);
  return true;
}

/** Who has nothing to play passes. */
function pass(G, playerID) {
  if (firstMove(G, playerID).type !== "pass") return false;
  G.passes = G.cleared === null ? G.passes + 1 : 0;
  G.cleared = null;
  return true;
}

/** How the game has ended; undefined while it goes on. */
function result(G) {
  const winner = TEAMS.find((team) => G.completed.filter((done) => done.team === team).length >= TO_WIN);
  if (winner) return { winner };
  return G.passes === TEAMS.length ? { draw: true } : undefined;
}

module.exports = { deal, play, pass, result, firstMove };
