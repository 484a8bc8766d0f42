"""The encoding of any game: from the base of views, the plain fields of its view, and the fields of its actions.

A game can bring a better encoding of its own. Cards that are not among the 52 are counted, but not told apart.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from random import Random
from typing import Any, Final
from zlib import crc32

from msgspec import inspect
from msgspec.structs import fields

from croupier.cards import PACK, Card
from croupier.game.game import Action, AnyRules, Offer, View
from croupier.game.registry import GAMES
from croupier.lab.environments.parts import Layout, Part, marks, part_of

NUMBER_PLACES: Final = 10
"""How many values an open number has, evenly spread from the lowest to the highest."""
TEXT_PLACES: Final = 16
ACTIONS_OF_A_KIND_MAX: Final = 1024
MENU_PLACES: Final = 64
"""For actions with fields of other types: how many of a kind are numbered, by their order on the menu."""
HALF_NUMBER: Final = 64
"""The number that is written as three quarters: the bounds of numbers are not known here."""
_CARD_PLACES: Final = {card: place for place, card in enumerate(PACK)}
_BASE: Final = frozenset(info.name for info in fields(View))


class GenericEncoding:
    """Rewards are in the game's unit. The rules decide who begins; it is not drawn at random."""

    def __init__(self, rules: AnyRules) -> None:
        game = GAMES[rules.game]
        self._seats = rules.seat_range[1]
        self._fields = {
            info.name: reader
            for info in fields(game.view)
            if info.name not in _BASE and (reader := _reader(inspect.type_info(info.type))) is not None
        }
        self._kinds: dict[type[Action], _Kind] = {}
        names: list[str] = []
        for action in game.actions:
            self._kinds[action] = kind = _Kind(action, len(names))
            names += kind.names
        self.layout = Layout(
            (
                Part("own_cards", len(PACK), "1 for each card before the player that the player sees"),
                Part("other_cards", len(PACK), "1 for each card before the others that the player sees"),
                Part("held", self._seats, "cards before each seat out of 52, from the player's own"),
                Part("chips", self._seats, "chips of each seat out of all, from the player's own"),
                Part("to_act", self._seats, "1 for each seat that may act, from the player's own"),
                *(Part(name, reader.size, reader.about) for name, reader in self._fields.items()),
            ),
            tuple(names),
        )
        self.unit = game.unit.chips(rules) if game.unit is not None else 1

    def setup(self, setup: Any, random: Random) -> Any:
        return setup

    def observe(self, view: Any, seat: int) -> Mapping[str, Sequence[float]]:
        order = [view.seats[(seat + place) % len(view.seats)] for place in range(len(view.seats))]
        total = sum(each.chips or 0 for each in order)
        missing = [0.0] * (self._seats - len(order))
        return {
            "own_cards": _card_marks(order[0].cards),
            "other_cards": _card_marks(card for each in order[1:] for card in each.cards),
            "held": [part_of(len(each.cards), len(PACK)) for each in order] + missing,
            "chips": [part_of(each.chips or 0, total) for each in order] + missing,
            "to_act": marks(self._seats, ((other - seat) % len(order) for other in view.to_act)),
            **{name: reader.read(getattr(view, name)) for name, reader in self._fields.items()},
        }

    def choices(self, view: Any, menu: tuple[Offer[Any], ...]) -> dict[int, Any]:
        found: dict[int, Any] = {}
        for kind in self._kinds.values():
            for number, action in kind.numbered(offer for offer in menu if type(offer.action) is kind.action):
                if action not in found.values():
                    found.setdefault(number, action)
        return found


class _Reader(ABC):
    """One field of a view as numbers from 0 to 1."""

    about = ""
    size = 1

    @abstractmethod
    def read(self, value: Any) -> list[float]:
        """The numbers for this value."""


class _Number(_Reader):
    about = "a whole number: a half for 0, near to 1 for a large one"

    def read(self, value: Any) -> list[float]:
        number = int(value or 0)
        return [0.5 + 0.5 * number / (abs(number) + HALF_NUMBER)]


