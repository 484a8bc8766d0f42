"""The table of first cards: the lockstep kernel draws the start of a round from it with one random number.

A start is the seat's two cards, the upcard and the hole card. Without peek the dealer takes the second card later, but
its chances are the same now. Starts are drawn with exactly their chances from an alias table (`random_numbers`), whose
number of columns is a power of two.
"""

from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any, Final, cast

import numpy as np

from croupier.lab.blackjack.simulation.inputs import (
    DOUBLE,
    DOUBLE_9_11,
    DOUBLE_NO,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDER_EARLY,
    SURRENDER_NO,
    Bytes,
    RuleNumbers,
    record,
)
from croupier.lab.blackjack.strategy import HARD, PAIR, SOFT
from croupier.lab.random_numbers import alias_table

COLUMN_BITS: Final = 13
COLUMNS: Final = 1 << COLUMN_BITS
STATES: Final = 64
"""A hand's state is its total, plus SOFT_STATE while an ace counts eleven. A bust hand is 0."""
SOFT_STATE: Final = 32
BLACKJACK_STATE: Final = 1
"""The state of a dealer's blackjack."""
DRAWS: Final = 64
"""A flag, added to the state of a hand that takes another card."""
BLACKJACK_TOTAL: Final = 30
UP_SHIFT: Final = 6
DEALER_SHIFT: Final = 10
"""One number holds both hands of a round: the seat's state, the upcard, the dealer's state."""
TAKEN_BITS: Final = 6

# What follows a start: one of four steps, or the end of the round.
TO_HIT, TO_STAND, TO_DOUBLE, TO_SPLIT = range(4)
BLACKJACK_WON, BLACKJACK_PUSHED, DEALER_BLACKJACK, SURRENDERED_HALF, SURRENDERED_WHOLE = range(4, 9)
WAYS: Final = 9

START_RECORD: Final = np.dtype(
    [
        ("weight_total", np.uint64),
        ("thresholds", np.uint64, (COLUMNS,)),
        ("aliases", np.uint16, (COLUMNS,)),
        ("taken", np.uint64, (COLUMNS,)),
        ("hands", np.uint32, (COLUMNS,)),
        ("way", np.uint8, (COLUMNS,)),
        ("up", np.uint8, (COLUMNS,)),
        ("first", np.uint8, (COLUMNS,)),
        ("second", np.uint8, (COLUMNS,)),
        ("hole", np.uint8, (COLUMNS,)),
        ("card_points", np.uint8, (8 * 52,)),
        ("card_places", np.uint8, (8 * 52,)),
        ("player_next", np.uint8, (11 * STATES * 16,)),
        ("dealer_next", np.uint8, (STATES * 16,)),
        ("totals", np.uint8, (STATES,)),
    ]
)
"""By start: `hands` and `taken` when the round begins, and `way`, what follows. `card_places` is a card's place among
the cards of its points; if n cards of these points are taken, they are the first n."""


