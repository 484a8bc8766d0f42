"""The poker bots, the default one first."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from croupier.game.policy import Factory
from croupier.games.poker.bots.shark import SharkPolicy
from croupier.games.poker.bots.solid import CallerPolicy, HoldemPolicy, SolidPolicy
from croupier.games.poker.bots.variants import CALLER, SHARK, SOLID, Style, VariantPolicy, is_holdem


def _bot(holdem: Callable[[Random], HoldemPolicy], style: Style) -> Factory:
    """The bot for Hold'em, or else one that plays every variant in the same style."""
    return lambda random, rules: holdem(random) if is_holdem(rules) else VariantPolicy(random, rules, style)


BOTS: Final[Mapping[str, Factory]] = {
    "solid": _bot(SolidPolicy, SOLID),
    "shark": _bot(SharkPolicy, SHARK),
    "caller": _bot(CallerPolicy, CALLER),
}
