"""Everything over plain HTTP: the page, health, metrics, lists, records, schemas."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from croupier import locales
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.server import records
from croupier.server.caller import host, language_wished, while_there
from croupier.server.casino import Casino
from croupier.server.game_list import GameList
from croupier.server.headers import SECURITY_HEADERS
from croupier.server.health import HealthCheck
from croupier.server.limits import Addresses
from croupier.server.live_hand import LiveHand, live_hand
from croupier.server.lobby import Lobby, is_code
from croupier.server.metrics_access import MetricsAccess
from croupier.server.offered_games import GameNotOfferedError
from croupier.server.openapi import Endpoint, Health, HubFault, Negotiated, Refused, Rooms, openapi
from croupier.server.packed_text import Outbound, PackedText, packed
from croupier.server.people import by_token
from croupier.server.qr_codes import qr_code
from croupier.server.replays import BusyError
from croupier.server.room import table_name
from croupier.server.room_list import read_door
from croupier.server.services import Services, log
from croupier.server.web_files import INDEX, WebFile, answer, json_file, web_files
from croupier.store.port import StoreError
from croupier.table.codes import RoomCode
from croupier.wire.ledger import ledger_csv
from croupier.wire.played_rounds import RoomReplay
from croupier.wire.room import RoomDoor

LINES: Final = "application/x-ndjson"
CSV: Final = "text/csv"
HAND_DIGITS_MAX: Final = 9
HAND_HISTORY: Final = "application/toml"
PATH_SHOWN_MAX: Final = 100

BUSY_RETRY_SECONDS: Final = "10"
LIVE_REFUSED: Final = {"COACH_GAME": 400, "COACH_NO_HAND": 409}
"""The status for a hand that cannot be coached live, for reasons other than a lack of permission."""
ENDPOINTS: Final = (
    Endpoint(path="/", name="page", summary="The page", media_type="text/html", statuses=(304, 429)),
    Endpoint(
        path="/room/{code}", name="room_page", summary="The page, at a room", media_type="text/html", statuses=(304,)
    ),
    Endpoint(path="/healthz", name="health", summary="Whether the server can work", body=Health, statuses=(503,)),
    Endpoint(
        path="/metrics", name="metrics", summary="Figures for Prometheus", media_type="text/plain", statuses=(403, 429)
    ),
    Endpoint(path="/api/rooms", name="rooms", summary="The rooms that are listed", body=Rooms, statuses=(429,)),
    Endpoint(
        path="/api/rooms/{code}/records.jsonl",
        name="room_records",
        summary="The finished rounds of a room, to be verified: as the caller saw them, or else a spectator",
        media_type=LINES,
        statuses=(401, 404, 429),
        with_token=True,
    ),
    Endpoint(
        path="/api/rooms/{code}/hands.phhs",
        name="room_hands",
        summary="The finished hands of a Hold'em room as PHH: as the caller saw them, or else a spectator",
        media_type=HAND_HISTORY,
        statuses=(401, 404, 429),
        with_token=True,
    ),
    Endpoint(
        path="/api/rooms/{code}/replay.json",
        name="room_replay",
        summary="The newest finished rounds of a room, or the one of ?hand=: as the caller heard them, or a spectator",
        body=RoomReplay,
        statuses=(401, 404, 429),
        with_token=True,
    ),
    Endpoint(
        path="/api/rooms/{code}/ledger.csv",
        name="room_ledger",
        summary="Who won what from whom in a room, as CSV with a header in the caller's language",
        media_type=CSV,
        statuses=(404, 429),
    ),
    Endpoint(
        path="/api/rooms/{code}",
        name="room_door",
        summary="What somebody with the code sees of a room before they come in",
        body=RoomDoor,
        statuses=(404, 429),
    ),
    Endpoint(
        path="/api/rooms/{code}/qr.svg",
        name="room_qr",
        summary="The link to a room as a QR code",
        media_type="image/svg+xml",
        statuses=(404, 429),
    ),
    Endpoint(
        path="/api/classroom/qr.svg",
        name="classroom_qr",
        summary="The link to the classroom table as a QR code",
        media_type="image/svg+xml",
        statuses=(429,),
    ),
    Endpoint(
        path="/api/casino/records.jsonl",
        name="casino_records",
        summary="The caller's own finished rounds against the house, to be verified",
        media_type=LINES,
        statuses=(401, 429),
        with_token=True,
    ),
    Endpoint(
        path="/api/schema.json", name="schema", summary="JSON Schema of the WebSocket's frames", statuses=(304, 429)
    ),
    Endpoint(path="/api/asyncapi.json", name="asyncapi", summary="AsyncAPI of the WebSocket", statuses=(304, 429)),
    Endpoint(path="/api/openapi.json", name="openapi", summary="This document", statuses=(304, 429)),
    Endpoint(
        path="/api/games",
        name="games",
        summary="Every game: seats, presets, options with their bounds, bots, packs",
        body=GameList,
        statuses=(304,),
    ),
    Endpoint(
        path="/api/texts/{language}.json",
        name="texts",
        summary="The texts of the lobby and the tables in a language",
        body=dict[str, str],
        statuses=(304, 404),
    ),
    Endpoint(
        path="/api/texts/{language}/more.json",
        name="more_texts",
        summary="All other texts of the page in a language",
        body=dict[str, str],
        statuses=(304, 404),
    ),
    Endpoint(
        path="/hubs/blackjack/negotiate",
        name="negotiate",
        summary="The way in for SignalR clients of the classroom table",
        body=Negotiated,
        method="POST",
        statuses=(400, 403, 429),
        in_wrong=HubFault,
    ),
    Endpoint(
        path="/hubs/blackjack",
        name="hub_receive",
        summary="What the hub tells SignalR clients without WebSockets: a poll, or the event stream that they accept",
        media_type="text/plain",
        statuses=(204, 400, 403, 404, 409, 503),
        in_wrong=HubFault,
    ),
    Endpoint(
        path="/hubs/blackjack",
        name="hub_send",
        summary="What a SignalR client without WebSockets tells the hub",
        media_type="text/plain",
        method="POST",
        statuses=(400, 403, 404, 405, 408, 409, 413, 429),
        in_wrong=HubFault,
    ),
    Endpoint(
        path="/hubs/blackjack",
        name="hub_end",
        summary="The end of a SignalR connection by long polling",
        media_type="text/plain",
        method="DELETE",
        statuses=(202, 400, 403, 404, 409),
        in_wrong=HubFault,
    ),
    Endpoint(
        path="/{file:path}",
        name="web_file",
        summary="A file of the page",
        media_type="*/*",
        statuses=(304, 404),
    ),
)
"""All routes. The page's files come last, because they match every other address."""
ELSEWHERE: Final = ("texts", "more_texts", "games", "negotiate", "hub_receive", "hub_send", "hub_end")
"""The routes of other parts of the server."""

