"""`croupier.games.blackjack` by the name that people import: all its public names, and nothing else."""

from croupier.games.blackjack import *  # noqa: F403
from croupier.games.blackjack import __all__ as __all__  # noqa: PLC0414  # a module tells its names to type checkers
