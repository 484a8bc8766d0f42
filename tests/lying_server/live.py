"""A lying server on a real port: the real one, in which a `Liar` (`liar.py`) has a word at every step.

`lying` starts it. Its rooms, their telling, the answers to `DEAL_HISTORY` and the records go through the liar; another
store is given as `store`. Honest players come with `croupier.clients.connection.Client`, or with a page; whoever plays
along with the server comes as a `Colluder`, who checks nothing.
"""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

import msgspec
import pytest
from msgspec.structs import replace

from croupier.clients.connection import Client
from croupier.clients.environment import Environment
from croupier.clients.room_handle import RoomHandle
from croupier.clients.vault import MemoryVault
from croupier.game.refusal import Refusal
from croupier.server import attempts, records
from croupier.server.broadcast import Broadcast
from croupier.server.connection import Connection
from croupier.server.packed_text import PackedText, packed
from croupier.server.room import RoomActor
from croupier.server.services import Services
from croupier.table.apply import Done, handle
from croupier.table.client_memory import Seen
from croupier.table.deal_news import DealFixed
from croupier.table.log import Logged
from croupier.table.room import Room
from tests.lying_server.liar import SWALLOWED, Liar
from tests.server.live import Live, live

SECONDS_MAX: Final = 30.0
"""How long a test waits for what must come."""


@asynccontextmanager
async def lying(monkeypatch: pytest.MonkeyPatch, liar: Liar, **options: Any) -> AsyncIterator[Live]:
    """Serves until the block is left. `options` are those of `tests.server.live.live`."""
    corrupt(monkeypatch, liar)
    async with live(**options) as server:
        yield server


def corrupt(monkeypatch: pytest.MonkeyPatch, liar: Liar) -> None:
    """From now on every server in this process asks the liar."""
    honest_send, honest_deals, honest_rounds = Connection.send, records.deals, records.rounds

    def decide(room: Room, logged: Logged, secret: bytes) -> Done | Refusal:
        answer = liar.hear(room, logged.actor, logged.command)
        if answer == SWALLOWED:
            return Done(replace(room, version=room.version + 1), (), (), (), quiet=True)
        done = Refusal(answer) if answer else handle(room, logged, secret)
        return done if isinstance(done, Refusal) else replace(done, room=liar.commit(room, done.room))

    def send(connection: Connection, frame: bytes) -> None:
        if not frame.startswith(b'{"type":"ROOM_STATE"'):
            honest_send(connection, frame)
            return
        for state in liar.tell(connection, json.loads(frame)):
            honest_send(connection, msgspec.json.encode(state))

    async def deals(services: Services, room: Room, first: int, caller: str) -> list[DealFixed]:
        return liar.history(await honest_deals(services, room, first, caller))

    async def rounds(services: Services, code: str, person: str, caller: str) -> PackedText:
        told = await honest_rounds(services, code, person, caller)
        lines = b"".join(map(zlib.decompress, told.blocks)).decode().split("\n")
        return packed(liar.records(lines[:-1]))

    monkeypatch.setattr(attempts, "handle", decide)
    monkeypatch.setattr(Connection, "send", send)
    monkeypatch.setattr(records, "deals", deals)
    monkeypatch.setattr(records, "rounds", rounds)


def actor_of(server: Live, code: str) -> RoomActor:
    """The room in service."""
    return server.server.lobby._rooms[code]


def restore(actor: RoomActor, room: Room) -> None:
    """The server goes on from another room, and tells everybody the whole of it."""
    actor.room = room
    listeners, actor._broadcast = tuple(actor._broadcast._listeners), Broadcast()
    for listener in listeners:
        actor._broadcast.attach(listener, room, 0)
    actor._set_alarms(room.deadline_ms)


async def until(condition: Callable[[], bool]) -> None:
    """Waits until something holds."""
    async with asyncio.timeout(SECONDS_MAX):
        while not condition():
            await asyncio.sleep(0.01)


class Served(Protocol):
    """A server, in this process or another."""

    @property
    def url(self) -> str: ...


class Colluder(Client):
    """Somebody who plays along with the server: checks nothing, and cuts whatever is fixed."""

    def __init__(self, server: Served, name: str) -> None:
        super().__init__(server.url, nickname=name, environment=Environment(vault=MemoryVault()))
        self.misses = False
        """Whether it promises, and then does not cut."""

    async def _check(self, handle: RoomHandle, frame: dict[str, Any]) -> None:
        await handle.show(frame, Seen())
        public = frame["public"]
        fixed = [news for news in frame["deals"] if news["type"] == "DEAL_FIXED"]
        if not self.misses and handle.seat in public["waitsFor"] and fixed:
            promise = next(each["promise"] for each in fixed[-1]["context"]["cutters"] if each["seat"] == handle.seat)
            self._do(self._quietly(handle, lambda: self._cut(handle, public["deal"], self.value(promise))))
        self._keep_promising(handle)

    async def _cut(self, handle: RoomHandle, deal: int, value: str) -> None:
        await handle.command("DEAL_CUT", deal=deal, value=value, promise=handle.guard.promise())

    async def act(self, handle: RoomHandle, action: dict[str, Any]) -> int:
        """Plays an action, whatever there is to be said against it."""
        fields = {name: value for name, value in action.items() if name != "type"}
        return await handle._send(action["type"], {"expectedVersion": handle.version, **fields})

    def value(self, promise: str) -> str:
        """What is behind a promise: the server knows it, too."""
        return (self.environment.vault.get(f"cut2/secret/{promise}") or "").partition(" ")[0]
