"""What waits in a room's queue."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from croupier.game.refusal import Refusal
from croupier.server.origins import Whereabouts
from croupier.table.commands import RoomCommand

Answered = Callable[[int | Refusal], None]
"""Called with the outcome of a command: the room's new version, or the refusal."""


class Job:
    """A command in a room's queue; or, without a command, a task of the room's own."""

    __slots__ = ("actor", "answered", "chore", "command", "expected", "key", "name", "place")

    def __init__(
        self,
        actor: str,
        name: str,
        command: RoomCommand[Any] | None,
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
        """The command's id in the store; empty if no client gave it."""
        self.answered, self.chore, self.place = answered, chore, place


def answering(answer: asyncio.Future[int | Refusal]) -> Answered:
    """A callback that sets a future's result, unless its caller is gone."""

    def answered(outcome: int | Refusal) -> None:
        if not answer.done():
            answer.set_result(outcome)

    return answered
