"""A batch of blackjack tables beside the plain rules: every step of every table is compared, refusals are provoked."""

import random
from typing import Any

import numpy as np

from croupier.cards import PACK
from croupier.game.game import Draw, Over, Step
from croupier.game.refusal import OptionError, Refusal
from croupier.games.blackjack.rules.actions import (
    BlackjackAction,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from croupier.games.blackjack.rules.hands import POINTS, total
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.games.blackjack.rules.state import BlackjackSetup, BlackjackState, Status
from croupier.lab.batch.blackjack import CODES, NO_ACTION, BlackjackTables, Kind
from croupier.lab.batch.blackjack.state import HANDS

FIXED: dict[Kind, BlackjackAction] = {
    Kind.SIT_OUT: SitOut(),
    Kind.HIT: Hit(),
    Kind.STAND: Stand(),
    Kind.DOUBLE: Double(),
    Kind.SPLIT: Split(),
    Kind.INSURE: Insurance(take=True),
    Kind.NO_INSURANCE: Insurance(take=False),
    Kind.SURRENDER: Surrender(),
}
STATUSES = (Status.ACTIVE, Status.STAND, Status.BUSTED, Status.BLACKJACK, Status.SURRENDERED)


def plain_action(kind: int, amount: int) -> BlackjackAction:
    return PlaceBet(amount) if kind == Kind.BET else FIXED[Kind(kind)]


def kind_of(action: BlackjackAction) -> Kind:
    if isinstance(action, PlaceBet):
        return Kind.BET
    return next(kind for kind, other in FIXED.items() if other == action)


def random_rules(chance: random.Random) -> BlackjackRules:
    """Any options that go together."""
    while True:
        no_bets = chance.random() < 0.1
        options: dict[str, Any] = {
            "decks": chance.choice((1, 1, 2, 6, 8)),
            "ace": chance.choice(("best", "best", "best", "one")),
            "dealer_stands_on": chance.choice((17, 17, 17, 12, 16, 18, 21)),
            "dealer_hits_soft_17": chance.random() < 0.4,
            "dealer_seat": chance.random() < 0.1,
            "peek": chance.random() < 0.5,
            "original_bets_only": chance.random() < 0.4,
            "blackjack_pays": chance.choice(("3:2", "6:5", "1:1", "7:3", "none")),
            "double": chance.choice(("any", "any", "9-11", "no")),
            "double_after_split": chance.random() < 0.5,
            "hands_max": chance.randint(1, 4),
            "hit_split_aces": chance.random() < 0.4,
            "resplit_aces": chance.random() < 0.5,
            "insurance": chance.random() < 0.6,
            "surrender": chance.choice(("no", "late", "early")),
            "penetration": chance.choice((0.0, 0.5, 0.9, 0.95)),
            "bet_min": 0 if no_bets else chance.choice((1, 2, 10)),
            "bet_max": 0 if no_bets else chance.choice((10, 100, 10**6)),
            "seats_max": 7,
            "edition": chance.randint(1, 2),
        }
        try:
            return BlackjackRules(**options)
        except OptionError:
            continue


class Twin:
    """One table of the batch in the plain rules."""

    def __init__(self, rules: BlackjackRules, setup: BlackjackSetup) -> None:
        self.rules = rules
        begun = rules.opening(setup)
        assert isinstance(begun, Step)
        self.state: BlackjackState = begun.state
        self.position = len(setup.gone)

    def deal(self, shoe: Any) -> None:
        """Take the cards that the batch has dealt, in the order of its shoe."""
        while isinstance(waiting := self.rules.awaits(self.state), Draw):
            # Since edition 2 the rest of a shoe is a pack of its own: it lies where the shoe goes on.
            if waiting.pack and not waiting.gone and (self.state.dealt or len(waiting.pack) == 52 * self.rules.decks):
                self.position = 0
            cards = tuple(PACK[number] for number in shoe[self.position : self.position + waiting.count])
            self.position += waiting.count
            self.state = self.rules.deal(self.state, cards).state

    def turn(self) -> int:
        waiting = self.rules.awaits(self.state)
        return -1 if isinstance(waiting, Over | Draw) else waiting.seats[0]


def compare(tables: BlackjackTables, twins: list[Twin]) -> None:
    """Everything that both know is equal at every table."""
    legal, payoffs = tables.legal(), tables.payoffs()
    for number, twin in enumerate(twins):
        row = tables.rows[number]
        twin.deal(row["shoe"])
        state, turn = twin.state, twin.turn()
        assert int(row["turn"]) == turn, (number, state)
        assert (bool(row["reshuffled"]), int(row["dealt"])) == (state.reshuffled, len(state.dealt))
        assert bool(row["void"]) == state.void
        for index, seat in enumerate(state.seats):
            assert (int(row["purse"][index]), int(row["bet"][index])) == (seat.purse, seat.bet)
            assert int(row["insurance"][index]) == seat.insurance
            assert int(row["hands"][index]) == len(seat.hands)
            for place, hand in enumerate(seat.hands, index * HANDS):
                assert int(row["hand_bet"][place]) == hand.bet
                assert int(row["hard"][place]) == total(hand.cards).hard
                assert int(row["cards"][place]) == len(hand.cards)
                if not state.over:
                    assert STATUSES[row["status"][place]] is hand.status
        if state.dealer:
            assert (int(row["dealer_hard"]), int(row["dealer_cards"])) == (total(state.dealer).hard, len(state.dealer))
            assert int(row["up"]) == POINTS[state.dealer[0]]
        offers = twin.rules.menu(state, turn) if turn >= 0 else ()
        assert set(np.flatnonzero(legal.mask[number])) == {kind_of(offer.action) for offer in offers}
        sized = [(offer.low, offer.high) for offer in offers if offer.field] or [(0, 0)]
        assert (legal.low[number], legal.high[number]) == sized[0]
        over = twin.rules.awaits(state)
        assert tuple(payoffs[number]) == (over.payouts if isinstance(over, Over) else (0,) * tables.seats)


def provoke(tables: BlackjackTables, twins: list[Twin], chance: random.Random) -> set[str]:
    """Try something at random at every table; where the plain rules refuse it, both give the same reason and facts."""
    kinds, amounts, seats = (np.zeros(tables.tables, np.int64) for _ in range(3))
    refusals: list[Refusal | None] = []
    for number, twin in enumerate(twins):
        turn = twin.turn()
        seat = turn if turn >= 0 and chance.random() < 0.8 else chance.randrange(-1, tables.seats + 1)
        kind, amount = chance.randrange(len(Kind)), chance.choice((0, 1, 5, 20, 500, 5000, 10**7))
        step = twin.rules.act(twin.state, seat, plain_action(kind, amount))
        refused = isinstance(step, Refusal)
        kinds[number], amounts[number], seats[number] = kind if refused else NO_ACTION, amount, seat
        refusals.append(step if isinstance(step, Refusal) else None)
    before = tables.rows.copy()
    codes = tables.step(kinds, amounts, seats).copy()
    assert (tables.rows == before).all(), "a refused action changes nothing"
    for number, refusal in enumerate(refusals):
        assert CODES[codes[number]] == ("" if refusal is None else refusal.code), (number, refusal)
        if refusal is not None:
            arguments = (int(kinds[number]), int(amounts[number]), int(seats[number]))
            assert tables.refusal(number, int(codes[number]), *arguments) == refusal
    return {refusal.code for refusal in refusals if refusal is not None}


def play_beside(tables: BlackjackTables, twins: list[Twin], chance: random.Random) -> set[str]:
    """Play all rounds to their end at random. Return the codes of the refusals met."""
    compare(tables, twins)
    met: set[str] = set()
    while not tables.over.all():
        met |= provoke(tables, twins, chance)
        kinds, amounts = (array.copy() for array in tables.random_actions(tables.legal()))
        turns = tables.turn.copy()
        assert not tables.step(kinds, amounts).any(), "what is legal is accepted"
        for twin, seat, kind, amount in zip(twins, turns.tolist(), kinds.tolist(), amounts.tolist(), strict=True):
            if kind != NO_ACTION:
                step = twin.rules.act(twin.state, seat, plain_action(kind, amount))
                assert isinstance(step, Step)
                twin.state = step.state
        compare(tables, twins)
    return met | provoke(tables, twins, chance)


def rounds_beside(
    chance: random.Random, count: int, rounds: int, rules: BlackjackRules | None = None
) -> tuple[set[str], int]:
    """Some rounds in a row, at tables of random rules if none are given.

    Return the refusals met and how often a shoe ran out.
    """
    rules = rules or random_rules(chance)
    tables = BlackjackTables(count, chance.randint(rules.seats_min, 7), rules, seed=chance.randrange(1 << 60))
    met: set[str] = set()
    reshuffled = 0
    twins: list[Twin] = []
    for _ in range(rounds):
        purses = None
        if rules.bet_max:
            shape = (count, tables.seats)
            purses = [[chance.choice((0, 1, 15, 40, 100, 1000)) for _ in range(shape[1])] for _ in range(shape[0])]
        following = [twin.rules.following(twin.state).gone for twin in twins]
        tables.reset(purses=purses)
        for number, gone in enumerate(following):
            assert tables.setup(number).gone == gone, "the shoe goes on, or is shuffled, as in the plain rules"
        twins = [Twin(rules, tables.setup(number)) for number in range(count)]
        met |= play_beside(tables, twins, chance)
        reshuffled += int(tables.rows["reshuffled"].sum())
    return met, reshuffled
