"""What hole cards are worth on a board in each variant: high hands on either pack, and lows of eight or better.

A worth is a number, lower is better, equal worths split. High hands of the full pack have the rank of `evaluate`. With
the short pack flushes and full houses change places; A-6-7-8-9 has the rank of the nine-high straight, which no other
hand of that pack has. A low is the set of its ranks with the ace as the lowest bit: the lower the number, the lower its
highest card, then the next, and so on.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Final, TypeAlias

from croupier.cards import Card
from croupier.games.poker.rules import evaluate
from croupier.games.poker.rules.config import HoldemOptions, Pack, Split, Used
from croupier.games.poker.rules.evaluate import LAST_RANK, WORST, Category, key_sum, rank_of_sum

NO_LOW: Final = 1 << 8
"""Worse than any low."""
NOTHING: Final = WORST + 1
"""Worse than any hand."""
HOLDEM_CARDS: Final = 2
Made: TypeAlias = tuple[Category, tuple[Card, ...]]

_FULL_HOUSES: Final = LAST_RANK[Category.FULL_HOUSE] - LAST_RANK[Category.FOUR_OF_A_KIND]
_FLUSHES: Final = LAST_RANK[Category.FLUSH] - LAST_RANK[Category.FULL_HOUSE]
_SHORT_LAST_RANK: Final[dict[Category, int]] = {
    **{kind: last for kind, last in LAST_RANK.items() if kind is not Category.FULL_HOUSE},
    Category.FLUSH: LAST_RANK[Category.FLUSH] - _FULL_HOUSES,
    Category.FULL_HOUSE: LAST_RANK[Category.FLUSH],
}
_SHORT_IN_ORDER: Final = sorted(_SHORT_LAST_RANK, key=lambda kind: _SHORT_LAST_RANK[kind])
_SHORT_LAST_RANKS: Final = [_SHORT_LAST_RANK[kind] for kind in _SHORT_IN_ORDER]
_SHORT: Final = Pack.SHORT
_ANY: Final = Used.ANY
_HIGH_LOW: Final = Split.HIGH_LOW
_number: Final = attrgetter("number")
_NINE_HIGH: Final = LAST_RANK[Category.STRAIGHT] - 4
_NINE_HIGH_SUITED: Final = LAST_RANK[Category.STRAIGHT_FLUSH] - 4
_SHORT_WHEEL: Final = frozenset("A6789")
_LOW_BITS: Final = {rank: 1 << place for place, rank in enumerate("A2345678")}


def short_rank(rank: int) -> int:
    """The short pack's worth of a rank of the full pack; the lowest straight is not handled here."""
    if rank <= LAST_RANK[Category.FOUR_OF_A_KIND] or rank > LAST_RANK[Category.FLUSH]:
        return rank
    return rank + _FLUSHES if rank <= LAST_RANK[Category.FULL_HOUSE] else rank - _FULL_HOUSES


def category(pack: Pack, worth: int) -> Category:
    """The kind of hand that a worth belongs to."""
    if pack is _SHORT:
        return _SHORT_IN_ORDER[bisect_left(_SHORT_LAST_RANKS, worth)]
    return evaluate.category(worth)


