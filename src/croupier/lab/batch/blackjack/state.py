"""The arrays of a batch of blackjack tables, and the numbers that stand for actions, phases and refusals."""

from enum import IntEnum
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import PACK
from croupier.game.refusal import Code
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.games.blackjack.rules.config import HOUSE_SEATS_MAX
from croupier.games.blackjack.rules.hands import POINTS
from croupier.games.blackjack.rules.rules import BlackjackRules

Config: TypeAlias = Any
"""In a kernel: the row of CONFIG."""
Table: TypeAlias = Any
"""In a kernel: one row of TABLE."""
Tables: TypeAlias = NDArray[np.void]

SEATS: Final = HOUSE_SEATS_MAX
HANDS: Final = 4
PLACES: Final = SEATS * HANDS
"""Hand h of seat s is at the place s × HANDS + h."""
SHOE: Final = 8 * 52
NOBODY: Final = -1


class Kind(IntEnum):
    """An action by its number. BET takes an amount."""

    BET = 0
    SIT_OUT = 1
    HIT = 2
    STAND = 3
    DOUBLE = 4
    SPLIT = 5
    INSURE = 6
    NO_INSURANCE = 7
    SURRENDER = 8


KINDS: Final = len(Kind)
NO_ACTION: Final = -1
BETTING, PLAYING, OVER = range(3)
"""Phases. In PLAYING the seats decide, about insurance and early surrender first."""
ACTIVE, STAND, BUSTED, BLACKJACK, SURRENDERED = range(5)
"""What a hand is while the round runs."""

CODES: Final[tuple[str, ...]] = (
    "",
    Code.NO_SUCH_SEAT,
    Code.ROUND_OVER,
    Code.NOT_OFFERED,
    BlackjackCode.DEALER_IS_AUTO,
    BlackjackCode.ALREADY_DONE,
    BlackjackCode.NOT_YOUR_TURN,
    BlackjackCode.PLACE_A_BET_FIRST,
    BlackjackCode.INSUFFICIENT_FUNDS,
    BlackjackCode.BET_OUT_OF_RANGE,
    BlackjackCode.DECIDE_INSURANCE_FIRST,
    BlackjackCode.NOT_BETTING,
    BlackjackCode.CANNOT_HIT,
    BlackjackCode.CANNOT_DOUBLE,
    BlackjackCode.CANNOT_SPLIT,
    BlackjackCode.CANNOT_INSURE,
    BlackjackCode.CANNOT_SURRENDER,
)
"""Refusals by their number; 0 is none. NOT_OFFERED stands for a number that is no action."""
(
    ACCEPTED,
    NO_SUCH_SEAT,
    ROUND_OVER,
    NOT_OFFERED,
    DEALER_IS_AUTO,
    ALREADY_DONE,
    NOT_YOUR_TURN,
    PLACE_A_BET_FIRST,
    INSUFFICIENT_FUNDS,
    BET_OUT_OF_RANGE,
    DECIDE_INSURANCE_FIRST,
    NOT_BETTING,
    CANNOT_HIT,
    CANNOT_DOUBLE,
    CANNOT_SPLIT,
    CANNOT_INSURE,
    CANNOT_SURRENDER,
) = range(len(CODES))

