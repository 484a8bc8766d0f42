"""What the terminal says of a hand on two boards: each board with its number, and what one's cards make there."""

from typing import Any

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.words import Words
from croupier.games.poker import GAME
from croupier.games.poker.terminal.table import HoldemTable
from tests.games.poker.driving import Table, stacks

PUBLIC: Any = None
"""Nothing of the room is told here."""


def test_each_of_two_boards_is_told_with_what_the_own_cards_make_on_it() -> None:
    table = Table(
        stacks(100, 100), {0: "AhAs7c2d"}, "Ac7dKs7h7s2c", GAME.presets["double-board-omaha"]
    ).call(0).check(1)  # fmt: skip
    view = table.rules.view(table.state, 0)
    terminal = HoldemTable(Words("en"))
    _, first, second = terminal.situation(Snapshot(PUBLIC, "", 0, view, (), ()))
    assert first.startswith("Board 1: A♣ 7♦ K♠ ·")
    assert first.endswith("Three of a kind.")
    assert second.startswith("Board 2: 7♥ 7♠ 2♣ ·")
    assert second.endswith("Full house.")
    one = Table(stacks(100, 100), {0: "AhAs"}, "Ac7dKs").call(0).check(1)
    told = terminal.situation(Snapshot(PUBLIC, "", 0, one.rules.view(one.state, 0), (), ()))
    assert told[1:] == ["Board: A♣ 7♦ K♠.", "You have: Three of a kind."]
