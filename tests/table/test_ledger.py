"""The ledger of a session: what was won is what was lost, in whole chips, in proportion."""

from hypothesis import given
from hypothesis import strategies as st

from croupier.table.ledger import HOUSE, transfers


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
