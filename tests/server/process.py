"""The real `croupier serve` as a process that can be killed, stopped and started again on the same store and port."""

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

START_SECONDS_MAX: Final = 30.0
STOP_SECONDS_MAX: Final = 5.0
_LIMITS: Final = {
    "MESSAGES_PER_SECOND": "10000",
    "MESSAGES_BURST": "10000",
    "NEWCOMERS_BURST": "10000",
    "GUESSES_BURST": "1000",
    "ARRIVALS_PER_SECOND": "10000",
    "ROOMS_PER_PERSON_MAX": "1000",
}


def command(store: Path | str, port: int = 0) -> list[str]:
    """The server on a file, or on any other store by its address."""
    address = f"sqlite:///{store}" if isinstance(store, Path) else store
    return [sys.executable, "-m", "croupier", "serve", "--store", address, "--port", str(port)]


def environment(**more: str) -> dict[str, str]:
    limits = {f"CROUPIER_LIMITS_{name}": value for name, value in _LIMITS.items()}
    return {**os.environ, "CROUPIER_LANG": "en", "CROUPIER_BOT_DELAY_SECONDS": "0.02", "LC_ALL": "C", **limits, **more}


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


class Server:
    """A server process. It keeps its port over restarts, so that clients find it again."""

    def __init__(self, store: Path, address: str = "", port: int = 0, **more: str) -> None:
        """The log is written beside `store`, which is also the store unless another `address` is given."""
        self.store = store
        self.port = port
        self._address = address
        self._environment = environment(**more)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Returns when the first line has told the port: the server listens."""
        log = self.store.with_suffix(".log").open("ab")
        self._process = subprocess.Popen(
            command(self._address or self.store, self.port), stdout=subprocess.PIPE, stderr=log, env=self._environment
        )
        log.close()
        assert self._process.stdout is not None
        readable, _, _ = select.select([self._process.stdout], [], [], START_SECONDS_MAX)
        assert readable, "the server does not start"
        line = self._process.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, f"no link in {line!r}"
        self.port = int(found[1])

    def kill(self) -> None:
        """The power goes out."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        assert self._process.wait() == -signal.SIGKILL
        self._close()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """Asks it to stop: its exit code, and how many seconds it took."""
        assert self._process is not None
        began = time.monotonic()
        self._process.send_signal(number)
        code = self._process.wait(timeout=2 * STOP_SECONDS_MAX)
        self._close()
        return code, time.monotonic() - began

    def log(self) -> str:
        return self.store.with_suffix(".log").read_text(encoding="utf-8")

    def end(self) -> None:
        """Ends it, whatever state it is in."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def _close(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.stdout.close()
