"""Every option of Hold'em in one frozen value. Choices where house rules differ:

- An ante of every seat counts towards the pots like a bet, so who could pay only a part of it competes for that part
  of the others' antes. The ante that the big blind pays for the table is dead money in the main pot, whoever is in.
- An ante is paid before a blind.
- Odd chips of a split pot go one each to its winners in order from the left of the button, or, by option and in
  edition 1, all to the first of them.
- Players who go out in one hand with equal stacks share the place.
"""

from enum import StrEnum
from typing import Final

import msgspec

from croupier.game.refusal import OptionError, Refusal
from croupier.games.poker.rules.actions import HoldemCode

EDITION: Final = 2
"""The newest behaviour. 2: odd chips of a split pot go one each to its winners."""
CHIPS_MAX: Final = 10**14
"""More than any table has, and every sum of stacks is still exact in the floating point of a browser."""
DOUBLINGS_MAX: Final = 30
"""From here on the blinds stay: they are a thousand million times the first ones."""
HANDS_PER_LEVEL: Final = 10
LEVELS_MAX: Final = 100


class Mode(StrEnum):
    """A tournament ends when one player has all the chips; in a cash game people buy chips, sit out and go."""

    TOURNAMENT = "tournament"
    CASH = "cash"


_CASH: Final = Mode.CASH


class AnteFrom(StrEnum):
    """Who pays the ante: every seat, or the big blind, one ante for the whole table."""

    EACH = "each"
    BIG_BLIND = "big_blind"


class OddChips(StrEnum):
    """Who gets the odd chips of a split pot: the winners one each from the left of the button, or the first of them."""

    EACH = "each"
    FIRST = "first"


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The blinds and the ante of one level."""

    small_blind: int
    big_blind: int
    ante: int = 0


class HoldemOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is decided before the first hand. Options that contradict each other raise `OptionError`, naming both."""

    edition: int = 1
    mode: Mode = Mode.TOURNAMENT
    stack_chips: int = 1000
    """What every seat starts with."""
    small_blind: int = 5
    big_blind: int = 10
    ante: int = 0
    ante_from: AnteFrom = AnteFrom.EACH
    hands_per_level: int | None = None
    """How many hands a level lasts; 10 in a tournament if not said, and never in a cash game."""
    levels: tuple[Level, ...] = ()
    """A written schedule; its last level stays. Without it, blinds and ante double from level to level."""
    odd_chips: OddChips = OddChips.FIRST
    top_up_to_chips: int | None = None
    """In a cash game, the most that buying chips may bring a stack to; if not said, `stack_chips`."""

    def __post_init__(self) -> None:
        self._check_range("edition", 1, EDITION)
        for option, low in (("stack_chips", 1), ("small_blind", 0), ("big_blind", 1), ("ante", 0)):
            self._check_range(option, low, CHIPS_MAX)
        if self.hands_per_level is not None:
            self._check_range("hands_per_level", 1, 10_000)
        if self.top_up_to_chips is not None:
            self._check_range("top_up_to_chips", 1, CHIPS_MAX)
        if len(self.levels) > LEVELS_MAX:
            raise self._wrong("levels", f"0–{LEVELS_MAX}")
        cash = self.mode is Mode.CASH
        levels = self.levels or (Level(self.small_blind, self.big_blind, self.ante),)
        clashes = (
            ("small_blind", "big_blind", self.small_blind > self.big_blind),
            ("stack_chips", "big_blind", self.stack_chips < self.big_blind),
            ("ante", "ante_from", self.ante_from is AnteFrom.BIG_BLIND and not any(level.ante for level in levels)),
            ("ante", "levels", bool(self.ante and self.levels)),
            ("edition", "odd_chips", self.edition == 1 and self.odd_chips is not OddChips.FIRST),
            ("mode", "hands_per_level", cash and self.hands_per_level is not None),
            ("mode", "levels", cash and bool(self.levels)),
            ("mode", "top_up_to_chips", not cash and self.top_up_to_chips is not None),
            ("stack_chips", "top_up_to_chips", cash and self.stack_chips > self.top_up_limit_chips),
        )
        for first, second, clash in clashes:
            if clash:
                facts = {"first": first, "firstValue": str(getattr(self, first))}
                facts |= {"second": second, "secondValue": str(getattr(self, second))}
                raise OptionError(Refusal(HoldemCode.OPTIONS_CLASH, {**facts}))
        for level in self.levels:
            if not (0 <= level.small_blind <= level.big_blind <= CHIPS_MAX and level.big_blind and level.ante >= 0):
                raise self._wrong("levels", "0 ≤ small_blind ≤ big_blind, 0 < big_blind, 0 ≤ ante")

    @property
    def top_up_limit_chips(self) -> int:
        """The most that buying chips may bring a stack to."""
        return self.stack_chips if self.top_up_to_chips is None else self.top_up_to_chips

    @property
    def level_hands(self) -> int:
        """How many hands a level lasts; 0 where there are no levels."""
        return 0 if self.mode is _CASH else self.hands_per_level or HANDS_PER_LEVEL

    def level_number(self, hand: int) -> int:
        """The level of the hand with this number (both from 1); 0 where there are no levels."""
        level_hands = self.level_hands
        return (hand - 1) // level_hands + 1 if level_hands else 0

    def level(self, number: int) -> Level:
        """The blinds and the ante of the level with this number."""
        if not number:
            return Level(self.small_blind, self.big_blind, self.ante)
        if self.levels:
            return self.levels[min(number, len(self.levels)) - 1]
        times = 2 ** min(number - 1, DOUBLINGS_MAX)
        return Level(self.small_blind * times, self.big_blind * times, self.ante * times)

    def _check_range(self, option: str, low: int, high: int) -> None:
        if not low <= getattr(self, option) <= high:
            raise self._wrong(option, f"{low}–{high}")

    def _wrong(self, option: str, allowed: str) -> OptionError:
        facts = {"option": option, "value": str(getattr(self, option)), "allowed": allowed}
        return OptionError(Refusal(HoldemCode.BAD_OPTION, {**facts}))
