"""Compiled: a game of Sequence, what a seat may do, and what its actions do.

`games.sequence.rules` on arrays. `admits` is the one source of legality.
"""

from numba import int64

from croupier.lab.batch.sequence.state import (
    ACCEPTED,
    ALREADY_EXCHANGED,
    CARD_CELLS,
    CARD_FACE,
    CARD_NOT_DEAD,
    CARD_NOT_IN_HAND,
    CELL_JUST_CLEARED,
    CELL_TAKEN,
    CELLS,
    CHIP_PROTECTED,
    COMPATIBLE,
    CORNER_IS_FREE,
    DEAD_CARD,
    IS_CORNER,
    JACK_NEEDS_OWN_ACTION,
    LINE_CELLS,
    LINE_DIRECTION,
    NO_CELL,
    NO_EXCHANGE,
    NO_SUCH_CELL,
    NO_SUCH_SEAT,
    NOBODY,
    NOT_A_REMOVE_JACK,
    NOT_A_WILD_JACK,
    NOT_OFFERED,
    NOT_OPPONENT_CHIP,
    NOT_YOUR_TURN,
    PACK_SIZE,
    ROUND_OVER,
    THROUGH,
    WRONG_CELL,
    Config,
    Kind,
    Table,
)
from croupier.lab.compiler import inlined, kernel
from croupier.lab.random_numbers import draw_below

PLAY = int(Kind.PLAY)
WILD = int(Kind.WILD)
REMOVE = int(Kind.REMOVE)
EXCHANGE = int(Kind.EXCHANGE)


@inlined
def _draw(table: Table) -> int:
    """The next card of the pack. A swap with a random card of the rest leaves a uniform order."""
    place = int64(table.position)
    if place >= table.given:
        chance, further, _ = draw_below(table.chance, int64(table.left))
        table.chance = chance
        card = table.pack[place + further]
        table.pack[place + further] = table.pack[place]
        table.pack[place] = card
    table.position = place + 1
    table.left = int64(table.left) - 1
    drawn: int = int64(table.pack[place])
    return drawn


@kernel
def begin(config: Config, table: Table) -> None:
    """Begin a game with the seat `first_seat`: deal the hands."""
    for cell in range(CELLS):
        table.owner[cell] = 0
        table.locked[cell] = 0
    for team in range(config.teams):
        table.score[team] = 0
    table.position = 0
    table.left = PACK_SIZE
    table.discarded = 0
    table.turn_number = 1
    table.winner = NOBODY
    table.cleared = NO_CELL
    table.exchanged = False
    table.idle_passes = 0
    table.occupied = 0
    seats, first = config.seats, int64(table.first_seat)
    for number in range(config.hand_size):
        for step in range(seats):
            table.hand[(first + step) % seats, number] = _draw(table)
    for seat in range(seats):
        table.held[seat] = config.hand_size
    table.drawn = -1
    table.seat = first
    _pass_over_idle_seats(config, table)


@inlined
def _is_empty(config: Config, table: Table, cell: int) -> bool:
    """Whether a chip can be put here: a free corner never takes one."""
    return table.owner[cell] == 0 and not (config.free_corners and IS_CORNER[cell])


@inlined
def is_dead(table: Table, card: int) -> bool:
    """Whether both cells of a card are taken; a jack is never dead."""
    first = CARD_CELLS[card, 0]
    dead: bool = first >= 0 and table.owner[first] != 0 and table.owner[CARD_CELLS[card, 1]] != 0
    return dead


@inlined
def admits(config: Config, table: Table, card: int, kind: int, cell: int) -> bool:
    """Whether the seat in turn, which holds the card, may play it this way."""
    able = int64(config.kinds[card])
    if kind == EXCHANGE:
        return config.exchange and not table.exchanged and is_dead(table, card)
    if kind != able or cell < 0 or cell >= CELLS:
        return False
    if kind == PLAY:
        return table.owner[cell] == 0 and (cell in (CARD_CELLS[card, 0], CARD_CELLS[card, 1]))
    if kind == WILD:
        return _is_empty(config, table, cell) and cell != table.cleared
    return may_remove(config, table, cell)


@inlined
def may_remove(config: Config, table: Table, cell: int) -> bool:
    """Whether an opponent's chip outside of completed sequences stands here."""
    owner = int64(table.owner[cell])
    may: bool = owner != 0 and owner != table.seat % config.teams + 1 and table.locked[cell] == 0
    return may


