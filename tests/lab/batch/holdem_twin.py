"""A batch of Hold'em tables beside the plain rules: every step of every table is compared, refusals are provoked."""

import random
from typing import Any

import numpy as np

from croupier.cards import PACK
from croupier.game.game import Draw, Over, Step
from croupier.game.refusal import Refusal
from croupier.games.poker import AnteFrom, Bet, HoldemRules, HoldemSetup, Level, Mode, OddChips, Raise
from croupier.games.poker.rules.actions import ALL_IN, CALL, CHECK, FOLD, MUCK, SHOW, HoldemAction
from croupier.games.poker.rules.state import Hand, cards_of
from croupier.lab.batch.holdem import CODES, NO_ACTION, STREETS, HoldemTables, Kind

FIXED: dict[Kind, HoldemAction] = {
    Kind.FOLD: FOLD,
    Kind.CHECK: CHECK,
    Kind.CALL: CALL,
    Kind.ALL_IN: ALL_IN,
    Kind.SHOW: SHOW,
    Kind.MUCK: MUCK,
}
KIND_OF = {type(action): kind for kind, action in FIXED.items()} | {Bet: Kind.BET, Raise: Kind.RAISE}
DECK = 28
"""Two cards each for ten seats, three burned, five on the board."""


def plain_action(kind: int, amount: int) -> HoldemAction:
    if kind == Kind.BET:
        return Bet(amount)
    return Raise(amount) if kind == Kind.RAISE else FIXED[Kind(kind)]


def random_rules(chance: random.Random) -> HoldemRules:
    """Any options: blinds that are equal or zero, antes of both kinds, levels, both ways with odd chips."""
    small, big = chance.choice(((5, 10), (1, 2), (3, 7), (10, 10), (0, 4), (1, 1)))
    ante = chance.choice((0, 0, 1, 3, big))
    ante_from = AnteFrom.BIG_BLIND if ante and chance.random() < 0.5 else AnteFrom.EACH
    odd_chips = chance.choice(tuple(OddChips))
    common: dict[str, Any] = {"edition": 3, "odd_chips": odd_chips, "ante_from": ante_from}
    if chance.random() < 0.3:
        levels = tuple(Level(small * times, big * times, ante * times) for times in (1, 2, 5))
        return HoldemRules(mode=Mode.TOURNAMENT, levels=levels, hands_per_level=2, **common)
    mode = chance.choice(tuple(Mode))
    return HoldemRules(mode=mode, small_blind=small, big_blind=big, ante=ante, **common)


class Twin:
    """One table of the batch in the plain rules."""

    def __init__(self, rules: HoldemRules, setup: HoldemSetup) -> None:
        self.rules = rules
        begun = rules.opening(setup)
        assert isinstance(begun, Step)
        self.hand: Hand = begun.state
        self.dealt = 0

    def deal(self, deck: Any) -> None:
        """Take the cards that the batch has dealt."""
        while isinstance(waiting := self.rules.awaits(self.hand), Draw):
            cards = tuple(PACK[number] for number in deck[self.dealt : self.dealt + waiting.count])
            self.dealt += waiting.count
            self.hand = self.rules.deal(self.hand, cards).state

    def act(self, seat: int, kind: int, amount: int) -> Refusal | None:
        step = self.rules.act(self.hand, seat, plain_action(kind, amount))
        if isinstance(step, Refusal):
            return step
        self.hand = step.state
        return None


def compare(tables: HoldemTables, twins: list[Twin]) -> None:
    """Everything that both know is equal at every table."""
    legal, payoffs = tables.legal(), tables.payoffs()
    for number, twin in enumerate(twins):
        hand, row = twin.hand, tables.rows[number]
        twin.deal(row["deck"])
        hand = twin.hand
        assert twin.dealt == row["dealt"]
        assert int(row["turn"]) == hand.turn, (number, hand)
        assert STREETS[row["street"]] is hand.street
        assert tuple(row["stacks"][: tables.seats].tolist()) == hand.stacks
        assert tuple(row["bets"][: tables.seats].tolist()) == hand.bets
        assert tuple(row["paid"][: tables.seats].tolist()) == hand.paid
        assert row["dead"] == hand.dead
        assert [seat for seat in range(tables.seats) if row["live"] >> seat & 1] == sorted(hand.live)
        assert [seat for seat in range(tables.seats) if row["shown"] >> seat & 1] == sorted(hand.shown)
        assert [seat for seat in range(tables.seats) if row["mucked"] >> seat & 1] == sorted(hand.mucked)
        assert tuple(PACK[card] for card in row["board"][: len(hand.board)]) == hand.board
        for seat in hand.dealt:
            assert tuple(PACK[card] for card in row["hole"][seat]) == cards_of(hand, seat)
        offers = twin.rules.menu(hand, hand.turn)
        assert set(np.flatnonzero(legal.mask[number])) == {KIND_OF[type(offer.action)] for offer in offers}
        sized = [(offer.low, offer.high) for offer in offers if offer.field] or [(0, 0)]
        assert (legal.low[number], legal.high[number]) == sized[0]
        over = twin.rules.awaits(hand)
        assert tuple(payoffs[number]) == (over.payouts if isinstance(over, Over) else (0,) * tables.seats)


