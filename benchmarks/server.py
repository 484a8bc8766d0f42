"""Durable actions a second of a room server, the time until players see them, and its memory at rest.

Two hundred tables of two play Sequence over real WebSockets. The rules check every action, SQLite commits it with
`synchronous=FULL`, and both players get about 3 KB with their own view, menu and card proofs. Sequence, because a game
is a hundred cheap moves and one deal. The peers play the same game by the same rules in the same run
(`peers/sequence.cjs`). They offer no menu and prove no card.

- boardgame.io, in memory and in files, which it never syncs to the disk. Its players get about 2 KB. It keeps a log of
  every match, so moves become dearer; a table plays `--actions` actions on average, and games are played to the end.
- Colyseus, which has no store: games are lost with its process. Its players get a hundred bytes, because they keep a
  copy of the state and receive changes only.

Every server may use all cores, which it shares with the load generator. Ours serves the rooms in `--workers` processes
and, in a separate line, in the listening process alone, the default of `croupier serve`. A peer keeps its tables in one
process. On a busy machine, look at the processor time per action.

Run as `python benchmarks/server.py [--actions 100] [--rounds 2] [--workers 2]`. The peers need `npm`.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
PEERS = HERE / "peers"
PEER_PORT = 8321
TABLES = 200
SEATS = 2
STEADY_PER_SECOND = 1000
IDLE_CONNECTIONS = 5000
IDLE_MATCHES = 1000
START_SECONDS_MAX = 30
RUN_SECONDS_MAX = 300
UNLIMITED = {
    f"CROUPIER_LIMITS_{name}": "1000000"
    for name in (
        *("CONNECTIONS_MAX", "CONNECTIONS_PER_ADDRESS_MAX", "MESSAGES_PER_SECOND", "MESSAGES_BURST"),
        *("NEWCOMERS_PER_SECOND", "NEWCOMERS_BURST", "ARRIVALS_PER_SECOND", "ARRIVALS_BURST"),
        *("ROOMS_MAX", "ROOMS_PER_PERSON_MAX", "ROOMS_PER_ADDRESS_MAX"),
    )
}
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Figures(NamedTuple):
    """What one run measured."""

    actions_per_second: float
    server_microseconds: float
    """Processor time of the server for one action."""
    p50_ms: float
    p99_ms: float
    state_bytes: float
    load_share: float
    """How busy the load generator was: well below 1, or it was measured and not the server."""
    hands_per_second: float
    """Rounds that were begun, each with its deal."""


@contextmanager
def process(command: list[str], awaited: str, **options: Any) -> Iterator[tuple[int, str]]:
    """A server that has said it is ready: its process, and the line in which it said so."""
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **options)
    try:
        assert running.stdout is not None
        for line in running.stdout:
            if awaited in line:
                break
        else:
            raise SystemExit(f"{' '.join(command[:6])} did not start")
        yield running.pid, line
    finally:
        running.send_signal(signal.SIGTERM)
        try:
            running.wait(timeout=20)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


@contextmanager
def croupier(folder: Path, workers: int) -> Iterator[tuple[int, int]]:
    """Our server on a store of its own: its process and its port."""
    store = Path(tempfile.mkdtemp(dir=folder)) / "store.db"
    command = [sys.executable, "-m", "croupier", "serve", "--store", f"sqlite:///{store}", "--port", "0"]
    environment = {**os.environ, **UNLIMITED, "CROUPIER_LANG": "en", "CROUPIER_WORKERS": str(workers)}
    with process(command, "http://", env=environment) as (pid, line):
        yield pid, int(line.rsplit(":", 1)[1].strip(" /\n"))


@contextmanager
def peer(name: str, folder: Path | None = None) -> Iterator[tuple[int, int]]:
    """Another's server, in memory or in files: its process and its port."""
    place = [] if folder is None else [tempfile.mkdtemp(dir=folder)]
    command = ["node", f"{name}_server.cjs", str(PEER_PORT), *place]
    with process(command, "listening", cwd=PEERS, env={**os.environ, "NODE_ENV": "production"}) as (pid, _):
        yield pid, PEER_PORT