@inlined
def offer(config: Config, table: Table, card: int) -> tuple[int, int]:
    """What the seat in turn may do with a card, and on how many cells; a kind of -1 if nothing."""
    kind = int64(config.kinds[card])
    count = 0
    if kind == PLAY:
        for place in range(2):
            count += table.owner[CARD_CELLS[card, place]] == 0
        if count == 0:
            return (EXCHANGE, 1) if config.exchange and not table.exchanged else (-1, 0)
        return PLAY, count
    for cell in range(CELLS):
        if kind == WILD:
            count += _is_empty(config, table, cell) and cell != table.cleared
        else:
            count += may_remove(config, table, cell)
    return (kind, count) if count else (-1, 0)


@inlined
def is_playable(config: Config, table: Table, card: int) -> bool:
    """Whether the seat in turn may do something with a card."""
    kind = int64(config.kinds[card])
    if kind == PLAY:
        dead = is_dead(table, card)
        return not dead or (config.exchange and not table.exchanged)
    for cell in range(CELLS):
        if (
            _is_empty(config, table, cell) and cell != table.cleared
            if kind == WILD
            else may_remove(config, table, cell)
        ):
            return True
    return False


@inlined
def may_play(config: Config, table: Table) -> bool:
    """Whether the seat in turn has something to do."""
    seat = int64(table.seat)
    for place in range(int64(table.held[seat])):  # noqa: SIM110 (numba compiles no generators)
        if is_playable(config, table, int64(table.hand[seat, place])):
            return True
    return False


@kernel
def _pass_over_idle_seats(config: Config, table: Table) -> None:
    """Pass for every seat that has nothing to do, and end the game when that is all of them."""
    while not may_play(config, table):
        may_change = table.cleared != NO_CELL or table.exchanged
        passes = 0 if may_change else int64(table.idle_passes) + 1
        table.idle_passes = passes
        if passes == config.seats:
            table.turn = NOBODY
            return
        table.seat = (int64(table.seat) + 1) % config.seats
        table.turn_number += 1
        table.cleared = NO_CELL
        table.exchanged = False
    table.turn = table.seat


@kernel
def refusal(config: Config, table: Table, seat: int, kind: int, card: int, cell: int) -> int:
    """Why a seat may not do this, which `admits` does not admit."""
    if seat < 0 or seat >= config.seats:
        return NO_SUCH_SEAT
    if table.turn < 0:
        return ROUND_OVER
    if kind < PLAY or kind > EXCHANGE or card < 0 or card >= PACK_SIZE:
        return NOT_OFFERED
    if seat != table.seat:
        return NOT_YOUR_TURN
    if place_in_hand(table, seat, card) < 0:
        return CARD_NOT_IN_HAND
    able = int64(config.kinds[card])
    if kind == PLAY:
        if able != PLAY:
            return JACK_NEEDS_OWN_ACTION
        if is_dead(table, card):
            return DEAD_CARD
        return CELL_TAKEN if cell in (CARD_CELLS[card, 0], CARD_CELLS[card, 1]) else WRONG_CELL
    if kind == EXCHANGE:
        if not config.exchange:
            return NO_EXCHANGE
        return ALREADY_EXCHANGED if is_dead(table, card) else CARD_NOT_DEAD
    return _jack_refusal(config, table, kind, able, cell)


@inlined
def _jack_refusal(config: Config, table: Table, kind: int, able: int, cell: int) -> int:
    if kind != able:
        return NOT_A_WILD_JACK if kind == WILD else NOT_A_REMOVE_JACK
    if cell < 0 or cell >= CELLS:
        return NO_SUCH_CELL
    if kind == WILD:
        if config.free_corners and IS_CORNER[cell]:
            return CORNER_IS_FREE
        return CELL_JUST_CLEARED if cell == table.cleared else CELL_TAKEN
    owner = int64(table.owner[cell])
    return CHIP_PROTECTED if owner != 0 and owner != table.seat % config.teams + 1 else NOT_OPPONENT_CHIP


@inlined
def place_in_hand(table: Table, seat: int, card: int) -> int:
    """Where a seat holds a card; -1 if it does not."""
    for place in range(int64(table.held[seat])):
        if table.hand[seat, place] == card:
            return place
    return -1


