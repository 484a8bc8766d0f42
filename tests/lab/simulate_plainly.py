"""An auto-player for the plain rules, written from the meaning of a strategy table and of the menu alone: what the
simulator's kernels are held against."""

import random
from collections.abc import Callable

from msgspec.structs import replace

from croupier.cards import PACK, Card
from croupier.game.game import Draw, Over, Step, offered
from croupier.game.options import options_of
from croupier.game.refusal import OptionError
from croupier.games.blackjack import BlackjackRules, BlackjackSetup, Double, Hit, Insurance, PlaceBet, Split, Stand
from croupier.games.blackjack import Surrender as GiveUp
from croupier.games.blackjack.rules.hands import POINTS, is_pair, total
from croupier.games.blackjack.rules.state import BlackjackState
from croupier.lab.blackjack.strategy import KINDS, PLAYS, PLAYS_ON_TOTALS, StrategyTable, build

PURSE = 10**9
OF_POINTS = {POINTS[card]: card for card in PACK}
"""Some card of every number of points: suits never matter here."""


def name(points: int) -> str:
    return {1: "A", 10: "T"}.get(points, str(points))


class Count:
    """What a counter knows, worked out from the cards on the table each time anew."""

    def __init__(self, tags: dict[int, int], start: int = 0, per_deck: bool = True) -> None:
        self.tags, self.start, self.per_deck = tags, start, per_deck
        self.forgotten = 0
        """How many cards of this round lie from before the used cards were shuffled again."""

    def now(self, state: BlackjackState) -> int:
        dealt = [card.open() for card in state.dealt]
        if state.hole is not None:
            del dealt[state.hole_at]
        seen = dealt[self.forgotten :] if state.reshuffled else [*state.setup.gone, *dealt]
        running = self.start + sum(self.tags[POINTS[card]] for card in seen)
        return (running * 52) // max(state.shoe_left, 1) if self.per_deck else running


class PlainPlayer:
    """Follows a table (which may depend on the count) through rounds of the plain rules."""

    def __init__(
        self,
        rules: BlackjackRules,
        players: int,
        table: Callable[[int], StrategyTable],
        bet: Callable[[int], int] = lambda _: 1,
        insures: Callable[[int], bool] = lambda _: False,
        count: Count | None = None,
    ) -> None:
        self.rules, self.players, self.table, self.bet, self.insures = rules, players, table, bet, insures
        self.count = count or Count(dict.fromkeys(range(1, 11), 0))

    def setup(self) -> BlackjackSetup:
        if self.rules.dealer_seat:
            return BlackjackSetup((0,) * (self.players + 1), dealer=0)
        return BlackjackSetup((PURSE,) * self.players)

    def play(
        self, setup: BlackjackSetup, unit: int, supply: Callable[[Draw[Card], BlackjackState], tuple[Card, ...]]
    ) -> tuple[BlackjackState, list[tuple[int, int]]]:
        """Plays one round; every seat's profit and stake."""
        opened = self.rules.opening(setup)
        assert isinstance(opened, Step)
        state = opened.state
        stake = self.bet(self.count.now(self.before_bets(state))) * unit
        while not isinstance(waiting := self.rules.awaits(state), Over):
            if isinstance(waiting, Draw):
                if state.reshuffled and waiting.pack and state.dealt:
                    self.count.forgotten = len(state.dealt)
                state = self.rules.deal(state, supply(waiting, state)).state
                continue
            seat = waiting.seats[0]
            step = self.rules.act(state, seat, self.action(state, seat, stake))
            assert isinstance(step, Step), step
            state = step.state
        seats = range(1, self.players + 1) if self.rules.dealer_seat else range(self.players)
        points = 1 if self.rules.bet_max else unit
        staked = [sum(hand.bet for hand in seat.hands) + seat.insurance for seat in state.seats]
        return state, [(waiting.payouts[seat] * points, staked[seat]) for seat in seats]

    def before_bets(self, state: BlackjackState) -> BlackjackState:
        """Everybody sees that a shoe with too few cards for a round is about to be shuffled, and counts anew."""
        needed = 2 * self.players + (2 if self.rules.peek else 1)
        if state.shoe_left >= needed:
            return state
        return replace(state, setup=replace(state.setup, gone=()), shoe_left=52 * self.rules.decks)

    def action(self, state: BlackjackState, seat: int, stake: int):
        menu = self.rules.menu(state, seat)
        if offered(menu, PlaceBet(stake)):
            return PlaceBet(stake)
        count = self.count.now(state)
        table = self.table(count)
        number = 0 if seat in state.undecided else state.turn[1]
        for action in wanted(table, self.rules, state.seats[seat].hands[number].cards, state.dealer[0], menu):
            if isinstance(action, Hit | Stand | Double | Split) and seat in state.undecided:
                break
            if offered(menu, action):
                return action
        if seat in state.undecided:
            insurance = Insurance(take=self.insures(count))
            return insurance if offered(menu, insurance) else Insurance(take=False)
        return Stand()