class _Cards(_Reader):
    about = "1 for each card"
    size = len(PACK)

    def read(self, value: Any) -> list[float]:
        return _card_marks(value if isinstance(value, tuple) else (value,))


class _OneOf(_Reader):
    """One of some values that are known beforehand."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = list(values)
        self.size = len(self._values)
        self.about = "1 for the value: " + ", ".join(map(str, self._values))

    def read(self, value: Any) -> list[float]:
        return marks(self.size, (self._values.index(value),) if value in self._values else ())


class _Text(_Reader):
    about = "1 for the place of a word, by its checksum"
    size = TEXT_PLACES

    def read(self, value: Any) -> list[float]:
        return marks(self.size, (crc32(value.encode()) % self.size,) if value else ())


def _reader(kind: inspect.Type) -> _Reader | None:
    """How a field of this type is read; None for one that is left out."""
    match kind:
        case inspect.EnumType(cls) if cls is Card:
            return _Cards()
        case inspect.EnumType(cls):
            return _OneOf(list(cls))
        case inspect.LiteralType(values):
            return _OneOf(values)
        case inspect.BoolType() | inspect.IntType():
            return _Number()
        case inspect.StrType():
            return _Text()
        case inspect.UnionType(types):
            some = [each for each in types if not isinstance(each, inspect.NoneType)]
            return _reader(some[0]) if len(some) == 1 else None
        case inspect.VarTupleType(item):
            return _Cards() if isinstance(_reader(item), _Cards) else None
    return None


class _Kind:
    """One kind of action: which number each action of it has."""

    def __init__(self, action: type[Action], first: int) -> None:
        self.action = action
        self._first = first
        self._values: dict[str, list[Any]] | None = {}
        for info in fields(action):
            found = _values(inspect.type_info(info.type))
            if found is None or self._values is None:
                self._values = None
                break
            self._values[info.name] = found
        if self._values is not None and prod(map(len, self._values.values())) > ACTIONS_OF_A_KIND_MAX:
            self._values = None
        self.names = self._all_names()

    def _all_names(self) -> list[str]:
        tag = str(self.action.__struct_config__.tag)
        if self._values is None:
            return [f"{tag}#{place}" for place in range(MENU_PLACES)]
        names = [tag]
        for values in self._values.values():
            names = [f"{name}:{value}" for name in names for value in values]
        return names

    def numbered(self, offers: Iterable[Offer[Any]]) -> Iterator[tuple[int, Action]]:
        """Every action of these offers that has a number."""
        place = 0
        for offer in offers:
            for step, action in _actions(offer):
                if self._values is None:
                    if place < MENU_PLACES:
                        yield self._first + place, action
                    place += 1
                else:
                    yield self._first + self._number(action, offer, step), action

    def _number(self, action: Action, offer: Offer[Any], step: int) -> int:
        assert self._values is not None
        number = 0
        for info in fields(self.action):
            values, value = self._values[info.name], getattr(action, info.name)
            if info.encode_name == offer.field:
                place = step
            elif type(value) is int:
                place = min(max(value, 0), len(values) - 1)
            else:
                place = values.index(value)
            number = number * len(values) + place
        return number


def _values(kind: inspect.Type) -> list[Any] | None:
    """The values that a field of an action can have; for a number, its places. None if they cannot be listed."""
    match kind:
        case inspect.EnumType(cls):
            return list(cls)
        case inspect.LiteralType(values):
            return list(values)
        case inspect.BoolType():
            return [False, True]
        case inspect.IntType():
            return list(range(NUMBER_PLACES))
    return None


def _actions(offer: Offer[Any]) -> Iterator[tuple[int, Action]]:
    """The actions of an offer; for an open one, so many values evenly spread from the first to the last."""
    if not offer.field:
        yield 0, offer.action
        return
    values = offer.among or range(offer.low, offer.high + 1)
    count = min(len(values), NUMBER_PLACES)
    for step in range(count):
        yield step, offer.choose(values[step * (len(values) - 1) // max(count - 1, 1)])


def _card_marks(cards: Iterable[Any]) -> list[float]:
    return marks(len(PACK), (_CARD_PLACES[card] for card in cards if isinstance(card, Card)))
