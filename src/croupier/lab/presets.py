"""The preset that the lab plays a game by when none is named."""

from typing import Final

from croupier.game.registry import GAMES

_LAB_PRESETS: Final = {"holdem": "cash"}
"""Where it is not the game's first."""


def preset_or_default(game: str, preset: str) -> str:
    """The named preset of a known game, or the lab's default. A named preset is not checked."""
    return preset or _LAB_PRESETS.get(game, next(iter(GAMES[game].presets)))
