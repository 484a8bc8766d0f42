// The load on Colyseus, by its own client: tables of two, one action at a time, the next when both players have the new
// state. Run as `node colyseus_load.cjs PORT '{"tables": 200, "seats": 2, "actions": 20000}'`.
const { Client } = require("@colyseus/sdk");
const { firstMove } = require("./sequence.cjs");
const { Tally, measure } = require("./tally.cjs");

const [port, wish] = process.argv.slice(2);
const { tables, seats, actions } = JSON.parse(wish);
const tally = new Tally(actions);
const client = new Client(`http://127.0.0.1:${port}`);

/** The client's copy as the rules know a game. */
function gameOf(state, seat) {
  return {
    chips: [...state.chips].map((chip) => chip || null),
    cleared: state.cleared < 0 ? null : state.cleared,
    completedCells: [...state.completedCells],
    players: { [seat]: { hand: [...state.players[seat].hand] } },
  };
}

class Table {
  players = [];
  restarting = false;

  async open() {
    const host = await client.create("sequence");
    this.players.push(host);
    while (this.players.length < seats) this.players.push(await client.joinById(host.roomId));
    for (const player of this.players) {
      // Of a new game the hand may come after the rest: then the first try was too early.
      player.onMessage("refused", () => setImmediate(() => this.act()));
      player.onStateChange(() => this.told());
      const { events } = player.connection;
      const { onmessage } = events;
      events.onmessage = (event) => {
        tally.sawState(event.data.byteLength);
        onmessage.call(events, event);
      };
    }
  }

  told() {
    const version = this.awaits;
    if (!version || this.players.some((player) => player.state.version < version)) return;
    this.awaits = 0;
    if (this.restarting) this.restarting = false;
    else if (!tally.count(performance.now() - this.began)) return;
    this.act();
  }

  act() {
    const { ended, turn, version } = this.players[0].state;
    this.began = performance.now();
    this.awaits = version + 1;
    if (ended) {
      // The same people play another game. This is not counted.
      this.restarting = true;
      this.players[0].send("rematch");
      return;
    }
    const player = this.players[turn];
    const { type, args } = firstMove(gameOf(player.state, turn), turn);
    player.send(type, args);
  }
}

async function main() {
  const all = Array.from({ length: tables }, () => new Table());
  for (const table of all) await table.open();
  await new Promise((resolve) => {
    setTimeout(resolve, 500);
  });
  await measure(all, tally);
}

main();
