// Colyseus with Sequence on it: the game in plain values, and what can be seen of it in its schema, of which Colyseus
// sends the changes. Each player's hand is in that player's own view. Changes go out after every action and not, as is
// its custom, twenty times a second. Run as `node colyseus_server.cjs PORT`.
const { Room, Server } = require("@colyseus/core");
const { StateView, schema, t } = require("@colyseus/schema");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { deal, pass, play, result } = require("./sequence.cjs");

const port = Number(process.argv[2]);
const SEATS = 2;

const Player = schema({ hand: t.array("string").view() });
const Table = schema({
  version: t.number(),
  turn: t.number(),
  ended: t.boolean(),
  board: t.array("string"),
  chips: t.array("string"),
  completedCells: t.array("number"),
  cleared: t.number(),
  lastCard: t.string(),
  lastCell: t.number(),
  discardTops: t.array("string"),
  packLeft: t.number(),
  players: t.array(Player),
});

function shuffle(cards) {
  const shuffled = [...cards];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
  }
  return shuffled;
}

class SequenceRoom extends Room {
  maxClients = SEATS;
  patchRate = null;

  onCreate() {
    this.state = new Table();
    for (let seat = 0; seat < SEATS; seat += 1) this.state.players.push(new Player());
    this.state.version = 0;
    this.begin();
    this.onMessage("play", (client, [card, cell]) =>
      this.move(client, (seat) => play(this.game, seat, card, cell, shuffle)),
    );
    this.onMessage("pass", (client) => this.move(client, (seat) => pass(this.game, seat)));
    this.onMessage("rematch", () => this.begin());
  }

  onJoin(client) {
    client.userData = { seat: this.clients.length - 1 };
    client.view = new StateView();
    client.view.add(this.state.players[client.userData.seat]);
  }

  begin() {
    this.game = deal(SEATS, shuffle);
    this.state.turn = 0;
    this.state.ended = false;
    this.show(this.game.chips.keys());
    this.broadcastPatch();
  }

  move(client, act) {
    const { seat } = client.userData;
    if (this.state.ended || seat !== this.state.turn || !act(seat)) {
      client.send("refused");
      return;
    }
    this.state.turn = (seat + 1) % SEATS;
    this.state.ended = result(this.game) !== undefined;
    this.show(this.game.last ? [this.game.last.cell] : []);
    this.broadcastPatch();
  }

  /** Brings what can be seen up to date; `cells` are those that may have changed. */
  show(cells) {
    const { game, state } = this;
    state.version += 1;
    if (!state.board.length) for (const face of game.board) state.board.push(face ?? "");
    for (const cell of cells) {
      const chip = game.chips[cell] ?? "";
      if (state.chips[cell] !== chip) state.chips[cell] = chip;
    }
    for (let n = state.completedCells.length; n < game.completedCells.length; n += 1)
      state.completedCells.push(game.completedCells[n]);
    if (state.completedCells.length > game.completedCells.length) state.completedCells.clear();
    state.cleared = game.cleared ?? -1;
    state.lastCard = game.last?.card ?? "";
    state.lastCell = game.last?.cell ?? -1;
    state.packLeft = game.packLeft;
    game.discardTops.forEach((card, seat) => {
      if (state.discardTops[seat] !== (card ?? "")) state.discardTops[seat] = card ?? "";
    });
    for (let seat = 0; seat < SEATS; seat += 1) {
      const { hand } = state.players[seat];
      game.players[seat].hand.forEach((card, at) => {
        if (hand[at] !== card) hand[at] = card;
      });
    }
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("sequence", SequenceRoom);
server.listen(port, "127.0.0.1").then(() => console.log("listening"));
