"""A solution as the JSON that `croupier solve blackjack --json` prints."""

from typing import Any

import msgspec

from croupier.lab.solve import Solution
from croupier.lab.standing import standing


def report(solution: Solution) -> dict[str, Any]:
    """`rules`, `ev`, `strategy` and `cells` as `croupier.lab.solve` defines them; besides, `insurance` by hand where
    it is offered, and `standOn`, what comes of standing on each total and never doing anything else.

    Totals that cannot be are left out: hard 2 and 3 where an ace is the best of 1 and 11, soft ones where it is not.
    """
    rules = solution.prepared.rules
    ace_is_one = rules.ace == "one"
    hard = {hand: row for hand, row in solution.strategy.hard.items() if ace_is_one or int(hand) > 3}
    return {
        "rules": msgspec.to_builtins(rules),
        "ev": msgspec.to_builtins(solution.ev),
        "strategy": {
            "hard": hard,
            "soft": {} if ace_is_one else solution.strategy.soft,
            "pairs": solution.strategy.pairs,
        },
        "cells": [
            {
                "up": cell.up,
                "cards": cell.cards,
                "stand": cell.stand,
                "hit": cell.hit,
                "double": cell.double,
                "split": cell.split,
                "surrender": cell.surrender,
                "best": cell.best,
            }
            for cell in solution.cells
        ],
        "insurance": {insured.cards: insured.ev for insured in solution.insurance()},
        "standOn": [msgspec.to_builtins(figures) for figures in standing(solution.prepared)],
    }
