"""The hub's part of docs/protocol.md, made from the code that serves it."""

import json
from enum import StrEnum
from types import UnionType
from typing import Any, Final, get_args, get_origin

import msgspec

from croupier.cards import cards
from croupier.games.blackjack.classroom import ClassroomView, Outcome, Phase, PlayerView, TurnState
from croupier.server.signalr.limits import Limits
from croupier.server.signalr.protocol import SEPARATOR, invocation
from croupier.wire.hub import CALLBACKS, ENUMS, METHODS, Enums, HubCard, HubPlayer, HubState, Method, hub_state

STRUCTS: Final = (HubState, HubPlayer, HubCard)

_LIMITS: Final = {
    "connections_max": "connections to the hub",
    "connections_per_address_max": "clients of one address at once",
    "message_bytes_max": "bytes in a message, a frame of the WebSocket or the body of a POST",
    "messages_waiting_max": "messages that may wait for a client that reads slowly, before it is dropped",
    "posts_waiting_max": "POSTs of one client under way at once",
    "negotiated_max": "connections that were negotiated and not begun",
    "negotiated_per_address_max": "of these, from one address",
    "negotiated_seconds": "seconds in which a token must be used",
    "handshake_seconds": "seconds for the handshake",
    "keep_alive_seconds": "seconds without a message to the client, after which it is pinged; not with long polling",
    "client_timeout_seconds": "seconds without a message of the client, after which it is gone; not with long polling",
    "poll_seconds": "seconds that a poll waits for news",
    "away_seconds": "seconds without a poll, after which a client of long polling is gone",
    "body_seconds": "seconds for the body of a POST to come",
    "closing_seconds": "seconds for a client that is dropped to hear of it",
}
_SIMPLE: Final = {str: "string", int: "integer", bool: "boolean", type(None): "null"}


def hub_tables() -> str:
    """Methods, callbacks, every value that they carry, and an example."""
    parts = ["## Hub methods\n", _methods(METHODS), "## Hub callbacks\n", _methods(CALLBACKS), "## Hub values\n"]
    parts += [_struct(struct) for struct in STRUCTS]
    parts += [_enumeration(kind) for kind in ENUMS]
    parts += ["## Limits of the hub\n", _limits(), "## A state of the hub\n", _example()]
    return "\n".join(parts)


def _methods(methods: tuple[Method, ...]) -> str:
    rows = ["| name | arguments | |", "| --- | --- | --- |"]
    for method in methods:
        arguments = ", ".join(f"`{name}`: {_kind(kind)}" for name, kind in method.parameters.items())
        rows.append(f"| `{method.name}` | {arguments or 'none'} | {method.about} |")
    return "\n".join(rows) + "\n"


def _struct(struct: type[msgspec.Struct]) -> str:
    about = f"{' '.join(struct.__doc__.split())}\n\n" if struct.__doc__ else ""
    rows = ["| field | value |", "| --- | --- |"]
    rows += [f"| `{field.encode_name}` | {_kind(field.type)} |" for field in msgspec.structs.fields(struct)]
    return f"### {struct.__name__}\n\n{about}" + "\n".join(rows) + "\n"


def _enumeration(kind: type[StrEnum]) -> str:
    members = ", ".join(f"{number} `{member}`" for number, member in enumerate(kind))
    return f"### {_name(kind)}\n\n{members}\n"


def _name(kind: type[Any]) -> str:
    return f"Hub{kind.__name__.removeprefix('Hub')}"


def _kind(kind: Any) -> str:
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if isinstance(kind, UnionType):
        named = [part for part in get_args(kind) if part in ENUMS]
        # A member of an enumeration is its number or its name: both are told where it is described.
        return _kind(named[0]) if named else " or ".join(map(_kind, get_args(kind)))
    if get_origin(kind) is tuple:
        return f"list of {_kind(get_args(kind)[0])}"
    return f"[{_name(kind)}](#{_name(kind).lower()})"


def _limits() -> str:
    assert list(_LIMITS) == list(Limits.__struct_fields__), "every limit is told"
    rows = [f"| {getattr(Limits(), field):,g} | {words} |" for field, words in _LIMITS.items()]
    return "\n".join(["| at most | |", "| --- | --- |", *rows]) + "\n"


def _example() -> str:
    view = ClassroomView(
        phase=Phase.IN_ROUND,
        players=(
            PlayerView("Qk3", "Ms Kim", True, cards("Ts 7d"), 17, TurnState.PLAYING, Outcome.NONE),
            PlayerView("f0W", "Ann", False, cards("Ah 9c"), 10, TurnState.PLAYING, Outcome.NONE),
        ),
        dealer_player_id="Qk3",
        current_turn_player_id="f0W",
    )
    shown = []
    told: dict[Enums, str] = {"numbers": "As numbers:", "names": "The same with `--hub-enums names`:"}
    for enums, words in told.items():
        written = invocation("OnStateChanged", hub_state(view, enums)).removesuffix(SEPARATOR).decode()
        lines = written.replace('{"playerId"', '\n  {"playerId"').replace('"currentTurn', '\n  "currentTurn')
        assert json.loads(lines) == json.loads(written)
        shown.append(f"{words}\n\n```json\n{lines}\n```\n")
    return "\n".join(shown)
