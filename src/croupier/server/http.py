"""What is served besides the connection: the page, health, figures, lists and records. Headers that keep it safe."""

from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any, Final

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier import locales
from croupier.rules.refusal import Refusal
from croupier.server.casino import Casino
from croupier.server.house import House
from croupier.server.lobby import Lobby
from croupier.server.people import by_token
from croupier.store.port import StoreError
from croupier.table.codes import RoomCode

SECURITY_HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"font-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=()"),
)


class SecurityHeaders:
    """Adds the headers to every answer that has none of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(pair for pair in SECURITY_HEADERS if pair[0] not in present),
                ]
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)


class Http:
    """The plain HTTP part of a server."""

    def __init__(self, house: House, lobby: Lobby, casino: Casino, language: str) -> None:
        self._house = house
        self._lobby = lobby
        self._casino = casino
        self._language = language

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", self.page),
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
            Route("/api/rooms", self.rooms),
            Route("/api/rooms/{code}/records.jsonl", self.room_records),
            Route("/api/casino/records.jsonl", self.casino_records),
        ]

    async def page(self, request: Request) -> Response:
        return Response(files("croupier.server").joinpath("web/index.html").read_bytes(), media_type="text/html")

    async def health(self, request: Request) -> Response:
        """Healthy means that the store answers."""
        try:
            await self._house.store.tables(most=1)
        except StoreError:
            return _json({"ok": False}, status=503)
        return _json({"ok": True})

    async def metrics(self, request: Request) -> Response:
        return Response(generate_latest(self._house.figures.registry), headers={"content-type": CONTENT_TYPE_LATEST})

    async def rooms(self, request: Request) -> Response:
        return _json({"rooms": await self._lobby.listed()})

    async def room_records(self, request: Request) -> Response:
        """The rounds of a room: with a token in the Authorization header, as that player saw them."""
        from croupier.server.records import rounds

        person = await self._person(request)
        if isinstance(person, Refusal):
            return self._refused(person, status=401)
        code = request.path_params["code"].upper()
        if await self._lobby.room(code) is None:
            return self._refused(Refusal(RoomCode.NO_SUCH_ROOM, {"room": code[:16]}), status=404)
        return _lines(rounds(self._house, code, person))

    async def casino_records(self, request: Request) -> Response:
        """The caller's own rounds against the house."""
        person = await self._person(request)
        if isinstance(person, Refusal) or not person:
            return self._refused(Refusal(RoomCode.BAD_TOKEN), status=401)
        records = await self._casino.records(person)

        async def each() -> AsyncIterator[str]:
            for entry in records:
                yield entry

        return _lines(each())

    async def _person(self, request: Request) -> str | Refusal:
        """Who asks: empty without a token. A token is never taken from the address."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if not scheme:
            return ""
        person = await by_token(self._house, token.strip()) if scheme.lower() == "bearer" else None
        return person.id if person is not None else Refusal(RoomCode.BAD_TOKEN)

    def _refused(self, refusal: Refusal, status: int) -> Response:
        message = locales.text(self._language, f"code.{refusal.code}", **refusal.facts)
        return _json({"code": refusal.code, "message": message, "facts": refusal.facts}, status)


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status_code=status, media_type="application/json")


def _lines(lines: AsyncIterator[str]) -> Response:
    async def encoded() -> AsyncIterator[bytes]:
        async for text in lines:
            yield text.encode() + b"\n"

    return StreamingResponse(encoded(), media_type="application/x-ndjson")
