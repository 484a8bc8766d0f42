"""A path of actions and cards through the tree of a solved spot, and what is known at its end."""

from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.cards import PACK, RANKS, SUITS, Card
from croupier.lab.poker.ranges import Combination
from croupier.lab.poker.solver.betting import Kind, Node
from croupier.lab.poker.solver.ends import Workspace
from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.solver import Solver
from croupier.lab.poker.solver.spot import PLAYERS, Setting, card_named, hand_name

STEPS_MAX: Final = 200
"""The most actions and cards of a path."""

Vector = NDArray[np.float64]


class Place:
    """A point of the tree: the node, the board, and each player's reach there.

    Boards that differ by an exchange of suits are solved once. So hands have numbers of their own at each place:
    `hands[player]` has the number that each of the spot's hands has in the arrays.
    """

    def __init__(self, solver: Solver, case: Setting) -> None:
        self._solver, self._case = solver, case
        self.node, self.board = 0, 0
        self.cards: tuple[Card, ...] = case.board
        self.hands = [np.arange(int(solver.deal.hands[player])) for player in (0, 1)]
        self.reach = [solver.deal.weights[player].copy() for player in (0, 1)]
        """By number in the arrays, padded."""
        self.entry_reach = [each.copy() for each in self.reach]
        self._exchange = np.arange(solver.deck.size)

    @property
    def point(self) -> Node:
        return self._solver.nodes[self.node]

    @property
    def block(self) -> int:
        return int(self._solver.layout.blocks[self.node])

    @property
    def spot(self) -> int:
        """The node's place in the arrays."""
        return int(self._solver.layout.places[self.node])

    def strategy(self) -> Vector:
        """The average strategy here, by action and number of the hand in the arrays."""
        return self._solver.strategy(self.block, self.board, self.spot)

    def step(self, word: str) -> None:
        """Take an action by its name, or deal a card. Raises SolveError if that is not possible here."""
        if self.point.kind is Kind.DEAL:
            self._deal(word)
            return
        if self.point.kind is not Kind.DECISION:
            raise SolveError("SOLVE_PATH_OVER", step=word)
        name = " ".join(word.lower().split())
        if name not in self.point.actions:
            raise SolveError("SOLVE_PATH_ACTION", step=word, actions=self.point.actions)
        action, player = self.point.actions.index(name), self.point.player
        shares = self.strategy()[action]
        self.reach[player][: len(shares)] *= shares
        self.node = self.point.children[action]

    def _deal(self, word: str) -> None:
        card = card_named(word)
        if card is None:
            raise SolveError("SOLVE_PATH_CARD", step=word, ranks=RANKS, suits=SUITS)
        if card in self.cards:
            raise SolveError("EQUITY_CARD_REPEATED", card=str(card))
        dealt = self._solver.deal
        wanted = int(np.flatnonzero(self._exchange == card.number)[0])
        for board in range(dealt.next_starts[self.board], dealt.next_starts[self.board + 1]):
            for member in range(dealt.member_starts[board], dealt.member_starts[board + 1]):
                exchange = int(dealt.members[member])
                order = self._solver.deck.exchanges[exchange]
                if order[dealt.last_cards[board]] == wanted:
                    self._enter(board, exchange, order)
                    self.cards = (*self.cards, card)
                    return
        raise AssertionError("every card that is left belongs to a board")

    def _enter(self, board: int, exchange: int, order: NDArray[np.int64]) -> None:
        dealt = self._solver.deal
        for player in (0, 1):
            moved = dealt.moved[exchange, player].astype(np.int64)
            self.hands[player] = moved[self.hands[player]]
            possible = np.zeros(len(moved))
            possible[dealt.order[board, player, : dealt.alive[board, player]]] = 1.0
            reach = np.zeros(len(moved))
            reach[moved] = self.reach[player]
            self.reach[player] = reach * possible
            self.entry_reach[player] = self.reach[player].copy()
        self._exchange = self._exchange[order]
        self.board = board
        self.node = self.point.children[0]

    def values(self, player: int) -> tuple[Vector, Workspace]:
        """What each hand of a player wins from the start on, summed over the opponent's reach; and all values near."""
        solver, opponent = self._solver, 1 - player
        width = int(solver.deal.widths[opponent])
        reach = self.entry_reach[opponent][:width]
        if self.block == 0:
            work = solver.values(player, best=False, reach=reach)
        else:
            tree = solver.tree
            entries = np.zeros((int(tree.entry_starts[self.block + 1] - tree.entry_starts[self.block]), width))
            entries[self._entry()] = reach
            work = solver.values_of(self.block, self.board, player, entries)
        return self.row(work, player, self.spot), work

    def _entry(self) -> int:
        """Which of the block's entries leads here."""
        solver, node = self._solver, self.node
        while solver.nodes[solver.nodes[node].parent].kind is not Kind.DEAL:
            node = solver.nodes[node].parent
        return int(solver.layout.places[node] - solver.tree.starts[self.block])

    def row(self, work: Workspace, player: int, place: int) -> Vector:
        """The values of one node of the block, by number of the hand in the arrays."""
        tree, width = self._solver.tree, int(self._solver.deal.widths[player])
        first = int(work.value_bases[tree.levels[self.block]] + (place - tree.starts[self.block]) * width)
        found: Vector = work.values[first : first + width].copy()
        return found

    def met(self, player: int) -> Vector:
        """The part of the opponent's reach that each hand of a player can meet."""
        meet = self._solver.meet if player == 0 else self._solver.meet.T
        found: Vector = meet @ self.reach[1 - player][: meet.shape[1]]
        return found

    def equities(self, player: int) -> Vector:
        """Each hand's equity against the opponent's reach, if all cards were dealt now; 0 for an impossible hand."""
        wins = self._wins()
        if player == 1:
            wins = (self._solver.meet - wins).T
        opponent = self.reach[1 - player][: wins.shape[1]]
        found: Vector = np.divide(wins @ opponent, met := self.met(player), out=np.zeros(len(met)), where=met > 0)
        return found

    def _wins(self) -> Vector:
        """Player 0's equity by pairs of hands."""
        solver, dealt = self._solver, self._solver.deal
        counts, widths = dealt.hands, dealt.widths
        if self.board >= dealt.level_starts[-1]:
            ranks = [np.zeros(int(counts[player])) for player in (0, 1)]
            for player in (0, 1):
                alive = int(dealt.alive[self.board, player])
                ranks[player][dealt.order[self.board, player, :alive]] = dealt.ranks[self.board, player, :alive]
            shown: Vector = solver.meet * (np.sign(ranks[0][:, np.newaxis] - ranks[1]) + 1) / 2
            return shown
        equities, size = solver.equities, int(widths[0] * widths[1])
        if self.board >= equities.first:
            first = (self.board - equities.first) * size
            flat = equities.counts[first : first + size].astype(np.float64) * equities.scale
        else:
            flat = equities.shares.astype(np.float64)
        found: Vector = flat.reshape(widths)[: counts[0], : counts[1]]
        return found


