"""Practice at blackjack: hands to decide, the exact cost of each decision, and more of the hands that went wrong.

Values come from the exact solution. Hands are drilled by their place in the strategy table, such as hard 16 against a
ten. A wrong decision makes that place four times as likely, a right one half as likely, within bounds.
"""

import random
from typing import Final

import msgspec

from croupier.lab.blackjack.solve import NAMES, Cell, Solution, Values
from croupier.lab.practice import Record

PLAYS: Final = ("hit", "stand", "double", "split", "surrender")


class Question(msgspec.Struct, frozen=True):
    """A hand to decide: cards as in `A72`, the upcard, and what every allowed play is worth."""

    cards: str
    up: str
    kind: str
    total: int
    values: dict[str, float]
    best: str

    @property
    def place(self) -> str:
        """Its place in the strategy table: kind, total or pair, upcard."""
        return f"{self.kind} {self.cards[0] if self.kind == 'pairs' else self.total} {self.up}"

    def cost(self, play: str) -> float:
        """How much a play loses against the best one."""
        return max(0.0, self.values[self.best] - self.values[play]) if play != self.best else 0.0


class Trainer:
    """Deals hands of one rule set and keeps a person's record."""

    def __init__(self, solution: Solution, record: Record, seed: int | None = None) -> None:
        self.record = record
        self._solution = solution
        self._chance = random.Random(seed)
        rules = solution.prepared.rules
        self._ace_eleven = rules.ace == "best"
        self._deck = {name: rules.decks * (16 if name == "T" else 4) for name in NAMES}
        cells = [cell for cell in solution.cells if self._total(cell.cards)[0] < 21]
        self._first = [self._question(cell.cards, cell.up, cell) for cell in cells]
        self._chances = [self._ways(cell) for cell in cells]

    def deal(self) -> Question:
        """Deal first cards; places that went wrong come more often."""
        weights = [
            chance * self.record.weights.get(question.place, 1.0)
            for chance, question in zip(self._chances, self._first, strict=True)
        ]
        return self._chance.choices(self._first, weights)[0]

    def draw(self, question: Question) -> Question | int:
        """The hand after a hit: the next question, or the total if nothing is left to decide."""
        left = self._deck.copy()
        for card in question.cards + question.up:
            left[card] -= 1
        cards = question.cards + self._chance.choices(list(left), list(left.values()))[0]
        total, _ = self._total(cards)
        if total >= 21:
            return total
        return self._question(cards, question.up, self._solution.hand(cards, question.up))

    def answer(self, question: Question, play: str) -> float:
        """Record a decision and return its cost."""
        cost = question.cost(play)
        self.record.note(question.place, cost)
        return cost

    def _question(self, cards: str, up: str, values: Values) -> Question:
        total, soft = self._total(cards)
        kind = "pairs" if len(cards) == 2 and cards[0] == cards[1] else "soft" if soft else "hard"
        allowed = {play: getattr(values, play) for play in PLAYS if getattr(values, play) is not None}
        return Question(cards, up, kind, total, allowed, values.best)

    def _total(self, cards: str) -> tuple[int, bool]:
        hard = sum(NAMES.index(card) + 1 for card in cards)
        soft = self._ace_eleven and "A" in cards and hard <= 11
        return hard + 10 * soft, soft

    def _ways(self, cell: Cell) -> float:
        """The relative frequency of these first cards against this upcard."""
        left, ways = self._deck.copy(), 1 if cell.cards[0] == cell.cards[1] else 2
        for card in cell.up + cell.cards:
            ways *= left[card]
            left[card] -= 1
        return ways
