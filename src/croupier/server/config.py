"""How a server is set up: by options, environment variables and a TOML file, all with the same names.

What is given on the command line wins over `CROUPIER_…` in the environment, and that over the file.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from croupier.server.limits import Limits

PREFIX: Final = "CROUPIER_"
ELSEWHERE: Final = ("CROUPIER_CONFIG", "CROUPIER_DATA")
"""Names in the environment that are no settings of a server: where the file is, and the user's data."""
WORKERS_MAX: Final = 64
Origin: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^https?://[^/\s]+$")]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set. `store` is an address like `sqlite:///rooms.db`; empty is the user's own folder."""

    host: Annotated[str, msgspec.Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8021
    store: str = ""
    dealer_key: str = ""
    """Who knows it is the dealer of the classroom table. Without one, a new key is made at every start and printed."""
    lang: Literal["", "en", "ko", "zh", "ru"] = ""
    """The language of people who do not say theirs; without one, the environment's."""
    origins: tuple[Origin, ...] = ()
    """Web pages from elsewhere that may connect, like `https://example.org`."""
    nodes: tuple[Origin, ...] = ()
    """Where the public reaches every server on this store, like `https://one.example.org`. Clients are told, and go to
    another when this one is gone; their pages may connect here."""
    proxies: tuple[str, ...] = ()
    """Addresses of the reverse proxies whose word is taken for who connects; without any, nobody's is."""
    workers: Annotated[int, msgspec.Meta(ge=0, le=WORKERS_MAX)] = 0
    """Processes that serve the rooms, beside the one that listens; without any, that one serves them too."""
    log: Literal["text", "json"] = "text"
    bot_delay_seconds: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.7
    limits: Limits = Limits()

    def __repr__(self) -> str:
        return f"<Settings {self.host}:{self.port}>"


class SettingsError(ValueError):
    """A setting that cannot be used; the message names it, and where it was set."""


def load(options: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """The settings from all three places. Raises SettingsError that names what is wrong and where."""
    from_file = {} if file is None else _from_file(file)
    from_environment = _from_environment(environment)
    from_options = {name: value for name, value in options.items() if value is not None}
    _check(from_file, lambda path: f"{file}: {path}")
    _check(from_environment, lambda path: PREFIX + path.replace(".", "_").upper())
    _check(from_options, lambda path: "--" + path.replace("_", "-"))
    limits = {**from_file.get("limits", {}), **from_environment.get("limits", {})}
    found = {**from_file, **from_environment, **from_options}
    return msgspec.convert({**found, "limits": limits}, Settings, strict=False)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from None
    except (UnicodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{file}: {error}") from None


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """What the environment sets. Lists are written with spaces, limits as `CROUPIER_LIMITS_ROOMS_MAX`."""
    found: dict[str, Any] = {}
    limits: dict[str, str] = {}
    for name, value in environment.items():
        if not name.startswith(PREFIX) or name in ELSEWHERE:
            continue
        field = name.removeprefix(PREFIX).lower()
        if field.startswith("limits_"):
            limits[field.removeprefix("limits_")] = value
        elif field == "lang":
            found[field] = value[:2].lower()
        else:
            found[field] = value.split() if field in ("origins", "nodes", "proxies") else value
    return {**found, "limits": limits} if limits else found


def _check(found: Mapping[str, Any], named: Callable[[str], str]) -> None:
    """Raises SettingsError for the first setting that does not exist or has a wrong value, by its name there."""
    for fields, struct, prefix in ((found, Settings, ""), (found.get("limits", {}), Limits, "limits.")):
        if not isinstance(fields, Mapping):
            raise SettingsError(f"{named('limits')}: Expected `object`")
        for field, value in fields.items():
            if field not in struct.__struct_fields__:
                allowed = ", ".join(struct.__struct_fields__)
                raise SettingsError(f"{named(prefix + field)}: there is no such setting; there are: {allowed}")
            if field == "limits":
                continue
            try:
                msgspec.convert({field: value}, struct, strict=False)
            except msgspec.ValidationError as error:
                fault = str(error).partition(" - at ")[0]
                raise SettingsError(f"{named(prefix + field)}: {fault}") from None


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
