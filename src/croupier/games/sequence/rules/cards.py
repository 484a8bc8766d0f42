"""The 104 cards of Sequence. The variant of a card is part of it, because it may decide what a jack can do."""

from enum import Enum, StrEnum
from typing import Final, NewType

CardId = NewType("CardId", str)
"""`{suit}_{rank}_{variant}`, like `heart_10_1`: the card's value in Python, in JSON and in every record."""

SUITS: Final = ("clover", "diamond", "heart", "spade")
RANKS: Final = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
VARIANTS: Final = (1, 2)

PACK: Final[tuple[CardId, ...]] = tuple(
    CardId(f"{suit}_{rank}_{variant}") for variant in VARIANTS for suit in SUITS for rank in RANKS
)
"""Both packs in canonical order: variant 1, then variant 2; in each by suit, then by rank from the ace."""


class Jacks(StrEnum):
    """What decides how many eyes a jack has."""

    VARIANT = "variant"
    """The card's variant: `*_j_1` has one eye, `*_j_2` has two."""
    PRINTED = "printed"
    """The printed card: spades and hearts show one eye, clubs and diamonds two."""


class Kind(Enum):
    """What a card can do."""

    NORMAL = "normal"
    """Puts a chip on one of its own two cells."""
    WILD = "wild"
    """A two-eyed jack: puts a chip on any empty cell."""
    REMOVE = "remove"
    """A one-eyed jack: takes an opponent's chip away."""


def is_jack(card: CardId) -> bool:
    return card.split("_")[1] == "j"


def _kind(card: CardId, jacks: Jacks) -> Kind:
    suit, rank, variant = card.split("_")
    if rank != "j":
        return Kind.NORMAL
    one_eyed = variant == "1" if jacks is Jacks.VARIANT else suit in ("spade", "heart")
    return Kind.REMOVE if one_eyed else Kind.WILD


KINDS: Final[dict[Jacks, dict[CardId, Kind]]] = {jacks: {card: _kind(card, jacks) for card in PACK} for jacks in Jacks}

_PLACE: Final[dict[CardId, int]] = {card: place for place, card in enumerate(PACK)}


def in_pack_order(cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """The cards in canonical order, so that a shuffle of them depends on which they are and on nothing else."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))