_SEAT_CHIPS: Final = (np.int64, (SEATS,))
_HAND_NUMBERS: Final = (np.int8, (PLACES,))
TABLE: Final = np.dtype(
    [
        ("chance", np.uint64),  # the state of the table's own random numbers
        ("position", np.int16),  # the next card of the shoe
        ("end", np.int16),  # where the cards that may be dealt end
        ("gone", np.int16),  # how many cards of the shoe earlier rounds have used
        ("given", np.int16),  # the cards of the shoe before this are not drawn, but given
        ("dealt", np.int16),  # how many cards this round has dealt
        ("reshuffled", np.bool_),
        ("void", np.bool_),
        ("phase", np.int8),
        ("turn", np.int8),  # the seat to act, the first if several may; NOBODY when the round is over
        ("hand", np.int8),  # which of its hands, while hands are played
        ("dealer_at", np.int8),  # the seat of a person who deals; NOBODY against the house
        ("undecided", np.int8),  # a set of seats that must decide before the dealer looks
        ("open", np.int8),  # a set of seats that must still bet or sit out
        # The dealer: points of the up card and the hole card (0: none or not yet turned), total, cards.
        ("up", np.int8),
        ("hole", np.int8),
        ("dealer_hard", np.int8),
        ("dealer_ace", np.bool_),
        ("dealer_cards", np.int8),
        ("hands", np.int8, (SEATS,)),  # how many hands each seat has
        ("purse", *_SEAT_CHIPS),
        ("began", *_SEAT_CHIPS),
        ("bet", *_SEAT_CHIPS),
        ("insurance", *_SEAT_CHIPS),
        ("result", *_SEAT_CHIPS),  # once the round is over: chips won or lost, or points
        ("hand_bet", np.int64, (PLACES,)),
        ("hard", *_HAND_NUMBERS),  # every ace counted one
        ("ace", *_HAND_NUMBERS),  # 0 or 1, as the next flags are
        ("cards", *_HAND_NUMBERS),
        ("first", *_HAND_NUMBERS),  # the points of the first two cards
        ("second", *_HAND_NUMBERS),
        ("status", *_HAND_NUMBERS),
        ("doubled", *_HAND_NUMBERS),
        ("split", *_HAND_NUMBERS),
        ("from_aces", *_HAND_NUMBERS),
        ("shoe", np.uint8, (SHOE,)),  # card numbers; in the order of dealing as far as they are dealt or given
    ],
    align=True,
)
"""One table: a row of one array, which kernels pass on by its address."""

CONFIG: Final = np.dtype(
    [
        ("seats", np.int64),
        ("cards", np.int64),  # in the whole shoe
        ("stands_on", np.int64),
        ("shuffle_at", np.float64),  # a shoe of which so many are used is shuffled before the next round
        ("bet_min", np.int64),
        ("bet_max", np.int64),
        ("pays", np.int64),
        ("pays_of", np.int64),
        ("hands_max", np.int64),
        ("ace_is_one", np.bool_),
        ("hits_soft_17", np.bool_),
        ("dealer_seat", np.bool_),
        ("peek", np.bool_),
        ("original_bets_only", np.bool_),
        ("has_blackjack", np.bool_),
        ("double", np.bool_),
        ("double_9_to_11", np.bool_),
        ("double_after_split", np.bool_),
        ("hit_split_aces", np.bool_),
        ("resplit_aces", np.bool_),
        ("insurance", np.bool_),
        ("surrender", np.bool_),
        ("surrender_early", np.bool_),
        ("points", np.int8, (52,)),
    ],
    align=True,
)


def new_config(rules: BlackjackRules, seats: int) -> Tables:
    """The rules as one row."""
    config = np.zeros(1, CONFIG)
    config["seats"] = seats
    config["cards"] = 52 * rules.decks
    config["stands_on"] = rules.dealer_stands_on
    config["shuffle_at"] = rules.penetration * 52 * rules.decks
    config["pays"], config["pays_of"] = rules.blackjack_ratio if rules.has_blackjack else (0, 1)
    config["ace_is_one"] = rules.ace == "one"
    config["hits_soft_17"] = rules.dealer_hits_soft_17
    config["double"] = rules.double != "no"
    config["double_9_to_11"] = rules.double == "9-11"
    config["surrender"] = rules.surrender != "no"
    config["surrender_early"] = rules.surrender == "early"
    config["points"] = [POINTS[card] for card in PACK]
    same: tuple[str, ...] = (
        "bet_min",
        "bet_max",
        "hands_max",
        "dealer_seat",
        "peek",
        "original_bets_only",
        "has_blackjack",
    )
    same += ("double_after_split", "hit_split_aces", "resplit_aces", "insurance")
    for name in same:
        config[name] = getattr(rules, name)
    return config