def high(pack: Pack, used: Used, hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """The worth of the best five cards."""
    if used is _ANY and len(hole) + len(board) <= 7:
        worth = rank_of_sum(key_sum(hole) + key_sum(board))
        return worth if pack is not _SHORT else _short(worth, hole + board)
    if used is _ANY or pack is _SHORT:
        return min(_five(pack, five) for five in _fives(used, hole, board))
    boards = [key_sum(three) for three in combinations(board, 3)]
    pairs = [key_sum(two) for two in combinations(hole, 2)]
    return min([rank_of_sum(on_board + held) for held in pairs for on_board in boards])


def _short(rank: int, cards: Sequence[Card]) -> int:
    """The rank of up to seven cards as it counts with the short pack."""
    worth = short_rank(rank)
    if worth <= _NINE_HIGH_SUITED:
        return worth
    ranks = {card.rank for card in cards}
    if not ranks >= _SHORT_WHEEL:
        return worth
    if any({card.rank for card in cards if card.suit == suit} >= _SHORT_WHEEL for suit in "cdhs"):
        return _NINE_HIGH_SUITED
    return min(worth, _NINE_HIGH)


def _five(pack: Pack, five: tuple[Card, ...]) -> int:
    rank = rank_of_sum(key_sum(five))
    return rank if pack is not _SHORT else _short(rank, five)


def _fives(used: Used, hole: tuple[Card, ...], board: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Every five cards that may be a hand."""
    if used is _ANY:
        return combinations(hole + board, 5)
    return (two + three for two in combinations(hole, 2) for three in combinations(board, 3))


def low(used: Used, hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """The worth of the best low of eight or better; NO_LOW where there is none."""
    held, on_board = _low_ranks(hole), _low_ranks(board)
    if used is _ANY:
        return _lowest_five(held | on_board)
    best = NO_LOW
    twos = [one | other for one, other in combinations(_bits(held), 2)]
    for three in combinations(_bits(on_board), 3):
        triple = sum(three)
        for two in twos:
            if not two & triple and two | triple < best:
                best = two | triple
    return best


def _low_ranks(cards: Sequence[Card]) -> int:
    found = 0
    for card in cards:
        found |= _LOW_BITS.get(card.rank, 0)
    return found


def _bits(ranks: int) -> list[int]:
    return [bit for bit in _LOW_BITS.values() if bit & ranks]


def _lowest_five(ranks: int) -> int:
    bits = _bits(ranks)
    return sum(bits[:5]) if len(bits) >= 5 else NO_LOW


def worth_on(
    options: HoldemOptions, boards: tuple[tuple[Card, ...], ...]
) -> Callable[[tuple[Card, ...]], tuple[int, ...]]:
    """A function from hole cards to their worth on each board: the high, and in a high-low game the low after it."""
    pack, used = options.pack, options.used
    if options.pot is _HIGH_LOW:
        return lambda hole: tuple(
            [each for board in boards for each in (high(pack, used, hole, board), low(used, hole, board))]
        )
    if used is _ANY and pack is not _SHORT and len(boards) == 1 and options.hole_cards == HOLDEM_CARDS:
        # The board is added up once for all hands: a showdown takes a fifth of a hand's time.
        on_board = key_sum(boards[0])
        return lambda hole: (rank_of_sum(on_board + key_sum(hole)),)
    return lambda hole: tuple([high(pack, used, hole, board) for board in boards])


def parts(options: HoldemOptions, boards: int) -> tuple[tuple[int, bool], ...]:
    """The meaning of each number of a worth: the board, and whether it is the low."""
    lows = (False, True) if options.pot is _HIGH_LOW else (False,)
    return tuple([(board, is_low) for board in range(boards) for is_low in lows])


@lru_cache(maxsize=4096)  # Cached: a hand is named for every viewer after every action.
def made(pack: Pack, used: Used, hole: tuple[Card, ...], board: tuple[Card, ...]) -> Made:
    """What the best five cards are called, and which they are, in the order in which they count.

    Where several choices are worth the same, the one with the higher cards is taken, the suits in alphabetical order.
    """
    return made_at(high(pack, used, hole, board), pack, used, hole, board)


def made_at(best: int, pack: Pack, used: Used, hole: tuple[Card, ...], board: tuple[Card, ...]) -> Made:
    """`made` of cards whose `high` is known."""
    if used is _ANY and pack is not _SHORT and len(hole) == HOLDEM_CARDS:
        kind = evaluate.category(best)
        return kind, evaluate.five_of(kind, board + hole)
    kind = category(pack, best)
    equal = [_in_order(kind, five) for five in _fives(used, hole, board) if _five(pack, five) == best]
    return kind, max(equal, key=lambda five: [card.number for card in five])


def _in_order(kind: Category, five: tuple[Card, ...]) -> tuple[Card, ...]:
    """Five cards of a known kind in the order in which they count."""
    if {card.rank for card in five} == _SHORT_WHEEL:
        ace_last = sorted(five, key=lambda card: -1 if card.rank == "A" else card.number, reverse=True)
        return tuple(ace_last)
    return evaluate.five_of(kind, five)


@lru_cache(maxsize=4096)
def made_low(used: Used, hole: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of the best low, the highest first; none where there is no low. Of equal choices, as in `made`."""
    best = low(used, hole, board)
    if best == NO_LOW:
        return ()
    equal = [_low_order(five) for five in _fives(used, hole, board) if _is_low(five, best)]
    return max(equal, key=lambda five: [card.number for card in five])


def _is_low(five: tuple[Card, ...], ranks: int) -> bool:
    return _low_ranks(five) == ranks and all(card.rank in _LOW_BITS for card in five)


def _low_order(five: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(five, key=lambda card: -1 if card.rank == "A" else card.number, reverse=True))
