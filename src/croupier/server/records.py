"""Finished rounds for download: each viewer gets what that viewer may know.

They are made by playing the room's log again, so there is nothing kept that could disagree with it. That takes a while
for a long evening, so it is done beside the event loop, for one after the other.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from croupier.game.game import Viewer
from croupier.games.poker.histories.phh import write
from croupier.server.replays import drained
from croupier.server.room import RoomActor, table_name
from croupier.server.services import House
from croupier.table import stepping
from croupier.table.apply import LogReader, steps
from croupier.table.deal_news import DealFixed, fixed_deals
from croupier.table.download import download, finished
from croupier.table.room import Room

T = TypeVar("T")

DEALS_MAX: Final = 100
"""How many deals one answer tells of."""
BLOCK_BYTES: Final = 256 * 1024


async def rounds(house: House, code: str, person: str = "") -> list[bytes]:
    """The records of a room's finished rounds, as somebody who was in it may have them, or else a spectator. The last
    line says up to where they go. All lines come in blocks."""
    return await _replayed(house, code, lambda rooms: in_blocks(download(rooms, person)))


async def hands(house: House, code: str, person: str = "") -> list[bytes]:
    """The finished hands of a Hold'em room as parts of a `.phhs` file; cards that this person did not see are ????."""

    def hand_of(room: Room) -> str:
        heard = _heard(room, room.viewer(person))
        seated = (room.seated(seat) for seat in range(room.seats))
        names = [member.name if member is not None else "" for member in seated]
        return f"[{room.hand}]\n{write(heard, names)}"

    # A hand that all but one missed has no cards.
    return await _replayed(
        house, code, lambda rooms: in_blocks(hand_of(room) for room in finished(rooms) if room.packs)
    )


def in_blocks(lines: Iterable[str]) -> list[bytes]:
    """The lines as text, in blocks that can be sent one after the other."""
    blocks, block = [], bytearray()
    for line in lines:
        block += line.encode() + b"\n"
        if len(block) >= BLOCK_BYTES:
            blocks.append(bytes(block))
            block.clear()
    return [*blocks, bytes(block)]


def _heard(room: Room, viewer: Viewer) -> Sequence[Any]:
    """All that a viewer heard of the round, which is played once more for that."""
    assert room.round is not None
    assert len(room.packs) == 1, "a hand of Hold'em shuffles once"
    return [event for step in stepping.steps(room.round) for event in step.heard(viewer)]


async def deals(house: House, actor: RoomActor, first: int) -> list[DealFixed]:
    """How the room's deals were fixed, from a number on: the newest from memory, else from the log."""
    here: Mapping[int, DealFixed] = actor.deals
    if first not in here:
        here = await _replayed(house, actor.room.code, lambda rooms: _all_fixed(rooms, first))
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


async def _replayed(house: House, code: str, work: Callable[[Iterator[Room]], T]) -> T:
    """Works on the steps of a room beside the event loop. Raises BusyError when too many wait for that."""
    lane = house.replays.downloads
    async with lane.turn():
        stored = [await house.store.records(table_name(code))]
        secrets = await house.store.secrets(table_name(code))
        reader = LogReader()
        log = (reader.read(entry.record) for entry in lane.paced(drained(stored)))
        return await lane.work(lambda: work(steps(code, log, secrets)))
