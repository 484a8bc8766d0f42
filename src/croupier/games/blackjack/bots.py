"""The bots of blackjack: basic strategy for whatever rules they are given, with the lowest bet or bets like people's.

The value of each play is computed from the rules, once for each upcard. The shoe is taken as endless, less the upcard,
and a hand is judged by its total, as on a basic strategy card. Exact figures belong to the lab; a test holds these bots
to within 0.05 % of them.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import inf
from random import Random
from typing import Final, TypeAlias, assert_never

from croupier.cards import Card
from croupier.game.game import Offer
from croupier.game.policy import Factory
from croupier.games.blackjack import BlackjackRules, BlackjackView
from croupier.games.blackjack.rules.actions import (
    BlackjackAction,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from croupier.games.blackjack.rules.hands import POINTS, TARGET

Points: TypeAlias = tuple[int, ...]
"""The values of the cards in a hand, an ace 1."""

ACE: Final = 1
TEN: Final = 10
CARD_POINTS: Final = range(ACE, TEN + 1)
BUST: Final = 0
"""Among the totals at which a dealer can end: more than 21, which every standing hand beats."""
BLACKJACK: Final = TARGET + 1
"""Among the same totals: a blackjack, which beats every 21."""
COLUMNS_CACHED_MAX: Final = 2_000
USUAL_SHARES: Final = (0.01, 0.02, 0.025, 0.05)
"""The shares of their chips that regulars bet; each has one."""
MOODS: Final = (0.5, 1.0, 1.0, 1.0, 1.5, 2.0)
ROUND_TO: Final = ((5, 100), (25, 1_000), (100, inf))
"""The chip in which bets below a bound are made."""


class BasicPolicy:
    """Bets the minimum, never insures, and makes the play with the highest value."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._rules = rules

    def __call__(self, view: BlackjackView, menu: tuple[Offer[BlackjackAction], ...], /) -> BlackjackAction:
        first = menu[0]
        if isinstance(first.action, PlaceBet):
            return first.choose(self._bet(view, first.low, first.high)) if first.low <= first.high else SitOut()
        against = column(self._rules, points(view.dealer.cards))
        assert view.you is not None, "a bot has a seat"
        held = points(view.seats[view.you].hands[view.active_hand or 0].cards)
        if view.active_hand is None:
            gives_up = any(isinstance(offer.action, Surrender) for offer in menu)
            return Surrender() if gives_up and against.early_surrender_pays(held) else Insurance(take=False)
        return max((offer.action for offer in menu), key=lambda action: against.worth(held, action))

    def _bet(self, view: BlackjackView, low: int, high: int) -> int:
        return low


class RegularPolicy(BasicPolicy):
    """Plays the same, and bets as people do: a small and varying share of the chips, in round numbers."""

    def __init__(self, random: Random, rules: BlackjackRules) -> None:
        super().__init__(rules)
        self._random = random
        self._share = random.choice(USUAL_SHARES)

    def _bet(self, view: BlackjackView, low: int, high: int) -> int:
        assert view.you is not None, "a bot has a seat"
        wanted = (view.seats[view.you].chips or 0) * self._share * self._random.choice(MOODS)
        chip = next(chip for chip, bound in ROUND_TO if wanted < bound)
        return min(max(round(wanted / chip) * chip, low), high)


def points(cards: Iterable[Card]) -> Points:
    return tuple(POINTS[card] for card in cards)


@lru_cache(COLUMNS_CACHED_MAX)
def column(rules: BlackjackRules, shown: Points) -> "Column":
    """The values of all hands against one upcard."""
    return Column(rules, shown)


