"""A server that notes how it served the players at 127.0.0.1, beside what they measure themselves.

- For each frame of such a player: the time from when it was read to when the reply was written, commit included.
- Again and again: how late the event loop was for a timer, and how much of that the loop's own thread was computing.
  That share hardly depends on what else runs on the machine, so it can be judged on a busy one: a frame lies unread for
  so long, and no longer, for the server's sake, and what the store answered does, too.

`serving` starts it, `Server.reset` begins a measurement, `Server.noted` ends one. Run as
`python benchmarks/server_side.py FILE serve …` it is the `croupier` command, which writes its notes to FILE.
"""

import asyncio
import json
import os
import re
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

PLAYER: Final = "127.0.0.1"
PROBE_SECONDS: Final = 0.005
PATIENCE_SECONDS: Final = 10.0


def p99(values: list[float]) -> float:
    """The 99th percentile; 0 of nothing."""
    ordered = sorted(values)
    return ordered[int(len(ordered) * 0.99)] if ordered else 0.0


class Noted(NamedTuple):
    """Milliseconds, as the server counts them."""

    replies: list[float]
    """From a frame read to its reply written."""
    late: list[float]
    """How late the loop was."""
    own: list[float]
    """How much of that its own thread was computing."""

    @property
    def own_p99_ms(self) -> float:
        """How long a frame waits while the loop computes: until it is read, and until the store's answer is."""
        return 2 * p99(self.own)


class Server:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], port: int, notes: Path) -> None:
        self.pid, self.port = process.pid, port
        self._notes = notes

    def reset(self) -> None:
        """Begins a measurement."""
        os.kill(self.pid, signal.SIGUSR1)

    def noted(self) -> Noted:
        """What was noted since."""
        self._notes.unlink(missing_ok=True)
        os.kill(self.pid, signal.SIGUSR2)
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._notes.exists():
            if time.monotonic() > until:
                raise SystemExit("the server does not say what it noted")
            time.sleep(0.01)
        return Noted(**json.loads(self._notes.read_text(encoding="ascii")))


@contextmanager
def serving(store: Path) -> Iterator[Server]:
    """A server with its defaults on this store."""
    notes, log = store.with_suffix(".notes"), store.with_suffix(".log")
    command = [sys.executable, __file__, str(notes), "serve", "--port", "0", "--lang", "en"]
    command += ["--store", f"sqlite:///{store}"]
    with log.open("wb") as errors:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert running.stdout is not None
            found = re.search(r":(\d+)/", running.stdout.readline())
            if found is None:
                raise SystemExit(log.read_text(encoding="utf-8"))
            yield Server(running, int(found[1]), notes)
        finally:
            running.terminate()
            running.wait()


class _Notes:
    def __init__(self, file: Path) -> None:
        self._file = file
        self.replies: list[float] = []
        self._late: list[float] = []
        self._own: list[float] = []
        self._probing = False

    def reset(self, *_: object) -> None:
        for noted in (self.replies, self._late, self._own):
            noted.clear()

    def write(self, *_: object) -> None:
        noted = Noted(self.replies, self._late, self._own)
        text = json.dumps(noted._asdict())
        half = self._file.with_suffix(".half")
        half.write_text(text, encoding="ascii")
        half.replace(self._file)

    def probe(self) -> None:
        """Begins to look at the loop, once."""
        if not self._probing:
            self._probing = True
            self._wait(asyncio.get_running_loop())

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_later(PROBE_SECONDS, self._woken, loop, time.perf_counter(), time.thread_time())

    def _woken(self, loop: asyncio.AbstractEventLoop, began: float, used: float) -> None:
        late = max(0.0, time.perf_counter() - began - PROBE_SECONDS)
        self._late.append(1000 * late)
        self._own.append(1000 * min(late, time.thread_time() - used))
        self._wait(loop)


def _watch(notes: _Notes) -> None:
    """Has the sockets of players noted."""
    from croupier.server.websocket import DirectSocket

    made, received, send = DirectSocket.connection_made, DirectSocket.data_received, DirectSocket._send
    read_at: dict[DirectSocket, float | None] = {}

    def connection_made(self: Any, transport: Any) -> None:
        notes.probe()
        if (transport.get_extra_info("peername") or ("",))[0] == PLAYER:
            read_at[self] = None
        made(self, transport)

    def data_received(self: Any, data: bytes) -> None:
        if self in read_at and read_at[self] is None:
            read_at[self] = time.perf_counter()
        received(self, data)

    def _send(self: Any) -> None:
        is_reply = bool(self._unsent)
        send(self)
        began = read_at.get(self)
        if is_reply and began is not None:
            notes.replies.append(1000 * (time.perf_counter() - began))
            read_at[self] = None

    patched: Any = DirectSocket
    patched.connection_made, patched.data_received, patched._send = connection_made, data_received, _send


def main() -> None:
    notes = _Notes(Path(sys.argv[1]))
    signal.signal(signal.SIGUSR1, notes.reset)
    signal.signal(signal.SIGUSR2, notes.write)
    _watch(notes)
    sys.argv = ["croupier", *sys.argv[2:]]
    runpy.run_module("croupier", run_name="__main__")


if __name__ == "__main__":
    main()
