"""The classroom table in play: one queue, one consumer, fair cards, and a record of every round.

The commands of all connections pass through one bounded queue and run one at a time, in order. A refusal goes to its
caller only. An accepted command is broadcast exactly once, notices before the state, and before its caller is answered.
A round's record is stored before anybody is told that the round is over.

Cards come by `cut-1`: the next round's pack is committed to before anybody can contribute to its cut, and is opened
whole in the record of the round. A server that stops records a running round as abandoned.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.cards import Card, packs
from croupier.dealing.cut1 import CommittedPack, Context, Contribution, CutPack
from croupier.dealing.hash_input import HASH_BYTES
from croupier.dealing.proof import prove
from croupier.dealing.shoe import Shoe
from croupier.game.game import EVERYONE
from croupier.game.refusal import Refusal
from croupier.games.blackjack.classroom import (
    Classroom,
    ClassroomEvent,
    ClassroomState,
    ClassroomStep,
    ClassroomView,
    Phase,
    view,
)
from croupier.games.blackjack.rules.actions import Hit, Stand
from croupier.games.blackjack.rules.presets import CLASSROOM
from croupier.games.blackjack.rules.state import BlackjackSetup
from croupier.server.actor import Actor
from croupier.server.metrics import Metrics
from croupier.server.replays import BusyError
from croupier.table.record import record, rules_name
from croupier.table.round import Move, begin
from croupier.wire.records import line

CLASSROOM_GAME: Final = CLASSROOM.game
COMMANDS_QUEUED_MAX: Final = 256
PLACES_MAX: Final = CLASSROOM.seats_max
"""How many connections may be at the table, by SignalR and by WebSocket together."""
KEEP_AGAIN_SECONDS: Final = 1.0
"""How long to wait before a departure that could not be stored is tried again."""

_log = logging.getLogger(__name__)


class Commitment(msgspec.Struct, frozen=True):
    """The server's commitment to the next round's cards."""

    context: Context
    root: str


Keep: TypeAlias = Callable[[str], Awaitable[None]]
"""Makes one line of a round's record durable, or raises."""
Listener: TypeAlias = Callable[[ClassroomEvent], None]
Contribute: TypeAlias = Callable[[Commitment, tuple[str, ...]], Awaitable[tuple[Contribution, ...]]]
"""Asks the connections, in the order of their seats, for their part in the cut, in a time of its own choosing."""


async def nobody_cuts(commitment: Commitment, connections: tuple[str, ...]) -> tuple[Contribution, ...]:
    """Every seat is listed as absent: SignalR clients have no hash chains."""
    return tuple(Contribution(seat) for seat in range(len(connections)))


class NotKeptError(Exception):
    """The record of the round could not be stored, so the command was not carried out. Nothing has changed."""


class TableClosedError(Exception):
    """The table takes no more commands."""


class _Deal(msgspec.Struct, frozen=True):
    """The cards of the running round, and what its record will need."""

    setup: BlackjackSetup
    pack: CutPack[Card]
    shoe: Shoe[Card]
    moves: tuple[Move, ...] = ()


class _Command(msgspec.Struct, frozen=True):
    connection: str
    decide: Callable[[ClassroomState], ClassroomStep | Refusal]
    action: Hit | Stand | None = None
    """What it does in the round; with None, it does not play."""


