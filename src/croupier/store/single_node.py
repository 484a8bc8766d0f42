"""The changes of a store with a single node."""

import asyncio
from collections.abc import AsyncIterator

from croupier.store.port import Said, Written


async def silence(closing: asyncio.Event) -> AsyncIterator[Written | Said]:
    """Nothing, until the store is closed."""
    await closing.wait()
    nothing: tuple[Written | Said, ...] = ()
    for hint in nothing:
        yield hint
