"""Compiles what the tests of the batch engines need, once: `python -m tests.lab.batch.kernels`.

Else every worker of a parallel run that meets a kernel first compiles it, too.
"""

import numpy as np

from croupier.lab.batch.blackjack import BlackjackTables
from croupier.lab.batch.holdem import HoldemTables
from croupier.lab.batch.holdem.vector_env import HoldemVectorEnv
from croupier.lab.batch.sequence import SequenceTables

SEEDS = [1, 2]


def main() -> None:
    tables = HoldemTables(2, 2, seed=SEEDS)
    tables.reset(stacks=100)
    tables.reset()
    tables.observe()
    tables.step(*tables.random_actions(tables.legal()))
    tables.refusal(0, 99)
    tables.play_random(1)
    for opponents in ("random", lambda tables, legal: tables.random_actions(legal)):
        vector = HoldemVectorEnv(2, opponents=opponents)
        vector.reset(seed=1)
        vector.step(np.full(2, len(vector.actions) - 1))
    shoes = BlackjackTables(2, seed=SEEDS)
    shoes.reset(cards=[[0], [1]])
    shoes.reset()
    shoes.observe()
    shoes.step(*shoes.random_actions(shoes.legal()))
    shoes.play_random(1)
    games = SequenceTables(2, seed=SEEDS)
    games.reset()
    games.observe()
    games.step(games.legal().argmax(axis=1))
    games.step_cards(*games.random_moves().T)
    games.play_random(1)


if __name__ == "__main__":
    main()
