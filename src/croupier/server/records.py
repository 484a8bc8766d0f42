"""Finished rounds for download: each viewer gets what that viewer may know."""

from collections.abc import AsyncIterator

import msgspec

from croupier.rules.game import SPECTATOR
from croupier.server.house import House
from croupier.server.room import table_name
from croupier.table.course import Logged, steps
from croupier.table.record import line
from croupier.table.roomview import room_record


async def rounds(house: House, code: str, person: str = "") -> AsyncIterator[str]:
    """The records of a room's finished rounds, as somebody who was in it may have them, or else a spectator.

    They are made by playing the room's log again, so there is nothing kept that could disagree with it.
    """
    stored = await house.store.records(table_name(code))
    log = [msgspec.json.decode(entry.record, type=Logged) for entry in stored]
    told = 0
    for room in steps(code, log, await house.store.secrets(table_name(code))):
        if room.round is not None and room.round.over and room.hand > told:
            told = room.hand
            member = room.member(person)
            entry = room_record(room, member.seat if member is not None else SPECTATOR)
            if entry is not None:
                yield line(entry)
