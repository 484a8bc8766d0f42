"""A round as a tree: a node of chance where a card is to be dealt, a player's node where a seat is to act.

Values never change, so a copy of a state shares them.
"""

from typing import Any, Final, Self

import msgspec
from msgspec.structs import replace

from croupier.game.game import SPECTATOR, Action, AnyRules, Draw, Event, Over, Step, Turn
from croupier.game.refusal import OptionError, Refusal
from croupier.lab.environments.encodings import Encoding, encoding_of

UNKNOWN: Final = "??"
BURN: Final = "burn"
"""The beginning of a burned card's place. Nobody sees the card, so it is no chance node."""


class Start(msgspec.Struct, frozen=True):
    """Where every game begins. `deck` are the cards that chance deals, empty for the whole pack; `cards` are the first
    ones of the deal, with None for one that chance deals; `played` are actions that were taken before."""

    rules: AnyRules
    setup: Any
    deck: tuple[str, ...] = ()
    cards: tuple[str | None, ...] = ()
    played: tuple[str, ...] = ()
    named: dict[str, Any] = {}
    """The cards of the pack by name."""


class Position:
    """The state of the rules, the cards that chance has left, and what each seat has heard. `start` begins one, `dealt`
    and `acted` give the next."""

    __slots__ = (
        "_choices",
        "_encoding",
        "_left",
        "_start",
        "awaits",
        "drawn",
        "given",
        "heard",
        "path",
        "played",
        "state",
    )

    def __init__(self, start: Start, encoding: Encoding) -> None:
        self._start, self._encoding = start, encoding
        self._left: tuple[Any, ...] = ()
        self.drawn: tuple[Any, ...] = ()
        """The cards of the present draw so far."""
        self.given = 0
        """How many places have had a card."""
        self.heard: tuple[tuple[Event, ...], ...] = ()
        """What each seat has been told, the oldest first."""
        self.played = 0
        self.path: tuple[str | int, ...] = ()
        """The cards and the numbers of actions that led here."""
        self.state: Any = None
        self.awaits: Any = None
        self._choices: dict[int, Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Face-down cards are never written, so a position is written as the path to it."""
        return _replayed, (self._start, self.path)

    @classmethod
    def start(cls, start: Start, encoding: Encoding) -> Self:
        """The first node. Raises OptionError when the rules refuse the setup."""
        opened = start.rules.opening(start.setup)
        if isinstance(opened, Refusal):
            raise OptionError(opened)
        position = cls(start, encoding)
        position.heard = ((),) * start.rules.seats(opened.state)
        return position._stepped(opened)._settled()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    @property
    def is_over(self) -> bool:
        return isinstance(self.awaits, Over)

    @property
    def payouts(self) -> tuple[int, ...]:
        assert isinstance(self.awaits, Over), "payouts are known at the end"
        return self.awaits.payouts

    @property
    def is_chance(self) -> bool:
        return isinstance(self.awaits, Draw)

    @property
    def seat(self) -> int:
        """The seat to act; if several may, the first."""
        assert isinstance(self.awaits, Turn), "a seat is to act"
        return self.awaits.seats[0]

    @property
    def left(self) -> dict[str, int]:
        """How many of each card chance can deal now."""
        found: dict[str, int] = {}
        for card in self._left:
            found[str(card)] = found.get(str(card), 0) + 1
        return found

    @property
    def choices(self) -> dict[int, Action]:
        """The actions of the seat to act, by number."""
        if self._choices is None:
            rules, seat = self._start.rules, self.seat
            self._choices = self._encoding.choices(rules.view(self.state, seat), rules.menu(self.state, seat))
        return self._choices

    def view(self, seat: int | None) -> Any:
        """What a seat sees, and has heard; for None, what a spectator sees."""
        if seat is None:
            return self._start.rules.view(self.state, SPECTATOR)
        return replace(self._start.rules.view(self.state, seat), history=self.heard[seat])

    def dealt(self, card: str) -> Self:
        """The node after chance has dealt this card."""
        place = next(number for number, each in enumerate(self._left) if str(each) == card)
        after = self._with_card(self._left[place], (*self._left[:place], *self._left[place + 1 :]))
        after.path = (*self.path, card)
        return after._settled()

    def acted(self, number: int) -> Self:
        """The node after the action with this number."""
        step = self._start.rules.act(self.state, self.seat, self.choices[number])
        assert isinstance(step, Step), "a choice is offered"
        after = self._copy()._stepped(step)
        after.path = (*self.path, number)
        return after._settled()

    def _copy(self) -> Self:
        copied = type(self)(self._start, self._encoding)
        for name in ("_left", "drawn", "given", "heard", "state", "awaits", "path", "played"):
            setattr(copied, name, getattr(self, name))
        return copied

    def _stepped(self, step: Step[Any, Any]) -> Self:
        """This node, which nobody has seen yet, after a step of the rules."""
        self.state, self.drawn = step.state, ()
        self.awaits = self._start.rules.awaits(step.state)
        if step.told:
            self.heard = tuple(
                (*before, *(told.event for told in step.told if told.to.hears(seat)))
                for seat, before in enumerate(self.heard)
            )
        if isinstance(self.awaits, Draw) and self.awaits.pack:
            self._left = self._shuffled(self.awaits.pack)
        return self

    def _shuffled(self, pack: tuple[Any, ...]) -> tuple[Any, ...]:
        """What chance deals of a pack: all of it but the cards that were given; of these only those of the deck."""
        left = list(pack)
        for text in self._start.cards if not self.given else ():
            if text is not None:
                left.remove(next(card for card in left if str(card) == text))
        deck = list(self._start.deck)
        if not deck:
            return tuple(left)
        chosen = []
        for card in left:
            if str(card) in deck:
                deck.remove(str(card))
                chosen.append(card)
        return tuple(chosen)

    def _with_card(self, card: Any, left: tuple[Any, ...]) -> Self:
        copied = self._copy()
        copied._left, copied.drawn, copied.given = left, (*self.drawn, card), self.given + 1
        if len(copied.drawn) < self.awaits.count:
            return copied
        return copied._stepped(self._start.rules.deal(self.state, copied.drawn))

    def _settled(self) -> Self:
        """The next node that chance or a player decides. Given and burned cards, and actions played before, are
        applied."""
        now = self
        while True:
            if isinstance(now.awaits, Draw):
                known = now._start.cards[now.given] if now.given < len(now._start.cards) else None
                if known is None and not now.awaits.places[len(now.drawn)].startswith(BURN):
                    return now
                now = now._with_card(None if known is None else now._start.named[known], now._left)
            elif isinstance(now.awaits, Turn) and now.played < len(now._start.played):
                name = now._start.played[now.played]
                names = {now._encoding.layout.actions[number]: number for number in now.choices}
                if name not in names:
                    raise ValueError(f"played: {name} cannot be taken here; allowed: {', '.join(names)}")
                step = now._start.rules.act(now.state, now.seat, now.choices[names[name]])
                assert isinstance(step, Step), "a choice is offered"
                now = now._copy()._stepped(step)
                now.played += 1
            else:
                return now


def _replayed(start: Start, path: tuple[str | int, ...]) -> Position:
    position = Position.start(start, encoding_of(start.rules))
    for step in path:
        position = position.dealt(step) if isinstance(step, str) else position.acted(step)
    return position


def pack_of(rules: AnyRules, state: Any) -> tuple[Any, ...]:
    """The first pack that a round asks for: now, or once all have done what the rules do for an absent player."""
    while True:
        awaits = rules.awaits(state)
        if isinstance(awaits, Draw):
            return awaits.pack
        if isinstance(awaits, Over):
            return ()
        step = rules.act(state, awaits.seats[0], _first(rules, state, awaits.seats[0]))
        assert isinstance(step, Step), "what is on the menu is done"
        state = step.state


def _first(rules: AnyRules, state: Any, seat: int) -> Action:
    """The first action on a seat's menu, the least of it where it is a range."""
    offer = rules.menu(state, seat)[0]
    action: Action = offer.choose(offer.among[0] if offer.among else offer.low) if offer.field else offer.action
    return action
