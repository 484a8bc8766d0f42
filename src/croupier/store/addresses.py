"""Addresses of stores: which there are, and how they may be shown."""

import re
from pathlib import Path
from typing import Final

ADDRESSES: Final = "memory:, sqlite:///relative/file.db, sqlite:////absolute/file.db, postgresql://user@host/database"


def sqlite_path(url: str) -> Path | None:
    """The file of a SQLite store; None for any other address."""
    path = url.removeprefix("sqlite:///")
    return Path(path).expanduser() if path not in ("", url) else None


def is_postgres(url: str) -> bool:
    return url.startswith(("postgresql://", "postgres://"))


def without_password(url: str) -> str:
    """The address as it may be shown and logged."""
    hidden = re.sub(r"(?<=://)([^:@/?#]*):[^/?#]*@", r"\1@", url)
    return re.sub(r"(?<=[?&])(password=)[^&]*", r"\1…", hidden)
