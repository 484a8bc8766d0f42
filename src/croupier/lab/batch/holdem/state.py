"""The arrays of a batch of Hold'em tables, and the numbers that stand for actions, streets and refusals."""

from enum import IntEnum
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.game.refusal import Code, OptionError, Refusal
from croupier.games.poker import AnteFrom, HoldemCode, HoldemRules, OddChips
from croupier.games.poker.rules.config import DOUBLINGS_MAX, FIELDS_SINCE, LEVELS_MAX, SEATS_MAX
from croupier.games.poker.rules.events import Street
from croupier.lab.poker.evaluator_tables import ROW_BITS, tables

Config: TypeAlias = Any
"""In a kernel: the row of `config_type`."""
Table: TypeAlias = Any
"""In a kernel: one row of TABLE."""
Tables: TypeAlias = NDArray[np.void]
"""Rows of TABLE."""

CARDS: Final = 52
BOARD: Final = 5
NOBODY: Final = -1


class Kind(IntEnum):
    """An action by its number. BET and RAISE take an amount: what the seat will have bet on this street."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    BET = 3
    RAISE = 4
    ALL_IN = 5
    SHOW = 6
    MUCK = 7


KINDS: Final = len(Kind)
NO_ACTION: Final = -1
"""For a table that is to be left alone in a step."""

STREETS: Final = (Street.PREFLOP, Street.FLOP, Street.TURN, Street.RIVER, Street.SHOWDOWN, Street.OVER)
"""Streets by their number."""
PREFLOP, FLOP, TURN, RIVER, SHOWDOWN, OVER = range(len(STREETS))

CODES: Final[tuple[str, ...]] = (
    "",
    Code.ROUND_OVER,
    Code.NO_SUCH_SEAT,
    Code.NOT_YOUR_TURN,
    Code.NOT_OFFERED,
    HoldemCode.SHOW_OR_MUCK,
    HoldemCode.NOT_SHOWDOWN,
    HoldemCode.CANNOT_CHECK,
    HoldemCode.NOTHING_TO_CALL,
    HoldemCode.NOTHING_TO_RAISE,
    HoldemCode.BET_ALREADY_MADE,
    HoldemCode.BETTING_NOT_REOPENED,
    HoldemCode.NOBODY_CAN_CALL,
    HoldemCode.ONLY_ALL_IN,
    HoldemCode.BET_TOO_SMALL,
    HoldemCode.BET_TOO_BIG,
    HoldemCode.RAISE_TOO_SMALL,
    HoldemCode.RAISE_TOO_BIG,
)
"""Refusals by their number; 0 is none. NOT_OFFERED stands for a number that is no action."""
(
    ACCEPTED,
    ROUND_OVER,
    NO_SUCH_SEAT,
    NOT_YOUR_TURN,
    NOT_OFFERED,
    SHOW_OR_MUCK,
    NOT_SHOWDOWN,
    CANNOT_CHECK,
    NOTHING_TO_CALL,
    NOTHING_TO_RAISE,
    BET_ALREADY_MADE,
    BETTING_NOT_REOPENED,
    NOBODY_CAN_CALL,
    ONLY_ALL_IN,
    BET_TOO_SMALL,
    BET_TOO_BIG,
    RAISE_TOO_SMALL,
    RAISE_TOO_BIG,
) = range(len(CODES))

# An action of the history is one word: what the seat has bet then, street, kind, seat.
SEAT_BITS: Final = 4
KIND_BITS: Final = 4
STREET_BITS: Final = 4


SEATS: Final = SEATS_MAX
"""Every table has room for so many, so that one compilation serves all."""
HISTORY: Final = 128
"""How many actions of a hand are kept: the last ones."""

FORCED_BET_MAX: Final = 1 << 60
"""Levels can grow beyond what 64 bits hold. Nobody has so many chips: a larger blind or ante is this one."""

_SEAT_CHIPS: Final = (np.int64, (SEATS,))
_SEAT_SET: Final = np.int16
"""Bit n stands for seat n."""
TABLE: Final = np.dtype(
    [
        ("stacks", *_SEAT_CHIPS),
        ("bets", *_SEAT_CHIPS),
        ("paid", *_SEAT_CHIPS),
        ("answered", *_SEAT_CHIPS),  # the bet that a seat of `acted` has last acted on in this street
        ("began", *_SEAT_CHIPS),  # the stacks at the beginning of the hand
        ("dead", np.int64),
        ("bet", np.int64),
        ("raise_by", np.int64),
        ("bet_min", np.int64),
        ("playing", _SEAT_SET),
        ("live", _SEAT_SET),
        ("able", _SEAT_SET),
        ("pending", _SEAT_SET),  # the able seats that the bet still asks
        ("acted", _SEAT_SET),
        ("shown", _SEAT_SET),
        ("mucked", _SEAT_SET),
        ("ranked", _SEAT_SET),  # seats whose hands compete at the showdown so far
        ("away", _SEAT_SET),
        ("turn", np.int8),  # the seat to act; NOBODY when the hand is over
        ("street", np.int8),
        ("aggressor", np.int8),
        ("button", np.int8),
        ("dealt", np.int8),  # how many cards of the deck are dealt, the burned ones included
        ("given", np.int8),  # how many are given; the others are drawn when they are dealt
        ("actions", np.int32),  # how many actions the hand has had
        ("hand", np.int64),  # its number, from 1: it decides the level
        ("chance", np.uint64),  # the state of the table's own random numbers
        ("ranks", np.uint16, (SEATS,)),  # at a showdown, the rank of every live hand
        ("hole", np.uint8, (SEATS, 2)),
        ("board", np.uint8, (BOARD,)),  # only the cards of the streets so far count
        ("deck", np.uint8, (CARDS,)),  # all cards; in the order of dealing as far as they are dealt or given
    ],
    align=True,
)
"""One table. Its fields mean what those of `games.poker.rules.state.Hand` mean.

