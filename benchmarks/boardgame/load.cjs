// The load on boardgame.io, as benchmarks/server_load.py is on us: tables of two, one action at a time, the next when
// both players have the new state, and a new match when one has ended. It speaks boardgame.io's messages over socket.io
// without its client on top, whose own copy of the game would cost time.
// Run as `node load.cjs PORT '{"tables": 200, "seats": 2, "actions": 20000}'`.
const { io } = require("socket.io-client");
const { game, firstMove } = require("./sequence.cjs");

const [port, wish] = process.argv.slice(2);
const { tables, seats, actions } = JSON.parse(wish);
const taken = [];
let stateBytes = 0;
let states = 0;
let began = 0;
let finish;
const finished = new Promise((resolve) => {
  finish = resolve;
});

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
    const socket = io(`http://127.0.0.1:${port}/${game.name}`, { transports: ["websocket"], forceNew: true });
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
    taken.push(performance.now() - this.began);
    if (taken.length % 100 === 0) {
      stateBytes += JSON.stringify(state).length;
      states += 1;
    }
    if (taken.length >= actions) {
      finish();
      return;
    }
    if (state.ctx.gameover) {
      // The game is over: the same people play another. This is not counted.
      this.match += 1;
      await this.sync();
    }
    this.act();
  }

  act() {
    this.began = performance.now();
    const { playerID: first, state } = this.players[0];
    const playerID = state.ctx.currentPlayer ?? first;
    const player = this.players[Number(playerID)];
    const action = { type: "MAKE_MOVE", payload: { ...firstMove(player.state.G, playerID), playerID } };
    player.socket.emit("update", action, state._stateID, this.matchID, playerID);
  }
}

async function main() {
  const all = Array.from({ length: tables }, (_, number) => new Table(number));
  for (const table of all) await table.open();
  console.log("ready");
  began = performance.now();
  const busy = process.cpuUsage();
  for (const table of all) table.act();
  await finished;
  const elapsed = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(busy);
  console.log("done");
  const sorted = taken.toSorted ? taken.toSorted((a, b) => a - b) : [...taken].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const figures = { actions: sorted.length, seconds: elapsed, load_cpu_seconds: (user + system) / 1e6, errors: 0 };
  const result = { ...figures, state_bytes: stateBytes / states, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) };
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
}

main();
