"""The contract, over the game of an outsider: `examples/crazy_eights`."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from croupier.game.game import Game
from tests.contract import checks
from tests.contract.driver import play

SOURCE = Path(__file__).parents[2] / "examples" / "crazy_eights" / "src"
SEATS = (2, 3, 6)
SEEDS = range(8)


@pytest.fixture
def game() -> Iterator[Game]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SOURCE))
        yield import_module("crazy_eights").GAME
    for name in [name for name in sys.modules if name.partition(".")[0] == "crazy_eights"]:
        del sys.modules[name]


@pytest.mark.parametrize("seats", SEATS)
def test_crazy_eights_keeps_the_contract(game: Game, seats: int) -> None:
    for rules in game.presets.values():
        pool = [action for _, action in play(rules, rules.setup(seats), Random(99)).moves]
        for seed in SEEDS:
            random = Random(seed)
            whole = play(rules, rules.setup(seats), random)
            checks.check_round_ends(whole)
            checks.check_chips_conserved(whole)
            checks.check_replay(game, whole)
            checks.check_known_is_shown(whole)
            checks.check_leaving(whole, random)
            checks.check_match(game, rules, seats, random)
            part = play(rules, rules.setup(seats), random, random.randint(0, len(whole.moves)))
            checks.check_offers(part, random, pool)
            checks.check_json(game, part)
            checks.check_base_of_views(part)


def test_crazy_eights_shows_nobody_a_card_that_is_not_theirs(game: Game) -> None:
    rules = game.presets["standard"]
    compared = 0
    for seed in SEEDS:
        random = Random(seed)
        compared += checks.check_no_leak(play(rules, rules.setup(3), random, random.randint(0, 20)), random)
    assert compared > 0, "no other world was found to compare with"
