"""`cut-1`: the first scheme for several players, kept so that old rooms open, go on and verify.

It does not hold against a server that lies: docs/fairness.md says why. `cut-2` has taken its place.

`CommittedPack` and `CutPack` are the server's side and hold secrets. Everything else can be computed from what was
published.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, Generic, TypeVar

import msgspec

from croupier.dealing.chain import CHAIN_LINKS_MAX, reaches
from croupier.dealing.concealed import Concealed
from croupier.dealing.findings import Fault, Finding, fact, finding
from croupier.dealing.hash_input import frame, is_hash, is_text, is_whole, whole
from croupier.dealing.sealed_pack import OpenedCard, Opening, SealedPack
from croupier.dealing.stream import fisher_yates

C = TypeVar("C")

CONTEXT_CHARACTERS_MAX: Final = 4096


class Context(msgspec.Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """Which deal this is. Every hash of the deal contains it, so nothing of one deal passes for another's.

    `rules` names the rules and their edition. A hand that shuffles again (Sequence, when the pack is empty) is a
    new deal with the next `shuffle` number, with a root and contributions of its own.
    """

    table: str
    hand: int
    rules: str
    shuffle: int = 0


class Contribution(msgspec.Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """A seat's contribution to the cut: link `link` of the chain that ends in `anchor`. Without a value it was absent.

    An absent seat's link is used up all the same. A seat that never published an anchor has None and link 0.
    """

    seat: int
    anchor: str | None = None
    link: int = 0
    value: str | None = None


def context_hash(context: Context, size: int) -> bytes:
    """The context of a deal of `size` cards, in 32 bytes."""
    parts = (context.table.encode(), whole(context.hand), context.rules.encode(), whole(context.shuffle), whole(size))
    return sha256(frame(b"croupier cut-1 context", *parts)).digest()


def is_computable(contribution: Contribution) -> bool:
    """Whether the public permutation can be computed with this contribution, right or wrong."""
    return is_whole(contribution.seat) and (contribution.value is None or is_hash(contribution.value))


def permutation_key(root: str, contributions: Sequence[Contribution], size: int, context: Context) -> bytes:
    """The seed of the public permutation: context, root, and each seat's contribution, empty if absent."""
    assert is_hash(root)
    assert all(map(is_computable, contributions))
    entries = []
    for contribution in contributions:
        entries.append(whole(contribution.seat))
        entries.append(bytes.fromhex(contribution.value or ""))
    domain = b"croupier cut-1 permutation"
    return sha256(frame(domain, context_hash(context, size), bytes.fromhex(root), *entries)).digest()


def permutation(root: str, contributions: Sequence[Contribution], size: int, context: Context) -> tuple[int, ...]:
    """π: the k-th card dealt is the server's position π(k)."""
    return fisher_yates(range(size), permutation_key(root, contributions, size, context))


class CommittedPack(SealedPack[C]):
    """A pack that the server has shuffled. It publishes the root before it has any contribution."""

    __slots__ = ("context",)

    def __init__(self, secret: bytes, context: Context, pack: Sequence[C]) -> None:
        assert not check_context(context)
        self.context = context
        super().__init__(secret, context_hash(context, len(pack)), pack)

    def cut(self, contributions: Sequence[Contribution]) -> "CutPack[C]":
        """The deal of this pack, cut by the contributions."""
        return CutPack(self, tuple(contributions))


class CutPack(Concealed, Generic[C]):
    """A committed pack after the players' cut. The order of the deal is fixed."""

    __slots__ = ("committed", "contributions", "permutation")

    def __init__(self, committed: CommittedPack[C], contributions: tuple[Contribution, ...]) -> None:
        self.committed = committed
        self.contributions = contributions
        self.permutation = permutation(committed.root, contributions, committed.size, committed.context)

    @property
    def size(self) -> int:
        return self.committed.size

    def order(self) -> tuple[C, ...]:
        """All cards in the order dealt."""
        return tuple(self.committed.card(position) for position in self.permutation)

    def opened(self, k: int) -> OpenedCard[C]:
        """Open the `k`-th card dealt. The caller decides who may see it."""
        return self.committed.opened(k, self.permutation[k])

    def opening(self, k: int) -> Opening:
        """The same, written down."""
        return self.opened(k).opening()


def check_context(context: Context) -> tuple[Finding, ...]:
    """One finding for each field of a context that is out of bounds."""
    found = []
    for field in ("table", "rules"):
        value = getattr(context, field)
        if not is_text(value) or not 1 <= len(value) <= CONTEXT_CHARACTERS_MAX:
            found.append(finding(Fault.CONTEXT_MALFORMED, field=field, value=fact(value)))
    for field in ("hand", "shuffle"):
        value = getattr(context, field)
        if not is_whole(value):
            found.append(finding(Fault.CONTEXT_MALFORMED, field=field, value=fact(value)))
    return tuple(found)


def check_contribution(contribution: Contribution) -> tuple[Finding, ...]:
    """Check that a contribution is the claimed link of its chain, or rightly absent."""
    seat, anchor, value = contribution.seat, contribution.anchor, contribution.value
    if value is not None and not is_hash(value):
        return (finding(Fault.CONTRIBUTION_MALFORMED, seat=fact(seat), value=fact(value)),)
    if anchor is None and value is not None:
        return (finding(Fault.CONTRIBUTION_WITHOUT_CHAIN, seat=fact(seat)),)
    if anchor is not None and not is_hash(anchor):
        return (finding(Fault.ANCHOR_MALFORMED, seat=fact(seat), value=fact(anchor)),)
    low, high = (0, 0) if anchor is None else (1, CHAIN_LINKS_MAX)
    if type(contribution.link) is not int or not low <= contribution.link <= high:
        return (finding(Fault.LINK_OUT_OF_RANGE, seat=fact(seat), value=fact(contribution.link), low=low, high=high),)
    if anchor is not None and value is not None and not reaches(anchor, contribution.link, value):
        return (finding(Fault.CONTRIBUTION_OFF_CHAIN, seat=fact(seat), link=contribution.link),)
    return ()


def check_contributions(contributions: Sequence[Contribution], seats: int | None = None) -> tuple[Finding, ...]:
    """Check each contribution, and that every seat from 0 up is listed once, in order, absent seats too."""
    found = []
    if seats is not None and len(contributions) != seats:
        found.append(finding(Fault.SEAT_COUNT_MISMATCH, listed=len(contributions), seats=seats))
    for place, contribution in enumerate(contributions):
        if type(contribution.seat) is not int or contribution.seat != place:
            found.append(finding(Fault.SEAT_MISPLACED, place=place, seat=fact(contribution.seat)))
        found.extend(check_contribution(contribution))
    return tuple(found)
