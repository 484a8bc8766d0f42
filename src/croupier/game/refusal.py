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
    BAD_OPTION = "BAD_OPTION"
    UNKNOWN_OPTION = "UNKNOWN_OPTION"
    OPTIONS_CLASH = "OPTIONS_CLASH"


class OptionError(ValueError):
    """Rules or a setup that cannot be played. `refusal` names the option and what is wrong with it."""

    def __init__(self, refusal: Refusal, sentence: str = "") -> None:
        self.refusal = refusal
        super().__init__(f"{sentence or _sentence(refusal)} ({refusal.code})")


def _sentence(refusal: Refusal) -> str:
    """A refusal for a programmer, in English; players get theirs from the catalogue, in their language."""
    facts = refusal.facts
    match refusal.code:
        case Code.BAD_OPTION:
            return f"{facts['option']}={facts['value']} is not possible; allowed: {facts['allowed']}"
        case Code.UNKNOWN_OPTION:
            return f"there is no option {facts['option']}; there are: {facts['allowed']}"
        case Code.OPTIONS_CLASH:
            first, second = facts["first"], facts["second"]
            return f"{first}={facts['firstValue']} does not go together with {second}={facts['secondValue']}"
    said = ", ".join(f"{name}={value}" for name, value in facts.items())
    return f"the rules refuse it: {said}" if said else "the rules refuse it"