class ClassroomTable:
    """Takes commands inside `async with`. `hands_played` is how many packs were dealt under this name before."""

    def __init__(
        self,
        classroom: Classroom,
        keep: Keep,
        *,
        name: str = "classroom",
        hands_played: int = 0,
        contribute: Contribute = nobody_cuts,
        metrics: Metrics | None = None,
    ) -> None:
        self._classroom = classroom
        self._keep = keep
        self._name = name
        self._contribute = contribute
        self._metrics = metrics or Metrics()
        self._committed = self._commit(hands_played + 1)
        self._state = ClassroomState()
        self._deal: _Deal | None = None
        self._listeners: list[Listener] = []
        self._places_taken = 0
        self._actor = Actor(COMMANDS_QUEUED_MAX)
        self._closed = False

    async def __aenter__(self) -> "ClassroomTable":
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        """Carry out the queued commands, then accept no more."""
        self._closed = True
        await self._actor.drain()
        if self._deal is not None:
            await self._keep(self._record(self._deal))

    @property
    def view(self) -> ClassroomView:
        """The table as everybody sees it now."""
        return view(self._state)

    @property
    def classroom(self) -> Classroom:
        """How the table was set up."""
        return self._classroom

    @property
    def commitment(self) -> Commitment:
        """The commitment to the next round's cards, made before anybody contributes to their cut."""
        return Commitment(self._committed.context, self._committed.root)

    def take_place(self) -> bool:
        """Count a connection at the table, playing or watching; False when there are too many."""
        if self._places_taken >= PLACES_MAX:
            return False
        self._places_taken += 1
        return True

    def give_place_back(self) -> None:
        self._places_taken -= 1

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Add a listener to the broadcasts. Return the function that removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def join(self, connection: str, name: str, dealer_key: str = "") -> Refusal | None:
        return await self._ask(connection, lambda state: self._classroom.join(state, connection, name, dealer_key))

    async def start(self, connection: str) -> Refusal | None:
        return await self._ask(connection, lambda state: self._classroom.start(state, connection))

    async def hit(self, connection: str) -> Refusal | None:
        return await self._ask(connection, lambda state: self._classroom.hit(state, connection), Hit())

    async def stand(self, connection: str) -> Refusal | None:
        return await self._ask(connection, lambda state: self._classroom.stand(state, connection), Stand())

    async def leave(self, connection: str) -> Refusal | None:
        return await self._ask(connection, lambda state: self._classroom.leave(state, connection))

    async def lose(self, connection: str) -> None:
        """The connection is lost: leave the table if it had joined, as soon as that can be stored."""
        while not self._closed:
            try:
                await self.leave(connection)
            except (NotKeptError, BusyError):
                await asyncio.sleep(KEEP_AGAIN_SECONDS)
            else:
                return

    async def _ask(
        self,
        connection: str,
        decide: Callable[[ClassroomState], ClassroomStep | Refusal],
        action: Hit | Stand | None = None,
    ) -> Refusal | None:
        """Queues a command; the answer is None when it was done.

        A caller who stops waiting does not undo it. Raises NotKeptError when its result could not be kept, and
        BusyError when too many commands wait.
        """
        if self._closed:
            raise TableClosedError
        return await self._actor.run(lambda: self._do(_Command(connection, decide, action)))

    async def _do(self, command: _Command) -> Refusal | None:
        before, deal = self._state, self._deal
        step = command.decide(before)
        if isinstance(step, Refusal):
            return step
        if deal is not None:
            person = before.person(command.connection)
            assert person is not None
            assert person.seat is not None, "whoever moves in a round has a seat in it"
            deal = replace(deal, moves=(*deal.moves, Move(person.seat, command.action)))
        told = list(step.told)
        while (wanted := self._classroom.awaits(step.state)) is not None:
            if wanted.pack:
                if deal is not None:
                    raise ValueError("a round of the classroom shuffles once")
                deal = await self._cut(step.state)
            assert deal is not None
            cards, shoe = deal.shoe.draw(wanted.count)
            deal = replace(deal, shoe=shoe)
            step = self._classroom.deal(step.state, cards)
            told += step.told
        if deal is not None and step.state.phase is Phase.IDLE:
            await self._store(deal)
            deal = None
        self._state, self._deal = step.state, deal
        self._metrics.commands["classroom"] += 1
        for each in told:
            if each.to != EVERYONE:
                raise ValueError("nothing is secret in the classroom")
            for listener in tuple(self._listeners):
                listener(each.event)
        return None

    def _commit(self, hand: int) -> CommittedPack[Card]:
        rules = self._classroom.rules
        context = Context(self._name, hand, rules_name(rules))
        return CommittedPack(secrets.token_bytes(HASH_BYTES), context, packs(rules.decks))

    async def _cut(self, state: ClassroomState) -> _Deal:
        """Have the players cut the committed pack. It is then used up, whatever becomes of the round."""
        assert state.round is not None
        connections = tuple(person.connection for person in state.persons)
        commitment, committed = self.commitment, self._committed
        self._committed = self._commit(committed.context.hand + 1)
        pack = committed.cut(await self._contribute(commitment, connections))
        return _Deal(state.round.setup, pack, Shoe.cut(pack))

    async def _store(self, deal: _Deal) -> None:
        try:
            await self._keep(self._record(deal))
        except Exception as error:
            _log.error("the record of a classroom round could not be kept: %s", error)
            raise NotKeptError from error

    def _record(self, deal: _Deal) -> str:
        """The round as one line of text, played once more from what was noted of it."""
        played = begin(self._classroom.rules, deal.setup).supply(Shoe.cut(deal.pack))
        for move in deal.moves:
            played = played.leave(move.seat) if move.action is None else played.act(move.action, move.seat)
            if played.refusal is not None:
                raise ValueError(f"the table did what its rules refuse: {played.refusal.code}")
        if played.shoe != deal.shoe:
            raise ValueError("the record does not deal what the table dealt")
        return line(record(played, (prove(deal.pack),)))
