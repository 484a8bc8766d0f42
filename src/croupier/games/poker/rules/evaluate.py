"""What a poker hand is worth: the plain evaluator, for the table and as the measure of every faster one.

A hand's rank is the customary number of its equivalence class: 1 is the royal flush, 7462 is 7-5-4-3-2 of several
suits, lower is better, equal ranks split. Ranks of cards are numbered 0 (deuce) to 12 (ace) inside this file, and a
set of ranks is a mask of 13 bits.
"""

from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Final

from croupier.cards import Card

BEST: Final = 1
WORST: Final = 7462


class Category(StrEnum):
    """The nine kinds of hand, best first. A royal flush is the best straight flush."""

    STRAIGHT_FLUSH = "STRAIGHT_FLUSH"
    FOUR_OF_A_KIND = "FOUR_OF_A_KIND"
    FULL_HOUSE = "FULL_HOUSE"
    FLUSH = "FLUSH"
    STRAIGHT = "STRAIGHT"
    THREE_OF_A_KIND = "THREE_OF_A_KIND"
    TWO_PAIR = "TWO_PAIR"
    ONE_PAIR = "ONE_PAIR"
    HIGH_CARD = "HIGH_CARD"


LAST_RANK: Final[dict[Category, int]] = {
    Category.STRAIGHT_FLUSH: 10,
    Category.FOUR_OF_A_KIND: 166,
    Category.FULL_HOUSE: 322,
    Category.FLUSH: 1599,
    Category.STRAIGHT: 1609,
    Category.THREE_OF_A_KIND: 2467,
    Category.TWO_PAIR: 3325,
    Category.ONE_PAIR: 6185,
    Category.HIGH_CARD: WORST,
}
"""The worst rank of each category; the best one follows on the category before."""

_CATEGORIES: Final = tuple(LAST_RANK)
_LAST_RANKS: Final = tuple(LAST_RANK.values())
_SETS: Final[dict[Category, tuple[int, ...]]] = {
    Category.FOUR_OF_A_KIND: (4,),
    Category.FULL_HOUSE: (3, 2),
    Category.THREE_OF_A_KIND: (3,),
    Category.TWO_PAIR: (2, 2),
    Category.ONE_PAIR: (2,),
    Category.HIGH_CARD: (),
}
"""The sets of cards of one rank that a hand has, in the order in which they count; the rest are kickers."""

_number: Final = attrgetter("number")

_SUITS_AT: Final = 40
_MASKS_AT: Final = 60
_KEYS: Final = tuple(
    (1 << 3 * rank) + (1 << _SUITS_AT + 4 * suit) + (1 << _MASKS_AT + 13 * suit + rank)
    for rank in range(13)
    for suit in range(4)
)
"""Cards, by number, as numbers to add up: an octal digit counts the cards of each rank, above them four bits those of
each suit, and above these stands a set of ranks for each suit."""
_ONE_EACH: Final = 0o1111111111111
_RANK_COUNTS: Final = (1 << _SUITS_AT) - 1
_RANK_SET: Final = (1 << 13) - 1
_FIVE_OF_A_SUIT: Final = 0x8888
_THREE_EACH: Final = 0x3333
"""Added to the counts of the suits, it lifts five or more, and nothing less, into the highest bit of the four."""


def _run(mask: int) -> int:
    """Five ranks in a row: 10 when the highest is an ace … 1 for the wheel 5-4-3-2-A, 0 when there are none."""
    with_low_ace = mask << 1 | mask >> 12
    return (with_low_ace & with_low_ace >> 1 & with_low_ace >> 2 & with_low_ace >> 3 & with_low_ace >> 4).bit_length()


def _places() -> tuple[int, ...]:
    """For each set of ranks: how many sets of the same size are lower, straights not counted.

    Sets of the same size compare by their highest card, then the next, and so on: exactly as their masks do.
    """
    lower = [0] * 14
    places = []
    for mask in range(1 << 13):
        size = mask.bit_count()
        places.append(lower[size])
        if size != 5 or not _run(mask):
            lower[size] += 1
    return tuple(places)


_PLACES: Final = _places()


def _highest(mask: int, count: int) -> int:
    """The `count` highest ranks of a set."""
    for _ in range(mask.bit_count() - count):
        mask &= mask - 1
    return mask


def _without(mask: int, rank: int) -> int:
    """The set without one rank, with the ranks above it moved down: its place counts among the other twelve."""
    below = (1 << rank) - 1
    return mask >> 1 & ~below | mask & below


