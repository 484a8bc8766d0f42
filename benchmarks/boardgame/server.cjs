// boardgame.io with a game that only costs what every game costs: a state of about 2 KB, one cell changed a move.
// Run as `node server.cjs PORT [FOLDER]`: with a folder the state is kept in files, else in memory.
const { Server, FlatFile, Origins } = require("boardgame.io/server");

const [port, folder] = process.argv.slice(2);
const CELLS = 100;

const game = {
  name: "load",
  setup: () => ({ cells: Array.from({ length: CELLS }, (_, cell) => `cell ${cell}: empty`) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, cell) => {
      G.cells[cell % CELLS] = `cell ${cell % CELLS}: ${playerID} ok`;
    },
  },
};

const server = Server({
  games: [game],
  origins: [Origins.LOCALHOST],
  ...(folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {}),
});
server.run({ port: Number(port), callback: () => console.log("listening") });
