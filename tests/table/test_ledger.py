"""The ledger of a session: what was won is what was lost, in whole chips, in proportion."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.table.ledger import HOUSE, Account, transfers
from croupier.wire.ledger import ledger_csv


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=9))
def test_the_transfers_of_a_round_make_exactly_its_results(nets: list[int]) -> None:
    results = {f"member {number}": net for number, net in enumerate(nets)}
    results[HOUSE] = -sum(nets)
    made = transfers(results)
    assert all(chips > 0 and results[loser] < 0 < results[winner] for loser, winner, chips in made)
    for party, net in results.items():
        got = sum(chips for _, winner, chips in made if winner == party)
        paid = sum(chips for loser, _, chips in made if loser == party)
        assert got - paid == net


def test_losers_pay_winners_in_proportion() -> None:
    nets = {"Ann": 300, "Bob": 100, "Cy": -200, "Di": -200}
    assert transfers(nets) == [("Cy", "Ann", 150), ("Cy", "Bob", 50), ("Di", "Ann", 150), ("Di", "Bob", 50)]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠SUM(A1)", "\t=1"])
def test_no_name_is_a_formula_to_a_spreadsheet(name: str) -> None:
    accounts = {"a": Account(name, 1, 5, {"b": 5}), "b": Account("Bob", 1, -5, {"a": -5})}
    rows = list(csv.reader(ledger_csv(accounts, player="P", rounds="R", net="N", house="H").splitlines()))
    assert rows == [["P", "R", "N", f"'{name}", "Bob"], [f"'{name}", "1", "5", "", "5"], ["Bob", "1", "-5", "-5", ""]]
