"""Teams, and how many cards a player holds."""

from functools import cache
from typing import Final, Literal, TypeAlias

TeamId: TypeAlias = Literal["A", "B", "C"]

TEAM_IDS: Final[tuple[TeamId, ...]] = ("A", "B", "C")
"""A team's name by its number."""

HAND_SIZES: Final[dict[int, int]] = {2: 7, 3: 6, 4: 6, 6: 5, 8: 4, 9: 4, 10: 3, 12: 3}
"""Cards in a hand by the number of seats; other numbers of seats cannot play. 3 and 9 are for three teams."""


@cache
def seat_counts(teams: int) -> tuple[int, ...]:
    """The numbers of seats that make so many teams of equal size."""
    return tuple(seats for seats in HAND_SIZES if seats % teams == 0)


def team_of(seat: int, teams: int) -> int:
    """The number of a seat's team: teams sit alternately, A B A B or A B C A B C."""
    return seat % teams


@cache
def team_by_seat(seats: int, teams: int) -> tuple[TeamId, ...]:
    """The name of each seat's team."""
    return tuple(TEAM_IDS[team_of(seat, teams)] for seat in range(seats))
