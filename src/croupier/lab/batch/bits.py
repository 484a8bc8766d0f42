"""Sets of seats as bits, for the kernels. Bit n stands for seat n."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]  # llvmlite carries no types
from numba import int64, types
from numba.extending import intrinsic

from croupier.lab.compiler import inlined


def _trailing_zeros(_context: Any, _word: Any) -> Any:
    whole: Any = types.int64
    signature = whole(whole)

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return signature, generate


def _population(_context: Any, _word: Any) -> Any:
    whole: Any = types.int64
    signature = whole(whole)

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return signature, generate


lowest: Any = intrinsic(_trailing_zeros)
"""The number of the lowest bit that is set; 64 if none is."""
size: Any = intrinsic(_population)
"""How many bits are set."""


@inlined
def next_after(seats: int, seat: int) -> int:
    """The first of these seats clockwise from the one after `seat`. There must be one."""
    higher = (seats >> (seat + 1)) << (seat + 1)
    found: int = lowest(int64(higher)) if higher else lowest(int64(seats))
    return found


@inlined
def several(seats: int) -> bool:
    """Whether there are at least two."""
    return (seats & (seats - 1)) != 0


@inlined
def nth(bits: int, place: int) -> int:
    """The number of the bit that is set at this place from the lowest, from 0."""
    for _ in range(place):
        bits &= bits - 1
    found: int = lowest(int64(bits))
    return found
