"""What a client must remember to notice a lie: values that are put once and never change, and logs that only grow.

All programs of a user on this machine share a vault. What was put or appended is on the disk before the call returns,
so a client may act on it.
"""

import os
import re
import sys
import tempfile
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from croupier.store.addresses import data_folder

NAME_CHARACTERS_MAX: Final = 400
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}(/[a-z0-9][a-z0-9_-]{0,99})*")


class Vault(Protocol):
    """Storage that forgets nothing. Keys and log names are lower-case words joined by slashes; text from a server is
    checked before it becomes part of one. Each method raises `OSError` if the disk fails."""

    def put(self, key: str, value: str) -> bool:
        """Keep a value under a key for ever. Return False if the key already has a value, which stays."""

    def get(self, key: str) -> str | None:
        """The value of a key; None if it has none."""

    def append(self, log: str, line: str) -> None:
        """Add a line to a log."""

    def lines(self, log: str, after: int = 0) -> list[str]:
        """The lines of a log, without the first `after`."""

    def place(self, log: str) -> str:
        """Where the log can be found; empty if it ends with the program."""


class FolderVault:
    """A vault in a folder: a file for every key, a file for every log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, key: str, value: str) -> bool:
        path = self._path(key, "txt")
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".")
        try:
            _write(handle, value.encode())
            # Linking fails if the name is taken, and the file is complete as soon as it exists.
            os.link(beside, path)
        except FileExistsError:
            return False
        finally:
            Path(beside).unlink()
        _sync_folder(path.parent)
        return True

    def get(self, key: str) -> str | None:
        try:
            return self._path(key, "txt").read_bytes().decode()
        except FileNotFoundError:
            return None

    def append(self, log: str, line: str) -> None:
        _check_line(line)
        path = self._path(log, "jsonl")
        is_new = not path.exists()
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        # A line cut off by a crash stays; the next line starts after a line break.
        size = os.fstat(handle).st_size
        is_cut_off = size > 0 and _byte(handle, size - 1) != b"\n"
        _write(handle, (b"\n" if is_cut_off else b"") + line.encode() + b"\n")
        if is_new:
            _sync_folder(path.parent)

    def lines(self, log: str, after: int = 0) -> list[str]:
        try:
            text = self._path(log, "jsonl").read_bytes().decode(errors="replace")
        except FileNotFoundError:
            return []
        # Text after the last line break was never acknowledged.
        return text.split("\n")[after:-1]

    def place(self, log: str) -> str:
        return str(self._path(log, "jsonl"))

    def _path(self, name: str, suffix: str) -> Path:
        _check_name(name)
        path = self.folder / f"{name}.{suffix}"
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


class MemoryVault:
    """A vault that ends with the program: for a server in the same program, and for tests."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._logs: defaultdict[str, list[str]] = defaultdict(list)

    def put(self, key: str, value: str) -> bool:
        _check_name(key)
        if key in self._values:
            return False
        self._values[key] = value
        return True

    def get(self, key: str) -> str | None:
        _check_name(key)
        return self._values.get(key)

    def append(self, log: str, line: str) -> None:
        _check_name(log)
        _check_line(line)
        self._logs[log].append(line)

    def lines(self, log: str, after: int = 0) -> list[str]:
        _check_name(log)
        return self._logs[log][after:]

    def place(self, log: str) -> str:
        return ""


def user_vault() -> FolderVault:
    """The vault of the user who runs this program."""
    return FolderVault(data_folder(os.environ, sys.platform) / "vault")


def _check_name(name: str) -> None:
    if len(name) > NAME_CHARACTERS_MAX or not _NAME.fullmatch(name):
        raise ValueError(f"{name[:80]!r} is no name in a vault: write lower-case letters, digits, _ - and slashes")


def _check_line(line: str) -> None:
    if not line or "\n" in line:
        raise ValueError("a log takes one line at a time, and no empty one")


def _write(handle: int, data: bytes) -> None:
    """Write all bytes to the disk, and close the file."""
    try:
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def _byte(handle: int, place: int) -> bytes:
    os.lseek(handle, place, os.SEEK_SET)
    return os.read(handle, 1)


def _sync_folder(folder: Path) -> None:
    """Write the folder's new entry to the disk, if the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
