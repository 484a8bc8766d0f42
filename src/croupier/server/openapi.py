"""Everything over plain HTTP as an OpenAPI document, made from the same list of endpoints as the routes."""

import re
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, Final

import msgspec

from croupier.wire.frames import Facts
from croupier.wire.room import ListedRoom
from croupier.wire.schema import COMPONENT_REFERENCE, TITLE, Json, components

OPENAPI: Final = "3.1.0"
JSON: Final = "application/json"


class Health(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Whether the server can do its work: its store answers. `notOffered` has the games of which the store has rooms
    but which are not installed or not allowed here, with the number of rooms, as counted at the start."""

    ok: bool
    not_offered: dict[str, int] = {}


class Rooms(msgspec.Struct, frozen=True):
    """The rooms that their hosts have listed, the last changed first."""

    rooms: tuple[ListedRoom, ...]


class Refused(msgspec.Struct, frozen=True):
    """Why a request over HTTP is refused, as in an ERROR of the WebSocket."""

    code: str
    message: str
    facts: Facts


class Negotiated(msgspec.Struct, frozen=True, rename="camel"):
    """What a SignalR client needs to connect."""

    negotiate_version: int
    connection_id: str
    available_transports: tuple[dict[str, Any], ...]
    connection_token: str | msgspec.UnsetType = msgspec.UNSET


class HubFault(msgspec.Struct, frozen=True):
    """Why a request of a SignalR client is refused."""

    error: str


_STATUSES: Final = {
    200: "Done",
    202: "The connection ends",
    204: "The connection has ended, or a newer poll waits",
    304: "Not changed since",
    400: "The request cannot be read",
    401: "The token is not known here",
    403: "Pages of this origin may not connect",
    404: "There is no such thing",
    405: "This is sent another way",
    408: "The request took too long to come",
    409: "The connection is open already, or has not begun",
    413: "The request is too long",
    429: "Too many requests of this address",
    503: "What this needs does not answer",
}


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One address: its answer, and its possible refusals."""

    path: str
    """In the router's notation: a parameter in braces, with `:path` if it may contain slashes."""
    name: str
    summary: str
    media_type: str = JSON
    body: Any = None
    """The type of the JSON; None for another document."""
    statuses: tuple[int, ...] = ()
    """The answers besides 200."""
    method: str = "GET"
    with_token: bool = False
    """Whether a token in the Authorization header shows more."""
    in_wrong: Any = Refused
    """The type of the JSON of an answer that refuses."""


def openapi(endpoints: Iterable[Endpoint]) -> Json:
    """The document about these endpoints."""
    listed = list(endpoints)
    types = [kind for endpoint in listed for kind in (endpoint.body, endpoint.in_wrong) if kind is not None]
    schemas, named = components(types, COMPONENT_REFERENCE)
    schema_of = dict(zip(types, schemas, strict=True))
    return {
        "openapi": OPENAPI,
        "info": {
            "title": TITLE,
            "version": version("croupier"),
            "summary": "A card room over HTTP: lists, records, figures. Playing is over the WebSocket.",
        },
        "paths": _paths(listed, schema_of),
        "components": {
            "schemas": named,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "The token of a WELCOME"}},
        },
    }


def _paths(endpoints: list[Endpoint], schema_of: dict[Any, Json]) -> Json:
    paths: Json = {}
    for each in endpoints:
        paths.setdefault(public_path(each.path), {})[each.method.lower()] = _operation(each, schema_of)
    return paths


def public_path(path: str) -> str:
    """A path as OpenAPI writes it."""
    return re.sub(r":\w+\}", "}", path)


def _operation(endpoint: Endpoint, schema_of: dict[Any, Json]) -> Json:
    content = {} if endpoint.body is None else {"schema": schema_of[endpoint.body]}
    responses: Json = {"200": {"description": _STATUSES[200], "content": {endpoint.media_type: content}}}
    for status in endpoint.statuses:
        responses[str(status)] = {"description": _STATUSES[status]}
        if status >= 400:
            kind = endpoint.body if status == 503 and endpoint.body is not None else endpoint.in_wrong
            responses[str(status)]["content"] = {JSON: {"schema": schema_of[kind]}}
    operation: Json = {"operationId": endpoint.name, "summary": endpoint.summary, "responses": responses}
    names = re.findall(r"\{(\w+)", endpoint.path)
    if names:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
        ]
    if endpoint.with_token:
        operation["security"] = [{}, {"token": []}]
    return operation
