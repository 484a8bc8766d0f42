"""A small poker player that learns by self-play on the batch engine, in minutes, and then plays in the room.

    python examples/self_play.py train --seconds 120 --file learned.npz     # goes on from the file if there is one
    python examples/self_play.py test --file learned.npz                    # against caller and solid
    croupier play holdem --bot examples/self_play.py:Learned --rounds 20    # reads learned.npz in this folder

It plays heads-up with 100 big blinds. A situation is one of 960: the street, how strong the own hand is, the price of a
call, and how deep the stacks are. For every situation and action the player keeps a running mean of what came of it,
and it prefers what brought more. Both seats play by the same table while it changes: that is all there is to it.
"""

import argparse
import os
import time
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from croupier.bots import bot
from croupier.cards import RANKS
from croupier.lab.batch.holdem import NO_ACTION, HoldemTables, Kind, action_names
from croupier.lab.poker.evaluate import ranks
from croupier.poker import CASH, AllIn, Bet, Call, Check, Fold, Raise
from croupier.table.round import Seeds, begin

SHARES = (0.5, 1.0)
ACTIONS = action_names(SHARES)
STREETS, STRENGTHS, PRICES, DEPTHS = 4, 16, 5, 3
SITUATIONS = STREETS * STRENGTHS * PRICES * DEPTHS
PRICE_STEPS = (0.001, 0.26, 0.36, 0.45)
"""A call's price out of the pot after it: nothing, up to half a pot, up to a pot, up to three, more."""
DEPTH_STEPS = (1.0, 4.0)
"""The stack behind out of the pot."""
TABLES, EXPLORE = 8192, 0.08
BIG_BLIND, STACK = CASH.big_blind, 100 * CASH.big_blind
DEFAULT_FILE = Path(__file__).with_name("learned.npz")


def preflop_score(one: int, other: int) -> float:
    """Two cards by Chen's formula: high card, pair, suited, close together."""
    high, low = max(one, other) // 4, min(one, other) // 4
    points = {12: 10.0, 11: 8.0, 10: 7.0, 9: 6.0}.get(high, (high + 2) / 2)
    if high == low:
        return max(2 * points, 5.0)
    gap = high - low - 1
    points += 2.0 * (one % 4 == other % 4) - (0, 1, 2, 4)[min(gap, 3)] - (gap > 3)
    return points + (gap < 2 and high < RANKS.index("Q"))


def made_cuts(sample: int = 40_000) -> tuple[np.ndarray, np.ndarray]:
    """Where to cut hands into equally frequent strengths: before the flop by score, later by rank."""
    chance = np.random.default_rng(1)
    scores = [preflop_score(one, other) for one, other in combinations(range(52), 2)]
    steps = np.arange(1, STRENGTHS) / STRENGTHS
    decks = chance.permuted(np.tile(np.arange(52, dtype=np.uint8), (sample, 1)), axis=1)
    later = [np.quantile(ranks(np.ascontiguousarray(decks[:, : 4 + street])), steps) for street in (1, 2, 3)]
    return np.quantile(scores, steps), np.array(later)


CUTS_BEFORE, CUTS_AFTER = made_cuts()
SCORES = np.array([[preflop_score(one, other) if one != other else 0.0 for other in range(52)] for one in range(52)])


def strength(street: int, hole: np.ndarray, board: np.ndarray) -> np.ndarray:
    """How strong hands are on a street, from 0 (weak) to STRENGTHS - 1; a row of cards a hand."""
    if street == 0:
        return np.searchsorted(CUTS_BEFORE, SCORES[hole[:, 0], hole[:, 1]], side="right")
    cards = np.ascontiguousarray(np.concatenate([hole, board[:, : street + 2]], axis=1))
    # A low rank is a strong hand.
    return STRENGTHS - 1 - np.searchsorted(CUTS_AFTER[street - 1], ranks(cards), side="left")


def situation(street: Any, strong: Any, to_call: Any, pot: Any, stack: Any) -> Any:
    """The number of a situation; for one hand or for arrays of them."""
    price = np.searchsorted(PRICE_STEPS, to_call / (pot + to_call), side="right")
    depth = np.searchsorted(DEPTH_STEPS, stack / pot, side="right")
    return ((street * STRENGTHS + strong) * PRICES + price) * DEPTHS + depth


