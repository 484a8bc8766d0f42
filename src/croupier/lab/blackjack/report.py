"""A solution as the JSON that `croupier solve blackjack --json` prints."""

from typing import Any

import msgspec

from croupier.lab.blackjack.solve import Solution
from croupier.lab.blackjack.stand_on import stand_on_figures


def report(solution: Solution) -> dict[str, Any]:
    """`rules`, `ev`, `strategy` and `cells` as `croupier.lab.blackjack.solve` defines them, and two more fields.

    `insurance` has its value by hand, if it is offered. `standOn` has the figures of standing on each total. Impossible
    totals are left out: hard 2 and 3 if an ace counts 1 or 11, soft totals if it always counts 1.
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
        "standOn": [msgspec.to_builtins(figures) for figures in stand_on_figures(solution.prepared)],
    }
