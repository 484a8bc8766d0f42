"""Remote stores inside one process, which also close what they were made of."""

import socket

from croupier.store.port import Store
from croupier.store.remote import RemoteStore, StoreOwner
from croupier.store.remote.share_group import Share, ShareGroup


def remote(owner: StoreOwner) -> RemoteStore:
    """A new client over a real line."""
    ours, theirs = socket.socketpair()
    owner.serve(ours)
    return RemoteStore(theirs)


class Remote(RemoteStore):
    """A store at the other end of a line."""

    def __init__(self, store: Store) -> None:
        self._here = store
        self._owner = StoreOwner(store)
        ours, theirs = socket.socketpair()
        self._owner.serve(ours)
        super().__init__(theirs)

    async def close(self) -> None:
        await super().close()
        await self._owner.close()
        await self._here.close()


class Owned(Share):
    """A store that the owner itself uses."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, ShareGroup())

    async def close(self) -> None:
        await super().close()
        await self._store.close()
