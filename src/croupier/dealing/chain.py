"""Hash chains: contributions that are fixed when a player sits down, and revealed one per deal.

The player makes a random secret, hashes it many times, and publishes the end: the anchor. Link 1 is what hashes to
the anchor, link 2 what hashes to link 1, and so on. Every deal at the seat uses up exactly one link, whether it
reaches the table in time or not. So each contribution can be checked, none can be foreseen, and none can be chosen.
"""

from hashlib import sha256
from typing import Final

from croupier.dealing.concealed import Concealed
from croupier.dealing.hash_input import HASH_BYTES, frame, is_hash

CHAIN_LINKS_MAX: Final = 4096
"""After so many deals a player publishes a new anchor. This bounds the work of checking a link."""

_DOMAIN: Final = b"croupier cut-1 chain"


def _step(link: bytes) -> bytes:
    return sha256(frame(_DOMAIN, link)).digest()


class Chain(Concealed):
    """The player's side of a chain: all links. Nobody else may see a link before its deal."""

    __slots__ = ("_links",)

    def __init__(self, secret: bytes, length: int = CHAIN_LINKS_MAX) -> None:
        assert len(secret) == HASH_BYTES
        assert 1 <= length <= CHAIN_LINKS_MAX
        links = [secret]
        for _ in range(length):
            links.append(_step(links[-1]))
        links.reverse()
        self._links = links

    @property
    def length(self) -> int:
        """How many deals the chain serves."""
        return len(self._links) - 1

    @property
    def anchor(self) -> str:
        """The published end."""
        return self._links[0].hex()

    def link(self, number: int) -> str:
        """The contribution to the `number`-th deal after the anchor was published, the first being 1."""
        assert 1 <= number <= self.length
        return self._links[number].hex()


def follows(previous: str, contribution: str) -> bool:
    """Whether the contribution is the link after `previous`, which is the link before it or the anchor."""
    return is_hash(contribution) and _step(bytes.fromhex(contribution)).hex() == previous


def reaches(anchor: str, number: int, contribution: str) -> bool:
    """Whether the contribution is link `number` of the chain that ends in the anchor."""
    assert 1 <= number <= CHAIN_LINKS_MAX
    if not is_hash(contribution):
        return False
    link = bytes.fromhex(contribution)
    for _ in range(number):
        link = _step(link)
    return link.hex() == anchor
