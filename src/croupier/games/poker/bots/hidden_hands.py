"""Guesses at what a bot cannot see: the others' cards and the cards to come, drawn by a bounded number of samples.

Every sample is a deal that agrees with everything the bot has seen. Its weight depends on how the others have bet: a
player who has put in much seldom holds nothing.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

from croupier.cards import PACK, SUITS, Card
from croupier.games.poker.bots.preflop import HANDS
from croupier.games.poker.rules.evaluate import rank

BOARD_CARDS: Final = 5
FLOP_CARDS: Final = 3
TRIES_MAX: Final = 30
"""How often a hand is redrawn because its cards are taken, before any hand is accepted."""
HANDS_DRAWN: Final = 120
"""How many hands of rivals are drawn for a decision, if that leaves enough samples."""
SAMPLES_MIN: Final = 40
BLUFF_WEIGHT: Final = 0.12
"""How likely the weakest hand is bet, relative to one that is always bet."""
LEAD_NEEDS_MORE: Final = 0.2
"""How much stronger, as a share of all hands, a bet is than a call of the same size."""
NEEDED_MAX: Final = 0.93
"""The highest share of hands that a player must beat, however much they put in."""
TRAP_LESS: Final = 0.6
"""How much less likely the best hand checks than a middling one."""
DRAW_STRENGTH: Final = 0.6
"""The share of hands that a straight or flush draw counts as beating while cards are to come."""


class Play(NamedTuple):
    """What somebody did on a street: put in this multiple of the pot at its start, 0 for checking, and so bet or
    raised, or only called."""

    pressure: float
    led: bool


class Rival(NamedTuple):
    """What is known of another seat that is still in."""

    hands: int
    """It holds one of this many best starting hands."""
    plays: tuple[Play | None, ...] = ()
    """What it did on each street from the flop on; None where it had nothing to decide, or that is not known."""


class Deal(NamedTuple):
    """One possible deal of all hidden cards."""

    weight: float
    own: int
    """The rank of the bot's hand at the showdown; lower is better."""
    ranks: list[int]
    """The rivals' ranks there."""
    strengths: list[float]
    """For each rival, the share of hands that its hand beats on the present board."""


def samples_for(rivals: Sequence[Rival]) -> int:
    """How many samples to draw against this many rivals, so that a decision stays quick."""
    return max(SAMPLES_MIN, HANDS_DRAWN // len(rivals))


def share(own: int, ranks: Sequence[int]) -> float:
    """The part of the pot that a hand wins against these."""
    best = min(ranks)
    if own != best:
        return float(own < best)
    return 1 / (1 + ranks.count(best))


def equity(deals: Sequence[Deal]) -> float:
    """The bot's share of the pot if everybody goes to the showdown."""
    return sum(deal.weight * share(deal.own, deal.ranks) for deal in deals)


def chance_to_win(
    own: tuple[Card, ...], board: tuple[Card, ...], rivals: Sequence[Rival], random: Random, samples: int
) -> float:
    """The part of the pot that the bot wins at the showdown, whatever the others have bet after the flop."""
    total = 0.0
    for _ in range(samples):
        hands, rest = _draw(own, board, rivals, random)
        full = (*board, *rest)
        total += share(rank((*full, *own)), [rank((*full, *hand)) for hand in hands])
    return total / samples


def imagine(
    own: tuple[Card, ...], board: tuple[Card, ...], rivals: Sequence[Rival], random: Random, samples: int
) -> list[Deal]:
    """Deals that agree with what is seen, their weights adding up to one."""
    drawn = [_draw(own, board, rivals, random) for _ in range(samples)]
    weights = [1.0] * samples
    strengths: list[list[float]] = []
    for size in range(FLOP_CARDS, len(board) + 1):
        plays = [rival.plays[size - FLOP_CARDS] for rival in rivals]
        if any(plays) or size == len(board):
            strengths = _strengths(board[:size], [hands for hands, _ in drawn])
            for sample, some in enumerate(strengths):
                for play, strength in zip(plays, some, strict=True):
                    if play is not None:
                        weights[sample] *= _likelihood(play, strength)
    total = sum(weights)
    deals = []
    for (hands, rest), weight, some in zip(drawn, weights, strengths, strict=True):
        full = (*board, *rest)
        deals.append(Deal(weight / total, rank((*full, *own)), [rank((*full, *hand)) for hand in hands], some))
    return deals


def _strengths(board: tuple[Card, ...], samples: list[list[tuple[Card, Card]]]) -> list[list[float]]:
    """For each sample and each hand in it, the share of all these hands that it beats on the board; draws count more
    than they make."""
    ranks = [[rank((*board, *hand)) for hand in hands] for hands in samples]
    in_order = sorted([rank for some in ranks for rank in some])
    is_draw = _draws(board) if len(board) < BOARD_CARDS else None
    found = []
    for hands, some in zip(samples, ranks, strict=True):
        strengths = [1 - bisect_left(in_order, rank) / len(in_order) for rank in some]
        if is_draw is not None:
            for number, hand in enumerate(hands):
                if strengths[number] < DRAW_STRENGTH and is_draw(hand):
                    strengths[number] = DRAW_STRENGTH
        found.append(strengths)
    return found


def _likelihood(play: Play, strength: float) -> float:
    """How likely a hand of this strength is played this way. Weak hands put in little, strong ones seldom check, and a
    bet needs more strength than a call.
    """
    if not play.pressure:
        return 1 - TRAP_LESS * max(0.0, 2 * strength - 1)
    needed = min(NEEDED_MAX, play.pressure / (1 + play.pressure) + (LEAD_NEEDS_MORE if play.led else 0.0))
    return min(1.0, max(BLUFF_WEIGHT / (1 + play.pressure), 0.5 + (strength - needed) / (1 - needed)))


def _draw(
    own: tuple[Card, ...], board: tuple[Card, ...], rivals: Sequence[Rival], random: Random
) -> tuple[list[tuple[Card, Card]], list[Card]]:
    """Draw a hand for each rival, and the rest of the board."""
    chance = random.random
    gone = 0
    for card in (*own, *board):
        gone |= 1 << card.number
    hands = []
    for rival in rivals:
        for tried in range(TRIES_MAX * TRIES_MAX):
            hand = HANDS[int(chance() * (rival.hands if tried < TRIES_MAX else len(HANDS)))]
            if not gone & hand.mask:
                break
        gone |= hand.mask
        hands.append(hand.cards)
    rest: list[Card] = []
    while len(rest) < BOARD_CARDS - len(board):
        card = PACK[int(chance() * len(PACK))]
        if not gone >> card.number & 1:
            gone |= 1 << card.number
            rest.append(card)
    return hands, rest


def _draws(board: tuple[Card, ...]) -> Callable[[tuple[Card, Card]], bool]:
    """A test for draws: whether a hand has four to a flush, one of them its own, or four in a row with the board."""
    on_board = [card.suit for card in board]
    counts = {suit: on_board.count(suit) for suit in SUITS}
    ranks_on_board = 0
    for card in board:
        ranks_on_board |= 1 << card.number // 4

    def is_draw(hand: tuple[Card, Card]) -> bool:
        one, other = hand
        suited = one.suit == other.suit
        if counts[one.suit] + 1 + suited == 4 or counts[other.suit] + 1 + suited == 4:
            return True
        ranks = ranks_on_board | 1 << one.number // 4 | 1 << other.number // 4
        return bool(ranks & ranks >> 1 & ranks >> 2 & ranks >> 3)

    return is_draw
