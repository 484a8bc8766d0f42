"""Fields of actions, events and views, written for people."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import fields

from croupier import locales
from croupier.cards import Card
from croupier.clients.terminal.words import Words
from croupier.table.roomview import RoomView

_SEATS: Final = re.compile(r"(^s|_s|S)eats?$")
"""The names of fields with seats, in Python and on the wire."""
HAND_INDEX: Final = "hand_index"


def facts_of(
    struct: msgspec.Struct, words: Words, public: RoomView, hand: Sequence[Card | None] = ()
) -> Mapping[str, str]:
    """Every field of an action or event, by its name on the wire. For `hand_index`, a place in the player's hand, the
    card that lies there, or its number from 1."""
    found = {}
    for info in fields(type(struct)):
        value = getattr(struct, info.name)
        if info.name == HAND_INDEX:
            value = (hand[value] if value < len(hand) else None) or value + 1
        found[info.encode_name] = fact(info.encode_name, value, words, public)
    return found


def fact(name: str, value: Any, words: Words, public: RoomView) -> str:
    """The value of one field: a seat by its player's name, cards and suits by their signs, a word by its text. Numbers
    are seats by the field's name: `seat`, or one that ends in `_seat`."""
    if value is None:
        return "–"
    several = value if isinstance(value, tuple) else (value,)
    if _SEATS.search(name) and all(isinstance(seat, int) for seat in several):
        return words.join(words.name(public, seat) for seat in several)
    if "suit" in name.lower() and isinstance(value, str):
        return words.suit(value)
    if isinstance(value, str):
        key = f"{public.game}.word.{value}"
        return words.t(key) if locales.has_text(words.language, key) else value
    if isinstance(value, Card):
        return words.card(value)
    if isinstance(value, bool):
        return words.t("play.yes" if value else "play.no")
    if isinstance(value, tuple):
        if value and all(isinstance(each, Card) for each in value):
            return words.cards(value)
        return words.join(fact("", each, words, public) for each in value)
    return str(value) if isinstance(value, int | float) else "…"


def is_plain(value: Any) -> bool:
    """Whether a value can be shown in a line by itself."""
    if isinstance(value, tuple):
        return bool(value) and all(is_plain(each) for each in value)
    return isinstance(value, int | Card) or (isinstance(value, str) and bool(value))
