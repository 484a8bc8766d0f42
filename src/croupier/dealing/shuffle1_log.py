"""A player's own log of `shuffle-1`: what the server showed, the player's bets, and their outcomes, one a line.

`docs/fairness.md` says what the lines are. The page and the Python client write the same ones; `wire/own_logs.py` makes
and reads their text.
"""

from enum import StrEnum
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.dealing.findings import Fact

FORMAT: Final = "croupier-shuffle-1-log-1"
Draw: TypeAlias = tuple[str, str, int]
"""What decides a deal: the hash of the server seed, the client seed and the nonce."""
Amount: TypeAlias = int | float


class SeedFault(StrEnum):
    """An alarm: something that an honest server never does."""

    STATE_MALFORMED = "STATE_MALFORMED"
    HASH_MALFORMED = "HASH_MALFORMED"
    HASH_SWAPPED = "HASH_SWAPPED"
    HASH_CAME_BACK = "HASH_CAME_BACK"
    NEXT_HASH_CHANGED = "NEXT_HASH_CHANGED"
    NEXT_HASH_SKIPPED = "NEXT_HASH_SKIPPED"
    SESSION_WOUND_BACK = "SESSION_WOUND_BACK"
    ROTATION_UNASKED = "ROTATION_UNASKED"
    BET_NOT_DEALT = "BET_NOT_DEALT"
    DEALT_BY_OTHER_HASH = "DEALT_BY_OTHER_HASH"
    DEALT_BY_OTHER_SEED = "DEALT_BY_OTHER_SEED"
    DEALT_BY_OTHER_NONCE = "DEALT_BY_OTHER_NONCE"
    STAKED_OTHER_AMOUNT = "STAKED_OTHER_AMOUNT"
    ROUND_NOT_MINE = "ROUND_NOT_MINE"
    ROUND_DROPPED = "ROUND_DROPPED"
    REFUSAL_UNTRUE = "REFUSAL_UNTRUE"
    REVEAL_REFUSED = "REVEAL_REFUSED"
    SEED_NOT_PROMISED = "SEED_NOT_PROMISED"
    CARD_SWAPPED = "CARD_SWAPPED"
    CARD_NOT_FROM_SEEDS = "CARD_NOT_FROM_SEEDS"


class _Line(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", forbid_unknown_fields=True):
    at_ms: int
    """By the player's own clock."""


class Began(_Line, frozen=True, tag="LOG"):
    """The first line of a log."""

    server: str
    player: str
    format: Literal["croupier-shuffle-1-log-1"] = FORMAT


class Committed(_Line, frozen=True, tag="COMMITMENT"):
    """A commitment when first shown, with the next one announced, and the number of decks."""

    version: int
    server_seed_hash: str
    next_server_seed_hash: str
    decks: int


class BetSent(_Line, frozen=True, tag="BET"):
    """A bet, written before it is sent. `typed` marks a seed that the player chose and keeps."""

    server_seed_hash: str
    client_seed: str
    nonce: int
    amount: Amount
    command_id: str
    typed: bool = False

    @property
    def draw(self) -> Draw:
        return self.server_seed_hash, self.client_seed, self.nonce


class BetRefused(_Line, frozen=True, tag="REFUSED"):
    command_id: str
    code: str


class CardsSeen(_Line, frozen=True, tag="CARDS"):
    """A round as shown: its cards in the order dealt, null for a card face down."""

    version: int
    server_seed_hash: str
    client_seed: str
    nonce: int
    round_id: int
    cards: tuple[str | None, ...]
    over: bool
    balance: Amount
    staked: Amount
    payout: Amount | None = None

    @property
    def draw(self) -> Draw:
        return self.server_seed_hash, self.client_seed, self.nonce


class RotationAsked(_Line, frozen=True, tag="ROTATE"):
    """A request to reveal the server seed, written before it is sent."""

    server_seed_hash: str
    command_id: str
    version: int


class RotationRefused(_Line, frozen=True, tag="ROTATE_REFUSED"):
    command_id: str
    code: str


class Revealed(_Line, frozen=True, tag="REVEALED"):
    """The server seed fits the hash that was first shown, and `rounds` rounds were dealt by it."""

    server_seed_hash: str
    server_seed: str
    rounds: int


class NeverDealt(_Line, frozen=True, tag="NEVER_DEALT"):
    """The first cards that a refused or unanswered bet would have got, once the seed was changed."""

    server_seed_hash: str
    client_seed: str
    nonce: int
    amount: Amount
    cards: tuple[str, ...]


class Alarm(_Line, frozen=True, tag="ALARM"):
    """An alarm. Nothing is bet until the player has decided."""

    code: SeedFault
    facts: dict[str, Fact] = {}


class Decided(_Line, frozen=True, tag="DECIDED"):
    """The player continues in spite of the alarms, from what the server shows now, with its running round."""

    version: int
    server_seed_hash: str
    next_server_seed_hash: str
    decks: int
    client_seed: str | None = None
    nonce: int | None = None


Line: TypeAlias = (
    Began
    | Committed
    | BetSent
    | BetRefused
    | CardsSeen
    | RotationAsked
    | RotationRefused
    | Revealed
    | NeverDealt
    | Alarm
    | Decided
)
