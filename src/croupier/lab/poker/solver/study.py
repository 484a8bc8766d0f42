"""A look into a solution: everything known at one point of the tree, with the path that led there."""

from collections import OrderedDict
from typing import Final, TypeVar

import msgspec
import numpy as np

from croupier.lab.poker.solver.betting import Kind
from croupier.lab.poker.solver.ends import Workspace
from croupier.lab.poker.solver.solve import Solution
from croupier.lab.poker.solver.spot import PLAYERS, hand_name
from croupier.lab.poker.solver.walk import ActionShare, CardFigures, Place, card_figures, path_steps

VIEWS_KEPT_MAX: Final = 64
KINDS: Final = {Kind.DECISION: "decision", Kind.DEAL: "deal"}
DIGITS: Final = 6

Kept = TypeVar("Kept")


class Step(msgspec.Struct, frozen=True):
    """A step of the path: a decision with its actions, or a deal without any; and the action taken, or the card
    dealt."""

    player: str
    board: str
    pot: int
    stack: int
    """What the player who acts has left; after a deal, what both have."""
    actions: tuple[ActionShare, ...]
    taken: str


class Holding(msgspec.Struct, frozen=True, array_like=True):
    """One hand: its weight, what it wins from here on, its equity. None if it meets no hand of the opponent."""

    weight: float
    ev: float | None
    equity: float | None


class Player(msgspec.Struct, frozen=True):
    """A player at a point: averages over the range, and every hand that is possible on the board."""

    name: str
    stack: int
    combinations: float
    ev: float | None
    equity: float | None
    hands: dict[str, Holding]


class Choice(msgspec.Struct, frozen=True, array_like=True):
    """One hand of the player who acts: how often it takes each action, and what each would win."""

    strategy: tuple[float, ...]
    values: tuple[float | None, ...]


class View(msgspec.Struct, frozen=True):
    """A point of the tree: `decision`, `deal` or `end`. `choices` and `actions` are those of `player`, who acts."""

    path: str
    kind: str
    board: str
    pot: int
    player: str
    players: tuple[Player, Player]
    actions: tuple[ActionShare, ...]
    choices: dict[str, Choice]
    way: tuple[Step, ...]
    iterations: int
    exploitability: float | None


