"""The page's connection in Node, with a server that is played: what happens when no room can be heard at once."""

import json
import subprocess
from pathlib import Path

from tests.page_scripts import page_scripts

SCRIPT = """
const asked = { BUSY: 0, STORE_FAILED: 0, NOT_IN_ROOM: 0 };
globalThis.location = new URL("http://cards.example/");
globalThis.document = Object.assign(new EventTarget(), { querySelector: () => null, hidden: false });
globalThis.addEventListener = () => {};
globalThis.localStorage = { getItem: () => null, setItem() {}, removeItem() {} };
globalThis.WebSocket = class extends EventTarget {
  constructor() {
    super();
    setTimeout(() => this.dispatchEvent(new Event("open")));
  }
  send(text) {
    const { type, requestId, roomCode } = JSON.parse(text);
    const welcome = { type: "WELCOME", requestId, playerId: "me", nickname: "Me", serverTimeMs: 0 };
    const refused = { type: "ERROR", requestId, code: roomCode, message: "later", facts: {} };
    if (type === "ROOM_WATCH") asked[roomCode] += 1;
    const answer = type === "HELLO" ? welcome : asked[roomCode] < 3 ? refused : { type: "ACCEPTED", requestId };
    setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(answer) })));
  }
  close() {}
};
const { Connection } = await import(process.argv[2]);
const connections = Object.keys(asked).map((roomCode) => {
  const connection = new Connection();
  connection.resume = () => [{ roomCode, knownVersion: 5 }];
  connection.hello("Me", "en");
  return connection;
});
setTimeout(() => {
  console.log(JSON.stringify({ asked, all: connections.map(({ status }) => status) }));
  process.exit();
}, 1200);
"""


def test_a_room_that_cannot_be_heard_now_is_asked_for_again(tmp_path: Path) -> None:
    """After a restart everybody comes back at once, and some are refused for a moment. Nobody's table stays silent."""
    node = page_scripts(tmp_path)
    script = tmp_path / "play.mjs"
    script.write_text(SCRIPT, encoding="utf-8")
    told = subprocess.run(
        [*node, str(script), (tmp_path / "js" / "connection.js").as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    heard = json.loads(told.stdout)
    assert heard == {"asked": {"BUSY": 3, "STORE_FAILED": 3, "NOT_IN_ROOM": 1}, "all": ["open"] * 3}
