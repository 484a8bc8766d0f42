"""A batch of games of Sequence beside the plain rules: every step is compared, refusals are provoked."""

import random
from typing import Any

import numpy as np

from croupier.game.game import Draw, Over, Step
from croupier.game.refusal import Refusal
from croupier.games.sequence import Jacks, SequenceRules
from croupier.games.sequence.environment import SequenceEncoding
from croupier.games.sequence.rules.actions import (
    ExchangeDeadCard,
    PlayJackRemove,
    PlayJackWild,
    PlayNormal,
    SequenceAction,
)
from croupier.games.sequence.rules.board import cells_in
from croupier.games.sequence.rules.cards import PACK
from croupier.games.sequence.rules.state import SequenceSetup, State
from croupier.games.sequence.rules.teams import seat_counts
from croupier.lab.batch.sequence import CODES, NO_ACTION, Kind, SequenceTables
from croupier.lab.environments.encodings import flat

PLACES = {card: place for place, card in enumerate(PACK)}


def plain_action(kind: int, card: int, cell: int) -> SequenceAction:
    if kind == Kind.EXCHANGE:
        return ExchangeDeadCard(PACK[card])
    return (PlayNormal, PlayJackWild, PlayJackRemove)[kind](PACK[card], cell)


def random_rules(chance: random.Random) -> SequenceRules:
    """Any options."""
    return SequenceRules(
        edition=2,
        sequences_to_win=chance.randint(1, 2),
        sequences_to_win_of_three=chance.randint(1, 2),
        team_counts=chance.choice(((2,), (3,), (2, 3), (3, 2))),
        free_corners=chance.random() < 0.5,
        exchange_dead_cards=chance.random() < 0.5,
        bar_cleared_cell=chance.random() < 0.5,
        jacks=chance.choice(tuple(Jacks)),
    )


class Twin:
    """One game of the batch in the plain rules."""

    def __init__(self, rules: SequenceRules, setup: SequenceSetup) -> None:
        self.rules = rules
        begun = rules.opening(setup)
        assert isinstance(begun, Step)
        self.state: State = begun.state

    def deal(self, row: Any) -> None:
        """Take the cards that the batch has dealt: the first hands, or the card drawn last."""
        while isinstance(waiting := self.rules.awaits(self.state), Draw):
            if waiting.count == 1:
                if waiting.pack:
                    assert PACK[row["drawn"]] in waiting.pack, "the discards are the new pack"
                numbers = [int(row["drawn"])]
            else:
                numbers = row["pack"][: waiting.count].tolist()
            self.state = self.rules.deal(self.state, tuple(PACK[number] for number in numbers)).state

    def turn(self) -> int:
        waiting = self.rules.awaits(self.state)
        return -1 if isinstance(waiting, Over) else self.state.seat


def compare(tables: SequenceTables, twins: list[Twin], *, closely: bool) -> None:
    """Everything that both know is equal at every table; `closely`, menus and observations, too."""
    payoffs = tables.payoffs()
    legal = tables.legal()
    for number, twin in enumerate(twins):
        row = tables.rows[number]
        twin.deal(row)
        state = twin.state
        assert int(row["turn"]) == twin.turn()
        assert int(row["turn_number"]) == state.turn_number
        assert int(row["left"]) == state.pack_left
        assert int(row["cleared"]) == (-1 if state.cleared_cell is None else state.cleared_cell)
        assert bool(row["exchanged"]) == state.exchanged
        for team, chips in enumerate(state.chips):
            assert np.flatnonzero(row["owner"] == team + 1).tolist() == list(cells_in(chips))
            assert int(row["score"][team]) == len(state.lines_of(team))
        assert np.flatnonzero(row["locked"]).tolist() == list(cells_in(state.protected()))
        for seat, hand in enumerate(state.hands):
            assert [PACK[card] for card in row["hand"][seat][: row["held"][seat]]] == list(hand.known)
        over = twin.rules.awaits(state)
        assert tuple(payoffs[number]) == (over.payouts if isinstance(over, Over) else (0,) * tables.seats)
        if closely:
            encoding = SequenceEncoding(twin.rules)
            view = twin.rules.view(state, state.seat)
            choices = encoding.choices(view, twin.rules.menu(state, state.seat))
            assert np.flatnonzero(legal[number]).tolist() == sorted(choices)
            seen = tables.observe(np.full(tables.tables, state.seat))[number]
            wanted = np.array(flat(encoding.layout, encoding.observe(view, state.seat)), np.float32)
            assert abs(seen - wanted).max() < 1e-6


def provoke(tables: SequenceTables, twins: list[Twin], chance: random.Random) -> set[str]:
    """Try something at random at every table; where the plain rules refuse it, both give the same reason and facts."""
    kinds, cards, cells, seats = (np.zeros(tables.tables, np.int64) for _ in range(4))
    refusals: list[Refusal | None] = []
    for number, twin in enumerate(twins):
        state = twin.state
        seat = state.seat if chance.random() < 0.9 else chance.randrange(-1, tables.seats + 1)
        held = [PLACES[card] for card in state.hands[state.seat].known]
        card = chance.choice(held) if chance.random() < 0.9 else chance.randrange(len(PACK))
        able = int(tables.config["kinds"][0, card])
        kind = able if chance.random() < 0.6 else chance.randrange(len(Kind))
        cell = chance.randrange(-1, 101)
        if state.cleared_cell is not None and chance.random() < 0.5:
            cell = state.cleared_cell
        step = twin.rules.act(state, seat, plain_action(kind, card, cell))
        refused = isinstance(step, Refusal)
        kinds[number], cards[number] = kind if refused else NO_ACTION, card
        cells[number], seats[number] = cell, seat
        refusals.append(step if isinstance(step, Refusal) else None)
    before = tables.rows.copy()
    codes = tables.step_cards(kinds, cards, cells, seats).copy()
    assert (tables.rows == before).all(), "a refused action changes nothing"
    for number, refusal in enumerate(refusals):
        assert CODES[codes[number]] == ("" if refusal is None else refusal.code), (number, refusal)
        if refusal is not None:
            arguments = (int(array[number]) for array in (kinds, cards, cells, seats))
            assert tables.refusal(number, int(codes[number]), *arguments) == refusal
    return {refusal.code for refusal in refusals if refusal is not None}


def play_beside(chance: random.Random, count: int) -> set[str]:
    """Games of random rules to their end at random. Return the codes of the refusals met."""
    rules = random_rules(chance)
    seats = chance.choice([number for teams in rules.team_counts for number in seat_counts(teams)])
    tables = SequenceTables(count, seats, rules, seed=chance.randrange(1 << 60))
    given = [chance.sample(range(len(PACK)), 30) for _ in range(count)] if chance.random() < 0.5 else None
    tables.reset(cards=given)
    twins = [Twin(rules, tables.setup(number)) for number in range(count)]
    met: set[str] = set()
    steps = 0
    compare(tables, twins, closely=True)
    while not tables.over.all():
        met |= provoke(tables, twins, chance)
        moves = tables.random_moves().copy()
        turns = tables.rows["seat"].tolist()
        assert not tables.step_cards(*moves.T).any(), "what is legal is accepted"
        for twin, seat, (kind, card, cell) in zip(twins, turns, moves.tolist(), strict=True):
            if kind != NO_ACTION:
                step = twin.rules.act(twin.state, seat, plain_action(kind, card, cell))
                assert isinstance(step, Step)
                twin.state = step.state
        steps += 1
        compare(tables, twins, closely=steps % 8 == 0)
    return met | provoke(tables, twins, chance)
