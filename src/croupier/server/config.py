"""How a server is set up: by options, environment variables and a TOML file, all with the same names.

What is given on the command line wins over `CROUPIER_…` in the environment, and that over the file.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from croupier.server.limits import Limits

PREFIX: Final = "CROUPIER_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set. `store` is an address like `sqlite:///rooms.db`; empty is the user's own folder."""

    host: str = "127.0.0.1"
    port: int = 8021
    store: str = ""
    dealer_key: str = ""
    """Who knows it is the dealer of the classroom table. Without one, a new key is made at every start and printed."""
    lang: str = ""
    """The language of people who do not say theirs; without one, the environment's."""
    origins: tuple[str, ...] = ()
    """Web pages from elsewhere that may connect, like `https://example.org`."""
    log: Literal["text", "json"] = "text"
    bot_delay_seconds: float = 0.7
    limits: Limits = Limits()

    def __repr__(self) -> str:
        return f"<Settings {self.host}:{self.port}>"


class SettingsError(ValueError):
    """A setting that cannot be used; the message names it."""


def load(options: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """The settings from all three places. Raises SettingsError that names what is wrong and where."""
    found: dict[str, Any] = {}
    if file is not None:
        try:
            found.update(tomllib.loads(file.read_text(encoding="utf-8")))
        except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
            raise SettingsError(f"{file}: {error}") from None
        _check(found, str(file))
    from_environment = _from_environment(environment)
    limits = {**found.get("limits", {}), **from_environment.pop("limits", {})}
    found.update(from_environment)
    found.update({name: value for name, value in options.items() if value is not None})
    if limits:
        found["limits"] = limits
    return _check(found, PREFIX + "*")


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in Settings.__struct_fields__:
        value = environment.get(PREFIX + field.upper())
        if value is not None and field != "limits":
            found[field] = tuple(value.split()) if field == "origins" else value
    limits = {
        field: environment[f"{PREFIX}LIMITS_{field.upper()}"]
        for field in Limits.__struct_fields__
        if f"{PREFIX}LIMITS_{field.upper()}" in environment
    }
    return {**found, "limits": limits} if limits else found


def _check(found: Mapping[str, Any], where: str) -> Settings:
    try:
        return msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{where}: {error}") from None


def data_folder(environment: Mapping[str, str], platform: str) -> Path:
    """Where a user's own data belongs on this system."""
    home = Path.home()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "croupier"
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA", home / "AppData" / "Local")) / "croupier"
    return Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share") / "croupier"
