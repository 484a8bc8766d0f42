"""Compiled: the order of a round of blackjack, and the effects of its actions. `games.blackjack.rules.flow`, `progress`
and `settle` on arrays.
"""

from numba import int64

from croupier.lab.batch.bits import lowest
from croupier.lab.batch.blackjack.menu import BET, DOUBLE, INSURE, SPLIT, STANDING, SURRENDER, best, may_split
from croupier.lab.batch.blackjack.state import (
    ACCEPTED,
    ACTIVE,
    BETTING,
    BLACKJACK,
    BUSTED,
    HANDS,
    NOBODY,
    OVER,
    PLAYING,
    STAND,
    SURRENDERED,
    Config,
    Table,
)
from croupier.lab.compiler import inlined, kernel
from croupier.lab.random_numbers import draw_below


@inlined
def _draw(config: Config, table: Table) -> int:
    """The points of the next card of the shoe. A swap with a random card of the rest leaves a uniform order."""
    place = int64(table.position)
    if place >= table.given:
        chance, further, _ = draw_below(table.chance, int64(table.end) - place)
        table.chance = chance
        card = table.shoe[place + further]
        table.shoe[place + further] = table.shoe[place]
        table.shoe[place] = card
    table.position = place + 1
    table.dealt += 1
    points: int = int64(config.points[table.shoe[place]])
    return points


@inlined
def _has_cards(config: Config, table: Table, count: int) -> bool:
    """Whether so many cards can be dealt; the cards of earlier rounds are shuffled again if the shoe runs out."""
    if int64(table.end) - int64(table.position) >= count:
        return True
    if table.dealt == 0:
        table.gone = 0
        table.position = 0
        table.end = config.cards
        table.given = 0
    elif not table.reshuffled:
        table.reshuffled = True
        table.position = 0
        table.end = table.gone
        table.given = 0
    enough: bool = int64(table.end) - int64(table.position) >= count
    return enough


@inlined
def _give(config: Config, table: Table, place: int) -> None:
    """Deal a card to a hand and update its status."""
    points = _draw(config, table)
    cards = int64(table.cards[place])
    if cards == 0:
        table.first[place] = points
    elif cards == 1:
        table.second[place] = points
    table.cards[place] = cards + 1
    table.hard[place] += points
    table.ace[place] |= points == 1
    if cards == 0:
        return
    worth = best(config, int64(table.hard[place]), table.ace[place])
    if worth > 21:
        table.status[place] = BUSTED
    elif config.has_blackjack and not table.split[place] and cards == 1 and worth == 21:
        table.status[place] = BLACKJACK
    elif (
        worth == 21
        or table.doubled[place]
        or (table.from_aces[place] and not config.hit_split_aces and not may_split(config, table, place))
    ):
        table.status[place] = STAND


@inlined
def _give_dealer(config: Config, table: Table) -> None:
    points = _draw(config, table)
    if table.dealer_cards == 0:
        table.up = points
    _turn(table, points)


@inlined
def _turn(table: Table, points: int) -> None:
    """An open card of the dealer."""
    table.dealer_hard += points
    table.dealer_ace |= points == 1
    table.dealer_cards += 1


@kernel
def begin(config: Config, table: Table) -> None:
    """Begin a round from `began`, `gone` and the shoe: everybody who can pay the lowest bet may bet."""
    waiting = int64(0)
    for seat in range(config.seats):
        table.purse[seat] = table.began[seat]
        table.bet[seat] = 0
        table.insurance[seat] = 0
        table.hands[seat] = 0
        table.result[seat] = 0
        if config.bet_max > 0 and table.began[seat] >= config.bet_min:
            waiting |= int64(1) << seat
    table.position = table.gone
    table.end = config.cards
    table.dealt = 0
    table.reshuffled = False
    table.void = False
    table.undecided = 0
    table.up = table.hole = table.dealer_hard = table.dealer_cards = 0
    table.dealer_ace = False
    table.open = waiting
    table.phase = BETTING
    table.hand = 0
    if waiting:
        table.turn = lowest(waiting)
    else:
        _deal(config, table)


@kernel
def _deal(config: Config, table: Table) -> None:
    """All bets are made: deal the first cards, or end at once if nobody plays."""
    players = 0
    for seat in range(config.seats):
        if table.bet[seat] or (config.dealer_seat and seat != table.dealer_at):
            players += 1
            table.hands[seat] = 1
            _open_hand(table, seat * HANDS, table.bet[seat])
    if players == 0 and not (config.dealer_seat and config.seats == 1):
        _void(config, table)
        return
    table.phase = PLAYING
    if not _has_cards(config, table, 2 * players + (2 if config.peek or config.dealer_seat else 1)):
        _void(config, table)
        return
    if config.dealer_seat:
        for seat in range(config.seats):
            for _ in range(2):
                if seat == table.dealer_at:
                    _give_dealer(config, table)
                else:
                    _give(config, table, seat * HANDS)
    else:
        for seat in range(config.seats):
            if table.hands[seat]:
                _give(config, table, seat * HANDS)
        _give_dealer(config, table)
        for seat in range(config.seats):
            if table.hands[seat]:
                _give(config, table, seat * HANDS)
        if config.peek:
            table.hole = _draw(config, table)
    _consider(config, table)


