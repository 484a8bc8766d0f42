"""Equities of a hand that was played, street by street."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from croupier.cards import Card
from croupier.games.poker.rules.events import Street
from croupier.lab.poker.equity import equity
from croupier.lab.poker.family import family_case
from croupier.lab.poker.ranges import RANDOM, EquityError
from croupier.lab.poker.situations import CardsInput, Hand, read_cards, situation, written
from croupier.lab.poker.variants import HOLDEM, VARIANTS

BOARD_CARDS: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}
"""How many cards of the board are open on each street."""
UNSEEN_SAMPLES: Final = 500_000
"""How many boards are sampled where unseen hands may be any cards, or where there are too many boards."""

Cards: TypeAlias = tuple[Card, ...]


class StreetEquity(msgspec.Struct, frozen=True):
    """Every player's equity once a street is dealt: 0 after a fold, None for a hand that is not compared.

    `unseen` counts the players still in the hand whose cards nobody saw.
    """

    street: Street
    board: tuple[Card, ...]
    equities: tuple[float | None, ...]
    unseen: int = 0


def street_equities(
    hands: Sequence[Hand],
    board: CardsInput = "",
    folded: Mapping[int, Street] | None = None,
    *,
    variant: str = HOLDEM.name,
    board2: CardsInput = "",
) -> tuple[StreetEquity, ...]:
    """The equities on every street that the board reached, in any of the `VARIANTS`. A hand that nobody saw is written
    as "".

    Two or more hands that were seen are compared with each other, and unseen hands are left out. A single hand that was
    seen meets as many random hands as there are unseen ones. Exact if that is quick.

    `folded` says on which street a player folded. That player still counts when that street is dealt, and has nothing
    from the next street on. Folded cards that were seen cannot come any more.

    Raises EquityError that names what cannot be computed.
    """
    texts = [written(hand) for hand in hands]
    boards = read_cards(board), read_cards(board2)
    seen = {player for player, text in enumerate(texts) if text}
    counts = _hands_each([text or RANDOM for text in texts], boards, variant)
    if any(counts[player] != 1 for player in seen):
        raise EquityError("EQUITY_UNKNOWN_HAND")
    order = list(BOARD_CARDS)
    found = []
    for street, count in BOARD_CARDS.items():
        if count <= len(boards[0]):
            earlier = order[: order.index(street)]
            out = {player for player, when in (folded or {}).items() if when in earlier}
            shown = boards[0][:count], boards[1][:count]
            found.append(_on_street(texts, shown, seen, out, street, variant))
    return tuple(found)


def _hands_each(texts: Sequence[str], boards: tuple[Cards, Cards], variant: str) -> list[int]:
    """How many hands each player may hold; all is checked."""
    if variant == HOLDEM.name:
        return [len(each.weights) for each in situation(texts, boards[0]).ranges]
    if variant not in VARIANTS:
        raise EquityError("EQUITY_VARIANT", variant=variant, allowed=", ".join(VARIANTS))
    return [len(each) for each in family_case(VARIANTS[variant], texts, boards).hands]


def _on_street(
    texts: Sequence[str], boards: tuple[Cards, Cards], seen: set[int], out: set[int], street: Street, variant: str
) -> StreetEquity:
    live = [player for player in range(len(texts)) if player not in out]
    compared = [player for player in live if player in seen]
    unseen = len(live) - len(compared)
    dead = [card for player in sorted(seen & out) for card in read_cards(texts[player])]
    equities = dict.fromkeys(seen & out, 0.0)
    meeting = [texts[player] for player in compared]
    if len(compared) == 1:
        meeting += [RANDOM] * unseen
    if len(meeting) > 1:
        result = equity(meeting, boards[0], dead, variant=variant, board2=boards[1], samples=UNSEEN_SAMPLES)
        equities |= {player: hand.equity for player, hand in zip(compared, result.hands, strict=False)}
    elif compared:
        equities[compared[0]] = 1.0
    return StreetEquity(street, boards[0], tuple(equities.get(player) for player in range(len(texts))), unseen)