def wanted(table: StrategyTable, rules: BlackjackRules, cards: tuple[Card, ...], up: Card, menu=()):
    """What the table's entry asks for, the first wish first."""
    entry = "-"
    if is_pair(cards):
        entry = table.play("pairs", name(POINTS[cards[0]]), name(POINTS[up]))
    splits = entry in ("P", "Rp")
    if entry == "Rp":
        yield GiveUp()
    if splits:
        yield Split()
    if entry in ("-", "P", "Rp"):
        worth = total(cards, rules.ace)
        entry = table.play("soft" if worth.is_soft else "hard", str(worth.best), name(POINTS[up]))
        # A split that was the first wish is only passed over where no surrender can follow any more, or where these
        # rules never let anything be split.
        if splits and entry.startswith("R") and rules.hands_max > 1:
            entry = {"R": "H", "Rs": "S"}[entry]
    yield from {
        "H": (Hit(),),
        "S": (Stand(),),
        "D": (Double(), Hit()),
        "Ds": (Double(), Stand()),
        "R": (GiveUp(), Hit()),
        "Rs": (GiveUp(), Stand()),
    }[entry]


def random_table(chance: random.Random) -> StrategyTable:
    """A table without any sense: it comes to hands and situations that no sensible one reaches."""

    def entry(kind: str, hand: str, up: str) -> str:
        if kind == "pairs":
            return chance.choice([*PLAYS, "P", "P"])
        return chance.choice([*PLAYS_ON_TOTALS, "H"]) if int(hand) < 18 else chance.choice(["S", "S", "S", "Ds", "H"])

    assert KINDS == ("hard", "soft", "pairs")
    return build(entry)


def random_rules(chance: random.Random, **fixed: object) -> BlackjackRules:
    """Any combination of options that makes sense."""
    while True:
        options: dict[str, object] = {
            name: chance.choice(option.choices)
            for name, option in options_of(BlackjackRules).items()
            if option.kind == "choice"
        }
        options |= {
            "decks": chance.choice([1, 1, 2, 4, 6, 8]),
            "dealer_stands_on": chance.choice([17, 17, 17, 16, 18]),
            "hands_max": chance.randint(1, 4),
            "penetration": chance.choice([0, 0.5, 0.75, 0.95]),
            "blackjack_pays": chance.choice(["3:2", "3:2", "6:5", "1:1", "7:5", "2:1", "none"]),
            "seats_max": 7,
            "bet_max": 10**9,
        }
        flags = ("dealer_hits_soft_17", "peek", "original_bets_only", "double_after_split", "hit_split_aces")
        for flag in (*flags, "resplit_aces", "insurance"):
            options[flag] = chance.random() < 0.5
        try:
            return BlackjackRules(**(options | fixed))
        except OptionError:
            continue
