"""People and times in the events and views of Sequence. The rules know only seats, so the table fills them in."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from croupier.game.game import Stamp
from croupier.games.sequence.rules.events import (
    DeadCardExchanged,
    GameEnded,
    Passed,
    SequenceCompleted,
    SequenceEvent,
    TurnPlayed,
)
from croupier.games.sequence.rules.view import SequenceView

VIEW_FIELDS: Final = frozenset({("currentUid",), ("lastAction", "uid"), ("lastAction", "at")})
"""What `stamped_view` fills in."""
EVENT_FIELDS: Final = frozenset({("actorUid",), ("at",), ("action", "expectedVersion")})
"""What `stamped_event` fills in."""


def stamped_event(event: SequenceEvent, stamp: Stamp) -> SequenceEvent:
    """The event with who acted and when; a turn's action as it was asked."""
    stamped = _STAMPED.get(type(event))
    return event if stamped is None else stamped(event, stamp)


def _stamped_turn(event: TurnPlayed, stamp: Stamp) -> TurnPlayed:
    action = replace(event.action, expected_version=stamp.expected_version)
    return replace(event, action=action, actor_uid=stamp.person(event.seat), at=stamp.at_ms)


def _stamped_act(event: DeadCardExchanged | Passed, stamp: Stamp) -> SequenceEvent:
    return replace(event, actor_uid=stamp.person(event.seat), at=stamp.at_ms)


def _stamped_time(event: SequenceCompleted | GameEnded, stamp: Stamp) -> SequenceEvent:
    return replace(event, at=stamp.at_ms)


_STAMPED: Final[dict[type[SequenceEvent], Callable[[Any, Stamp], SequenceEvent]]] = {
    TurnPlayed: _stamped_turn,
    DeadCardExchanged: _stamped_act,
    Passed: _stamped_act,
    SequenceCompleted: _stamped_time,
    GameEnded: _stamped_time,
}


def stamped_view(view: SequenceView, stamp: Stamp) -> SequenceView:
    """The view with whose turn it is, and who acted last and when."""
    last = view.last_action
    return replace(
        view,
        current_uid=None if view.current_seat is None else stamp.person(view.current_seat) or None,
        last_action=None if last is None else replace(last, uid=stamp.acted_by, at=stamp.at_ms),
    )
