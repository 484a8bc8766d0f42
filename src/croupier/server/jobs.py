"""What waits in a room's queue."""

import asyncio
from collections.abc import Awaitable, Callable

from croupier.game.refusal import Refusal
from croupier.server.origins import Whereabouts
from croupier.table.commands import RoomCommand

Answered = Callable[[int | Refusal], None]
"""Who is told what became of a command: the version that it became, or why it was refused."""


class Job:
    """A command that waits for its turn; or, without a command, a chore of the room's own."""

    __slots__ = ("actor", "answered", "chore", "command", "expected", "key", "name", "place")

    def __init__(
        self,
        actor: str,
        name: str,
        command: RoomCommand | None,
        expected: int | None = None,
        command_id: str = "",
        answered: Answered | None = None,
        chore: Callable[[], Awaitable[int | Refusal]] | None = None,
        place: Whereabouts | None = None,
    ) -> None:
        assert (command is None) != (chore is None)
        self.actor, self.name, self.command = actor, name, command
        self.expected = expected
        self.key = f"{actor}:{command_id}" if command_id else ""
        """Under which the store knows who asked for this; empty when nobody did."""
        self.answered, self.chore, self.place = answered, chore, place


def answering(answer: asyncio.Future[int | Refusal]) -> Answered:
    """Answers a future, unless whoever waited for it has gone meanwhile."""

    def answered(outcome: int | Refusal) -> None:
        if not answer.done():
            answer.set_result(outcome)

    return answered