A table is a row of one array, not a place in forty arrays: a kernel passes a row on by its address. Forty arrays made a
step take 1.4 µs, because every call inside a kernel copied and counted them all. Each field, as `tables["stacks"]`, is
a plain array all the same.
"""
PAST: Final = np.dtype([("words", np.int64, (HISTORY,))])
"""The actions of a table's hand: a ring of words. Apart from the table, so that more tables fit into the cache."""


_HOLDEM: Final = HoldemRules()
_BETWEEN_HANDS: Final = frozenset(("missed_blinds", "bomb_ante"))
"""Options that change no hand by themselves: a seat owes blinds, and a hand is a bomb pot, only if a setup says so."""


def check_played(rules: HoldemRules) -> None:
    """Raise OptionError for an option that is not played here: those of other variants, and of home games."""
    for name in FIELDS_SINCE:
        value, played = getattr(rules, name), getattr(_HOLDEM, name)
        if value != played and name not in _BETWEEN_HANDS:
            facts = {"option": name, "value": str(value), "allowed": f"{played} on the batch engine"}
            raise OptionError(Refusal(Code.BAD_OPTION, {**facts}))


def config_type(ranks: int) -> "np.dtype[np.void]":
    """What all tables share. The evaluator's tables have the names that its kernels know."""
    return np.dtype(
        [
            ("seats", np.int64),
            ("odd_chips_each", np.bool_),
            ("antes_dead", np.bool_),
            ("level_hands", np.int64),  # how many hands a level lasts; 0 where there are no levels
            ("levels", np.int64),
            ("small_blinds", np.int64, (LEVELS_MAX,)),
            ("big_blinds", np.int64, (LEVELS_MAX,)),
            ("antes", np.int64, (LEVELS_MAX,)),
            ("card_keys", np.uint64, (256,)),
            ("offsets", np.uint16, (1 << ROW_BITS,)),
            ("flushes", np.uint16, (1 << 13,)),
            ("ranks", np.uint16, (ranks,)),
        ],
        align=True,
    )


def new_config(rules: HoldemRules, seats: int) -> NDArray[np.void]:
    """The rules as one row."""
    ranking = tables(7)
    config = np.zeros(1, config_type(len(ranking.ranks)))
    numbers = range(1, (len(rules.levels) or DOUBLINGS_MAX + 1) + 1) if rules.level_hands else (0,)
    levels = [rules.level(number) for number in numbers]
    config["seats"] = seats
    config["odd_chips_each"] = rules.odd_chips is OddChips.EACH
    config["antes_dead"] = rules.ante_from is AnteFrom.BIG_BLIND
    config["level_hands"] = rules.level_hands
    config["levels"] = len(levels)
    config["small_blinds"][0, : len(levels)] = [min(level.small_blind, FORCED_BET_MAX) for level in levels]
    config["big_blinds"][0, : len(levels)] = [min(level.big_blind, FORCED_BET_MAX) for level in levels]
    config["antes"][0, : len(levels)] = [min(level.ante, FORCED_BET_MAX) for level in levels]
    for name in ("card_keys", "offsets", "flushes", "ranks"):
        config[name][0] = getattr(ranking, name)
    return config


def new_tables(count: int, rules: HoldemRules, seats: int) -> NDArray[np.void]:
    """Tables that are over: `begin` starts a hand."""
    made = np.zeros(count, TABLE)
    made["began"][:, :seats] = rules.stack_chips
    made["stacks"] = made["began"]
    made["turn"] = made["aggressor"] = NOBODY
    made["street"] = OVER
    made["deck"] = np.arange(CARDS)
    return made