class Column:
    """The value of each play per chip bet, against one upcard. Where a dealer's blackjack can take no more than the
    first bet, rounds in which the dealer has one are left out: no play changes their cost. Elsewhere they count,
    because doubling and splitting against one cost more.
    """

    def __init__(self, rules: BlackjackRules, shown: Points) -> None:
        self._rules = rules
        self._chances = _chances(rules, shown)
        self._endings: dict[tuple[int, bool], dict[int, float]] = {}
        self._hits: dict[tuple[int, bool], float] = {}
        hidden = {ACE: TEN, TEN: ACE}.get(shown[0]) if len(shown) == 1 and rules.has_blackjack else None
        self._blackjack = self._chances[hidden] if hidden else 0.0
        """How likely the dealer has, or will have, a blackjack."""
        self._blackjack_counts = self._blackjack > 0 and not (rules.peek or rules.original_bets_only)
        self._ends = self._dealer_ends(shown, hidden)

    def worth(self, held: Points, action: BlackjackAction) -> float:
        """The expected value of a hand that makes this play now, and the best ones after it."""
        hard, ace = sum(held), ACE in held
        match action:
            case Stand():
                return self._stand(self._best(hard, ace))
            case Hit():
                return self._hit(hard, ace)
            case Double():
                return self._double(hard, ace)
            case Split():
                return self._split(held[0])
            case Surrender():
                return self._surrender()
            case PlaceBet() | SitOut() | Insurance():
                raise AssertionError("no hand is played so")
            case _:
                assert_never(action)

    def early_surrender_pays(self, held: Points) -> bool:
        """Whether half the bet is less than what the hand can be expected to lose, a dealer's blackjack included."""
        plays: list[BlackjackAction] = [Stand(), Hit(), Double()]
        if held[0] == held[1]:
            plays.append(Split())
        played = max(self.worth(held, play) for play in plays)
        return (1 - self._blackjack) * played - self._blackjack < -0.5

    def _best(self, hard: int, ace: bool) -> int:
        return hard + 10 if ace and self._rules.ace == "best" and hard + 10 <= TARGET else hard

    def _dealer_ends(self, shown: Points, hidden: int | None) -> dict[int, float]:
        """The probability of each final total of the dealer, without blackjacks unless they count."""
        hard, ace = sum(shown), ACE in shown
        if hidden is None:
            return self._dealer(hard, ace)
        ends: dict[int, float] = {BLACKJACK: self._blackjack} if self._blackjack_counts else {}
        others = 1.0 if self._blackjack_counts else 1 - self._blackjack
        for card, chance in self._chances.items():
            if card != hidden:
                _add(ends, self._dealer(hard + card, ace or card == ACE), chance / others)
        return ends

    def _dealer(self, hard: int, ace: bool) -> dict[int, float]:
        if (hard, ace) in self._endings:
            return self._endings[hard, ace]
        best = self._best(hard, ace)
        draws_soft = self._rules.dealer_hits_soft_17 and best == 17 and best != hard
        ends: dict[int, float] = {}
        if best > TARGET:
            ends[BUST] = 1.0
        elif best >= self._rules.dealer_stands_on and not draws_soft:
            ends[best] = 1.0
        else:
            for card, chance in self._chances.items():
                _add(ends, self._dealer(hard + card, ace or card == ACE), chance)
        self._endings[hard, ace] = ends
        return ends

    def _stand(self, best: int) -> float:
        if best > TARGET:
            return -1.0
        return sum(chance * ((end < best) - (end > best)) for end, chance in self._ends.items())

    def _hit(self, hard: int, ace: bool) -> float:
        if (hard, ace) not in self._hits:
            self._hits[hard, ace] = sum(
                chance * self._play(hard + card, ace or card == ACE) for card, chance in self._chances.items()
            )
        return self._hits[hard, ace]

    def _play(self, hard: int, ace: bool) -> float:
        """The better of standing and hitting; 21 always stands."""
        best = self._best(hard, ace)
        return self._stand(best) if best >= TARGET else max(self._stand(best), self._hit(hard, ace))

    def _double(self, hard: int, ace: bool) -> float:
        return 2 * sum(
            chance * self._stand(self._best(hard + card, ace or card == ACE)) for card, chance in self._chances.items()
        )

    def _split(self, card: int) -> float:
        """Two hands that begin with this card and are not split again, which is nearly what further splits bring."""
        rules = self._rules
        one_card = card == ACE and not rules.hit_split_aces
        worth = 0.0
        for second, chance in self._chances.items():
            hard, ace = card + second, ACE in (card, second)
            best = self._best(hard, ace)
            if one_card:
                worth += chance * self._stand(best)
                continue
            plays = [self._play(hard, ace)]
            if rules.double_after_split and (rules.double == "any" or (rules.double == "9-11" and 9 <= best <= 11)):
                plays.append(self._double(hard, ace))
            worth += chance * max(plays)
        return 2 * worth

    def _surrender(self) -> float:
        """Half the bet, on the same scale as the other plays."""
        early = self._rules.surrender == "early"
        if self._blackjack_counts:
            return -0.5 if early else -0.5 - self._blackjack / 2
        if early and not self._rules.peek:
            return (self._blackjack - 0.5) / (1 - self._blackjack)
        return -0.5


def _chances(rules: BlackjackRules, shown: Points) -> dict[int, float]:
    """The probability of each next card: a full shoe without the upcard."""
    cards = {card: (16 if card == TEN else 4) * rules.decks - shown.count(card) for card in CARD_POINTS}
    return {card: count / sum(cards.values()) for card, count in cards.items()}


def _add(ends: dict[int, float], more: dict[int, float], share: float) -> None:
    for end, chance in more.items():
        ends[end] = ends.get(end, 0.0) + share * chance


BOTS: Final[Mapping[str, Factory]] = {
    "regular": RegularPolicy,
    "basic": lambda random, rules: BasicPolicy(rules),
}
