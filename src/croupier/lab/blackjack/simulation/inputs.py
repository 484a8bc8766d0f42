"""The kernels' inputs: rules, a plan of play and a table, as records of plain numbers.

A card is its points, 1 (ace) to 10. Money is whole chips: a bet of one is `unit` chips, chosen so that half a bet and a
blackjack's pay are whole, too, and no payout is rounded. Numba passes records by address, so a kernel reads
`rules.hands_max` with one load. The protocols below describe the records to the type checker.
"""

from math import ceil, lcm
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from croupier.games.blackjack.rules.config import Options
from croupier.lab.blackjack import strategy
from croupier.lab.blackjack.strategy import StrategyTable

HIT: Final = 0
STAND: Final = 1
DOUBLE: Final = 2
SPLIT: Final = 4
SURRENDER: Final = 8
"""A preference is a sum of these. The first that is allowed is played: surrender, split, double, then stand or hit."""

PREFERENCES_SHAPE: Final = (3, 22, 11)
"""Kind of hand; its total, or for a pair one card's points; the dealer's upcard."""

DOUBLE_NO, DOUBLE_ANY, DOUBLE_9_11 = 0, 1, 2
SURRENDER_NO, SURRENDER_LATE, SURRENDER_EARLY = 0, 1, 2
CARDS_MAX: Final = 8 * 52
HANDS_MAX: Final = 4
PLAYERS_MAX: Final = 7
ROWS: Final = HANDS_MAX * PLAYERS_MAX
COUNT_MAX: Final = 30
"""Plans treat counts beyond ± this number alike."""
COUNT_ENTRIES: Final = 2 * COUNT_MAX + 1

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

PLAN_RECORD: Final = np.dtype(
    [
        ("counting", np.int64),
        ("preferences", np.uint8, (COUNT_ENTRIES, *PREFERENCES_SHAPE)),
        ("bets", np.int64, (COUNT_ENTRIES,)),
        ("insures", np.int64, (COUNT_ENTRIES,)),
        ("tags", np.int64, (11,)),
        ("tag_scale", np.int64),
        ("start", np.int64),
        ("per_deck", np.int64),
    ]
)


class RuleNumbers(Protocol):
    """`Options` in numbers; true is 1."""

    cards: int
    cut: int
    """A new shoe is used before a round once so many cards are dealt; with 0, before every round."""
    players: int
    unit: int
    """Chips in a bet of one."""
    blackjack_win: int
    """Chips that a blackjack wins on a bet of one."""
    ace_eleven: int
    stands_on: int
    hits_soft_17: int
    dealer_seat: int
    peek: int
    original_bets_only: int
    has_blackjack: int
    double: int
    double_after_split: int
    hands_max: int
    hit_split_aces: int
    resplit_aces: int
    insurance: int
    surrender: int


class Plan(Protocol):
    """How the seats play. Without counting, entry 0 holds. With it, entries are by count, from -`COUNT_MAX` up."""

    counting: int
    preferences: Bytes
    bets: Numbers
    """In bets of one. With 0 the hand is dealt, but nothing is staked on it."""
    insures: Numbers
    tags: Numbers
    """What each card, by points, adds to the running count."""
    tag_scale: int
    """The written tags are multiplied by this number to be whole."""
    start: int
    """The running count of a new shoe, in scaled tags."""
    per_deck: int
    """Whether the running count is divided by the decks left (true count)."""


class Table(Protocol):
    """The state of a round while it is played: the working memory of one thread."""

    position: int
    """How many cards of the shoe have been dealt."""
    limit: int
    """Where the shoe ends."""
    known: int
    """Cards before this place are in a given order; from here on, cards are drawn at random."""
    round_start: int
    reshuffled: int
    """Whether the cards of earlier rounds were reshuffled in this round."""
    running: int
    """The running count of the cards seen."""
    up: int
    dealer_hard: int
    dealer_ace: int
    dealer_cards: int
    dealer_hole: int
    # Of every hand; those of seat n begin at n × HANDS_MAX.
    hand_hard: Numbers
    hand_ace: Numbers
    hand_cards: Numbers
    hand_first: Numbers
    hand_second: Numbers
    hand_bet: Numbers
    hand_status: Numbers
    hand_split: Numbers
    hand_from_aces: Numbers
    hand_doubled: Numbers
    # Of every seat.
    seat_hands: Numbers
    seat_bet: Numbers
    seat_insurance: Numbers
    seat_staked: Numbers
    seat_profit: Numbers
    shoe: Bytes
    generator: Words