@inlined
def act(config: Config, table: Table, seat: int, kind: int, card: int, cell: int) -> int:
    """Do what is legal, draw a card for it, and go on to the next decision. Return ACCEPTED or why not."""
    known = 0 <= card < PACK_SIZE and 0 <= seat < config.seats and table.turn >= 0
    if not known or seat != table.seat or kind < PLAY or kind > EXCHANGE:
        return refusal(config, table, seat, kind, card, cell)
    place = place_in_hand(table, seat, card)
    if place < 0 or not admits(config, table, card, kind, cell):
        return refusal(config, table, seat, kind, card, cell)
    _discard(table, seat, place, card)
    table.idle_passes = 0
    if kind == EXCHANGE:
        table.exchanged = True
    else:
        table.exchanged = False
        table.cleared = NO_CELL
        if kind == REMOVE:
            table.owner[cell] = 0
            if config.bar_cleared:
                table.cleared = cell
        elif _put(config, table, cell):
            table.turn = NOBODY
            return ACCEPTED
    _take(config, table, seat)
    return ACCEPTED


@inlined
def _discard(table: Table, seat: int, place: int, card: int) -> None:
    held = int64(table.held[seat]) - 1
    for at in range(place, held):
        table.hand[seat, at] = table.hand[seat, at + 1]
    table.held[seat] = held
    table.discards[int64(table.discarded)] = card
    table.discarded = int64(table.discarded) + 1


@inlined
def _take(config: Config, table: Table, seat: int) -> None:
    """Draw a card for the one that was played. Then the next seat has the turn; after an exchange, the same one."""
    if table.left == 0:
        for place in range(int64(table.discarded)):
            table.pack[place] = table.discards[place]
        table.left = table.discarded
        table.position = table.discarded = table.given = 0
    card = _draw(table)
    table.drawn = card
    table.hand[seat, int64(table.held[seat])] = card
    table.held[seat] = int64(table.held[seat]) + 1
    if not table.exchanged:
        table.seat = (seat + 1) % config.seats
        table.turn_number += 1
    _pass_over_idle_seats(config, table)


@inlined
def _put(config: Config, table: Table, cell: int) -> bool:
    """Put a chip of the team in turn on a cell, and count the lines that it completes. Return whether that wins."""
    team = int64(table.seat) % config.teams
    table.owner[cell] = team + 1
    direction, first, last = -1, -1, -1
    for number in range(THROUGH.shape[1]):
        line = THROUGH[cell, number]
        if line >= 0 and not _counts(config, table, team, line):
            continue
        if line >= 0 and LINE_DIRECTION[line] == direction:
            last = line
            continue
        # Of one direction, the first counts, and the last if it shares no more than this cell with it.
        if first >= 0:
            _complete(table, team, first)
            if last >= 0 and COMPATIBLE[first, last]:
                _complete(table, team, last)
        if line < 0:
            first = -1
            break
        direction, first, last = LINE_DIRECTION[line], line, -1
    if first >= 0:
        _complete(table, team, first)
        if last >= 0 and COMPATIBLE[first, last]:
            _complete(table, team, last)
    won: bool = table.score[team] >= config.needed
    if won:
        table.winner = team
    return won


@inlined
def _counts(config: Config, table: Table, team: int, line: int) -> bool:
    """Whether a team's chips fill a line that shares at most a cell with each that it completed on earlier turns.

    Lines of other directions that this chip completes share only its own cell with it.
    """
    for place in range(LINE_CELLS.shape[1]):
        cell = LINE_CELLS[line, place]
        if table.owner[cell] != team + 1 and not (config.free_corners and IS_CORNER[cell]):
            return False
    for number in range(int64(table.score[team])):  # noqa: SIM110 (numba compiles no generators)
        if not COMPATIBLE[line, table.lines[team, number]]:
            return False
    return True


@inlined
def _complete(table: Table, team: int, line: int) -> None:
    table.lines[team, int64(table.score[team])] = line
    table.score[team] = int64(table.score[team]) + 1
    for place in range(LINE_CELLS.shape[1]):
        table.locked[LINE_CELLS[line, place]] = 1


@inlined
def numbered(config: Config, table: Table, number: int) -> tuple[int, int, int]:
    """The kind, card and cell of a numbered action: the first card of the hand that can do it; a card of -1 if none."""
    kind, cell = (number // CELLS, number % CELLS) if number < 3 * CELLS else (EXCHANGE, NO_CELL)
    seat = int64(table.seat)
    for place in range(int64(table.held[seat])):
        card = int64(table.hand[seat, place])
        if admits(config, table, card, kind, cell) and (kind != EXCHANGE or CARD_FACE[card] == number - 3 * CELLS):
            return kind, card, cell
    return kind, -1, cell
