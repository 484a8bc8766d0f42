"""A round that was played, move by move: what came before every decision can be looked at again."""

from croupier.dealing.shoe import Shoe
from croupier.table.round import Round, begin


def steps(played: Round) -> tuple[Round, ...]:
    """The round after its opening and after every move, dealt the same cards; the last one is where it ended.

    Each has in `told` what came of its move.
    """
    now = _supplied(begin(played.rules, played.setup), played)
    found = [now]
    for move in played.moves:
        now = now.leave(move.seat) if move.action is None else now.act(move.action, move.seat)
        assert now.refusal is None, "a round that was played can be played again"
        now = _supplied(now, played)
        found.append(now)
    return tuple(found)


def _supplied(now: Round, played: Round) -> Round:
    """Gives the round what it wants: a shoe that deals what was dealt from here on."""
    while (wanted := now.wants) is not None:
        left = played.dealt[len(now.dealt) :]
        if len(left) < wanted.count:
            # An abandoned round can end while it waits for a shuffle.
            return now
        now = now.supply(Shoe((*wanted.gone, *left), len(wanted.gone)))
    return now
