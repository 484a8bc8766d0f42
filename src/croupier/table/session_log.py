"""What is kept of a casino session: a log of entries, one a step, none with a secret; and checkpoints in it.

The log together with the unrevealed server seeds is the session (`session.replay`).
"""

from typing import Final, TypeAlias

import msgspec


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
    balance_chips: int
    """The wallet after the last command."""
    server_seed_hash: str
    next_server_seed_hash: str
    client_seed: str | None = None
    """The client seed of the last bet on this server seed; None before the first."""
    nonce: int = 0
    """Of the next round on this pair."""
    pairs: int = 0
    """How many client seeds this server seed has seen."""
    used: tuple[str, ...] = ()
    """Fingerprints of the client seeds that were used, the last one last."""
    rounds: int = 0
    history: tuple[Settled, ...] = ()
    """The last rounds, the newest last."""
    checkpoint: int = 1
    """The version of the last entry from which a replay can begin."""


class _Entry(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", forbid_unknown_fields=True):
    """Base of what the log keeps of a step: the command and what came in with it, but no secret."""

    at_ms: int
    balance_chips: int


class Opened(_Entry, frozen=True, tag="OPENED"):
    person: str
    granted_chips: int
    server_seed_hash: str
    next_server_seed_hash: str


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
    granted_chips: int


Entry: TypeAlias = Opened | BetPlaced | Played | Rotated | Refilled

_DECODER: Final = msgspec.json.Decoder(Entry)


def write(entry: Entry) -> bytes:
    """The entry as it is stored."""
    return msgspec.json.encode(entry)


def read(stored: bytes) -> Entry:
    """The entry that was stored. Raises LogError when it is none."""
    try:
        entry: Entry = _DECODER.decode(stored)
    except msgspec.DecodeError as error:
        raise LogError(f"an entry cannot be read: {error}") from error
    return entry
