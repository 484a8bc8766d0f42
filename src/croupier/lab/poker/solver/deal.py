"""The hands and boards of a spot as arrays: who beats whom on every board, and which boards differ only by suits.

A hand is two cards. A game with one card in the hand gives each card a shadow that only that hand holds: then two hands
meet unless they share a card, here as in Hold'em.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker.solver.lanes import WIDTH

CARDS_MAX: Final = 104

Hands: TypeAlias = NDArray[np.uint8]
"""One hand a row: two cards."""
Strength: TypeAlias = Callable[[tuple[int, ...], Hands], NDArray[np.int64]]
"""How strong each hand is on a full board; more is better."""


class Deck(NamedTuple):
    """What is dealt: the cards, those on the board, how many follow, and what they are worth.

    `exchanges` are permutations of the cards that keep the board and both ranges; the first one moves nothing.
    """

    size: int
    board: tuple[int, ...]
    streets: int
    in_hands: int
    """How many cards of the deck both players hold together."""
    strength: Strength
    exchanges: NDArray[np.int64]


class Deal(NamedTuple):
    """Boards by number: the first one, then those with one more card, then those with two. Only one of each class.

    Arrays over hands are padded to a multiple of the vector width. Lists over the hands of a board have the hands that
    are possible there, the weakest first.
    """

    hands: NDArray[np.int64]
    """How many hands each player has."""
    widths: NDArray[np.int64]
    """The same, padded."""
    weights: NDArray[np.float64]
    cards: NDArray[np.uint8]
    """Both cards of each hand, by player."""
    level_starts: NDArray[np.int64]
    """The first board of each street."""
    next_starts: NDArray[np.int64]
    """The boards that follow board `b` are those from `next_starts[b]` to `next_starts[b + 1]`."""
    last_cards: NDArray[np.int64]
    """The card that made a board of the one before."""
    member_starts: NDArray[np.int64]
    members: NDArray[np.int64]
    """The boards that a board stands for, itself first: by the exchange that makes them."""
    moved: NDArray[np.int16]
    """By exchange and player: the hand that becomes each hand."""
    alive: NDArray[np.int64]
    """How many hands are possible, by board and player."""
    order: NDArray[np.int16]
    """Those hands, the weakest first, by board and player."""
    ranks: NDArray[np.int16]
    """Their ranks on a full board, in the same order; equal hands have equal ranks."""
    same: NDArray[np.int16]
    """Where the opponent's list has the same hand; -1 for nowhere."""
    chances: NDArray[np.float64]
    """The chance of each card that may follow, by street."""


