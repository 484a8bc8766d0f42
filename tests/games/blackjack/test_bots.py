"""The bot of blackjack plays basic strategy, whatever the rules."""

import pytest
from msgspec.structs import replace

from croupier.cards import cards
from croupier.game.game import Draw, Step
from croupier.games.blackjack import CASINO, CLASSROOM, TRAINER, BlackjackRules, BlackjackSetup
from croupier.games.blackjack.bots import BasicPolicy, column
from croupier.games.blackjack.rules.actions import (
    BlackjackAction,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    Split,
    Stand,
    Surrender,
)
from croupier.lab.blackjack import solve, strategy

COST_MAX = 0.0005
"""Of a bet, in a round: 0.05 %."""


def table(rules: BlackjackRules) -> strategy.StrategyTable:
    """The bot's choices as a strategy table, which the solver can play exactly."""

    def entry(kind: str, hand: str, up: str) -> str:
        row = strategy.row_number(hand)
        held = {"hard": _hard(row), "soft": (1, row - 11), "pairs": (row, row)}[kind]
        against = column(rules, (strategy.row_number(up),))

        def best(*plays: BlackjackAction) -> BlackjackAction:
            return max(plays, key=lambda play: against.worth(held, play))

        plays: list[BlackjackAction] = [Stand(), Hit()]
        fallback = "S" if best(*plays) == Stand() else "H"
        plays += [Double()] if rules.double != "no" else []
        plays += [Split()] if kind == "pairs" and rules.hands_max > 1 else []
        early = rules.surrender == "early" and rules.peek
        if rules.surrender != "no" and (
            against.early_surrender_pays(held) if early else best(*plays, Surrender()) == Surrender()
        ):
            return "Rp" if best(*plays) == Split() else {"S": "Rs", "H": "R"}[fallback]
        return {Stand(): "S", Hit(): "H", Double(): {"S": "Ds", "H": "D"}[fallback], Split(): "P"}[best(*plays)]

    return strategy.build(entry)


def _hard(total: int) -> tuple[int, ...]:
    return (total // 2, total - total // 2) if total < 20 else (10, total - 10)


RULES = {
    "casino": CASINO,
    "trainer": TRAINER,
    "classroom": CLASSROOM,
    "hits soft 17": replace(CASINO, dealer_hits_soft_17=True),
    "hits soft 17, late surrender": replace(CASINO, dealer_hits_soft_17=True, surrender="late"),
    "early surrender": replace(CASINO, surrender="early"),
    "no double after split": replace(CASINO, double_after_split=False),
    "double on 9 to 11": replace(CASINO, double="9-11"),
    "no double": replace(CASINO, double="no"),
    "no peek": replace(CASINO, peek=False),
    "no peek, original bets only": replace(CASINO, peek=False, original_bets_only=True),
    "no peek, late surrender": replace(CASINO, peek=False, surrender="late"),
    "eight decks": replace(CASINO, decks=8),
    "dealer stands on 15": replace(CASINO, dealer_stands_on=15),
    "one deck": replace(CASINO, decks=1),
    "split to four hands": replace(CASINO, hands_max=4, resplit_aces=True, hit_split_aces=True),
}


@pytest.mark.parametrize("name", RULES)
def test_basic_strategy_costs_less_than_a_twentieth_of_a_percent(name: str) -> None:
    rules = RULES[name]
    solution = solve.solve(rules)
    earned, _ = solve.won_and_staked(solution.prepared, table(rules))
    assert earned > solution.ev.total_dependent - COST_MAX


def decision(rules: BlackjackRules, shoe: str, *played: BlackjackAction, purse: int = 1000) -> BlackjackAction:
    """What the bot does in the first seat after these plays; the cards come as written: seat, dealer, seat, dealer."""
    cards_left = list(cards(shoe))
    step = rules.opening(BlackjackSetup((purse,)))
    plays = [PlaceBet(10), *played]
    while True:
        assert isinstance(step, Step), step
        waiting = rules.awaits(step.state)
        if isinstance(waiting, Draw):
            step = rules.deal(step.state, tuple(cards_left.pop(0) for _ in range(waiting.count)))
        elif plays:
            step = rules.act(step.state, 0, plays.pop(0))
        else:
            return BasicPolicy(rules)(rules.view(step.state, 0), rules.menu(step.state, 0))


def test_it_bets_the_least() -> None:
    rules = replace(CASINO, bet_min=25)
    opened = rules.opening(BlackjackSetup((1000,)))
    assert isinstance(opened, Step)
    assert BasicPolicy(rules)(rules.view(opened.state, 0), rules.menu(opened.state, 0)) == PlaceBet(25)


def test_it_never_insures_not_even_a_blackjack() -> None:
    assert decision(CASINO, "Th Ad Qs 5c") == Insurance(take=False)
    assert decision(CASINO, "Th Ad As 5c") == Insurance(take=False)


def test_it_splits_eights_and_never_tens() -> None:
    assert decision(CASINO, "8h Td 8s 5c") == Split()
    assert decision(CASINO, "Th 6d Ts 5c") == Stand()


def test_it_does_the_next_best_where_the_purse_is_too_small_to_double() -> None:
    assert decision(CASINO, "6h 6d 5s 5c") == Double()
    assert decision(CASINO, "6h 6d 5s 5c", purse=10) == Hit()


def test_it_gives_sixteen_up_against_a_ten_where_it_may() -> None:
    assert decision(TRAINER, "Th Td 6s 5c") == Surrender()
    assert decision(CASINO, "Th Td 6s 5c") == Hit()
    early = replace(CASINO, surrender="early", insurance=False)
    assert decision(early, "Th Ad 6s 5c") == Surrender()
    assert decision(early, "Th Ad 9s 5c") == Insurance(take=False)


def test_it_doubles_eleven_against_a_ten_only_where_the_dealer_has_looked() -> None:
    assert decision(CASINO, "6h Td 5s 5c") == Double()
    assert decision(replace(CASINO, peek=False), "6h Td 5s 5c") == Hit()
    assert decision(replace(CASINO, peek=False, original_bets_only=True), "6h Td 5s 5c") == Double()


def test_it_doubles_soft_eighteen_against_a_deuce_where_the_dealer_hits_soft_17() -> None:
    assert decision(CASINO, "Ah 2d 7s 5c") == Stand()
    assert decision(replace(CASINO, dealer_hits_soft_17=True), "Ah 2d 7s 5c") == Double()


def test_in_the_classroom_it_sees_both_cards_of_the_dealer() -> None:
    stiff, made = column(CLASSROOM, (10, 6)), column(CLASSROOM, (10, 9))
    held = (10, 6)
    assert stiff.worth(held, Stand()) > stiff.worth(held, Hit())
    assert made.worth(held, Stand()) == -1 < made.worth(held, Hit())
