"""The coach's jobs for the web: a question as a value, and its answer line by line.

A worker process holds one lesson at a time, since the arrays of a spot are too large to send. Importing this module
loads neither NumPy nor numba.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.game.refusal import Refusal
from croupier.games.poker.rules.events import HandOver, HoldemEvent
from croupier.lab.poker.coach.errors import CoachError
from croupier.lab.poker.coach.hand import CoachRules, read_hand

if TYPE_CHECKING:
    from croupier.lab.poker.coach.lesson import Lesson


LIVE_SECONDS: Final = 10.0
"""How long each street may take while others are waiting."""


class CoachQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as one viewer heard it. `own` is the seat that asks about its open decision."""

    rules: CoachRules
    events: tuple[HoldemEvent, ...]
    ranges: tuple[str, str] | None = None
    own: int | None = None

    @property
    def is_over(self) -> bool:
        return any(isinstance(event, HandOver) for event in self.events)


class CoachStep(msgspec.Struct, frozen=True):
    """The results so far, as JSON, and whether they are final."""

    line: bytes
    ended: bool


class _Held:
    """The lesson that this process works on."""

    def __init__(self) -> None:
        self.name = ""
        self.reports: Iterator[Lesson] = iter(())


_held = _Held()


def begin(name: str, asked: bytes) -> CoachStep | Refusal | None:
    """Begin a lesson, whose name is `name`, with a question as JSON. The one before is dropped."""
    from croupier.lab.poker.coach.lesson import lesson

    question = msgspec.json.decode(asked, type=CoachQuestion)
    _held.name, _held.reports = "", iter(())
    try:
        hand = read_hand(question.events, question.rules)
        _held.name, _held.reports = (
            name,
            lesson(hand, question.ranges, own=question.own, seconds=None if question.own is None else LIVE_SECONDS),
        )
    except CoachError as error:
        return error.refusal
    return following(name)


def following(name: str) -> CoachStep | Refusal | None:
    """The next report of a lesson; None if this process does not know it any more."""
    from croupier.lab.poker.ranges import EquityError
    from croupier.lab.poker.solver.errors import SolveError

    if name != _held.name:
        return None
    try:
        report = next(_held.reports, None)
    except (CoachError, SolveError, EquityError) as error:
        drop(name)
        return error.refusal
    if report is None:
        drop(name)
        return None
    if report.ended:
        drop(name)
    return CoachStep(msgspec.json.encode(report), report.ended)


def drop(name: str) -> None:
    """Drop a lesson and its arrays."""
    if name == _held.name:
        _held.name, _held.reports = "", iter(())
