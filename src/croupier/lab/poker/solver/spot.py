"""A spot to be solved, as text: board, ranges, chips, sizes, rake, locks. Also its meaning, checked."""

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.cards import PACK, SUITS, Card
from croupier.lab.poker import evaluate
from croupier.lab.poker.evaluator_tables import CLASSES
from croupier.lab.poker.ranges import Combination, Range, parse
from croupier.lab.poker.situations import read_cards
from croupier.lab.poker.solver.betting import Betting
from croupier.lab.poker.solver.deal import Deck, Hands
from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.sizes import Size, parse_sizes

STREETS: Final = ("flop", "turn", "river")
BOARD_CARDS: Final = {3: 0, 4: 1, 5: 2}
"""The first street by the number of cards on the board."""
CHIPS_MAX: Final = 10**9
PLAYERS: Final = ("OOP", "IP")
BETS_DEFAULT: Final = "50%,100%,a"
RAISES_DEFAULT: Final = "2.5x,a"
LOCKS_MAX: Final = 1000
_PERCENT: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,9})?)%", re.ASCII)
_CHIPS: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", re.ASCII)


class Lock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fixed frequencies for hands at one decision; without `hands`, for all. Other actions are never taken."""

    path: str
    frequencies: dict[str, float]
    hands: str = ""


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person writes. `street_bets` and `street_raises` replace the sizes of single streets."""

    board: str
    ranges: tuple[str, str]
    pot: int
    stack: int
    bets: str = BETS_DEFAULT
    raises: str = RAISES_DEFAULT
    street_bets: dict[str, str] = {}
    street_raises: dict[str, str] = {}
    rake: str = ""
    locks: tuple[Lock, ...] = ()


class Setting(msgspec.Struct, frozen=True):
    """A checked spot: cards, hands with weights, and the bets allowed."""

    spot: Spot
    board: tuple[Card, ...]
    combinations: tuple[tuple[Combination, ...], tuple[Combination, ...]]
    weights: tuple[tuple[float, ...], tuple[float, ...]]
    betting: Betting

    @property
    def street(self) -> int:
        """The street on which it begins: 0 is the flop."""
        return BOARD_CARDS[len(self.board)]

    def hands(self, player: int) -> Hands:
        pairs = [[one.number, other.number] for one, other in self.combinations[player]]
        return np.array(pairs, np.uint8).reshape(-1, 2)


def setting(spot: Spot) -> Setting:
    """Read and check a spot. Raises SolveError or EquityError that names the first fault."""
    board = read_cards(spot.board)
    if len(board) not in BOARD_CARDS:
        raise SolveError("SOLVE_BOARD", count=len(board))
    if repeated := next((card for place, card in enumerate(board) if card in board[:place]), None):
        raise SolveError("EQUITY_CARD_REPEATED", card=str(repeated))
    for name, chips in (("pot", spot.pot), ("stack", spot.stack)):
        if not 1 <= chips <= CHIPS_MAX:
            raise SolveError("SOLVE_CHIPS", name=name, chips=chips, limit=CHIPS_MAX)
    if len(spot.locks) > LOCKS_MAX:
        raise SolveError("SOLVE_LOCKS_MANY", count=len(spot.locks), limit=LOCKS_MAX)
    found = [_possible(parse(text), board) for text in spot.ranges]
    combinations = tuple(found[0]), tuple(found[1])
    weights = tuple(found[0].values()), tuple(found[1].values())
    if not any(not set(one) & set(other) for one in combinations[0] for other in combinations[1]):
        raise SolveError("EQUITY_NO_DEAL")
    rake, cap = _rake(spot.rake)
    streets = STREETS[BOARD_CARDS[len(board)] :]
    sizes = tuple(zip(_sizes(spot, streets, raises=False), _sizes(spot, streets, raises=True), strict=True))
    betting = Betting(spot.pot, spot.stack, sizes, rake, cap)
    return Setting(spot, board, combinations, weights, betting)


