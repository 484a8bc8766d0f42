"""A node that lies: whoever hears it raises the right alarm and bets nothing more, and each check is needed."""

from collections.abc import Callable
from typing import Any

import pytest

from croupier.clients.room_guard import RoomGuard
from croupier.clients.room_handle import RoomHandle
from croupier.dealing import cut2
from croupier.table import card_checker, deal_checker, round_checker
from croupier.table.checker import Checker
from croupier.table.deal_checker import DealChecker
from croupier.table.deal_faults import DealFault
from tests.simulation.lies import LIES, Lie
from tests.simulation.run import play

SEEDS = range(1, 4)
MORE_SEEDS = range(4, 40)
BLIND_SEEDS = range(1, 6)
NAMED = {lie.name: lie for lie in LIES}
Blind = Callable[[pytest.MonkeyPatch], None]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
def test_a_lie_is_found_out(lie: Lie) -> None:
    """Everything else must hold, too: nobody who heard the truth is alarmed, and the others play on. The first history
    in which somebody is lied to is enough."""
    assert any(victims_of(lie, seed) for seed in SEEDS), "nobody was lied to"


@pytest.mark.soak
@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
def test_a_lie_is_found_out_in_many_histories(lie: Lie) -> None:
    assert sum(victims_of(lie, seed) for seed in (*SEEDS, *MORE_SEEDS)) > len(SEEDS)


def victims_of(lie: Lie, seed: int) -> int:
    """How many were lied to in a history in which all else held."""
    report = play(seed, lie=lie)
    assert report.ok, report.text()
    assert report.scene.liar is not None
    return len(report.scene.liar.victims)


def _deaf_to(*codes: str) -> Blind:
    """A client without the checks that give these findings."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        takes = Checker._see

        def without(self: Any, state: Any) -> Any:
            gap = takes(self, state)
            self._found = [found for found in self._found if found.code not in codes]
            return gap

        patch.setattr(Checker, "_see", without)

    return plant


def no_cut_is_missed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DealChecker, "_left_out", lambda self, memory, deal: memory)


def packs_are_not_opened(patch: pytest.MonkeyPatch) -> None:
    """Neither the packs that are not played nor the cards are held to the roots."""
    patch.setattr(cut2, "check_secrets", lambda *_: ())
    patch.setattr(card_checker, "check_opening", lambda *_: ())


def openings_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(card_checker, "check_opening", lambda *_: ())
    patch.setattr(Checker, "_compare", lambda self, mirror, state: None)
    patch.setattr(Checker, "_heard", lambda self, state: state.events)


def any_promise_is_mine(patch: pytest.MonkeyPatch) -> None:
    """A client that passes over a promise that is not its own."""
    alarms = RoomGuard.alarm

    def silent(self: Any, code: DealFault, /, **facts: Any) -> None:
        if code != DealFault.PROMISE_NOT_MINE:
            alarms(self, code, **facts)

    patch.setattr(RoomGuard, "alarm", silent)


def views_are_believed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Checker, "_compare", lambda self, mirror, state: None)


def setups_are_believed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(round_checker.RoundChecker, "_check_setup", lambda *_: None)
    views_are_believed(patch)
    patch.setattr(cut2, "check_secrets", lambda *_: ())
    patch.setattr(card_checker, "check_opening", lambda *_: ())
    patch.setattr(deal_checker.DealChecker, "_check_closing", lambda self, fixed, memory, seen: self._closing_of(fixed))


BLIND: list[tuple[str, Blind]] = [
    ("dropped_cut", no_cut_is_missed),
    ("other_roots", packs_are_not_opened),
    ("without_me", _deaf_to("NOT_LISTED", "CUTTERS_CHANGED")),
    ("foreign_promise", any_promise_is_mine),
    ("other_stack", views_are_believed),
    ("swapped_places", openings_are_not_checked),
    ("other_payouts", views_are_believed),
    ("downgrade", _deaf_to("SCHEME_OLD")),
]


@pytest.mark.parametrize(("name", "blind"), BLIND, ids=[f"{name}-{blind.__name__}" for name, blind in BLIND])
def test_without_its_check_a_lie_goes_through(name: str, blind: Blind, monkeypatch: pytest.MonkeyPatch) -> None:
    blind(monkeypatch)
    assert any("a lie is found out" in broken(name, seed) for seed in BLIND_SEEDS)


def test_a_client_that_bets_on_after_an_alarm_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RoomGuard, "may_act", lambda self, game, action: ())
    monkeypatch.setattr(RoomHandle, "alarms", property(lambda self: ()))
    assert any("nothing is bet after an alarm" in broken("other_stack", seed) for seed in BLIND_SEEDS)


def broken(name: str, seed: int) -> set[str]:
    """The invariants that do not hold in a history with a lie."""
    return {invariant for invariant, _ in play(seed, lie=NAMED[name]).broken}
