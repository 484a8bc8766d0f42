"""The fast kernels pay what the plain rules pay, to the chip, for the same cards."""

import random

import numpy as np
import pytest

from croupier.cards import PACK, Card, packs
from croupier.games.blackjack import CASINO, CLASSROOM, TRAINER, BlackjackRules
from croupier.games.blackjack.rules.hands import POINTS
from croupier.lab.blackjack.simulation import first_cards, lockstep
from croupier.lab.blackjack.simulation.blocks import _profits
from croupier.lab.blackjack.simulation.first_cards import start_table
from croupier.lab.blackjack.simulation.inputs import flat_plan, full_shoe, new_table, preferences, rule_numbers
from croupier.lab.blackjack.simulation.lockstep import new_lanes, new_sums, play_lockstep
from croupier.lab.blackjack.simulation.shoes import play_stacked
from croupier.lab.blackjack.strategy import build
from croupier.lab.random_numbers import seeded
from tests.lab.simulate_plainly import OF_POINTS, PlainPlayer, random_rules, random_table

ROUNDS = 40
WORD = 1 << 64


def stacked_shoes(rules: BlackjackRules, chance: random.Random, count: int) -> list[list[Card]]:
    return [chance.sample(packs(rules.decks), 52 * rules.decks) for _ in range(count)]


def played_plainly(player: PlainPlayer, unit: int, shoes: list[list[Card]], rounds: int) -> list[list[tuple[int, int]]]:
    """Deals the plain rules their cards from the shoes, in order; used cards that are shuffled again keep theirs."""
    results, setup = [], player.setup()
    at = {"shoe": -1, "position": 0}

    def supply(draw, state):
        if draw.pack and not state.setup.gone and not state.dealt:
            at.update(shoe=at["shoe"] + 1, position=0)
        elif draw.pack and state.dealt:
            at.update(position=0)
        position = at["position"]
        at["position"] += draw.count
        return tuple(shoes[at["shoe"]][position : at["position"]])

    for _ in range(rounds):
        state, result = player.play(setup, unit, supply)
        results.append(result)
        following = player.rules.following(state)
        setup = player.setup() if following is None else following
    return results


def played_stacked(rules, plan, players, shoes, rounds) -> tuple[int, list[list[tuple[int, int]]]]:
    results = np.zeros((rounds, players, 2), np.int64)
    numbers = rule_numbers(rules, players)
    points = np.array([[POINTS[card] for card in shoe] for shoe in shoes], np.uint8)
    play_stacked(numbers, plan, new_table(), points, rounds, results)
    return int(numbers.unit), [[(int(profit), int(staked)) for profit, staked in row] for row in results]


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(12, 60))])
def test_kernel_pays_what_the_plain_rules_pay(seed: int) -> None:
    chance = random.Random(seed)
    preset = [CASINO, TRAINER, CLASSROOM][seed] if seed < 3 else None
    rules = preset or random_rules(chance)
    players = chance.randint(1, rules.seats_max) if seed >= 3 and rules.bet_max else 1
    table = random_table(chance)
    shoes = stacked_shoes(rules, chance, ROUNDS)
    unit, ours = played_stacked(rules, flat_plan(preferences(table, rules)), players, shoes, ROUNDS)
    player = PlainPlayer(rules, players, lambda _: table)
    theirs = played_plainly(player, unit, shoes, ROUNDS)
    if not rules.bet_max:
        ours = [[(profit, 0) for profit, _ in row] for row in ours]
    assert ours == theirs


def test_kernel_voids_a_round_that_runs_out_of_cards_as_the_plain_rules_do() -> None:
    """Six seats that are all dealt a pair, split all they can and hit to the end use up a single deck."""
    chance = random.Random(7)
    rules = random_rules(chance, decks=1, hands_max=4, peek=True, penetration=0, blackjack_pays="3:2", ace="best")
    table = build(lambda kind, hand, up: "P" if kind == "pairs" else "H")
    shoes = []
    for _ in range(40):
        pairs = [Card(f"{rank}{suit}") for suit in "cd" for rank in "2345678"]
        shoes.append(pairs + chance.sample([card for card in PACK if card not in pairs], 52 - len(pairs)))
    unit, ours = played_stacked(rules, flat_plan(preferences(table, rules)), 6, shoes, 40)
    player = PlainPlayer(rules, 6, lambda _: table)
    voids, playing = [], player.play

    def play(*arguments):
        state, result = playing(*arguments)
        voids.append(state.void)
        return state, result

    player.play = play
    theirs = played_plainly(player, unit, shoes, 40)
    assert any(voids)
    assert not all(voids)
    for mine, plain, void in zip(ours, theirs, voids, strict=True):
        if void:
            assert [profit for profit, _ in mine] == [profit for profit, _ in plain] == [0] * 6
        else:
            assert mine == plain


