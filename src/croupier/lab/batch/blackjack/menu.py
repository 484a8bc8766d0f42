"""Compiled: what a seat may do at a blackjack table, and why it may not do the rest. `games.blackjack.rules.menu` on
arrays. `offers` is the one source of legality.
"""

from typing import Final

from numba import int64

from croupier.lab.batch.blackjack.state import (
    ACTIVE,
    ALREADY_DONE,
    BET_OUT_OF_RANGE,
    BETTING,
    BLACKJACK,
    CANNOT_DOUBLE,
    CANNOT_HIT,
    CANNOT_INSURE,
    CANNOT_SPLIT,
    CANNOT_SURRENDER,
    DEALER_IS_AUTO,
    DECIDE_INSURANCE_FIRST,
    HANDS,
    INSUFFICIENT_FUNDS,
    NO_SUCH_SEAT,
    NOT_BETTING,
    NOT_OFFERED,
    NOT_YOUR_TURN,
    OVER,
    PLACE_A_BET_FIRST,
    ROUND_OVER,
    Config,
    Kind,
    Table,
)
from croupier.lab.compiler import inlined, kernel

BET: Final = int(Kind.BET)
SIT_OUT: Final = int(Kind.SIT_OUT)
HIT: Final = int(Kind.HIT)
STANDING: Final = int(Kind.STAND)
DOUBLE: Final = int(Kind.DOUBLE)
SPLIT: Final = int(Kind.SPLIT)
INSURE: Final = int(Kind.INSURE)
NO_INSURANCE: Final = int(Kind.NO_INSURANCE)
SURRENDER: Final = int(Kind.SURRENDER)


@inlined
def best(config: Config, hard: int, ace: bool) -> int:
    """The total with an ace as eleven where that helps."""
    return hard + 10 if ace and hard <= 11 and not config.ace_is_one else hard


@inlined
def may_split(config: Config, table: Table, place: int) -> bool:
    """Whether the rules let this hand be split, whatever the purse holds."""
    if table.cards[place] != 2 or table.first[place] != table.second[place]:
        return False
    if table.hands[place // HANDS] >= config.hands_max:
        return False
    may: bool = config.resplit_aces or not table.from_aces[place]
    return may


@inlined
def may_double(config: Config, table: Table, place: int) -> bool:
    """Whether the rules let this hand be doubled."""
    if not config.double or table.cards[place] != 2 or (table.split[place] and not config.double_after_split):
        return False
    if not config.double_9_to_11:
        return True
    return 9 <= best(config, int64(table.hard[place]), table.ace[place]) <= 11


@inlined
def may_draw(config: Config, table: Table, place: int) -> bool:
    """Whether the hand may take cards at all."""
    may: bool = config.hit_split_aces or not table.from_aces[place]
    return may


@inlined
def hand_offers(config: Config, table: Table, seat: int, place: int) -> int:
    """What may be done with a hand, as bits of kinds."""
    kinds = 1 << STANDING
    rich = table.purse[seat] >= table.hand_bet[place]
    if may_draw(config, table, place):
        kinds |= 1 << HIT
        if rich and may_double(config, table, place):
            kinds |= 1 << DOUBLE
    if rich and may_split(config, table, place):
        kinds |= 1 << SPLIT
    if config.surrender and table.cards[place] == 2 and not table.split[place]:
        asked_before = config.surrender_early and config.peek and (table.up in (1, 10))
        if not (asked_before and config.has_blackjack):
            kinds |= 1 << SURRENDER
    return kinds


@inlined
def offers(config: Config, table: Table, seat: int) -> tuple[int, int, int]:
    """What a seat of the table may do now: bits of kinds, and the least and most of a bet if one is offered."""
    if table.phase == OVER:
        return 0, 0, 0
    bit = 1 << seat
    if table.phase == BETTING:
        if not int64(table.open) & bit:
            return 0, 0, 0
        return 1 << BET | 1 << SIT_OUT, config.bet_min, min(table.purse[seat], config.bet_max)
    if table.undecided:
        if not int64(table.undecided) & bit:
            return 0, 0, 0
        kinds = 1 << NO_INSURANCE
        insurance = table.bet[seat] // 2
        if config.insurance and table.up == 1 and 0 < insurance <= table.purse[seat]:
            kinds |= 1 << INSURE
        if config.surrender_early and config.peek and table.status[seat * HANDS] != BLACKJACK:
            kinds |= 1 << SURRENDER
        return kinds, 0, 0
    if table.turn != seat:
        return 0, 0, 0
    return hand_offers(config, table, seat, seat * HANDS + int64(table.hand)), 0, 0


@kernel
def refusal(config: Config, table: Table, seat: int, kind: int, amount: int) -> int:
    """Why a seat may not do this, which `offers` does not offer."""
    if seat < 0 or seat >= config.seats:
        return NO_SUCH_SEAT
    if table.phase == OVER:
        return ROUND_OVER
    if kind < BET or kind > SURRENDER:
        return NOT_OFFERED
    if seat == table.dealer_at:
        return DEALER_IS_AUTO
    bit = int64(1) << seat
    if table.phase == BETTING:
        if not int64(table.open) & bit:
            return ALREADY_DONE
        if kind != BET:
            return PLACE_A_BET_FIRST
        return INSUFFICIENT_FUNDS if config.bet_min <= amount <= config.bet_max else BET_OUT_OF_RANGE
    if table.undecided:
        if not int64(table.undecided) & bit:
            return ALREADY_DONE if table.hands[seat] else NOT_YOUR_TURN
        plays = 1 << STANDING
        if table.status[seat * HANDS] == ACTIVE:
            plays = hand_offers(config, table, seat, seat * HANDS)
        if kind in (INSURE, NO_INSURANCE) or plays >> kind & 1:
            return DECIDE_INSURANCE_FIRST
        return _hand_refusal(config, table, seat * HANDS, kind)
    if table.turn != seat:
        return NOT_YOUR_TURN
    return _hand_refusal(config, table, seat * HANDS + int64(table.hand), kind)


@inlined
def _hand_refusal(config: Config, table: Table, place: int, kind: int) -> int:
    if kind == HIT:
        return CANNOT_HIT
    if kind == DOUBLE:
        active = table.status[place] == ACTIVE
        allowed = active and may_draw(config, table, place) and may_double(config, table, place)
        return INSUFFICIENT_FUNDS if allowed else CANNOT_DOUBLE
    if kind == SPLIT:
        return INSUFFICIENT_FUNDS if may_split(config, table, place) else CANNOT_SPLIT
    if kind in (INSURE, NO_INSURANCE):
        return CANNOT_INSURE
    if kind == SURRENDER:
        return CANNOT_SURRENDER
    return NOT_BETTING
