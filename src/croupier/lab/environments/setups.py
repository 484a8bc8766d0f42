"""The setup of an episode: stacks other than the usual ones, and the shoe of the episode before."""

from collections.abc import Sequence
from operator import index
from typing import Any

from msgspec.structs import fields, replace

PILES = ("stacks", "purses")
"""What setups call each seat's chips."""


def with_stacks(setup: Any, stacks: Sequence[int]) -> Any:
    """The setup with a stack for each seat; as it is, if there are none. Raises ValueError for the wrong number of
    them, or in a game without chips."""
    try:
        chips = tuple(map(index, stacks))
    except TypeError:
        chips = (-1,)
    if not chips:
        return setup
    name = next((each.name for each in fields(setup) if each.name in PILES), None)
    if name is None:
        raise ValueError("stacks cannot be chosen in a game without chips")
    seats = len(getattr(setup, name))
    if len(chips) != seats or min(chips) < 0:
        raise ValueError(f"stacks={stacks} is not possible; allowed: {seats} whole numbers from 0")
    return replace(setup, **{name: chips})


def with_shoe_of(setup: Any, following: Any) -> Any:
    """The setup with the shoe that goes on from the round before, in a game that keeps one."""
    return replace(setup, gone=following.gone) if hasattr(setup, "gone") else setup