RULES_RECORD: Final = np.dtype([(name, np.int64) for name in RuleNumbers.__annotations__])
_TABLE_ARRAYS: Final[dict[str, Any]] = {"hand": (np.int64, ROWS), "seat": (np.int64, PLAYERS_MAX)} | {
    "shoe": (np.uint8, CARDS_MAX),
    "generator": (np.uint64, 4),
}
TABLE_RECORD: Final = np.dtype(
    [(name, *_TABLE_ARRAYS.get(name.partition("_")[0], (np.int64,))) for name in Table.__annotations__]
)


def record(kind: "np.dtype[Any]", **fields: Any) -> Any:
    """A record with some fields set and the others zero."""
    made = np.zeros(1, kind).view(np.recarray)[0]
    for name, value in fields.items():
        made[name] = value
    return made


def rule_numbers(options: Options, players: int = 1) -> RuleNumbers:
    """The rules in numbers, for so many players besides the dealer."""
    numerator, denominator = options.blackjack_ratio if options.has_blackjack else (0, 1)
    unit = lcm(2, denominator)
    found: RuleNumbers = record(
        RULES_RECORD,
        cards=52 * options.decks,
        cut=ceil(options.penetration * 52 * options.decks),
        players=players,
        unit=unit,
        blackjack_win=unit * numerator // denominator,
        ace_eleven=options.ace == "best",
        stands_on=options.dealer_stands_on,
        hits_soft_17=options.dealer_hits_soft_17,
        dealer_seat=options.dealer_seat,
        peek=options.peek,
        original_bets_only=options.original_bets_only,
        has_blackjack=options.has_blackjack,
        double=("no", "any", "9-11").index(options.double),
        double_after_split=options.double_after_split,
        hands_max=options.hands_max,
        hit_split_aces=options.hit_split_aces,
        resplit_aces=options.resplit_aces,
        insurance=options.insurance,
        surrender=("no", "late", "early").index(options.surrender),
    )
    return found


def preferences(table: StrategyTable, options: Options) -> Bytes:
    """The table's preference for every hand, as sums of `STAND` … `SURRENDER`.

    A pair that prefers a split falls back on the preference of its total, without surrender. If the rules allow no
    splits at all, the total's preference holds, surrender included.
    """
    plays = table.array()
    totals = {
        strategy.HIT: HIT,
        strategy.STAND: STAND,
        strategy.DOUBLE: DOUBLE,
        strategy.DOUBLE_STAND: DOUBLE | STAND,
        strategy.SURRENDER: SURRENDER,
        strategy.SURRENDER_STAND: SURRENDER | STAND,
    }
    wanted = np.zeros(PREFERENCES_SHAPE, np.uint8)
    for kind, row, up in np.ndindex(*PREFERENCES_SHAPE):
        play = int(plays[kind, row, up])
        if play in totals:
            wanted[kind, row, up] = totals[play]
            continue
        soft = row == 1 and options.ace == "best"
        otherwise = totals[int(plays[strategy.SOFT, 12, up] if soft else plays[strategy.HARD, 2 * row, up])]
        if play == strategy.BY_TOTAL or (play == strategy.SPLIT and options.hands_max == 1):
            wanted[kind, row, up] = otherwise
        elif play == strategy.SPLIT:
            wanted[kind, row, up] = SPLIT | (otherwise & ~SURRENDER)
        else:
            wanted[kind, row, up] = SURRENDER | SPLIT | otherwise
    return wanted


def flat_plan(wanted: Bytes) -> Plan:
    """A plan without counting: one strategy, a bet of one, no insurance."""
    plan: Plan = record(PLAN_RECORD, tag_scale=1, per_deck=1)
    plan.preferences[0] = wanted
    plan.bets[0] = 1
    return plan


def new_table() -> Table:
    table: Table = record(TABLE_RECORD)
    return table


def full_shoe(decks: int) -> Bytes:
    """The points of all cards of some decks, aces first."""
    one = [points for points in range(1, 11) for _ in range(16 if points == 10 else 4)]
    return np.sort(np.tile(np.array(one, np.uint8), decks))
