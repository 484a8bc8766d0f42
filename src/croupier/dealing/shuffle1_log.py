"""A player's own log of `shuffle-1`: what the server showed, what the player bet, and what came of it, a line each.

`docs/fairness.md` says what the lines are. The page and the Python client write the same ones.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.dealing.findings import Fact

FORMAT: Final = "croupier-shuffle-1-log-1"
Draw: TypeAlias = tuple[str, str, int]
"""What decides a deal: the hash of the server seed, the client seed and the nonce."""
Amount: TypeAlias = int | float


class SeedFault(StrEnum):
    """What the server did that an honest one does not do: an alarm."""

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
    ROUND_NOT_MINE = "ROUND_NOT_MINE"
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
    """The first sight of a commitment, of the one announced to follow it, and of how many decks are shuffled."""

    version: int
    server_seed_hash: str
    next_server_seed_hash: str
    decks: int


class BetSent(_Line, frozen=True, tag="BET"):
    """A bet, written before it goes out. `typed` is for a seed of the player's own choice, which is kept."""

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
    """A round as it was shown: its cards in the order dealt, null for one that lies face down."""

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
    """The player wants the server seed revealed; written before it is asked for."""

    server_seed_hash: str
    command_id: str
    version: int


class RotationRefused(_Line, frozen=True, tag="ROTATE_REFUSED"):
    command_id: str
    code: str


class Revealed(_Line, frozen=True, tag="REVEALED"):
    """The server seed fits the first hash that was shown, and so many rounds were dealt as it says."""

    server_seed_hash: str
    server_seed: str
    rounds: int


class NeverDealt(_Line, frozen=True, tag="NEVER_DEALT"):
    """A bet that was refused or not answered, and then the seed was changed: the first cards it would have got."""

    server_seed_hash: str
    client_seed: str
    nonce: int
    amount: Amount
    cards: tuple[str, ...]


class Alarm(_Line, frozen=True, tag="ALARM"):
    """What was found. Nothing is bet until the player has decided."""

    code: SeedFault
    facts: dict[str, Fact] = {}


class Decided(_Line, frozen=True, tag="DECIDED"):
    """The player goes on in spite of the alarms, from what the server shows now: also with a round that it runs."""

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

_DECODER: Final = msgspec.json.Decoder(Line)


def write_line(line: Line) -> str:
    """The line as it is kept."""
    return msgspec.json.encode(line).decode()


def read_lines(texts: Iterable[str | bytes]) -> Iterator[tuple[int, Line | None]]:
    """The lines of a log with their numbers, from 1; None for one that is damaged, as after a crash."""
    for number, text in enumerate(texts, start=1):
        try:
            yield number, _DECODER.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            yield number, None
