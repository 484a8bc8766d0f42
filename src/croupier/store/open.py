"""From the address of a store to the store."""

from pathlib import Path
from typing import Final

from croupier.store.faults import fault
from croupier.store.memory import MemoryStore
from croupier.store.port import Store

ADDRESSES: Final = "memory:, sqlite:///relative/file.db, sqlite:////absolute/file.db, postgresql://user@host/database"


def open_store(url: str) -> Store:
    """The store at that address, made if it is not there yet; a `StoreError` says why it cannot be used.

    As elsewhere, a path after three slashes is relative and one after four is absolute; `~` is the home folder.
    """
    if url == "memory:":
        return MemoryStore()
    if url.startswith("sqlite:///") and url != "sqlite:///":
        from croupier.store.sqlite import SqliteStore

        return SqliteStore(Path(url.removeprefix("sqlite:///")).expanduser())
    if url.startswith(("postgresql://", "postgres://")):
        raise fault("STORE_EXTRA_MISSING", kind="PostgreSQL", extra="croupier[postgres]")
    raise fault("STORE_ADDRESS", address=url, allowed=ADDRESSES)
