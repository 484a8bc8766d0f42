"""`cut-1`: several players. The server shuffles and commits, the players cut, and each card is opened by itself.

`CommittedPack` and `CutPack` are the server's side and hold secrets. All the rest is what anybody can compute from
what was published.
"""

import hmac
from binascii import hexlify
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar

import msgspec

from croupier.dealing import merkle
from croupier.dealing.chain import CHAIN_LINKS_MAX, reaches
from croupier.dealing.concealed import Concealed
from croupier.dealing.encoding import HASH_BYTES, frame, is_hash, is_text, is_whole, whole
from croupier.dealing.findings import Fault, Finding, fact, finding
from croupier.dealing.shuffle import PACK_CARDS_MAX
from croupier.dealing.stream import fisher_yates

C = TypeVar("C")

_encode = msgspec.json.Encoder().encode

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
    """What a seat gave to the cut: link `link` of the chain that ends in `anchor`. None as value: it was absent.

    An absent seat's link is used up all the same. A seat that never published an anchor has None and link 0.
    """

    seat: int
    anchor: str | None = None
    link: int = 0
    value: str | None = None


class Opening(msgspec.Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """Shows that the `k`-th card dealt (the first is 0), at the server's `position`, is this card."""

    k: int
    position: int
    salt: str
    card: str
    path: tuple[str, ...]


def context_hash(context: Context, size: int) -> bytes:
    """The context of a deal of `size` cards, in 32 bytes."""
    parts = (context.table.encode(), whole(context.hand), context.rules.encode(), whole(context.shuffle), whole(size))
    return sha256(frame(b"croupier cut-1 context", *parts)).digest()


def leaf_content(context: bytes, position: int, salt: bytes, card: str) -> bytes:
    """What a leaf of the tree commits to; `context` is the context's hash."""
    return frame(b"croupier cut-1 leaf", context, whole(position), salt, card.encode())


def is_computable(contribution: Contribution) -> bool:
    """Whether the public permutation can be computed with this contribution, be it right or wrong."""
    return is_whole(contribution.seat) and (contribution.value is None or is_hash(contribution.value))


def permutation_key(root: str, contributions: Sequence[Contribution], size: int, context: Context) -> bytes:
    """What seeds the public permutation: context, root, and each seat with its contribution, empty when absent."""
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


class CommittedPack(Concealed, Generic[C]):
    """A pack that the server has shuffled with its secret, and whose root it can publish.

    The same secret, context and pack give the same order and root again: after a crash the deal goes on. One secret
    serves for any number of contexts, but it must be random, and the root must be out before any contribution to
    this deal is in.
    """

    __slots__ = ("_order", "_salts", "_tree", "context")

    def __init__(self, secret: bytes, context: Context, pack: Sequence[C]) -> None:
        assert len(secret) == HASH_BYTES
        assert 1 <= len(pack) <= PACK_CARDS_MAX
        assert not check_context(context)
        self.context = context
        hashed = context_hash(context, len(pack))
        key = hmac.digest(secret, frame(b"croupier cut-1 shuffle", hashed), "sha256")
        self._order = fisher_yates(pack, key)
        salts = _salts(secret, hashed, len(pack))
        self._salts = b"".join(salts)
        self._tree = b"".join(merkle.levels(_leaves(hashed, salts, self._order)))

    @property
    def size(self) -> int:
        return len(self._order)

    @property
    def root(self) -> str:
        """The commitment to publish."""
        return self._tree[-HASH_BYTES:].hex()

    def card(self, position: int) -> C:
        """The card at one of the server's positions."""
        return self._order[position]

    def opening(self, k: int, position: int) -> Opening:
        """Opens the card at a position, which is dealt as the `k`-th. Whoever calls this answers for who sees it."""
        siblings = merkle.hashes(merkle.path(self._tree, self.size, position))
        return self._opening(k, position, tuple(map(bytes.hex, siblings)))

    def opening_in_json(self, k: int, position: int) -> bytes:
        """The JSON of `opening`, with about half the work: whoever is shown a card is sent it."""
        siblings = hexlify(merkle.path(self._tree, self.size, position), ",", HASH_BYTES).replace(b",", b'","')
        return _encode(self._opening(k, position, msgspec.Raw(b'["%b"]' % siblings if siblings else b"[]")))

    def _opening(self, k: int, position: int, path: Any) -> Opening:
        salt = self._salts[position * HASH_BYTES : (position + 1) * HASH_BYTES]
        return Opening(k, position, salt.hex(), str(self._order[position]), path)

    def cut(self, contributions: Sequence[Contribution]) -> "CutPack[C]":
        """The deal that the contributions make of this pack."""
        return CutPack(self, tuple(contributions))


# A frame of several parts is the frames of the parts one after the other. So what comes again and again is framed once:
# what all positions of a deal share, the positions of all deals, the cards of all packs.
def _salts(secret: bytes, context: bytes, size: int) -> list[bytes]:
    """HMAC-SHA256(secret, frame("croupier cut-1 salt", context, position)) for each position."""
    begun = hmac.new(secret, frame(b"croupier cut-1 salt", context), "sha256")
    salts = []
    for position in _framed_positions(size):
        salt = begun.copy()
        salt.update(position)
        salts.append(salt.digest())
    return salts


def _leaves(context: bytes, salts: Sequence[bytes], order: Sequence[object]) -> list[bytes]:
    """The leaf for each position: the hash of its `leaf_content`."""
    beginning = frame(b"croupier cut-1 leaf", context)
    return [
        merkle.leaf(b"".join((beginning, position, _SALT_LENGTH, salt, _framed_card(str(card)))))
        for position, salt, card in zip(_framed_positions(len(order)), salts, order, strict=True)
    ]


_SALT_LENGTH: Final = frame(bytes(HASH_BYTES))[:-HASH_BYTES]


@lru_cache(maxsize=16)
def _framed_positions(size: int) -> tuple[bytes, ...]:
    return tuple(frame(whole(position)) for position in range(size))


@lru_cache(maxsize=1024)
def _framed_card(card: str) -> bytes:
    return frame(card.encode())


class CutPack(Concealed, Generic[C]):
    """A committed pack after the players' cut: the order of the deal is decided."""

    __slots__ = ("committed", "contributions", "permutation")

    def __init__(self, committed: CommittedPack[C], contributions: tuple[Contribution, ...]) -> None:
        self.committed = committed
        self.contributions = contributions
        self.permutation = permutation(committed.root, contributions, committed.size, committed.context)

    def order(self) -> tuple[C, ...]:
        """All cards in the order in which they are dealt."""
        return tuple(self.committed.card(position) for position in self.permutation)

    def opening(self, k: int) -> Opening:
        """Opens the `k`-th card dealt. Whoever calls this answers for who sees it."""
        return self.committed.opening(k, self.permutation[k])

    def opening_in_json(self, k: int) -> bytes:
        """The JSON of `opening`."""
        return self.committed.opening_in_json(k, self.permutation[k])


def check_context(context: Context) -> tuple[Finding, ...]:
    """Names each field of a context that is out of bounds."""
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
    """Whether a seat's contribution is the link of its chain that it claims to be, or is rightly absent."""
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
    """Checks each contribution, and that every seat from 0 up stands there once, in order: the absent ones too."""
    found = []
    if seats is not None and len(contributions) != seats:
        found.append(finding(Fault.SEAT_COUNT_MISMATCH, listed=len(contributions), seats=seats))
    for place, contribution in enumerate(contributions):
        if type(contribution.seat) is not int or contribution.seat != place:
            found.append(finding(Fault.SEAT_MISPLACED, place=place, seat=fact(contribution.seat)))
        found.extend(check_contribution(contribution))
    return tuple(found)


def check_opening(opening: Opening, root: str, order: Sequence[int], context: Context) -> tuple[Finding, ...]:
    """Checks one card as soon as it is shown; `order` is the public permutation of its deal.

    Empty only if the card is what the server committed to at the position that the cut chose for this k.
    """
    found = check_opening_form(opening, len(order))
    if found:
        return found
    if opening.position != order[opening.k]:
        found += (finding(Fault.POSITION_MISMATCH, k=opening.k, position=opening.position, expected=order[opening.k]),)
    if implied_root(opening, len(order), context) != root:
        found += (finding(Fault.OPENING_NOT_IN_ROOT, k=opening.k),)
    return found


def check_opening_form(opening: Opening, size: int) -> tuple[Finding, ...]:
    """Whether an opening's fields can be read at all in a deal of `size` cards."""
    found = []
    for field in ("k", "position"):
        value = getattr(opening, field)
        if type(value) is not int or not 0 <= value < size:
            found.append(
                finding(Fault.OPENING_OUT_OF_RANGE, k=fact(opening.k), field=field, value=fact(value), high=size - 1)
            )
    if not is_hash(opening.salt):
        found.append(finding(Fault.SALT_MALFORMED, k=fact(opening.k), value=fact(opening.salt)))
    for sibling in opening.path:
        if not is_hash(sibling):
            found.append(finding(Fault.PATH_MALFORMED, k=fact(opening.k), value=fact(sibling)))
    if not is_text(opening.card):
        found.append(finding(Fault.CARD_NOT_TEXT, k=fact(opening.k), value=fact(opening.card)))
    return tuple(found)


def implied_root(opening: Opening, size: int, context: Context) -> str | None:
    """The root that an opening leads to, for one whose form is good; None if its path has the wrong length."""
    content = leaf_content(context_hash(context, size), opening.position, bytes.fromhex(opening.salt), opening.card)
    siblings = [bytes.fromhex(sibling) for sibling in opening.path]
    reached = merkle.led_to(merkle.leaf(content), opening.position, size, siblings)
    return None if reached is None else reached.hex()