@inlined
def _open_hand(table: Table, place: int, bet: int) -> None:
    table.hand_bet[place] = bet
    table.hard[place] = table.cards[place] = 0
    table.first[place] = table.second[place] = 0
    table.status[place] = ACTIVE
    table.ace[place] = table.doubled[place] = table.split[place] = table.from_aces[place] = 0


@inlined
def _consider(config: Config, table: Table) -> None:
    """The first cards are dealt: ask about insurance and early surrender before the dealer looks."""
    insurable = config.insurance and table.up == 1
    escapable = config.surrender_early and config.peek and config.has_blackjack and (table.up in (1, 10))
    asked = int64(0)
    if insurable or escapable:
        for seat in range(config.seats):
            if table.hands[seat]:
                insurance = table.bet[seat] // 2
                if (insurable and 0 < insurance <= table.purse[seat]) or (
                    escapable and table.status[seat * HANDS] != BLACKJACK
                ):
                    asked |= int64(1) << seat
    table.undecided = asked
    if asked:
        table.turn = lowest(asked)
    else:
        _look(config, table)


@inlined
def _look(config: Config, table: Table) -> None:
    """The dealer looks under an ace or a ten, and without blackjack the hands are played."""
    if table.hole and config.has_blackjack and int64(table.up) + int64(table.hole) == 11 and (table.up in (1, 10)):
        _play_dealer(config, table)
    else:
        _pass_turn(config, table, 0)


@inlined
def _pass_turn(config: Config, table: Table, first: int) -> None:
    """Give the turn to the first hand that is to be played, from this seat on, or to the dealer."""
    for seat in range(first, config.seats):
        for hand in range(int64(table.hands[seat])):
            if table.status[seat * HANDS + hand] == ACTIVE:
                table.turn = seat
                table.hand = hand
                return
    _play_dealer(config, table)


@kernel
def _play_dealer(config: Config, table: Table) -> None:
    """Turn the hole card, draw, settle."""
    if table.hole:
        _turn(table, int64(table.hole))
    contested = bool(config.dealer_seat)
    for seat in range(config.seats):
        for hand in range(int64(table.hands[seat])):
            contested |= table.status[seat * HANDS + hand] == STAND
    while _needs_card(config, table, contested):
        if not _has_cards(config, table, 1):
            _void(config, table)
            return
        _give_dealer(config, table)
    _settle(config, table)


@inlined
def _dealer_blackjack(config: Config, table: Table) -> bool:
    blackjack: bool = config.has_blackjack and table.dealer_cards == 2 and table.dealer_ace and table.dealer_hard == 11
    return blackjack


@inlined
def _needs_card(config: Config, table: Table, contested: bool) -> bool:
    """Whether the dealer draws: only below the standing total, and only while some result depends on it."""
    if table.dealer_cards == 1:
        return contested or ((table.up in (1, 10)) and _blackjack_matters(config, table))
    if not contested or _dealer_blackjack(config, table):
        return False
    hard = int64(table.dealer_hard)
    worth = best(config, hard, table.dealer_ace)
    if config.hits_soft_17 and worth == 17 and hard == 7:
        return True
    draws: bool = worth < config.stands_on
    return draws


@kernel
def _blackjack_matters(config: Config, table: Table) -> bool:
    """Without a hole card: whether a dealer's blackjack would still change any result."""
    late = config.surrender and not config.surrender_early
    for seat in range(config.seats):
        if table.insurance[seat]:
            return True
        staked = int64(0)
        for hand in range(int64(table.hands[seat])):
            place = seat * HANDS + hand
            staked += table.hand_bet[place]
            if table.status[place] == BLACKJACK or (late and table.status[place] == SURRENDERED):
                return True
        if config.original_bets_only and staked > table.bet[seat]:
            return True
    return False


@kernel
def _void(config: Config, table: Table) -> None:
    """The round ends undecided: every bet goes back."""
    for seat in range(config.seats):
        for hand in range(int64(table.hands[seat])):
            table.purse[seat] += table.hand_bet[seat * HANDS + hand]
        table.purse[seat] += table.insurance[seat]
    table.void = True
    table.undecided = 0
    table.turn = NOBODY
    table.phase = OVER


