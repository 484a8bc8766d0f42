"""Plain values and their strict comparison."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.game.registry import GAMES
from croupier.table.plain_values import exact, plain, unknown_name
from croupier.table.round import begin

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (1, True), (0, False), (0.0, -0.0), ("1", 1), (None, "null"), ([], {}), ([1], [True]), ({"a": 1}, {})],
)
def test_values_that_json_writes_differently_are_not_the_same(one: Any, other: Any) -> None:
    assert exact(one) != exact(other)
    assert exact({"a": [one]}) != exact({"a": [other]})


@given(VALUES, VALUES)
def test_two_values_have_the_same_key_exactly_if_their_json_is_the_same(one: Any, other: Any) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (exact(one) == exact(other)) == same


def test_the_order_of_names_makes_no_difference_and_that_of_a_list_does() -> None:
    assert exact({"a": 1, "b": 2}) == exact({"b": 2, "a": 1})
    assert exact([1, 2]) != exact([2, 1])
    assert hash(exact({"a": [{}]})) == hash(exact({"a": ({},)}))


def test_what_is_not_plain_has_no_key() -> None:
    with pytest.raises(TypeError, match="a value of type set is not plain"):
        exact({"a": {1}})


@pytest.mark.parametrize("name", list(GAMES))
def test_plain_rules_setups_and_views_are_what_a_message_holds(name: str) -> None:
    for rules in GAMES[name].presets.values():
        opened = begin(rules)
        for value in (rules, opened.setup, rules.view(opened.state, 0), rules.menu(opened.state, 0)):
            read = plain(value)
            assert exact(json.loads(json.dumps(read))) == exact(read)
            assert read == json.loads(json.dumps(read)), "lists, no tuples; texts as names"


def test_a_name_that_a_reader_ignored_is_found_however_deep() -> None:
    assert unknown_name({"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1}]}) == "$.a[0].c"
    assert unknown_name({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 0}]}) == ""
