"""Persons and times in what Sequence tells and shows: the rules know seats only, so the table fills them in."""

from typing import Final

from msgspec.structs import replace

from croupier.rules.game import Stamp
from croupier.rules.sequence.events import (
    DeadCardExchanged,
    GameEnded,
    Passed,
    SequenceCompleted,
    SequenceEvent,
    TurnPlayed,
)
from croupier.rules.sequence.view import SequenceView

VIEW_FIELDS: Final = frozenset({("currentUid",), ("lastAction", "uid"), ("lastAction", "at")})
"""What `stamped_view` fills in."""
EVENT_FIELDS: Final = frozenset({("actorUid",), ("at",), ("action", "expectedVersion")})
"""What `stamped_event` fills in."""


def stamped_event(event: SequenceEvent, stamp: Stamp) -> SequenceEvent:
    """The event with who acted and when; a turn's action as it was asked."""
    match event:
        case TurnPlayed():
            action = replace(event.action, expected_version=stamp.expected_version)
            return replace(event, action=action, actor_uid=stamp.persons.get(event.seat, ""), at=stamp.at_ms)
        case DeadCardExchanged() | Passed():
            return replace(event, actor_uid=stamp.persons.get(event.seat, ""), at=stamp.at_ms)
        case SequenceCompleted() | GameEnded():
            return replace(event, at=stamp.at_ms)
        case _:
            return event


def stamped_view(view: SequenceView, stamp: Stamp) -> SequenceView:
    """The view with whose turn it is, and who acted last and when."""
    last = view.last_action
    return replace(
        view,
        current_uid=None if view.current_seat is None else stamp.persons.get(view.current_seat),
        last_action=None if last is None else replace(last, uid=stamp.acted_by, at=stamp.at_ms),
    )
