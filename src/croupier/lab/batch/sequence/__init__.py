"""Sequence in batches: N games of two to twelve seats, in two or three teams, under every option of the rules.

.. code-block:: python

    from croupier.lab.batch.sequence import SequenceTables
    games = SequenceTables(1024, seats=4, seed=1)
    games.reset()
    while not games.over.all():
        games.step_cards(*games.random_moves().T)
    print(games.payoffs())
"""

from croupier.lab.batch.sequence.state import CODES, NO_ACTION, Kind
from croupier.lab.batch.sequence.tables import SequenceTables

__all__ = ["CODES", "NO_ACTION", "Kind", "SequenceTables"]
