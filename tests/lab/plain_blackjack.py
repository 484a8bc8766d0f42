"""Blackjack computed the slow and obvious way, sharing no code with the solver: nature holds a real hole card.

Cards are points, ace 1 to ten 10; a shoe is a tuple of ten counts. Nothing here uses that cards are exchangeable:
the hole card is dealt before the player plays, and hands from a split are played out one after the other.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from croupier.games.blackjack import BlackjackRules
from croupier.lab.blackjack.strategy import StrategyTable

Shoe = tuple[int, ...]
Cards = tuple[int, ...]
Policy = Callable[[Cards, int, bool, bool], str]
"""What to do with (sorted cards, upcard, is it from a split, may it be split): hit stand double split surrender."""


def worth(cards: Cards, ace: str) -> tuple[int, bool]:
    """The best total, and whether it is soft."""
    hard = sum(cards)
    soft = ace == "best" and 1 in cards and hard + 10 <= 21
    return (hard + 10, True) if soft else (hard, False)


def without(shoe: Shoe, *cards: int) -> Shoe:
    counts = list(shoe)
    for card in cards:
        counts[card - 1] -= 1
        assert counts[card - 1] >= 0
    return tuple(counts)


def draws(shoe: Shoe) -> Iterator[tuple[int, float]]:
    size = sum(shoe)
    for card in range(1, 11):
        if shoe[card - 1]:
            yield card, shoe[card - 1] / size


def may_double(rules: BlackjackRules, split: bool) -> Callable[[Cards], bool]:
    def allowed(cards: Cards) -> bool:
        if rules.double == "no" or len(cards) != 2 or (split and not rules.double_after_split):
            return False
        total = worth(cards, rules.ace)[0]
        return total < 21 and (rules.double == "any" or 9 <= total <= 11)

    return allowed


def by_table(rules: BlackjackRules, table: StrategyTable) -> Policy:
    """Plays a strategy table as its documentation says."""
    names = "?A23456789T"

    def policy(cards: Cards, up: int, split: bool, may_split: bool) -> str:
        total, soft = worth(cards, rules.ace)
        by_total = table.play("soft" if soft else "hard", str(total), names[up])
        entry = by_total
        if len(cards) == 2 and cards[0] == cards[1]:
            entry = table.play("pairs", names[cards[0]], names[up])
        may_surrender = rules.surrender != "no" and len(cards) == 2 and not split
        if entry.startswith("R") and may_surrender:
            return "surrender"
        if entry in ("P", "Rp") and may_split:
            return "split"
        if entry in ("P", "Rp", "-"):
            entry = by_total
            if entry.startswith("R") and may_surrender:
                return "surrender"
        if entry.startswith("D") and may_double(rules, split)(cards):
            return "double"
        return "hit" if entry in ("H", "D", "R") else "stand"

    return policy


class Plain:
    """One rule set, with any shoe."""

    def __init__(self, rules: BlackjackRules, shoe: Shoe) -> None:
        self.rules = rules
        self.shoe = shoe
        self._dealer = lru_cache(maxsize=None)(self._dealer_uncached)
        self.hands = lru_cache(maxsize=None)(self._hands_uncached)
        self.policy: Policy = lambda cards, up, split, may_split: "stand"

    def is_blackjack(self, cards: Cards) -> bool:
        return self.rules.has_blackjack and sorted(cards) == [1, 10]

    def _dealer_uncached(self, cards: Cards, shoe: Shoe) -> dict[int, float]:
        """The dealer's totals and their chances, 22 for any bust, from the two cards on."""
        total, soft = worth(cards, self.rules.ace)
        draw = total < self.rules.dealer_stands_on or (self.rules.dealer_hits_soft_17 and soft and total == 17)
        if total > 21:
            return {22: 1.0}
        if not draw or self.is_blackjack(cards):
            return {total: 1.0}
        found: dict[int, float] = {}
        for card, chance in draws(shoe):
            for end, part in self._dealer(tuple(sorted((*cards, card))), without(shoe, card)).items():
                found[end] = found.get(end, 0.0) + chance * part
        return found

    def against_dealer(self, totals: tuple[tuple[int, int], ...], up: int, hole: int, shoe: Shoe) -> float:
        """What hands of (total, bet) win together; a total over 21 has lost."""
        won = float(-sum(bet for total, bet in totals if total > 21))
        if self.is_blackjack((up, hole)):
            return -1.0 if self.rules.original_bets_only else -float(sum(bet for _, bet in totals))
        for end, chance in self._dealer(tuple(sorted((up, hole))), shoe).items():
            for total, bet in totals:
                if total <= 21:
                    won += chance * bet * (1 if end > 21 or total > end else -1 if total < end else 0)
        return won

    def round(self, policy: Policy) -> tuple[float, float]:
        """What a whole round wins and stakes on average by a policy."""
        self.policy = policy
        self.hands.cache_clear()
        won = staked = 0.0
        for first, p1 in draws(self.shoe):
            for up, p2 in draws(without(self.shoe, first)):
                for second, p3 in draws(without(self.shoe, first, up)):
                    for hole, p4 in draws(without(self.shoe, first, up, second)):
                        shoe = without(self.shoe, first, up, second, hole)
                        value, stake = self.deal(tuple(sorted((first, second))), up, hole, shoe)
                        won += p1 * p2 * p3 * p4 * value
                        staked += p1 * p2 * p3 * p4 * stake
        return won, staked

    def deal(self, cards: Cards, up: int, hole: int, shoe: Shoe) -> tuple[float, float]:
        """A round with these first cards and hole card."""
        dealer = self.is_blackjack((up, hole))
        if self.is_blackjack(cards):
            numerator, denominator = self.rules.blackjack_ratio
            return (0.0 if dealer else numerator / denominator), 1.0
        play = self.policy(cards, up, False, self.may_split(cards, 1, False))
        if worth(cards, self.rules.ace)[0] == 21:
            play = "stand"
        if play == "surrender":
            return (-0.5 if self.rules.surrender == "early" or not dealer else -1.0), 1.0
        if dealer and self.rules.peek:
            return -1.0, 1.0
        if play == "split":
            return self.hands(cards[0], (), ((cards[0],), (cards[0],)), up, hole, shoe)
        if play == "double":
            value = 0.0
            for card, chance in draws(shoe):
                total = worth((*cards, card), self.rules.ace)[0]
                value += chance * self.against_dealer(((total, 2),), up, hole, without(shoe, card))
            return value, 2.0
        return self._play(cards, play, up, hole, shoe), 1.0

    def _play(self, cards: Cards, play: str, up: int, hole: int, shoe: Shoe) -> float:
        total = worth(cards, self.rules.ace)[0]
        if play == "stand" or total >= 21:
            return self.against_dealer(((total, 1),), up, hole, shoe)
        value = 0.0
        for card, chance in draws(shoe):
            longer = tuple(sorted((*cards, card)))
            value += chance * self._play(longer, self._past(longer, up, False), up, hole, without(shoe, card))
        return value

    def _past(self, cards: Cards, up: int, split: bool) -> str:
        return "stand" if worth(cards, self.rules.ace)[0] >= 21 else self.policy(cards, up, split, False)

    def may_split(self, cards: Cards, hands: int, from_split: bool) -> bool:
        if len(cards) != 2 or cards[0] != cards[1] or hands >= self.rules.hands_max:
            return False
        return not (from_split and cards[0] == 1 and not self.rules.resplit_aces)

    def _hands_uncached(
        self, pair: int, done: tuple[tuple[int, int], ...], waiting: tuple[Cards, ...], up: int, hole: int, shoe: Shoe
    ) -> tuple[float, float]:
        """Hands from splits of a pair, played one after the other: (total, bet) of those done, cards of the others."""
        if not waiting:
            return self.against_dealer(done, up, hole, shoe), float(sum(bet for _, bet in done))
        cards, rest = waiting[0], waiting[1:]
        if self.may_split(cards, len(done) + len(waiting), True):
            return self.hands(pair, done, ((pair,), (pair,), *rest), up, hole, shoe)
        total = worth(cards, self.rules.ace)[0]
        play = "hit"
        if len(cards) > 1:
            closed = pair == 1 and not self.rules.hit_split_aces
            play = "stand" if closed or total >= 21 else self.policy(cards, up, True, False)
        if play == "stand":
            return self.hands(pair, tuple(sorted((*done, (total, 1)))), rest, up, hole, shoe)
        won = staked = 0.0
        for card, chance in draws(shoe):
            longer, left = tuple(sorted((*cards, card))), without(shoe, card)
            if play == "double":
                ended = tuple(sorted((*done, (worth(longer, self.rules.ace)[0], 2))))
                value, stake = self.hands(pair, ended, rest, up, hole, left)
            else:
                value, stake = self.hands(pair, done, (longer, *rest), up, hole, left)
            won += chance * value
            staked += chance * stake
        return won, staked


