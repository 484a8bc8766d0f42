"""One server per file: a second one would serve the same rooms again."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.store.faults import fault


@contextmanager
def owned(path: Path) -> Iterator[None]:
    """Locks the file for this process, whatever link leads to it. Raises `StoreError` if another one has it. The system
    releases the lock when the process ends, for whatever reason. Exports and checks may still read the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.resolve()
    try:
        lock = os.open(file.with_name(f"{file.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except PermissionError:
        # Nobody can write there, not even this server: opening the store will fail.
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