def deal(deck: Deck, hands: tuple[Hands, Hands], weights: tuple[NDArray[np.float64], NDArray[np.float64]]) -> Deal:
    """Lay out the hands and all boards of a spot."""
    counts = np.array([len(each) for each in hands])
    widths = -(-counts // WIDTH) * WIDTH
    width = int(widths.max())
    cards, weight = np.zeros((2, width, 2), np.uint8), np.zeros((2, width))
    for player in (0, 1):
        cards[player, : counts[player]] = hands[player]
        weight[player, : counts[player]] = weights[player]
    boards, level_starts, next_starts, members = _boards(deck)
    moved = np.stack([_moved(exchange, hands, width) for exchange in deck.exchanges])
    alive = np.zeros((len(boards), 2), np.int64)
    order = np.zeros((len(boards), 2, width), np.int16)
    ranks, same = np.zeros_like(order), np.full_like(order, -1)
    twins = _twins(hands, width)
    for number, board in enumerate(boards):
        full = number >= level_starts[deck.streets - 1]
        for player in (0, 1):
            _list_hands(deck, board, hands[player], full, alive[number], order[number], ranks[number], player)
        _find_same(order[number], alive[number], twins, same[number])
    left = [deck.size - len(deck.board) - deck.in_hands - level for level in range(deck.streets)]
    return Deal(
        hands=counts,
        widths=widths,
        weights=weight,
        cards=cards,
        level_starts=np.array(level_starts),
        next_starts=np.array(next_starts),
        last_cards=np.array([board[-1] if board else -1 for board in boards]),
        member_starts=np.cumsum([0, *map(len, members)]),
        members=np.array([each for some in members for each in some]),
        moved=moved,
        alive=alive,
        order=order,
        ranks=ranks,
        same=same,
        chances=np.array([1 / each if each > 0 else 0.0 for each in left]),
    )


def board_counts(deck: Deck) -> tuple[int, ...]:
    """How many boards each street has, one for each class."""
    boards, level_starts, _, _ = _boards(deck)
    ends = [*level_starts[1:], len(boards)]
    return tuple(end - start for start, end in zip(level_starts, ends, strict=True))


def _boards(deck: Deck) -> tuple[list[tuple[int, ...]], list[int], list[int], list[list[int]]]:
    """All boards, where streets begin, which boards follow each, and the exchanges to the boards each stands for."""
    boards, members, keeping = [deck.board], [[0]], [list(range(len(deck.exchanges)))]
    level_starts, next_starts = [0], []
    first = 0
    for _ in range(deck.streets - 1):
        end = len(boards)
        level_starts.append(end)
        for number in range(first, end):
            next_starts.append(len(boards))
            seen: set[int] = set()
            for card in range(deck.size):
                if card in boards[number] or card in seen:
                    continue
                classmates = {int(deck.exchanges[each, card]): each for each in reversed(keeping[number])}
                seen.update(classmates)
                boards.append((*boards[number], card))
                members.append([classmates.pop(card), *classmates.values()])
                keeping.append([each for each in keeping[number] if deck.exchanges[each, card] == card])
        first = end
    next_starts += [len(boards)] * (len(boards) + 1 - len(next_starts))
    return boards, level_starts, next_starts, members


def _moved(exchange: NDArray[np.int64], hands: tuple[Hands, Hands], width: int) -> NDArray[np.int16]:
    """For each hand, the one that the exchange turns into it."""
    found = np.tile(np.arange(width, dtype=np.int16), (2, 1))
    for player in (0, 1):
        place = {frozenset(pair): number for number, pair in enumerate(hands[player].tolist())}
        for number, pair in enumerate(hands[player].tolist()):
            found[player, place[frozenset(_exchanged(exchange, pair))]] = number
    return found


def _exchanged(exchange: NDArray[np.int64], pair: Sequence[int]) -> list[int]:
    return [int(exchange[card]) if card < len(exchange) else card for card in pair]


def _twins(hands: tuple[Hands, Hands], width: int) -> NDArray[np.int64]:
    """For each hand of a player, the number of the same hand of the opponent, or -1."""
    found = np.full((2, width), -1)
    for player in (0, 1):
        place = {frozenset(pair): number for number, pair in enumerate(hands[1 - player].tolist())}
        found[player, : len(hands[player])] = [place.get(frozenset(pair), -1) for pair in hands[player].tolist()]
    return found


def _list_hands(
    deck: Deck,
    board: tuple[int, ...],
    hands: Hands,
    full: bool,
    alive: NDArray[np.int64],
    order: NDArray[np.int16],
    ranks: NDArray[np.int16],
    player: int,
) -> None:
    possible = np.flatnonzero(~np.isin(hands, board).any(axis=1))
    alive[player] = len(possible)
    if not full:
        order[player, : len(possible)] = possible
        return
    strengths = deck.strength(board, hands[possible])
    sorted_places = np.argsort(strengths, kind="stable")
    order[player, : len(possible)] = possible[sorted_places]
    ranks[player, : len(possible)] = strengths[sorted_places]


def _find_same(
    order: NDArray[np.int16], alive: NDArray[np.int64], twins: NDArray[np.int64], same: NDArray[np.int16]
) -> None:
    for player in (0, 1):
        place = np.full(order.shape[1] + 1, -1, np.int16)
        theirs = order[1 - player, : alive[1 - player]]
        place[theirs] = np.arange(len(theirs))
        same[player, : alive[player]] = place[twins[player, order[player, : alive[player]]]]
