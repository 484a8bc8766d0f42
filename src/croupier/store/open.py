"""Open a store by its address."""

from importlib.util import find_spec

from croupier.store.addresses import ADDRESSES, is_postgres, sqlite_path, without_password
from croupier.store.faults import fault
from croupier.store.memory import MemoryStore
from croupier.store.port import Store


def open_store(url: str, create: bool = True) -> Store:
    """The store at that address, created if it does not exist. A `StoreError` says why it cannot be used.

    As elsewhere, a path after three slashes is relative and one after four is absolute; `~` is the home folder. A
    PostgreSQL store connects, and is created, when it is first used. Without `create` a missing store is a
    `StoreError`.
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
    raise fault("STORE_ADDRESS", address=without_password(url), allowed=ADDRESSES)
