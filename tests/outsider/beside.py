"""The games of `examples`, as if their packages were installed beside Croupier."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier import locales
from croupier.game.registry import GAMES

EXAMPLES = Path(__file__).parents[2] / "examples"


@contextmanager
def installed(folder: Path, game: str = "crazy_eights") -> Iterator[dict[str, str]]:
    """Install a game for this process, and for programs that are started with the environment that this gives."""
    described = folder / f"{game}-0.1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {game}\nVersion: 0.1.0\n")
    (described / "entry_points.txt").write_text(f"[croupier.games]\n{game} = {game}:GAME\n")
    places = [str(folder), str(EXAMPLES / game / "src")]
    games, tags = dict(GAMES._games), dict(GAMES._tags)
    sys.path[:0] = places
    _look_again()
    try:
        yield {**os.environ, "PYTHONPATH": os.pathsep.join([*places, os.environ.get("PYTHONPATH", "")])}
    finally:
        for place in places:
            sys.path.remove(place)
        # The module stays loaded: types of a second copy would not be those that decoders were made for.
        GAMES._games, GAMES._tags = games, tags
        _look_again()


def _look_again() -> None:
    GAMES._points = None
    locales.catalogue.cache_clear()
