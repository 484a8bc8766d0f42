"""Blocks on a real Dask cluster on this machine: the same figures, also when a worker dies in the middle."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from croupier.games.blackjack import CASINO
from croupier.lab.blackjack.simulate import Simulation, simulate
from croupier.lab.blackjack.simulation.blocks import BLOCK_ROUNDS, flat_game
from croupier.lab.blackjack.solve import solve
from croupier.lab.cluster import ClusterError, block_results
from croupier.lab.poker.equity import Method, equity

QUIET = {"DASK_DISTRIBUTED__WORKER__DAEMON": "False", "PYTHONWARNINGS": "ignore"}


@contextmanager
def started(module: str, *arguments: str, until: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process of the cluster, from the line on in which it says that it is up."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments], stderr=subprocess.PIPE, text=True, env=os.environ | QUIET
    )
    try:
        assert process.stderr is not None
        line = next(line for line in process.stderr if until in line)
        yield process, line
    finally:
        process.kill()
        process.wait()
        if process.stderr:
            process.stderr.close()


@contextmanager
def cluster() -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler and two workers with one thread each, as processes."""
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    worker = ("distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    with started(*scheduler, until="Scheduler at:") as (_, line):
        address = line.split()[-1]
        with (
            started(*worker, address, until="Registered to:") as (first, _),
            started(*worker, address, until="Registered to:") as (second, _),
        ):
            yield address, [first, second]


def test_a_cluster_changes_nothing_nor_does_the_loss_of_a_worker() -> None:
    question = {"hands": ["AsKs", "QQ+,AKo", "random"], "method": Method.MONTE_CARLO, "samples": 1_000_003, "seed": 4}
    simulation = Simulation(flat_game(CASINO, solve(CASINO).strategy), 60 * BLOCK_ROUNDS + 7, seed=21)
    local = simulate(simulation)
    assert local is not None
    with cluster() as (address, workers):
        killed = []

        def kill_one(_: object) -> None:
            if not killed:
                killed.append(workers[0].pid)
                workers[0].send_signal(signal.SIGKILL)

        sampled = equity(**question, cluster=address)
        remote = simulate(simulation, cluster=address, progress=kill_one)
        assert workers[0].wait() == -signal.SIGKILL
        assert workers[1].poll() is None
    assert remote is not None
    assert killed
    assert remote.complete
    assert remote.tally == local.tally
    assert sampled.hands == equity(**question).hands


def test_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.lab.cluster.CONNECT_SECONDS_MAX", 0.5)
    with pytest.raises(ClusterError) as caught:
        list(block_results(Simulation(flat_game(CASINO, solve(CASINO).strategy), 10), 1, cluster="tcp://127.0.0.1:9"))
    assert caught.value.refusal.facts["address"] == "tcp://127.0.0.1:9"


def test_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError) as caught:
        list(block_results(Simulation(flat_game(CASINO, solve(CASINO).strategy), 10), 1, cluster="tcp://127.0.0.1:9"))
    assert caught.value.refusal.facts["extra"] == "croupier[cluster]"


def test_work_that_nobody_asks_for_any_more_stops() -> None:
    played: list[int] = []

    class Counted:
        def block(self, number: int) -> int:
            played.append(number)
            return number

    running = block_results(Counted(), 10_000, workers=2)
    assert next(running) in range(4)
    running.close()
    assert len(played) <= 4
