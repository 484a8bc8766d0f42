"""An observation of the batch engine says what the plain view says, and nothing that a viewer may not know."""

import random

import numpy as np
import pytest

from croupier.cards import PACK
from croupier.games.poker.rules.events import Street
from croupier.lab.batch.holdem import NO_ACTION, STREETS, HoldemTables, Kind, describe, layout
from croupier.lab.batch.holdem.observation import ACTION_FACTS, SEAT_FACTS
from tests.lab.batch.holdem_twin import Twin, random_batch

HISTORY = 128


def check(tables: HoldemTables, twins: list[Twin], told: list[list[tuple[int, int, int, int]]]) -> None:
    parts = layout(tables.seats, HISTORY)
    for viewer in range(tables.seats):
        rows = tables.observe(viewer, HISTORY)
        assert rows.min() >= 0
        assert rows.max() <= 1
        for number, twin in enumerate(twins):
            view, row = twin.rules.view(twin.hand, viewer), rows[number]
            total = sum(twin.hand.setup.stacks)
            own = view.seats[viewer].cards
            dealt = [card.number for card in own if card is not None]
            assert sorted(np.flatnonzero(row[parts.place("own_cards")])) == sorted(dealt)
            assert sorted(np.flatnonzero(row[parts.place("board")])) == sorted(card.number for card in view.board)
            assert STREETS[int(row[parts.place("street")].argmax())] is view.street
            to_call = max(min(view.bet - view.seats[viewer].bet, view.seats[viewer].chips), 0)
            amounts = row[parts.place("amounts")] * total
            assert abs(amounts[:3] - (view.total, min(view.bet, total), to_call)).max() <= total * 1e-6
            facts = row[parts.place("seats")].reshape(tables.seats, SEAT_FACTS)
            for place, fact in enumerate(facts):
                seat = view.seats[(viewer + place) % tables.seats]
                assert fact[0] == (seat.seat in twin.hand.dealt)
                assert (fact[1], fact[2]) == (seat.in_hand, seat.all_in)
                assert (fact[6], fact[7]) == (seat.seat == view.button, seat.seat in view.to_act)
                assert abs(fact[3:5] * total - (seat.chips, seat.bet)).max() <= total * 1e-6
                seen = [PACK[round(float(card) * 52) - 1] for card in fact[8:] if card]
                assert tuple(seen) == tuple(card for card in seat.cards if card is not None)
            actions = row[parts.place("history")].reshape(HISTORY, ACTION_FACTS)
            kept = [
                (
                    (viewer + round(float(seat) * tables.seats)) % tables.seats,
                    round(float(at) * 5),
                    round(float(kind) * 7),
                )
                for mark, seat, at, kind, _ in actions
                if mark
            ]
            assert kept == [(seat, street, kind) for seat, street, kind, _ in told[number][-HISTORY:]]
            bets = [round(float(to) * total) for mark, *_, to in actions if mark]
            assert bets == [to for *_, to in told[number][-HISTORY:]]


@pytest.mark.parametrize("seed", range(3))
def test_an_observation_is_the_plain_view_and_the_history(seed: int) -> None:
    chance = random.Random(seed)
    tables, twins = random_batch(chance, 8)
    told: list[list[tuple[int, int, int, int]]] = [[] for _ in twins]
    for number, twin in enumerate(twins):
        twin.deal(tables.rows[number]["deck"])
    check(tables, twins, told)
    while not tables.over.all():
        kinds, amounts = (array.copy() for array in tables.random_actions(tables.legal()))
        turns, streets = tables.turn.copy(), tables.rows["street"].copy()
        before = [twin.hand for twin in twins]
        tables.step(kinds, amounts)
        for number, twin in enumerate(twins):
            if kinds[number] == NO_ACTION:
                continue
            seat, kind, hand = int(turns[number]), int(kinds[number]), before[number]
            twin.act(seat, kind, int(amounts[number]))
            twin.deal(tables.rows[number]["deck"])
            whole, own = hand.bets[seat] + hand.stacks[seat], hand.bets[seat]
            sizes = {Kind.CALL: min(hand.bet, whole), Kind.ALL_IN: whole, Kind.CHECK: own, Kind.FOLD: own}
            to = sizes.get(Kind(kind), int(amounts[number]) if hand.street is not Street.SHOWDOWN else 0)
            told[number].append((seat, int(streets[number]), kind, to))
        check(tables, twins, told)


