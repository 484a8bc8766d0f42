"""A plain, slow solver of heads-up spots: no vectors, no suits exchanged, its own tree, betting and best response.

It follows every pair of hands through explicit histories. Strategies are dictionaries by player, hand and history.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from croupier.cards import PACK, Card
from croupier.games.poker.rules.evaluate import rank

Hand = tuple[Card, Card]


@dataclass
class PlainSpot:
    """`bets` are shares of the pot, `raises` multiples of the bet faced; None among them is all-in."""

    board: tuple[Card, ...]
    ranges: tuple[dict[Hand, float], dict[Hand, float]]
    pot: int
    stack: int
    bets: tuple[Fraction | None, ...]
    raises: tuple[Fraction | None, ...]
    rake: Fraction = Fraction(0)
    cap: Fraction = Fraction(10**9)
    ranks: dict[tuple[Card, ...], int] = field(default_factory=dict)

    def strength(self, hand: Hand, board: tuple[Card, ...]) -> int:
        cards = (*hand, *board)
        if cards not in self.ranks:
            self.ranks[cards] = -rank(cards)
        return self.ranks[cards]


@dataclass(frozen=True)
class State:
    board: tuple[Card, ...]
    history: str = ""
    before: int = 0
    """Chips of each player from earlier streets."""
    street: tuple[int, int] = (0, 0)
    last: int = 0
    acts: int = 0
    checked: bool = False


def half_up(amount: Fraction) -> int:
    return int(amount * 2 + 1) // 2


def options(spot: PlainSpot, state: State) -> list[str]:
    own, faced = state.street[state.acts], state.street[1 - state.acts]
    left = spot.stack - state.before
    found = ["check"] if own == faced else ["fold", "call"]
    if faced == left:
        return found
    pot = spot.pot + 2 * state.before + 2 * faced
    wanted = set()
    for size in spot.raises if faced else spot.bets:
        if size is None:
            amount = left
        elif faced:
            amount = max(half_up(size * faced), faced + state.last)
        else:
            amount = max(half_up(size * pot), 1)
        wanted.add(min(amount, left))
    for amount in sorted(wanted):
        found.append(f"{'all-in' if amount == left else 'raise' if faced else 'bet'} {amount}")
    return found


def payoff(spot: PlainSpot, matched: int, share: float, player: int) -> float:
    """What a player wins who gets a share of the pot."""
    pot = spot.pot + 2 * matched
    rake = min(spot.rake * pot, spot.cap)
    return float(pot - rake) * (share if player == 0 else 1 - share) - matched


def shown(spot: PlainSpot, hands: tuple[Hand, Hand], board: tuple[Card, ...]) -> float:
    one, other = (spot.strength(hand, board) for hand in hands)
    return 1.0 if one > other else 0.0 if one < other else 0.5


def next_cards(board: tuple[Card, ...], hands: tuple[Hand, Hand]) -> Iterator[Card]:
    return (card for card in PACK if card not in (*board, *hands[0], *hands[1]))


def run_out(spot: PlainSpot, hands: tuple[Hand, Hand], board: tuple[Card, ...]) -> float:
    if len(board) == 5:
        return shown(spot, hands, board)
    cards = list(next_cards(board, hands))
    return sum(run_out(spot, hands, (*board, card)) for card in cards) / len(cards)


class PlainSolver:
    """Regret matching with regrets cut at 0, both players in turn, averages weighted by the iteration."""

    def __init__(self, spot: PlainSpot) -> None:
        self.spot = spot
        self.regrets: dict[tuple[Hand, str], dict[str, float]] = defaultdict(dict)
        self.sums: dict[tuple[Hand, str], dict[str, float]] = defaultdict(dict)
        self.iteration = 0

    def current(self, hand: Hand, state: State, names: list[str]) -> dict[str, float]:
        regrets = self.regrets[hand, state.history]
        total = sum(max(regrets.get(name, 0.0), 0.0) for name in names)
        if total == 0:
            return dict.fromkeys(names, 1 / len(names))
        return {name: max(regrets.get(name, 0.0), 0.0) / total for name in names}

    def average(self, hand: Hand, state: State, names: list[str]) -> dict[str, float]:
        sums = self.sums[hand, state.history]
        total = sum(sums.get(name, 0.0) for name in names)
        if total == 0:
            return dict.fromkeys(names, 1 / len(names))
        return {name: sums.get(name, 0.0) / total for name in names}

    def iterate(self, count: int) -> None:
        for _ in range(count):
            self.iteration += 1
            for player in (0, 1):
                for hand in self.spot.ranges[player]:
                    rivals = {
                        other: weight
                        for other, weight in self.spot.ranges[1 - player].items()
                        if not set(hand) & set(other)
                    }
                    if rivals:
                        self._improve(player, hand, rivals, State(self.spot.board), 1.0)

    def _improve(self, player: int, hand: Hand, rivals: dict[Hand, float], state: State, own: float) -> float:
        names = options(self.spot, state)
        if state.acts != player:
            total = 0.0
            shares = {other: self.current(other, state, names) for other in rivals}
            for name in names:
                left = {other: weight * shares[other][name] for other, weight in rivals.items()}
                total += self._after(player, hand, left, state, name, own)
            return total
        shares = self.current(hand, state, names)
        values = {name: self._after(player, hand, rivals, state, name, own * shares[name]) for name in names}
        value = sum(shares[name] * values[name] for name in names)
        regrets, sums = self.regrets[hand, state.history], self.sums[hand, state.history]
        for name in names:
            regrets[name] = max(regrets.get(name, 0.0) + values[name] - value, 0.0)
            sums[name] = sums.get(name, 0.0) + self.iteration * own * shares[name]
        return value

    def _after(self, player: int, hand: Hand, rivals: dict[Hand, float], state: State, name: str, own: float) -> float:
        return reached(
            self.spot,
            player,
            hand,
            rivals,
            state,
            name,
            lambda left, state: self._improve(player, hand, left, state, own),
        )

    def best(self, player: int) -> float:
        """What a best response to the opponent's average wins."""
        found, total = 0.0, 0.0
        for hand, weight in self.spot.ranges[player].items():
            rivals = {o: w for o, w in self.spot.ranges[1 - player].items() if not set(hand) & set(o)}
            found += weight * best_value(self.spot, player, hand, rivals, State(self.spot.board), self.average)
            total += weight * sum(rivals.values())
        return found / total

    def exploitability(self) -> float:
        """As a share of the pot; without rake."""
        return (self.best(0) + self.best(1) - self.spot.pot) / 2 / self.spot.pot


