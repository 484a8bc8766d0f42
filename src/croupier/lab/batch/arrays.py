"""What the engines share: their arrays of results, the checks of arguments, and the loop over all tables."""

from collections.abc import Callable
from operator import index
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.lab.batch.parallel import pieces, run

TABLES_MAX: Final = 1 << 24
ROUNDS_MAX: Final = 1 << 40
R = TypeVar("R")


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
        self.tables = tables = whole("tables", tables, 1, TABLES_MAX)
        threads = whole("threads", threads, 1, None)
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
        marks = np.asarray(where)
        if marks.dtype != np.bool_:
            raise ValueError(f"where must be true or false for each table, not {marks.dtype}")
        if marks.shape != (self.tables,):
            raise ValueError(f"where must have one entry a table, the shape ({self.tables},), not {marks.shape}")
        return np.ascontiguousarray(marks)

    def table(self, number: int) -> int:
        """The number of a table, if there is one. Raises ValueError."""
        return whole("table", number, 0, self.tables - 1)

    def offers(self, legal: Legal, kinds: int) -> Legal:
        """What `legal` gave, or what the caller made of it. Raises ValueError for arrays that do not fit."""
        shapes = {"mask": (self.tables, kinds), "low": (self.tables,), "high": (self.tables,)}
        for name, shape in shapes.items():
            array, kind = getattr(legal, name, None), np.bool_ if name == "mask" else np.int64
            if not _fits(array, shape, kind):
                raise ValueError(f"legal.{name} must be a contiguous array of {kind.__name__} of the shape {shape}")
        return legal

    def observation(self, out: NDArray[np.float32] | None, width: int) -> NDArray[np.float32]:
        """The array to fill: `out`, if it fits, or a new one."""
        if out is None:
            return np.empty((self.tables, width), np.float32)
        if not _fits(out, (self.tables, width), np.float32) or not out.flags.writeable:
            raise ValueError(f"out must be a contiguous array of float32 of the shape ({self.tables}, {width})")
        return out


def _fits(array: Any, shape: tuple[int, ...], kind: Any) -> bool:
    """Whether a kernel can take this array as it is: a kernel reads past the end of one that is too short."""
    return isinstance(array, np.ndarray) and array.shape == shape and array.dtype == kind and array.flags.c_contiguous


def whole(name: str, value: Any, low: int | None, high: int | None) -> int:
    """A whole number in these bounds. Raises ValueError that names what is wrong."""
    try:
        number = index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None
    if (low is not None and number < low) or (high is not None and number > high):
        allowed = f"{low} to {high}" if high is not None else f"{low} or more"
        raise ValueError(f"{name} must be {allowed}, not {number}")
    return number


def rules_of(kind: type[R], rules: R) -> R:
    """The rules, if they are of this kind. Raises ValueError."""
    if not isinstance(rules, kind):
        raise ValueError(f"rules must be {kind.__name__}, not {type(rules).__name__}")
    return rules


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
        given = _narrowed(given, kind, kinds)
    if given.shape != (tables,):
        raise ValueError(f"{name} must have one entry a table, the shape ({tables},), not {given.shape}")
    return np.ascontiguousarray(given)


def _narrowed(given: NDArray[Any], kind: Any, kinds: int) -> NDArray[Any]:
    """Whole numbers in a narrower type. One that does not fit becomes another that is no action, or as far out."""
    if given.dtype == np.bool_:
        return given.astype(kind)
    theirs, ours = np.iinfo(given.dtype), np.iinfo(kind)
    low, high = (-2, kinds) if kinds else (int(ours.min), int(ours.max))
    narrowed: NDArray[Any] = np.clip(given, max(low, int(theirs.min)), min(high, int(theirs.max))).astype(kind)
    return narrowed
