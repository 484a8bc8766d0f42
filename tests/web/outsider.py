"""A server process with the games of `examples` installed beside the built-in ones."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
GAME: Final = "crazy_eights"
GAMES: Final = (GAME, "one_card")
START_LINES_MAX: Final = 50


def install(folder: Path) -> str:
    """What an installer leaves of the packages, in a folder. Return the path that finds them, besides what is found
    now."""
    for game in GAMES:
        described = folder / f"{game}-1.dist-info"
        described.mkdir(parents=True)
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {game}\nVersion: 1\n")
        (described / "entry_points.txt").write_text(f"[croupier.games]\n{game} = {game}:GAME\n")
    sources = (str(ROOT / "examples" / game / "src") for game in GAMES)
    return os.pathsep.join((str(folder), *sources, str(ROOT / "src")))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Runs `croupier serve` in a process of its own; gives its link."""
    settings = {"CROUPIER_STORE": f"sqlite:///{folder / 'rooms.db'}", "CROUPIER_BOT_DELAY_SECONDS": "0.05"}
    environment = {**os.environ, **settings, "PYTHONPATH": install(folder / "site"), "CROUPIER_PORT": "0"}
    command = [sys.executable, "-m", "croupier", "serve"]
    with subprocess.Popen(
        command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield _link(process)
        finally:
            process.terminate()
            process.wait(20)


def _link(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    said = []
    for _, line in zip(range(START_LINES_MAX), process.stdout, strict=False):
        said.append(line)
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if found:
            return found.group()
    raise AssertionError("the server said nowhere to be found: " + "".join(said))
