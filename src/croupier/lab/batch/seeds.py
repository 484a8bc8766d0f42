"""One generator a table: a SplitMix64 state from the seed and the table's number alone."""

from enum import IntEnum

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from croupier.lab.compiler import kernel
from croupier.lab.random_numbers import block_state


class Stream(IntEnum):
    """What random numbers are for. Random play must not change the deals."""

    DEALS = 0
    PLAY = 1


def table_states(seed: int, tables: int, stream: Stream) -> NDArray[np.uint64]:
    """The states of so many tables."""
    states = np.empty(tables, np.uint64)
    _fill(np.uint64(seed % (1 << 64)), int(stream), states)
    return states


@kernel
def _fill(seed: np.uint64, stream: int, states: NDArray[np.uint64]) -> None:
    key = uint64(block_state(seed, -1 - stream))
    for table in range(len(states)):
        states[table] = block_state(key, table)
