"""One seed is exactly one history: nothing in it comes from this machine, this moment or this process."""

import os
import secrets
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

import pytest

from tests.simulation.run import play

SEEDS = range(9001, 9009)


@cache
def _first_hashes() -> tuple[str, ...]:
    return tuple(play(seed).hash for seed in SEEDS)


def test_the_same_seed_gives_the_same_history() -> None:
    assert tuple(play(seed).hash for seed in SEEDS) == _first_hashes()


def test_different_seeds_give_different_histories() -> None:
    assert len(set(_first_hashes())) == len(SEEDS)


def test_the_order_of_hashes_does_not_matter() -> None:
    """Another process, in which sets and dictionaries of texts have another order."""
    program = (
        "from tests.simulation.run import play\n"
        f"print(*(play(seed).hash for seed in range({SEEDS.start}, {SEEDS.stop})))"
    )
    order = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    told = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": order, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert tuple(told.split()) == _first_hashes()


def _forbidden(name: str) -> Callable[..., NoReturn]:
    def call(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError(f"{name} was asked during a simulation")

    return call


def test_no_clock_but_the_simulated_one_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("time_ns", "monotonic"):
        monkeypatch.setattr(time, name, _forbidden(f"time.{name}"))
    _play_all(monkeypatch)


def test_no_chance_but_the_seeds_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("token_bytes", "token_hex", "token_urlsafe", "randbits"):
        monkeypatch.setattr(secrets, name, _forbidden(f"secrets.{name}"))
    monkeypatch.setattr(os, "urandom", _forbidden("os.urandom"))
    monkeypatch.setattr(uuid, "uuid4", _forbidden("uuid.uuid4"))
    _play_all(monkeypatch)


def _play_all(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        reports = [play(seed) for seed in SEEDS]
    finally:
        monkeypatch.undo()
    assert [report.text() for report in reports if not report.ok] == []