def rank(cards: Sequence[Card]) -> int:
    """The rank of the best five of five to seven different cards, 1 (best) to 7462."""
    return rank_of_sum(key_sum(cards))


def key_sum(cards: Sequence[Card]) -> int:
    """The cards as one number. Sums of different cards add up: the board's serves every hand that plays it."""
    total = 0
    for card in cards:
        total += _KEYS[card.number]
    return total


def rank_of_sum(total: int) -> int:
    """`rank` of the cards that add up to this."""
    flush = (total >> _SUITS_AT) + _THREE_EACH & _FIVE_OF_A_SUIT
    if not flush:
        return _rank_of_counts(total & _RANK_COUNTS)
    # With seven cards at most, five of a suit leave no room for four of a kind or a full house.
    suit = flush.bit_length() // 4 - 1
    suited = total >> _MASKS_AT + 13 * suit & _RANK_SET
    run = _run(suited)
    return 11 - run if run else 1599 - _PLACES[_highest(suited, 5)]


def _rank_set(digits: int) -> int:
    """The ranks whose octal digit is 1, as a set."""
    return int(f"{digits:o}", 2) if digits else 0


@cache
def _rank_of_counts(counts: int) -> int:
    """The rank of a hand without a flush, whose octal digits count the cards of each rank.

    There are no more than 73,775 of these, so each is worked out once.
    """
    ones, twos, fours = counts & _ONE_EACH, counts >> 1 & _ONE_EACH, counts >> 2 & _ONE_EACH
    once = _rank_set(ones | twos | fours)
    twice = _rank_set(twos)
    thrice = _rank_set(ones & twos)
    four_times = _rank_set(fours)
    if four_times:
        quad = four_times.bit_length() - 1
        kicker = _without(once ^ four_times, quad).bit_length() - 1
        return 166 - 12 * quad - kicker
    if thrice and twice.bit_count() > 1:
        triple = thrice.bit_length() - 1
        pair = _without(twice ^ 1 << triple, triple).bit_length() - 1
        return 322 - 12 * triple - pair
    run = _run(once)
    if run:
        return 1610 - run
    if thrice:
        triple = thrice.bit_length() - 1
        return 2467 - 66 * triple - _PLACES[_highest(_without(once ^ thrice, triple), 2)]
    if twice.bit_count() > 1:
        pairs = _highest(twice, 2)
        high = pairs.bit_length() - 1
        low = (pairs ^ 1 << high).bit_length() - 1
        kicker = _without(_without(once ^ pairs, high), low).bit_length() - 1
        return 3325 - 11 * _PLACES[pairs] - kicker
    if twice:
        pair = twice.bit_length() - 1
        return 6185 - 220 * pair - _PLACES[_highest(_without(once ^ twice, pair), 3)]
    return WORST - _PLACES[_highest(once, 5)]


def category(rank: int) -> Category:
    """The kind of hand that a rank belongs to."""
    assert BEST <= rank <= WORST, f"{rank} is not the rank of a hand: they go from {BEST} to {WORST}"
    return _CATEGORIES[bisect_left(_LAST_RANKS, rank)]


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The five of five to seven different cards that make the hand, in the order in which they count.

    The pair stands before its kickers, the highest card of a straight first, the ace of a wheel last. Where several
    choices are worth the same, the suit later in the alphabet is taken.
    """
    return five_of(category(rank(cards)), cards)


def five_of(kind: Category, cards: Sequence[Card]) -> tuple[Card, ...]:
    """`best_five` of cards whose category is known."""
    high_first = sorted(cards, key=_number, reverse=True)
    sizes = _SETS.get(kind)
    if sizes is not None:
        return _sets_first(high_first, sizes)
    if kind is not Category.STRAIGHT:
        suits = [card.suit for card in cards]
        suit = next(suit for suit in suits if suits.count(suit) >= 5)
        high_first = [card for card in high_first if card.suit == suit]
    if kind is Category.FLUSH:
        return tuple(high_first[:5])
    by_rank = {card.number // 4: card for card in reversed(high_first)}
    top = _run(sum([1 << number for number in by_rank])) + 2
    return tuple([by_rank[(top - below) % 13] for below in range(5)])


def _sets_first(high_first: list[Card], sizes: tuple[int, ...]) -> tuple[Card, ...]:
    """Takes the highest set of each size out; the highest of what is left are the kickers."""
    five: list[Card] = []
    for size in sizes:
        # Cards of one rank stand side by side.
        place = 0
        while high_first[place].rank != high_first[place + size - 1].rank:
            place += 1
        five += high_first[place : place + size]
        del high_first[place : place + size]
    return tuple((five + high_first)[:5])
