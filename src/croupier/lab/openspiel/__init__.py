"""Every game for OpenSpiel.

The import registers `croupier_poker`, `croupier_blackjack`, `croupier_sequence`, the games of installed packages, and
small ones for exact algorithms. Needs the extra `openspiel`.

.. code-block:: python

    import pyspiel
    import croupier.lab.openspiel

    game = pyspiel.load_game("croupier_poker(players=2,stack_chips=40)")
    kuhn = pyspiel.load_game("croupier_kuhn")

OpenSpiel's algorithms play these rules themselves: a state holds what the rules hold, and asks them.
"""

try:
    import pyspiel  # noqa: F401  # what follows needs it
except ImportError as error:
    raise ImportError(
        'the games for OpenSpiel need a part that is not installed: pip install "croupier[openspiel]"'
    ) from error

from croupier.lab.openspiel.game import CroupierGame, register

__all__ = ["CroupierGame", "register"]

register()
