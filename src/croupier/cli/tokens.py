"""A person's token for a command: from the environment or a file, never from the command line, which everybody on the
machine can read."""

import os
import sys
from pathlib import Path
from typing import Final

VARIABLE: Final = "CROUPIER_TOKEN"
STANDARD_INPUT: Final = "-"


def given_token(file: str) -> str:
    """The token in that file, or in the first line of the standard input for `-`; without a file, the environment's.
    Raises OSError."""
    if not file:
        return os.environ.get(VARIABLE, "").strip()
    if file == STANDARD_INPUT:
        return sys.stdin.readline().strip()
    return Path(file).expanduser().read_text(encoding="utf-8").strip()
