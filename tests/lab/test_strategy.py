"""Strategy tables: files that say the same after a round trip, and errors that name the cell."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.lab.blackjack import strategy
from croupier.lab.blackjack.strategy import Code, StrategyError, StrategyTable

TOTALS = st.sampled_from(strategy.PLAYS_ON_TOTALS)
PAIRS = st.sampled_from(strategy.PLAYS)


@st.composite
def tables(draw: st.DrawFn) -> StrategyTable:
    count = sum(len(strategy.ROWS[kind]) * len(strategy.UPS) for kind in ("hard", "soft"))
    totals = iter(draw(st.lists(TOTALS, min_size=count, max_size=count)))
    pairs = iter(draw(st.lists(PAIRS, min_size=100, max_size=100)))
    return strategy.build(lambda kind, hand, up: next(pairs if kind == "pairs" else totals))


@given(tables())
def test_a_table_survives_toml_csv_and_arrays(table: StrategyTable) -> None:
    assert strategy.from_toml(strategy.to_toml(table)) == table
    assert strategy.from_csv(strategy.to_csv(table)) == table
    assert strategy.from_array(table.array()) == table


def test_an_array_is_indexed_by_kind_total_and_upcard_rank_with_aces_as_one() -> None:
    table = strategy.build(lambda kind, hand, up: "D" if (kind, hand, up) == ("hard", "11", "A") else "H")
    plays = table.array()
    assert plays[strategy.HARD, 11, 1] == strategy.DOUBLE
    assert np.count_nonzero(plays == strategy.DOUBLE) == 1


def test_standing_on_17_hits_a_soft_16_and_plays_pairs_by_their_total() -> None:
    table = strategy.stand_on(17)
    assert table.play("hard", "16", "T") == "H"
    assert table.play("hard", "17", "T") == "S"
    assert table.play("soft", "17", "T") == "S"
    assert table.play("pairs", "8", "T") == "-"


def test_a_difference_is_told_cell_by_cell() -> None:
    (found,) = strategy.difference(strategy.stand_on(17), strategy.build(_standing_on_17_but_hitting_soft_17_against_9))
    assert found == strategy.Difference("soft", "17", "9", "S", "H")


def _standing_on_17_but_hitting_soft_17_against_9(kind: str, hand: str, up: str) -> str:
    if (kind, hand, up) == ("soft", "17", "9"):
        return "H"
    return strategy.stand_on(17).play(kind, hand, up)


def test_pairs_may_be_left_out_of_a_file_and_are_then_played_by_their_totals() -> None:
    written = strategy.to_toml(strategy.stand_on(15))
    assert "[pairs]" in written
    assert strategy.from_toml(written.split("[pairs]")[0]) == strategy.stand_on(15)


@pytest.mark.parametrize(
    ("change", "code", "facts"),
    [
        (("16 = ", "99 = "), Code.STRATEGY_ROW_UNKNOWN, {"row": "hard 99"}),
        (('20 = "S  ', '20 = "X  '), Code.STRATEGY_CELL, {"cell": "hard 20 – 2", "value": "X"}),
        (('20 = "S  ', '20 = "P  '), Code.STRATEGY_CELL, {"cell": "hard 20 – 2", "value": "P"}),
        (('20 = "S  ', '20 = "'), Code.STRATEGY_ROW_LENGTH, {"row": "hard 20", "count": 9}),
        (('21 = "S  ', '21 = "H  '), Code.STRATEGY_CELL, {"cell": "hard 21 – 2", "allowed": "S"}),
        (("[hard]", "[harder]"), Code.STRATEGY_ROW_UNKNOWN, {"row": "harder"}),
        (("[hard]", "[hard"), Code.STRATEGY_FORMAT, {}),
    ],
)
def test_a_wrong_file_is_refused_by_the_name_of_the_row_or_cell(
    change: tuple[str, str], code: Code, facts: dict[str, str | int]
) -> None:
    written = strategy.to_toml(strategy.stand_on(17)).replace(*change, 1)
    with pytest.raises(StrategyError) as caught:
        strategy.from_toml(written)
    assert caught.value.refusal.code == code
    assert facts.items() <= caught.value.refusal.facts.items()


def test_a_missing_row_is_named() -> None:
    lines = strategy.to_csv(strategy.stand_on(17)).splitlines(keepends=True)
    with pytest.raises(StrategyError) as caught:
        strategy.from_csv("".join(line for line in lines if not line.startswith("soft,18")))
    assert caught.value.refusal.facts == {"row": "soft 18"}


def test_files_are_told_apart_by_their_ending(tmp_path: Path) -> None:
    table = strategy.stand_on(16)
    for name in ("mine.toml", "mine.csv"):
        strategy.save(table, tmp_path / name)
        assert strategy.load(tmp_path / name) == table
    for name in ("mine.txt", "missing.toml"):
        with pytest.raises(StrategyError):
            strategy.load(tmp_path / name)