class Player:
    """The table of means, and the way it is played by."""

    def __init__(self) -> None:
        self.means = np.zeros((SITUATIONS, len(ACTIONS)))
        self.counts = np.zeros((SITUATIONS, len(ACTIONS)))
        self.hands = 0

    @classmethod
    def load(cls, file: Path) -> "Player":
        """The player of a checkpoint. Raises SystemExit with a sentence if there is none."""
        try:
            with np.load(file) as kept:
                player = cls()
                player.means, player.counts = kept["means"], kept["counts"]
                player.hands = int(kept["hands"])
        except (OSError, KeyError, ValueError) as error:
            raise SystemExit(f"{file} is no checkpoint ({error}); make one with: self_play.py train") from None
        if player.means.shape != (SITUATIONS, len(ACTIONS)):
            raise SystemExit(f"{file} is of another version of this example; train anew")
        return player

    def save(self, file: Path) -> None:
        """Write the checkpoint beside the file, then put it in its place: it is never half written."""
        beside = file.with_suffix(".part.npz")
        np.savez(beside, means=self.means, counts=self.counts, hands=self.hands)
        beside.replace(file)

    def chances(self, situations: np.ndarray, masks: np.ndarray, warmth: float) -> np.ndarray:
        """How likely each action is: the better it was, the likelier; the cooler, the more so."""
        worth = np.where(masks > 0, self.means[situations], -np.inf)
        odds = np.exp((worth - worth.max(axis=1, keepdims=True)) / warmth)
        chosen: np.ndarray = odds / odds.sum(axis=1, keepdims=True)
        return chosen

    def learn(self, situations: np.ndarray, actions: np.ndarray, results: np.ndarray) -> None:
        """Move the means towards what came of the actions. Early hands, played badly, are forgotten bit by bit."""
        places = situations * len(ACTIONS) + actions
        size = SITUATIONS * len(ACTIONS)
        seen = np.bincount(places, minlength=size).reshape(self.means.shape)
        sums = np.bincount(places, weights=results, minlength=size).reshape(self.means.shape)
        self.counts = np.minimum(self.counts, 20_000) + seen
        self.means += np.where(seen > 0, (sums - seen * self.means) / np.maximum(self.counts, 1), 0.0)


class Seats:
    """The batch engine as the player sees it: situations, masks, and hands from beginning to end."""

    def __init__(self, count: int, seed: int) -> None:
        self.tables = HoldemTables(count, 2, CASH, seed=seed, threads=2)
        self.masks, self.kinds, self.amounts = self.tables.menu(SHARES)
        self.chance = np.random.default_rng(seed)

    def begin(self, count: int) -> None:
        self.tables.reset(stacks=STACK, buttons=np.arange(count) % 2)

    def look(self) -> tuple[np.ndarray, np.ndarray]:
        """The tables where somebody bets, and their situations. Beaten hands are mucked on the way."""
        tables, rows = self.tables, self.tables.rows
        while tables.at_showdown.any():
            tables.step(np.where(tables.at_showdown, Kind.MUCK, NO_ACTION))
        self.masks, self.kinds, self.amounts = tables.menu(SHARES)
        where = np.flatnonzero(tables.turn >= 0)
        seats, streets = tables.turn[where].astype(np.int64), rows["street"][where].astype(np.int64)
        hole, board = rows["hole"][where, seats], rows["board"][where]
        strong = np.zeros(len(where), np.int64)
        for street in range(STREETS):
            here = streets == street
            if here.any():
                strong[here] = strength(street, hole[here], board[here])
        bets, stack = rows["bets"][where, seats], rows["stacks"][where, seats]
        to_call = np.minimum(rows["bet"][where] - bets, stack)
        pot = (rows["paid"][where] + rows["bets"][where]).sum(axis=1) + rows["dead"][where]
        return where, situation(streets, strong, to_call, pot, stack)

    def act(self, where: np.ndarray, actions: np.ndarray) -> None:
        kinds = np.full(self.tables.tables, NO_ACTION, np.int8)
        amounts = np.zeros(self.tables.tables, np.int64)
        kinds[where], amounts[where] = self.kinds[where, actions], self.amounts[where, actions]
        refused = self.tables.step(kinds, amounts)
        assert not refused.any(), "the menu is what is legal"

    def draw(self, chances: np.ndarray) -> np.ndarray:
        """One action a row, by its chance."""
        steps = chances.cumsum(axis=1)
        drawn: np.ndarray = (steps < self.chance.random(len(steps))[:, np.newaxis] * steps[:, -1:]).sum(axis=1)
        return drawn


def self_play(player: Player, seats: Seats, warmth: float) -> None:
    """One hand at every table, and what it teaches."""
    seats.begin(TABLES)
    notes: list[tuple[np.ndarray, ...]] = []
    while True:
        where, situations = seats.look()
        if not len(where):
            break
        masks = seats.masks[where]
        chances = player.chances(situations, masks, warmth)
        chances = (1 - EXPLORE) * chances + EXPLORE * masks / masks.sum(axis=1, keepdims=True)
        actions = seats.draw(chances)
        turn = seats.tables.turn[where].astype(np.int64)
        put_in = STACK - seats.tables.stacks[where, turn]
        notes.append((where, turn, situations, actions, put_in))
        seats.act(where, actions)
    payoffs = seats.tables.payoffs()
    where, turn, situations, actions, put_in = (np.concatenate(each) for each in zip(*notes, strict=True))
    # What was put in before the decision is gone whatever one does, so folding is worth nothing.
    player.learn(situations, actions, (payoffs[where, turn] + put_in) / BIG_BLIND)
    player.hands += TABLES


