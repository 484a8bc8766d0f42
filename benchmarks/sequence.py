"""How many whole random games of Sequence one process plays a second, how they end, and how long they are.

The claim: at least 300 two-player games a second through the protocol that a table uses: opening, awaits, deal, menu
and act with all events. Each turn takes one of the offered cards with equal chance, and one of its cells with equal
chance. The best of several rounds counts. There is no peer beside it: a search found applications for this game,
and no library that a program could call. Run as `python benchmarks/sequence.py [games a round]`.
"""

import statistics
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from croupier.game.game import Draw, Over, Step, Turn
from croupier.games.sequence import GAME, SequenceRules, SequenceSetup

GOAL_GAMES_A_SECOND: Final = 300
ROUNDS: Final = 5
GAMES_A_ROUND: Final = 200
SEAT_COUNTS: Final = (2, 3, 4, 12)


class Result(NamedTuple):
    won: bool
    turns: int
    actions: int
    reshuffles: int


def play(rules: SequenceRules, setup: SequenceSetup, chance: Random) -> Result:
    """One game of random plays."""
    step = rules.opening(setup)
    assert isinstance(step, Step)
    shoe: list[Any] = []
    packs = actions = 0
    while True:
        state = step.state
        waiting = rules.awaits(state)
        if isinstance(waiting, Turn):
            seat = waiting.seats[0]
            offers = rules.menu(state, seat)
            offer = offers[int(chance.random() * len(offers))]
            action = offer.action
            if offer.field:
                action = offer.choose(offer.among[int(chance.random() * len(offer.among))])
            taken = rules.act(state, seat, action)
            assert isinstance(taken, Step)
            step = taken
            actions += 1
        elif isinstance(waiting, Draw):
            if waiting.pack:
                shoe = list(waiting.pack)
                chance.shuffle(shoe)
                packs += 1
            step = rules.deal(state, tuple(shoe.pop() for _ in range(waiting.count)))
        else:
            assert isinstance(waiting, Over)
            return Result(any(waiting.payouts), state.turn_number, actions, packs - 1)


def tables() -> Iterator[tuple[str, SequenceRules, SequenceSetup]]:
    for preset, rules in GAME.presets.items():
        assert isinstance(rules, SequenceRules)
        for teams in rules.team_counts:
            for seats in SEAT_COUNTS:
                setup = SequenceSetup(seats=seats, teams=teams)
                if isinstance(rules.opening(setup), Step):
                    yield preset, rules, setup


def measure(name: str, rules: SequenceRules, setup: SequenceSetup, games: int) -> float:
    """Prints a line about one table, and gives its games a second."""
    chance = Random(1)
    results: list[Result] = []
    best = 0.0
    for _ in range(ROUNDS):
        started = time.perf_counter()
        results += [play(rules, setup, chance) for _ in range(games)]
        best = max(best, games / (time.perf_counter() - started))
    turns = sorted(result.turns for result in results)
    tenths = statistics.quantiles(turns, n=10)
    wins = sum(result.won for result in results) / len(results)
    reshuffled = sum(result.reshuffles > 0 for result in results) / len(results)
    actions = sum(result.actions for result in results) / len(results)
    print(
        f"{name:8}{setup.seats:6}{setup.teams:6}{best:10.0f}{1e6 / best / actions:12.1f}{wins:8.1%}{1 - wins:8.1%}"
        f"{turns[0]:7}{tenths[0]:6.0f}{statistics.median(turns):6.0f}{tenths[-1]:6.0f}{turns[-1]:6}{reshuffled:12.1%}"
    )
    return best


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES_A_ROUND
    print(f"best of {ROUNDS} rounds of {games} random games each; lengths in turns")
    print("preset   seats teams   games/s   µs/action     win    draw    min   10%   50%   90%   max reshuffled")
    speeds = {(name, setup.seats): measure(name, rules, setup, games) for name, rules, setup in tables()}
    house = speeds["house", 2]
    print(f"house, two players: {house:.0f} games/s, {house / GOAL_GAMES_A_SECOND:.2f} times the goal")


if __name__ == "__main__":
    main()
