"""Every bot by game and name: the one place where a room, the arena and the command line find them.

The names are part of the protocol and of records; what a person reads is in the catalogue under `bot.<game>.<name>`.
The first bot of a game is the one that sits down when none is named.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, TypeAlias

from croupier.bots.blackjack import BasicPolicy
from croupier.bots.holdem import CallerPolicy, SolidPolicy
from croupier.bots.policy import Policy, RandomPolicy
from croupier.bots.sequence import block_and_build
from croupier.bots.shark import SharkPolicy
from croupier.rules.game import AnyRules
from croupier.rules.refusal import Refusal

AnyPolicy: TypeAlias = Policy[Any, Any]
Factory: TypeAlias = Callable[[Random, Any], AnyPolicy]
"""Makes a bot from its source of chance and the rules of its game."""


class RosterError(ValueError):
    """A game or bot that nobody has heard of. `refusal` says which, and which there are."""

    def __init__(self, code: str, **facts: str | tuple[str, ...]) -> None:
        self.refusal = Refusal(code, {**facts})
        super().__init__(f"{code}: " + ", ".join(f"{name}={value}" for name, value in facts.items()))


def _random(random: Random, rules: AnyRules) -> AnyPolicy:
    return RandomPolicy(random)


ROSTER: Final[Mapping[str, Mapping[str, Factory]]] = {
    "blackjack": {
        "basic": lambda random, rules: BasicPolicy(rules),
        "random": _random,
    },
    "holdem": {
        "solid": lambda random, rules: SolidPolicy(random),
        "shark": lambda random, rules: SharkPolicy(random),
        "caller": lambda random, rules: CallerPolicy(random),
        "random": _random,
    },
    "sequence": {
        "builder": lambda random, rules: block_and_build,
        "random": _random,
    },
}


def names(game: str) -> tuple[str, ...]:
    """The bots of a game, the one that plays when none is named first."""
    if game not in ROSTER:
        raise RosterError("UNKNOWN_BOT_GAME", game=game, allowed=tuple(ROSTER))
    return tuple(ROSTER[game])


def bot(game: str, name: str, random: Random, rules: AnyRules) -> AnyPolicy:
    """A bot for one seat at a table with these rules. An empty name is the game's first bot.

    Each seat needs a bot of its own: some remember how the hand went. Raises RosterError for an unknown game or name.
    """
    known = names(game)
    name = name or known[0]
    if name not in known:
        raise RosterError("NO_SUCH_BOT", game=game, bot=name, allowed=known)
    return ROSTER[game][name](random, rules)
