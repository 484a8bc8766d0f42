"""For authors of games: the contract of every game, as checks to call from a test of your own.

.. code-block:: python

    from croupier.testing import check_game, check_texts
    from my_game import GAME


    def test_my_game_keeps_the_contract() -> None:
        check_game(GAME)


    def test_my_game_has_its_texts() -> None:
        check_texts(GAME, "my_game")

A game that breaks a rule fails with an AssertionError that says which, and with which preset, seats and seed. `checks`
has the rules one by one, `driver` plays any game at random.
"""

from collections.abc import Iterable
from random import Random

from croupier.game.game import AnyRules, Game
from croupier.testing import checks
from croupier.testing.driver import Played, play
from croupier.testing.texts import check_texts

__all__ = ["check_game", "check_texts", "checks", "play"]

SEEDS = range(8)
SOME_MOVES = 40


def check_game(game: Game, seeds: Iterable[int] = SEEDS) -> None:
    """Play every preset with several numbers of seats, a few times each, and check every round against the contract.

    This includes the leak check: cards that a viewer cannot know are dealt again, and the viewer must receive the same
    bytes.
    """
    numbers = tuple(seeds)
    for preset, rules in game.presets.items():
        for seats in seat_counts(rules):
            compared, hides = 0, False
            for seed in numbers:
                try:
                    played = _check_round(game, rules, seats, seed)
                    compared += checks.check_no_leak(played, Random(seed))
                except AssertionError as error:
                    raise AssertionError(f"preset {preset!r}, {seats} seats, seed {seed}: {error}") from error
                hides = hides or rules.known(played.state, None).bit_count() < len(played.dealt)
            assert compared or not hides, f"preset {preset!r}, {seats} seats: no other world was found to compare with"


def seat_counts(rules: AnyRules) -> list[int]:
    """Some of the numbers of seats that a round can have: the fewest, two more, six, the most."""
    low, high = rules.seat_range
    found = []
    for seats in sorted({low, min(high, low + 2), min(high, 6), high}):
        try:
            rules.setup(seats)
        except ValueError:
            continue
        found.append(seats)
    return found


def _check_round(game: Game, rules: AnyRules, seats: int, seed: int) -> Played:
    """Check a whole round. Return a round that is cut off in the middle, where there are secrets to leak."""
    random = Random(seed)
    setup = rules.setup(seats)
    pool = [action for _, action in play(rules, setup, Random(seed + 1)).moves]
    whole = play(rules, setup, random)
    checks.check_round_ends(whole)
    checks.check_chips_conserved(whole)
    checks.check_replay(game, whole)
    checks.check_known_is_shown(whole)
    checks.check_actions_tell_nothing(whole, random)
    checks.check_clients_follow(game, whole, random, since=len(whole.steps) - 1)
    checks.check_leaving(whole, random)
    checks.check_match(game, rules, seats, random)
    part = play(rules, setup, random, random.randint(0, min(SOME_MOVES, len(whole.moves))))
    checks.check_clients_follow(game, part, random)
    checks.check_offers(part, random, pool)
    checks.check_json(game, part)
    checks.check_base_of_views(part)
    return part
