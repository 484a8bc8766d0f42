"""The classroom table as the SignalR hub `/hubs/blackjack`, for the .NET and npm clients of document 000.

Clients call Join(name, dealerKey), StartRound(), Hit(), Stand(), Leave(), and are called OnStateChanged(state) and
OnError(code, message). Every connection hears the broadcasts, whether it has joined or not. A refused command completes
normally: its caller alone gets OnError, in the caller's language. A disconnect is a leave.

docs/deviations.md says what was chosen where the document is silent.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import msgspec

from croupier.game.refusal import Refusal
from croupier.games.blackjack.classroom import ClassroomEvent, Notice, StateChanged
from croupier.locales import refusal_text
from croupier.server.caller import same_origin
from croupier.server.classroom import ClassroomTable, NotKeptError, TableClosedError
from croupier.server.limits import Addresses
from croupier.server.metrics import Metrics
from croupier.server.replays import BusyError
from croupier.server.signalr.connection import STOPPING, Connection
from croupier.server.signalr.endpoint import AllowsOrigin, Endpoint
from croupier.server.signalr.limits import Limits
from croupier.server.signalr.protocol import End, Message, WebSocketCode, failure, invocation, result, shown
from croupier.table.codes import RoomCode
from croupier.wire.hub import METHODS, Enums, hub_state

_log = logging.getLogger(__name__)
_FULL: Final = End(WebSocketCode.TRY_AGAIN_LATER, "The table is full; try again later.")

Call: TypeAlias = Callable[..., Awaitable[Refusal | None]]
"""Takes the table, the caller's id, and the arguments."""


async def _join(table: ClassroomTable, caller: str, name: str | None, dealer_key: str | None) -> Refusal | None:
    return await table.join(caller, name or "", dealer_key or "")


_CALLS: Final[dict[str, Call]] = {
    "Join": _join,
    "StartRound": ClassroomTable.start,
    "Hit": ClassroomTable.hit,
    "Stand": ClassroomTable.stand,
    "Leave": ClassroomTable.leave,
}
_METHODS: Final = {method.name.lower(): (method, _CALLS[method.name]) for method in METHODS}


class _CannotInvokeError(Exception):
    """The invocation matches no method; the message says why."""


class BlackjackHub:
    """Passes the clients' calls to the table, and the table's broadcasts to all clients."""

    def __init__(self, table: ClassroomTable, metrics: Metrics, enums: Enums) -> None:
        self._table = table
        self._metrics = metrics
        self._enums = enums
        self._connections: dict[str, Connection] = {}
        table.listen(self._tell)

    def connected(self, connection: Connection) -> None:
        if self._table.take_place():
            self._connections[connection.id] = connection
        else:
            connection.finish(_FULL)

    async def disconnected(self, connection: Connection) -> None:
        if self._connections.pop(connection.id, None) is not None:
            await self._table.lose(connection.id)
            self._table.give_place_back()

    async def invoked(self, connection: Connection, message: Message) -> None:
        error = None
        try:
            call, arguments = _bind(message)
            refusal = await self._called(call, connection.id, arguments)
        except _CannotInvokeError as fault:
            error = str(fault)
        except NotKeptError:
            error = "The round could not be stored, so nothing was done. Try again."
        except TableClosedError:
            connection.finish(STOPPING)
            return
        except Exception:
            _log.exception("a call of the hub failed")
            error = "The server failed; see its log."
        else:
            if refusal is not None:
                self._metrics.refusals[refusal.code] += 1
                connection.send(_error(connection.language, refusal))
        if message.invocation_id is not None:
            connection.send(result(message.invocation_id) if error is None else failure(message.invocation_id, error))

    async def _called(self, call: Call, connection: str, arguments: list[Any]) -> Refusal | None:
        try:
            return await call(self._table, connection, *arguments)
        except BusyError:
            return Refusal(RoomCode.BUSY)

    def _tell(self, event: ClassroomEvent) -> None:
        match event:
            case StateChanged(state):
                record = invocation("OnStateChanged", hub_state(state, self._enums))
                for connection in self._connections.values():
                    connection.send(record)
            case Notice(code):
                for connection in self._connections.values():
                    connection.send(_error(connection.language, Refusal(code)))


def endpoint(
    table: ClassroomTable,
    addresses: Addresses,
    *,
    limits: Limits | None = None,
    allows_origin: AllowsOrigin = same_origin,
    language: str = "en",
    metrics: Metrics | None = None,
    enums: Enums = "numbers",
) -> Endpoint:
    """The endpoint of the table's hub; `language` is for clients that ask for none."""
    hub = BlackjackHub(table, metrics or Metrics(), enums)
    return Endpoint(hub, limits or Limits(), allows_origin, language, addresses)


def _error(language: str, refusal: Refusal) -> bytes:
    return invocation("OnError", refusal.code, refusal_text(language, refusal))


def _bind(message: Message) -> tuple[Call, list[Any]]:
    """The method that a message calls, and its arguments. Raises _CannotInvokeError if they do not match."""
    failed = f"Failed to invoke {shown(message.target)}:"
    found = _METHODS.get(message.target.lower())
    if found is None:
        raise _CannotInvokeError(f"{failed} there is no such method.")
    method, call = found
    wanted, given = len(method.parameters), len(message.arguments)
    if wanted != given:
        raise _CannotInvokeError(f"{failed} it takes {wanted} arguments, not {given}.")
    arguments = []
    for number, (parameter, raw) in enumerate(zip(method.parameters.values(), message.arguments, strict=True), start=1):
        try:
            arguments.append(msgspec.json.decode(raw, type=parameter))
        except msgspec.DecodeError as error:
            raise _CannotInvokeError(f"{failed} argument {number}: {error}") from error
    return call, arguments
