"""What a seat may know of a table, as numbers from 0 to 1: the layout, the kernel that fills it, and a decoder.

Seats are counted clockwise from the viewer's own. Amounts are shares of all chips at the table; the part `big_blind` is
the measure to read them by.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np
from numba import int64
from numpy.typing import ArrayLike, NDArray

from croupier.cards import PACK
from croupier.games.poker.rules.config import SEATS_MAX, SEATS_MIN
from croupier.lab.batch.arrays import whole
from croupier.lab.batch.bits import size
from croupier.lab.batch.holdem.betting import offers
from croupier.lab.batch.holdem.state import (
    CARDS,
    HISTORY,
    KIND_BITS,
    OVER,
    SEAT_BITS,
    STREET_BITS,
    STREETS,
    Kind,
    Tables,
)
from croupier.lab.compiler import kernel
from croupier.lab.environments.parts import Layout, Part

SEAT_FACTS: Final = 10
ACTION_FACTS: Final = 5
AMOUNTS: Final = 6
TOLD: Final = 64
"""How many actions an observation tells if nobody says how many."""
_SEAT_MASK: Final = (1 << SEAT_BITS) - 1
_KIND_MASK: Final = (1 << KIND_BITS) - 1
_STREET_MASK: Final = (1 << STREET_BITS) - 1
_LAST_KIND: Final = len(Kind) - 1
_LAST_STREET: Final = len(STREETS) - 1


def layout(seats: int, history: int = TOLD) -> Layout:
    """The parts of an observation at tables of so many seats, with so many of the hand's last actions."""
    return _layout(whole("seats", seats, SEATS_MIN, SEATS_MAX), whole("history", history, 0, HISTORY))


@cache
def _layout(seats: int, history: int) -> Layout:
    return Layout(
        (
            Part("own_cards", CARDS, "1 for each of the viewer's own cards, in the order of cards.PACK"),
            Part("board", CARDS, "the same for the board"),
            Part("street", len(STREETS), "before the flop, flop, turn, river, showdown, over"),
            Part(
                "amounts",
                AMOUNTS,
                "all chips in play for, the bet to be met, what a call costs the viewer, least and most of a bet or "
                "raise if it is the viewer's turn, the big blind",
            ),
            Part(
                "seats",
                seats * SEAT_FACTS,
                "for each seat from the viewer's own: dealt in, still in, all-in, stack, bet of this street, all "
                "it has put in, has the button, has the turn, and its two cards if seen (number + 1 out of 52)",
            ),
            Part("actions", 1, f"how many actions the hand has had, out of {HISTORY}"),
            Part(
                "history",
                history * ACTION_FACTS,
                "the last actions from the oldest: 1, seat from the viewer's own out of the seats, street, kind, and "
                "what the seat had bet on the street then; 0 where there are fewer",
            ),
        ),
        tuple(kind.name.lower() for kind in Kind),
    )


