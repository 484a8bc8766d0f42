"""Routes each request to the part that answers it: the one place that knows all requests."""

from collections.abc import Callable
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import msgspec

from croupier.game.refusal import Refusal
from croupier.server import messages, records
from croupier.server.casino import CASINO_GAME, Casino
from croupier.server.classroom import CLASSROOM_GAME, ClassroomTable
from croupier.server.classroom_seat import Absences, ClassroomSeat
from croupier.server.limits import Addresses, Limits
from croupier.server.lobby import Lobby, first_code
from croupier.server.people import name_in_room, replace_token, welcome
from croupier.server.request_id import SHOWN_MAX, UNREADABLE, request_id_in
from croupier.server.room import RoomActor
from croupier.server.services import Services
from croupier.server.workers.line import Handed
from croupier.shown_text import harmless
from croupier.table.codes import RoomCode
from croupier.table.commands import (
    HostAddBot,
    PersonCommand,
    Play,
    RoomCreate,
    RoomJoin,
    RoomJoinAsSpectator,
    RoomLeave,
)
from croupier.table.entry import must_wait
from croupier.wire.casino import CasinoRequest
from croupier.wire.classroom import CLASSROOM_REQUESTS, ClassroomRequest
from croupier.wire.room import (
    COMMAND_REQUESTS,
    QUERIES,
    REACTIONS,
    Accepted,
    ChatSaid,
    ChatSend,
    DealHistory,
    DealHistoryResponse,
    EnterRequest,
    GameRequest,
    Hello,
    Query,
    ReactionSend,
    ReactionShown,
    RoomClosed,
    RoomList,
    RoomListing,
    RoomRequest,
    RoomWaiting,
    RoomWatch,
    SignedOut,
    SignOutEverywhere,
    Welcome,
    command_of,
    game_requests,
)

if TYPE_CHECKING:
    from croupier.server.connection import Connection

_CASINO: dict[str, type[Any]] = {str(request.__struct_config__.tag): request for request in CasinoRequest.__args__}

AnyRequest: TypeAlias = Query | RoomRequest | ClassroomRequest | CasinoRequest
_CREATE: Final[type[Any]] = COMMAND_REQUESTS["ROOM_CREATE"]
_OUTSIDE_GAMES: Final[dict[str, type[Any]]] = {**QUERIES, **COMMAND_REQUESTS, **CLASSROOM_REQUESTS}


class _Envelope(msgspec.Struct, rename="camel"):
    """The part of a frame that decides where it goes."""

    type: str
    request_id: str = ""
    room_code: str = ""


_envelope = msgspec.json.Decoder(_Envelope)
_encode = msgspec.json.Encoder().encode
_decoders: dict[type[Any], msgspec.json.Decoder[Any]] = {}


def _decoder(request: type[Any]) -> msgspec.json.Decoder[Any]:
    decoder = _decoders.get(request)
    if decoder is None:
        decoder = _decoders[request] = msgspec.json.Decoder(request)
    return decoder


Give: TypeAlias = Callable[[Handed, int], bool]
"""Hands a connection over, with the descriptor of its socket; False if it was not taken."""


class Places(Protocol):
    """The process that serves each room and the classroom, in a server of several processes."""

    def of_room(self, room_code: str) -> Give | None:
        """The handover to the process that serves this room; None if it is this one."""

    def of_classroom(self) -> Give | None: ...


@cache
def _actions(game: str) -> msgspec.json.Decoder[GameRequest]:
    return msgspec.json.Decoder(reduce(or_, game_requests(game).values()))


