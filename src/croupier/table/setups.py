"""The setup of a round: the result of the one before it, with the arrivals, departures and purchases since."""

from collections.abc import Sequence
from typing import Any

from croupier.game.game import AnyRules, Change
from croupier.game.refusal import Refusal
from croupier.table.closing import is_sound
from croupier.table.deal_check import CheckedDeal
from croupier.table.record_check import RecordCheck
from croupier.table.room import is_open_table


class Path:
    """The path from the setup after a deal to the next one: changes in order, rounds without a deal, new matches."""

    def __init__(self, match: int, rules: AnyRules, setup: Any, changes: Sequence[Change] = ()) -> None:
        self._left = list(changes)
        self.match = match
        self._ended = False
        self._may_restart = False
        """Whether a match that waits for a deal may have been cancelled."""
        self._rules = rules
        self._setup = setup
        """None if unknown."""

    @classmethod
    def after(cls, last: CheckedDeal, check: RecordCheck, changes: Sequence[Change], *, may_restart: bool) -> "Path":
        """The path after a deal, which is in this record."""
        path = cls(last.start.match, last.start.rules, last.start.setup, changes)
        path._may_restart = may_restart
        if not last.proof.is_void:
            path.play(check)
        return path

    def play(self, check: RecordCheck) -> None:
        """Follow a round that was played to its end."""
        played = check.round
        if played is None or not played.over:
            self._setup = None
            return
        rules = self._rules = played.rules
        self._ended = rules.ended(played.state)
        setup = rules.following(played.state)
        reshuffled = rules.amend(setup, Change(0, "reshuffled"))
        self._setup = setup if isinstance(reshuffled, Refusal) else reshuffled

    def reach(self, rules: AnyRules, setup: Any, match: int | None = None) -> bool:
        """Whether this setup is the next after some of the changes; with `match`, after all of them."""
        restarted = self._ended or (self._may_restart and match == self.match + 1)
        self.match += restarted
        begun = fresh_setup(rules, setup, self._left) if restarted else self._setup
        reached = (restarted or rules == self._rules) and (
            begun is None or self._go(rules, begun, setup, to_the_end=match is not None)
        )
        self._rules, self._setup, self._ended, self._may_restart = rules, setup, False, False
        return reached

    @property
    def can_end(self) -> bool:
        """Whether the changes after the last deal are possible, as far as is known."""
        setup = self._setup
        for change in self._left if setup is not None else ():
            if not 0 <= change.seat < len(self._rules.stacks(setup)) or not is_sound(self._rules, setup, change):
                return False
            after = self._rules.amend(setup, change)
            if not isinstance(after, Refusal):
                setup = after
            elif not self._ended and not self._may_restart:
                return False
        return True

    def _go(self, rules: AnyRules, setup: Any, goal: Any, *, to_the_end: bool) -> bool:
        left = list(self._left)
        while setup != goal or (to_the_end and left):
            change = left.pop(0) if left else None
            if change is None or not is_sound(rules, setup, change):
                return False
            after = rules.amend(setup, change)
            if isinstance(after, Refusal):
                return False
            setup = after
        self._left = left
        return True


def fresh_setup(rules: AnyRules, setup: Any, changes: Sequence[Change]) -> Any:
    """The setup of a new match with as many seats: the default one, without the empty seats."""
    opened = rules.opening(setup)
    if isinstance(opened, Refusal):
        return None
    seats = rules.seats(opened.state)
    fresh = rules.setup(seats)
    if not is_open_table(rules):
        return fresh
    first: dict[int, str] = {}
    for change in changes:
        if change.kind != "bomb":
            first.setdefault(change.seat, change.kind)
    chips = rules.stacks(setup)
    for seat in range(seats):
        empty = first[seat] == "taken" if seat in first else bool(chips) and not chips[seat]
        amended = rules.amend(fresh, Change(seat, "left")) if empty else fresh
        if isinstance(amended, Refusal):
            return None
        fresh = amended
    return fresh
