"""The general kernel: whole rounds by every rule.

Cards are dealt in the order of the plain rules, so both can be given the same shoe and must pay the same. Shoe n of a
block has the same cards for every strategy. So strategies are compared on the same shoes by playing the block again.
"""

from typing import Final

from numba import int64

from croupier.lab.blackjack.simulation.inputs import (
    COUNT_MAX,
    DOUBLE,
    DOUBLE_9_11,
    DOUBLE_NO,
    HANDS_MAX,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDER_EARLY,
    SURRENDER_LATE,
    SURRENDER_NO,
    Bytes,
    Plan,
    RuleNumbers,
    Table,
)
from croupier.lab.blackjack.strategy import HARD, PAIR, SOFT
from croupier.lab.compiler import inlined, kernel
from croupier.lab.random_numbers import below

ACTIVE: Final = 0
STOOD: Final = 1
BUSTED: Final = 2
BLACKJACK: Final = 3
SURRENDERED: Final = 4
BUST_TOTAL: Final = 22


@kernel
def new_shoe(plan: Plan, table: Table, full: Bytes, known: int) -> None:
    """Refill the shoe. The first `known` cards are dealt in their order, the others at random."""
    for index in range(full.size):
        table.shoe[index] = full[index]
    table.position = 0
    table.limit = full.size
    table.known = known
    table.running = plan.start


@inlined
def draw(table: Table) -> int:
    """The next card; all cards left in the shoe are equally likely.

    This is one step of the Fisher–Yates shuffle, taken only when the card is needed.
    """
    position = table.position
    if position >= table.known:
        other = position + below(table.generator, table.limit - position)
        card = table.shoe[other]
        table.shoe[other] = table.shoe[position]
        table.shoe[position] = card
    table.position = position + 1
    drawn: int = int64(table.shoe[position])
    return drawn


@inlined
def has_cards(plan: Plan, table: Table, count: int) -> bool:
    """Whether `count` cards can be dealt now, after a reshuffle if needed.

    As in the plain rules: when the shoe runs out, the cards of its earlier rounds are reshuffled, once, and its rest is
    not dealt any more. The running count then starts again.
    """
    if table.position + count > table.limit and not table.reshuffled:
        table.limit = table.round_start
        table.position = 0
        table.reshuffled = 1
        table.running = plan.start
    return table.position + count <= table.limit


@inlined
def count_entry(plan: Plan, table: Table) -> int:
    """The plan's entry for the present count: running, or per deck left, rounded down."""
    if not plan.counting:
        return 0
    count = table.running
    if plan.per_deck:
        count = (count * 52) // (max(table.limit - table.position, 1) * plan.tag_scale)
    else:
        count //= plan.tag_scale
    return min(max(count, -COUNT_MAX), COUNT_MAX) + COUNT_MAX


@inlined
def best_total(hard: int, ace: int) -> int:
    """A hand's value, with one ace counting eleven where that helps."""
    return hard + 10 if ace and hard <= 11 else hard


@inlined
def hand_total(table: Table, row: int) -> int:
    return best_total(table.hand_hard[row], table.hand_ace[row])


@inlined
def clear_hand(table: Table, row: int, bet: int) -> None:
    table.hand_hard[row] = 0
    table.hand_ace[row] = 0
    table.hand_cards[row] = 0
    table.hand_bet[row] = bet
    table.hand_status[row] = ACTIVE
    table.hand_split[row] = 0
    table.hand_from_aces[row] = 0
    table.hand_doubled[row] = 0


@inlined
def give(rules: RuleNumbers, plan: Plan, table: Table, seat: int, row: int) -> None:
    """Deal the next card to a hand, face up, and update the hand's status."""
    card = draw(table)
    table.running += plan.tags[card]
    table.hand_hard[row] += card
    if card == 1 and rules.ace_eleven:
        table.hand_ace[row] = 1
    table.hand_cards[row] += 1
    if table.hand_cards[row] == 1:
        table.hand_first[row] = card
        return
    if table.hand_cards[row] == 2:
        table.hand_second[row] = card
    worth = hand_total(table, row)
    if worth > 21:
        table.hand_status[row] = BUSTED
    elif worth == 21 and rules.has_blackjack and table.hand_cards[row] == 2 and not table.hand_split[row]:
        table.hand_status[row] = BLACKJACK
    elif worth == 21 or table.hand_doubled[row] or _is_closed(rules, table, seat, row):
        table.hand_status[row] = STOOD


