"""Equities of a hand that was played, street by street."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from croupier.cards import Card
from croupier.games.poker.rules.events import Street
from croupier.lab.poker.equity import equity
from croupier.lab.poker.ranges import RANDOM, EquityError
from croupier.lab.poker.situations import CardsInput, Hand, Situation, situation

BOARD_CARDS: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}
"""How many cards of the board are open on each street."""
UNSEEN_SAMPLES: Final = 500_000
"""How many boards are sampled where unseen hands may be any cards."""


class StreetEquity(msgspec.Struct, frozen=True):
    """Every player's equity once a street is dealt: 0 after a fold, None for a hand that is not compared.

    `unseen` counts the players still in the hand whose cards nobody saw.
    """

    street: Street
    board: tuple[Card, ...]
    equities: tuple[float | None, ...]
    unseen: int = 0


def street_equities(
    hands: Sequence[Hand], board: CardsInput = "", folded: Mapping[int, Street] | None = None
) -> tuple[StreetEquity, ...]:
    """The equities on every street that the board reached. A hand that nobody saw is written as "".

    Two or more hands that were seen are compared with each other, exactly, and unseen hands are left out. A single hand
    that was seen meets as many random hands as there are unseen ones.

    `folded` says on which street a player folded. That player still counts when that street is dealt, and has nothing
    from the next street on. Folded cards that were seen cannot come any more.

    Raises EquityError that names what cannot be computed.
    """
    case = situation([hand or RANDOM for hand in hands], board)
    seen = {player for player, hand in enumerate(hands) if hand}
    if any(len(case.ranges[player].weights) != 1 for player in seen):
        raise EquityError("EQUITY_UNKNOWN_HAND")
    order = list(BOARD_CARDS)
    found = []
    for street, count in BOARD_CARDS.items():
        if count <= len(case.board):
            earlier = order[: order.index(street)]
            out = {player for player, when in (folded or {}).items() if when in earlier}
            found.append(_on_street(case, seen, out, street))
    return tuple(found)


def _on_street(case: Situation, seen: set[int], out: set[int], street: Street) -> StreetEquity:
    players = range(len(case.ranges))
    board = case.board[: BOARD_CARDS[street]]
    live = [player for player in players if player not in out]
    compared = [player for player in live if player in seen]
    unseen = len(live) - len(compared)
    dead = [card for player in players if player in seen & out for pair in case.ranges[player].weights for card in pair]
    equities = dict.fromkeys(seen & out, 0.0)
    meeting: list[Hand] = [case.ranges[player] for player in compared]
    if len(compared) == 1:
        meeting += [RANDOM] * unseen
    if len(meeting) > 1:
        result = equity(meeting, board, dead, samples=UNSEEN_SAMPLES)
        equities |= {player: hand.equity for player, hand in zip(compared, result.hands, strict=False)}
    elif compared:
        equities[compared[0]] = 1.0
    return StreetEquity(street, board, tuple(equities.get(player) for player in players), unseen)
