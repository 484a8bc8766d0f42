"""What a bot is: a callable that gets its seat's view and menu, and returns an action of that menu.

A bot sees what a person in its seat would see, and nothing else. One that needs chance is given a `random.Random`
when it is made, so that a game with bots can be played again.
"""

from random import Random
from typing import Generic, Protocol, TypeVar

from croupier.rules.game import Action, Offer, View

V_contra = TypeVar("V_contra", bound=View, contravariant=True)
A = TypeVar("A", bound=Action)


class Policy(Protocol[V_contra, A]):
    """Chooses an action. The menu is never empty: a bot is asked only when it is its turn."""

    def __call__(self, view: V_contra, menu: tuple[Offer[A], ...], /) -> A: ...


class RandomPolicy(Generic[A]):
    """Takes any offer of any game, each as likely as another, and in it any value, each as likely as another."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def __call__(self, view: View, menu: tuple[Offer[A], ...], /) -> A:
        offer = self._random.choice(menu)
        if not offer.field:
            return offer.action
        values = offer.among or range(offer.low, offer.high + 1)
        return offer.choose(self._random.choice(values))
