"""The poker bots, the one that plays when none is named first."""

from collections.abc import Mapping
from typing import Final

from croupier.game.policy import Factory
from croupier.games.poker.bots.shark import SharkPolicy
from croupier.games.poker.bots.solid import CallerPolicy, SolidPolicy

BOTS: Final[Mapping[str, Factory]] = {
    "solid": lambda random, rules: SolidPolicy(random),
    "shark": lambda random, rules: SharkPolicy(random),
    "caller": lambda random, rules: CallerPolicy(random),
}
