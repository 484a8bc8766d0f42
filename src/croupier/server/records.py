"""Finished rounds for download: each viewer gets what that viewer may know.

They are made by replaying the room's log, so no second copy could disagree with it. That takes a while for a long
evening, so it is done in threads, for one caller after the other.
"""

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from croupier.game.game import Viewer
from croupier.game.parts import load_part
from croupier.game.registry import GAMES
from croupier.server.packed_text import PackedText, packed
from croupier.server.replays import drained
from croupier.server.room import RoomActor, table_name
from croupier.server.services import Services
from croupier.table import round_steps
from croupier.table.apply import steps
from croupier.table.deal_news import DealFixed, fixed_deals
from croupier.table.download import download, finished
from croupier.table.ledger import Account, session_ledger
from croupier.table.room import Room
from croupier.wire.log import read_log
from croupier.wire.played_rounds import PlayedRound, Seated
from croupier.wire.records import line

T = TypeVar("T")

DEALS_MAX: Final = 100
"""The most deals of one answer."""
ROUNDS_REPLAYED_MAX: Final = 100
"""The most rounds of one replay answer."""


async def rounds(services: Services, code: str, person: str, caller: str) -> PackedText:
    """The records of a room's finished rounds, as this person, or a spectator, may see them. The last line says where
    they end."""
    return await replayed(services, code, lambda rooms: packed(map(line, download(rooms, person))), caller)


async def hands(services: Services, code: str, person: str, caller: str) -> PackedText:
    """The finished hands of a room as parts of a `.phhs` file; cards that this person did not see are ????. For a room
    whose game has hand histories."""

    def hand_of(room: Room) -> str:
        events = heard(room, room.viewer(person))
        seated = (room.seated(seat) for seat in range(room.seats))
        names = [member.name if member is not None else "" for member in seated]
        write = load_part(GAMES[room.rules.game].histories)
        return f"[{room.hand}]\n{write(events, names, room.rules)}"

    # A hand that all but one missed has no cards.
    return await replayed(
        services, code, lambda rooms: packed(hand_of(room) for room in finished(rooms) if room.packs), caller
    )


async def replay(
    services: Services, code: str, person: str, caller: str, hand: int | None = None
) -> tuple[PlayedRound, ...]:
    """Finished rounds as this person, or a spectator, heard them: one, or the newest."""

    def played(room: Room) -> PlayedRound:
        viewer = room.viewer(person)
        seated = (room.seated(seat) for seat in range(room.seats))
        members = tuple(None if each is None else Seated(each.id, each.name, each.bot) for each in seated)
        return PlayedRound(room.hand, room.rules, viewer, members, tuple(heard(room, viewer)))

    def newest(rooms: Iterable[Room]) -> tuple[PlayedRound, ...]:
        wanted = (room for room in finished(rooms) if room.packs and hand in (None, room.hand))
        return tuple(map(played, deque(wanted, maxlen=ROUNDS_REPLAYED_MAX)))

    return await replayed(services, code, newest, caller)


async def ledger(services: Services, code: str, caller: str) -> dict[str, Account]:
    """The net result of each player in a room, over all its finished rounds. Results of rounds are no secret."""
    return await replayed(services, code, lambda rooms: session_ledger(finished(rooms)), caller)


def heard(room: Room, viewer: Viewer) -> Sequence[Any]:
    """Everything a viewer heard of the round, by replay."""
    assert room.round is not None
    return [event for step in round_steps.steps(room.round) for event in step.heard(viewer)]


async def deals(services: Services, actor: RoomActor, first: int, caller: str) -> list[DealFixed]:
    """How the room's deals were fixed, from a number on: the newest from memory, else from the log."""
    here: Mapping[int, DealFixed] = actor.deals
    if first not in here:
        here = await replayed(services, actor.room.code, lambda rooms: _all_fixed(rooms, first), caller)
    numbers = itertools.takewhile(here.__contains__, range(first, first + DEALS_MAX))
    return [here[number] for number in numbers]


def _all_fixed(rooms: Iterable[Room], first: int) -> dict[int, DealFixed]:
    found: dict[int, DealFixed] = {}
    for room in rooms:
        if room.deals >= first and room.deals not in found:
            found |= fixed_deals(room)
        if room.deals >= first + DEALS_MAX:
            break
    return found


async def replayed(services: Services, code: str, work: Callable[[Iterator[Room]], T], caller: str) -> T:
    """Work on the steps of a room beside the event loop. `caller` is the address that asks. Raises BusyError if too
    many are waiting for that, in all or from there."""
    table = table_name(code)
    row = await services.store.table(table)
    async with services.replays.of_download(0 if row is None else row.version).turn(caller) as turn:
        stored = [await services.store.records(table)]
        secrets = await services.store.secrets(table)
        log = read_log(entry.record for entry in turn.paced(drained(stored)))
        return await turn.work(lambda: work(steps(code, log, secrets)))
