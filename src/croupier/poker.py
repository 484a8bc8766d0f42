"""`croupier.games.poker` by the name that people import: all its public names, and nothing else."""

from croupier.games.poker import *  # noqa: F403
from croupier.games.poker import __all__ as __all__  # noqa: PLC0414  # a module tells its names to type checkers
