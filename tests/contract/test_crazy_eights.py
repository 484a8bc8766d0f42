"""The contract, over the game of an outsider: `examples/crazy_eights`."""

import msgspec
import pytest

from croupier.game.game import Action, Game
from croupier.game.registry import GAMES
from croupier.testing import check_game, check_texts
from tests.contract import toys


@pytest.fixture
def game(crazy_eights: object) -> Game:
    return GAMES["crazy_eights"]


def test_crazy_eights_keeps_the_contract_and_shows_nobody_a_card_that_is_not_theirs(game: Game) -> None:
    check_game(game)


def test_crazy_eights_has_its_texts(game: Game) -> None:
    check_texts(game, "crazy_eights")


def test_a_missing_text_and_a_fact_that_is_not_there_are_named(game: Game) -> None:
    class More(Action, frozen=True, tag="CRAZY_EIGHTS_MORE"):
        pass

    class Take(Action, frozen=True, tag="CRAZY_EIGHTS_PLAY"):
        pass

    with pytest.raises(AssertionError, match="CRAZY_EIGHTS_MORE"):
        check_texts(msgspec.structs.replace(game, action=More), "crazy_eights")
    with pytest.raises(AssertionError, match=r"action.CRAZY_EIGHTS_PLAY asks for \['card'\]"):
        check_texts(msgspec.structs.replace(game, action=Take), "crazy_eights")


def test_a_broken_game_is_named_with_its_preset_seats_and_seed() -> None:
    for rules in (toys.LeakyView(), toys.Losing(), toys.Anonymous()):
        with pytest.raises(AssertionError, match=r"preset '.*', 2 seats, seed"):
            check_game(toys.toy(rules), range(40))
    check_game(toys.toy(toys.HighCard()))
