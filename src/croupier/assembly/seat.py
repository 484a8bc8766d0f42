"""From a wish to a seat: a room of one's own on this machine, or one at an address."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from croupier.clients.connection import Client
from croupier.clients.environment import Surroundings
from croupier.clients.join import knock, socket_address
from croupier.clients.terminal.session import Session, Wish, open_own, open_shared

BOT_SECONDS: Final = 0.7
"""How long a bot seems to think, so that a person can follow."""


class Who(msgspec.Struct, frozen=True):
    """Who wants to play: a newcomer's name, or the token of somebody who comes back."""

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
    """A seat, until the block is left. `waits` is called where a host must let this person in first. Raises
    RefusedError when the room refuses it, and TimeoutError or OSError when there is no room."""
    if server:
        address = socket_address(server)
        assert address is not None, "addresses are checked where they are typed"
        await knock(address)
        async with Client(address, nickname=who.nickname, token=who.token, language=who.language) as client:
            session = await open_shared(client, wish, waits)
            yield session
            await session.leave()
        return
    # Only who plays in a room of one's own waits for a server to load.
    from croupier.assembly.room import local_room

    async with (
        local_room(language=who.language, bot_delay_seconds=bot_seconds) as local,
        Client(local.url, nickname=who.nickname, language=who.language, surroundings=Surroundings.fleeting()) as client,
    ):
        yield await open_own(client, wish, local.pace_bots)
