"""Sizes of bets and raises in their notation, and the chips that they mean.

| written | a bet of | a raise to |
| --- | --- | --- |
| `50%` | half the pot | the bet faced and half the pot after a call |
| `2.5x` | – | 2.5 times the bet faced |
| `20c` | 20 chips | 20 chips |
| `a` | all chips | all chips |

Amounts are those of one street. They are rounded half up to whole chips. A bet is at least 1, a raise at least as large
as the last bet or raise. An amount that reaches the stack is all-in. Equal amounts count once.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.lab.poker.solver.errors import SolveError

Unit: TypeAlias = Literal["%", "x", "c", "a"]

SIZES_MAX: Final = 8
"""The most sizes of one list."""
_WRITTEN: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([%xc])", re.ASCII | re.IGNORECASE)


class Size(msgspec.Struct, frozen=True):
    """One size: an amount in its unit."""

    unit: Unit
    amount: Fraction = Fraction(0)

    def __str__(self) -> str:
        if self.unit == "a":
            return "a"
        share = self.amount * 100 if self.unit == "%" else self.amount
        return f"{float(share):.12g}{self.unit}"


def parse_sizes(text: str, *, raises: bool) -> tuple[Size, ...]:
    """Read a list of sizes; blank means none. Raises SolveError that names the first size that cannot be read."""
    words = text.replace(",", " ").split()
    if len(words) > SIZES_MAX:
        raise SolveError("SOLVE_SIZES_MANY", count=len(words), limit=SIZES_MAX)
    return tuple(_size(word, raises) for word in words)


def _size(word: str, raises: bool) -> Size:
    if word.lower() in {"a", "all-in", "allin"}:
        return Size("a")
    found = _WRITTEN.fullmatch(word)
    if not found or not Fraction(found[1]):
        raise SolveError("SOLVE_SIZE", size=word)
    match found[2].lower():
        case "%":
            return Size("%", Fraction(found[1]) / 100)
        case "c":
            return Size("c", Fraction(found[1]))
        case _:
            if not raises:
                raise SolveError("SOLVE_SIZE_BET", size=word)
            return Size("x", Fraction(found[1]))


def half_up(amount: Fraction) -> int:
    return floor(amount + Fraction(1, 2))


def amounts(sizes: Sequence[Size], *, pot: int, faced: int, least: int, stack: int) -> tuple[int, ...]:
    """The chips that a player can bet or raise to on a street, in rising order.

    `pot` is the pot after a call, `faced` the bet to be raised, or 0. `least` is the smallest legal amount, `stack`
    what a player has for the street: that much is all-in.
    """
    found = set()
    for size in sizes:
        match size.unit:
            case "%":
                wanted = half_up(faced + size.amount * pot)
            case "x":
                wanted = half_up(size.amount * faced)
            case "c":
                wanted = half_up(size.amount)
            case "a":
                wanted = stack
        found.add(min(max(wanted, least), stack))
    return tuple(sorted(found))
