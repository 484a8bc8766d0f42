"""What a poker hand is worth: the plain evaluator, for the table and as the measure of every faster one.

A hand's rank is the customary number of its equivalence class: 1 is the royal flush, 7462 is 7-5-4-3-2 of several
suits, lower is better, equal ranks split. Ranks of cards are numbered 0 (deuce) to 12 (ace) inside this file, and a
set of ranks is a mask of 13 bits.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from croupier.cards import PACK, Card

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

_SHAPES: Final[dict[Category, tuple[int, ...]]] = {
    Category.FOUR_OF_A_KIND: (4, 1),
    Category.FULL_HOUSE: (3, 2),
    Category.THREE_OF_A_KIND: (3, 1, 1),
    Category.TWO_PAIR: (2, 2, 1),
    Category.ONE_PAIR: (2, 1, 1, 1),
    Category.HIGH_CARD: (1, 1, 1, 1, 1),
}
"""How many cards of one rank a hand is made of, in the order in which they count."""

_ALL: Final = 0x1FFF
_WHEEL: Final = 0x100F
_BITS: Final = tuple(1 << (16 * (card.number % 4) + card.number // 4) for card in PACK)
"""A card as a bit: one field of 16 a suit, in it one bit a rank."""


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
    for mask in range(_ALL + 1):
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


def rank(cards: Iterable[Card]) -> int:
    """The rank of the best five of five to seven different cards, 1 (best) to 7462."""
    packed = 0
    for card in cards:
        packed |= _BITS[card.number]
    clubs, diamonds = packed & _ALL, packed >> 16 & _ALL
    hearts, spades = packed >> 32 & _ALL, packed >> 48
    for suit in (clubs, diamonds, hearts, spades):
        if suit.bit_count() >= 5:
            # With seven cards at most, five of a suit leave no room for four of a kind or a full house.
            run = _run(suit)
            return 11 - run if run else 1599 - _PLACES[_highest(suit, 5)]

    ranks = clubs | diamonds | hearts | spades
    paired = (clubs | diamonds) & (hearts | spades) | clubs & diamonds | hearts & spades
    if not paired:
        run = _run(ranks)
        return 1610 - run if run else WORST - _PLACES[_highest(ranks, 5)]
    return _rank_with_pairs(clubs, diamonds, hearts, spades, ranks, paired)


def _rank_with_pairs(clubs: int, diamonds: int, hearts: int, spades: int, ranks: int, paired: int) -> int:
    """The rank of a hand without a flush and with some rank twice or more."""
    tripled = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    quadrupled = clubs & diamonds & hearts & spades
    if quadrupled:
        quad = quadrupled.bit_length() - 1
        kicker = _without(ranks ^ quadrupled, quad).bit_length() - 1
        return 166 - 12 * quad - kicker
    if tripled and paired.bit_count() > 1:
        triple = tripled.bit_length() - 1
        pair = _without(paired ^ 1 << triple, triple).bit_length() - 1
        return 322 - 12 * triple - pair
    run = _run(ranks)
    if run:
        return 1610 - run
    if tripled:
        triple = tripled.bit_length() - 1
        return 2467 - 66 * triple - _PLACES[_highest(_without(ranks ^ tripled, triple), 2)]
    if paired.bit_count() > 1:
        pairs = _highest(paired, 2)
        high = pairs.bit_length() - 1
        low = (pairs ^ 1 << high).bit_length() - 1
        kicker = _without(_without(ranks ^ pairs, high), low).bit_length() - 1
        return 3325 - 11 * _PLACES[pairs] - kicker
    pair = paired.bit_length() - 1
    return 6185 - 220 * pair - _PLACES[_highest(_without(ranks ^ paired, pair), 3)]


def category(rank: int) -> Category:
    """The kind of hand that a rank belongs to."""
    for kind, last in LAST_RANK.items():
        if rank <= last:
            return kind
    raise AssertionError(f"{rank} is not the rank of a hand: they go from {BEST} to {WORST}")


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The five of five to seven different cards that make the hand, in the order in which they count.

    The pair stands before its kickers, the highest card of a straight first, the ace of a wheel last. Where several
    choices are worth the same, the suit later in the alphabet is taken.
    """
    kind = category(rank(cards))
    high_first = sorted(cards, key=lambda card: card.number, reverse=True)
    if kind in (Category.FLUSH, Category.STRAIGHT_FLUSH):
        suits = [card.suit for card in cards]
        suit = next(suit for suit in suits if suits.count(suit) >= 5)
        high_first = [card for card in high_first if card.suit == suit]
    if kind is Category.FLUSH:
        return tuple(high_first[:5])
    by_rank: dict[int, list[Card]] = {}
    for card in high_first:
        by_rank.setdefault(card.number // 4, []).append(card)
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        top = _run(sum(1 << number for number in by_rank)) + 2
        return tuple(by_rank[(top - below) % 13][0] for below in range(5))
    five: list[Card] = []
    for size in _SHAPES[kind]:
        chosen = next(number for number, same in by_rank.items() if len(same) >= size)
        five += by_rank.pop(chosen)[:size]
    return tuple(five)
