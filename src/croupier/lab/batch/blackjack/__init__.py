"""Blackjack in batches: N tables of one to seven seats, each with its shoe, under every option of the rules.

.. code-block:: python

    from croupier.lab.batch.blackjack import BlackjackTables
    tables = BlackjackTables(4096, seed=1)
    tables.reset()
    while not tables.over.all():
        kinds, amounts = tables.random_actions(tables.legal())
        tables.step(kinds, amounts)
    print(tables.payoffs())

A table with a person for dealer has at most seven seats here.
"""

from croupier.lab.batch.arrays import Legal
from croupier.lab.batch.blackjack.state import CODES, NO_ACTION, Kind
from croupier.lab.batch.blackjack.tables import BlackjackTables, describe, layout

__all__ = ["CODES", "NO_ACTION", "BlackjackTables", "Kind", "Legal", "describe", "layout"]
