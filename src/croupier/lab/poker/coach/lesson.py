"""A lesson: a played hand solved street by street, with what the solution plays and what each choice gave away.

Each street is solved from its start. The bets that were made are among its sizes, and its ranges are those that the
solution of the street before leaves. Every hand is assumed to play every action at least `SLIP` of the time. Where a
player did what the solution hardly ever does, the solution says nothing about the rest of the street. The street is
then solved again from there, against the whole range, and that solution values the decisions after it.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Final

import msgspec
import numpy as np

from croupier.games.poker.rules.events import Street
from croupier.lab.poker.coach.default_ranges import default_ranges
from croupier.lab.poker.coach.errors import CoachError
from croupier.lab.poker.coach.hand import Choice, CoachedHand
from croupier.lab.poker.ranges import Combination, parse
from croupier.lab.poker.situations import read_cards
from croupier.lab.poker.solver import solve
from croupier.lab.poker.solver.betting import Kind
from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.sizes import SIZES_MAX
from croupier.lab.poker.solver.spot import PLAYERS, Lock, Setting, Spot, hand_name
from croupier.lab.poker.solver.walk import NodeFigures, Place, Vector, node_figures, walk

SLIP: Final = 0.01
"""How often every hand is assumed to play each action, at least."""
RARE: Final = 0.02
"""An action that the range takes less often is locked for the decisions after it."""
HELD_WEIGHT_MIN: Final = 0.01
"""The weight of a hand that was held, if the range has less of it."""
WEIGHT_MIN: Final = 1e-4
"""Hands that are rarer than this, next to the most likely one, are left out of the next street."""
TARGET: Final = 0.005
MEMORY_MAX: Final = 700_000_000
SECONDS: Final = {Street.FLOP: 40.0, Street.TURN: 15.0, Street.RIVER: 5.0}
"""How long each street may take at most."""
SHALLOW: Final = 3
"""Up to so many pots behind, all-in is a size of the street."""
STREETS: Final = {3: Street.FLOP, 4: Street.TURN, 5: Street.RIVER}


class _Menu(msgspec.Struct, frozen=True):
    """Sizes on the street that is solved, and on later ones; and how many bets and raises a street has at most.

    Without `bets_next`, the next of several streets is checked through.
    """

    bets: str
    raises: str
    later_bets: str
    later_raises: str
    bets_max: int
    compact: bool = False
    bets_next: bool = True


MENUS: Final = {
    Street.FLOP: (
        _Menu("50%,100%", "2.5x", "75%", "2.5x", 3),
        _Menu("50%,100%", "2.5x", "75%", "", 3),
        _Menu("75%", "2.5x", "75%", "", 2),
        _Menu("75%", "2.5x", "75%", "", 2, compact=True),
        _Menu("75%", "2.5x", "75%", "", 2, compact=True, bets_next=False),
        _Menu("75%", "2.5x", "", "", 2, compact=True),
        _Menu("", "", "", "", 1, compact=True),
    ),
    Street.TURN: (
        _Menu("50%,100%", "2.5x", "75%", "2.5x", 3),
        _Menu("75%", "2.5x", "75%", "", 2),
        _Menu("75%", "2.5x", "75%", "", 2, compact=True),
        _Menu("75%", "2.5x", "", "", 2, compact=True),
        _Menu("", "", "", "", 1, compact=True),
    ),
    Street.RIVER: (_Menu("33%,75%,150%,a", "2.5x,a", "", "", 4), _Menu("75%", "2.5x", "", "", 2)),
}
"""The sizes offered besides those that were bet: the first menu that needs no more bytes than there is time for. The
last two are bounded by memory alone."""
WORK_MAX: Final = {Street.FLOP: 700_000_000, Street.TURN: 200_000_000, Street.RIVER: 100_000_000}
"""The bytes of a spot that is solved in about the time that a street may take, on two cores."""


class Option(msgspec.Struct, frozen=True, rename="camel"):
    """An action: how often the whole range takes it, how often this hand does, and what the hand wins then."""

    action: str
    range_frequency: float
    frequency: float | None
    value: float | None


class Decision(msgspec.Struct, frozen=True, rename="camel"):
    """A decision of a hand. `lost` is what the choice gave away, in chips; None if the hand is not known, or nothing
    was chosen yet. `pot` is what lies in the pot. `within` is the exploitability of the solution, in chips."""

    seat: int
    player: str
    street: Street
    event: int | None
    board: str
    pot: int
    hand: str
    action: str
    options: tuple[Option, ...]
    lost: float | None
    lost_share: float | None
    within: float

    @property
    def chosen(self) -> Option | None:
        """The option that was chosen."""
        return next((each for each in self.options if each.action == self.action), None)


class Lesson(msgspec.Struct, frozen=True, rename="camel"):
    """What is known so far. `given_away` is the sum of what is lost by seat, for hands that are known."""

    done: int
    total: int
    street: Street
    exploitability: float | None
    ranges: tuple[str, str]
    seats: tuple[int, int]
    decisions: tuple[Decision, ...]
    given_away: dict[int, float]
    ended: bool


def lesson(
    hand: CoachedHand,
    ranges: tuple[str, str] | None = None,
    *,
    own: int | None = None,
    seconds: float | None = None,
    memory: int = MEMORY_MAX,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Lesson]:
    """Coach a hand: a report after every measurement, and the last one with every decision.

    `own` is the seat that asks about its open decision; then only the decisions of that seat are told. `seconds` bounds
    each street. Raises CoachError, SolveError or EquityError before the first report.
    """
    yield from _Lesson(hand, ranges or default_ranges(hand), own, seconds, memory, stopped).reports()


class _Lesson:
    def __init__(
        self,
        hand: CoachedHand,
        ranges: tuple[str, str],
        own: int | None,
        seconds: float | None,
        memory: int,
        stopped: Callable[[], bool],
    ) -> None:
        self._hand, self._written, self._own = hand, ranges, own
        self._seconds, self._memory, self._stopped = seconds, memory, stopped
        self._decisions: list[Decision] = []
        counts = [count for count in STREETS if hand.start <= count <= len(hand.board)]
        last = max((choice.street for choice in hand.choices), key=list(Street).index, default=None)
        # Cards that were dealt after the last choice were dealt without bets.
        played = [count for count in counts if last is not None and _index(STREETS[count]) <= _index(last)]
        self._counts = counts if hand.waits else played
        self._paid = 0
        self._share: float | None = None
        self._is_folded = self._goes_on = False
        self._weights: list[dict[Combination, float]] = []

    def reports(self) -> Iterator[Lesson]:
        self._weights = [self._first_weights(player) for player in (0, 1)]
        for done, count in enumerate(self._counts):
            self._goes_on = False
            yield from self._street(done, count)
            if self._stopped() or not self._goes_on:
                break
        yield self._report(len(self._counts), STREETS[self._counts[-1]], self._share, ended=True)

    def _street(self, done: int, count: int) -> Iterator[Lesson]:
        """Solve a street and go along its choices."""
        street = STREETS[count]
        path: list[str] = []
        waiting = deque(each for each in self._hand.choices if each.street is street)
        while True:
            solution = self._prepare(count, _locked(path))
            if solution is None:
                return
            for share in self._solved(solution, street):
                self._share = share
                yield self._report(done, street, share)
            if self._stopped():
                return
            place = walk(solution.solver, solution.case, ",".join(path))
            # What is locked is played by all hands: these are the ranges of this point.
            reach = [each.copy() for each in place.reach]
            if not self._go_along(solution, place, waiting, path, reach):
                break
            self._weights = [self._carried(solution.case, place, player, reach[player]) for player in (0, 1)]
        self._close(solution, place, street, reach)
        yield self._report(done + 1, street, self._share)

    def _go_along(
        self, solution: solve.Solution, place: Place, waiting: "deque[Choice]", path: list[str], reach: list[Vector]
    ) -> bool:
        """Grade choices until none is left, or until one that the solution hardly ever makes: then return True."""
        while waiting:
            choice = waiting.popleft()
            figures = node_figures(solution.solver, solution.case, place)
            if figures.player != PLAYERS[choice.player]:
                raise CoachError("COACH_EVENTS")
            self._grade(figures, solution, choice)
            if choice.action not in place.point.actions:
                if choice.action != "fold":
                    raise CoachError("COACH_EVENTS")
                # The hand was folded where checking was free.
                waiting.clear()
                self._is_folded = True
                return False
            number = place.point.actions.index(choice.action)
            shares = place.strategy()[number]
            path.append(choice.action)
            is_rare = figures.actions[number].frequency < RARE
            if not is_rare:
                reach[choice.player][: len(shares)] *= (1 - SLIP) * shares + SLIP
            place.step(choice.action)
            if is_rare and (waiting or place.point.kind is Kind.DECISION):
                return True
        return False

    def _close(self, solution: solve.Solution, place: Place, street: Street, reach: list[Vector]) -> None:
        """The end of a street: the next one's ranges, or the decision that is open."""
        if self._is_folded:
            return
        if place.point.kind is Kind.DECISION:
            if not self._hand.waits:
                raise CoachError("COACH_EVENTS")
            self._advise(node_figures(solution.solver, solution.case, place), solution, street)
        elif place.point.kind is Kind.DEAL:
            self._paid += place.point.matched
            self._weights = [self._carried(solution.case, place, player, reach[player]) for player in (0, 1)]
            self._goes_on = True

    def _report(self, done: int, street: Street, share: float | None, *, ended: bool = False) -> Lesson:
        given: dict[int, float] = {}
        for each in self._decisions:
            if each.lost is not None:
                given[each.seat] = given.get(each.seat, 0.0) + each.lost
        known = None if share is None or not np.isfinite(share) else share
        total = len(self._counts)
        return Lesson(
            total if ended else done,
            total,
            street,
            known,
            self._written,
            self._hand.seats,
            tuple(self._decisions),
            given,
            ended,
        )

    def _first_weights(self, player: int) -> dict[Combination, float]:
        found = dict(parse(self._written[player]).weights)
        self._hold(player, found)
        return found

    def _hold(self, player: int, weights: dict[Combination, float]) -> None:
        """Keep the hand that was held in its range, however it came there."""
        if held := self._hand.cards[player]:
            one, other = sorted(read_cards(held), key=lambda card: -card.number)
            weights[one, other] = max(weights.get((one, other), 0.0), HELD_WEIGHT_MIN)

    def _prepare(self, count: int, locks: tuple[Lock, ...]) -> solve.Solution | None:
        """The spot of a street, with as many sizes as there is time and memory for; None if nobody can bet there."""
        hand, street = self._hand, STREETS[count]
        stack, pot = hand.stack - self._paid, hand.pot + 2 * self._paid
        if stack <= 0:
            return None
        board = "".join(map(str, hand.board[:count]))
        chosen = [choice.action for choice in hand.choices if choice.street is street]
        made = _Made(
            bets=_amounts(each for each in chosen if each.startswith("bet")),
            raises=_amounts(each for each in chosen if each.startswith("raise")),
            all_in=any(each.startswith("all-in") for each in chosen),
            count=sum(" " in each for each in chosen),
        )
        ranges = _text(self._weights[0]), _text(self._weights[1])
        menus = MENUS[street]
        work = WORK_MAX[street] * self._limit(street) / SECONDS[street]
        for number, menu in enumerate(menus):
            spot = msgspec.structs.replace(_spot(menu, board, ranges, pot, stack, hand.rake, made), locks=locks)
            is_last = number == len(menus) - 1
            limit = self._memory if number >= len(menus) - 2 else min(self._memory, int(work))
            try:
                return solve.prepare(spot, compact=menu.compact, memory=limit, bets_max=max(menu.bets_max, made.count))
            except SolveError as error:
                if is_last or error.refusal.code not in ("SOLVE_MEMORY", "SOLVE_TREE"):
                    raise
        raise AssertionError("every street has a menu")

    def _limit(self, street: Street) -> float:
        """How many seconds a street may take."""
        return min(SECONDS[street], self._seconds or SECONDS[street])

    def _solved(self, solution: solve.Solution, street: Street) -> Iterator[float]:
        """Improve the solution; its exploitability after each stretch."""
        until = perf_counter() + self._limit(street)
        while solution.exploitability > TARGET and not self._stopped():
            left = until - perf_counter()
            if left <= 0:
                return
            measured: list[float] = []

            def halt(found: list[float] = measured) -> bool:
                return bool(found) or self._stopped()

            solve.run(
                solution,
                target=TARGET,
                seconds=left,
                progress=lambda now, found=measured: found.append(now.exploitability),  # type: ignore[misc]
                stopped=halt,
            )
            yield solution.exploitability

    def _carried(self, case: Setting, place: Place, player: int, reached: Vector) -> dict[Combination, float]:
        reach = reached[place.hands[player]]
        most = float(reach.max(initial=0.0)) or 1.0
        found = {
            combination: float(weight) / most
            for combination, weight in zip(case.combinations[player], reach, strict=True)
            if weight >= WEIGHT_MIN * most
        }
        self._hold(player, found)
        return found

    def _grade(self, figures: NodeFigures, solution: solve.Solution, choice: Choice) -> None:
        options, held = self._options(figures, choice.player)
        seat = self._hand.seats[choice.player]
        if self._own is not None and seat != self._own:
            return
        lost = None
        if held:
            values = {each.action: each.value for each in options if each.value is not None}
            # Folding where checking is free wins nothing.
            lost = max(0.0, max(values.values()) - values.get(choice.action, 0.0))
        self._decisions.append(
            self._decision(figures, solution, choice.player, options, held, choice.street, choice, lost)
        )

    def _advise(self, figures: NodeFigures, solution: solve.Solution, street: Street) -> None:
        player = PLAYERS.index(figures.player)
        if self._own is not None and self._hand.seats[player] != self._own:
            return
        options, held = self._options(figures, player)
        self._decisions.append(self._decision(figures, solution, player, options, held, street, None, None))

    def _options(self, figures: NodeFigures, player: int) -> tuple[tuple[Option, ...], str]:
        cards = self._hand.cards[player]
        found = figures.hands.get(cards)
        shares = found.strategy if found else (None,) * len(figures.actions)
        values = found.values if found else (None,) * len(figures.actions)
        options = (
            Option(each.action, each.frequency, share, value)
            for each, share, value in zip(figures.actions, shares, values, strict=True)
        )
        return tuple(options), cards if found else ""

    def _decision(
        self,
        figures: NodeFigures,
        solution: solve.Solution,
        player: int,
        options: tuple[Option, ...],
        held: str,
        street: Street,
        choice: Choice | None,
        lost: float | None,
    ) -> Decision:
        return Decision(
            seat=self._hand.seats[player],
            player=figures.player,
            street=street,
            event=choice.event if choice else None,
            board=figures.board,
            pot=figures.pot,
            hand=held,
            action=choice.action if choice else "",
            options=options,
            lost=lost,
            lost_share=None if lost is None else lost / figures.pot,
            within=solution.exploitability * solution.case.betting.pot,
        )


