"""The bots at one table: whose turn it is, and what they do."""

from typing import Any

import msgspec

from croupier import bots
from croupier.game.policy import Policy
from croupier.server.jobs import Job
from croupier.server.services import House
from croupier.table.commands import Play
from croupier.table.room import Member, Room

_encode = msgspec.json.Encoder().encode


class TableBots:
    """Keeps each bot's policy for as long as its room is in service."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._policies: dict[str, Policy[Any, Any]] = {}

    def in_turn(self, room: Room) -> list[Member]:
        """The bots that are to move now."""
        bots = [member for member in room.members if member.bot]
        if not bots or room.paused_at_ms is not None or room.asleep_at_ms is not None:
            return []
        return [bot for bot in bots if bot.seat in room.turn]

    def move(self, room: Room, member: Member) -> Job:
        """A bot's move, by what its seat sees."""
        assert member.seat is not None
        assert room.round is not None
        policy = self._policies.get(member.id)
        if policy is None:
            policy = bots.bot(room.rules.game, member.bot, self._house.random, room.rules)
            self._policies[member.id] = policy
        action = policy(room.round.view(member.seat), room.round.menu(member.seat))
        return Job(member.id, member.name, Play(msgspec.Raw(_encode(action)), room.version), expected=room.version)
