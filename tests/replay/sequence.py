"""Random rules, setups and attempts of Sequence."""

from random import Random
from typing import Any

from croupier.game.game import AnyRules
from croupier.games.sequence import GAME
from croupier.games.sequence.rules.board import CELL_COUNT, LINES, cell_set, dead_among
from croupier.games.sequence.rules.cards import KINDS, PACK, Jacks, Kind
from croupier.games.sequence.rules.lines import new_lines
from tests.replay.rounds import Json, Table


def _options(rng: Random) -> Json:
    made: Json = {
        "sequences_to_win": rng.choice((1, 2, 2)),
        "sequences_to_win_of_three": rng.choice((1, 2)),
        "team_counts": rng.choice(([2], [3], [2, 3], [3, 2])),
        "free_corners": rng.random() < 0.5,
        "exchange_dead_cards": rng.random() < 0.5,
        "bar_cleared_cell": rng.random() < 0.5,
        "edition": 2,
        "jacks": rng.choice(("variant", "printed")),
    }
    if rng.random() < 0.1:
        made[rng.choice(list(made))] = rng.choice((0, 3, None, [], [2, 4], "2"))
    for option in list(made):
        if rng.random() < 0.1:
            del made[option]
    return made


def _setup(rng: Random, rules: Any) -> Json:
    teams = rng.choice(rules.team_counts)
    seats = rng.choice((2, 4, 6, 12) if teams == 2 else (3, 6, 9, 12))
    if rng.random() < 0.1:
        seats, teams = rng.randint(0, 14), rng.randint(1, 4)
    made: Json = {"seats": seats, "teams": teams, "first_seat": rng.randrange(seats) if seats else 0}
    if rng.random() < 0.1:
        made[rng.choice(list(made))] = rng.choice((-1, None, 2, 12))
    return made


def _action(rng: Random, rules: AnyRules, state: Any) -> Json:
    kind = rng.choice(("PLAY_NORMAL", "PLAY_JACK_WILD", "PLAY_JACK_REMOVE", "EXCHANGE_DEAD_CARD", "PASS"))
    made: Json = {"type": f"TURN_{kind}"}
    own = state.hands[state.seat].cards.open()
    made["cardId"] = rng.choice(PACK) if rng.random() < 0.2 or not own else rng.choice(own)
    if kind.startswith("PLAY"):
        cells = [state.cleared_cell or 0, -1, 100, 0, 99, rng.randrange(100), rng.randrange(100), rng.randrange(100)]
        made["removeCellId" if kind == "PLAY_JACK_REMOVE" else "targetCellId"] = rng.choice(cells)
    return made


def _rigged(rng: Random, state: Any, card: Any) -> Any:
    """Jacks that fill the board, then dead cards and few jacks, so that people must pass and nobody wins."""
    chips = state.occupied().bit_count()
    if rng.random() < 0.5:
        return card
    dead = dead_among(PACK, state.occupied())
    if chips < 90:
        return rng.choice(_WILD)
    return rng.choice((*dead, *dead, *_WILD, *_ONE_EYED)) if dead else rng.choice(PACK)


def _worse(before: Any, after: Any) -> bool:
    """A sequence is completed, so that the game comes nearer to its end."""
    return len(after.completed) > len(before.completed)


# Jacks that do the same whatever decides about them.
_WILD = [card for card in PACK if all(KINDS[jacks][card] is Kind.WILD for jacks in Jacks)]
_ONE_EYED = [card for card in PACK if all(KINDS[jacks][card] is Kind.REMOVE for jacks in Jacks)]
TABLE = Table(GAME, _options, _setup, _action, _rigged, _worse, guesses=True)


def line_case(rng: Random, count: int) -> Json:
    """Boards with many chips of one team, the last one on `cell`, and the lines that it completes."""
    boards = []
    for _ in range(count):
        own = {cell for cell in range(CELL_COUNT) if rng.random() < rng.choice((0.6, 0.9))}
        cell = rng.choice(list(own))
        before = tuple(rng.sample([line for line in LINES if cell not in line.cells], rng.choice((0, 1, 2))))
        lines = new_lines(cell_set(own), cell, before)
        plain = [list(line.cells) for line in before], [list(line.cells) for line in lines]
        boards.append((sorted(own), cell, *plain))
    return {"kind": "lines", "name": "lines", "boards": boards}
