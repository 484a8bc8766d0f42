"""The batch engine beside PokerKit, which shares no code and no author with us or with the plain rules.

Nobody is too short for the big blind, and nobody folds where checking is free: there PokerKit differs on purpose. It
gives a lone player with nothing to call a turn, and the odd chips of a split pot to other winners.
"""

import random
import warnings
from typing import Any

import numpy as np
import pytest
from pokerkit import Automation, NoLimitTexasHoldem

from croupier.cards import PACK
from croupier.games.poker import CASH
from croupier.lab.batch.holdem import NO_ACTION, HoldemTables, Kind

AUTOMATED = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
)
TABLES = 10
ODD_CHIPS_MAX = 3
WEIGHTS = {Kind.FOLD: 0.3, Kind.ALL_IN: 0.4, Kind.CHECK: 3.0, Kind.CALL: 3.0}


class KitTable:
    """A table in PokerKit with the cards of a row of the batch."""

    def __init__(self, stacks: Any, ante: int, cards: Any) -> None:
        self._seats, self._cards = len(stacks), [str(PACK[number]) for number in cards]
        self._next = 2 * self._seats
        chips = tuple(int(stack) for stack in stacks)
        self.state = NoLimitTexasHoldem.create_state(AUTOMATED, True, ante, (5, 10), 10, chips, self._seats)

    def deal(self) -> None:
        """Deal what is wanted now, in the order of the batch: one card to each, another, a burn before a street."""
        state = self.state
        while state.status:
            if state.can_burn_card():
                state.burn_card("??")
            elif state.can_deal_hole():
                for seat in range(self._seats):
                    state.deal_hole(self._cards[seat] + self._cards[self._seats + seat])
            elif state.can_deal_board():
                count = 1 if list(state.get_board_cards(0)) else 3
                state.deal_board("".join(self._cards[self._next + 1 : self._next + 1 + count]))
                self._next += 1 + count
            else:
                return

    def check_to(self, seat: int | None) -> None:
        """Let lone players check until it is this seat's turn, or the hand is over."""
        self.deal()
        state = self.state
        while state.status and state.actor_index is not None and state.actor_index != seat:
            assert state.checking_or_calling_amount == 0, "a lone player has nothing to call"
            state.check_or_call()
            self.deal()

    def act(self, kind: Kind, amount: int) -> None:
        state = self.state
        to = state.stacks[state.actor_index] + state.bets[state.actor_index] if kind is Kind.ALL_IN else amount
        if kind is Kind.FOLD:
            state.fold()
        elif kind in (Kind.CHECK, Kind.CALL) or to <= max(state.bets):
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(to)


def choose(kit: KitTable, mask: Any, low: int, high: int, chance: random.Random) -> tuple[Kind, int]:
    """One of the batch's offers, which are PokerKit's: the check, the call and the range of sizes."""
    state = kit.state
    assert bool(mask[Kind.CHECK]) == (state.checking_or_calling_amount == 0)
    sizes = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
    if mask[Kind.BET] or mask[Kind.RAISE]:
        assert sizes == (low, high)
    offered = [Kind(int(kind)) for kind in np.flatnonzero(mask) if not (kind == Kind.FOLD and mask[Kind.CHECK])]
    kind = chance.choices(offered, [WEIGHTS.get(each, 1.2) for each in offered])[0]
    sized = kind in (Kind.BET, Kind.RAISE)
    return kind, chance.choice((low, high, chance.randint(low, high))) if sized else 0


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(4, 100))])
def test_every_offer_and_every_payout_is_pokerkits(seed: int) -> None:
    chance = random.Random(7000 + seed)
    seats, ante = chance.randint(2, 10), chance.choice((0, 0, 1, 2))
    rules = CASH.replace(small_blind=5, big_blind=10, ante=ante, stack_chips=3000)
    tables = HoldemTables(TABLES, seats, rules, seed=seed)
    stacks = [[chance.randint(25, chance.choice((60, 400, 3000))) for _ in range(seats)] for _ in range(TABLES)]
    cards = [chance.sample(range(len(PACK)), len(PACK)) for _ in range(TABLES)]
    tables.reset(stacks=stacks, buttons=seats - 1, cards=cards)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kits = [KitTable(*each) for each in zip(stacks, [ante] * TABLES, cards, strict=True)]
        while not tables.over.all():
            legal = tables.legal()
            kinds, amounts = [NO_ACTION] * TABLES, [0] * TABLES
            for number in np.flatnonzero(~tables.over):
                if tables.at_showdown[number]:
                    kinds[number] = chance.choice((Kind.SHOW, Kind.MUCK))
                    continue
                kits[number].check_to(int(tables.turn[number]))
                low, high = int(legal.low[number]), int(legal.high[number])
                kinds[number], amounts[number] = choose(kits[number], legal.mask[number], low, high, chance)
                kits[number].act(Kind(kinds[number]), amounts[number])
            assert not tables.step(kinds, amounts).any()
        for kit, paid in zip(kits, tables.payoffs(), strict=True):
            kit.check_to(None)
            assert np.abs(np.array(kit.state.payoffs) - paid).max() <= ODD_CHIPS_MAX
