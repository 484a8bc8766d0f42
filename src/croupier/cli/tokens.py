"""A player's token for a command: from the environment or a file, never from an argument.

Everybody on the machine can read the arguments of a command.
"""

import os
import re
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from croupier.store.addresses import data_folder

VARIABLE: Final = "CROUPIER_TOKEN"
STANDARD_INPUT: Final = "-"


def keep_token(server: str, token: str) -> Path:
    """Write a token to a file that only this user can read, and return the file, so nobody needs to type a token.
    Raises OSError."""
    folder = data_folder(os.environ, sys.platform) / "tokens"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{re.sub(r'[^a-z0-9.-]', '_', urlsplit(server).netloc.lower())[:100]}.token"
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(f"{token}\n")
    beside.replace(path)
    return path


def given_token(file: str) -> str:
    """The token in a file, or in the first line of standard input for `-`, or, without a file, in the environment.

    Raises OSError.
    """
    if not file:
        return os.environ.get(VARIABLE, "").strip()
    if file == STANDARD_INPUT:
        return sys.stdin.readline().strip()
    try:
        return Path(file).expanduser().read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise OSError("not a text in UTF-8") from None
