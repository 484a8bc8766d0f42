"""What a solve costs the tables beside it: the time of an action at 1,000 a second, with a solve and without.

A server of our own serves 100 tables of Sequence at a fixed rate (`server_load.py`): the time runs from when an action
was to be sent to when everybody at the table has its state. Then the same again while the solver of the page works on a
flop without end, in its own process, on all cores that are left to it. The two alternate, so that both meet the same
machine. The load generator shares the cores too, and is not in the way of what it measures.

Only what stands side by side in one run can be compared. A machine that has other work may need a lower rate.

Run as `python benchmarks/tables_and_solver.py [--rounds 3] [--seconds 10] [--rate 1000]`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

from server import HERE, croupier

TABLES = 100
PER_SECOND = 1000
SPOT = {
    "board": "QsJh2h",
    "ranges": ["22-88,A2s-AJs,KTs+,QTs+,J9s+,T8s+,A9o-AQo,KTo+", "22+,A2s+,K9s+,Q9s+,J9s+,T9s,98s,ATo+,KJo+,QJo"],
    "pot": 100,
    "stack": 200,
    "bets": "50%",
    "raises": "2.5x",
    "target": 0,
    "seconds": 120,
}


def load(port: int, seconds: float, rate: float) -> dict[str, float]:
    """The figures of one run of the load generator."""
    asked = {"tables": TABLES, "seconds": seconds, "actions_per_second": rate}
    command = [sys.executable, "server_load.py", str(port), json.dumps(asked)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE).stdout
    found: dict[str, float] = json.loads(said.strip().splitlines()[-1])
    return found


def ask(port: int, path: str, body: object) -> Request:
    link = f"http://127.0.0.1:{port}/api/lab/{path}"
    return Request(link, json.dumps(body).encode(), {"content-type": "application/json"})


@contextmanager
def solve(port: int) -> Iterator[None]:
    """A solve that goes on while the block lasts, and has begun when it is entered."""
    with urlopen(ask(port, "solver", SPOT)) as stream:
        begun = json.loads(stream.readline())
        yield
        with urlopen(ask(port, "solver/look", {"study": begun["study"]})) as answer:
            iterations = json.load(answer)["iterations"]
    with urlopen(ask(port, "solver/end", {"study": begun["study"]})):
        print(f"               {iterations} iterations beside, {begun['memoryBytes'] / 1e6:.0f} MB", flush=True)


def line(name: str, found: dict[str, float]) -> None:
    times = "   ".join(f"{each} {found[f'{each}_ms']:7.2f} ms" for each in ("p50", "p99", "max"))
    print(f"{name:14} {times}   {found['actions']:,} actions, {found['errors']} errors", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=float, default=10.0)
    options.add_argument("--rate", type=float, default=PER_SECOND)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, croupier(Path(folder), workers=0) as (_, port):
        for _ in range(chosen.rounds):
            line("tables alone", load(port, chosen.seconds, chosen.rate))
            with solve(port):
                line("with a solve", load(port, chosen.seconds, chosen.rate))


if __name__ == "__main__":
    main()
