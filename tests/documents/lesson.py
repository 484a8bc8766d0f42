"""A class of document 000: pupils who speak to the hub message by message, and a shoe that is stacked."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from croupier.cards import Card, cards
from croupier.dealing.shoe import Shoe
from croupier.game.sealed import Sealed
from croupier.games.blackjack.classroom import Classroom
from tests.server.hub_room import KEY, Client, Room, client, named, served

Told = str | dict[str, Any]
"""What somebody was told: the code of an error, or a state with the names of its enumerations."""
Script = Callable[["Lesson"], Coroutine[Any, Any, None]]


class Pupil:
    """One connection to the hub."""

    def __init__(self, connected: Client) -> None:
        self.client = connected
        self.id = ""
        self.state: dict[str, Any] = {}
        """The last that was told."""

    async def call(self, method: str, *arguments: object) -> list[Told]:
        """Calls a method of the hub: all that this pupil was told since the last time, up to its completion."""
        completion = await self.client.invoke(method, *arguments)
        assert completion.get("error") is None, completion
        return self._told()

    async def hear(self) -> list[Told]:
        """All that this pupil was told since the last time."""
        # What comes before the completion of a call that changes nothing was sent before it.
        assert "no such method" in (await self.client.invoke("Nothing"))["error"]
        return self._told()

    async def join(self, name: str, key: str | None = None) -> list[Told]:
        told = await self.call("Join", name, key)
        if isinstance(told[-1], dict):
            self.id = told[-1]["players"][-1]["playerId"]
        return told

    def player(self, of: "Pupil") -> dict[str, Any]:
        """Somebody as this pupil saw them last."""
        return next(player for player in self.state["players"] if player["playerId"] == of.id)

    def _told(self) -> list[Told]:
        told: list[Told] = []
        for target, *values in self.client.heard:
            if target == "OnError":
                assert isinstance(values[1], str)
                assert values[1], "a message for people comes with the code"
                told.append(values[0])
            else:
                assert target == "OnStateChanged"
                self.state = named(values[0])
                told.append(self.state)
        self.client.heard.clear()
        return told


class Lesson:
    """The hub, and everybody who has connected."""

    def __init__(self, room: Room, stack: contextlib.AsyncExitStack) -> None:
        self.room = room
        self._stack = stack
        self.everybody: list[Pupil] = []

    async def comes(self, name: str = "", key: str | None = None) -> Pupil:
        """Somebody connects and, with a name, joins."""
        pupil = Pupil(await self._stack.enter_async_context(client(self.room)))
        self.everybody.append(pupil)
        if name:
            told = await pupil.join(name, key)
            assert isinstance(told[-1], dict), told
        return pupil

    async def begins(self, *names: str) -> list[Pupil]:
        """A dealer and players join and a round begins; nobody has anything left to hear."""
        pupils = [await self.comes("dealer", KEY), *[await self.comes(name) for name in names or ("ann",)]]
        assert all(isinstance(each, dict) for each in await pupils[0].call("StartRound"))
        await self.all_hear()
        return pupils

    async def all_hear(self) -> list[list[Told]]:
        """What everybody was told since the last time."""
        return [await pupil.hear() for pupil in self.everybody]


def lesson(script: Script, deal: str = "", **options: Any) -> None:
    """Plays a script on a server of its own, with a shoe that begins with these cards: two for everybody in the order
    of joining, then as they are drawn."""

    async def play() -> None:
        async with served(Classroom(Sealed(KEY), **options)) as room, contextlib.AsyncExitStack() as everybody:
            await script(Lesson(room, everybody))

    with pytest.MonkeyPatch.context() as patch:
        if deal:
            patch.setattr(Shoe, "cut", staticmethod(lambda pack: _stacked(pack, deal)))
        asyncio.run(play())


def in_class(deal: str = "", **options: Any) -> Callable[[Script], Callable[[], None]]:
    """Makes a test of a script."""

    def made(script: Script) -> Callable[[], None]:
        def test() -> None:
            lesson(script, deal, **options)

        test.__doc__ = script.__doc__
        return test

    return made


def _stacked(pack: Any, deal: str) -> Shoe[Card]:
    """The pack, however it was cut, with the deal on top."""
    left = list(pack.order())
    for card in cards(deal):
        left.remove(card)
    return Shoe.stacked((*cards(deal), *left))
