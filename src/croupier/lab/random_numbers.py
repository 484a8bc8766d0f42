"""Random numbers for the kernels: two generators, unbiased whole numbers below a bound, and draws by weight.

xoshiro256++ keeps its state in an array of four 64-bit words; the blackjack kernels use it. SplitMix64 has one word of
state, which a kernel keeps in a register; the poker kernels use it. A generator is seeded by a seed and a block number
alone, so a block's numbers do not depend on the machine, the thread or the blocks before it.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]  # llvmlite carries no types
from numba import int64, types, uint64
from numba.extending import intrinsic

from croupier.lab.compiler import inlined, kernel

Words = npt.NDArray[np.uint64]

GOLDEN_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MIX: Final = np.uint64(0x94D049BB133111EB)
HALF: Final = np.uint64(32)
LOW_HALF: Final = np.uint64(0xFFFFFFFF)


def seeded(seed: int, *place: int) -> Words:
    """The xoshiro256++ generator for a seed and a place, such as `(block,)`. Places and seeds are independent."""
    return np.random.SeedSequence(seed, spawn_key=place).generate_state(4, np.uint64).astype(np.uint64)


def _wide_product(_context: Any, _left: Any, _right: Any) -> Any:
    word: Any = types.uint64
    pair_of: Any = types.Tuple
    signature = pair_of((word, word))(word, word)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, narrow = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), narrow)
        return context.make_tuple(builder, signature.return_type, (high, builder.trunc(product, narrow)))

    return signature, generate


wide_product: Any = intrinsic(_wide_product)
"""The 128-bit product of two 64-bit words, as its high and its low word: one machine instruction."""


@inlined
def next_word(generator: Words) -> Any:
    """64 random bits."""
    first, second, third, fourth = generator[0], generator[1], generator[2], generator[3]
    both = first + fourth
    result = ((both << uint64(23)) | (both >> uint64(41))) + first
    shifted = second << uint64(17)
    third ^= first
    fourth ^= second
    generator[1] = second ^ third
    generator[0] = first ^ fourth
    generator[2] = third ^ shifted
    generator[3] = (fourth << uint64(45)) | (fourth >> uint64(19))
    return result


@inlined
def fill(generator: Words, buffer: Words, count: int) -> None:
    """Write the next `count` words into a buffer. Meanwhile the generator's state stays in registers."""
    first, second, third, fourth = generator[0], generator[1], generator[2], generator[3]
    for index in range(count):
        both = first + fourth
        buffer[index] = ((both << uint64(23)) | (both >> uint64(41))) + first
        shifted = second << uint64(17)
        third ^= first
        fourth ^= second
        second ^= third
        first ^= fourth
        third ^= shifted
        fourth = (fourth << uint64(45)) | (fourth >> uint64(19))
    generator[0], generator[1], generator[2], generator[3] = first, second, third, fourth


@inlined
def below(generator: Words, bound: int) -> int:
    """A number from 0 to `bound` - 1; all are exactly equally likely.

    The result is the high word of word × bound. Some results would have one word more than others. The low word shows
    these surplus words, and they are drawn again.
    """
    limit = uint64(bound)
    high, low = wide_product(next_word(generator), limit)
    if low < limit:
        surplus = (uint64(0) - limit) % limit
        while low < surplus:
            high, low = wide_product(next_word(generator), limit)
    number: int = int64(high)
    return number


@inlined
def mix(word: Any) -> Any:
    """SplitMix64's finalizer: every bit of the result depends on every bit of the word."""
    word = (word ^ (word >> uint64(30))) * FIRST_MIX
    word = (word ^ (word >> uint64(27))) * SECOND_MIX
    return word ^ (word >> uint64(31))


@kernel
def reseed(generator: Words, key: Any, place: int) -> None:
    """Seed a generator for one place within a block, by SplitMix64 from the block's key."""
    state = mix(key + uint64(place) * GOLDEN_STEP)
    for index in range(4):
        state += GOLDEN_STEP
        generator[index] = mix(state)


@inlined
def block_state(seed: Any, block: int) -> Any:
    """The SplitMix64 state at the beginning of a block."""
    return mix(mix(seed + GOLDEN_STEP) ^ (uint64(block) + uint64(1)) * GOLDEN_STEP)


@kernel
def draw_below(state: Any, bound: int) -> Any:
    """From a SplitMix64 state: the next state, a number below `bound`, and 32 more random bits.

    All numbers are equally likely. A 32-bit word times the bound gives the number; the few products whose low half is
    under 2^32 mod bound are drawn again, so that each number has equally many.
    """
    limit = uint64(bound)
    while True:
        state += GOLDEN_STEP
        word = mix(state)
        product = (word >> HALF) * limit
        low = product & LOW_HALF
        if low >= limit or low >= (LOW_HALF + uint64(1) - limit) % limit:
            return state, int64(product >> HALF), word & LOW_HALF


def alias_table(weights: Sequence[int], columns: int) -> tuple[list[int], list[int]]:
    """Walker's tables for drawing by weight, exact: a height and an alias for each of `columns` columns.

    Draw a column, then a number below the sum of the weights. A number under the column's height stands for the column
    itself, any other for its alias. There must be at least as many columns as weights.
    """
    total = sum(weights)
    heights = [weight * columns for weight in weights] + [0] * (columns - len(weights))
    aliases = list(range(columns))
    low = [column for column, height in enumerate(heights) if height < total]
    high = [column for column, height in enumerate(heights) if height >= total]
    while low:
        column, donor = low.pop(), high[-1]
        aliases[column] = donor
        heights[donor] -= total - heights[column]
        if heights[donor] < total:
            low.append(high.pop())
    assert all(heights[column] == total for column in high), "the heights are whole numbers: nothing is left over"
    return heights, aliases
