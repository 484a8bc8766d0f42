"""Find a player a seat: in a private room on this machine, or at a server."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from croupier.clients.connection import Client
from croupier.clients.environment import Environment
from croupier.clients.join import knock, socket_address
from croupier.clients.terminal.session import Session, Wish, open_own, open_shared

BOT_SECONDS: Final = 0.7
"""How long a bot waits before it acts, so that people can follow."""


class Who(msgspec.Struct, frozen=True):
    """The player: a newcomer's name, or the token of an earlier visit."""

    nickname: str
    token: str = ""
    language: str = "en"


@asynccontextmanager
async def open_session(
    wish: Wish,
    who: Who,
    *,
    server: str = "",
    bot_seconds: float = BOT_SECONDS,
    waits: Callable[[], None] | None = None,
) -> AsyncIterator[Session]:
    """A seat until the `with` block ends. `waits` is called if a host must admit the player first. Raises RefusedError
    if the room refuses, and TimeoutError or OSError if there is none."""
    if server:
        address = socket_address(server)
        assert address is not None, "addresses are checked where they are typed"
        await knock(address)
        async with Client(address, nickname=who.nickname, token=who.token, language=who.language) as client:
            session = await open_shared(client, wish, waits)
            yield session
            await session.leave()
        return
    # Loading the server takes a while; only a private room needs it.
    from croupier.assembly.room import local_room

    async with (
        local_room(language=who.language, bot_delay_seconds=bot_seconds) as local,
        Client(local.url, nickname=who.nickname, language=who.language, environment=Environment.in_memory()) as client,
    ):
        yield await open_own(client, wish, local.pace_bots)
