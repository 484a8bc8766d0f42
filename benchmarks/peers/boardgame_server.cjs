// boardgame.io's own server with Sequence on it.
// Run as `node boardgame_server.cjs PORT [FOLDER]`: with a folder it is kept in files, else in memory.
const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");
const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { deal, pass, play, result } = require("./sequence.cjs");

const [port, folder] = process.argv.slice(2);

const game = {
  name: "sequence",
  setup: ({ random, ctx }) => deal(ctx.numPlayers, random.Shuffle),
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID, random }, card, cell) =>
        play(G, playerID, card, cell, random.Shuffle) ? undefined : INVALID_MOVE,
    },
    pass: { client: false, move: ({ G, playerID }) => (pass(G, playerID) ? undefined : INVALID_MOVE) },
  },
  endIf: ({ G }) => result(G),
};

const server = Server({
  games: [game],
  origins: [Origins.LOCALHOST],
  ...(folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {}),
});
server.run({ port: Number(port), callback: () => console.log("listening") });