@kernel
def _is_closed(rules: RuleNumbers, table: Table, seat: int, row: int) -> bool:
    """Whether a hand may take no more cards: split aces get one each, unless they may be hit or split again."""
    if rules.hit_split_aces or not table.hand_from_aces[row]:
        return False
    return not may_split(rules, table, seat, row)


@inlined
def is_pair(table: Table, row: int) -> bool:
    return bool(table.hand_cards[row] == 2 and table.hand_first[row] == table.hand_second[row])


@inlined
def may_split(rules: RuleNumbers, table: Table, seat: int, row: int) -> bool:
    if not is_pair(table, row) or table.seat_hands[seat] >= rules.hands_max:
        return False
    return bool(rules.resplit_aces or not table.hand_from_aces[row])


@inlined
def may_double(rules: RuleNumbers, table: Table, row: int) -> bool:
    if rules.double == DOUBLE_NO or table.hand_cards[row] != 2:
        return False
    if table.hand_split[row] and not rules.double_after_split:
        return False
    return rules.double != DOUBLE_9_11 or 9 <= hand_total(table, row) <= 11


@inlined
def asks_before_look(rules: RuleNumbers, table: Table) -> bool:
    """Whether early surrender is decided before the dealer looks, and not when the hand is played."""
    hides_blackjack = table.up in (1, 10)
    return bool(rules.surrender == SURRENDER_EARLY and rules.peek and rules.has_blackjack and hides_blackjack)


@inlined
def may_surrender(rules: RuleNumbers, table: Table, row: int) -> bool:
    if rules.surrender == SURRENDER_NO or table.hand_cards[row] != 2 or table.hand_split[row]:
        return False
    return not asks_before_look(rules, table)


@inlined
def preference(plan: Plan, table: Table, row: int) -> int:
    """The plan's preference for a hand against the upcard, at the present count."""
    worth = hand_total(table, row)
    kind = HARD if worth == table.hand_hard[row] else SOFT
    if is_pair(table, row):
        kind, worth = PAIR, table.hand_first[row]
    wanted: int = int64(plan.preferences[count_entry(plan, table), kind, worth, table.up])
    return wanted


@inlined
def choose(rules: RuleNumbers, plan: Plan, table: Table, seat: int, row: int) -> int:
    """The first part of the preference that the rules allow now."""
    wanted = preference(plan, table, row)
    if wanted & SURRENDER and may_surrender(rules, table, row):
        return SURRENDER
    if wanted & SPLIT and may_split(rules, table, seat, row):
        return SPLIT
    if table.hand_from_aces[row] and not rules.hit_split_aces:
        return STAND
    if wanted & DOUBLE and may_double(rules, table, row):
        return DOUBLE
    return wanted & STAND


@kernel
def split(rules: RuleNumbers, plan: Plan, table: Table, seat: int, row: int) -> None:
    """Replace a hand by two adjacent hands, each with a further card. The shoe must have two cards."""
    for moved in range(seat * HANDS_MAX + table.seat_hands[seat], row + 1, -1):
        _move_split_hand(table, moved - 1, moved)
    table.seat_hands[seat] += 1
    card = table.hand_first[row]
    for half in (row, row + 1):
        clear_hand(table, half, table.seat_bet[seat])
        table.hand_hard[half] = card
        table.hand_ace[half] = 1 if card == 1 and rules.ace_eleven else 0
        table.hand_cards[half] = 1
        table.hand_first[half] = card
        table.hand_split[half] = 1
        table.hand_from_aces[half] = 1 if card == 1 else 0
    give(rules, plan, table, seat, row)
    give(rules, plan, table, seat, row + 1)


@kernel
def _move_split_hand(table: Table, row: int, to: int) -> None:
    """Move a later hand of two cards, not yet played, to another row."""
    clear_hand(table, to, table.hand_bet[row])
    table.hand_hard[to] = table.hand_hard[row]
    table.hand_ace[to] = table.hand_ace[row]
    table.hand_cards[to] = table.hand_cards[row]
    table.hand_first[to] = table.hand_first[row]
    table.hand_second[to] = table.hand_second[row]
    table.hand_status[to] = table.hand_status[row]
    table.hand_split[to] = table.hand_split[row]
    table.hand_from_aces[to] = table.hand_from_aces[row]


