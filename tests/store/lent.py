"""Stores lent inside one process, which also close what they were made of."""

import socket

from croupier.store.port import Store
from croupier.store.remote import BorrowedStore, Lender
from croupier.store.remote.share_group import Company, Share


def borrow(lender: Lender) -> BorrowedStore:
    """A new borrower over a real line."""
    ours, theirs = socket.socketpair()
    lender.lend(ours)
    return BorrowedStore(theirs)


class Borrowed(BorrowedStore):
    """A store at the other end of a line."""

    def __init__(self, store: Store) -> None:
        self._lent = store
        self._lender = Lender(store)
        ours, theirs = socket.socketpair()
        self._lender.lend(ours)
        super().__init__(theirs)

    async def close(self) -> None:
        await super().close()
        await self._lender.close()
        await self._lent.close()


class Owned(Share):
    """A store that the lender itself uses."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, Company())

    async def close(self) -> None:
        await super().close()
        await self._store.close()