def test_what_a_viewer_cannot_know_does_not_change_the_observation() -> None:
    chance = random.Random(3)
    tables, _ = random_batch(chance, 60)
    while not tables.over.all():
        for viewer in range(tables.seats):
            seen = tables.observe(viewer)
            kept = tables.rows.copy()
            hidden = 0
            for row in tables.rows:
                others = [seat for seat in range(tables.seats) if seat != viewer and not row["shown"] >> seat & 1]
                hidden += len(others)
                row["hole"][others] = 0
                row["deck"] = 0
                row["chance"] = row["ranks"] = 0
            assert hidden
            assert (tables.observe(viewer) == seen).all()
            tables.rows[:] = kept
        tables.step(*tables.random_actions(tables.legal()))


def test_the_decoder_prints_what_happened() -> None:
    tables = HoldemTables(1, 3)
    cards = [["As", "Kd", "2c", "Ah", "Kh", "3c", "4c", "5s", "6h", "7d"]]
    numbers = [[next(card.number for card in PACK if str(card) == text) for text in row] for row in cards]
    tables.reset(buttons=0, cards=numbers)
    tables.step([Kind.RAISE], [30])
    tables.step([Kind.CALL])
    tables.step([Kind.FOLD])
    text = describe(tables.observe()[0], 3, 64)
    assert text.splitlines() == [
        "flop, board: 5s 6h 7d, own cards: Ah As",
        "in play 7.00, bet 0.00, to call 0.00",
        "bet or raise to 1.00 to 97.00",
        "seat +0: stack 97.00, bet 0.00, in for 3.00, As Ah, to act",
        "seat +1: stack 99.00, bet 0.00, in for 1.00, folded or mucked",
        "seat +2: stack 97.00, bet 0.00, in for 3.00, button",
        "preflop: seat +2 raise, bet 3.00",
        "preflop: seat +0 call, bet 3.00",
        "preflop: seat +1 fold, bet 1.00",
    ]


def test_an_observation_of_nobody_is_empty_and_bad_arguments_are_named() -> None:
    tables = HoldemTables(2, 2)
    tables.reset()
    assert not tables.observe([-1, 5]).any()
    assert describe(tables.observe([-1, 5])[0], 2, 64).startswith("nothing")
    with pytest.raises(ValueError, match="history must be 0 to 128"):
        tables.observe(history=129)
    with pytest.raises(ValueError, match="out must be"):
        tables.observe(out=np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match="has 467 numbers"):
        describe(np.zeros(3, np.float32), 3, 64)
    for numbers in (np.ones(467), np.full(467, np.nan), np.full(467, 0.5)):
        with pytest.raises(ValueError, match="no observation"):
            describe(numbers, 3)
    with pytest.raises(ValueError, match="seats must be 2 to 10, not 11"):
        layout(11)


def test_a_position_that_was_kept_goes_on_as_it_did() -> None:
    tables = HoldemTables(20, 4, seed=6)
    tables.reset()
    for _ in range(4):
        tables.step(*tables.random_actions(tables.legal()))
    kept = tables.rows.copy(), tables.past.copy(), tables.policy.copy()
    ends = []
    for _ in range(2):
        tables.rows[:], tables.past[:], tables.policy[:] = kept
        seen = [tables.observe(0).tobytes()]
        while not tables.over.all():
            tables.step(*tables.random_actions(tables.legal()))
            seen.append(tables.observe(0).tobytes())
        ends.append((seen, tables.payoffs().tolist()))
    assert ends[0] == ends[1]