@kernel
def _settle(config: Config, table: Table) -> None:
    """What each hand gets back, stake included."""
    blackjack = _dealer_blackjack(config, table)
    theirs = best(config, int64(table.dealer_hard), table.dealer_ace)
    points = int64(0)
    for seat in range(config.seats):
        returned = int64(0)
        if blackjack:
            returned = 3 * table.insurance[seat]
        won, first_lost = int64(0), False
        for hand in range(int64(table.hands[seat])):
            payout, outcome = _payout(config, table, seat * HANDS + hand, blackjack, theirs)
            returned += payout
            won += outcome
            if hand == 0:
                first_lost = outcome < 0 and payout == 0
        if config.original_bets_only and blackjack and first_lost:
            # The seat loses its first bet; everything it added since goes back.
            returned = 3 * table.insurance[seat] - table.bet[seat]
            for hand in range(int64(table.hands[seat])):
                returned += table.hand_bet[seat * HANDS + hand]
        table.purse[seat] += returned
        table.result[seat] = table.purse[seat] - table.began[seat] if config.bet_max else won
        points += won
    if table.dealer_at >= 0:
        table.result[int64(table.dealer_at)] = -points
    table.turn = NOBODY
    table.phase = OVER


@inlined
def _payout(config: Config, table: Table, place: int, blackjack: bool, theirs: int) -> tuple[int, int]:
    """A hand's payout, and 1 for a win, -1 for a loss."""
    bet, status = table.hand_bet[place], table.status[place]
    if status == SURRENDERED:
        return (bet // 2 if config.surrender_early or not blackjack else 0), -1
    if status == BUSTED:
        return 0, -1
    if status == BLACKJACK:
        if blackjack:
            return bet, 0
        return bet + bet * config.pays // config.pays_of, 1
    ours = best(config, int64(table.hard[place]), table.ace[place])
    if blackjack or (theirs <= 21 and ours < theirs):
        return 0, -1
    if theirs > 21 or ours > theirs:
        return 2 * bet, 1
    return bet, 0


@inlined
def do(config: Config, table: Table, seat: int, kind: int, amount: int) -> int:
    """Do what `offers` offers to this seat, and go on to the next decision."""
    bit = int64(1) << seat
    if table.phase == BETTING:
        if kind == BET:
            table.purse[seat] -= amount
            table.bet[seat] = amount
        table.open = int64(table.open) & ~bit
        if table.open:
            table.turn = lowest(int64(table.open))
        else:
            _deal(config, table)
        return ACCEPTED
    if table.undecided:
        if kind == SURRENDER:
            table.status[seat * HANDS] = SURRENDERED
        elif kind == INSURE:
            table.insurance[seat] = table.bet[seat] // 2
            table.purse[seat] -= table.insurance[seat]
        table.undecided = int64(table.undecided) & ~bit
        if table.undecided:
            table.turn = lowest(int64(table.undecided))
        else:
            _look(config, table)
        return ACCEPTED
    _play(config, table, seat, seat * HANDS + int64(table.hand), kind)
    return ACCEPTED


@inlined
def _play(config: Config, table: Table, seat: int, place: int, kind: int) -> None:
    """A decision on one hand."""
    if kind == STANDING:
        table.status[place] = STAND
    elif kind == SURRENDER:
        table.status[place] = SURRENDERED
    elif kind == SPLIT:
        _split(table, seat, place)
        if not _has_cards(config, table, 2):
            _void(config, table)
            return
        _give(config, table, place)
        _give(config, table, place + 1)
    else:
        if kind == DOUBLE:
            table.purse[seat] -= table.hand_bet[place]
            table.hand_bet[place] *= 2
            table.doubled[place] = 1
        if not _has_cards(config, table, 1):
            _void(config, table)
            return
        _give(config, table, place)
    if table.status[place] != ACTIVE:
        _pass_turn(config, table, seat)


@kernel
def _split(table: Table, seat: int, place: int) -> None:
    """Two hands in the place of one, next to each other, each with one card of the pair and an equal bet."""
    bet, points = table.hand_bet[place], int64(table.first[place])
    table.purse[seat] -= bet
    last = seat * HANDS + int64(table.hands[seat])
    for at in range(last, place + 1, -1):
        table.hand_bet[at] = table.hand_bet[at - 1]
        table.hard[at] = table.hard[at - 1]
        table.ace[at] = table.ace[at - 1]
        table.cards[at] = table.cards[at - 1]
        table.first[at] = table.first[at - 1]
        table.second[at] = table.second[at - 1]
        table.status[at] = table.status[at - 1]
        table.doubled[at] = table.doubled[at - 1]
        table.split[at] = table.split[at - 1]
        table.from_aces[at] = table.from_aces[at - 1]
    table.hands[seat] += 1
    for at in (place, place + 1):
        _open_hand(table, at, bet)
        table.first[at] = points
        table.hard[at] = points
        table.cards[at] = 1
        table.ace[at] = points == 1
        table.split[at] = 1
        table.from_aces[at] = points == 1
