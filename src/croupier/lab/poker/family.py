"""Equity in every variant but Hold'em on one board: Omaha, high-low, short deck, two boards.

Exact if all boards can be enumerated in seconds, else sampled with an interval, like Hold'em's.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import comb, prod
from time import perf_counter
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.cards import PACK, Card
from croupier.lab.poker import family_kernels
from croupier.lab.poker.evaluator_tables import tables
from croupier.lab.poker.omaha_tables import omaha_tables
from croupier.lab.poker.ranges import RANDOM, EquityError, parse, weight_of
from croupier.lab.poker.sampling_kernels import ATTEMPTS_MAX
from croupier.lab.poker.situations import (
    BOARD_MAX,
    BOARD_SIZES,
    HANDS_MAX,
    HANDS_MIN,
    CardsInput,
    read_cards,
    weighted_draw,
)
from croupier.lab.poker.variants import Variant
from croupier.lab.threads import core_count, pool

DEALS_MAX: Final = 40_000_000
"""Enumeration up to here is the default: about three seconds on two cores."""
MATCHUPS_MAX: Final = 20_000
BLOCK_SAMPLES: Final = 1 << 15
Hole = tuple[Card, ...]


class FamilyCase(msgspec.Struct, frozen=True):
    """Hands that can be dealt, for one variant. A player without hands may hold any cards."""

    variant: Variant
    written: tuple[str, ...]
    hands: tuple[dict[Hole, float], ...]
    boards: tuple[tuple[Card, ...], ...]
    dead: tuple[Card, ...]

    @property
    def missing(self) -> int:
        """How many cards are still to come on each board."""
        return BOARD_MAX - len(self.boards[0])

    @property
    def gone(self) -> set[Card]:
        """Cards that cannot come, whatever the players hold."""
        known = (card for each in self.hands if len(each) == 1 for hole in each for card in hole)
        shown = (card for board in self.boards for card in board)
        return {*shown, *self.dead, *known}

    @property
    def matchups(self) -> int:
        """How many match-ups there are at most; 0 if somebody may hold any cards."""
        return prod(len(each) for each in self.hands)

    @property
    def boards_each(self) -> int:
        """In how many ways the boards of one match-up can be completed."""
        left = len(self.variant.pack) - len({*self.dead, *(card for board in self.boards for card in board)})
        left -= self.variant.hole_cards * len(self.hands)
        return prod(comb(left - self.missing * board, self.missing) for board in range(len(self.boards)))


def family_case(
    variant: Variant, hands: Sequence[str], boards: Sequence[CardsInput], dead: CardsInput = ""
) -> FamilyCase:
    """Read and check a situation. Raises EquityError that names the first fault."""
    if not HANDS_MIN <= len(hands) <= HANDS_MAX:
        raise EquityError("EQUITY_HAND_COUNT", count=len(hands))
    shown = [read_cards(board) for board in boards]
    if variant.boards == 1 and len(shown) > 1 and shown[1]:
        raise EquityError("EQUITY_ONE_BOARD", variant=variant.name)
    shown = [*shown, ()][: variant.boards]
    for board in shown:
        if len(board) not in BOARD_SIZES:
            raise EquityError("EQUITY_BOARD_COUNT", count=len(board))
    if len({len(board) for board in shown}) > 1:
        raise EquityError("EQUITY_TWO_BOARDS", variant=variant.name)
    gone = read_cards(dead)
    read = [_hands(variant, each) for each in hands]
    taken: set[Card] = set()
    known = [card for each in read if len(each) == 1 for hole in each for card in hole]
    for card in (*(card for board in shown for card in board), *gone, *known):
        if card in taken:
            raise EquityError("EQUITY_CARD_REPEATED", card=str(card))
        if card not in variant.pack:
            raise EquityError("EQUITY_NOT_IN_PACK", card=str(card), variant=variant.name)
        taken.add(card)
    left = len(variant.pack) - len({*gone, *(card for board in shown for card in board)})
    needed = variant.hole_cards * len(hands) + sum(BOARD_MAX - len(board) for board in shown)
    if left < needed:
        raise EquityError("EQUITY_NO_CARDS_LEFT", left=left, needed=needed)
    possible = tuple(_possible(variant, text, each, taken) for text, each in zip(hands, read, strict=True))
    return FamilyCase(variant, tuple(hand.strip() for hand in hands), possible, tuple(shown), gone)


def _hands(variant: Variant, text: str) -> dict[Hole, float]:
    """The hands of a player with their weights; empty if any hand is possible."""
    if text.strip().lower() == RANDOM:
        return {}
    if variant.hole_cards == 2:
        return {tuple(pair): weight for pair, weight in parse(text, is_short=variant.is_short).weights.items()}
    found: dict[Hole, float] = {}
    for word in text.replace(",", " ").split():
        written, colon, weight = word.partition(":")
        written = written.replace("10", "T")
        if len(written) != 2 * variant.hole_cards:
            example = "".join(map(str, PACK[-variant.hole_cards :]))
            raise EquityError("FAMILY_HAND", text=word, count=variant.hole_cards, example=example)
        cards = read_cards(written)
        if len(set(cards)) < len(cards):
            twice = next(card for card in cards if cards.count(card) > 1)
            raise EquityError("EQUITY_CARD_REPEATED", card=str(twice))
        found[tuple(sorted(cards, key=lambda card: -card.number))] = weight_of(word, weight) if colon else 1.0
    if not found:
        raise EquityError("RANGE_EMPTY", range=text)
    return found


def _possible(variant: Variant, text: str, hands: dict[Hole, float], taken: set[Card]) -> dict[Hole, float]:
    if len(hands) < 2:
        return hands
    left = {
        hole: weight
        for hole, weight in hands.items()
        if not taken.intersection(hole) and all(card in variant.pack for card in hole)
    }
    if not left:
        raise EquityError("RANGE_EMPTY", range=text)
    return left


def is_quick(case: FamilyCase) -> bool:
    """Whether all boards of all match-ups can be enumerated in seconds."""
    return 0 < case.matchups <= MATCHUPS_MAX and case.matchups * case.boards_each <= DEALS_MAX


Sums = NDArray[np.float64]


@cache
def load_kernels() -> None:
    """Make the tables and compile, once a process."""
    from croupier.lab.poker.variants import VARIANTS

    for name in ("omaha-hilo", "short-deck"):
        variant = VARIANTS[name]
        hands = ["AsKsQsJs", "AhKhQhJh"] if variant.uses_two else ["AsKs", "AhKh"]
        case = family_case(variant, hands, ["Tc9c8c7c6c"])
        enumerated(case)
        sample_block(case, 0, 0, 1)


def enumerated(case: FamilyCase) -> tuple[int, float, Sums]:
    """The number of deals, their weight, and every player's wins, ties and shares, over all match-ups and boards."""
    variant, known = case.variant, _known(case)
    shown = {*case.dead, *(card for board in case.boards for card in board)}
    rows = []
    for choice in product(*(each.items() for each in case.hands)):
        cards = [card for hole, _ in choice for card in hole]
        if len(set(cards)) == len(cards):
            rows.append(([hole for hole, _ in choice], prod(weight for _, weight in choice), {*cards, *shown}))
    if not rows:
        raise EquityError("EQUITY_NO_DEAL")
    parts = 1 if not case.missing or len(rows) > 16 else 4 * core_count()

    def count(task: tuple[tuple[list[Hole], float, set[Card]], int]) -> tuple[int, Sums]:
        (holes, weight, gone), part = task
        sums = np.zeros((len(holes), 3))
        numbers = np.array([[[card.number for card in hole]] for hole in holes], np.uint8)
        deck = np.array([card.number for card in variant.pack if card not in gone], np.uint8)
        ready = (tables(7, short=variant.is_short), omaha_tables(), variant.uses_two, variant.has_low)
        deals = family_kernels.enumerate_family(*ready, numbers, known, deck, part, parts, weight, sums)
        return deals, sums

    tasks = [(row, part) for row in rows for part in range(parts)]
    total, deals = np.zeros((len(case.hands), 3)), 0
    for more, sums in map(count, tasks) if len(tasks) == 1 else pool().map(count, tasks):
        total += sums
        deals += more
    return deals, sum(weight for _, weight, _ in rows) * (deals / len(rows)), total