class Router:
    """Decodes requests and passes each to the part that answers it."""

    def __init__(
        self,
        services: Services,
        lobby: Lobby,
        casino: Casino,
        limits: Limits,
        language: str,
        nodes: tuple[str, ...] = (),
    ) -> None:
        self.services = services
        self.lobby = lobby
        self.casino = casino
        self.classroom: ClassroomTable | None = None
        self.absences: Absences | None = None
        """Set when the application starts, and lives as long."""
        self.places: Places | None = None
        """Set where there are several processes."""
        self.sign_out: Callable[[str, bytes], None] = lambda person, token_hash: None
        """Ends a person's connections with any token but the one of this hash; set by the node."""
        self.limits = limits
        self.language = language
        self.nodes = nodes
        self.addresses = Addresses(limits, services.monotonic)

    def read(self, connection: "Connection", text: str) -> AnyRequest | None:
        """The request in a frame; None if there is none, and then the client was told why."""
        return self._read_action(connection, text) or self._read_any(connection, text)

    def _read_action(self, connection: "Connection", text: str) -> GameRequest | None:
        """Decode at once what nearly all frames are: an action in the room that was entered last. None for anything
        else, valid or not."""
        actor = connection.rooms.get(connection.room_code)
        if actor is None:
            return None
        try:
            action = _actions(actor.room.rules.game).decode(text)
        except UNREADABLE:
            return None
        return action if action.room_code in ("", connection.room_code) else None

    def _read_any(self, connection: "Connection", text: str) -> AnyRequest | None:
        try:
            envelope = _envelope.decode(text)
        except UNREADABLE as error:
            connection.refuse(_bad_message(error), request_id_in(text))
            return None
        request_type = self._request_type(connection, envelope)
        if isinstance(request_type, Refusal):
            connection.refuse(request_type, envelope.request_id[:SHOWN_MAX])
            return None
        try:
            request: AnyRequest = _decoder(request_type).decode(text)
        except UNREADABLE as error:
            connection.refuse(_bad_message(error), envelope.request_id[:SHOWN_MAX])
            return None
        return request

    def elsewhere(self, connection: "Connection", request: AnyRequest) -> Give | None:
        """The handover to the process that serves the request; None if the connection should stay. A connection in the
        classroom stays; one that hears a room moves only to the classroom."""
        person = connection.whoever
        if self.places is None or person is None or connection.classroom is not None:
            return None
        if isinstance(request, ClassroomRequest):
            return self.places.of_classroom()
        if connection.rooms or not isinstance(request, RoomWatch | EnterRequest):
            return None
        if isinstance(request, EnterRequest) and type(request) is _CREATE:
            return self.home(first_code(person, request.command_id))
        return self.home(_wanted(connection, request.room_code))

    def home(self, room_code: str) -> Give | None:
        """The handover to the room's home process; None if that is this one."""
        return None if self.places is None else self.places.of_room(room_code)

    async def hear_again(self, connection: "Connection", code: str, known_version: int) -> None:
        """Let a connection from another process go on hearing a room."""
        actor = await self.lobby.room(code)
        if actor is not None:
            await actor.catch_up()
            if actor.room.member(connection.person) is not None and connection.person not in actor.room.banned:
                await actor.attach(connection, known_version)
                connection.hear(actor)

    async def handle(self, connection: "Connection", request: AnyRequest) -> None:
        """Answers a request that is no action of a game."""
        refusal = await self._answer(connection, request)
        if refusal is not None:
            connection.refuse(refusal, request.request_id)

    def play(self, connection: "Connection", request: GameRequest, answered: Callable[[], None]) -> None:
        """Queue a game's action; when `answered` is called, the client has its answer. Nearly all requests are actions,
        so they wait without a task."""
        assert connection.whoever is not None
        person = connection.whoever
        actor = connection.rooms[request.room_code or connection.room_code]

        def tell(outcome: int | Refusal) -> None:
            if isinstance(outcome, Refusal):
                connection.refuse(outcome, request.request_id)
            else:
                told = Accepted(request_id=request.request_id, room_code=actor.room.code, version=outcome)
                connection.answer(told)
            answered()

        action = Play(command_of(request), request.expected_version)
        actor.give(person.id, person.name, action, request.expected_version, request.command_id, tell)

    def _request_type(self, connection: "Connection", envelope: _Envelope) -> type[Any] | Refusal:
        """The type of a frame's request. The casino's actions and those of a blackjack room have the same names; in a
        blackjack room they belong to the room."""
        kind = envelope.type
        if kind != "HELLO" and connection.whoever is None:
            return Refusal(RoomCode.NOT_WELCOMED)
        known = _OUTSIDE_GAMES.get(kind)
        if known is not None:
            return known
        actor = connection.rooms.get(envelope.room_code or connection.room_code)
        if actor is not None:
            action = game_requests(actor.room.rules.game).get(kind)
            if action is not None:
                return action
        is_action = any(kind in game_requests(game) for game in self.services.games.names)
        if kind in _CASINO and not (is_action and envelope.room_code):
            return _CASINO[kind]
        if is_action:
            return Refusal(RoomCode.NOT_IN_ROOM)
        return Refusal(RoomCode.BAD_MESSAGE, {"path": "$.type", "fault": f"unknown type {kind[:64]}"})

    async def _answer(self, connection: "Connection", request: AnyRequest) -> Refusal | None:
        match request:
            case Hello():
                return await self._hello(connection, request)
            case SignOutEverywhere():
                return await self._sign_out(connection, request)
            case RoomWatch():
                return await self._watch(connection, request)
            case RoomList():
                rooms = await self.lobby.listed()
                connection.answer(RoomListing(request_id=request.request_id, rooms=rooms))
                return None
            case ChatSend() | ReactionSend():
                return self._say(connection, request)
            case DealHistory():
                return await self._deals(connection, request)
            case RoomRequest():
                return await self._command(connection, request)
            case _:
                return await self._at_service(connection, request)

    async def _at_service(self, connection: "Connection", request: ClassroomRequest | CasinoRequest) -> Refusal | None:
        if isinstance(request, ClassroomRequest):
            return await self._at_classroom(connection, request)
        assert connection.whoever is not None
        self.services.games.check(CASINO_GAME)
        self.casino.listen(connection)
        for answer in await self.casino.handle(connection.whoever.id, connection.language, request, connection):
            connection.answer(answer)
        return None

    async def _at_classroom(self, connection: "Connection", request: ClassroomRequest) -> Refusal | None:
        self.services.games.check(CLASSROOM_GAME)
        if self.classroom is None:
            # The table is in another process, which takes nobody at the moment.
            return Refusal(RoomCode.BUSY)
        if connection.classroom is None:
            assert connection.whoever is not None, "whoever asks for more than a greeting is known"
            if self.absences is None:
                self.absences = Absences(self.classroom)
            connection.classroom = ClassroomSeat(self.classroom, connection, connection.whoever.id, self.absences)
        return await connection.classroom.handle(request)

    async def _hello(self, connection: "Connection", hello: Hello) -> Refusal | None:
        if connection.whoever is not None:
            return Refusal(RoomCode.ALREADY_WELCOMED)
        if not hello.token and not connection.address.newcomers.take(self.services.monotonic()):
            return Refusal(RoomCode.RATE_LIMITED, {"perSecond": int(self.limits.newcomers_per_second)})
        welcomed = await welcome(self.services, hello, self.language)
        if isinstance(welcomed, Refusal):
            return welcomed
        person, token = welcomed
        connection.whoever, connection.device = person, hello.device
        connection.language = person.language
        connection.answer(
            Welcome(
                request_id=hello.request_id,
                player_id=person.id,
                nickname=person.name,
                language=person.language,
                server_time_ms=self.services.clock_ms(),
                token=token or msgspec.UNSET,
                nodes=self.nodes,
            )
        )
        return None

    async def _sign_out(self, connection: "Connection", request: SignOutEverywhere) -> Refusal | None:
        """Replace the person's token, and end their other connections on every node."""
        assert connection.whoever is not None
        if not connection.address.newcomers.take(self.services.monotonic()):
            return Refusal(RoomCode.RATE_LIMITED, {"perSecond": int(self.limits.newcomers_per_second)})
        person = await replace_token(self.services, connection.whoever, request.token)
        if isinstance(person, Refusal):
            return person
        connection.whoever = person
        connection.answer(SignedOut(request_id=request.request_id))
        self.sign_out(person.id, person.token_hash)
        self.services.tell(messages.SignedOut(person.id, person.token_hash))
        return None

    async def _command(self, connection: "Connection", request: RoomRequest) -> Refusal | None:
        """Carry out a command of a room. A connection hears a room from entering until leaving."""
        assert connection.whoever is not None
        person = connection.whoever
        command: RoomCreate | PersonCommand = command_of(request)
        name = name_in_room(person, request.nickname) if isinstance(request, EnterRequest) else person.name
        if isinstance(name, Refusal):
            return name
        if isinstance(command, RoomCreate):
            if not connection.address.newcomers.take(self.services.monotonic()):
                return Refusal(RoomCode.RATE_LIMITED, {"perSecond": int(self.limits.newcomers_per_second)})
            created = await self.lobby.create(person, name, connection.place, command, request.command_id)
            if isinstance(created, Refusal):
                return created
            return await self._enter(connection, created, request, version=1)
        actor = await self._room(connection, request.room_code)
        if isinstance(actor, Refusal):
            return actor
        if isinstance(command, HostAddBot):
            command = HostAddBot(command.bot or self.lobby.default_bot(actor.room.rules.game))
            refusal = self.lobby.check_bot(actor.room.rules.game, command.bot)
            if refusal is not None:
                return refusal
        if isinstance(command, RoomJoin | RoomJoinAsSpectator):
            # A node that is ahead of this one may have told an earlier program of theirs more.
            reached = await actor.catch_up()
            if isinstance(reached, Refusal):
                return reached
            if actor.room.waits(person.id) and must_wait(actor.room, person.id):
                return self._wait(connection, actor, request)
        expected, command_id = request.expected_version, request.command_id
        place = connection.place if isinstance(command, RoomJoin | RoomJoinAsSpectator) else None
        done = await actor.submit(person.id, name, command, expected, command_id, place)
        if isinstance(done, Refusal):
            return done
        if isinstance(command, RoomJoin | RoomJoinAsSpectator):
            if actor.room.waits(person.id) and must_wait(actor.room, person.id):
                return self._wait(connection, actor, request)
            return await self._enter(connection, actor, request, version=done)
        connection.answer(Accepted(request_id=request.request_id, room_code=actor.room.code, version=done))
        if isinstance(command, RoomLeave):
            self._exit(connection, actor, "LEFT")
        return None

    async def _watch(self, connection: "Connection", request: RoomWatch) -> Refusal | None:
        """Let a member hear their room on this connection, too."""
        actor = await self._room(connection, request.room_code)
        if isinstance(actor, Refusal):
            return actor
        known = request.known_version
        if actor.room.member(connection.person) is None or not known or known > actor.room.version:
            # A client from another node may know more than this node does.
            reached = await actor.catch_up()
            if isinstance(reached, Refusal):
                return reached
        if connection.person in actor.room.banned:
            # The rules may keep the seat, but it no longer belongs to them.
            return Refusal(RoomCode.KICKED)
        if actor.room.waits(connection.person) and must_wait(actor.room, connection.person):
            return self._wait(connection, actor, request)
        if actor.room.member(connection.person) is None:
            return Refusal(RoomCode.NOT_IN_ROOM)
        return await self._enter(connection, actor, request, actor.room.version, request.known_version)

    def _wait(self, connection: "Connection", actor: RoomActor, request: Any) -> Refusal | None:
        """Tell a newcomer that the host must admit them, and later the decision."""
        refusal = actor.wait(connection)
        if refusal is None:
            connection.waiting_for[actor.room.code] = actor
            connection.answer(RoomWaiting(request_id=request.request_id, room_code=actor.room.code))
        return refusal

    async def _enter(
        self, connection: "Connection", actor: RoomActor, request: Any, version: int, known_version: int = 0
    ) -> Refusal | None:
        code = actor.room.code
        connection.answer(Accepted(request_id=request.request_id, room_code=code, version=version))
        banned = connection.person in actor.room.banned
        if banned or actor.room.member(connection.person) is None:
            # They had joined, asked again whether they had, and left or were removed meanwhile.
            connection.answer(RoomClosed(room_code=code, code=RoomCode.KICKED if banned else "LEFT"))
            return None
        connection.waiting_for.pop(code, None)
        refusal = await actor.attach(connection, known_version)
        if refusal is None:
            connection.hear(actor)
            connection.room_code = code
        return refusal

    def _exit(self, connection: "Connection", actor: RoomActor, code: str) -> None:
        actor.detach(connection)
        connection.forget(actor.room.code)
        connection.waiting_for.pop(actor.room.code, None)
        connection.answer(RoomClosed(room_code=actor.room.code, code=code))

    def _say(self, connection: "Connection", request: ChatSend | ReactionSend) -> Refusal | None:
        actor = connection.rooms.get(request.room_code or connection.room_code)
        member = None if actor is None else actor.room.member(connection.person)
        if actor is None or member is None:
            return Refusal(RoomCode.NOT_IN_ROOM)
        if not connection.chats.take(self.services.monotonic()):
            return Refusal(RoomCode.RATE_LIMITED, {"perSecond": 1})
        code = actor.room.code
        if isinstance(request, ReactionSend):
            if request.reaction not in REACTIONS:
                return Refusal(RoomCode.NO_SUCH_REACTION, {"allowed": REACTIONS})
            said: Any = ReactionShown(room_code=code, member=member.id, reaction=request.reaction)
        else:
            text, at_ms = harmless(request.text), self.services.clock_ms()
            if not text:
                return Refusal(RoomCode.BAD_MESSAGE, {"path": "$.text", "fault": "nothing to be seen"})
            said = ChatSaid(room_code=code, member=member.id, name=member.name, text=text, at_ms=at_ms)
        actor.say(_encode(said))
        connection.answer(Accepted(request_id=request.request_id, room_code=code, version=actor.room.version))
        return None

    async def _deals(self, connection: "Connection", request: DealHistory) -> Refusal | None:
        actor = connection.rooms.get(request.room_code or connection.room_code)
        if actor is None or actor.room.member(connection.person) is None:
            return Refusal(RoomCode.NOT_IN_ROOM)
        found = tuple(await records.deals(self.services, actor, request.first, connection.address.network))
        connection.answer(DealHistoryResponse(request_id=request.request_id, room_code=actor.room.code, deals=found))
        return None

    async def _room(self, connection: "Connection", code: str) -> RoomActor | Refusal:
        """The room of a request. Requests for unknown rooms are limited, so that codes cannot be guessed."""
        wanted = _wanted(connection, code)
        if wanted in connection.rooms:
            return connection.rooms[wanted]
        if not connection.may_hear(wanted):
            return Refusal(RoomCode.TOO_MANY_ROOMS_OPENED, {"high": self.limits.rooms_per_address_max})
        guesses = connection.address.guesses
        if not guesses.has(self.services.monotonic()):
            return Refusal(RoomCode.RATE_LIMITED, {"perSecond": 1})
        actor = await self.lobby.room(wanted)
        if actor is None:
            guesses.take(self.services.monotonic())
            return Refusal(RoomCode.NO_SUCH_ROOM, {"room": wanted[:16]})
        return actor


def _wanted(connection: "Connection", code: str) -> str:
    """The code of the room that a request names, or of the one entered last."""
    return (code or connection.room_code).upper()


def _bad_message(error: Exception) -> Refusal:
    """The refusal of a frame: what is wrong with it, and where."""
    if isinstance(error, RecursionError):
        return Refusal(RoomCode.BAD_MESSAGE, {"path": "$", "fault": "nested too deeply"})
    fault, _, where = str(error).partition(" - at ")
    return Refusal(RoomCode.BAD_MESSAGE, {"path": where.strip("`") or "$", "fault": fault[:200]})