class ActionShare(msgspec.Struct, frozen=True):
    action: str
    frequency: float


class HandFigures(msgspec.Struct, frozen=True):
    """One hand: its weight, what it wins, its equity, how often it takes each action, and what each would win.

    A hand that meets no hand of the opponent wins nothing and has no equity: zeros.
    """

    weight: float
    ev: float
    equity: float
    strategy: tuple[float, ...]
    values: tuple[float, ...]


class PlayerFigures(msgspec.Struct, frozen=True):
    name: str
    ev: float
    equity: float


class NodeFigures(msgspec.Struct, frozen=True):
    """A decision: who acts, on which board, for which pot, and every hand."""

    player: str
    board: str
    pot: int
    actions: tuple[ActionShare, ...]
    hands: dict[str, HandFigures]


class CardFigures(msgspec.Struct, frozen=True):
    """A card that may be dealt: each player's equity and expected value after it, and the first player's actions."""

    card: str
    equity: tuple[float, float]
    ev: tuple[float, float]
    actions: tuple[ActionShare, ...]


def walk(solver: Solver, case: Setting, path: str) -> Place:
    """The place at the end of a path: actions and cards, separated by commas. Raises SolveError for a wrong step."""
    place = Place(solver, case)
    for word in path_steps(path):
        place.step(word)
    return place


