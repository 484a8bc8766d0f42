"""The `cut-2` deals of a room as values: what is fixed before a cut, and how each deal is chained to the next."""

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, cast

import msgspec

from croupier.dealing import canonical
from croupier.dealing.cut2 import PACKS_HIDDEN, PACKS_OPENED, CommittedDeal, Context, Cut, CutDeal
from croupier.game.game import AnyRules, Change
from croupier.game.options import written
from croupier.game.registry import written_name
from croupier.table.round import Move

VOIDS_MAX: Final = 2
"""After this many voids a hand waits until everybody seated agrees."""
REST_HANDS: Final = (1, 2, 4, 8)
"""Hands of rest after the first, second and third miss, and after every further one."""
CUTS_FORGIVING: Final = 10
"""How many hands cut in time forgive one miss."""
ASKED_FOR: Final = frozenset(("bought", "sat_in", "waits"))
"""What happens to a seat between two hands only if its player asks for it: chips are bought, or blinds will be due."""


class Owed(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """A cut that a seat did not give in time. It stays owed, so that everybody can compute the avoided deal."""

    deal: int
    seat: int
    promise: str


class Paid(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """An owed cut that was given later."""

    deal: int
    seat: int
    value: str


class Cutting(msgspec.Struct, frozen=True, gc=False):
    """A deal that is fixed and waits for the players' cuts."""

    deal: CommittedDeal[Any]
    closing: str
    """The closing of the deal before, whose digest the context carries; empty before a room's first."""
    deadline_ms: int
    waits_for: tuple[int, ...]
    cuts: tuple[Cut, ...] = ()
    """In order of arrival."""
    missing: tuple[int, ...] = ()
    """Seats that declined or left without a cut."""


class VoidDeal(msgspec.Struct, frozen=True, gc=False):
    """A deal that somebody did not cut. It is not played, so all of it is shown."""

    context: Context
    roots: tuple[str, ...]
    seal: str
    cuts: tuple[Cut, ...]
    missing: tuple[int, ...]
    secrets: tuple[str, ...]


class Deal(msgspec.Struct, frozen=True, gc=False):
    """A deal of the present hand, cut or void."""

    closing: str
    """Of the deal before."""
    outcome: CutDeal[Any] | VoidDeal
    moves: int = 0
    """How many moves the round had when the deal was cut, or void."""

    @property
    def number(self) -> int:
        return self.outcome.context.deal


class LastDeal(msgspec.Struct, frozen=True, gc=False):
    """The closing's account of a cut or void deal, without its cards."""

    deal: int
    hand: int
    seal: str
    cut: str | None
    """None when the deal is void."""
    moves: int = 0
    """How many moves the round had when the deal was cut, or void."""
    cuts: tuple[Cut, ...] = ()
    """For a void deal: the cuts received, the missing seats, and the secrets of all packs."""
    missing: tuple[int, ...] = ()
    secrets: tuple[str, ...] = ()


def last_deal(deal: Deal) -> LastDeal:
    outcome, context = deal.outcome, deal.outcome.context
    if isinstance(outcome, VoidDeal):
        void = outcome.cuts, outcome.missing, outcome.secrets
        return LastDeal(context.deal, context.hand, outcome.seal, None, deal.moves, *void)
    return LastDeal(context.deal, context.hand, outcome.seal, outcome.cut, deal.moves)


class Tail(msgspec.Struct, frozen=True, gc=False):
    """The rest of a round after its last deal: the moves since, and the results."""

    moves: tuple[Move, ...] = ()
    payouts: tuple[int, ...] | None = None


def packs_of(rules: AnyRules) -> int:
    """T: how many packs are committed to."""
    return PACKS_OPENED if rules.opens_all else PACKS_HIDDEN


def rules_text(rules: AnyRules) -> str:
    """The rules as a context carries them: game, edition and all options that this edition has."""
    return _rules_text(cast(Hashable, rules))


@lru_cache(maxsize=256)  # A room asks for the same ones at every deal.
def _rules_text(rules: Any) -> str:
    return canonical.write({"game": written_name(rules.game, rules.edition), **written(rules)})


@lru_cache(maxsize=64)
def pack_text(pack: tuple[Any, ...]) -> str:
    return canonical.write([str(card) for card in pack])


def setup_text(match: int, setup: Any, moves: Sequence[Move]) -> str:
    """The start of a deal: the round's setup and the moves before its cards, such as bets."""
    return canonical.write({"match": match, "setup": msgspec.to_builtins(setup), "moves": plain_moves(moves)})


def plain_moves(moves: Iterable[Move]) -> list[Any]:
    """Moves as plain values: an action of null means that the seat left, "absent" that it took no part in the deal."""
    return [{"seat": move.seat, "action": msgspec.to_builtins(move.action)} for move in moves]


def closing_text(last: LastDeal, tail: Tail, changes: Sequence[Change], paid: Sequence[Paid]) -> str:
    """How a deal ended, and the events until the next: the text that the next deal is chained to."""
    return canonical.write(
        {
            "deal": last.deal,
            "seal": last.seal,
            "cut": last.cut,
            "missing": list(last.missing),
            "cuts": msgspec.to_builtins(last.cuts),
            "secrets": list(last.secrets),
            "moves": plain_moves(tail.moves),
            "payouts": None if tail.payouts is None else list(tail.payouts),
            "changes": msgspec.to_builtins(list(changes)),
            "paid": msgspec.to_builtins(list(paid)),
        }
    )


def rest_hands(misses: int) -> int:
    """For how many hands a player with this number of misses is not dealt in, the missed hand included."""
    return REST_HANDS[min(misses, len(REST_HANDS)) - 1]