@kernel
def fill_observations(
    config: Tables,
    tables: Tables,
    past: Tables,
    viewers: Any,
    history: int,
    out: NDArray[np.float32],
    start: int,
    stop: int,
) -> None:
    """The observation of each table's viewer. A row of zeros where that is no seat."""
    seats = config[0].seats
    for number in range(start, stop):
        row = out[number]
        row[:] = 0.0
        viewer = int64(viewers[number])
        if not 0 <= viewer < seats:
            continue
        table = tables[number]
        total = int64(0)
        in_play = int64(table.dead)
        for seat in range(seats):
            total += table.began[seat]
            in_play += table.paid[seat] + table.bets[seat]
        share = np.float32(1.0 / total)
        if int64(table.playing) >> viewer & 1:
            row[table.hole[viewer, 0]] = 1.0
            row[table.hole[viewer, 1]] = 1.0
        # Four cards after the hole cards are the flop with a burned one; then there are two a street.
        streets = int64(table.dealt) - 2 * size(int64(table.playing))
        for place in range(streets // 2 + 1 if streets else 0):
            row[CARDS + table.board[place]] = 1.0
        at = 2 * CARDS
        row[at + table.street] = 1.0
        at += OVER + 1
        row[at] = in_play * share
        # A blind that nobody could post may be more than all chips.
        row[at + 1] = min(table.bet, total) * share
        row[at + 2] = max(min(table.bet - table.bets[viewer], table.stacks[viewer]), 0) * share
        if table.turn == viewer:
            _, low, high = offers(table)
            row[at + 3], row[at + 4] = low * share, high * share
        row[at + 5] = min(table.bet_min, total) * share
        at = _fill_seats(table, row, at + AMOUNTS, viewer, seats, share)
        _fill_history(table, past[number], row, at, viewer, seats, share, history)


@kernel
def _fill_seats(table: Any, row: Any, at: int, viewer: int, seats: int, share: Any) -> int:
    playing, live, shown = int64(table.playing), int64(table.live), int64(table.shown)
    mucked = int64(table.mucked)
    for place in range(seats):
        seat = (viewer + place) % seats
        bit = int64(1) << seat
        inside = live & ~mucked & bit != 0
        row[at] = playing & bit != 0
        row[at + 1] = inside
        row[at + 2] = inside and table.stacks[seat] == 0 and table.street != OVER
        row[at + 3] = table.stacks[seat] * share
        row[at + 4] = table.bets[seat] * share
        row[at + 5] = (table.paid[seat] + table.bets[seat]) * share
        row[at + 6] = table.button == seat
        row[at + 7] = table.turn == seat
        if playing & bit and (place == 0 or shown & bit):
            row[at + 8] = (table.hole[seat, 0] + 1) / CARDS
            row[at + 9] = (table.hole[seat, 1] + 1) / CARDS
        at += SEAT_FACTS
    return at


@kernel
def _fill_history(table: Any, past: Any, row: Any, at: int, viewer: int, seats: int, share: Any, history: int) -> None:
    actions = int64(table.actions)
    row[at] = min(actions, HISTORY) / HISTORY
    at += 1
    for action in range(max(actions - history, 0), actions):
        word = past.words[action % HISTORY]
        seat = word & _SEAT_MASK
        kind = word >> SEAT_BITS & _KIND_MASK
        street = word >> (SEAT_BITS + KIND_BITS) & _STREET_MASK
        row[at] = 1.0
        row[at + 1] = ((seat - viewer) % seats) / seats
        row[at + 2] = street / _LAST_STREET
        row[at + 3] = kind / _LAST_KIND
        row[at + 4] = (word >> (SEAT_BITS + KIND_BITS + STREET_BITS)) * share
        at += ACTION_FACTS


def describe(observation: ArrayLike, seats: int, history: int = TOLD) -> str:
    """An observation as readable text: what the viewer of one table knows. Amounts are in big blinds. Raises ValueError
    for numbers that are no observation of such a table."""
    return "\n".join(_lines(np.asarray(observation), seats, layout(seats, history)))


def _lines(observation: NDArray[Any], seats: int, parts: Layout) -> Iterator[str]:
    if observation.shape != (parts.size,):
        raise ValueError(f"an observation of these tables has {parts.size} numbers, not {observation.shape}")
    if not observation.any():
        yield "nothing: the viewer has no seat"
        return
    if not ((observation >= 0) & (observation <= 1)).all() or observation[parts.place("street")].sum() != 1:
        raise ValueError("these numbers are no observation: they are from 0 to 1, and one of `street` is 1")

    def part(name: str) -> list[float]:
        return [float(value) for value in observation[parts.place(name)]]

    in_play, bet, to_call, low, high, big_blind = part("amounts")
    street = STREETS[part("street").index(1.0)]
    board, own_cards = _cards(part("board")), _cards(part("own_cards"))
    yield f"{street.value.lower()}, board: {board or '-'}, own cards: {own_cards or '-'}"
    yield f"in play {in_play / big_blind:.2f}, bet {bet / big_blind:.2f}, to call {to_call / big_blind:.2f}"
    if high:
        yield f"bet or raise to {low / big_blind:.2f} to {high / big_blind:.2f}"
    facts = np.array(part("seats")).reshape(seats, SEAT_FACTS)
    for place, (dealt, inside, all_in, stack, own_bet, paid, button, turn, first, second) in enumerate(facts):
        marks = [word for word, mark in (("button", button), ("all-in", all_in), ("to act", turn)) if mark]
        marks += [] if dealt else ["not dealt in"]
        marks += ["folded or mucked"] if dealt and not inside else []
        seen = " ".join(str(PACK[round(card * CARDS) - 1]) for card in (first, second) if card)
        amounts = f"stack {stack / big_blind:.2f}, bet {own_bet / big_blind:.2f}, in for {paid / big_blind:.2f}"
        yield f"seat +{place}: {amounts}" + (f", {seen}" if seen else "") + "".join(f", {mark}" for mark in marks)
    actions = round(part("actions")[0] * HISTORY)
    kept = np.array(part("history")).reshape(-1, ACTION_FACTS)
    kept = kept[kept[:, 0] > 0]
    if actions > len(kept):
        yield f"({actions - len(kept)} or more earlier actions are not kept)"
    for _, seat, at, kind, to in kept:
        name = Kind(round(kind * _LAST_KIND)).name.lower().replace("_", "-")
        when = STREETS[round(at * _LAST_STREET)].value.lower()
        yield f"{when}: seat +{round(seat * seats)} {name}, bet {to / big_blind:.2f}"


def _cards(marks: list[float]) -> str:
    return " ".join(str(PACK[number]) for number, mark in enumerate(marks) if mark)
