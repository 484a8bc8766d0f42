"""The example that learns by self-play: it beats a caller, goes on from its checkpoint, and plays in the room."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from croupier.games.poker import CASH
from croupier.sdk import play
from tests.lab.batch.holdem_twin import Twin

FILE = Path(__file__).parents[3] / "examples" / "self_play.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("self_play", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["self_play"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def learned(example: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of a hundred thousand hands."""
    player, seats = example.Player(), example.Seats(example.TABLES, 1)
    for _ in range(12):
        example.self_play(player, seats, 4.0)
    file = Path(tmp_path_factory.mktemp("self_play") / "learned.npz")
    player.save(file)
    return file


def test_it_beats_a_caller_by_more_than_three_standard_errors(example: ModuleType, learned: Path) -> None:
    mean, error = example.against_caller(example.Player.load(learned))
    assert mean > 3 * error


def test_it_goes_on_from_its_checkpoint(example: ModuleType, learned: Path, tmp_path: Path) -> None:
    kept = example.Player.load(learned)
    file = tmp_path / "learned.npz"
    kept.save(file)
    after = example.train(file, 0.01, 1)
    assert after.hands == kept.hands + example.TABLES
    assert example.Player.load(file).hands == after.hands
    file.write_bytes(b"nonsense")
    with pytest.raises(SystemExit, match="is no checkpoint"):
        example.Player.load(file)


def test_the_bot_does_what_the_player_on_the_batch_engine_does(example: ModuleType, learned: Path) -> None:
    player, bot = example.Player.load(learned), example.Learned(learned)
    seats = example.Seats(64, 5)
    seats.begin(64)
    twins = [Twin(CASH, seats.tables.setup(number)) for number in range(64)]
    compared = 0
    while True:
        where, situations = seats.look()
        if not len(where):
            break
        actions = player.chances(situations, seats.masks[where], 0.01).argmax(axis=1)
        for number, action in zip(where.tolist(), actions.tolist(), strict=True):
            twin, kind = twins[number], int(seats.kinds[number, action])
            twin.deal(seats.tables.rows[number]["deck"])
            seat = twin.hand.turn
            chosen = bot(twin.rules.view(twin.hand, seat), twin.rules.menu(twin.hand, seat))
            before = twin.hand
            assert twin.act(seat, kind, int(seats.amounts[number, action])) is None
            again = twin.rules.act(before, seat, chosen)
            assert again.state == twin.hand  # type: ignore[union-attr]
            compared += 1
        seats.act(where, actions)
    assert compared > 60


def test_it_plays_in_the_room(example: ModuleType, learned: Path) -> None:
    outcome = play(example.Learned(learned), "poker", against=["caller"], rounds=5)
    assert outcome.slips == ()
    assert np.isfinite(outcome.net)