def _possible(some: Range, board: tuple[Card, ...]) -> Mapping[Combination, float]:
    left = {pair: weight for pair, weight in some.weights.items() if not set(board) & set(pair)}
    if not left:
        raise SolveError("RANGE_EMPTY", range=some.written)
    return left


def _sizes(spot: Spot, streets: tuple[str, ...], *, raises: bool) -> list[tuple[Size, ...]]:
    usual, by_street = (spot.raises, spot.street_raises) if raises else (spot.bets, spot.street_bets)
    for name in by_street:
        if name not in STREETS:
            raise SolveError("SOLVE_STREET", street=name, streets=STREETS)
        if name not in streets:
            raise SolveError("SOLVE_STREET_PAST", street=name)
    return [parse_sizes(by_street.get(name, usual), raises=raises) for name in streets]


def _rake(text: str) -> tuple[Fraction, Fraction | None]:
    """A share of the pot, and after a comma the most chips."""
    if not text.strip():
        return Fraction(0), None
    share, comma, cap = (part.strip() for part in text.partition(","))
    found = _PERCENT.fullmatch(share)
    if not found or Fraction(found[1]) > 100 or (comma and not _CHIPS.fullmatch(cap)):
        raise SolveError("SOLVE_RAKE", rake=text)
    return Fraction(found[1]) / 100, Fraction(cap) if comma else None


def deck(case: Setting) -> Deck:
    """The cards of a spot, with the exchanges of suits that keep board, ranges and locks."""
    board = tuple(card.number for card in case.board)
    return Deck(
        size=len(PACK),
        board=board,
        streets=len(STREETS) - case.street,
        in_hands=4,
        strength=_strength,
        exchanges=np.stack(_exchanges(case, board)),
    )


def _strength(board: tuple[int, ...], hands: Hands) -> NDArray[np.int64]:
    rows = np.empty((len(hands), 7), np.uint8)
    rows[:, :2], rows[:, 2:] = hands, board
    return CLASSES + 1 - evaluate.ranks(rows).astype(np.int64)


def _exchanges(case: Setting, board: tuple[int, ...]) -> list[NDArray[np.int64]]:
    cards = np.arange(len(PACK))
    tables = [_weight_table(case, player) for player in (0, 1)]
    locked = [_locked_cards(lock) for lock in case.spot.locks]
    found = []
    for order in permutations(range(len(SUITS))):
        exchange = cards // 4 * 4 + np.array(order)[cards % 4]
        if {int(exchange[card]) for card in board} != set(board):
            continue
        if not all(np.array_equal(table[np.ix_(exchange, exchange)], table) for table in tables):
            continue
        moved = exchange.tolist()
        if all(
            all(moved[card] == card for card in dealt)
            and all(frozenset(map(moved.__getitem__, pair)) in pairs for pair in pairs)
            for dealt, pairs in locked
        ):
            found.append(exchange)
    return found


def _locked_cards(lock: Lock) -> tuple[set[int], set[frozenset[int]]]:
    """The cards that are dealt on the way to a lock, and the hands that it names."""
    dealt = {card.number for word in lock.path.split(",") if (card := card_named(word.strip())) is not None}
    pairs = parse(lock.hands).weights if lock.hands.strip() else ()
    return dealt, {frozenset(card.number for card in pair) for pair in pairs}


def card_named(word: str) -> Card | None:
    """The card of a step of a path; None if it is no card."""
    try:
        return Card(word[:1].upper() + word[1:].lower())
    except ValueError:
        return None


def _weight_table(case: Setting, player: int) -> NDArray[np.float64]:
    table = np.zeros((len(PACK), len(PACK)))
    one, other = case.hands(player).T
    table[one, other] = table[other, one] = case.weights[player]
    return table


def hand_name(combination: Combination) -> str:
    """A hand as it is written: the higher card first."""
    return "".join(map(str, combination))
