"""The record of a round: all that is needed to play it again and to prove it. A file has one JSON object a line."""

from typing import Any, Final, Literal

import msgspec

from croupier.dealing.proof import Proof
from croupier.rules.game import AnyRules
from croupier.table.round import Round

FORMAT: Final = "croupier-record-1"


class RecordedMove(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What a seat did; an action of null means that it left."""

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
    format: Literal["croupier-record-1"] = FORMAT


def rules_name(rules: AnyRules) -> str:
    """How a proof by `cut-1` names the rules of its deal."""
    return f"{rules.game}/{rules.edition}"


def record(played: Round, proofs: tuple[Proof, ...] | None = None) -> Record:
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
    )


def line(entry: Record) -> str:
    """The record as one line of JSON."""
    return msgspec.json.encode(entry).decode()


def _raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))
