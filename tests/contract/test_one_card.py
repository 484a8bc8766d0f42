"""The contract, over the guide's second game: `examples/one_card`, with chips, amounts and rounds."""

import pytest
from msgspec.structs import replace

from croupier.cards import cards
from croupier.game.game import Game, Step
from croupier.game.registry import GAMES
from croupier.testing import check_game, check_texts


@pytest.fixture
def game(one_card: object) -> Game:
    return GAMES["one_card"]


def test_one_card_keeps_the_contract_and_its_chips(game: Game) -> None:
    check_game(game)


def test_one_card_has_its_texts(game: Game) -> None:
    check_texts(game, "one_card")


def test_a_fact_of_each_seat_needs_a_text(game: Game) -> None:
    class Seat(game.view.__annotations__["seats"].__args__[0], frozen=True):  # type: ignore[misc]
        tricks: int = 0

    class More(game.view, frozen=True):  # type: ignore[misc]
        seats: tuple[Seat, ...]

    with pytest.raises(AssertionError, match=r"lacks one_card\.field\.tricks"):
        check_texts(replace(game, view=More), "one_card")


def test_the_highest_card_wins_and_the_next_seat_begins(game: Game) -> None:
    rules = next(iter(game.presets.values()))
    state = rules.opening(rules.setup(2)).state
    state = rules.deal(state, cards("9c Kd")).state
    assert [(offer.field, offer.low, offer.high) for offer in rules.menu(state, 0)][1:] == [("amount", 1, 99)]
    bet = rules.menu(state, 0)[1].choose(40)
    for seat, action in ((0, bet), (1, None)):
        done = rules.act(state, seat, action or rules.menu(state, seat)[1].action)
        assert isinstance(done, Step)
        state = done.state
    assert rules.awaits(state).payouts == (-41, 41)
    assert rules.following(state) == game.setup((59, 141), first=1)
