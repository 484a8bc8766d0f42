"""Starting hands: which are better, and how many of them are played in which position."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from croupier.cards import PACK, SUITS, Card

ORDER: Final = (
    "AA KK QQ JJ TT AKs 99 AKo AQs AQo AJs 88 ATs AJo 77 KQs ATo A9s 66 KJs KQo A8s KTs A7s A9o KJo 55 A5s A6s QJs "
    "A8o A4s A3s KTo A7o K9s A2s 44 QTs A5o A6o QJo K8s A4o A3o K7s 33 K9o JTs A2o Q9s K6s QTo K5s K4s 22 Q8s K8o "
    "J9s K3s K7o K2s JTo T9s Q9o K6o Q7s J8s Q6s K5o Q5s T8s K4o 98s Q8o Q4s J7s J9o K3o Q3s K2o T7s 97s Q2s T9o "
    "87s Q7o J6s J8o Q6o J5s T6s J4s Q5o 86s 96s T8o 76s 98o J3s J7o Q4o J2s Q3o T5s 65s 95s T7o 85s 75s 97o T4s "
    "87o Q2o J6o T3s 54s J5o T2s 64s T6o 94s 84s J4o 74s 86o 96o 76o 93s J3o 53s 92s J2o 63s T5o 65o 73s 83s 43s "
    "85o 95o 75o 82s T4o 52s T3o 54o 62s 72s 42s T2o 64o 84o 94o 74o 32s 93o 53o 92o 63o 73o 83o 43o 82o 52o 62o "
    "42o 72o 32o "
)
"""The 169 kinds of starting hands, best first: by the mean of what they win, all-in, against any hand and against the
best fifth of all hands. `s` is suited, `o` is not."""

OPENING_SHARES: Final = (1.0, 0.42, 0.38, 0.27, 0.20, 0.16, 0.13, 0.11, 0.10, 0.09)
"""The share of hands that opens with a raise, by how many seats are still to act."""
OPENING_SHARE_HEADS_UP: Final = 0.70
PUSH_SHARES: Final = (1.0, 0.50, 0.36, 0.27, 0.21, 0.17, 0.14, 0.12, 0.11, 0.10)
"""The share of hands that goes all-in with ten big blinds, by how many seats are still to act."""
PUSH_DEPTH: Final = 10
"""The number of big blinds that `PUSH_SHARES` are about."""
HANDS_MIN: Final = 20
"""The fewest hands that a player is assumed to play: enough that some of them are always possible."""


class Hand(NamedTuple):
    """Two hole cards, and the same as a set of card numbers."""

    cards: tuple[Card, Card]
    mask: int


def _kind(kind: str) -> Iterator[Hand]:
    """The 4, 6 or 12 hands of a kind."""
    high, low, suited = kind[0], kind[1], kind[2:]
    if high == low:
        pairs = [(f"{high}{one}", f"{low}{other}") for one, other in combinations(SUITS, 2)]
    else:
        pairs = [
            (f"{high}{one}", f"{low}{other}") for one in SUITS for other in SUITS if (one == other) is (suited == "s")
        ]
    for one, other in pairs:
        cards = Card(one), Card(other)
        yield Hand(cards, 1 << cards[0].number | 1 << cards[1].number)


def _standings() -> dict[int, float]:
    found = {}
    better = 0
    for kind in ORDER.split():
        hands = list(_kind(kind))
        better += len(hands)
        found.update({hand.mask: better / len(HANDS) for hand in hands})
    return found


HANDS: Final = tuple(hand for kind in ORDER.split() for hand in _kind(kind))
"""All 1,326 starting hands, best first."""
assert len({hand.mask for hand in HANDS}) == len(PACK) * (len(PACK) - 1) // 2, "every hand once"
_STANDINGS: Final = _standings()


def standing(cards: tuple[Card, ...]) -> float:
    """The share of starting hands that are as good as these two cards or better: near 0 for aces, 1 for the worst."""
    return _STANDINGS[1 << cards[0].number | 1 << cards[1].number]


def best(share: float) -> int:
    """How many of `HANDS` are this share of all."""
    return min(len(HANDS), max(HANDS_MIN, round(share * len(HANDS))))


def push_share(behind: int, depth: float) -> float:
    """The share of hands that goes all-in with `depth` big blinds and this many seats still to act: the shorter the
    stack, the more."""
    times: float = (PUSH_DEPTH / max(depth, 1.0)) ** 0.7
    return min(1.0, times * PUSH_SHARES[min(behind, len(PUSH_SHARES) - 1)])


def opening_share(behind: int, heads_up: bool) -> float:
    """The share of hands that opens the betting with this many seats still to act."""
    return OPENING_SHARE_HEADS_UP if heads_up else OPENING_SHARES[min(behind, len(OPENING_SHARES) - 1)]


def share_for(big_blinds: float, heads_up: bool) -> float:
    """The share of hands that is played for this many big blinds before the flop."""
    share = 0.85 if big_blinds <= 1 else 0.35 if big_blinds <= 5 else 0.14 if big_blinds <= 14 else 0.06
    return min(1.0, 1.6 * share) if heads_up else share
