"""The record of a round: all that is needed to play it again and to prove it. A file has one JSON object a line."""

from typing import Any, Final, Literal, TypeAlias

import msgspec

from croupier.dealing.proof import Proof
from croupier.game.game import AnyRules
from croupier.table.round import Round

FORMAT: Final = "croupier-record-2"
FORMAT_1: Final = "croupier-record-1"
"""Of the first release: the same but for void deals, and deals by `cut-2`."""
Chip: TypeAlias = Literal[1, 100]
"""What an amount may be counted in: whole chips or, at the casino, hundredths."""
TABLE_FORMAT: Final = "croupier-table-1"


class RecordedMove(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What a seat did; an action of null means that it left, "absent" that it took no part in the deal."""

    seat: int
    action: msgspec.Raw


class Record(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A round as it is kept and given out.

    `rules`, `setup` and the actions are in the game's own types; `cards` are all cards dealt, in order, None where
    the record's reader was never shown one; `proofs` has one entry a shuffle; `payouts` is None for a round that was
    abandoned. A record of a shoe that goes on over several rounds repeats the proof of its shuffle.
    """

    game: str
    edition: int
    rules: msgspec.Raw
    setup: msgspec.Raw
    proofs: tuple[msgspec.Raw, ...]
    cards: tuple[str | None, ...]
    moves: tuple[RecordedMove, ...]
    payouts: tuple[int, ...] | None
    voids: tuple[msgspec.Raw, ...] = ()
    """The deals before it that somebody did not cut, which are void."""
    format: Literal["croupier-record-1", "croupier-record-2"] = FORMAT
    chip: Chip = 1
    """How many units make a chip: all amounts are whole units."""


class TableEnd(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The last line of a room's records: up to where they go.

    `deals` is the number of the last deal that they tell of, and `closing` how it has ended so far: the next deal is
    chained to it. `voids` are the void deals since the last round.
    """

    room: str
    deals: int
    closing: str
    voids: tuple[msgspec.Raw, ...] = ()
    format: Literal["croupier-table-1"] = TABLE_FORMAT


def rules_name(rules: AnyRules) -> str:
    """How a proof by `cut-1` names the rules of its deal."""
    return f"{rules.game}/{rules.edition}"


def record(
    played: Round, proofs: tuple[Proof, ...] | None = None, voids: tuple[Proof, ...] = (), chip: Chip = 1
) -> Record:
    """The record of a round that was played, with the proofs of its shuffles: by default those of its own seeds."""
    return Record(
        game=played.rules.game,
        edition=played.rules.edition,
        rules=_raw(played.rules),
        setup=_raw(played.setup),
        proofs=tuple(_raw(proof) for proof in (played.proofs if proofs is None else proofs)),
        cards=tuple(None if card is None else str(card) for card in played.dealt),
        moves=tuple(RecordedMove(move.seat, _raw(move.action)) for move in played.moves),
        payouts=played.payouts if played.over else None,
        voids=tuple(map(_raw, voids)),
        chip=chip,
    )


def table_end(room: str, deals: int, closing: str, voids: tuple[Proof, ...]) -> TableEnd:
    """The last line of the records of a room."""
    return TableEnd(room, deals, closing, tuple(map(_raw, voids)))


def line(entry: Record | TableEnd) -> str:
    """The record as one line of JSON."""
    return msgspec.json.encode(entry).decode()


def _raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))