class Study:
    """A solution that can be inspected at any point, also while it improves. Results are cached until the solution
    changes: the first street is valued once for all its points.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._iterations = -1
        self._first: dict[int, Workspace] = {}
        self._views: OrderedDict[str, View] = OrderedDict()
        self._cards: OrderedDict[str, tuple[CardFigures, ...]] = OrderedDict()

    def view(self, path: str) -> View:
        """Everything known at the end of a path. Raises SolveError if it leads nowhere."""
        self._forget_if_changed()
        if path not in self._views:
            _keep(self._views, path, self._view(path))
        return self._views[path]

    def cards(self, path: str) -> tuple[CardFigures, ...]:
        """The effect of each card that may be dealt at the end of a path. Raises SolveError where none is dealt."""
        self._forget_if_changed()
        if path not in self._cards:
            _keep(self._cards, path, card_figures(self.solution.solver, self.solution.case, path))
        return self._cards[path]

    def _forget_if_changed(self) -> None:
        if self._iterations != self.solution.iterations:
            self._iterations = self.solution.iterations
            for kept in (self._first, self._views, self._cards):
                kept.clear()

    def _view(self, path: str) -> View:
        place = Place(self.solution.solver, self.solution.case)
        way = []
        for word in path_steps(path):
            step = self._step(place)
            place.step(word)
            way.append(msgspec.structs.replace(step, taken=_written(word, step)))
        node, here = place.point, self._step(place)
        works = [self._values(place, player) for player in (0, 1)]
        players = self._player(place, 0, works[0]), self._player(place, 1, works[1])
        share = self.solution.exploitability
        return View(
            path=",".join(step.taken for step in way),
            kind=KINDS.get(node.kind, "end"),
            board=here.board,
            pot=here.pot,
            player=here.player,
            players=players,
            actions=here.actions,
            choices=self._choices(place, works[node.player]) if node.kind is Kind.DECISION else {},
            way=tuple(way),
            iterations=self.solution.iterations,
            exploitability=share if np.isfinite(share) else None,
        )

    def _step(self, place: Place) -> Step:
        node, rules = place.point, self.solution.case.betting
        acts = node.kind is Kind.DECISION
        return Step(
            player=PLAYERS[node.player] if acts else "",
            board="".join(map(str, place.cards)),
            pot=rules.pot + sum(node.paid),
            stack=rules.stack - (node.paid[node.player] if acts else node.matched),
            actions=self._shares(place) if acts else (),
            taken="",
        )

    def _shares(self, place: Place) -> tuple[ActionShare, ...]:
        """How often each action is taken, over all hands."""
        player = place.point.player
        count = int(self.solution.solver.deal.hands[player])
        weights, shares = place.reach[player][:count] * place.met(player), place.strategy()[:, :count]
        total = float(weights.sum())
        found = shares @ weights / total if total > 0 else shares.mean(axis=1)
        return tuple(map(ActionShare, place.point.actions, found.tolist()))

    def _values(self, place: Place, player: int) -> Workspace:
        """The values of all nodes of the block around a place."""
        if place.block == 0 and player in self._first:
            return self._first[player]
        work = place.values(player)[1]
        # The next call writes over them.
        found = work._replace(values=work.values.copy())
        if place.block == 0:
            self._first[player] = found
        return found

    def _player(self, place: Place, player: int, work: Workspace) -> Player:
        node, count = place.point, int(self.solution.solver.deal.hands[player])
        reach, met = place.reach[player][:count], place.met(player)
        values, equities = place.row(work, player, place.spot)[:count], place.equities(player)
        weights = reach * met
        total = float(weights.sum())
        hands = {
            name: Holding(
                round(float(reach[hand]), DIGITS),
                _worth(values[hand], met[hand], node.paid[player]),
                round(float(equities[hand]), DIGITS) if met[hand] > 0 else None,
            )
            for name, hand in self._hands(place, player)
        }
        return Player(
            name=PLAYERS[player],
            stack=self.solution.case.betting.stack - node.paid[player],
            combinations=sum(each.weight for each in hands.values()),
            ev=_worth(float(reach @ values), total, node.paid[player]),
            equity=float(weights @ equities) / total if total > 0 else None,
            hands=hands,
        )

    def _choices(self, place: Place, work: Workspace) -> dict[str, Choice]:
        node = place.point
        player, solver = node.player, self.solution.solver
        met, shares = place.met(player), place.strategy()
        below = int(solver.tree.first[place.spot])
        rows = [place.row(work, player, below + action) for action in range(len(node.actions))]
        return {
            name: Choice(
                tuple(round(float(share), DIGITS) for share in shares[:, hand]),
                tuple(_worth(row[hand], met[hand], node.paid[player]) for row in rows),
            )
            for name, hand in self._hands(place, player)
        }

    def _hands(self, place: Place, player: int) -> list[tuple[str, int]]:
        """The name of each hand that is possible on the board, and its number in the arrays."""
        numbers = zip(self.solution.case.combinations[player], place.hands[player].tolist(), strict=True)
        board = set(place.cards)
        return [(hand_name(pair), hand) for pair, hand in numbers if not board & set(pair)]


def _worth(value: float, met: float, paid: int) -> float | None:
    """A value summed over the opponent's reach, as chips out of the pot."""
    return round(float(value) / float(met) + paid, DIGITS) if met > 0 else None


def _written(word: str, step: Step) -> str:
    """A step as the tree calls it."""
    if step.player:
        return " ".join(word.lower().split())
    return word[:1].upper() + word[1:].lower()


def _keep(kept: OrderedDict[str, Kept], path: str, found: Kept) -> None:
    kept[path] = found
    if len(kept) > VIEWS_KEPT_MAX:
        kept.popitem(last=False)
