"""What is kept of a casino session: a log of entries, one a step, none with a secret; and checkpoints in it.

The log together with the unrevealed server seeds is the session (`session.replay`).

Amounts are whole units of the ledger that a session is kept in, by its edition: chips in edition 1, which an entry
without the field is of; since edition 2 hundredths of a chip, so that 3:2 of a bet of whole chips is exact. In the
log their fields are named as in edition 1.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final, TypeAlias

import msgspec

from croupier.dealing.encoding import frame
from croupier.table.record import Chip

LEDGER_EDITION: Final = 2
CHIP_UNITS: Final[dict[int, Chip]] = {1: 1, 2: 100}
"""How many units of each edition of the ledger make a chip."""


class LogError(ValueError):
    """A log that does not tell of a session: damaged, incomplete, or of rules that this version does not know."""


class Settled(msgspec.Struct, frozen=True, rename="camel"):
    """A round that is over. `server_seed` is None until it is revealed."""

    round_id: int
    at_ms: int
    staked: int
    final_payout: int
    server_seed_hash: str
    client_seed: str
    nonce: int
    server_seed: str | None = None


class Summary(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A session but for the round on its table: plain values, nothing secret."""

    person: str
    version: int
    balance_units: int = msgspec.field(name="balanceChips")
    """The wallet after the last command."""
    server_seed_hash: str
    next_server_seed_hash: str
    client_seed: str | None = None
    """The client seed of the last bet on this server seed; None before the first."""
    nonce: int = 0
    """Of the next round on this pair."""
    pairs: int = 0
    """How many client seeds this server seed has seen."""
    paused: dict[str, int] = {}
    """The next nonce of each other client seed that this server seed has seen, by its fingerprint."""
    used: tuple[str, ...] = ()
    """Fingerprints of the client seeds that were used, the last one last."""
    rounds: int = 0
    history: tuple[Settled, ...] = ()
    """The last rounds, the newest last."""
    checkpoint: int = 1
    """The version of the last entry from which a replay can begin."""
    ledger: int = 1
    """The edition of the ledger that all amounts are kept in."""

    @property
    def chip(self) -> Chip:
        """How many units make a chip."""
        return CHIP_UNITS[self.ledger]


class _Entry(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", forbid_unknown_fields=True):
    """Base of what the log keeps of a step: the command and what came in with it, but no secret."""

    at_ms: int
    balance_units: int = msgspec.field(name="balanceChips")
    chain: str = ""
    """The link to the entry before, as it was recorded; empty for a log's first, and in the first release."""


class Opened(_Entry, frozen=True, tag="OPENED"):
    person: str
    granted_units: int = msgspec.field(name="grantedChips")
    server_seed_hash: str
    next_server_seed_hash: str
    ledger: int = 1


class Converted(_Entry, frozen=True, tag="CONVERTED"):
    """The wallet goes over into a newer edition of the ledger; `balance_units` is still in the old one's units."""

    ledger: int


class BetPlaced(_Entry, frozen=True, tag="BET_PLACED"):
    game: str
    edition: int
    rules: msgspec.Raw
    amount: int
    client_seed: str
    before: Summary | None = None
    """With it, this entry is a checkpoint: no earlier one is needed to go on from here."""


class Played(_Entry, frozen=True, tag="PLAYED"):
    action: msgspec.Raw


class Rotated(_Entry, frozen=True, tag="ROTATED"):
    server_seed: str
    """The one that is revealed."""
    next_server_seed_hash: str


class Refilled(_Entry, frozen=True, tag="REFILLED"):
    granted_units: int = msgspec.field(name="grantedChips")


Entry: TypeAlias = Opened | Converted | BetPlaced | Played | Rotated | Refilled

_DECODER: Final = msgspec.json.Decoder(Entry)


def write(entry: Entry) -> bytes:
    """The entry as it is stored."""
    return msgspec.json.encode(entry)


def link(record: bytes) -> str:
    """What the next entry carries of the one before, so that no entry can be changed unseen."""
    return sha256(frame(b"croupier session", record)).hexdigest()


def read_log(stored: Iterable[bytes]) -> list[Entry]:
    """Entries that follow one another. Raises LogError when one is none, or does not follow from the one before."""
    log: list[Entry] = []
    before = ""
    for record in stored:
        entry = read(record)
        if log and entry.chain and entry.chain != before:
            raise LogError("an entry does not follow from the one before it: the log was changed")
        log.append(entry)
        before = link(record)
    return log


def read(stored: bytes) -> Entry:
    """The entry that was stored. Raises LogError when it is none."""
    try:
        entry: Entry = _DECODER.decode(stored)
    except msgspec.DecodeError as error:
        raise LogError(f"an entry cannot be read: {error}") from error
    return entry
