"""Random numbers inside the kernels: xoshiro256++, and whole numbers below a bound without any bias.

A generator is an array of four 64-bit words. `seeded` makes one for a place in a simulation, so that the numbers of one
block never depend on who runs it or on what ran before.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]  # llvmlite carries no types
from numba import int64, types, uint64
from numba.extending import intrinsic

from croupier.lab.compiling import inlined, kernel

Words = npt.NDArray[np.uint64]

GOLDEN_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MIX: Final = np.uint64(0x94D049BB133111EB)


def seeded(seed: int, *place: int) -> Words:
    """The generator for a place, like (block,): independent of those of all other seeds and places."""
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
    """The next `count` words into a buffer; the generator's state stays in registers meanwhile."""
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
    """A number from 0 to `bound` - 1, each exactly as likely as any other.

    The high word of word × bound is such a number, except that some results would come once more often than others;
    the low word tells those surplus cases, which are drawn again.
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
    """Scatters the bits of a word over the whole word: splitmix64's finish."""
    word = (word ^ (word >> uint64(30))) * FIRST_MIX
    word = (word ^ (word >> uint64(27))) * SECOND_MIX
    return word ^ (word >> uint64(31))


@kernel
def reseed(generator: Words, key: Any, place: int) -> None:
    """Sets a generator for one place within a block, by splitmix64 from the block's key."""
    state = mix(key + uint64(place) * GOLDEN_STEP)
    for index in range(4):
        state += GOLDEN_STEP
        generator[index] = mix(state)
