"""Every bot by game and name: the one place where a room, the arena and the command line find them.

The names are part of the protocol and of records; what a person reads is in the catalogue under `bot.<game>.<name>`.
The first bot of a game is its default. Every game has a random bot.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final, Generic, TypeVar

from croupier.game.game import Action, AnyRules, Offer, View
from croupier.game.parts import load_part
from croupier.game.policy import AnyPolicy, Factory
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES

A = TypeVar("A", bound=Action)

RANDOM: Final = "random"


class RandomPolicy(Generic[A]):
    """Plays any game: takes an offer at random, and a value within it at random, all equally likely."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def __call__(self, view: View, menu: tuple[Offer[A], ...], /) -> A:
        offer = self._random.choice(menu)
        if not offer.field:
            return offer.action
        values = offer.among or range(offer.low, offer.high + 1)
        return offer.choose(self._random.choice(values))


class RosterError(ValueError):
    """An unknown game or bot. `refusal` names it, and those that there are."""

    def __init__(self, code: str, **facts: str | tuple[str, ...]) -> None:
        self.refusal = Refusal(code, {**facts})
        what = (
            f"{facts['game']} has no bot {facts['bot']!r}" if "bot" in facts else f"there is no game {facts['game']!r}"
        )
        super().__init__(f"{what}; there are: {', '.join(facts['allowed'])}")


def _random(random: Random, rules: Any) -> AnyPolicy:
    return RandomPolicy(random)


def _roster(game: str) -> Mapping[str, Factory]:
    if game not in GAMES:
        raise RosterError("UNKNOWN_BOT_GAME", game=game, allowed=tuple(GAMES))
    named = GAMES[game].bots
    return {**(load_part(named) if named else {}), RANDOM: _random}


def names(game: str) -> tuple[str, ...]:
    """The bots of a game, the default one first."""
    return tuple(_roster(game))


def filling_bots(game: str) -> tuple[str, ...]:
    """The bots that take turns to fill free seats; the random one only where the game has no other."""
    known = tuple(name for name in names(game) if name != RANDOM)
    return GAMES[game].filling_bots or known or (RANDOM,)


def bot(game: str, name: str, random: Random, rules: AnyRules) -> AnyPolicy:
    """A bot for one seat at a table with these rules. An empty name is the game's first bot.

    Each seat needs a bot of its own: some remember how the hand went. Raises RosterError for an unknown game or name.
    """
    known = _roster(game)
    name = name or next(iter(known))
    if name not in known:
        raise RosterError("NO_SUCH_BOT", game=game, bot=name, allowed=tuple(known))
    return known[name](random, rules)


def customary_bots(game: str, preset: str) -> int:
    """How many bots play against one person by default."""
    presets = GAMES[game].presets
    named = preset or next(iter(presets))
    return GAMES[game].customary_bots.get(named, presets[named].seat_range[0] - 1)


def bot_counts(game: str, preset: str) -> list[int]:
    """How many bots can play with one person."""
    presets = GAMES[game].presets
    rules = presets[preset or next(iter(presets))]
    low, high = rules.seat_range
    return [count - 1 for count in range(low, high + 1) if not isinstance(rules.opening(rules.setup(count)), Refusal)]
