"""Snapshots in bytes: encoded, read, and checked against the log."""

from hashlib import sha256
from typing import Final

import msgspec

from croupier.dealing.hash_input import frame
from croupier.table.snapshot import FORMAT, Snapshot, SnapshotError
from croupier.wire.log import read_entry


def encode(snapshot: Snapshot) -> bytes:
    return msgspec.msgpack.encode(snapshot)


def digest(data: bytes) -> str:
    """The digest of an encoded snapshot, for the log's next record."""
    return sha256(frame(b"croupier snapshot", data)).hexdigest()


def decode(data: bytes) -> Snapshot:
    """The snapshot in these bytes. Raises SnapshotError for anything else, also for another version's snapshot."""
    try:
        found = msgspec.msgpack.decode(data, type=_Versioned).format
        if found != FORMAT:
            raise SnapshotError(f"it is of version {found}, not {FORMAT}")
        return _SNAPSHOT.decode(data)
    except msgspec.DecodeError as error:
        raise SnapshotError(str(error)) from error


class _Versioned(msgspec.Struct):
    format: int


_SNAPSHOT: Final = msgspec.msgpack.Decoder(Snapshot)


def read(data: bytes, code: str, following: bytes) -> Snapshot:
    """The snapshot, checked against the log. `following` is the record after the snapshot's version.

    Raises SnapshotError unless that record is of this room, stands next in its chain, and has the snapshot's digest.
    """
    snapshot = decode(data)
    now, logged = snapshot.now, read_entry(following)
    if now.room.code != code or logged.before != now.head.hex() or logged.snapshot != digest(data):
        raise SnapshotError("it does not fit the log")
    return snapshot