def against_caller(player: Player, hands: int = 20_000, seed: int = 99) -> tuple[float, float]:
    """Big blinds a hand against a player who always checks or calls, and the standard error."""
    seats = Seats(hands, seed)
    seats.begin(hands)
    while True:
        where, situations = seats.look()
        if not len(where):
            break
        actions = player.chances(situations, seats.masks[where], 0.05).argmax(axis=1)
        actions[seats.tables.turn[where] == 1] = ACTIONS.index("check_or_call")
        seats.act(where, actions)
    won = seats.tables.payoffs()[:, 0] / BIG_BLIND
    return float(won.mean()), float(won.std() / np.sqrt(hands))


class Learned:
    """The player as a bot of the room: from a view and a menu to an action. The file is that of `SELF_PLAY_FILE`."""

    def __init__(self, file: Path | None = None) -> None:
        self._player = Player.load(file or Path(os.environ.get("SELF_PLAY_FILE", DEFAULT_FILE)))

    def __call__(self, view: Any, menu: Any) -> Any:
        offers = {type(offer.action): offer for offer in menu}
        if Fold not in offers:
            return menu[-1].action  # a beaten hand is mucked
        own = view.seats[view.you]
        street = ("PREFLOP", "FLOP", "TURN", "RIVER").index(str(view.street))
        hole = np.array([[card.number for card in own.cards]], np.uint8)
        board = np.array([[card.number for card in view.board]], np.uint8)
        strong = int(strength(street, hole, board)[0])
        where = int(situation(street, strong, view.to_call, view.total, own.chips))
        choices = self._choices(view, offers)
        worth = self._player.means[where]
        return choices[max(choices, key=lambda action: worth[action])]

    def _choices(self, view: Any, offers: Any) -> dict[int, Any]:
        """The actions on the menu by their numbers; sizes as the batch engine has them."""
        calm = Check if Check in offers else Call
        found = {0: offers[Fold].action, 1: offers[calm].action}
        sized = offers.get(Raise) or offers.get(Bet)
        if sized is not None:
            wanted = [sized.low]
            wanted += [max(sized.low, view.bet + round(share * (view.total + view.to_call))) for share in SHARES]
            for number, amount in enumerate(wanted, 2):
                if amount < sized.high and amount not in wanted[: number - 2]:
                    found[number] = sized.choose(amount)
        if AllIn in offers:
            found[len(ACTIONS) - 1] = offers[AllIn].action
        return found


def against_bot(name: str, learned: Learned, hands: int = 2_000) -> tuple[float, float]:
    """Big blinds a hand against a bot of the house, with the plain rules, and the standard error."""
    chance = Random(7)
    other = bot("poker", name, chance, CASH)
    won = []
    for number in range(hands):
        setup = CASH.setup(2)
        setup = type(setup)(stacks=(STACK, STACK), button=number % 2)
        hand = begin(CASH, setup, Seeds(chance.randbytes(32).hex(), "self-play"))
        while not hand.over:
            seat = hand.turn[0]
            player = learned if seat == 0 else other
            hand = hand.act(player(hand.view(seat), hand.menu(seat)), seat)
        won.append(hand.payouts[0] / BIG_BLIND)
    return float(np.mean(won)), float(np.std(won) / np.sqrt(hands))


def train(file: Path, seconds: float, seed: int) -> Player:
    """Learn for so long, and go on from the file if there is one."""
    player = Player.load(file) if file.exists() else Player()
    seats = Seats(TABLES, seed + player.hands)
    end, told = time.monotonic() + seconds, time.monotonic()
    while time.monotonic() < end:
        self_play(player, seats, warmth=max(0.3, 6.0 * 0.5 ** (player.hands / 1_000_000)))
        if time.monotonic() - told > 15:
            told = time.monotonic()
            player.save(file)
            mean, error = against_caller(player, 20_000)
            print(f"{player.hands / 1e6:6.2f} M hands: {mean:+.2f} ± {error:.2f} bb a hand against caller", flush=True)
    player.save(file)
    return player


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("what", choices=("train", "test"))
    parser.add_argument("--file", type=Path, default=DEFAULT_FILE)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=int, default=2_000, help="against solid")
    asked = parser.parse_args()
    player = train(asked.file, asked.seconds, asked.seed) if asked.what == "train" else Player.load(asked.file)
    mean, error = against_caller(player, seed=asked.seed + 1000)
    print(f"against caller: {mean:+.3f} ± {error:.3f} bb a hand over 20,000 hands, {mean / error:.1f} standard errors")
    if asked.what == "test":
        mean, error = against_bot("solid", Learned(asked.file), asked.hands)
        print(f"against solid:  {mean:+.3f} ± {error:.3f} bb a hand over {asked.hands:,} hands")


if __name__ == "__main__":
    main()
