"""The results of standing on a fixed total and never doubling, splitting or surrendering."""

import msgspec
import numpy as np

from croupier.lab.blackjack import strategy
from croupier.lab.blackjack.solve import Prepared, column_plays
from croupier.lab.blackjack.solver.column import Column
from croupier.lab.blackjack.solver.compositions import ACE, TARGET, TEN, shoes
from croupier.lab.blackjack.solver.dealer import chances, tree
from croupier.lab.blackjack.solver.model import dealer_rules
from croupier.lab.blackjack.solver.values import evaluate


class StandOn(msgspec.Struct, frozen=True, rename="camel"):
    """Hit below `total`, stand from it on: how often that wins, pushes and loses, and its expected value per bet."""

    total: int
    win: float
    push: float
    lose: float
    ev: float


def stand_on_figures(prepared: Prepared) -> tuple[StandOn, ...]:
    """The figures for every total from 12, the first that can bust, to 21."""
    structure, options, workspace = prepared.structure, prepared.options, prepared.workspace()
    # In these columns the value of a hand is the chance of a push.
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
            ev += share * evaluate(structure, options, prepared.columns[up], *entries, workspace)[0]
            push += share * evaluate(structure, pushing, push_columns[up], *entries, workspace)[0]
        # win + lose = 1 - push. Blackjacks apart, win - lose is the expected value.
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
