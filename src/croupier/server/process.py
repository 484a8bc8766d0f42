"""Measurements of a process: memory, open files, and the lag of its event loop."""

import asyncio
import os
import sys
import time
from bisect import bisect_left
from pathlib import Path
from typing import Final

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

LAG_SECONDS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""The bounds by which lags of the loop are counted."""
TICK_SECONDS: Final = 0.25
"""How often the loop's lag is measured: each time costs some microseconds."""


def memory_bytes() -> int:
    """The memory that this process uses; if the system does not tell, its peak."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        most = 0 if resource is None else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else 1024 * most


def memory_of_machine() -> int:
    """The memory that this machine has; where the system does not tell, enough for anything."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return sys.maxsize


def open_files() -> int:
    """The files and sockets that this process has open; 0 where the system does not tell."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            # One of them is the folder itself.
            return sum(1 for _ in Path(folder).iterdir()) - 1
        except OSError:
            continue
    return 0


def open_files_max() -> int:
    """The system's limit of open files; 0 if unknown."""
    return 0 if resource is None else resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class LoopLag:
    """Measures the lag of the event loop. Starts and ends with the server."""

    def __init__(self) -> None:
        self.counts = [0] * (len(LAG_SECONDS) + 1)
        self.seconds = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        due = time.monotonic() + TICK_SECONDS
        self._timer = loop.call_later(TICK_SECONDS, lambda: self._tick(due))

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def count(self, seconds: float) -> None:
        self.counts[bisect_left(LAG_SECONDS, seconds)] += 1
        self.seconds += seconds

    def _tick(self, due: float) -> None:
        self.count(max(0.0, time.monotonic() - due))
        self.start()
