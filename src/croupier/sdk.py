"""Everything a bot's author needs, in one place; `croupier.clients.bot` says what a bot is.

from croupier.sdk import play

outcome = play(my_bot, "holdem", against=("solid", "shark"), rounds=100)
"""

import asyncio
from typing import Any

from croupier.assembly.room import local_room
from croupier.clients.alarm import AlarmError
from croupier.clients.bot import Bot, Outcome, Program, Slip, host_there, join, join_there, load
from croupier.clients.casino import CasinoSession
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Surroundings
from croupier.clients.room_handle import RoomHandle

__all__ = [
    "AlarmError",
    "Bot",
    "CasinoSession",
    "Client",
    "Outcome",
    "Program",
    "RefusedError",
    "RoomHandle",
    "Slip",
    "join",
    "join_there",
    "load",
    "play",
    "play_here",
]


async def play_here(bot: Bot, game: str = "holdem", **options: Any) -> Outcome:
    """`play`, for programs that are asynchronous themselves; see `host_there` for the options."""
    async with local_room() as local:
        return await host_there(bot, local.url, game, surroundings=Surroundings.fleeting(), **options)


def play(bot: Bot, game: str = "holdem", **options: Any) -> Outcome:
    """Plays on this machine, in the real room, against bots of the house; see `host_there` for the options.

    A match that ends before there were enough rounds is followed by another. Raises RefusedError when the room refuses
    the game, the preset or a bot. Nothing is kept: the room ends with the program.
    """
    return asyncio.run(play_here(bot, game, **options))
