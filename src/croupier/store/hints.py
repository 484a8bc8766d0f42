"""Pending hints of `Store.changes`. They are bounded: a slow listener is told to check everything."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final

from croupier.store.port import ANY_TABLE, Said, Written

NAMES_WAITING_MAX: Final = 10_000
SAID_WAITING_MAX: Final = 10_000


class Inbox:
    """Hints and messages not yet delivered. Each name is kept once, and too many become `ANY_TABLE`. Of too many
    messages, the newest are kept."""

    def __init__(self, wake: Callable[[], object]) -> None:
        """`wake` is called whenever something comes in."""
        self.wake = wake
        self._names: dict[str, None] = {}
        self._said: deque[str] = deque(maxlen=SAID_WAITING_MAX)

    def hear(self, written: Iterable[str] = (), said: Iterable[str] = ()) -> None:
        self._names.update(dict.fromkeys(written))
        if len(self._names) > NAMES_WAITING_MAX:
            self._names = {ANY_TABLE: None}
        self._said.extend(said)
        self.wake()

    def take(self) -> list[Written | Said]:
        """Everything since the last call."""
        heard: list[Written | Said] = [*map(Written, self._names), *map(Said, self._said)]
        self._names = {}
        self._said.clear()
        return heard


class Listeners:
    """The listeners to the changes of one store, each with an inbox."""

    def __init__(self) -> None:
        self._inboxes: set[Inbox] = set()
        self._closed = False

    def add(self, inbox: Inbox) -> None:
        self._inboxes.add(inbox)

    def hear(self, written: Iterable[str] = (), said: Iterable[str] = ()) -> None:
        for inbox in self._inboxes:
            inbox.hear(written, said)

    async def listen(self) -> AsyncIterator[Written | Said]:
        """`ANY_TABLE`, then every hint and message, until they are closed."""
        woken = asyncio.Event()
        inbox = Inbox(woken.set)
        inbox.hear(written=(ANY_TABLE,))
        self._inboxes.add(inbox)
        try:
            while not self._closed:
                woken.clear()
                for heard in inbox.take():
                    yield heard
                await woken.wait()
        finally:
            self._inboxes.discard(inbox)

    def close(self) -> None:
        self._closed = True
        for inbox in self._inboxes:
            inbox.wake()
