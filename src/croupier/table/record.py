"""The record of a round: all that is needed to play it again and to prove it. `wire/records.py` writes and reads it."""

from typing import Any, Final, Literal, TypeAlias

import msgspec

from croupier.dealing.proof import Proof
from croupier.game.game import AnyRules
from croupier.game.options import written
from croupier.game.registry import written_name
from croupier.table.round import Round

FORMAT: Final = "croupier-record-2"
FORMAT_1: Final = "croupier-record-1"
"""Of the first release, which had neither void deals nor deals by `cut-2`."""
Chip: TypeAlias = Literal[1, 100]
"""How many units make a chip: amounts are whole chips or, at the casino, hundredths."""
TABLE_FORMAT: Final = "croupier-table-1"


class RecordedMove(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What a seat did. None instead of an action means that it left, "absent" that it took no part in the deal."""

    seat: int
    action: Any


class Record(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A round as it is stored and downloaded.

    `cards` are all cards dealt, in order, with None for a card that the reader of the record was never shown. `proofs`
    has one entry per shuffle; rounds dealt from the same shoe repeat the proof of its shuffle. `payouts` is None for a
    round that was abandoned.

    Rules, setup, actions and proofs are typed where the record was made from a round. In a record that was read they
    are plain values, which nobody has checked yet; a part that could not be read is the Finding that says why.
    """

    game: str
    edition: int
    rules: Any
    setup: Any
    proofs: tuple[Any, ...]
    cards: tuple[str | None, ...]
    moves: tuple[RecordedMove, ...]
    payouts: tuple[int, ...] | None
    voids: tuple[Any, ...] = ()
    """The proofs of the void deals before it: those that somebody did not cut."""
    format: Literal["croupier-record-1", "croupier-record-2"] = FORMAT
    chip: Chip = 1
    """How many units make a chip. All amounts are whole units."""


class TableEnd(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The last line of a room's records, which says where they end.

    `deals` is the number of the last deal in them, and `closing` says how that deal has ended so far: the next deal is
    chained to it. `voids` are the proofs of the void deals since the last round.
    """

    room: str
    deals: int
    closing: str
    voids: tuple[Any, ...] = ()
    format: Literal["croupier-table-1"] = TABLE_FORMAT


def rules_name(rules: AnyRules) -> str:
    """How a proof by `cut-1` names the rules of its deal."""
    return f"{written_name(rules.game, rules.edition)}/{rules.edition}"


def record(
    played: Round, proofs: tuple[Proof, ...] | None = None, voids: tuple[Proof, ...] = (), chip: Chip = 1
) -> Record:
    """The record of a played round, with the proofs of its shuffles: by default those of its own seeds."""
    return Record(
        game=written_name(played.rules.game, played.rules.edition),
        edition=played.rules.edition,
        rules=written(played.rules),
        setup=played.setup,
        proofs=played.proofs if proofs is None else proofs,
        cards=tuple(None if card is None else str(card) for card in played.dealt),
        moves=tuple(RecordedMove(move.seat, move.action) for move in played.moves),
        payouts=played.payouts if played.over else None,
        voids=voids,
        chip=chip,
    )


def table_end(room: str, deals: int, closing: str, voids: tuple[Proof, ...]) -> TableEnd:
    """The last line of the records of a room."""
    return TableEnd(room, deals, closing, voids)
