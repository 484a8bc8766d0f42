// The load on boardgame.io, as benchmarks/server_load.py is on us: tables of two, one action at a time, the next when
// both players have the new state, and a new match when one has ended. It speaks boardgame.io's messages over socket.io
// without its client on top, whose own copy of the game would cost time.
// Run as `node boardgame_load.cjs PORT '{"tables": 200, "seats": 2, "actions": 20000}'`.
const { io } = require("socket.io-client");
const { firstMove } = require("./sequence.cjs");
const { Tally, measure } = require("./tally.cjs");

const [port, wish] = process.argv.slice(2);
const { tables, seats, actions } = JSON.parse(wish);
const tally = new Tally(actions);

class Table {
  constructor(number) {
    this.number = number;
    this.match = 0;
    this.players = [];
  }

  get matchID() {
    return `table${this.number}-${this.match}`;
  }

  async open() {
    for (let seat = 0; seat < seats; seat += 1) this.players.push(await this.sit(String(seat)));
    await this.sync();
  }

  sit(playerID) {
    const socket = io(`http://127.0.0.1:${port}/sequence`, { transports: ["websocket"], forceNew: true });
    const player = { socket, playerID, state: null, synced: null };
    socket.on("update", (matchID, state) => this.told(player, state));
    socket.on("sync", (matchID, { state }) => {
      player.state = state;
      player.synced();
    });
    return new Promise((resolve) => {
      socket.on("connect", () => resolve(player));
    });
  }

  /** Everybody enters the match; the first to do so makes it. */
  async sync() {
    for (const player of this.players)
      await new Promise((resolve) => {
        player.synced = resolve;
        player.socket.emit("sync", this.matchID, player.playerID, undefined, seats);
      });
  }

  async told(player, state) {
    player.state = state;
    if (this.players.some((other) => other.state._stateID < state._stateID)) return;
    if (tally.taken.length % 100 === 0) tally.sawState(JSON.stringify(state).length);
    if (!tally.count(performance.now() - this.began)) return;
    if (state.ctx.gameover) {
      // The game is over: the same people play another. This is not counted.
      this.match += 1;
      await this.sync();
    }
    this.act();
  }

  act() {
    this.began = performance.now();
    const { _stateID: stateID, ctx } = this.players[0].state;
    const { socket, playerID, state } = this.players[Number(ctx.currentPlayer)];
    const action = { type: "MAKE_MOVE", payload: { ...firstMove(state.G, playerID), playerID } };
    socket.emit("update", action, stateID, this.matchID, playerID);
  }
}

async function main() {
  const all = Array.from({ length: tables }, (_, number) => new Table(number));
  for (const table of all) await table.open();
  await measure(all, tally);
}

main();