def _index(street: Street) -> int:
    return list(Street).index(street)


def _locked(path: list[str]) -> tuple[Lock, ...]:
    """Locks that lead all hands along a path."""
    return tuple(Lock(",".join(path[:number]), {step: 1.0}) for number, step in enumerate(path))


def _text(weights: dict[Combination, float]) -> str:
    return ",".join(f"{hand_name(hand)}:{weight:.6f}" for hand, weight in weights.items() if weight >= 1e-6)


class _Made(msgspec.Struct, frozen=True):
    """The sizes of a street that players chose, and how many bets and raises it had."""

    bets: list[str]
    raises: list[str]
    all_in: bool
    count: int


def _amounts(actions: Iterable[str]) -> list[str]:
    return sorted({f"{action.rpartition(' ')[2]}c" for action in actions})


def _spot(
    menu: _Menu, board: str, ranges: tuple[str, str], pot: int, stack: int, rake: str, made: _Made
) -> Spot:  # a part each
    name = STREETS[len(board) // 2].lower()
    all_in = ["a"] if made.all_in or (menu.bets and stack <= SHALLOW * pot) else []
    # The sizes that were played come first: the list is bounded.
    bets = ",".join(dict.fromkeys(filter(None, [*all_in, *made.bets, *menu.bets.split(",")])))
    raises = ",".join(dict.fromkeys(filter(None, [*all_in, *made.raises, *menu.raises.split(",")][:SIZES_MAX])))
    return Spot(
        board,
        ranges,
        pot,
        stack,
        bets=menu.later_bets,
        raises=menu.later_raises,
        street_bets={name: bets} | ({} if menu.bets_next else {"turn": ""}),
        street_raises={name: raises},
        rake=rake,
    )
