"""What an attack on a player at the page is, and what several of them need.

Each plays at a fresh `PageTable` and tells whether the liar has what it wanted. Whatever follows from a lie is adapted,
so that one check stands in its way; where two would see it, both are named and `overlap` says why.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from croupier.dealing.cut2 import Cut, CutDeal
from croupier.table.deals import setup_text
from croupier.table.room import Room
from croupier.table.round import begin
from tests.lying_server.liar import (
    MASTER,
    cutting_of,
    forged,
    settled,
)
from tests.lying_server.page_removal import PageCheck, Removable
from tests.lying_server.page_table import PageTable

EVE, ANN = 0, 1
State = dict[str, Any]
Play = Callable[[PageTable], bool]


class PageAttack(NamedTuple):
    """An attack, the finding that it must raise, and the checks without which it is not seen."""

    name: str
    play: Play
    caught: str
    checks: tuple[Removable, ...]
    lasts: str


ATTACKS: list[PageAttack] = []


def attack(caught: str, *checks: Removable, overlap: str = "", lasts: str = "") -> Callable[[Play], Play]:
    """Puts a function into the table of attacks. `overlap` says why more than one check must go, and `lasts` why Ann
    cannot play on at this table though the server lies no more."""
    assert bool(overlap) == (len(checks) > 1), "say why more than one check must go"

    def put(play: Play) -> Play:
        ATTACKS.append(PageAttack(play.__name__, play, caught, checks, lasts))
        return play

    return put


SHOWN_AGAIN = "the cards of the hand stay false, and are shown again"
OWED = "the cut that Ann owes is one that must never be given"
NOT_CUT = "in a hand that Ann did not cut she can only fold"
UNREADABLE = "a deal that can be read in two ways is told until its hand is over, and its cut stays owed"


def keep_deals(table: PageTable) -> list[Room]:
    """The room at each deal that it fixes, as it waits for the cuts."""
    kept: list[Room] = []

    def forge(room: Room) -> Room:
        kept.append(room)
        return room

    table.liar.forge = forge
    return kept


def dealt(table: PageTable, room: Room, cuts: tuple[Cut, ...]) -> Room:
    """The room after everybody has cut the deal that it waits for."""
    made = settled(replace(room, cutting=replace(cutting_of(room), cuts=cuts, waits_for=())))
    return replace(made, members=table.room.members)


def silently(table: PageTable, work: Callable[[], None]) -> None:
    """Does something of which Ann is not told."""
    honest, ann = table.liar.twist, table.ann_id
    table.liar.twist = lambda listener, state: [] if listener.person == ann else [state]
    work()
    table.liar.twist = honest


KNOWN_AGAIN = PageCheck("dealchecker.js", "#knownAgain", "DEAL_CHANGED")


def made_of(room: Room) -> CutDeal[Any]:
    """The first deal of the hand."""
    made = room.packs[0]
    assert isinstance(made, CutDeal)
    return made


def begun_from(room: Room, **changes: Any) -> Room:
    """The room with its hand begun from another setup."""
    setup = replace(room.setup, **changes)
    begun = replace(room, setup=setup, round=begin(room.rules, setup))
    return forged(begun, MASTER, setup=setup_text(room.match, setup, ()))
