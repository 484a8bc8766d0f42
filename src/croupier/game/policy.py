"""What a bot is: a callable that gets its seat's view and menu, and returns an action of that menu.

A bot sees what a person in its seat would see, and nothing else. One that needs chance is given a `random.Random`
when it is made, so that a game with bots can be played again.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

from croupier.game.game import Action, Offer, View

V_contra = TypeVar("V_contra", bound=View, contravariant=True)
A = TypeVar("A", bound=Action)


class Policy(Protocol[V_contra, A]):
    """Chooses an action. The menu is never empty: a bot is asked only when it is its turn."""

    def __call__(self, view: V_contra, menu: tuple[Offer[A], ...], /) -> A: ...


AnyPolicy: TypeAlias = Policy[Any, Any]
Factory: TypeAlias = Callable[[Any, Any], AnyPolicy]
"""Makes a bot from its source of chance, a `random.Random`, and the rules of its game."""