class Seeing:
    """The best play of one hand by its cards, by what a player knows: draws and hole card conditioned on the peek."""

    def __init__(self, plain: Plain, up: int, shoe: Shoe, double: Callable[[Cards], bool]) -> None:
        self.plain = plain
        self.rules = plain.rules
        self.up = up
        self.shoe = shoe
        """What the player has not seen when the hand is empty, the hole card included."""
        self.may_double = double
        self.values = lru_cache(maxsize=None)(self._values_uncached)

    def unseen(self, cards: Cards) -> Shoe:
        return without(self.shoe, *cards)

    def holes(self, cards: Cards) -> list[tuple[int, float]]:
        """The hole card's chances as the player sees them."""
        unseen = self.unseen(cards)
        possible = {
            card: count
            for card, count in enumerate(unseen, 1)
            if count and not (self.rules.peek and self.plain.is_blackjack((self.up, card)))
        }
        return [(card, count / sum(possible.values())) for card, count in possible.items()]

    def next_cards(self, cards: Cards) -> dict[int, float]:
        found: dict[int, float] = {}
        for hole, chance in self.holes(cards):
            for card, part in draws(without(self.unseen(cards), hole)):
                found[card] = found.get(card, 0.0) + chance * part
        return found

    def stand(self, cards: Cards, bet: int = 1) -> float:
        total = worth(cards, self.rules.ace)[0]
        return sum(
            chance * self.plain.against_dealer(((total, bet),), self.up, hole, without(self.unseen(cards), hole))
            for hole, chance in self.holes(cards)
        )

    def _values_uncached(self, cards: Cards) -> dict[str, float]:
        values = {"stand": self.stand(cards)}
        if worth(cards, self.rules.ace)[0] >= 21:
            return values
        longer = {tuple(sorted((*cards, card))): chance for card, chance in self.next_cards(cards).items()}
        values["hit"] = sum(chance * self.best(hand) for hand, chance in longer.items())
        if self.may_double(cards):
            values["double"] = sum(chance * self.stand(hand, 2) for hand, chance in longer.items())
        return values

    def best(self, cards: Cards) -> float:
        return max(self.values(cards).values())

    def play(self, cards: Cards) -> str:
        values = self.values(cards)
        return max(values, key=lambda name: values[name])
