"""The same tapes for both checkers: honest rooms, rooms after a reload, and rooms that lie."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.twin.checkers import comparable, in_javascript, in_python
from tests.twin.lies import bridge_lie, lie, nonsense, reloaded
from tests.twin.scenes import record_scenes
from tests.twin.tapes import Tape, record

LIES = 300
SOAK_LIES = 1000
BRIDGE_LIES = 40
RELOADS = 30
NONSENSE = 80


@pytest.fixture(scope="module")
def tapes() -> list[tuple[str, Tape]]:
    return record()


@pytest.fixture(scope="module")
def memories(tapes: list[tuple[str, Tape]]) -> list[list[Any]]:
    """What an honest client remembers after each step of each tape."""
    return [[result["memory"] for result in in_python(tape)] for _, tape in tapes]


def _compare(named: list[tuple[str, Tape]], compared: Callable[[list[Any]], Any] = comparable) -> list[str]:
    """Lets both checkers judge the tapes; the codes of all alarms."""
    codes = []
    with in_javascript([tape for _, tape in named]) as judged:
        expected = [comparable(in_python(tape)) for _, tape in named]
        for (name, _), found, wanted in zip(named, judged, expected, strict=True):
            assert compared(found) == compared(wanted), name
            codes += [alarm["code"] for result in wanted for alarm in result.get("alarms", ())]
    return codes


def test_an_honest_room_raises_no_alarm_in_either(tapes: list[tuple[str, Tape]]) -> None:
    assert _compare(tapes) == []
    assert any(step["op"] == "bridge" for _, tape in tapes for step in tape), "somebody missed some deals"


def test_what_once_was_a_false_alarm_is_none_in_either() -> None:
    assert _compare(record_scenes()) == []


def test_a_client_that_comes_back_is_told_alike(tapes: list[tuple[str, Tape]]) -> None:
    chance = Random(3)
    chosen = [chance.choice(tapes) for _ in range(RELOADS)]
    _compare([(f"{name} reloaded", reloaded(tape, chance)) for name, tape in chosen])


@pytest.mark.parametrize("lies", [LIES, pytest.param(SOAK_LIES, marks=pytest.mark.soak)])
def test_every_lie_is_judged_alike(tapes: list[tuple[str, Tape]], memories: list[list[Any]], lies: int) -> None:
    chance = Random(5)
    told = []
    for _ in range(lies):
        number = chance.randrange(len(tapes))
        name, tape = tapes[number]
        what, lying = lie(tape, memories[number], chance)
        told.append((f"{name}, {what}", lying))
    codes = _compare(told)
    # Most of what can be changed is found, in many ways.
    assert len(codes) > len(told) / 2
    assert len(set(codes)) > 20


def test_nonsense_is_an_alarm_in_both_or_changes_nothing(
    tapes: list[tuple[str, Tape]], memories: list[list[Any]]
) -> None:
    """Neither checker ever throws, whatever stands anywhere in a state."""
    chance = Random(11)
    told = []
    for _ in range(NONSENSE):
        number = chance.randrange(len(tapes))
        name, tape = tapes[number]
        what, broken = nonsense(tape, memories[number], chance)
        told.append((f"{name}, {what}", broken))
    assert len(_compare(told, _codes)) > len(told) / 2


def _codes(results: list[Any]) -> list[Any]:
    """What is found at each step, without the facts: nonsense is not the same words in two languages."""
    return [[alarm["code"] for alarm in result.get("alarms", ())] for result in results]


def test_every_lie_about_missed_deals_is_judged_alike(tapes: list[tuple[str, Tape]]) -> None:
    chance = Random(7)
    told: list[tuple[str, Tape]] = []
    while len(told) < BRIDGE_LIES:
        name, tape = chance.choice(tapes)
        lying = bridge_lie(tape, chance)
        if lying is not None:
            told.append((f"{name}, {lying[0]}", lying[1]))
    assert len(_compare(told)) > len(told) / 2
