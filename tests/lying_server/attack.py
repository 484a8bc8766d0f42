"""What an attack is: a function that plays it at a fresh table and tells what came of it, and the check that stops it.

`@attack(caught, check, …)` names the finding that the victim's client must raise, and the one check that raises it.
Where more than one check would see the attack, all of them are named and `overlap` says why. `test_attacks.py` plays
every attack twice: with all checks, and without those.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import pytest
from msgspec.structs import replace

from croupier.dealing.cut2 import Cut
from croupier.games.poker.rules.actions import AllIn
from croupier.table.room import Room
from tests.lying_server.liar import Spy, Wish, cutting_of, place, settled
from tests.lying_server.offline import Accomplice, OfflineTable, Player

ANN = "ann"


class Removable(Protocol):
    """A check that can be taken out."""

    def remove(self, monkeypatch: pytest.MonkeyPatch) -> None: ...


class Limit(NamedTuple):
    """A check that compares with a number: `name` in `module`. Without the check the number is out of reach."""

    module: str
    name: str

    def remove(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(f"{self.module}.{self.name}", 10**9)


class Replaced(NamedTuple):
    """A check that cannot be taken out of its function: without it, the client has another function."""

    target: str
    function: Callable[..., Any]

    def remove(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(self.target, self.function)


class Outcome(NamedTuple):
    """What came of an attack: who was attacked, and whether the liar has what it wanted."""

    victim: Player
    gained: bool


class Attack(NamedTuple):
    """An attack and what stops it."""

    name: str
    play: Callable[[], Outcome]
    caught: str
    checks: tuple[Removable, ...]
    overlap: str


ATTACKS: list[Attack] = []


def attack(
    caught: str, *checks: Removable, overlap: str = ""
) -> Callable[[Callable[[], Outcome]], Callable[[], Outcome]]:
    """Puts a function into the table of attacks."""
    assert bool(overlap) == (len(checks) > 1), "say why more than one check must go"

    def put(play: Callable[[], Outcome]) -> Callable[[], Outcome]:
        ATTACKS.append(Attack(play.__name__, play, caught, checks, overlap))
        return play

    return put


class Stage:
    """A table of Hold'em: Ann, the victim, in seat 0; a bot that the server plays for in seat 1; and perhaps
    accomplices, Eve in seat 2 and Fay in seat 3. Nobody raises unless told to."""

    def __init__(
        self, *accomplices: str, preset: str = "cash", game: str = "poker", seed: int = 0, bots: int = 1
    ) -> None:
        self.liar = Spy()
        seats = 1 + bots + len(accomplices)
        self.table = OfflineTable(game, preset, liar=self.liar, seats=seats, seed=seed)
        self.table.passive = True
        self.ann = self.table.people[ANN]
        self._accomplices, self._bots = accomplices, bots
        self.k = -1
        self.others: dict[str, Accomplice] = {}
        for name in accomplices:
            self.others[name] = self.table.people[name] = Accomplice(self.table, name)
            self.others[name].come()

    def start(self) -> "Stage":
        """Everybody sits down, the first deal is fixed, and whoever is there cuts it."""
        self.table.start(accomplices=self._accomplices, bots=self._bots)
        return self

    @property
    def room(self) -> Room:
        return self.table.room

    def given(self, deal: int, person: str = ANN) -> str:
        """What somebody gave to a deal."""
        return self.liar.values[person][deal]

    def promised(self, person: str) -> str:
        """What is behind the promise of an accomplice in the deal that the room waits for."""
        seat = self.room.member(person).seat  # type: ignore[union-attr]
        cutters = cutting_of(self.room).deal.context.cutters
        return self.others[person].value(next(each.promise for each in cutters if each.seat == seat))

    def cut_by_all(self, room: Room, values: dict[int, str]) -> Room:
        """The room after everybody has cut the deal that it waits for; by seat, `values`."""
        cutting = cutting_of(room)
        cuts = tuple(Cut(seat, value) for seat, value in sorted(values.items()))
        return settled(replace(room, cutting=replace(cutting, cuts=cuts, waits_for=())))

    def ace(self, room: Room, seat: int = 1) -> Wish:
        """The wish that a seat's first card is an ace. It is remembered, for `gained`."""
        self.k = place(room, f"hole:{seat}:0")
        return lambda order: str(order[self.k]).startswith("A")

    def finish(self) -> None:
        """Plays the hand to its end."""
        hand = self.room.hand
        while self.room.round is not None and not self.room.round.over and self.room.hand == hand:
            self.table.step()

    @property
    def is_accepted(self) -> bool:
        """Whether Ann's client takes the newest deal of the table for good, with her own cut in it."""
        return accepted(self.table, self.ann)

    @property
    def gained(self) -> bool:
        """Whether Ann's client takes a deal in which the liar has its ace."""
        return self.is_accepted and str(self.room.packs[-1].order()[self.k]).startswith("A")

    def bets(self) -> bool:
        """Whether Ann puts in a chip."""
        return self.ann.act(AllIn()) is None


def accepted(table: OfflineTable, victim: Player) -> bool:
    """Whether the victim's client takes the newest deal of the table for good, with its own cut in it."""
    if not table.room.packs:
        return False
    made, checker = table.room.packs[-1], victim.guard.checker
    return not checker.findings and checker.code == made.cut and checker.cut_this_hand
