"""The settings of a server, from options, environment variables and a TOML file, all with the same names. The command
line overrides `CROUPIER_…` in the environment, which overrides the file.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from croupier.game.registry import GAMES
from croupier.game.sealed import Sealed
from croupier.games.blackjack.classroom import Classroom
from croupier.games.blackjack.rules.config import Decks, StandsOn
from croupier.games.blackjack.rules.presets import CLASSROOM
from croupier.server.limits import Limits
from croupier.wire.hub import Enums

PREFIX: Final = "CROUPIER_"
ELSEWHERE: Final = ("CROUPIER_CONFIG", "CROUPIER_DATA", "CROUPIER_TOKEN")
"""Names in the environment that are not settings of a server: where the file is, the user's data and token."""
WORKERS_MAX: Final = 64
NAME_LENGTH_MAX: Final = 100
Origin: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^https?://[^/\s]+$")]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set. `store` is an address like `sqlite:///rooms.db`; empty is the user's own folder."""

    host: Annotated[str, msgspec.Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8021
    store: str = ""
    dealer_key: str = ""
    """The key that makes its user the dealer of the classroom table. By default, a new one is made and printed at every
    start."""
    deck_count: Decks = CLASSROOM.decks
    """Decks in the shoe of the classroom table."""
    dealer_stand_score: StandsOn = CLASSROOM.dealer_stands_on
    """The classroom's dealer draws below this score."""
    min_players_to_start: Annotated[int, msgspec.Meta(ge=CLASSROOM.seats_min, le=CLASSROOM.seats_max)] = 2
    """How many a round of the classroom needs, the dealer among them."""
    min_name_length: Annotated[int, msgspec.Meta(ge=1, le=NAME_LENGTH_MAX)] = 1
    """The shortest name at the classroom table, and the longest, in UTF-16 code units."""
    max_name_length: Annotated[int, msgspec.Meta(ge=1, le=NAME_LENGTH_MAX)] = 20
    hub_enums: Enums = "numbers"
    """How the classroom's SignalR hub writes enumerations."""
    lang: Literal["", "en", "ko", "zh", "ru"] = ""
    """The language for people who name none; by default that of the environment."""
    origins: tuple[Origin, ...] = ()
    """Web pages from elsewhere that may connect, like `https://example.org`."""
    nodes: tuple[Origin, ...] = ()
    """The public addresses of all servers on this store, like `https://one.example.org`. Clients learn them, and go to
    another when this one is gone; pages of these servers may connect here."""
    hosts: tuple[str, ...] = ()
    """Names under which this server is reached, like `cards.example.org`, beside addresses in numbers, `localhost`,
    this machine's own name and those of `nodes`; `*` is every name."""
    metrics_token: str = ""
    """With it, `/metrics` is only for requests that send it as a bearer token; never on the command line."""
    metrics_from: tuple[str, ...] = ()
    """Addresses and networks that may read `/metrics`; without these and a token, everybody may."""
    access_log: bool = False
    """Whether every request is logged, as a JSON object."""
    proxies: tuple[str, ...] = ()
    """Addresses of the reverse proxies to trust for the client's address; none by default."""
    workers: Annotated[int, msgspec.Meta(ge=0, le=WORKERS_MAX)] = 0
    """Processes that serve the rooms, beside the one that listens; with 0, that one serves them too."""
    log: Literal["text", "json"] = "text"
    bot_delay_seconds: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.7
    close_empty_hours: Annotated[int, msgspec.Meta(ge=0, le=87_600)] = 0
    """After how many hours without a connection a room is closed, and only its records are left; 0 means never."""
    games: tuple[str, ...] = ()
    """The games that are offered; by default all that are installed. The casino and the classroom need Blackjack."""
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
    settings = msgspec.convert({**found, "limits": limits}, Settings, strict=False)
    if settings.min_name_length > settings.max_name_length:
        shortest, longest = settings.min_name_length, settings.max_name_length
        raise SettingsError(f"min_name_length: {shortest} is more than max_name_length: {longest}")
    return settings


def game_names(text: str) -> list[str]:
    """The names in a text, with commas or spaces between."""
    return text.replace(",", " ").split()


def classroom(settings: Settings, dealer_key: str) -> Classroom:
    """The classroom table that the settings describe."""
    rules = msgspec.structs.replace(CLASSROOM, decks=settings.deck_count, dealer_stands_on=settings.dealer_stand_score)
    return Classroom(
        Sealed(dealer_key),
        rules,
        players_min=settings.min_players_to_start,
        name_length_min=settings.min_name_length,
        name_length_max=settings.max_name_length,
    )


def _from_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from None
    except UnicodeError:
        raise SettingsError(f"{file}: not a text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
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
        elif field == "games":
            found[field] = game_names(value)
        else:
            found[field] = value.split() if field in ("origins", "nodes", "proxies", "hosts", "metrics_from") else value
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
                raise SettingsError(f"{named(prefix + field)}: {fault}{_allowed(struct, field)}") from None
            if field == "games":
                _check_games(value, named(field))


def _check_games(names: list[str], setting: str) -> None:
    for name in names:
        if name not in GAMES:
            raise SettingsError(f"{setting}: there is no game {name!r}; installed: {', '.join(GAMES)}")


def _allowed(struct: type[msgspec.Struct], name: str) -> str:
    """What a setting may be, where that is a choice or a range."""
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    match next(field.type for field in info.fields if field.name == name):
        case msgspec.inspect.LiteralType(values):
            return f"; allowed: {', '.join(str(value) for value in values if value)}"
        case msgspec.inspect.IntType(ge=low, le=high) if low is not None and high is not None:
            return f"; allowed: {low} to {high}"
        case _:
            return ""
