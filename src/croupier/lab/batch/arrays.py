"""What the engines share: their arrays of results, the checks of arguments, and the loop over all tables."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.lab.batch.parallel import pieces, run

TABLES_MAX: Final = 1 << 24


class Legal(NamedTuple):
    """What the seat in turn may do, one row per table. Empty where the round is over."""

    mask: NDArray[np.bool_]
    """By the engine's `Kind`."""
    low: NDArray[np.int64]
    """The least and the most of an amount; 0 where none is offered."""
    high: NDArray[np.int64]


class Engine:
    """Tables that are stepped at once."""

    def __init__(self, tables: int, threads: int) -> None:
        if not 1 <= tables <= TABLES_MAX:
            raise ValueError(f"tables must be 1 to {TABLES_MAX}, not {tables}")
        if threads < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
        self.tables = tables
        self.low, self.high = np.zeros(tables, np.int64), np.zeros(tables, np.int64)
        self.kinds, self.amounts = np.zeros(tables, np.int8), np.zeros(tables, np.int64)
        self._pieces = pieces(tables, threads)
        self._all = np.ones(tables, np.bool_)

    def each(self, work: Callable[..., int | None], *arguments: Any) -> int:
        """Run a kernel over all tables, on this engine's threads: its last arguments are where to start and stop."""
        return run(lambda start, stop: work(*arguments, start, stop), self._pieces)

    def chosen(self, where: ArrayLike | None) -> NDArray[np.bool_]:
        """The tables that are marked, by default all."""
        if where is None:
            return self._all
        marks = np.ascontiguousarray(where, np.bool_)
        if marks.shape != (self.tables,):
            raise ValueError(f"where must have one entry a table, the shape ({self.tables},), not {marks.shape}")
        return marks

    def observation(self, out: NDArray[np.float32] | None, width: int) -> NDArray[np.float32]:
        """The array to fill: `out`, if it fits, or a new one."""
        if out is None:
            return np.empty((self.tables, width), np.float32)
        if out.shape != (self.tables, width) or out.dtype != np.float32 or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous array of float32 of the shape ({self.tables}, {width})")
        return out


def spread(name: str, values: ArrayLike, kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Whole numbers in this shape, or spread to it."""
    given = np.asarray(values)
    if given.dtype.kind not in "iub":
        raise ValueError(f"{name} must be whole numbers, not {given.dtype}")
    try:
        return np.ascontiguousarray(np.broadcast_to(given, shape).astype(kind))
    except ValueError:
        raise ValueError(f"{name} must have the shape {shape}, or one that spreads to it, not {given.shape}") from None


def numbers(name: str, values: ArrayLike, kind: Any, tables: int, kinds: int = 0) -> NDArray[Any]:
    """One number a table, without a copy if it is one already. `kinds`: how many actions there are, if it is one."""
    given = np.asarray(values)
    if given.dtype != kind:
        if given.dtype.kind not in "iub":
            raise ValueError(f"{name} must be whole numbers, not {given.dtype}")
        # A number that is no action must not become one when it is cut to a byte.
        given = (np.clip(given, -2, kinds) if kinds else given).astype(kind)
    if given.shape != (tables,):
        raise ValueError(f"{name} must have one entry a table, the shape ({tables},), not {given.shape}")
    return np.ascontiguousarray(given)
