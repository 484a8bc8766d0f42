"""The protocol as documents that programs read: JSON Schema and AsyncAPI, made from the structs that decode and encode.

Nothing here is written twice: a message that the server knows is in the documents, with the very fields and bounds that
it is checked by. What a room shows depends on its game, so ROOM_STATE is described once for each game.
"""

import inspect
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Final, Literal

import msgspec

from croupier.game.game import Game, Offer
from croupier.game.registry import GAMES
from croupier.table.roomview import RoomView, ViewerPart
from croupier.wire import room
from croupier.wire.casino import CasinoAnswer, CasinoRequest
from croupier.wire.classroom import CLASSROOM_REQUESTS, ClassroomDone, ClassroomNotice, ClassroomShown
from croupier.wire.frames import Error

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ASYNCAPI: Final = "3.0.0"
TITLE: Final = "Croupier"
SOCKET_PATH: Final = "/ws"
SCHEMA_REFERENCE: Final = "#/$defs/{name}"
COMPONENT_REFERENCE: Final = "#/components/schemas/{name}"

Json = dict[str, Any]
Messages = Mapping[str, tuple[type[Any], ...]]


def _exact(name: str, base: type[msgspec.Struct], *fields: tuple[str, Any]) -> type[Any]:
    """A struct like `base` with narrower field types, for descriptions only."""
    config = base.__struct_config__
    return msgspec.defstruct(
        name,
        list(fields),
        bases=(base,),
        module=__name__,
        namespace={"__doc__": base.__doc__},
        frozen=True,
        kw_only=True,
        tag=config.tag,
    )


def _tuple(kind: Any) -> Any:
    """The type of tuples of a type that is a value."""
    return tuple.__class_getitem__((kind, ...))


def _room_state(game: Game) -> type[Any]:
    title = game.name.title()
    shared = _exact(f"{title}Room", RoomView, ("game", Literal[game.name]), ("rules", game.rules))
    offers: Any = Offer
    menu = _tuple(offers[game.action])
    own = _exact(f"{title}Viewer", ViewerPart, ("view", game.view | None), ("menu", menu))
    move = _exact(f"{title}Move", room.RoundMove, ("action", game.action | Literal["absent"] | None))
    fields = (("public", shared), ("you", own), ("events", _tuple(game.event)), ("moves", _tuple(move)))
    return _exact(f"{title}RoomState", room.RoomState, *fields)


def _by_type(structs: Iterable[type[Any]]) -> Messages:
    """The structs of each message type: several where a message depends on the game."""
    found: dict[str, tuple[type[Any], ...]] = {}
    for struct in structs:
        tag = str(struct.__struct_config__.tag)
        found[tag] = (*found.get(tag, ()), struct)
    return found


REQUESTS: Final = _by_type(
    (
        *room.QUERIES.values(),
        *room.COMMAND_REQUESTS.values(),
        *(request for game in GAMES for request in room.game_requests(game).values()),
        *CasinoRequest.__args__,
        *CLASSROOM_REQUESTS.values(),
    )
)
"""All that a client can send, by message type."""
ANSWERS: Final = _by_type(
    (
        *(Error, room.Welcome, room.SignedOut, room.Accepted, room.RoomWaiting, room.RoomAdmitted),
        room.DealHistoryResponse,
        *map(_room_state, GAMES.values()),
        *(room.RoomListing, room.ChatSaid, room.RoomStory, room.ReactionShown, room.Presence),
        *(room.StatesSkipped, room.RoomClosed),
        *CasinoAnswer.__args__,
        *(ClassroomDone, ClassroomShown, ClassroomNotice),
    )
)
"""All that the server can send, by message type."""


def described(message: tuple[type[Any], ...]) -> str:
    """The description of a message."""
    return inspect.cleandoc(next((struct.__doc__ for struct in message if struct.__doc__), "") or "")


