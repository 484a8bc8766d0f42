"""No-limit Texas Hold'em in batches: N tables of two to ten seats, any stacks, blinds and antes, exact rules.

.. code-block:: python

    from croupier.lab.batch.holdem import HoldemTables
    tables = HoldemTables(4096, seats=6, seed=1)
    tables.reset()
    while not tables.over.all():
        kinds, amounts = tables.random_actions(tables.legal())
        tables.step(kinds, amounts)
    print(tables.payoffs())
"""

from croupier.lab.batch.arrays import Legal
from croupier.lab.batch.holdem.menu import POT_SHARES, Menu, action_names
from croupier.lab.batch.holdem.observation import describe, layout
from croupier.lab.batch.holdem.state import CODES, NO_ACTION, STREETS, Kind
from croupier.lab.batch.holdem.tables import HoldemTables

__all__ = [
    "CODES",
    "NO_ACTION",
    "POT_SHARES",
    "STREETS",
    "HoldemTables",
    "Kind",
    "Legal",
    "Menu",
    "action_names",
    "describe",
    "layout",
]
