"""Addresses of stores: their kinds, how they may be shown, and the folder for a user's own data."""

import re
from collections.abc import Mapping
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


def data_folder(environment: Mapping[str, str], platform: str) -> Path:
    """Where a user's own data belongs on this system, or where CROUPIER_DATA says."""
    if named := environment.get("CROUPIER_DATA"):
        return Path(named).expanduser()
    home = Path.home()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "croupier"
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA", home / "AppData" / "Local")) / "croupier"
    return Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share") / "croupier"
