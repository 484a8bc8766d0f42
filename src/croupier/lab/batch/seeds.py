"""One generator a table: a SplitMix64 state from the seed and the table's number alone."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, TypeAlias

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from croupier.lab.batch.arrays import whole
from croupier.lab.compiler import kernel
from croupier.lab.random_numbers import block_state


class Stream(IntEnum):
    """What random numbers are for. Random play must not change the deals."""

    DEALS = 0
    PLAY = 1


Seed: TypeAlias = int | Sequence[int]
"""One seed for all tables, or one for each, which then plays as the first table of that seed does."""
_WORD: Final = 1 << 64


def table_states(seed: Seed, tables: int, stream: Stream) -> NDArray[np.uint64]:
    """The states of so many tables. Raises ValueError for seeds that are no whole numbers, or not one a table."""
    states = np.empty(tables, np.uint64)
    if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
        if len(seed) != tables:
            raise ValueError(f"seed must be one whole number, or one a table: {tables}, not {len(seed)}")
        own = np.array([whole("seed", each, None, None) % _WORD for each in seed], np.uint64)
        _fill_each(own, int(stream), states)
    else:
        _fill(np.uint64(whole("seed", seed, None, None) % _WORD), int(stream), states)
    return states


@kernel
def _fill(seed: np.uint64, stream: int, states: NDArray[np.uint64]) -> None:
    key = uint64(block_state(seed, -1 - stream))
    for table in range(len(states)):
        states[table] = block_state(key, table)


@kernel
def _fill_each(seeds: NDArray[np.uint64], stream: int, states: NDArray[np.uint64]) -> None:
    for table in range(len(states)):
        states[table] = block_state(uint64(block_state(seeds[table], -1 - stream)), 0)
