"""The lab's default preset of a game."""

from croupier.game.registry import GAMES


def preset_or_default(game: str, preset: str) -> str:
    """The named preset of a known game, or the lab's default. A named preset is not checked."""
    return preset or GAMES[game].lab_preset or next(iter(GAMES[game].presets))
