"""The result that a record states, made comparable: what each player took from the pots, in chips.

Records differ in what they count. `finishing_stacks` say it all. `winnings` leave the uncalled bet out or, at some
sites, count it; a sum above the pot or a loser's part tells. All zeros mean that nobody wrote them down. What the
players did not take is the rake.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal


def recorded_winnings(
    *,
    behind: Sequence[Decimal],
    pot: Decimal,
    returned: Mapping[int, int],
    finishing: Sequence[Decimal] | None,
    winnings: Sequence[Decimal] | None,
) -> Iterator[list[Decimal]]:
    """What each player took, in every reading that these pots allow, the likeliest first; nothing where there is none.

    `behind` is what the players have outside the pots, with the uncalled bets that were `returned`.
    """
    readings = []
    if finishing is not None and all(stack.is_finite() for stack in finishing):
        readings.append([stack - rest for stack, rest in zip(finishing, behind, strict=True)])
    if winnings is not None and any(winnings):
        readings.append(list(winnings))
        readings.append([taken - returned.get(player, 0) for player, taken in enumerate(winnings)])
    for taken in readings:
        if min(taken) >= 0 and 0 < sum(taken) <= pot:
            yield taken


def same_winners(by_cards: Sequence[Decimal] | None, recorded: Sequence[Decimal], pots: int) -> bool:
    """Whether nobody took more than the cards say, but for an odd chip of each pot."""
    if by_cards is None:
        return True
    return all(taken <= due + pots for taken, due in zip(recorded, by_cards, strict=True))
