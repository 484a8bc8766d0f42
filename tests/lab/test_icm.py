"""The Independent Chip Model against PokerKit's, and by hand."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import calculate_icm
from typer.testing import CliRunner

from croupier.cli import app
from croupier.lab.poker.icm import icm
from croupier.lab.poker.ranges import EquityError


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_values_are_pokerkits(data: st.DataObject) -> None:
    stacks = data.draw(st.lists(st.integers(1, 100_000), min_size=2, max_size=6))
    prizes = data.draw(st.lists(st.integers(0, 1000), min_size=1, max_size=len(stacks)))
    prizes = sorted([prizes[0] + 1, *prizes[1:]], reverse=True)
    assert icm(stacks, prizes) == pytest.approx(calculate_icm(prizes, stacks), rel=1e-9)


def test_three_players_by_hand() -> None:
    """50 of 100 chips: first 0.5, second 0.3 × 50/70 + 0.2 × 50/80."""
    second = 0.3 * 50 / 70 + 0.2 * 50 / 80
    assert icm([50, 30, 20], [70, 30])[0] == pytest.approx(70 * 0.5 + 30 * second)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=10))
@settings(max_examples=30, deadline=None)
def test_all_prizes_are_given_out_and_more_chips_are_worth_more(stacks: list[int]) -> None:
    values = icm(stacks, [50, 30, 20][: len(stacks)])
    assert sum(values) == pytest.approx(sum([50, 30, 20][: len(stacks)]))
    order = sorted(range(len(stacks)), key=lambda player: stacks[player])
    assert all(values[a] <= values[b] + 1e-9 for a, b in pairwise(order))


@pytest.mark.parametrize(
    ("stacks", "prizes", "code"),
    [
        ([10], [10], "ICM_STACKS"),
        ([10] * 25, [10], "ICM_STACKS"),
        ([10, 0], [10], "ICM_STACK"),
        ([10, float("inf")], [10], "ICM_STACK"),
        ([10, 10], [], "ICM_PAYOUTS"),
        ([10, 10], [5, 3, 2], "ICM_PAYOUTS"),
        ([10, 10], [3, 5], "ICM_PAYOUT"),
        ([10, 10], [0], "ICM_PAYOUT"),
    ],
)
def test_what_cannot_be_is_refused(stacks: list[float], prizes: list[float], code: str) -> None:
    with pytest.raises(EquityError) as refused:
        icm(stacks, prizes)
    assert refused.value.refusal.code == code


def test_the_command_prints_a_table_json_and_what_is_wrong() -> None:
    run = CliRunner().invoke
    table = run(app, ["icm", "50", "30", "20", "--payouts", "70,30"])
    assert "45.1786" in table.stdout
    printed = json.loads(run(app, ["icm", "50,30,20", "--payouts", "70,30", "--json"]).stdout)
    assert printed["players"][0] == pytest.approx(
        {"stack": 50, "chips": 0.5, "value": 45.178571428, "share": 0.45178571}
    )
    bad = run(app, ["icm", "50,x", "--payouts", "70,30"])
    assert bad.exit_code == 2
    assert "“x”" in bad.stderr
    assert run(app, ["icm", "50,30", "--payouts", "30,70"]).exit_code == 2
