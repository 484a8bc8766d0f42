"""The classroom table as the SignalR hub `/hubs/blackjack`, for the .NET and npm clients of document 000.

Clients call Join(name, dealerKey), StartRound(), Hit(), Stand(), Leave(), and are called OnStateChanged(state) and
OnError(code, message). Every connection hears what everybody hears, whether it has joined or not. A refused command
completes normally: its caller alone gets OnError, in the caller's language. A disconnect is a leave.

Where the document is silent: enumerations are written as their names, not as numbers; a player's id is the id of the
connection; null for a name or a key is the same as an empty one; method names are read in any case, as .NET does.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from starlette.routing import BaseRoute

from croupier.cards import PACK, RANKS, SUITS
from croupier.locales import text
from croupier.rules.blackjack.classroom import (
    ClassroomEvent,
    ClassroomView,
    Notice,
    Outcome,
    Phase,
    StateChanged,
    TurnState,
)
from croupier.rules.refusal import Refusal
from croupier.server.classroom import ClassroomTable, NotKeptError, TableClosedError
from croupier.server.figures import Figures
from croupier.server.limits import Addresses
from croupier.server.signalr.connection import Connection
from croupier.server.signalr.endpoint import AllowsOrigin, Endpoint, same_origin
from croupier.server.signalr.limits import Limits
from croupier.server.signalr.protocol import End, Message, WebSocketCode, failure, invocation, result, shown

PATH: Final = "/hubs/blackjack"

_SUIT_NAMES: Final = ("Clubs", "Diamonds", "Hearts", "Spades")
_RANK_NAMES: Final = (
    *("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
    *("Jack", "Queen", "King", "Ace"),
)


class HubCard(msgspec.Struct, frozen=True):
    suit: str
    rank: str


class HubPlayer(msgspec.Struct, frozen=True, rename="camel"):
    player_id: str
    name: str
    is_dealer: bool
    cards: tuple[HubCard, ...]
    score: int
    turn_state: TurnState
    outcome: Outcome


class HubState(msgspec.Struct, frozen=True, rename="camel"):
    """The argument of OnStateChanged. An id is empty when there is nobody."""

    phase: Phase
    players: tuple[HubPlayer, ...]
    current_turn_player_id: str
    dealer_player_id: str


_CARDS: Final = {
    card: HubCard(_SUIT_NAMES[SUITS.index(card.suit)], _RANK_NAMES[RANKS.index(card.rank)]) for card in PACK
}


def hub_state(view: ClassroomView) -> HubState:
    """What everybody sees, in the words of document 000."""
    players = tuple(
        HubPlayer(
            player.player_id,
            player.name,
            player.is_dealer,
            tuple(_CARDS[card] for card in player.cards),
            player.score,
            player.turn_state,
            player.outcome,
        )
        for player in view.players
    )
    return HubState(view.phase, players, view.current_turn_player_id, view.dealer_player_id)


class _Method(msgspec.Struct, frozen=True):
    parameters: tuple[Any, ...]
    """The types of its arguments."""
    call: Callable[..., Awaitable[Refusal | None]]
    """Takes the table, the caller's id, and the arguments."""


async def _join(table: ClassroomTable, caller: str, name: str | None, dealer_key: str | None) -> Refusal | None:
    return await table.join(caller, name or "", dealer_key or "")


_METHODS: Final = {
    "join": _Method((str | None, str | None), _join),
    "startround": _Method((), ClassroomTable.start),
    "hit": _Method((), ClassroomTable.hit),
    "stand": _Method((), ClassroomTable.stand),
    "leave": _Method((), ClassroomTable.leave),
}


class _CannotInvokeError(Exception):
    """The invocation fits no method; the message says why."""


class BlackjackHub:
    """Passes the clients' calls on to the table, and what the table tells on to all clients."""

    def __init__(self, table: ClassroomTable, figures: Figures) -> None:
        self._table = table
        self._figures = figures
        self._connections: dict[str, Connection] = {}
        table.listen(self._tell)

    def connected(self, connection: Connection) -> None:
        self._connections[connection.id] = connection

    async def disconnected(self, connection: Connection) -> None:
        del self._connections[connection.id]
        await self._table.lose(connection.id)

    async def invoked(self, connection: Connection, message: Message) -> None:
        error = None
        try:
            method, arguments = _bind(message)
            refusal = await method.call(self._table, connection.id, *arguments)
        except _CannotInvokeError as fault:
            error = str(fault)
        except NotKeptError:
            error = "The round could not be stored, so nothing was done. Try again."
        except TableClosedError:
            connection.finish(End(WebSocketCode.GOING_AWAY, "The server is stopping.", allow_reconnect=True))
            return
        else:
            if refusal is not None:
                self._figures.refusals[refusal.code] += 1
                connection.send(_error(connection.language, refusal))
        if message.invocation_id is not None:
            connection.send(result(message.invocation_id) if error is None else failure(message.invocation_id, error))

    def _tell(self, event: ClassroomEvent) -> None:
        match event:
            case StateChanged(state):
                record = invocation("OnStateChanged", hub_state(state))
                for connection in self._connections.values():
                    connection.send(record)
            case Notice(code):
                for connection in self._connections.values():
                    connection.send(_error(connection.language, Refusal(code)))


def routes(
    table: ClassroomTable,
    *,
    limits: Limits | None = None,
    allows_origin: AllowsOrigin = same_origin,
    language: str = "en",
    addresses: Addresses | None = None,
    figures: Figures | None = None,
) -> list[BaseRoute]:
    """The hub's routes for an application to mount; `language` is for clients that wish for none.

    With `addresses`, its connections and messages count with all others of their address.
    """
    return Endpoint(
        BlackjackHub(table, figures or Figures()), limits or Limits(), allows_origin, language, addresses
    ).routes(PATH)


def _error(language: str, refusal: Refusal) -> bytes:
    return invocation("OnError", refusal.code, text(language, f"code.{refusal.code}", **refusal.facts))


def _bind(message: Message) -> tuple[_Method, list[Any]]:
    """The method that a message calls, and its arguments. Raises _CannotInvokeError, which says what does not fit."""
    failed = f"Failed to invoke {shown(message.target)}:"
    method = _METHODS.get(message.target.lower())
    if method is None:
        raise _CannotInvokeError(f"{failed} there is no such method.")
    wanted, given = len(method.parameters), len(message.arguments)
    if wanted != given:
        raise _CannotInvokeError(f"{failed} it takes {wanted} arguments, not {given}.")
    arguments = []
    for number, (parameter, raw) in enumerate(zip(method.parameters, message.arguments, strict=True), start=1):
        try:
            arguments.append(msgspec.json.decode(raw, type=parameter))
        except msgspec.DecodeError as error:
            raise _CannotInvokeError(f"{failed} argument {number}: {error}") from error
    return method, arguments
