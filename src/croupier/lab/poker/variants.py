"""The variants that the calculator knows: presets of the game, by what decides a showdown."""

from typing import Final, NamedTuple

from croupier.cards import PACK, RANKS, Card


class Variant(NamedTuple):
    """What decides who wins: how many hole cards, whether exactly two of them count, the pack, lows and boards."""

    name: str
    hole_cards: int = 2
    uses_two: bool = False
    is_short: bool = False
    has_low: bool = False
    boards: int = 1

    @property
    def pack(self) -> tuple[Card, ...]:
        return PACK[4 * RANKS.index("6") :] if self.is_short else PACK

    @property
    def parts(self) -> int:
        """Into how many parts a pot is split: boards, each with a high and perhaps a low."""
        return self.boards * (2 if self.has_low else 1)


HOLDEM: Final = Variant("holdem")
VARIANTS: Final = {
    each.name: each
    for each in (
        HOLDEM,
        Variant("short-deck", is_short=True),
        Variant("double-board-holdem", boards=2),
        Variant("omaha", 4, uses_two=True),
        Variant("omaha5", 5, uses_two=True),
        Variant("omaha6", 6, uses_two=True),
        Variant("omaha-hilo", 4, uses_two=True, has_low=True),
        Variant("double-board-omaha", 4, uses_two=True, boards=2),
    )
}
"""By name; names of presets mean the same as at the table."""
