"""The calculator's variants: presets of the game, by what decides a showdown."""

from typing import Final, NamedTuple

from croupier.cards import PACK, RANKS, Card
from croupier.games.poker.rules.config import HoldemOptions, Pack, Split, Used


class Variant(NamedTuple):
    """The rules of a showdown: how many hole cards, whether exactly two of them count, the pack, lows and boards."""

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
        """The number of parts of a pot: one for each board's high and, if there is one, its low."""
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
"""By name. The names of presets mean the same as at the table."""


def variant_of(rules: HoldemOptions) -> Variant | None:
    """The variant that decides a showdown by these rules; None for a game of somebody's own that is none of them."""
    wanted = (
        rules.hole_cards,
        rules.used is Used.TWO,
        rules.pack is Pack.SHORT,
        rules.pot is Split.HIGH_LOW,
        rules.boards,
    )
    return next((each for each in VARIANTS.values() if each[1:] == wanted), None)
