"""Situations: the hands or ranges that meet, the board and the dead cards, checked."""

from collections.abc import Iterable, Sequence
from math import lcm
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.cards import PACK, RANKS, SUITS, Card
from croupier.lab.poker.kernels import Deals, RangeArrays
from croupier.lab.poker.ranges import Combination, EquityError, Range, parse
from croupier.lab.random_numbers import alias_table

CardsInput: TypeAlias = str | Iterable[Card]
"""Cards, as text (`AsKs`, `As Ks`) or as values."""

Hand: TypeAlias = str | Range | Combination
"""A player's hand: a hand or range as text, a range, or two cards."""

HANDS_MIN: Final = 2
HANDS_MAX: Final = 10
BOARD_SIZES: Final = (0, 3, 4, 5)
BOARD_MAX: Final = 5
DEALS_MAX: Final = 1 << 17
"""The most ways to deal ranges together that are listed: half a megabyte for two players stays in a near cache."""
_EVEN: Final = 1 << 32
"""The threshold of every combination if all weigh the same."""


class Situation(msgspec.Struct, frozen=True):
    """Hands that can be dealt. No range has a card of the board, of the dead cards or of a known hand."""

    ranges: tuple[Range, ...]
    board: tuple[Card, ...]
    dead: tuple[Card, ...]

    @property
    def missing(self) -> int:
        """How many cards of the board are still to come."""
        return BOARD_MAX - len(self.board)

    @property
    def is_concrete(self) -> bool:
        """Whether every player's two cards are known."""
        return all(len(each.weights) == 1 for each in self.ranges)


def situation(hands: Sequence[Hand], board: CardsInput = "", dead: CardsInput = "") -> Situation:
    """Read and check a situation. Raises EquityError that names the first fault."""
    if not HANDS_MIN <= len(hands) <= HANDS_MAX:
        raise EquityError("EQUITY_HAND_COUNT", count=len(hands))
    ranges = [hand if isinstance(hand, Range) else parse(written(hand)) for hand in hands]
    shown, gone = read_cards(board), read_cards(dead)
    if len(shown) not in BOARD_SIZES:
        raise EquityError("EQUITY_BOARD_COUNT", count=len(shown))
    known = [card for each in ranges if len(each.weights) == 1 for pair in each.weights for card in pair]
    taken: set[Card] = set()
    for card in (*shown, *gone, *known):
        if card in taken:
            raise EquityError("EQUITY_CARD_REPEATED", card=str(card))
        taken.add(card)
    left, needed = len(PACK) - len(shown) - len(gone), 2 * len(ranges) + BOARD_MAX - len(shown)
    if left < needed:
        raise EquityError("EQUITY_NO_CARDS_LEFT", left=left, needed=needed)
    return Situation(tuple(_possible(each, taken) for each in ranges), shown, gone)


def written(hand: Hand) -> str:
    """A hand as text."""
    if isinstance(hand, Range):
        return hand.written
    return hand if isinstance(hand, str) else "".join(map(str, hand))


def read_cards(written: CardsInput) -> tuple[Card, ...]:
    """The cards of a text. Raises EquityError that names the first piece that is no card."""
    if not isinstance(written, str):
        return tuple(written)
    found = []
    for word in written.replace(",", " ").replace("10", "T").split():
        for start in range(0, len(word), 2):
            piece = word[start : start + 2]
            try:
                found.append(Card(piece[:1].upper() + piece[1:].lower()))
            except ValueError:
                raise EquityError("EQUITY_CARD_UNREADABLE", text=piece, ranks=RANKS, suits=SUITS) from None
    return tuple(found)


def _possible(some: Range, taken: set[Card]) -> Range:
    if len(some.weights) == 1:
        return some
    left = {pair: weight for pair, weight in some.weights.items() if not taken.intersection(pair)}
    if not left:
        raise EquityError("RANGE_EMPTY", range=some.written)
    return Range(some.written, left)


def range_arrays(case: Situation, *, deal_random: bool) -> RangeArrays:
    """The ranges as arrays. With `deal_random`, a player who may hold anything gets no combinations."""
    unlisted = {_anything(len(PACK) - len(_taken(case)))} if deal_random else set()
    players: list[dict[Combination, float]] = []
    for each in case.ranges:
        even = len(set(each.weights.values())) == 1
        players.append({} if even and len(each.weights) in unlisted else each.weights)
    pairs = [pair for each in players for pair in each]
    thresholds, aliases = zip(*(weighted_draw(list(each.values())) for each in players), strict=True)
    return RangeArrays(
        combinations=np.array([[one.number, other.number] for one, other in pairs], np.uint8).reshape(-1, 2),
        masks=np.array([1 << one.number | 1 << other.number for one, other in pairs], np.uint64),
        weights=np.array([weight for each in players for weight in each.values()], np.float64),
        thresholds=np.concatenate(thresholds),
        aliases=np.concatenate(aliases),
        starts=np.cumsum([0, *map(len, players)]),
        used=np.uint64(sum(1 << card.number for card in (*case.board, *case.dead))),
    )


def deals_together(arrays: RangeArrays) -> Deals:
    """Every way to deal the ranges together, if these are few and equally likely; else none is listed."""
    sizes = np.diff(arrays.starts)
    known = arrays.masks[arrays.starts[:-1][sizes == 1]]
    if known.sum() != np.bitwise_or.reduce(known):
        raise EquityError("EQUITY_NO_DEAL")  # ranges of which the board has left the same cards
    deals, gone = np.empty((1, 0), np.uint16), np.array([arrays.used | np.bitwise_or.reduce(known)])
    not_listed = np.empty((0, max(1, int((sizes > 1).sum()))), np.uint16)
    if not (sizes > 1).any() or (arrays.thresholds != _EVEN).any():
        return not_listed
    for start, size in zip(arrays.starts[:-1], sizes, strict=True):
        if size > 1:
            if len(gone) * size > DEALS_MAX:
                return not_listed
            sets = arrays.masks[start : start + size]
            before, chosen = np.nonzero((gone[:, np.newaxis] & sets) == 0)
            deals = np.column_stack([deals[before], (start + chosen).astype(np.uint16)])
            gone = gone[before] | sets[chosen]
    if not len(deals):
        raise EquityError("EQUITY_NO_DEAL")
    return deals


def _taken(case: Situation) -> set[Card]:
    known = (card for each in case.ranges if len(each.weights) == 1 for pair in each.weights for card in pair)
    return {*case.board, *case.dead, *known}


def _anything(cards: int) -> int:
    """The number of pairs of so many cards."""
    return cards * (cards - 1) // 2


def weighted_draw(weights: list[float]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The thresholds and aliases of `RangeArrays`: thresholds are heights of the alias table in 2^32 parts."""
    fractions = [weight.as_integer_ratio() for weight in weights]
    unit = lcm(*(denominator for _, denominator in fractions))
    whole = [numerator * (unit // denominator) for numerator, denominator in fractions]
    heights, aliases = alias_table(whole, len(whole))
    total = max(sum(whole), 1)
    thresholds = [((height << 32) + total // 2) // total for height in heights]
    return np.array(thresholds, np.uint64), np.array(aliases, np.int64)
