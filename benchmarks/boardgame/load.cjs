// The load on boardgame.io, as benchmarks/server_load.py is on us: tables of two, one action at a time, the next when
// both players have the new state. It speaks boardgame.io's messages over socket.io without its client on top, whose own
// copy of the game would cost time. Run as `node load.cjs PORT '{"tables": 200, "seats": 2, "seconds": 5}'`.
const { io } = require("socket.io-client");

const [port, wish] = process.argv.slice(2);
const { tables, seats, seconds } = JSON.parse(wish);
const taken = [];
let stopped = true;
let stateBytes = 0;

class Table {
  constructor(number) {
    this.matchID = `table${number}`;
    this.players = [];
    this.stateID = 0;
    this.turn = 0;
  }

  async open() {
    for (let seat = 0; seat < seats; seat += 1) this.players.push(await this.sit(seat));
  }

  sit(seat) {
    const socket = io(`http://127.0.0.1:${port}/load`, { transports: ["websocket"], forceNew: true });
    const player = { socket, stateID: 0, seen: null };
    socket.on("update", (matchID, state) => this.told(player, state));
    return new Promise((resolve) => {
      socket.on("sync", (matchID, { state }) => {
        player.seen = state.G;
        resolve(player);
      });
      socket.on("connect", () => socket.emit("sync", this.matchID, String(seat), undefined, seats));
    });
  }

  told(player, state) {
    player.stateID = state._stateID;
    player.seen = state.G;
    this.turn = Number(state.ctx.currentPlayer);
    if (this.players.some((other) => other.stateID < state._stateID)) return;
    this.stateID = state._stateID;
    if (taken.length % 1000 === 0) stateBytes = JSON.stringify(state).length;
    taken.push(performance.now() - this.began);
    if (!stopped) this.act();
  }

  act() {
    this.began = performance.now();
    const playerID = String(this.turn);
    const { cells, players } = this.players[this.turn].seen;
    const args = [players[playerID].hand[0], cells.findIndex(({ chip }) => chip === "-")];
    const action = { type: "MAKE_MOVE", payload: { type: "play", args, playerID } };
    this.players[this.turn].socket.emit("update", action, this.stateID, this.matchID, playerID);
  }
}

async function main() {
  const all = Array.from({ length: tables }, (_, number) => new Table(number));
  for (const table of all) await table.open();
  console.log("ready");
  stopped = false;
  const began = performance.now();
  const busy = process.cpuUsage();
  for (const table of all) table.act();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  stopped = true;
  const elapsed = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(busy);
  console.log("done");
  const sorted = [...taken].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const figures = { actions: sorted.length, seconds: elapsed, load_cpu_seconds: (user + system) / 1e6, errors: 0 };
  const result = { ...figures, state_bytes: stateBytes, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) };
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
}

main();
