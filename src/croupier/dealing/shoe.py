"""The shoe: what cards are drawn from during a round."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from croupier.dealing.concealed import Concealed
from croupier.dealing.cut1 import CutPack
from croupier.dealing.cut2 import CutDeal
from croupier.dealing.sealed_pack import Opening
from croupier.dealing.shuffle import shuffle

C = TypeVar("C")


class Shoe(Concealed, Generic[C]):
    """Cards in the order in which they will be dealt, and how many have been dealt. A value: drawing makes a new one.

    It reveals no undealt card except through `draw`. Two shoes are equal when they will deal the same cards and have
    dealt the same.
    """

    __slots__ = ("_cut", "_order", "dealt")

    def __init__(self, order: tuple[C, ...], dealt: int = 0, cut: CutPack[C] | CutDeal[C] | None = None) -> None:
        assert 0 <= dealt <= len(order)
        self._order = order
        self._cut = cut
        self.dealt = dealt

    @classmethod
    def stacked(cls, cards: Iterable[C]) -> "Shoe[C]":
        """A shoe that deals exactly these cards."""
        return cls(tuple(cards))

    @classmethod
    def shuffled(cls, pack: Sequence[C], server_seed: str, client_seed: str, nonce: int) -> "Shoe[C]":
        """A shoe of the pack, shuffled by `shuffle-1`."""
        return cls(shuffle(pack, server_seed, client_seed, nonce))

    @classmethod
    def cut(cls, pack: CutPack[C] | CutDeal[C]) -> "Shoe[C]":
        """A shoe of a pack that was committed to and cut. Only such a shoe has openings."""
        return cls(pack.order(), cut=pack)

    @property
    def left(self) -> int:
        """How many cards can still be drawn."""
        return len(self._order) - self.dealt

    def draw(self, count: int) -> tuple[tuple[C, ...], "Shoe[C]"]:
        """The next `count` cards, and the shoe without them. Asking for more than are left is a bug."""
        assert 0 <= count <= self.left, f"{count} cards asked of a shoe with {self.left}"
        end = self.dealt + count
        return self._order[self.dealt : end], Shoe(self._order, end, self._cut)

    def opening(self, k: int) -> Opening:
        """Open the `k`-th card dealt, from 0. The caller decides who may see it."""
        assert self._cut is not None, "only a pack that was cut has openings"
        assert 0 <= k < self.dealt, "a card that was not dealt is not opened"
        return self._cut.opening(k)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shoe) and self._order == other._order and self.dealt == other.dealt

    def __hash__(self) -> int:
        return hash((self._order, self.dealt))