@kernel
def play_seat(rules: RuleNumbers, plan: Plan, table: Table, seat: int) -> bool:
    """Play all hands of a seat in order. False if the shoe ran out of cards."""
    row = seat * HANDS_MAX
    while row < seat * HANDS_MAX + table.seat_hands[seat]:
        while table.hand_status[row] == ACTIVE:
            action = choose(rules, plan, table, seat, row)
            if action == STAND:
                table.hand_status[row] = STOOD
            elif action == SURRENDER:
                table.hand_status[row] = SURRENDERED
            elif not has_cards(plan, table, 2 if action == SPLIT else 1):
                return False
            elif action == SPLIT:
                split(rules, plan, table, seat, row)
            else:
                if action == DOUBLE:
                    table.hand_bet[row] *= 2
                    table.hand_doubled[row] = 1
                give(rules, plan, table, seat, row)
        row += 1
    return True


@inlined
def first_cards(rules: RuleNumbers) -> int:
    """How many cards are dealt at the beginning of a round."""
    return 2 * rules.players + (2 if rules.peek or rules.dealer_seat else 1)


@kernel
def play_round(rules: RuleNumbers, plan: Plan, table: Table) -> bool:
    """Play a round and store every seat's stake and profit, in chips, in the table.

    The shoe must have the first cards. False if it ran out later: then the round is void and all bets are returned.
    """
    table.round_start = table.position
    table.reshuffled = 0
    bet = plan.bets[count_entry(plan, table)] * rules.unit
    for seat in range(rules.players):
        table.seat_hands[seat] = 1
        table.seat_bet[seat] = bet
        table.seat_insurance[seat] = 0
        clear_hand(table, seat * HANDS_MAX, bet)
    _deal_first_cards(rules, plan, table)
    _decide_before_look(rules, plan, table)
    complete = True
    if not (rules.peek and dealer_has_blackjack(rules, table)):
        for seat in range(rules.players):
            complete = complete and play_seat(rules, plan, table, seat)
    if rules.peek:
        table.running += plan.tags[table.dealer_hole]
    complete = complete and _play_dealer(rules, plan, table)
    for seat in range(rules.players):
        _settle(rules, table, seat, complete)
    return complete


@inlined
def dealer_has_blackjack(rules: RuleNumbers, table: Table) -> bool:
    return bool(rules.has_blackjack and table.dealer_cards == 2 and table.dealer_ace and table.dealer_hard == 11)


@inlined
def _take_dealer_card(rules: RuleNumbers, table: Table) -> int:
    card = draw(table)
    table.dealer_hard += card
    if card == 1 and rules.ace_eleven:
        table.dealer_ace = 1
    table.dealer_cards += 1
    return card


@inlined
def _take_open_dealer_card(rules: RuleNumbers, plan: Plan, table: Table) -> int:
    card = _take_dealer_card(rules, table)
    table.running += plan.tags[card]
    return card


@kernel
def _deal_first_cards(rules: RuleNumbers, plan: Plan, table: Table) -> None:
    table.dealer_hard = 0
    table.dealer_ace = 0
    table.dealer_cards = 0
    if rules.dealer_seat:
        table.up = _take_open_dealer_card(rules, plan, table)
        _take_open_dealer_card(rules, plan, table)
        for seat in range(rules.players):
            give(rules, plan, table, seat, seat * HANDS_MAX)
            give(rules, plan, table, seat, seat * HANDS_MAX)
        return
    for seat in range(rules.players):
        give(rules, plan, table, seat, seat * HANDS_MAX)
    table.up = _take_open_dealer_card(rules, plan, table)
    for seat in range(rules.players):
        give(rules, plan, table, seat, seat * HANDS_MAX)
    if rules.peek:
        table.dealer_hole = _take_dealer_card(rules, table)


