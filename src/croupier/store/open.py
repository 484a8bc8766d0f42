"""From the address of a store to the store."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from croupier.store.faults import fault
from croupier.store.memory import MemoryStore
from croupier.store.port import Store

ADDRESSES: Final = "memory:, sqlite:///relative/file.db, sqlite:////absolute/file.db, postgresql://user@host/database"


def open_store(url: str, create: bool = True) -> Store:
    """The store at that address, made if it is not there yet; a `StoreError` says why it cannot be used.

    As elsewhere, a path after three slashes is relative and one after four is absolute; `~` is the home folder. A
    PostgreSQL store connects, and is made, when it is first used. Without `create` a missing store is a `StoreError`.
    """
    if url == "memory:":
        return MemoryStore()
    if path := sqlite_path(url):
        from croupier.store.sqlite import SqliteStore

        if not create and not path.exists():
            raise fault("STORE_MISSING", place=path)
        return SqliteStore(path)
    if is_postgres(url):
        if find_spec("asyncpg") is None:
            raise fault("STORE_EXTRA_MISSING", kind="PostgreSQL", extra="croupier[postgres]")
        from croupier.store.postgres import PostgresStore

        return PostgresStore(url, create)
    raise fault("STORE_ADDRESS", address=url, allowed=ADDRESSES)


def sqlite_path(url: str) -> Path | None:
    """The file of a SQLite store; None for any other address."""
    path = url.removeprefix("sqlite:///")
    return Path(path).expanduser() if path not in ("", url) else None


def is_postgres(url: str) -> bool:
    return url.startswith(("postgresql://", "postgres://"))
