"""An expected failure is a value: a code that programs read, and the facts that a message needs."""

from enum import StrEnum
from typing import TypeAlias

import msgspec

Fact: TypeAlias = int | float | str | tuple[int, ...] | tuple[str, ...]


class Refusal(msgspec.Struct, frozen=True):
    """Why something was not done. Nothing changed.

    `code` is UPPER_SNAKE and has a message in every language (`locales`); `facts` fill that message in.
    """

    code: str
    facts: dict[str, Fact] = {}


class Code(StrEnum):
    """Codes that any game may use. A game's own codes stand in its folder."""

    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    NOT_OFFERED = "NOT_OFFERED"
    ROUND_OVER = "ROUND_OVER"
    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    WRONG_SEAT_COUNT = "WRONG_SEAT_COUNT"
    NOT_BETWEEN_ROUNDS = "NOT_BETWEEN_ROUNDS"


class OptionError(ValueError):
    """Rules or a setup that cannot be played. `refusal` says what is wrong with which, in code and facts."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        facts = ", ".join(f"{name}={value}" for name, value in refusal.facts.items())
        super().__init__(f"{refusal.code}: {facts}")
