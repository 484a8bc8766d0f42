"""A room's state as typed values, with the events since the last one."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from croupier.game.game import Event, Offer
from croupier.game.registry import GAMES
from croupier.table.room import Phase
from croupier.table.roomview import RoomView


class Snapshot(msgspec.Struct, frozen=True):
    """What one player sees of a room. `view` and `menu` are of the game's own types; without a round, None and
    empty."""

    public: RoomView
    me: str
    """The player's id."""
    seat: int | None
    view: Any
    menu: tuple[Offer[Any], ...]
    events: tuple[Event, ...]
    is_proved: bool = True
    """Whether the cards are proved. If not, none are shown."""
    earlier: tuple["Snapshot", ...] = ()
    """Earlier snapshots with events that were never shown."""

    @property
    def is_host(self) -> bool:
        return self.public.host == self.me

    @property
    def round_over(self) -> bool:
        return self.public.payouts is not None

    @property
    def ended(self) -> bool:
        """Whether the match is over."""
        return self.public.phase is Phase.ENDED

    @property
    def is_ready(self) -> bool:
        return any(member.id == self.me and member.ready for member in self.public.members)


def read_view(game: str, view: Any) -> Any:
    """A view from the wire, in the game's own type."""
    return None if view is None else msgspec.convert(view, GAMES[game].view, str_keys=True)


def read_menu(game: str, menu: list[Any]) -> tuple[Offer[Any], ...]:
    """A menu from the wire, in the game's own type."""
    # The game's union of actions is a value here, so the type is put together at run time.
    offer_type = cast(Any, Offer)[GAMES[game].action]
    offers: tuple[Offer[Any], ...] = tuple(msgspec.convert(offer, offer_type) for offer in menu)
    return offers


def read(state: Mapping[str, Any], events: list[Any], me: str, *, is_proved: bool = True) -> Snapshot:
    """The snapshot of a ROOM_STATE. `events` are those since the last snapshot."""
    public = msgspec.convert(state["public"], RoomView)
    member = next((member for member in public.members if member.id == me), None)
    return Snapshot(
        public,
        me,
        member.seat if member is not None else None,
        read_view(public.game, state["you"]["view"]),
        read_menu(public.game, state["you"]["menu"]),
        tuple(msgspec.convert(event, GAMES[public.game].event) for event in events),
        is_proved,
    )
