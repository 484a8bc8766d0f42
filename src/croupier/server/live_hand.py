"""The hand that a player is playing, for the coach: only at a table where all others are bots."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias, runtime_checkable

import msgspec
from starlette.requests import Request

from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.server import records
from croupier.server.recovery import load
from croupier.server.services import Services
from croupier.table.room import Phase, Room


class LiveHand(msgspec.Struct, frozen=True):
    """An unfinished hand, as the player in `seat` has heard it so far."""

    rules: Any
    events: tuple[Any, ...]
    seat: int


LiveHandOf: TypeAlias = Callable[[Request], Awaitable[LiveHand]]


@runtime_checkable
class LiveAnnex(Protocol):
    """An annex that works on hands while they are played."""

    def take_hands(self, live_hand: LiveHandOf) -> None: ...


async def live_hand(services: Services, code: str, person: str) -> LiveHand | Refusal:
    """The present hand of a person. Refused if another person has a seat, even one who is away or not in the hand."""
    loaded = await load(code, services)
    return Refusal("COACH_NO_HAND") if loaded is None else await asyncio.to_thread(_live_hand, loaded.room, person)


def _live_hand(room: Room, person: str) -> LiveHand | Refusal:
    if not GAMES[room.rules.game].histories:
        return Refusal("COACH_GAME")
    seat = room.viewer(person)
    if seat is None or room.member(person) is None:
        return Refusal("COACH_NOT_SEATED")
    if any(not member.bot and member.id != person for member in room.players):
        return Refusal("COACH_PEOPLE")
    played = room.round
    if played is None or played.over or room.phase is not Phase.PLAYING:
        return Refusal("COACH_NO_HAND")
    return LiveHand(room.rules, tuple(records.heard(room, seat)), seat)