def reached(
    spot: PlainSpot,
    player: int,
    hand: Hand,
    rivals: dict[Hand, float],
    state: State,
    name: str,
    onwards: Callable[[dict[Hand, float], State], float],
) -> float:
    """The value of a hand after an action, summed over the opponent's hands by their weights."""
    rivals = {other: weight for other, weight in rivals.items() if weight > 0}
    history = f"{state.history}/{name}"
    own, faced = state.street[state.acts], state.street[1 - state.acts]
    if name == "fold":
        share = 0.0 if state.acts == 0 else 1.0
        return sum(rivals.values()) * payoff(spot, state.before + min(state.street), share, player)
    if name == "call" or (name == "check" and state.acts == 1):
        matched = state.before + faced
        if len(state.board) == 5 or matched == spot.stack:
            total = 0.0
            for other, weight in rivals.items():
                pair = (hand, other) if player == 0 else (other, hand)
                total += weight * payoff(spot, matched, run_out(spot, pair, state.board), player)
            return total
        total = 0.0
        for card in PACK:
            if card in (*state.board, *hand):
                continue
            left = {other: weight for other, weight in rivals.items() if card not in other}
            cards = 52 - len(state.board) - 4
            total += onwards(left, State((*state.board, card), f"{history}/{card}", matched)) / cards
        return total
    if name == "check":
        return onwards(rivals, State(state.board, history, state.before, state.street, 0, 1))
    amount = int(name.split()[1])
    street = (amount, faced) if state.acts == 0 else (faced, amount)
    return onwards(rivals, State(state.board, history, state.before, street, amount - max(own, faced), 1 - state.acts))


def best_value(
    spot: PlainSpot,
    player: int,
    hand: Hand,
    rivals: dict[Hand, float],
    state: State,
    strategy: Callable[[Hand, State, list[str]], dict[str, float]],
) -> float:
    names = options(spot, state)

    def onwards(left: dict[Hand, float], state: State) -> float:
        return best_value(spot, player, hand, left, state, strategy)

    if state.acts == player:
        return max(reached(spot, player, hand, rivals, state, name, onwards) for name in names)
    shares = {other: strategy(other, state, names) for other in rivals}
    return sum(
        reached(spot, player, hand, {o: w * shares[o][name] for o, w in rivals.items()}, state, name, onwards)
        for name in names
    )
