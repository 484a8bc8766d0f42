"""Alias tables give every place exactly its chance."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from croupier.lab.random_numbers import alias_table


@given(st.lists(st.integers(1, 10**30), min_size=1, max_size=40), st.integers(0, 40))
def test_an_alias_table_draws_every_place_with_exactly_its_weight(weights: list[int], spare: int) -> None:
    columns, total = len(weights) + spare, sum(weights)
    heights, aliases = alias_table(weights, columns)
    chances = [Fraction(0)] * columns
    for column, (height, alias) in enumerate(zip(heights, aliases, strict=True)):
        assert 0 <= height <= total
        chances[column] += Fraction(height, total * columns)
        chances[alias] += Fraction(total - height, total * columns)
    assert chances == [Fraction(weight, total) for weight in weights] + [Fraction(0)] * spare
