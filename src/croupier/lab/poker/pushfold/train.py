"""Practice at push or fold: hands of a solved spot to decide, and what each decision costs.

Decisions come as often as in play, hands near the edge of a range more often than clear ones.
"""

import random
from typing import Final

import msgspec

from croupier.lab.poker.hand_classes import HANDS
from croupier.lab.poker.pushfold.solve import Solution, unit
from croupier.lab.practice import Record

EQUAL_WITHIN: Final = 0.001
"""Choices that differ by less than this, in the unit of the gains, are equally good."""
EDGE: Final = 0.2
"""A hand whose choices differ by this much comes half as often as one where they are equal."""


class Question(msgspec.Struct, frozen=True):
    """A hand to decide: who sits where, who is all-in before, and what the two choices are worth."""

    seat: str
    after: tuple[str, ...]
    hand: str
    frequency: float
    values: dict[str, float]
    equal_within: float

    @property
    def place(self) -> str:
        return " ".join((self.seat, *self.after, self.hand))

    @property
    def best(self) -> str:
        return max(self.values, key=lambda choice: self.values[choice])

    def cost(self, choice: str) -> float:
        """What a choice loses against the best one; nothing if they are as good as equal."""
        lost = self.values[self.best] - self.values[choice]
        return lost if lost > self.equal_within else 0.0


class Trainer:
    """Deals hands of one solution and keeps a person's record."""

    def __init__(self, solution: Solution, record: Record, seed: int | None = None) -> None:
        self.record = record
        self._chance = random.Random(seed)
        self._questions: list[Question] = []
        self._chances: list[float] = []
        seats, size = solution.spot.seats, unit(solution.spot)
        for each in solution.decisions:
            if len(each.after) > 1:
                continue
            after = tuple(seats[seat] for seat in each.after)
            all_in = "call" if after else "push"
            figures = zip(HANDS, each.frequencies, each.go, each.fold, each.reach, strict=True)
            for hand, often, go, fold, reach in figures:
                values = {all_in: go, "fold": fold}
                self._questions.append(Question(seats[each.seat], after, hand, often, values, EQUAL_WITHIN * size))
                self._chances.append(reach * EDGE / (EDGE + abs(go - fold) / size))

    def deal(self) -> Question:
        """Deal a hand; decisions that went wrong come more often."""
        weights = [
            chance * self.record.weights.get(question.place, 1.0)
            for chance, question in zip(self._chances, self._questions, strict=True)
        ]
        return self._chance.choices(self._questions, weights)[0]

    def answer(self, question: Question, choice: str) -> float:
        """Record a decision and return its cost."""
        cost = question.cost(choice)
        self.record.note(question.place, cost)
        return cost