def family(pid: int) -> Iterator[int]:
    """A process and all that it has started and that still run."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text().split():
                yield from family(int(child))


def cpu_seconds(pid: int) -> float:
    """Of a server with all its processes."""
    ticks = 0
    for each in family(pid):
        with suppress(OSError):
            fields = Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS_PER_SECOND


def memory_kb(pid: int) -> int:
    """Of a server with all its processes."""
    return sum(int(Path(f"/proc/{each}/status").read_text().split("VmRSS:")[1].split()[0]) for each in family(pid))


class Load:
    """A load generator in a process of its own, which says when it begins and when it has ended."""

    def __init__(self, command: list[str], pid: int, cwd: Path = HERE) -> None:
        self._pid = pid
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=cwd)

    def await_line(self, word: str) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip() == word:
                return
        raise SystemExit("the load generator failed")

    def result(self) -> Any:
        assert self._process.stdout is not None
        told = self._process.stdout.read()
        self._process.wait(timeout=RUN_SECONDS_MAX)
        return json.loads(told.splitlines()[-1])

    def figures(self) -> Figures:
        self.await_line("ready")
        before = cpu_seconds(self._pid)
        self.await_line("done")
        used = cpu_seconds(self._pid) - before
        result = self.result()
        assert not result["errors"], f"{result['errors']} actions were refused"
        actions = max(1, result["actions"])
        return Figures(
            result["actions"] / result["seconds"],
            1e6 * used / actions,
            result["p50_ms"],
            result["p99_ms"],
            result["state_bytes"],
            result["load_cpu_seconds"] / result["seconds"],
            result["hands"] / result["seconds"],
        )


def our_load(server: tuple[int, int], **wish: Any) -> Load:
    pid, port = server
    return Load([sys.executable, str(HERE / "server_load.py"), str(port), json.dumps(wish)], pid)


def peer_load(name: str, server: tuple[int, int], **wish: Any) -> Load:
    pid, port = server
    return Load(["node", f"{name}_load.cjs", str(port), json.dumps({"seats": SEATS, **wish})], pid, PEERS)


def best(runs: list[Figures]) -> Figures:
    return max(runs, key=lambda figures: figures.actions_per_second)


def tell(name: str, figures: Figures, ratio: str = "") -> None:
    print(
        f"{name:42}{figures.actions_per_second:9,.0f} actions/s{figures.server_microseconds:8,.0f} µs of processor each"
        f"   p50 {figures.p50_ms:7.2f} ms  p99 {figures.p99_ms:7.2f} ms  {figures.state_bytes:5,.0f} B a state"
        f"   load generator {figures.load_share:4.0%} busy   {ratio}",
        flush=True,
    )


def measure_throughput(folder: Path, actions: int, rounds: int, workers: int, with_peers: bool) -> None:
    wish = {"tables": TABLES, "actions": TABLES * actions}
    peers = (
        ("boardgame.io, in memory", "boardgame", None),
        ("boardgame.io, FlatFile", "boardgame", folder),
        ("Colyseus, nothing is kept", "colyseus", None),
    )
    ours, alone = [], []
    theirs: dict[str, list[Figures]] = {name: [] for name, *_ in peers}
    for _ in range(rounds):
        with croupier(folder, workers) as server:
            ours.append(our_load(server, seats=SEATS, **wish).figures())
        with croupier(folder, workers=0) as server:
            alone.append(our_load(server, seats=SEATS, **wish).figures())
        for name, program, place in peers if with_peers else ():
            with peer(program, place) as server:
                theirs[name].append(peer_load(program, server, **wish).figures())
    mine = best(ours)
    tell(f"croupier, durable, {workers} workers", mine)
    tell("croupier, durable, one process", best(alone))
    for name, runs in theirs.items():
        if runs:
            other = best(runs)
            tell(name, other, f"we are {mine.actions_per_second / other.actions_per_second:.1f}×")


def measure_latency(folder: Path, seconds: float, rounds: int, workers: int) -> None:
    wish = {"tables": TABLES, "seats": SEATS, "seconds": seconds, "actions_per_second": STEADY_PER_SECOND}
    for processes in (workers, 0):
        runs = []
        for _ in range(rounds):
            with croupier(folder, processes) as server:
                runs.append(our_load(server, **wish).figures())
        steady = min(runs, key=lambda figures: figures.p99_ms)
        served = f"{processes} workers" if processes else "one process"
        tell(f"croupier at {STEADY_PER_SECOND:,} a second, {served}", steady)


def measure_idle(folder: Path) -> None:
    """Memory of connections that only are, and of matches that wait for their first move with both players there.

    In one process: with workers, the front would keep for the next ones what connections took before they went over.
    """
    held, connection_kb = _held_kb(folder, IDLE_CONNECTIONS, tables=0, idle_connections=IDLE_CONNECTIONS)
    print(f"idle connections held  {held:,} of {IDLE_CONNECTIONS:,}, {connection_kb:.1f} KB each", flush=True)
    held, match_kb = _held_kb(folder, IDLE_MATCHES, tables=IDLE_MATCHES, seats=SEATS, actions_per_second=1.0)
    assert held == IDLE_MATCHES * SEATS
    print(
        f"a seated idle match  {match_kb - SEATS * connection_kb:.1f} KB,"
        f" with its {SEATS} connections {match_kb:.1f} KB (of {IDLE_MATCHES:,} matches)"
    )


def _held_kb(folder: Path, count: int, **wish: Any) -> tuple[int, float]:
    """How many connections were held, and what each of `count` things costs a server that has been in use before."""
    with croupier(folder, workers=0) as server:
        our_load(server, tables=20, seats=SEATS, actions=500).figures()
        before = memory_kb(server[0])
        load = our_load(server, hold_seconds=3.0, **wish)
        load.await_line("done")
        time.sleep(1.0)
        each_kb = (memory_kb(server[0]) - before) / count
        return load.result()["connected"], each_kb


def peers_ready() -> bool:
    if shutil.which("npm") is None:
        print("npm is not installed: boardgame.io and Colyseus are left out")
        return False
    if not (PEERS / "node_modules").exists():
        # Of what Colyseus could be used with, not all is needed here, and not all can be had everywhere.
        quietly = ("--no-package-lock", "--no-audit", "--no-fund", "--silent", "--legacy-peer-deps")
        subprocess.run(["npm", "install", *quietly], cwd=PEERS, check=True)
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=100, help="of a table, for the throughput")
    parser.add_argument("--seconds", type=float, default=5.0, help="for the latency")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", default=".", help="on the disk to measure")
    parser.add_argument("--only", choices=("throughput", "latency", "idle"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name).resolve()
        if options.only in (None, "throughput"):
            measure_throughput(folder, options.actions, options.rounds, options.workers, peers_ready())
        if options.only in (None, "latency"):
            measure_latency(folder, options.seconds, options.rounds, options.workers)
        if options.only in (None, "idle"):
            measure_idle(folder)


if __name__ == "__main__":
    main()