def components(types: Iterable[Any], reference: str) -> tuple[list[Json], dict[str, Json]]:
    """A schema for each type, and the named schemas that they refer to, by short names."""
    schemas, named = msgspec.json.schema_components(types, ref_template=reference)
    short = {name: _short(name) for name in named}
    twice = {name for name in named if list(short.values()).count(short[name]) > 1}
    short |= {name: _short(name, with_module=True) for name in twice}
    assert len(set(short.values())) == len(short), "two schemas would have one name"
    before = re.compile("|".join(re.escape(reference.format(name=name)) + '(?=")' for name in _longest_first(named)))
    prefix = reference.format(name="")

    def renamed(value: Any) -> Any:
        text = msgspec.json.encode(value).decode()
        return msgspec.json.decode(before.sub(lambda found: prefix + short[found[0].removeprefix(prefix)], text))

    return renamed(list(schemas)), {short[name]: renamed(named[name]) for name in named}


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=len, reverse=True)


def _short(name: str, *, with_module: bool = False) -> str:
    """A name without the path of its module, where it need not be told from others: the game or the casino is enough.

    `croupier.games.blackjack.rules.view.HandView` is `BlackjackHandView`, and its offers are `BlackjackOffer`. Where
    even that is not enough, the module helps: `BlackjackStatePhase`.
    """
    offer = re.match(r"Offer_croupier\.games\.(\w+)\.", name)
    if offer:
        return f"{offer[1].title()}Offer"
    if not name.startswith("croupier."):
        return name
    *path, last = name.split(".")
    part = path[2 if path[1] in ("games", "wire") else 1].title()
    return f"{part}{path[-1].title() if with_module else ''}{last}"


def message_schemas(reference: str) -> tuple[dict[type[Any], Json], dict[str, Json]]:
    """The schema of every message, and all named schemas."""
    structs = [struct for messages in (REQUESTS, ANSWERS) for message in messages.values() for struct in message]
    schemas, named = components(structs, reference)
    return dict(zip(structs, schemas, strict=True)), named


def _any_of(schemas: list[Json]) -> Json:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


@cache
def json_schema() -> Json:
    """One schema for every frame: `$defs` has `Request`, `Answer`, and each struct by its name."""
    schemas, named = message_schemas(SCHEMA_REFERENCE)

    def either(messages: Messages) -> Json:
        return {"anyOf": [schemas[struct] for message in messages.values() for struct in message]}

    return {
        "$schema": DIALECT,
        "title": f"{TITLE} protocol {version('croupier')}",
        "description": "Every frame of the WebSocket: a Request is sent by clients, an Answer by the server.",
        "anyOf": [{"$ref": "#/$defs/Request"}, {"$ref": "#/$defs/Answer"}],
        "$defs": {"Request": either(REQUESTS), "Answer": either(ANSWERS), **named},
    }


@cache
def asyncapi() -> Json:
    """The WebSocket as an AsyncAPI document: each message type is a message, requests are received, answers sent."""
    schemas, named = message_schemas(COMPONENT_REFERENCE)

    def message(tag: str, structs: tuple[type[Any], ...]) -> Json:
        payload = _any_of([schemas[struct] for struct in structs])
        return {"name": tag, "title": tag, "summary": described(structs).split("\n\n")[0], "payload": payload}

    def references(messages: Messages, place: str) -> list[Json]:
        return [{"$ref": f"#/{place}/{tag}"} for tag in messages]

    both = {**REQUESTS, **ANSWERS}
    assert len(both) == len(REQUESTS) + len(ANSWERS), "a message is either asked or answered"
    of_channel = "channels/room/messages"
    return {
        "asyncapi": ASYNCAPI,
        "info": {
            "title": TITLE,
            "version": version("croupier"),
            "description": "A card room over one WebSocket: JSON text frames of at most 64 KiB, one message each.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "room": {
                "address": SOCKET_PATH,
                "messages": {tag: {"$ref": f"#/components/messages/{tag}"} for tag in both},
            }
        },
        "operations": {
            "ask": {
                "action": "receive",
                "channel": {"$ref": "#/channels/room"},
                "summary": "What clients send. Every request is answered, with its requestId.",
                "messages": references(REQUESTS, of_channel),
                "reply": {"channel": {"$ref": "#/channels/room"}, "messages": references(ANSWERS, of_channel)},
            },
            "tell": {
                "action": "send",
                "channel": {"$ref": "#/channels/room"},
                "summary": "What the server sends: answers, and what happens in the rooms that a connection hears.",
                "messages": references(ANSWERS, of_channel),
            },
        },
        "components": {"messages": {tag: message(tag, structs) for tag, structs in both.items()}, "schemas": named},
    }
