"""A played round, move by move: its state before every decision."""

from collections import deque

from croupier.dealing.shoe import Shoe
from croupier.table.round import ABSENT, Move, Round, begin


def steps(played: Round) -> tuple[Round, ...]:
    """The round after its opening and after every move, dealt the same cards; the last one is its end. `told` of each
    has the events of its move.
    """
    moves = deque(played.moves)
    found = [_supplied(begin(played.rules, played.setup), played, moves)]
    while moves:
        found.append(_supplied(_redone(found[-1], moves.popleft()), played, moves))
    return tuple(found)


def _redone(now: Round, move: Move) -> Round:
    after = now.redo(move)
    assert after.refusal is None, "a round that was played can be played again"
    return after


def _supplied(now: Round, played: Round, moves: deque[Move]) -> Round:
    """Give the round the shoe it wants: one that deals the recorded cards from here on, to the seats that took part."""
    while (wanted := now.wants) is not None:
        left = played.dealt[len(now.dealt) :]
        if moves and moves[0].action == ABSENT:
            now = _redone(now, moves.popleft())
        elif len(left) < wanted.count:
            # An abandoned round can end while it waits for a shuffle.
            return now
        else:
            now = now.supply(Shoe((*wanted.gone, *left), len(wanted.gone)))
    return now
