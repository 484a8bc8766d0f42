"""A second code for who gets what, slow and plain: from what went in and the cards, to the stacks after the hand.

It shares nothing with the rules but their options and the letters of the cards. Chips are layered one at a time, hands
are compared as tuples over all choices of five cards.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from croupier.games.poker import HoldemRules
from croupier.games.poker.rules.events import (
    Acted,
    HoldemEvent,
    HoleCards,
    Move,
    Mucked,
    Post,
    Posted,
    Shown,
    StreetDealt,
)

RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class Told:
    """A hand as its events tell it. Seats are in order from the left of the button."""

    rules: HoldemRules
    seats: tuple[int, ...]
    stacks: Mapping[int, int]
    put_in: Mapping[int, int]
    dead: int
    has_bets: bool
    out: frozenset[int]
    mucked: frozenset[int]
    shown: frozenset[int]
    hole: Mapping[int, tuple[str, ...]]
    boards: tuple[tuple[str, ...], ...]


def told(rules: HoldemRules, stacks: Sequence[int], button: int, events: Sequence[HoldemEvent]) -> Told:
    hole = {event.seat: tuple(map(str, event.cards)) for event in events if isinstance(event, HoleCards)}
    dealt = sorted(hole, key=lambda seat: (seat - button - 1) % len(stacks))
    put_in, dead, has_bets = dict.fromkeys(dealt, 0), 0, False
    first, others = list[str](), dict[int, list[str]]()
    spent = dict.fromkeys(dealt, 0)
    for event in events:
        if isinstance(event, Posted):
            spent[event.seat] += event.amount
            is_dead = event.post is Post.DEAD or (event.post is Post.ANTE and rules.ante_from == "big_blind")
            dead += event.amount if is_dead else 0
            put_in[event.seat] += 0 if is_dead else event.amount
            has_bets |= event.post not in {Post.DEAD, Post.ANTE}
        elif isinstance(event, Acted):
            spent[event.seat] += event.amount
            put_in[event.seat] += event.amount
            has_bets |= event.amount > 0
        elif isinstance(event, StreetDealt):
            (others.setdefault(event.board, []) if event.board else first).extend(map(str, event.cards))
    # A board that was dealt again begins with what lay there before.
    boards = [tuple(first), *(tuple(first[: 5 - len(others[number])] + others[number]) for number in sorted(others))]
    if rules.pot == "two_boards" and others:
        boards = [tuple(first), tuple(others[1])]
    return Told(
        rules,
        tuple(dealt),
        {seat: stacks[seat] - spent[seat] for seat in dealt},
        put_in,
        dead,
        has_bets,
        frozenset(event.seat for event in events if isinstance(event, Acted) and event.move is Move.FOLD),
        frozenset(event.seat for event in events if isinstance(event, Mucked)),
        frozenset(event.seat for event in events if isinstance(event, Shown) and len(event.cards) == rules.hole_cards),
        hole,
        tuple(boards),
    )


def settle(hand: Told) -> tuple[dict[int, int], int]:
    """The stacks after the hand, and the rake."""
    stacks, put_in = dict(hand.stacks), dict(hand.put_in)
    if hand.has_bets:
        second, highest = sorted(put_in.values())[-2:]
        for seat, paid in hand.put_in.items():
            if paid == highest > second:
                stacks[seat] += highest - second
                put_in[seat] = second
    rake, won = 0, set[int]()
    for amount, seats in _pots(hand, put_in):
        taken = amount * hand.rules.rake_permille // 1000 if hand.boards[0] else 0
        if hand.rules.rake_cap:
            taken = min(taken, hand.rules.rake_cap - rake)
        rake += taken
        for seat, chips in _shares(hand, amount - taken, seats):
            stacks[seat] += chips
            won |= {seat} if chips else set()
    for seat in hand.seats:
        if seat in won & hand.shown and {card[0] for card in hand.hole[seat]} == {"7", "2"}:
            for other in set(hand.seats) - {seat}:
                paid = min(hand.rules.seven_deuce, stacks[other])
                stacks[other] -= paid
                stacks[seat] += paid
    return stacks, rake


def _pots(hand: Told, put_in: Mapping[int, int]) -> list[tuple[int, list[int]]]:
    """Chip by chip: everybody's first chip, everybody's second one, and so on."""
    live = [seat for seat in hand.seats if seat not in hand.out]
    pots: list[tuple[int, list[int]]] = [(hand.dead, live)]
    for level in range(1, max(put_in.values()) + 1):
        chips = sum(1 for paid in put_in.values() if paid >= level)
        able = [seat for seat in live if put_in[seat] >= level] or pots[-1][1]
        if len(live) == 1 or able == pots[-1][1]:
            pots[-1] = (pots[-1][0] + chips, pots[-1][1])
        elif not pots[-1][0]:
            pots[-1] = (chips, able)
        else:
            pots.append((chips, able))
    return pots


def _shares(hand: Told, amount: int, seats: list[int]) -> list[tuple[int, int]]:
    if len(hand.seats) - len(hand.out) == 1:
        return [(seats[0], amount)]
    shares: list[tuple[int, int]] = []
    contend = [seat for seat in seats if seat not in hand.mucked]
    for number, board in enumerate(hand.boards):
        part = amount // len(hand.boards) + (1 if number < amount % len(hand.boards) else 0)
        lows = {seat: low for seat in contend if (low := _low(hand, seat, board)) is not None}
        if hand.rules.pot == "high_low" and lows:
            best = min(lows.values())
            shares += _split(hand, part // 2, [seat for seat in contend if lows.get(seat) == best])
            part -= part // 2
        highs = {seat: _high(hand, seat, board) for seat in contend}
        shares += _split(hand, part, [seat for seat in contend if highs[seat] == max(highs.values())])
    return shares


def _split(hand: Told, amount: int, winners: list[int]) -> list[tuple[int, int]]:
    each, odd = divmod(amount, len(winners))
    if hand.rules.odd_chips == "first":
        return [(seat, each + (odd if place == 0 else 0)) for place, seat in enumerate(winners)]
    return [(seat, each + (1 if place < odd else 0)) for place, seat in enumerate(winners)]


def _fives(hand: Told, seat: int, board: tuple[str, ...]) -> list[tuple[str, ...]]:
    own = hand.hole[seat]
    if hand.rules.used == "two":
        return [two + three for two in combinations(own, 2) for three in combinations(board, 3)]
    return list(combinations(own + board, 5))


def _high(hand: Told, seat: int, board: tuple[str, ...]) -> tuple[Any, ...]:
    return max(_worth(five, short=hand.rules.pack == "short") for five in _fives(hand, seat, board))


def _worth(five: tuple[str, ...], *, short: bool) -> tuple[Any, ...]:
    """Kind of hand, then ranks by how many there are of each."""
    ranks = sorted((RANKS.index(card[0]) for card in five), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (group[1], group[0]), reverse=True)
    shape = tuple(count for _, count in groups)
    wheel = [12, 7, 6, 5, 4] if short else [12, 3, 2, 1, 0]
    top = wheel[1] if ranks == wheel else ranks[0]
    straight = shape == (1, 1, 1, 1, 1) and (ranks == wheel or ranks[0] - ranks[4] == 4)
    flush = len({card[1] for card in five}) == 1
    middle = ["full", "flush"] if short else ["flush", "full"]
    order = ["high", "pair", "two pair", "three", "straight", *middle, "four", "straight flush"]
    kinds = {(4, 1): "four", (3, 2): "full", (3, 1, 1): "three", (2, 2, 1): "two pair", (2, 1, 1, 1): "pair"}
    kind = kinds.get(shape, "high")
    if straight or flush:
        kind = "straight flush" if straight and flush else "flush" if flush else "straight"
    return order.index(kind), *((top,) if straight else (rank for rank, _ in groups))


def _low(hand: Told, seat: int, board: tuple[str, ...]) -> list[int] | None:
    """The best five different ranks up to eight, ace low, the highest first."""
    found = []
    for five in _fives(hand, seat, board):
        ranks = sorted({(RANKS.index(card[0]) + 1) % 13 for card in five}, reverse=True)
        if len(ranks) == 5 and ranks[0] <= 7:
            found.append(ranks)
    return min(found, default=None)