def start_table(rules: RuleNumbers, preferences: Bytes) -> Any:
    """Everything that the lockstep kernel looks up, for one set of rules and preferences."""
    rules, preferences = _plain(rules), preferences.astype(object)
    table = record(START_RECORD)
    of_points = [0] + [int(rules.cards) // 13 * (4 if points == 10 else 1) for points in range(1, 11)]
    weights: list[int] = []
    columns: dict[str, list[int]] = {name: [] for name in ("first", "second", "up", "hole", "taken", "hands", "way")}
    dealers = {(up, hole): _dealer_state(rules, up, hole) for up, hole in product(range(1, 11), repeat=2)}
    for first, second in combinations_with_replacement(range(1, 11), 2):
        player = _state(rules, first, second)
        for (up, hole), dealer in dealers.items():
            cards = (first, second, up, hole)
            weights.append(_weight(of_points, cards) * (1 if first == second else 2))
            hands = player | up << UP_SHIFT | _dealer_flagged(rules, dealer) << DEALER_SHIFT
            taken = sum(1 << (TAKEN_BITS * (card - 1)) for card in cards)
            way = _way(rules, preferences, first, second, up, dealer)
            for column, value in zip(columns.values(), (*cards, taken, hands, way), strict=True):
                column.append(value)
    for name, values in columns.items():
        table[name][: len(values)] = values
    table.thresholds[:], table.aliases[:] = alias_table(weights, COLUMNS)
    table.weight_total = sum(weights)
    places = [(points, place) for points in range(1, 11) for place in range(of_points[points])]
    table.card_points[: len(places)] = [points for points, _ in places]
    table.card_places[: len(places)] = [place for _, place in places]
    _set_hands(rules, preferences, table)
    return table


def _plain(rules: RuleNumbers) -> RuleNumbers:
    """The same numbers outside a record: Python reads them faster."""
    numbers = {name: int(getattr(rules, name)) for name in RuleNumbers.__annotations__}
    return cast(RuleNumbers, SimpleNamespace(**numbers))


def _weight(of_points: list[int], cards: tuple[int, ...]) -> int:
    """In how many ways these cards can be dealt in this order."""
    ways = 1
    for place, card in enumerate(cards):
        ways *= of_points[card] - cards[:place].count(card)
    return ways


def _state(rules: RuleNumbers, *cards: int) -> int:
    """The state of a hand of these cards, without the flag."""
    hard = sum(cards)
    if rules.ace_eleven and 1 in cards and hard <= 11:
        return hard + 10 + SOFT_STATE
    return hard if hard <= 21 else 0


def _after(rules: RuleNumbers, state: int, card: int) -> int:
    """The state of a hand after one more card."""
    if state >= SOFT_STATE:
        return _state(rules, state - SOFT_STATE - 11, 1, card)
    # A hard hand becomes soft only if this card is an ace.
    return _state(rules, state, card)


def _dealer_state(rules: RuleNumbers, up: int, hole: int) -> int:
    if rules.has_blackjack and sorted((up, hole)) == [1, 10]:
        return BLACKJACK_STATE
    return _state(rules, up, hole)


def _dealer_flagged(rules: RuleNumbers, state: int) -> int:
    if state in (0, BLACKJACK_STATE):
        return state
    total = state % SOFT_STATE
    hits_soft_17 = rules.hits_soft_17 and state == 17 + SOFT_STATE
    return state + DRAWS if total < rules.stands_on or hits_soft_17 else state


def _way(rules: RuleNumbers, preferences: Bytes, first: int, second: int, up: int, dealer: int) -> int:
    """What follows a start. The tests come in the order of the rules."""
    state = _state(rules, first, second)
    total = state % SOFT_STATE
    kind = SOFT if state >= SOFT_STATE else HARD
    preference = int(preferences[PAIR, first, up] if first == second else preferences[kind, total, up])
    beaten = dealer == BLACKJACK_STATE
    blackjack = rules.has_blackjack and total == 21
    surrenders = preference & SURRENDER and rules.surrender != SURRENDER_NO and total < 21
    early = rules.surrender == SURRENDER_EARLY
    if blackjack:
        return BLACKJACK_PUSHED if beaten else BLACKJACK_WON
    if surrenders and early:
        return SURRENDERED_HALF
    if beaten and rules.peek:
        return DEALER_BLACKJACK
    if surrenders:
        return SURRENDERED_WHOLE if beaten else SURRENDERED_HALF
    if total == 21:
        return TO_STAND
    if preference & SPLIT and first == second and rules.hands_max > 1:
        return TO_SPLIT
    doubles = rules.double != DOUBLE_NO and (rules.double != DOUBLE_9_11 or 9 <= total <= 11)
    if preference & DOUBLE and doubles:
        return TO_DOUBLE
    return TO_STAND if preference & STAND else TO_HIT


def _set_hands(rules: RuleNumbers, preferences: Bytes, table: Any) -> None:
    """Fill in the state of every hand after every card, flagged if it takes another."""
    states = [*range(2, 22), *range(12 + SOFT_STATE, 22 + SOFT_STATE)]
    for state in states:
        table.totals[state] = state % SOFT_STATE
    table.totals[BLACKJACK_STATE] = BLACKJACK_TOTAL
    for state, card in product(states, range(1, 11)):
        after = _after(rules, state, card)
        table.dealer_next[state * 16 + card] = _dealer_flagged(rules, after)
        for up in range(1, 11):
            kind = SOFT if after >= SOFT_STATE else HARD
            total = after % SOFT_STATE
            hits = total not in (0, 21) and not preferences[kind, total, up] & STAND
            table.player_next[(up * STATES + state) * 16 + card] = after + DRAWS * hits