def path_steps(path: str) -> list[str]:
    """The steps of a path. Raises SolveError if there are too many."""
    words = [word.strip() for word in path.split(",")] if path.strip() else []
    if len(words) > STEPS_MAX:
        raise SolveError("SOLVE_PATH_LONG", count=len(words), limit=STEPS_MAX)
    return words


def player_figures(solver: Solver, place: Place) -> tuple[PlayerFigures, PlayerFigures]:
    """Both players' expected value from here on and equity, over their hands; zeros where no two hands can meet."""
    found = []
    for player in (0, 1):
        count = int(solver.deal.hands[player])
        values, _ = place.values(player)
        weights = place.reach[player][:count] * place.met(player)
        total = float(weights.sum())
        if total <= 0:
            found.append(PlayerFigures(PLAYERS[player], 0.0, 0.0))
            continue
        # The values are sums over the opponent's reach already.
        ev = float(place.reach[player][:count] @ values[:count]) / total + place.point.paid[player]
        found.append(PlayerFigures(PLAYERS[player], ev, float(weights @ place.equities(player)) / total))
    return found[0], found[1]


def node_figures(solver: Solver, case: Setting, place: Place) -> NodeFigures:
    """Everything about the decision at a place. Raises SolveError where nobody acts."""
    node = place.point
    if node.kind is Kind.DEAL:
        raise SolveError("SOLVE_PATH_DEAL")
    if node.kind is not Kind.DECISION:
        raise SolveError("SOLVE_PATH_END")
    player = node.player
    count, paid = int(solver.deal.hands[player]), node.paid[player]
    values, work = place.values(player)
    met, equities, shares = place.met(player), place.equities(player), place.strategy()[:, :count]
    below = int(solver.tree.first[place.spot])
    by_action = [place.row(work, player, below + action)[:count] for action in range(len(node.actions))]
    with np.errstate(divide="ignore", invalid="ignore"):
        evs = np.where(met > 0, values[:count] / met + paid, 0.0)
        action_evs = [np.where(met > 0, each / met + paid, 0.0) for each in by_action]
    reach = place.reach[player][:count]
    hands: dict[str, HandFigures] = {}
    for combination, hand in zip(case.combinations[player], place.hands[player].tolist(), strict=True):
        if set(combination) & set(place.cards):
            continue
        hands[hand_name(combination)] = HandFigures(
            weight=float(reach[hand]),
            ev=float(evs[hand]),
            equity=float(equities[hand]),
            strategy=tuple(shares[:, hand].tolist()),
            values=tuple(float(each[hand]) for each in action_evs),
        )
    weights = reach * met
    total = float(weights.sum())
    frequencies = shares @ weights / total if total > 0 else shares.mean(axis=1)
    return NodeFigures(
        player=PLAYERS[player],
        board="".join(map(str, place.cards)),
        pot=case.betting.pot + sum(node.paid),
        actions=tuple(map(ActionShare, node.actions, frequencies.tolist())),
        hands=hands,
    )


def card_figures(solver: Solver, case: Setting, path: str) -> tuple[CardFigures, ...]:
    """The effect of each card that may be dealt at the end of a path. Raises SolveError where none is dealt."""
    if walk(solver, case, path).point.kind is not Kind.DEAL:
        raise SolveError("SOLVE_PATH_NO_CARD")
    found = []
    for card in PACK:
        place = walk(solver, case, path)
        if card in place.cards:
            continue
        place.step(str(card))
        one, other = player_figures(solver, place)
        actions = node_figures(solver, case, place).actions
        found.append(CardFigures(str(card), (one.equity, other.equity), (one.ev, other.ev), actions))
    return tuple(found)


def combination_places(case: Setting, player: int) -> dict[Combination, int]:
    """The number of each hand at the start."""
    return {combination: number for number, combination in enumerate(case.combinations[player])}