def _known(case: FamilyCase) -> NDArray[np.int64]:
    rows = [[card.number for card in board] + [-1] * (BOARD_MAX - len(board)) for board in case.boards]
    return np.array(rows, np.int64)


def sample_block(case: FamilyCase, seed: int, block: int, samples: int) -> Sums:
    """Every player's wins, ties and shares in a block of samples, which depends on these arguments alone."""
    variant = case.variant
    holes = [hole for each in case.hands for hole in each]
    drawn = [weighted_draw(list(each.values())) for each in case.hands]
    out_of_pack = [card for card in PACK if card not in variant.pack]
    sums = np.zeros((len(case.hands), 3))
    tried = family_kernels.sample_family(
        tables(7, short=variant.is_short),
        omaha_tables(),
        variant.uses_two,
        variant.has_low,
        np.array([[card.number for card in hole] for hole in holes], np.uint8).reshape(-1, variant.hole_cards),
        np.array([sum(1 << card.number for card in hole) for hole in holes], np.uint64),
        np.concatenate([thresholds for thresholds, _ in drawn]),
        np.concatenate([others for _, others in drawn]),
        np.cumsum([0, *map(len, case.hands)]),
        _known(case),
        np.uint64(sum(1 << card.number for card in {*case.dead, *out_of_pack, *sum(case.boards, ())})),
        np.uint64(seed),
        block,
        samples,
        ATTEMPTS_MAX,
        sums,
    )
    if tried < 0:
        raise EquityError("EQUITY_RARE_DEAL", attempts=samples * ATTEMPTS_MAX)
    return sums


def sampled(case: FamilyCase, samples: int, seed: int, progress: Callable[[int, int], None]) -> Sums:
    """The sums of so many samples, in blocks on all cores."""
    blocks = range(-(-samples // BLOCK_SAMPLES))
    total = np.zeros((len(case.hands), 3))

    def count(block: int) -> Sums:
        return sample_block(case, seed, block, min(BLOCK_SAMPLES, samples - block * BLOCK_SAMPLES))

    step = 8 * core_count()
    for start in range(0, len(blocks), step):
        for sums in pool().map(count, blocks[start : start + step]):
            total += sums
        progress(min(samples, (start + step) * BLOCK_SAMPLES), samples)
    return total


def timer() -> Callable[[], float]:
    """A function that gives the seconds since now."""
    started = perf_counter()
    return lambda: perf_counter() - started