Count: TypeAlias = Callable[[Request], None]
"""Counts a request of an address; raises RefusedError when it asks too often."""


class Annex(Protocol):
    """What a higher layer serves on the same port, with the same limits."""

    @property
    def endpoints(self) -> Sequence[Endpoint]: ...

    def routes(self, count: Count) -> Sequence[BaseRoute]: ...

    def close(self) -> None: ...


class RefusedError(Exception):
    """A refused request, with its HTTP status and code."""

    def __init__(self, status: int, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.status = status
        self.refusal = refusal


class Http:
    """The plain HTTP part of a server."""

    def __init__(
        self,
        services: Services,
        lobby: Lobby,
        casino: Casino,
        addresses: Addresses,
        language: str,
        annexes: Sequence[Annex] = (),
        metrics_access: MetricsAccess | None = None,
    ) -> None:
        self._metrics_access = metrics_access or MetricsAccess()
        self._services = services
        self._health = HealthCheck(services)
        self._lobby = lobby
        self._casino = casino
        self._addresses = addresses
        self._language = language
        self._endpoints = (*ENDPOINTS, *(endpoint for annex in annexes for endpoint in annex.endpoints))
        self._files = web_files()
        self._documents: dict[str, WebFile] = {}
        self._documents_lock = asyncio.Lock()
        self._outbound = Outbound()

    def routes(self) -> list[BaseRoute]:
        """The routes of the endpoints that are answered here. The last one matches every other address."""
        return [
            Route(each.path, getattr(self, each.name), methods=[each.method])
            for each in ENDPOINTS
            if each.name not in ELSEWHERE
        ]

    def exception_handlers(self) -> dict[Any, Any]:
        """The handlers of errors. They answer in JSON and reveal nothing internal."""
        return {
            HTTPException: self._wrong_address,
            RefusedError: self._refused,
            StoreError: self._store_failed,
            BusyError: self._busy,
            GameNotOfferedError: self._not_offered,
            ClientDisconnect: self._gone,
            Exception: self._failed,
        }

    async def page(self, request: Request) -> Response:
        return answer(request, self._files[INDEX])

    async def room_page(self, request: Request) -> Response:
        return answer(request, self._files[INDEX])

    async def web_file(self, request: Request) -> Response:
        file = self._files.get(request.path_params["file"])
        if file is None:
            raise HTTPException(404)
        return answer(request, file)

    async def health(self, request: Request) -> Response:
        """Healthy means that the store reads and writes within a bounded time."""
        ok = await self._health.ok()
        return _json(Health(ok=ok, not_offered=self._services.games.not_offered), status=200 if ok else 503)

    async def metrics(self, request: Request) -> Response:
        if not self._metrics_access.allows(request):
            raise RefusedError(403, Refusal("METRICS_KEPT"))
        self.count(request)
        return Response(generate_latest(self._services.metrics.registry), headers={"content-type": CONTENT_TYPE_LATEST})

    async def rooms(self, request: Request) -> Response:
        self.count(request)
        return _json(Rooms(await self._lobby.listed()))

    async def room_records(self, request: Request) -> Response:
        """The rounds of a room: with a token in the Authorization header, as that player saw them."""
        self.count(request)
        person = await self._person(request)
        code = (await self._room(request)).room_code
        return await self._text(request, records.rounds(self._services, code, person, self._network(request)), LINES)

    async def room_hands(self, request: Request) -> Response:
        self.count(request)
        person = await self._person(request)
        room = await self._room(request)
        if not GAMES[room.game].histories:
            raise RefusedError(404, Refusal("NOT_HOLDEM", {"room": room.room_code, "game": room.game}))
        made = records.hands(self._services, room.room_code, person, self._network(request))
        return await self._text(request, made, HAND_HISTORY)

    async def room_replay(self, request: Request) -> Response:
        self.count(request)
        person = await self._person(request)
        room = await self._room(request)
        wanted = request.query_params.get("hand", "")
        hand = int(wanted[:HAND_DIGITS_MAX]) if wanted.isdecimal() else None
        finding = records.replay(self._services, room.room_code, person, self._network(request), hand)
        played = await while_there(request, finding)
        return _json(RoomReplay(room.room_code, room.game, played))

    async def live_hand(self, request: Request) -> LiveHand:
        """The hand that the caller is playing in a room, if all others are bots; for annexes, which count the
        request."""
        person = await self._person(request)
        if not person:
            raise RefusedError(401, Refusal(RoomCode.BAD_TOKEN))
        room = await self._room(request)
        found = await live_hand(self._services, room.room_code, person)
        if isinstance(found, Refusal):
            raise RefusedError(LIVE_REFUSED.get(found.code, 403), found)
        return found

    async def room_ledger(self, request: Request) -> Response:
        self.count(request)
        room = await self._room(request)
        finding = records.ledger(self._services, room.room_code, self._network(request))
        accounts = await while_there(request, finding)
        language = language_wished(request, self._language)
        words = {word: locales.text(language, f"ledger.{word}") for word in ("player", "rounds", "net", "house")}
        # Spreadsheets recognise UTF-8 only by this mark at the beginning.
        return Response("\ufeff" + ledger_csv(accounts, **words), media_type=CSV)

    async def room_door(self, request: Request) -> Response:
        self.count(request)
        room = await self._room(request)
        if room.closed:
            raise RefusedError(404, Refusal(RoomCode.NO_SUCH_ROOM, {"room": room.room_code}))
        return _json(room)

    async def room_qr(self, request: Request) -> Response:
        self.count(request)
        code = (await self._room(request)).room_code
        return await self._qr(request, f"room/{code}")

    async def classroom_qr(self, request: Request) -> Response:
        self.count(request)
        return await self._qr(request, "#/classroom")

    async def _qr(self, request: Request, place: str) -> Response:
        picture = await qr_code(self._services.replays, f"{request.base_url}{place}", self._network(request))
        return Response(picture, media_type="image/svg+xml")

    async def casino_records(self, request: Request) -> Response:
        """The caller's own rounds against the house."""
        self.count(request)
        person = await self._person(request)
        if not person:
            raise RefusedError(401, Refusal(RoomCode.BAD_TOKEN))
        return await self._text(request, self._casino_records(person, self._network(request)), LINES)

    async def _casino_records(self, person: str, caller: str) -> PackedText:
        return await asyncio.to_thread(packed, await self._casino.records(person, caller))

    async def schema(self, request: Request) -> Response:
        return await self._document(request, "schema")

    async def asyncapi(self, request: Request) -> Response:
        return await self._document(request, "asyncapi")

    async def openapi(self, request: Request) -> Response:
        return await self._document(request, "openapi")

    async def _document(self, request: Request, name: str) -> Response:
        """Made at the first request, in a thread, because it takes long."""
        self.count(request)
        async with self._documents_lock:
            if not self._documents:
                self._documents = await asyncio.to_thread(self._made_documents)
        return answer(request, self._documents[name])

    def _made_documents(self) -> dict[str, WebFile]:
        from croupier.wire.schema import asyncapi, json_schema

        made = {"schema": json_schema(), "asyncapi": asyncapi(), "openapi": openapi(self._endpoints)}
        return {name: json_file(document) for name, document in made.items()}

    def count(self, request: Request) -> None:
        """Bound the requests of one address."""
        pages = self._address(request).pages
        if not pages.take(time.monotonic()):
            raise RefusedError(429, Refusal(RoomCode.RATE_LIMITED, {"perSecond": max(1, int(pages.per_second))}))

    async def _room(self, request: Request) -> RoomDoor:
        """The room that the address names. Asking for rooms that are not there is limited, as over the WebSocket."""
        guesses = self._address(request).guesses
        if not guesses.has(time.monotonic()):
            raise RefusedError(429, Refusal(RoomCode.RATE_LIMITED, {"perSecond": 1}))
        code = request.path_params["code"].upper()
        row = await self._services.store.table(table_name(code)) if is_code(code) else None
        if row is None:
            guesses.take(time.monotonic())
            raise RefusedError(404, Refusal(RoomCode.NO_SUCH_ROOM, {"room": code[:16]}))
        room = read_door(row.listing)
        self._services.games.check(room.game)
        return room

    async def _person(self, request: Request) -> str:
        """The person behind the request's token; empty without one. A token is never taken from the address."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if not scheme:
            return ""
        person = await by_token(self._services, token.strip()) if scheme.lower() == "bearer" else None
        if person is None:
            raise RefusedError(401, Refusal(RoomCode.BAD_TOKEN))
        return person.id

    async def _text(self, request: Request, making: Coroutine[Any, Any, PackedText], media_type: str) -> Response:
        """Send a long text block by block: each waits until the one before is on its way. It is made only as long as
        the caller waits for it."""
        text = await while_there(request, making)
        self._outbound.check()

        async def sent() -> AsyncIterator[bytes]:
            for block in self._outbound.send(text):
                yield block

        return StreamingResponse(sent(), headers={"content-length": str(text.length)}, media_type=media_type)

    def _network(self, request: Request) -> str:
        """What counts as the address of a request."""
        network: str = self._address(request).network
        return network

    def _address(self, request: Request) -> Any:
        return self._addresses.of(host(request), time.monotonic())

    async def _refused(self, request: Request, error: RefusedError) -> Response:
        self._services.metrics.refusals[error.refusal.code] += 1
        headers = {"www-authenticate": "Bearer"} if error.status == 401 else {}
        return self._told(request, error.refusal, error.status, headers)

    async def _wrong_address(self, request: Request, error: HTTPException) -> Response:
        """The answer to an unknown address or method: it says which is wrong."""
        code = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}.get(error.status_code, "FAILED")
        facts = {} if code == "FAILED" else {"path": request.url.path[:PATH_SHOWN_MAX]}
        return self._told(request, Refusal(code, dict(facts)), error.status_code, dict(error.headers or {}))

    async def _not_offered(self, request: Request, error: GameNotOfferedError) -> Response:
        return await self._refused(request, RefusedError(404, error.refusal))

    async def _store_failed(self, request: Request, error: StoreError) -> Response:
        log.error("a page cannot be made: %s", error)
        return self._told(request, Refusal(RoomCode.STORE_FAILED), 503, {})

    async def _gone(self, request: Request, error: ClientDisconnect) -> Response:
        """The caller broke off, so nobody hears this."""
        return Response(status_code=400)

    async def _busy(self, request: Request, error: BusyError) -> Response:
        return self._told(request, Refusal(RoomCode.BUSY), 503, {"retry-after": BUSY_RETRY_SECONDS})

    async def _failed(self, request: Request, error: Exception) -> Response:
        """The answer to a bug. It is made outside of the middleware, so it sets the headers itself."""
        safe = {name.decode(): value.decode() for name, value in SECURITY_HEADERS}
        return self._told(request, Refusal(RoomCode.FAILED), 500, safe)

    def _told(self, request: Request, refusal: Refusal, status: int, headers: dict[str, str]) -> Response:
        language = language_wished(request, self._language)
        message = locales.refusal_text(language, refusal)
        return _json(Refused(refusal.code, message, refusal.facts), status, headers)


def _json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")
