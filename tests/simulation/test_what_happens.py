"""What the seeds bring about: an invariant that nothing ever threatens would hold for nothing."""

from collections import Counter
from typing import Final

from croupier.table.commands import DealAgree, DealCut, DealDecline, DealPromise
from tests.simulation.run import Report, play
from tests.simulation.truth import History

TELLING: Final = (46, 39, 3, 34, 102)
"""Seeds in which all of it happens, as long as nothing changes that draws from them."""
SEEDS: Final = (*TELLING, *range(1, 301))


WANTED = {
    *(f"{game} {outcome}" for game in ("poker", "blackjack", "sequence") for outcome in ("dealt", "void")),
    *(command.__name__ for command in (DealPromise, DealCut, DealDecline, DealAgree)),
    *(
        "a debt is paid",
        "a card is proved",
        "a node dies in a cut",
        "a clock is set",
        "somebody changes the device",
    ),
    *("CUT_TOO_LATE", "CUT_NOT_COUNTED", "END_NOT_SEEN"),
}


def test_people_cut_decline_miss_pay_and_agree_in_every_game() -> None:
    """Within three hundred seeds; no more of them are played once everything has happened."""
    happened: Counter[str] = Counter()
    for seed in SEEDS:
        report = play(seed)
        assert report.ok, report.text()
        for history in report.scene.truth.histories.values():
            _count_deals(history, happened)
        _count_clients(report, happened)
        if all(happened[name] for name in WANTED):
            return
    assert {name for name in WANTED if not happened[name]} == set()


def _count_deals(history: History, happened: Counter[str]) -> None:
    for before, after, logged in zip(history.rooms, history.rooms[1:], history.logged[1:], strict=False):
        happened[type(logged.command).__name__] += 1
        happened["a debt is paid"] += len(after.paid) > len(before.paid)
        if after.last is not None and after.last is not before.last:
            outcome = "void" if after.last.cut is None else "dealt"
            happened[f"{after.rules.game} {outcome}"] += 1


def _count_clients(report: Report, happened: Counter[str]) -> None:
    for person in report.scene.people:
        happened["somebody changes the device"] += len(person.vaults) - 1
        for room in person.rooms():
            happened["a card is proved"] += room.checker.checked
            happened.update(found.code for found in room.checker.notes)
    for _, _, text in report.scene.world.trace:
        happened["a node dies in a cut"] += text == "crashes while a deal is cut"
        happened["a clock is set"] += text.startswith("has a clock")