class PlainGenerator:
    """xoshiro256++ in plain Python."""

    def __init__(self, words: list[int]) -> None:
        self.words = words

    def next(self) -> int:
        first, second, third, fourth = self.words
        both = (first + fourth) % WORD
        result = (turned(both, 23) + first) % WORD
        third ^= first
        fourth ^= second
        words = (first ^ fourth, second ^ third, third ^ (second << 17) % WORD, turned(fourth, 45))
        self.words = list(words)
        return result

    def below(self, bound: int) -> int:
        while True:
            word = self.next() * bound
            if word % WORD >= WORD % bound:
                return word // WORD


def turned(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) % WORD


class PlainDraws:
    """The cards of one lockstep round, worked out with the generator's words one by one."""

    def __init__(self, table, tables, rules: BlackjackRules) -> None:
        self.generator = PlainGenerator([int(word) for word in table.generator])
        self.shoe = [int(points) for points in table.shoe[: 52 * rules.decks]]
        self.rules = rules
        self.full = [int(points) for points in full_shoe(rules.decks)]
        total = int(tables.weight_total)
        while True:
            word = self.generator.next()
            column, share = word % first_cards.COLUMNS, (word // first_cards.COLUMNS) * total
            if share % (1 << 51) >= (1 << 51) % total:
                break
        found = column if share >> 51 < int(tables.thresholds[column]) else int(tables.aliases[column])
        self.is_split = int(tables.way[found]) == first_cards.TO_SPLIT
        self.first = [int(tables[name][found]) for name in ("first", "up", "second", "hole")]
        self.taken = list(self.first)
        self.hole_waits = not rules.peek and not self.is_split
        if self.is_split:
            self.position = 0
            for card in self.first[: 4 if rules.peek else 3]:
                other = self.shoe.index(card, self.position)
                self.shoe[self.position], self.shoe[other] = self.shoe[other], self.shoe[self.position]
                self.position += 1

    def next(self) -> int:
        if self.is_split:
            place = self.position
            other = place + self.generator.below(len(self.shoe) - place)
            self.shoe[place], self.shoe[other] = self.shoe[other], self.shoe[place]
            self.position += 1
            return self.shoe[place]
        while True:
            found = self.generator.below(len(self.full))
            points = self.full[found]
            if found - self.full.index(points) >= self.taken.count(points):
                self.taken.append(points)
                return points

    def supply(self, draw, state) -> tuple[Card, ...]:
        if not state.dealt:
            return tuple(OF_POINTS[points] for points in self.first[: draw.count])
        if state.slots[0].seat == -1 and self.hole_waits:
            self.hole_waits = False
            return (OF_POINTS[self.first[3]],)
        return tuple(OF_POINTS[self.next()] for _ in range(draw.count))


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(8, 40))])
def test_lockstep_pays_what_the_plain_rules_pay(seed: int) -> None:
    """One round at a time, so that the order of the generator's words is that of the round's cards: the plain rules get
    the cards that these words mean. Payouts must agree, and both must have drawn the same number of cards."""
    chance = random.Random(1000 + seed)
    rules = CASINO if seed == 0 else random_rules(chance, penetration=0)
    table = random_table(chance)
    numbers, plan = rule_numbers(rules), flat_plan(preferences(table, rules))
    tables, lanes, memory = start_table(numbers, plan.preferences[0]), new_lanes(), new_table()
    memory.generator[:] = seeded(seed)
    memory.shoe[: 52 * rules.decks] = full_shoe(rules.decks)
    unit = int(numbers.unit)
    player = PlainPlayer(rules, 1, lambda _: table)
    for _ in range(100):
        draws = PlainDraws(memory, tables, rules)
        state, [theirs] = player.play(player.setup(), unit, draws.supply)
        ends, splits, _ = sums = new_sums()
        play_lockstep(numbers, plan, memory, tables, lanes, 1, sums)
        if draws.is_split:
            ours = (int(splits[lockstep.SPLIT_PROFIT]), int(splits[lockstep.SPLIT_STAKED]))
        else:
            [ours] = [money for end, money in _profits(unit, int(numbers.blackjack_win)).items() if ends[end]]
        assert ours == theirs, [POINTS[card.open()] for card in state.dealt]
        assert draws.generator.words == [int(word) for word in memory.generator]
