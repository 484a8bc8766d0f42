"""What a bot is: a callable that gets its seat's view and menu, and returns an action of that menu.

A bot sees what a person in its seat would see, and nothing else. One that needs chance is given a `random.Random`
when it is made, so that a game with bots can be played again. The same object plays a whole match.

It may have three more methods. `begin(match)` is called before the first round of a match and `end(payouts)` after the
last one, with its net result of each round. `observe(event)` is called for everything that its seat hears, in order:
others' actions, cards, a showdown.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from croupier.game.game import Action, AnyRules, GameRules, Offer, View

V_contra = TypeVar("V_contra", bound=View, contravariant=True)
A = TypeVar("A", bound=Action)


class Policy(Protocol[V_contra, A]):
    """Chooses an action. The menu is never empty: a bot is asked only when it is its turn."""

    def __call__(self, view: V_contra, menu: tuple[Offer[A], ...], /) -> A: ...


AnyPolicy: TypeAlias = Policy[Any, Any]
Factory: TypeAlias = Callable[[Any, Any], AnyPolicy]
"""Makes a bot from its source of chance, a `random.Random`, and the rules of its game."""

if TYPE_CHECKING:  # as in `game.py`: `Bot` alone is a bot of any game
    from typing_extensions import TypeVar as TypeVarWithDefault

    BotView = TypeVarWithDefault("BotView", bound=View, default=Any)
    BotAction = TypeVarWithDefault("BotAction", bound=Action, default=Any)
else:
    BotView, BotAction = TypeVar("BotView"), TypeVar("BotAction")

Bot: TypeAlias = Policy[BotView, BotAction] | Callable[[], Policy[BotView, BotAction]]
"""A function `(view, menu) -> action`, an object that can be called so, or a class that makes one."""


class Match(msgspec.Struct, Generic[GameRules], frozen=True):
    """What a bot is told before the first round of a match."""

    game: str
    rules: GameRules
    seat: int
    seats: int


def begin_match(bot: object, rules: AnyRules, seat: int, seats: int) -> None:
    """Tell a bot that a match begins, if it wants to know."""
    begin = getattr(bot, "begin", None)
    if begin is not None:
        begin(Match(rules.game, rules, seat, seats))


def observe(bot: object, event: object) -> None:
    """Tell a bot what its seat heard, if it wants to know."""
    hear = getattr(bot, "observe", None)
    if hear is not None:
        hear(event)


def end_match(bot: object, payouts: tuple[int, ...]) -> None:
    """Tell a bot that its match has ended, if it wants to know."""
    end = getattr(bot, "end", None)
    if end is not None:
        end(payouts)
