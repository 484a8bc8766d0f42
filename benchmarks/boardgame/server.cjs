// boardgame.io with a game of the same kind as ours: a board of 100 cells, a secret pack, seven cards in each hand that
// only their player sees. A move plays a card of the hand on an empty cell and draws another. The state that a player
// gets is about 2 KB. Run as `node server.cjs PORT [FOLDER]`: with a folder it is kept in files, else in memory.
const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const [port, folder] = process.argv.slice(2);
const CELLS = 100;
const HAND = 7;
const SUITS = ["clover", "diamond", "heart", "spade"];
const RANKS = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"];
const PACK = [1, 2].flatMap((variant) => SUITS.flatMap((suit) => RANKS.map((rank) => `${suit}_${rank}_${variant}`)));

const emptyCells = () => Array.from({ length: CELLS }, (_, cell) => ({ face: `${cell}`, chip: "-" }));

const game = {
  name: "load",
  setup: ({ random, ctx }) => {
    const pack = random.Shuffle(PACK);
    const players = {};
    for (let seat = 0; seat < ctx.numPlayers; seat += 1) players[seat] = { hand: pack.splice(0, HAND) };
    return { cells: emptyCells(), discards: 0, players, secret: { pack, discards: [] } };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID, random }, card, cell) => {
        const { hand } = G.players[playerID];
        const at = hand.indexOf(card);
        if (at < 0 || !(cell in G.cells) || G.cells[cell].chip !== "-") return INVALID_MOVE;
        hand.splice(at, 1);
        G.cells[cell].chip = "AB"[playerID];
        G.secret.discards.push(card);
        G.discards += 1;
        if (!G.secret.pack.length) {
          G.secret.pack = random.Shuffle(G.secret.discards);
          G.secret.discards = [];
        }
        hand.push(G.secret.pack.pop());
        if (G.cells.every(({ chip }) => chip !== "-")) G.cells = emptyCells();
        return undefined;
      },
    },
  },
};

const server = Server({
  games: [game],
  origins: [Origins.LOCALHOST],
  ...(folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {}),
});
server.run({ port: Number(port), callback: () => console.log("listening") });
