"""Rounds from shoe after shoe, by the general kernel."""

import numpy as np

from croupier.lab.blackjack.simulation import tally
from croupier.lab.blackjack.simulation.inputs import HANDS_MAX, Bytes, Numbers, Plan, RuleNumbers, Table
from croupier.lab.blackjack.simulation.rounds import (
    BLACKJACK,
    BUST_TOTAL,
    BUSTED,
    SURRENDERED,
    best_total,
    dealer_has_blackjack,
    draw,
    first_cards,
    new_shoe,
    play_round,
)
from croupier.lab.compiler import inlined, kernel
from croupier.lab.random_numbers import reseed


@kernel
def shuffle(plan: Plan, table: Table, full: Bytes) -> None:
    """Shuffle a whole shoe with the table's generator."""
    new_shoe(plan, table, full, 0)
    for _ in range(full.size):
        draw(table)


@inlined
def is_shoe_done(rules: RuleNumbers, table: Table) -> bool:
    """Whether the next round begins with a new shoe.

    A shoe with too few cards for a round is replaced before the bets, which a counter sees. The plain rules replace it
    after them.
    """
    if table.reshuffled or table.position >= rules.cut:
        return True
    return table.position + first_cards(rules) > table.limit


@kernel
def play_shoes(
    rules: RuleNumbers,
    plan: Plan,
    table: Table,
    full: Bytes,
    key: np.uint64,
    rounds: int,
    shoes: Numbers,
    counts: Numbers,
) -> int:
    """Play `rounds` rounds, or all rounds of the shoes if these are fewer, and return the number of shoes used.

    Each row of `shoes` gets one shoe's sums, `counts` the counts. The last shoe ends with the last round.
    """
    shoe = -1
    done = True
    for _ in range(rounds):
        if done:
            if shoe + 1 == shoes.shape[0]:
                break
            shoe += 1
            reseed(table.generator, key, shoe)
            new_shoe(plan, table, full, 0)
        complete = play_round(rules, plan, table)
        for seat in range(rules.players):
            shoes[shoe, tally.SUM_PROFIT] += table.seat_profit[seat]
            shoes[shoe, tally.SUM_BETS] += table.seat_bet[seat]
            shoes[shoe, tally.SUM_STAKED] += table.seat_staked[seat]
        shoes[shoe, tally.SUM_ROUNDS] += 1
        count_round(rules, table, complete, counts)
        done = is_shoe_done(rules, table)
    return shoe + 1


@kernel
def count_round(rules: RuleNumbers, table: Table, complete: bool, counts: Numbers) -> None:
    """Count the outcomes of a round."""
    counts[tally.COUNT_ROUNDS] += 1
    counts[tally.COUNT_VOIDS] += not complete
    counts[tally.COUNT_DEALER_BLACKJACKS] += dealer_has_blackjack(rules, table)
    counts[tally.COUNT_DEALER_BUSTS] += best_total(table.dealer_hard, table.dealer_ace) >= BUST_TOTAL
    for seat in range(rules.players):
        _count_seat(table, seat, counts)


@kernel
def _count_seat(table: Table, seat: int, counts: Numbers) -> None:
    """Count the outcomes of a seat's round, unless its bet is zero."""
    if table.seat_bet[seat] == 0:
        return
    profit = table.seat_profit[seat]
    counts[tally.COUNT_SEAT_ROUNDS] += 1
    counts[tally.COUNT_SQUARES] += profit * profit
    counts[tally.COUNT_WINS] += profit > 0
    counts[tally.COUNT_LOSSES] += profit < 0
    counts[tally.COUNT_PUSHES] += profit == 0
    counts[tally.COUNT_HANDS] += table.seat_hands[seat]
    counts[tally.COUNT_SPLITS] += table.seat_hands[seat] > 1
    counts[tally.COUNT_INSURED] += table.seat_insurance[seat] > 0
    for row in range(seat * HANDS_MAX, seat * HANDS_MAX + table.seat_hands[seat]):
        status = table.hand_status[row]
        counts[tally.COUNT_DOUBLES] += table.hand_doubled[row]
        counts[tally.COUNT_BLACKJACKS] += status == BLACKJACK
        counts[tally.COUNT_BUSTS] += status == BUSTED
        counts[tally.COUNT_SURRENDERS] += status == SURRENDERED


@kernel
def play_stacked(rules: RuleNumbers, plan: Plan, table: Table, shoes: Bytes, rounds: int, results: Numbers) -> int:
    """Play rounds from stacked shoes, fill in every seat's profit and stake, and return the number of rounds.

    It ends with the last shoe. The tests compare the kernel with the plain rules by it.
    """
    shoe = -1
    done = True
    for index in range(rounds):
        if done:
            shoe += 1
            if shoe == shoes.shape[0]:
                return index
            new_shoe(plan, table, shoes[shoe], shoes.shape[1])
        play_round(rules, plan, table)
        for seat in range(rules.players):
            results[index, seat, 0] = table.seat_profit[seat]
            results[index, seat, 1] = table.seat_staked[seat]
        done = is_shoe_done(rules, table)
    return rounds
