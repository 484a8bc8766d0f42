"""Mistakes of a program that plays rounds by itself, each a ValueError that says in a sentence what was expected.

A room needs none of this: what comes from a client has been read into the types of its game.
"""

from collections import Counter
from collections.abc import Collection
from typing import Any

import msgspec

from croupier.dealing.shoe import Shoe
from croupier.game.game import Action
from croupier.game.registry import GAMES
from croupier.table.round import Seeds


def check_opening(rules: Any, setup: object, seeds: object) -> None:
    """Rules, and a setup and seeds for them, or none."""
    if isinstance(rules, type) or not hasattr(rules, "opening"):
        raise ValueError(f"begin takes the rules of a game, like croupier.poker.CASH, not {_name(rules)}")
    wanted = type(rules.setup(rules.seat_range[0]))
    if setup is not None and type(setup) is not wanted:
        raise ValueError(f"a round by these rules starts from a {wanted.__name__}, not from {_name(setup)}")
    if isinstance(setup, msgspec.Struct):
        _check_types(setup)
    if seeds is not None and not isinstance(seeds, Seeds):
        raise ValueError(f"seeds are made as Seeds(server_seed, client_seed), not {_name(seeds)}")


def check_action(game: str, action: object) -> None:
    """An action of the game, with fields of the right types."""
    kinds: tuple[type, ...] = GAMES[game].actions if game in GAMES else (Action,)
    if not isinstance(action, kinds):
        raise ValueError(f"{action!r} is no action of {game}, which has {', '.join(kind.__name__ for kind in kinds)}")
    assert isinstance(action, msgspec.Struct)
    _check_types(action)


def check_seat(seat: object, seats: int) -> None:
    if type(seat) is not int or not 0 <= seat < seats:
        raise ValueError(f"there is no seat {seat!r}; the seats of this round are 0 to {seats - 1}")


def check_shoe(shoe: object, pack: Collection[Any]) -> None:
    """A shoe with no card that the pack has not."""
    if not isinstance(shoe, Shoe):
        raise ValueError(f"supply takes a shoe, like Shoe.stacked(parse_cards('As Kd')), not {_name(shoe)}")
    cards, _ = shoe.draw(shoe.left)
    if extra := Counter(cards) - Counter(pack):
        raise ValueError(f"the shoe has more of {next(iter(extra))} than the pack, which has {len(pack)} cards")


def _check_types(value: msgspec.Struct) -> None:
    try:
        msgspec.convert(msgspec.to_builtins(value), type(value))
    except (msgspec.ValidationError, TypeError) as error:
        raise ValueError(f"{value!r} is not possible: {error}") from None


def _name(value: object) -> str:
    """What a mistaken argument is called: a module or a class by its name, anything else by its type's."""
    return str(getattr(value, "__name__", type(value).__name__))
