"""A shuffled pack under one hash: its order is fixed, and each card can be opened on its own.

Both schemes for several players commit to packs in this way. `hashed` is the hash of the deal's context, 32 bytes.
Every hash includes it, so nothing of one deal passes for another's.
"""

import hmac
from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from typing import Final, Generic, NamedTuple, TypeVar

import msgspec

from croupier.dealing import keyed, merkle
from croupier.dealing.concealed import Concealed
from croupier.dealing.findings import Fault, Finding, fact, finding
from croupier.dealing.hash_input import HASH_BYTES, frame, is_hash, is_text, whole
from croupier.dealing.shuffle import PACK_CARDS_MAX
from croupier.dealing.stream import fisher_yates

C = TypeVar("C")


class Opening(msgspec.Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """Shows that the `k`-th card dealt (the first is 0), at the server's `position`, is this card."""

    k: int
    position: int
    salt: str
    card: str
    path: tuple[str, ...]


class OpenedCard(NamedTuple, Generic[C]):
    """What an `Opening` says, before it is written down."""

    k: int
    position: int
    salt: bytes
    card: C
    path: bytes
    """The hashes from the leaf up, joined."""

    def opening(self) -> Opening:
        siblings = tuple(map(bytes.hex, merkle.hashes(self.path)))
        return Opening(self.k, self.position, self.salt.hex(), str(self.card), siblings)


def leaf_content(hashed: bytes, position: int, salt: bytes, card: str) -> bytes:
    """The content of a leaf."""
    return frame(b"croupier cut-1 leaf", hashed, whole(position), salt, card.encode())


class SealedPack(Concealed, Generic[C]):
    """A pack shuffled with a secret, and the root that commits to its order.

    The same secret, context and pack give the same order and root, so a deal continues after a crash.
    """

    __slots__ = ("_order", "_salts", "_tree")

    def __init__(self, secret: bytes, hashed: bytes, pack: Sequence[C]) -> None:
        assert len(secret) == HASH_BYTES
        assert 1 <= len(pack) <= PACK_CARDS_MAX
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

    def opened(self, k: int, position: int) -> OpenedCard[C]:
        """Open the card at a position, the `k`-th card dealt. The caller decides who may see it."""
        salt = self._salts[position * HASH_BYTES : (position + 1) * HASH_BYTES]
        return OpenedCard(k, position, salt, self._order[position], merkle.path(self._tree, self.size, position))


# The frame of several parts is the joined frames of the parts. So repeated parts are framed once: the beginning that
# all positions of a deal share, the positions, the cards.
def _salts(secret: bytes, context: bytes, size: int) -> list[bytes]:
    """HMAC-SHA256(secret, frame("croupier cut-1 salt", context, position)) for each position."""
    return keyed.digests(secret, frame(b"croupier cut-1 salt", context), _framed_positions(size))


def _leaves(context: bytes, salts: Sequence[bytes], order: Sequence[object]) -> list[bytes]:
    """The leaf for each position: the hash of its `leaf_content`."""
    size = len(order)
    beginning = repeat(frame(b"croupier cut-1 leaf", context), size)
    cards = map(_framed_card, order)
    return merkle.leaves(zip(beginning, _positions_before_salts(size), salts, cards, strict=True))


_SALT_LENGTH: Final = frame(bytes(HASH_BYTES))[:-HASH_BYTES]


@lru_cache(maxsize=16)
def _positions_before_salts(size: int) -> tuple[bytes, ...]:
    return tuple(position + _SALT_LENGTH for position in _framed_positions(size))


@lru_cache(maxsize=16)
def _framed_positions(size: int) -> tuple[bytes, ...]:
    return tuple(frame(whole(position)) for position in range(size))


@lru_cache(maxsize=1024)
def _framed_card(card: object) -> bytes:
    return frame(str(card).encode())


def check_opening(opening: Opening, root: str, order: Sequence[int], hashed: bytes) -> tuple[Finding, ...]:
    """Checks one card as soon as it is shown; `order` is the public permutation of its deal.

    Empty only if the card is what the server committed to at the position that the cut chose for this k.
    """
    found = check_opening_form(opening, len(order))
    if found:
        return found
    if opening.position != order[opening.k]:
        found += (finding(Fault.POSITION_MISMATCH, k=opening.k, position=opening.position, expected=order[opening.k]),)
    if implied_root(opening, len(order), hashed) != root:
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


def implied_root(opening: Opening, size: int, hashed: bytes) -> str | None:
    """The root that an opening leads to, for one whose form is good; None if its path has the wrong length."""
    content = leaf_content(hashed, opening.position, bytes.fromhex(opening.salt), opening.card)
    siblings = [bytes.fromhex(sibling) for sibling in opening.path]
    reached = merkle.led_to(merkle.leaf(content), opening.position, size, siblings)
    return None if reached is None else reached.hex()