def provoke(tables: HoldemTables, twins: list[Twin], chance: random.Random) -> set[str]:
    """Try something at random at every table that the plain rules refuse; both give the same reason and facts."""
    kinds, amounts, seats = (np.zeros(tables.tables, np.int64) for _ in range(3))
    refusals: list[Refusal | None] = []
    for number, twin in enumerate(twins):
        turn = twin.hand.turn
        seat = turn if turn >= 0 and chance.random() < 0.9 else chance.randrange(-1, tables.seats + 1)
        kind = chance.randrange(len(Kind))
        low, high = int(tables.legal().low[number]), int(tables.legal().high[number])
        amount = chance.choice((low - 1, high + 1, chance.randrange(0, 2000), 0))
        step = twin.rules.act(twin.hand, seat, plain_action(kind, amount))
        refused = isinstance(step, Refusal)
        kinds[number], amounts[number], seats[number] = kind if refused else NO_ACTION, amount, seat
        refusals.append(step if isinstance(step, Refusal) else None)
    before = tables.rows.copy()
    codes = tables.step(kinds, amounts, seats).copy()
    assert (tables.rows == before).all(), "a refused action changes nothing"
    for number, refusal in enumerate(refusals):
        assert CODES[codes[number]] == ("" if refusal is None else refusal.code)
        if refusal is not None:
            arguments = (int(kinds[number]), int(amounts[number]), int(seats[number]))
            assert tables.refusal(number, *arguments) == refusal
    return {refusal.code for refusal in refusals if refusal is not None}


def play_beside(tables: HoldemTables, twins: list[Twin], chance: random.Random) -> set[str]:
    """Play all hands to their end at random. Return the codes of the refusals met."""
    compare(tables, twins)
    met: set[str] = set()
    while not tables.over.all():
        met |= provoke(tables, twins, chance)
        kinds, amounts = (array.copy() for array in tables.random_actions(tables.legal()))
        turns = tables.turn.copy()
        assert not tables.step(kinds, amounts).any(), "what is legal is accepted"
        for twin, seat, kind, amount in zip(twins, turns.tolist(), kinds.tolist(), amounts.tolist(), strict=True):
            if kind != NO_ACTION:
                assert twin.act(seat, kind, amount) is None
        compare(tables, twins)
    return met | provoke(tables, twins, chance)


def random_batch(chance: random.Random, count: int) -> tuple[HoldemTables, list[Twin]]:
    """Tables of random rules with uneven stacks, empty seats, seats that sit out, and cards drawn or given."""
    rules, seats = random_rules(chance), chance.randint(2, 10)
    tables = HoldemTables(count, seats, rules, seed=chance.randrange(1 << 60))
    stacks = np.array(
        [
            [chance.choice((0, 1, chance.randint(1, 40), chance.randint(20, 200), 1000)) for _ in range(seats)]
            for _ in range(count)
        ]
    )
    away = np.array([[chance.random() < 0.1 for _ in range(seats)] for _ in range(count)])
    for row in range(count):  # two seats at least are in play
        for seat in chance.sample(range(seats), 2):
            stacks[row, seat], away[row, seat] = max(stacks[row, seat], 1), False
    buttons = [chance.choice(np.flatnonzero((stacks[row] > 0) & ~away[row])) for row in range(count)]
    hands = np.array([chance.randint(1, 9) for _ in range(count)])
    cards = None
    if chance.random() < 0.5:
        given = chance.choice((2, DECK))
        cards = np.array([chance.sample(range(52), given) for _ in range(count)])
    tables.reset(stacks=stacks, away=away, buttons=buttons, hands=hands, cards=cards)
    if cards is not None:
        assert (tables.rows["deck"][:, : cards.shape[1]] == cards).all(), "the given cards are dealt"
    return tables, [Twin(rules, tables.setup(number)) for number in range(count)]
