"""The bots of Hold'em."""

from random import Random
from typing import TypeAlias

from croupier.bots.policy import Policy
from croupier.rules.game import Offer
from croupier.rules.holdem import HoldemAction, HoldemView
from croupier.rules.holdem.actions import CALL, CHECK, FOLD, MUCK

HoldemPolicy: TypeAlias = Policy[HoldemView, HoldemAction]


class CallerPolicy:
    """Checks where it can, calls what is not too dear, never raises."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def __call__(self, view: HoldemView, menu: tuple[Offer[HoldemAction], ...], /) -> HoldemAction:
        offered = [offer.action for offer in menu]
        if MUCK in offered:
            return MUCK
        if CHECK in offered:
            return CHECK
        return CALL if self._random.random() < 0.8 else FOLD
