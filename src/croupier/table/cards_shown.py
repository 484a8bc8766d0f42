"""The cards in a room's message, whatever the game."""

import re
from typing import Any, Final

_MADE_OF_CARDS: Final = frozenset(("own", "category", "lastAction"))
_CARD: Final = re.compile(r"[2-9TJQKA][cdhs]|(clover|diamond|heart|spade)_(a|[2-9]|10|j|q|k)_[12]")


def cards_in(value: Any) -> list[str]:
    """Every card in plain values, however deep."""
    if isinstance(value, str):
        return [value] if _CARD.fullmatch(value) else []
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return []
    return [card for each in value for card in cards_in(each)]


def without_cards(value: Any) -> Any:
    """The same values without any card: a list of cards becomes empty, a single card becomes None."""
    if isinstance(value, str):
        return None if cards_in(value) else value
    if isinstance(value, dict):
        # A hand's rank reveals as much as its cards.
        return {name: None if name in _MADE_OF_CARDS else without_cards(each) for name, each in value.items()}
    if not isinstance(value, list):
        return value
    return [] if any(isinstance(each, str) for each in value) and cards_in(value) else [without_cards(v) for v in value]