@kernel
def _decide_before_look(rules: RuleNumbers, plan: Plan, table: Table) -> None:
    """Early surrender if the dealer may have blackjack; otherwise insurance, if the plan takes it."""
    insurable = rules.insurance and table.up == 1
    escapable = asks_before_look(rules, table)
    for seat in range(rules.players):
        row = seat * HANDS_MAX
        if escapable and table.hand_status[row] == ACTIVE and preference(plan, table, row) & SURRENDER:
            table.hand_status[row] = SURRENDERED
        elif insurable and plan.insures[count_entry(plan, table)]:
            table.seat_insurance[seat] = table.seat_bet[seat] // 2


@kernel
def _play_dealer(rules: RuleNumbers, plan: Plan, table: Table) -> bool:
    """Deal the dealer's cards as far as a result depends on them. False if the shoe ran out."""
    contested = _is_contested(rules, table)
    if table.dealer_cards == 1:
        if not contested and not (table.up in (1, 10) and _blackjack_matters(rules, table)):
            return True
        if not has_cards(plan, table, 1):
            return False
        _take_open_dealer_card(rules, plan, table)
    if not contested or dealer_has_blackjack(rules, table):
        return True
    while True:
        worth = best_total(table.dealer_hard, table.dealer_ace)
        soft_17 = worth == 17 and table.dealer_hard == 7
        if worth >= rules.stands_on and not (soft_17 and rules.hits_soft_17):
            return True
        if not has_cards(plan, table, 1):
            return False
        _take_open_dealer_card(rules, plan, table)


@kernel
def _is_contested(rules: RuleNumbers, table: Table) -> bool:
    """Whether a hand depends on the dealer's total. A person who deals always plays the hand out."""
    if rules.dealer_seat:
        return True
    for seat in range(rules.players):
        for row in range(seat * HANDS_MAX, seat * HANDS_MAX + table.seat_hands[seat]):
            if table.hand_status[row] == STOOD:
                return True
    return False


@kernel
def _blackjack_matters(rules: RuleNumbers, table: Table) -> bool:
    """Without a hole card: whether a result still depends on a dealer's blackjack."""
    for seat in range(rules.players):
        if table.seat_insurance[seat]:
            return True
        staked = 0
        for row in range(seat * HANDS_MAX, seat * HANDS_MAX + table.seat_hands[seat]):
            status = table.hand_status[row]
            staked += table.hand_bet[row]
            if status == BLACKJACK or (status == SURRENDERED and rules.surrender == SURRENDER_LATE):
                return True
        if rules.original_bets_only and staked > table.seat_bet[seat]:
            return True
    return False


@kernel
def _settle(rules: RuleNumbers, table: Table, seat: int, complete: bool) -> None:
    """Store a seat's stake and profit. A void round has no profit and no loss."""
    beaten = dealer_has_blackjack(rules, table)
    insurance = table.seat_insurance[seat]
    staked, profit = insurance, 0
    for row in range(seat * HANDS_MAX, seat * HANDS_MAX + table.seat_hands[seat]):
        staked += table.hand_bet[row]
        profit += _hand_profit(rules, table, row, beaten)
    first = table.hand_status[seat * HANDS_MAX]
    escaped = first == BLACKJACK or (first == SURRENDERED and rules.surrender == SURRENDER_EARLY)
    if rules.original_bets_only and beaten and not escaped:
        profit = -table.seat_bet[seat]
    profit += 2 * insurance if beaten else -insurance
    table.seat_staked[seat] = staked
    table.seat_profit[seat] = profit if complete else 0


@kernel
def _hand_profit(rules: RuleNumbers, table: Table, row: int, beaten: bool) -> int:
    """A hand's profit, negative for a loss. The tests come in the order of the rules."""
    bet: int = table.hand_bet[row]
    status = table.hand_status[row]
    if status == SURRENDERED:
        return -bet if beaten and rules.surrender == SURRENDER_LATE else -(bet // 2)
    if status == BUSTED:
        return -bet
    if status == BLACKJACK:
        return 0 if beaten else bet // rules.unit * rules.blackjack_win
    if beaten:
        return -bet
    theirs = best_total(table.dealer_hard, table.dealer_ace)
    ours = hand_total(table, row)
    if theirs >= BUST_TOTAL or ours > theirs:
        return bet
    return -bet if ours < theirs else 0
