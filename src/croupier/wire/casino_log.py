"""The log of a casino session as it is stored: one JSON object per entry, chained over the bytes as recorded."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

import msgspec

from croupier.dealing.hash_input import frame
from croupier.games.blackjack.casino.log import Entry, LogError

_DECODER: Final[msgspec.json.Decoder[Entry]] = msgspec.json.Decoder(Entry)


def write_entry(entry: Entry) -> bytes:
    """The entry as it is stored."""
    return msgspec.json.encode(entry)


def read_entry(stored: bytes) -> Entry:
    """The entry that was stored. Raises LogError if the bytes are not an entry."""
    try:
        return _DECODER.decode(stored)
    except msgspec.DecodeError as error:
        raise LogError(f"an entry cannot be read: {error}") from error


def link(stored: bytes) -> str:
    """The link to this entry in the next one, so that no entry can be changed unnoticed."""
    return sha256(frame(b"croupier session", stored)).hexdigest()


def read_log(stored: Iterable[bytes]) -> list[Entry]:
    """Entries that follow one another. Raises LogError for one that cannot be read or does not follow from the one
    before."""
    log: list[Entry] = []
    before = ""
    for record in stored:
        entry = read_entry(record)
        if log and entry.chain and entry.chain != before:
            raise LogError("an entry does not follow from the one before it: the log was changed")
        log.append(entry)
        before = link(record)
    return log
