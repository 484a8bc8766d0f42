"""Sizes of bets as shares of the pot: what a menu of numbered actions can be made of."""

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Final

SHARE_MAX: Final = 1000.0
"""More pots than any bet is worth thinking of; and every size is still exact."""


def checked_shares(shares: Sequence[float]) -> tuple[float, ...]:
    """The sizes of a menu. Raises ValueError for one that is no share of a pot."""
    if not (isinstance(shares, Iterable) and all(map(_is_share, shares))):
        raise ValueError(f"pot_shares must be numbers over 0, at most {SHARE_MAX:g}, not {shares}")
    return tuple(map(float, shares))


def share_names(shares: Sequence[float]) -> tuple[str, ...]:
    """The names of bets and raises of these sizes."""
    return tuple(f"raise_{share:g}_pot" for share in shares)


def _is_share(size: object) -> bool:
    return isinstance(size, Real) and not isinstance(size, bool) and 0 < float(size) <= SHARE_MAX
