"""A room's state as typed values, with what happened since the last one."""

from typing import Any, cast

import msgspec

from croupier.game.game import Event, Offer
from croupier.game.registry import GAMES
from croupier.table.room import Phase
from croupier.table.roomview import RoomView


class Moment(msgspec.Struct, frozen=True):
    """What one person sees of a room. `view` and `menu` are the game's own types; without a round, None and empty."""

    public: RoomView
    me: str
    """This person's id."""
    seat: int | None
    view: Any
    menu: tuple[Offer[Any], ...]
    events: tuple[Event, ...]
    is_proved: bool = True
    """Whether the cards are proved; if not, there are none to be seen."""
    earlier: tuple["Moment", ...] = ()
    """Those that nobody looked at, in which something happened."""

    @property
    def is_host(self) -> bool:
        return self.public.host == self.me

    @property
    def round_over(self) -> bool:
        return self.public.payouts is not None

    @property
    def ended(self) -> bool:
        """The match is over."""
        return self.public.phase is Phase.ENDED

    @property
    def is_ready(self) -> bool:
        return any(member.id == self.me and member.ready for member in self.public.members)


def read_view(game: str, view: Any) -> Any:
    """A view as it came over the wire, in the game's own type."""
    return None if view is None else msgspec.convert(view, GAMES[game].view, str_keys=True)


def read_menu(game: str, menu: list[Any]) -> tuple[Offer[Any], ...]:
    """A menu as it came over the wire, in the game's own type."""
    # The game's union of actions is a value here, so the type is put together at run time.
    offer_type = cast(Any, Offer)[GAMES[game].action]
    offers: tuple[Offer[Any], ...] = tuple(msgspec.convert(offer, offer_type) for offer in menu)
    return offers


def read(state: dict[str, Any], events: list[Any], me: str, *, is_proved: bool = True) -> Moment:
    """The moment that a ROOM_STATE shows. `events` are all that came since the last moment."""
    public = msgspec.convert(state["public"], RoomView)
    member = next((member for member in public.members if member.id == me), None)
    return Moment(
        public,
        me,
        member.seat if member is not None else None,
        read_view(public.game, state["you"]["view"]),
        read_menu(public.game, state["you"]["menu"]),
        tuple(msgspec.convert(event, GAMES[public.game].event) for event in events),
        is_proved,
    )
