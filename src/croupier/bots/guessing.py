"""Guesses at what a bot cannot see: the others' cards and the cards to come, drawn by a bounded number of samples.

Every sample is one deal that agrees with all that the bot has seen. How likely it is depends on how the others have
bet: who has put in much on a board seldom holds nothing there. The weights say that; the samples stay as they are.
"""

from bisect import bisect_left
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from croupier.bots.preflop import HANDS
from croupier.cards import PACK, Card
from croupier.rules.holdem.evaluate import rank

BOARD_CARDS: Final = 5
FLOP_CARDS: Final = 3
TRIES_MAX: Final = 30
"""How often a hand is drawn anew because its cards are elsewhere, before any hand will do."""
HANDS_DRAWN: Final = 160
SAMPLES_MIN: Final = 40
BLUFF_WEIGHT: Final = 0.12
"""How likely a hand without any strength is bet, beside one that is always bet."""
DRAW_STRENGTH: Final = 0.6
"""The share of hands that a draw to a straight or flush is taken to beat while cards are to come."""


class Rival(NamedTuple):
    """What is known of another seat that is still in."""

    hands: int
    """It holds one of so many of the best starting hands."""
    pressures: tuple[float, ...] = ()
    """For each street from the flop on, what it has put in there, as a multiple of the pot at the street's start."""


class Deal(NamedTuple):
    """One way in which everything may lie."""

    weight: float
    own: int
    """The rank of the bot's hand at the showdown; lower is better."""
    ranks: tuple[int, ...]
    """The rivals' ranks there."""
    strengths: tuple[float, ...]
    """For each rival, the share of hands that its hand beats on the present board."""


def samples_for(rivals: Sequence[Rival]) -> int:
    """How many samples may be drawn against so many, so that a decision stays quick."""
    return max(SAMPLES_MIN, HANDS_DRAWN // len(rivals))


def share(own: int, ranks: Sequence[int]) -> float:
    """The part of the pot that a hand wins against these."""
    best = min(ranks)
    if own != best:
        return float(own < best)
    return 1 / (1 + ranks.count(best))


def equity(deals: Sequence[Deal]) -> float:
    """The part of the pot that the bot wins if all go to the showdown."""
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
    strengths = [[0.0] * len(rivals) for _ in range(samples)]
    for size in range(FLOP_CARDS, len(board) + 1):
        street = size - FLOP_CARDS
        pressed = [number for number, rival in enumerate(rivals) if _pressure(rival, street)]
        is_present = size == len(board)
        if not pressed and not is_present:
            continue
        shown = board[:size]
        ranks = [[rank((*shown, *hand)) for hand in hands] for hands, _ in drawn]
        in_order = sorted(rank for some in ranks for rank in some)
        for sample, (hands, _) in enumerate(drawn):
            for number in range(len(rivals)) if is_present else pressed:
                strength = 1 - bisect_left(in_order, ranks[sample][number]) / len(in_order)
                if strength < DRAW_STRENGTH and size < BOARD_CARDS and _is_draw(shown, hands[number]):
                    strength = DRAW_STRENGTH
                weights[sample] *= _likelihood(_pressure(rivals[number], street), strength)
                if is_present:
                    strengths[sample][number] = strength
    total = sum(weights)
    deals = []
    for sample, (hands, rest) in enumerate(drawn):
        full = (*board, *rest)
        ranks_there = tuple([rank((*full, *hand)) for hand in hands])
        deals.append(Deal(weights[sample] / total, rank((*full, *own)), ranks_there, tuple(strengths[sample])))
    return deals


def _pressure(rival: Rival, street: int) -> float:
    return rival.pressures[street] if street < len(rival.pressures) else 0.0


def _likelihood(pressure: float, strength: float) -> float:
    """How likely a hand of this strength puts in so much: the weaker it is, and the more that is, the less."""
    if not pressure:
        return 1.0
    needed = pressure / (1 + pressure)
    return min(1.0, max(BLUFF_WEIGHT, 0.5 + 2 * (strength - needed)))


def _draw(
    own: tuple[Card, ...], board: tuple[Card, ...], rivals: Sequence[Rival], random: Random
) -> tuple[list[tuple[Card, Card]], list[Card]]:
    """A hand for each rival, and the cards that are still to come to the board."""
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


def _is_draw(board: tuple[Card, ...], hand: tuple[Card, Card]) -> bool:
    """Whether a card of the hand is one of four to a flush, or the hand makes four to an open straight."""
    suits = [card.suit for card in (*board, *hand)]
    if any(suits.count(card.suit) == 4 for card in hand):
        return True
    ranks = 0
    for card in (*board, *hand):
        ranks |= 1 << card.number // 4
    return bool(ranks & ranks >> 1 & ranks >> 2 & ranks >> 3)
