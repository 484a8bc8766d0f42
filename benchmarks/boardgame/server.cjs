// The peer of benchmarks/server.py: boardgame.io's own server with Sequence on it.
// Run as `node server.cjs PORT [FOLDER]`: with a folder it is kept in files, else in memory.
const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { game } = require("./sequence.cjs");

const [port, folder] = process.argv.slice(2);
const server = Server({
  games: [game],
  origins: [Origins.LOCALHOST],
  ...(folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {}),
});
server.run({ port: Number(port), callback: () => console.log("listening") });
