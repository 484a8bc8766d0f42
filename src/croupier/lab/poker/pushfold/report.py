"""A push/fold solution as JSON: what `croupier pushfold --json` prints and the page shows."""

from typing import Final

import msgspec

from croupier.lab.poker.hand_classes import HANDS, range_text, share
from croupier.lab.poker.pushfold.solve import Decision, Solution
from croupier.lab.poker.pushfold.spot import Spot, worth

DIGITS: Final = 6
SHOWN_DIGITS: Final = 4


class PlayerReport(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """`ev` and `gain` are changes against the beginning of the hand: in chips, or in prize money.

    `gain` is how much more the best response would win. `prize` is what the stack is worth before the hand.
    """

    seat: str
    stack: float
    ev: float
    gain: float
    prize: float | None = None


class HandReport(msgspec.Struct, frozen=True, rename="camel"):
    """How often a hand goes all-in, and what that and a fold are worth."""

    frequency: float
    go: float
    fold: float


class DecisionReport(msgspec.Struct, frozen=True, rename="camel"):
    """`after` are the seats that are all-in already; `probability` is how likely the decision is reached."""

    seat: str
    after: tuple[str, ...]
    action: str
    probability: float
    share: float
    range: str
    hands: dict[str, HandReport]


class Chart(msgspec.Struct, frozen=True, rename="camel"):
    """A decision for the page: figures by hand, in the order of the grid, rounded to what can be seen."""

    seat: str
    after: tuple[str, ...]
    probability: float
    share: float
    range: str
    frequencies: tuple[float, ...]
    go: tuple[float, ...]
    fold: tuple[float, ...]


class Report(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    unit: str
    small_blind: float
    big_blind: float
    ante: float
    big_blind_ante: float
    payouts: tuple[float, ...]
    iterations: int
    seconds: float
    players: tuple[PlayerReport, ...]
    decisions: tuple[DecisionReport, ...] = ()


def report(solution: Solution, *, decisions: bool = True) -> Report:
    """The figures; without `decisions` only those of the players."""
    spot = solution.spot
    return Report(
        "prizes" if spot.payouts else "chips",
        spot.small_blind,
        spot.big_blind,
        spot.ante,
        spot.big_blind_ante,
        spot.payouts,
        solution.iterations,
        round(solution.seconds, 3),
        _players(solution),
        tuple(_decision(spot, each) for each in solution.decisions) if decisions else (),
    )


def _players(solution: Solution) -> tuple[PlayerReport, ...]:
    spot = solution.spot
    prizes = worth(spot, spot.stacks).tolist() if spot.payouts else [None] * spot.players
    rows = zip(spot.seats, spot.stacks, solution.expected, solution.gains, prizes, strict=True)
    return tuple(PlayerReport(*row) for row in rows)


def _decision(spot: Spot, decision: Decision) -> DecisionReport:
    figures = zip(decision.frequencies, decision.go, decision.fold, strict=True)
    hands = {
        name: HandReport(*(round(figure, DIGITS) for figure in row)) for name, row in zip(HANDS, figures, strict=True)
    }
    return DecisionReport(
        spot.seats[decision.seat],
        tuple(spot.seats[seat] for seat in decision.after),
        "call" if decision.after else "push",
        round(sum(decision.reach), DIGITS),
        round(share(decision.frequencies), DIGITS),
        range_text(decision.frequencies),
        hands,
    )


def chart(spot: Spot, decision: Decision) -> Chart:
    """A decision for the page."""
    return Chart(
        spot.seats[decision.seat],
        tuple(spot.seats[seat] for seat in decision.after),
        round(sum(decision.reach), DIGITS),
        round(share(decision.frequencies), SHOWN_DIGITS),
        range_text(decision.frequencies),
        *(
            tuple(round(each, SHOWN_DIGITS) for each in figures)
            for figures in (decision.frequencies, decision.go, decision.fold)
        ),
    )
