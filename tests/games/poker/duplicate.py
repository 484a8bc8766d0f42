"""Duplicate poker: the same deal is played with the challenger in every seat, so that luck with cards cancels."""

from collections.abc import Callable
from math import sqrt
from random import Random
from typing import NamedTuple

from croupier.bots import bot
from croupier.cards import Card
from croupier.game.game import Draw, Over, Step, Turn, offered
from croupier.games.poker import HoldemAction, HoldemRules, HoldemSetup, Mode
from croupier.games.poker.bots.solid import HoldemPolicy

CASH = HoldemRules(mode=Mode.CASH)
Watch = Callable[[str, HoldemPolicy], HoldemPolicy]


class Score(NamedTuple):
    """What the challenger won, in big blinds a hundred hands, and half the width of the 95 % confidence interval."""

    mean: float
    margin: float
    hands: int

    @property
    def low(self) -> float:
        return self.mean - self.margin

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.margin:.1f} bb/100 over {self.hands} hands"


def play(
    policies: list[HoldemPolicy], setup: HoldemSetup, deck: list[Card], rules: HoldemRules = CASH
) -> tuple[int, ...]:
    """One hand; the bots see their views and menus only, and do nothing that is not offered."""
    step = rules.opening(setup)
    assert isinstance(step, Step)
    dealt = 0
    while True:
        state = step.state
        match rules.awaits(state):
            case Draw(count=count):
                step = rules.deal(state, tuple(deck[dealt : dealt + count]))
                dealt += count
            case Turn((seat,)):
                menu = rules.menu(state, seat)
                action: HoldemAction = policies[seat](rules.view(state, seat), menu)
                assert offered(menu, action), f"{action}, offered was {menu}"
                done = rules.act(state, seat, action)
                assert isinstance(done, Step)
                step = done
            case Over(payouts):
                return payouts


def match(
    challenger: str,
    others: str,
    *,
    seats: int,
    deals: int,
    seed: int = 1,
    big_blinds: int = 100,
    watch: Watch = lambda name, policy: policy,
    rules: HoldemRules = CASH,
) -> Score:
    """The challenger against a table of the others: each deal once from every seat, always with full stacks."""
    setup = HoldemSetup(stacks=(big_blinds * rules.big_blind,) * seats)
    results = []
    for number in range(deals):
        deck = Random(f"{seed} {number}").sample(rules.pack_cards, len(rules.pack_cards))
        won = 0
        for place in range(seats):
            names = [challenger if seat == place else others for seat in range(seats)]
            policies = [
                watch(name, bot("poker", name, Random(f"{seed} {number} {place} {seat}"), rules))
                for seat, name in enumerate(names)
            ]
            won += play(policies, setup, deck, rules)[place]
        results.append(100 * won / seats / rules.big_blind)
    mean = sum(results) / deals
    deviation = sqrt(sum((result - mean) ** 2 for result in results) / (deals - 1))
    return Score(mean, 1.96 * deviation / sqrt(deals), seats * deals)
