"""The log of a casino session: one entry per step, none with a secret, and checkpoints in between.

The log together with the unrevealed server seeds is the session (`session.replay`). `wire/casino_log.py` writes and
reads its text.

Amounts are whole units of the session's ledger. A unit is a chip in edition 1 of the ledger, and a hundredth of a chip
since edition 2, so that 3:2 of a bet of whole chips is exact. An entry without an edition is of edition 1. In the log
the fields of amounts keep their names of edition 1.
"""

from typing import Final, TypeAlias

import msgspec

from croupier.games.blackjack.rules.actions import BlackjackAction
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.table.record import Chip

LEDGER_EDITION: Final = 2
CHIP_UNITS: Final[dict[int, Chip]] = {1: 1, 2: 100}
"""How many units of each edition of the ledger make a chip."""


class LogError(ValueError):
    """No session can be made of this log: it is damaged or incomplete, or has rules that this version does not know."""


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
    """A session without its current round: plain values, nothing secret."""

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
    """How many client seeds were used with this server seed."""
    paused: dict[str, int] = {}
    """The next nonce of each other client seed that was used with this server seed, by its fingerprint."""
    used: tuple[str, ...] = ()
    """Fingerprints of the client seeds that were used, the newest last."""
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
    """Base of the entries: the command of a step and its inputs, but no secret."""

    at_ms: int
    balance_units: int = msgspec.field(name="balanceChips")
    chain: str = ""
    """The link to the entry before, over its bytes as recorded; empty in a log's first entry, and in the first
    release."""


class Opened(_Entry, frozen=True, tag="OPENED"):
    person: str
    granted_units: int = msgspec.field(name="grantedChips")
    server_seed_hash: str
    next_server_seed_hash: str
    ledger: int = 1


class Converted(_Entry, frozen=True, tag="CONVERTED"):
    """The wallet is converted to a newer edition of the ledger. `balance_units` is still in units of the old one."""

    ledger: int


class BetPlaced(_Entry, frozen=True, tag="BET_PLACED"):
    game: str
    edition: int
    rules: BlackjackRules
    amount: int
    client_seed: str
    before: Summary | None = None
    """With it, this entry is a checkpoint: a replay can begin here."""


class Played(_Entry, frozen=True, tag="PLAYED"):
    action: BlackjackAction


class Rotated(_Entry, frozen=True, tag="ROTATED"):
    server_seed: str
    """The server seed that is revealed."""
    next_server_seed_hash: str


class Refilled(_Entry, frozen=True, tag="REFILLED"):
    granted_units: int = msgspec.field(name="grantedChips")


Entry: TypeAlias = Opened | Converted | BetPlaced | Played | Rotated | Refilled
