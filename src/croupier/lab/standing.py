"""What comes of standing on a total and never doing anything else: the figures behind "when should I stop?"."""

import msgspec
import numpy as np

from croupier.lab import strategy
from croupier.lab.solve import Prepared, column_plays
from croupier.lab.solver.column import Column
from croupier.lab.solver.compositions import ACE, TARGET, TEN, shoes
from croupier.lab.solver.dealer import chances, tree
from croupier.lab.solver.model import dealer_rules
from croupier.lab.solver.play import evaluate


class StandOn(msgspec.Struct, frozen=True, rename="camel"):
    """Hits below `total`, stands from it on: how often that wins, pushes and loses, and what it earns per bet."""

    total: int
    win: float
    push: float
    lose: float
    ev: float


def standing(prepared: Prepared) -> tuple[StandOn, ...]:
    """For every total from 12, where the first hand can bust, to 21."""
    structure, options, room = prepared.structure, prepared.options, prepared.room()
    # A column in which a hand is worth the chance of its push: all that is paid is taken out of it.
    pushing = options._replace(full_loss=True, blackjack_pays=0.0)
    push_columns = _push_columns(prepared)
    blackjack_wins = blackjack_pushes = 0.0
    if prepared.rules.has_blackjack:
        hand = structure.twos[ACE, TEN]
        for share, column in zip(prepared.shares, prepared.columns, strict=True):
            blackjack_wins += share * float(column.dealt[hand] * column.clear[hand])
            blackjack_pushes += share * float(column.dealt[hand] * (1 - column.clear[hand]))
    found: list[StandOn] = []
    for total in range(12, TARGET + 1):
        plays = strategy.stand_on(total).array()
        ev, push = 0.0, blackjack_pushes
        for up, share in enumerate(prepared.shares):
            entries = column_plays(plays, up)
            ev += share * evaluate(structure, options, prepared.columns[up], *entries, room)[0]
            push += share * evaluate(structure, pushing, push_columns[up], *entries, room)[0]
        # win + lose = 1 - push and, blackjacks apart, win - lose is what is earned.
        even = 1 - push - blackjack_wins
        difference = ev - options.blackjack_pays * blackjack_wins
        found.append(StandOn(total, (even + difference) / 2 + blackjack_wins, push, (even - difference) / 2, ev))
    return tuple(found)


def _push_columns(prepared: Prepared) -> list[Column]:
    dealer, behind = dealer_rules(prepared.rules), shoes(prepared.rules.ace == "one", 1)
    totals = prepared.structure.total[prepared.structure.hand]
    met = np.maximum(totals - dealer.stands_on, 0)
    columns = []
    for up, column in enumerate(prepared.columns):
        found = np.zeros((len(behind.counts), dealer.ends))
        chances(column.left, behind.counts, dealer.blackjack_rank(up), tree(dealer, up), found)
        stand = np.where(totals >= dealer.stands_on, found[behind.of_entry[0], met], 0.0)
        shape = column.stand.shape
        columns.append(column._replace(stand=np.broadcast_to(stand, shape).copy(), bust=np.zeros(shape)))
    return columns
