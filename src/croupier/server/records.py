"""Finished rounds for download: each viewer gets what that viewer may know.

They are made by playing the room's log again, so there is nothing kept that could disagree with it. That takes a while
for a long evening, so it is done beside the event loop.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from croupier.dealing.shoe import Shoe
from croupier.rules.game import Viewer
from croupier.server.house import House
from croupier.server.room import table_name
from croupier.table.course import Logged, steps
from croupier.table.phh import write
from croupier.table.record import line
from croupier.table.room import Room
from croupier.table.roomview import room_record
from croupier.table.round import begin


async def rounds(house: House, code: str, person: str = "") -> list[str]:
    """The records of a room's finished rounds, as somebody who was in it may have them, or else a spectator."""

    def record_of(room: Room) -> str | None:
        entry = room_record(room, room.viewer(person))
        return None if entry is None else line(entry)

    return await _of_each_round(house, code, record_of)


async def hands(house: House, code: str, person: str = "") -> list[str]:
    """The finished hands of a Hold'em room as parts of a `.phhs` file; cards that this person did not see are ????."""

    def hand_of(room: Room) -> str:
        heard = _heard(room, room.viewer(person))
        seated = (room.seated(seat) for seat in range(room.seats))
        names = [member.name if member is not None else "" for member in seated]
        return f"[{room.hand}]\n{write(heard, names)}"

    return await _of_each_round(house, code, hand_of)


def _heard(room: Room, viewer: Viewer) -> Sequence[Any]:
    """All that a viewer heard of the round, which is played once more for that."""
    assert room.round is not None
    assert len(room.packs) == 1, "a hand of Hold'em shuffles once"
    played = begin(room.round.rules, room.round.setup).supply(Shoe.cut(room.packs[0]))
    heard = list(played.heard(viewer))
    for move in room.round.moves:
        played = played.leave(move.seat) if move.action is None else played.act(move.action, move.seat)
        assert played.refusal is None, "the room did what its rules refuse"
        heard += played.heard(viewer)
    return heard


async def _of_each_round(house: House, code: str, made_of: Callable[[Room], str | None]) -> list[str]:
    stored = await house.store.records(table_name(code))
    secrets = await house.store.secrets(table_name(code))
    return await asyncio.to_thread(
        lambda: [
            text
            for room in _finished(code, [msgspec.json.decode(entry.record, type=Logged) for entry in stored], secrets)
            if (text := made_of(room)) is not None
        ]
    )


def _finished(code: str, log: list[Logged], secrets: dict[str, bytes]) -> Iterator[Room]:
    """The room as it was at the end of each round."""
    told = 0
    for room in steps(code, log, secrets):
        if room.round is not None and room.round.over and room.hand > told:
            told = room.hand
            yield room
