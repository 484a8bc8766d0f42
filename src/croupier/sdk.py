"""Everything a bot's author needs, in one place; `croupier.game.policy` says what a bot is.

import croupier
from croupier.sdk import play

outcome = play(my_bot, croupier.poker, against=("solid", "shark"), rounds=100)
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar, Unpack, overload

from croupier.assembly.room import local_room
from croupier.clients import blocking
from croupier.clients.alarm import AlarmError
from croupier.clients.bot import JoinOptions, PlayOptions, Program, host_there, join, join_there, load
from croupier.clients.casino import CasinoSession
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Environment
from croupier.clients.room_handle import RoomHandle
from croupier.clients.thinker import BotError, Outcome, Slip
from croupier.game.folder import AnyGame, GameFolder, game_name
from croupier.game.game import Action, Offer, View
from croupier.game.policy import Bot, Match, Policy

__all__ = [
    "AlarmError",
    "Bot",
    "BotError",
    "CasinoSession",
    "Client",
    "GameFolder",
    "JoinOptions",
    "Match",
    "Offer",
    "Outcome",
    "PlayOptions",
    "Policy",
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

DEFAULT_GAME: Final = "poker"
"""The default game for a bot on the command line."""
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)


@overload
async def play_here(bot: Bot[V, A], game: AnyGame[A, V], **options: Unpack[PlayOptions]) -> Outcome: ...


@overload
async def play_here(bot: Callable[..., Any], game: str, **options: Unpack[PlayOptions]) -> Outcome: ...


async def play_here(bot: Bot, game: object, **options: Unpack[PlayOptions]) -> Outcome:
    """`play` for asynchronous programs."""
    name = game_name(game)
    async with local_room() as local:
        return await host_there(bot, local.url, name, environment=Environment.in_memory(), **options)


@overload
def play(bot: Bot[V, A], game: AnyGame[A, V], **options: Unpack[PlayOptions]) -> Outcome: ...


@overload
def play(bot: Callable[..., Any], game: str, **options: Unpack[PlayOptions]) -> Outcome: ...


def play(bot: Bot, game: Any, **options: Unpack[PlayOptions]) -> Outcome:
    """Play on this machine, in a real room, against built-in bots.

    `game` is a game's package, like `croupier.poker`; a name is checked when the program runs. `PlayOptions` has all
    options: `preset`, `against`, `rounds`, `seconds`, `told`, `decides`, `strict`. If a match ends before enough rounds
    are played, another one follows. Raises ValueError for an unknown game or bot, and RefusedError if the room refuses
    something else. Nothing is kept: the room ends with the program.

    >>> import croupier
    >>> def first(view, menu):
    ...     return menu[0].action
    >>> croupier.play(first, croupier.poker, against=["caller"], rounds=3, strict=True).rounds
    3
    """
    return blocking.run(play_here(bot, game, **options))
