"""Hash chains and Merkle trees: the two structures that cut-1 stands on."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.dealing import merkle
from croupier.dealing.chain import CHAIN_LINKS_MAX, Chain, follows, reaches

SECRET = bytes(range(32))


def test_each_link_follows_the_one_before_and_the_first_follows_the_anchor() -> None:
    chain = Chain(SECRET, 5)
    links = [chain.anchor, *(chain.link(number) for number in range(1, 6))]
    for previous, link in pairwise(links):
        assert follows(previous, link)
        assert not follows(link, previous)
    assert links[-1] == SECRET.hex()


def test_a_link_reaches_the_anchor_in_as_many_steps_as_its_number() -> None:
    chain = Chain(SECRET, 5)
    reached = [number for number in range(1, 7) if reaches(chain.anchor, number, chain.link(4))]
    assert reached == [4]


@pytest.mark.parametrize("nonsense", ["", "00", "zz" * 32, SECRET.hex().upper()])
def test_a_malformed_contribution_follows_nothing(nonsense: str) -> None:
    chain = Chain(SECRET, 1)
    assert not follows(chain.anchor, nonsense)
    assert not reaches(chain.anchor, 1, nonsense)


def test_a_chain_serves_a_bounded_number_of_deals() -> None:
    chain = Chain(SECRET)
    assert chain.length == CHAIN_LINKS_MAX
    assert reaches(chain.anchor, CHAIN_LINKS_MAX, chain.link(CHAIN_LINKS_MAX))
    with pytest.raises(AssertionError):
        chain.link(CHAIN_LINKS_MAX + 1)
    with pytest.raises(AssertionError):
        Chain(SECRET, CHAIN_LINKS_MAX + 1)


def leaves_of(count: int) -> list[bytes]:
    return [merkle.leaf(b"%d" % number) for number in range(count)]


@given(st.integers(1, 100), st.data())
def test_every_leaf_has_a_path_to_the_root(size: int, data: st.DataObject) -> None:
    leaves = leaves_of(size)
    tree = b"".join(merkle.levels(leaves))
    position = data.draw(st.integers(0, size - 1))
    siblings = merkle.hashes(merkle.path(tree, size, position))
    assert merkle.led_to(leaves[position], position, size, siblings) == merkle.root(leaves)


@given(st.integers(2, 100), st.data())
def test_no_path_leads_from_another_leaf_place_or_length_to_the_root(size: int, data: st.DataObject) -> None:
    leaves = leaves_of(size)
    tree, root = b"".join(merkle.levels(leaves)), merkle.root(leaves)
    position, other = data.draw(st.permutations(range(size)))[:2]
    siblings = merkle.hashes(merkle.path(tree, size, position))
    assert merkle.led_to(leaves[other], position, size, siblings) != root
    assert merkle.led_to(leaves[position], other, size, siblings) != root
    assert merkle.led_to(leaves[position], position, size, siblings[:-1]) is None
    assert merkle.led_to(leaves[position], position, size, (*siblings, root)) is None


def test_a_node_cannot_pass_for_a_leaf() -> None:
    leaves = leaves_of(4)
    nodes = merkle.hashes(merkle.levels(leaves)[1])
    assert merkle.root(nodes) == merkle.root(leaves)  # the upper levels alone are a tree with the same root,
    assert merkle.leaf(leaves[0] + leaves[1]) != nodes[0]  # but no content hashes to one of its leaves


def test_repeating_the_last_leaf_changes_the_root() -> None:
    leaves = leaves_of(3)
    assert merkle.root(leaves) != merkle.root([*leaves, leaves[-1]])


@given(
    st.lists(st.binary(max_size=4), min_size=1, max_size=12), st.lists(st.binary(max_size=4), min_size=1, max_size=12)
)
def test_different_contents_have_different_roots(one: list[bytes], other: list[bytes]) -> None:
    roots = [merkle.root([merkle.leaf(content) for content in contents]) for contents in (one, other)]
    assert (roots[0] == roots[1]) is (one == other)
