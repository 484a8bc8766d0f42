"""One server to a file: each takes it for its own, and a second one would play the same rooms once more."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.store.faults import fault


@contextmanager
def owned(path: Path) -> Iterator[None]:
    """Holds the file for this process; a `StoreError` when another one does. The system lets go of it at the end,
    whatever the end is. Exports and checks read beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except PermissionError:
        # Nobody can write there, this server neither: opening the store says so, with its name.
        yield
        return
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip() or "?"
            raise fault("STORE_IN_USE", place=path, process=holder) from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(lock)
