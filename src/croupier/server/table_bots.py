"""The bots at one table: whose turn it is, and what they do."""

from typing import Any

from croupier import bots
from croupier.game.policy import Policy, begin_match, observe
from croupier.server.jobs import Job
from croupier.server.services import Services
from croupier.table.commands import Play
from croupier.table.room import Member, Room


class TableBots:
    """Keeps each bot's policy for as long as its room is in service: the same object for whole matches."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._policies: dict[str, Policy[Any, Any]] = {}
        self._heard: dict[str, tuple[int, int]] = {}
        """By bot, the hand and how many of its events the bot was told."""

    def in_turn(self, room: Room) -> list[Member]:
        """The bots that must move now. Called after every step, so that bots that observe are told its events."""
        bots = [member for member in room.members if member.bot]
        for bot in bots:
            self._tell(room, bot)
        if not bots or room.paused_at_ms is not None or room.asleep_at_ms is not None:
            return []
        return [bot for bot in bots if bot.seat in room.turn and not bot.away]

    def move(self, room: Room, member: Member) -> Job:
        """A bot's move, from the view of its seat."""
        assert member.seat is not None
        assert room.round is not None
        policy = self._policies.get(member.id)
        if policy is None:
            policy = bots.bot(room.rules.game, member.bot, self._services.random, room.rules)
            self._policies[member.id] = policy
            begin_match(policy, room.rules, member.seat, room.rules.seats(room.round.state))
            self._tell(room, member)
        action = policy(room.round.view_with_history(member.seat), room.round.menu(member.seat))
        return Job(member.id, member.name, Play(action, room.version), expected=room.version)

    def _tell(self, room: Room, member: Member) -> None:
        """Tell a bot that observes what its seat has heard since it was told last."""
        policy = self._policies.get(member.id)
        if room.round is None or member.seat is None or not hasattr(policy, "observe"):
            return
        hand, told = self._heard.get(member.id, (0, 0))
        history = room.round.history(member.seat)
        for event in history[told if hand == room.hand else 0 :]:
            observe(policy, event)
        self._heard[member.id] = room.hand, len(history)
