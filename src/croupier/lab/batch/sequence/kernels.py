"""Compiled: the loops over a batch of games of Sequence."""

from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from croupier.lab.batch.sequence.play import (
    EXCHANGE,
    PLAY,
    REMOVE,
    act,
    admits,
    begin,
    is_dead,
    is_playable,
    numbered,
    offer,
)
from croupier.lab.batch.sequence.state import (
    ACCEPTED,
    CARD_CELLS,
    CARD_FACE,
    CELLS,
    NO_ACTION,
    NO_CELL,
    NOBODY,
    NUMBERS,
    PACK_SIZE,
    TEAMS,
    Config,
    Table,
    Tables,
)
from croupier.lab.compiler import inlined, kernel
from croupier.lab.random_numbers import draw_below


@kernel
def begin_games(config: Tables, tables: Tables, chosen: NDArray[np.bool_], start: int, stop: int) -> None:
    for number in range(start, stop):
        if chosen[number]:
            begin(config[0], tables[number])


@kernel
def legal_numbers(config: Tables, tables: Tables, masks: NDArray[np.bool_], start: int, stop: int) -> None:
    """The numbered actions of the seat in turn at every table."""
    shared = config[0]
    for number in range(start, stop):
        table, mask = tables[number], masks[number]
        mask[:] = False
        if table.turn < 0:
            continue
        seat = int64(table.seat)
        for place in range(int64(table.held[seat])):
            card = int64(table.hand[seat, place])
            kind = int64(shared.kinds[card])
            if kind == PLAY:
                for which in range(2):
                    cell = CARD_CELLS[card, which]
                    mask[cell] |= table.owner[cell] == 0
                if shared.exchange and not table.exchanged and is_dead(table, card):
                    mask[3 * CELLS + CARD_FACE[card]] = True
            else:
                for cell in range(CELLS):
                    mask[kind * CELLS + cell] = admits(shared, table, card, kind, cell)


@kernel
def take_numbers(
    config: Tables, tables: Tables, actions: NDArray[np.int64], refused: Any, not_offered: int, start: int, stop: int
) -> int:
    """One numbered action a table; NO_ACTION leaves it alone. Return how many were taken."""
    taken = 0
    for number in range(start, stop):
        action = actions[number]
        code = ACCEPTED
        if action != NO_ACTION:
            table = tables[number]
            code = not_offered
            if 0 <= action < NUMBERS and table.turn >= 0:
                kind, card, cell = numbered(config[0], table, action)
                if card >= 0:
                    code = act(config[0], table, int64(table.seat), kind, card, cell)
            taken += code == ACCEPTED
        refused[number] = code
    return taken


@kernel
def take_cards(config: Tables, tables: Tables, seats: Any, moves: Any, refused: Any, start: int, stop: int) -> int:
    """One action a table: `moves` has kind, card and cell. A kind of NO_ACTION leaves it alone."""
    taken = 0
    for number in range(start, stop):
        code = ACCEPTED
        kind = moves[number, 0]
        if kind != NO_ACTION:
            code = act(config[0], tables[number], seats[number], kind, moves[number, 1], moves[number, 2])
            taken += code == ACCEPTED
        refused[number] = code
    return taken


@inlined
def choose(config: Config, table: Table, chance: Any) -> Any:
    """A random offer, a card of the hand, each equally likely, and a random one of its cells: the generator's next
    state, kind, card, cell."""
    seat = int64(table.seat)
    playable = 0
    for place in range(int64(table.held[seat])):
        playable += is_playable(config, table, int64(table.hand[seat, place]))
    chance, wanted, _ = draw_below(chance, playable)
    for place in range(int64(table.held[seat])):
        card = int64(table.hand[seat, place])
        if is_playable(config, table, card):
            if wanted == 0:
                break
            wanted -= 1
    kind, count = offer(config, table, card)
    if kind == EXCHANGE:
        return chance, kind, card, NO_CELL
    chance, nth, _ = draw_below(chance, count)
    if kind == PLAY:
        first, second = CARD_CELLS[card, 0], CARD_CELLS[card, 1]
        if count == 1:
            return chance, kind, card, first if table.owner[first] == 0 else second
        return chance, kind, card, second if nth else first
    cell = 0
    for cell in range(CELLS):
        if admits(config, table, card, kind, cell):
            if nth == 0:
                break
            nth -= 1
    return chance, kind, card, cell


@kernel
def choose_moves(config: Tables, tables: Tables, chance: NDArray[np.uint64], moves: Any, start: int, stop: int) -> None:
    """A random legal action of the seat in turn at every table, as kind, card and cell."""
    for number in range(start, stop):
        moves[number, 0] = NO_ACTION
        if tables[number].turn >= 0:
            state, kind, card, cell = choose(config[0], tables[number], chance[number])
            chance[number] = state
            moves[number, 0], moves[number, 1], moves[number, 2] = kind, card, cell


@kernel
def play_games(
    config: Tables, tables: Tables, chance: NDArray[np.uint64], games: int, wins: Any, start: int, stop: int
) -> int:
    """Play so many games at each table at random. Count the wins of each team; return the number of actions."""
    shared, actions = config[0], 0
    for number in range(start, stop):
        table, policy = tables[number], chance[number]
        for _ in range(games):
            table.first_seat = (int64(table.first_seat) + 1) % shared.seats
            table.given = 0
            begin(shared, table)
            while table.turn >= 0:
                policy, kind, card, cell = choose(shared, table, policy)
                act(shared, table, int64(table.seat), kind, card, cell)
                actions += 1
            if table.winner != NOBODY:
                wins[number, int64(table.winner)] += 1
        chance[number] = policy
    return actions


@kernel
def fill_observations(
    config: Tables, tables: Tables, viewers: Any, copies: Any, out: NDArray[np.float32], start: int, stop: int
) -> None:
    """What each table's viewer may know, in the layout of `games.sequence.environment`; zeros where that is no seat."""
    shared = config[0]
    faces = len(copies) - 2
    for number in range(start, stop):
        row = out[number]
        row[:] = 0.0
        viewer = int64(viewers[number])
        if not 0 <= viewer < shared.seats:
            continue
        table = tables[number]
        own = viewer % shared.teams
        for cell in range(CELLS):
            owner = int64(table.owner[cell])
            if owner:
                row[(owner - 1 - own) % shared.teams * CELLS + cell] = 1.0
            row[TEAMS * CELLS + cell] = table.locked[cell]
        at = (TEAMS + 1) * CELLS
        if table.cleared != NO_CELL:
            row[at + int64(table.cleared)] = 1.0
        at += CELLS
        for place in range(int64(table.held[viewer])):
            card = int64(table.hand[viewer, place])
            kind = int64(shared.kinds[card])
            which = int64(CARD_FACE[card]) if kind == PLAY else faces + (kind == REMOVE)
            row[at + which] += np.float32(1.0 / copies[which])
        at += len(copies)
        for team in range(shared.teams):
            row[at + (team - own) % shared.teams] = min(table.score[team] / 2, 1.0)
        at += TEAMS
        row[at] = shared.needed / 2
        row[at + 1] = table.left / PACK_SIZE
        row[at + 2] = shared.free_corners
