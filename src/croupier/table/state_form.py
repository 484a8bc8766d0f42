"""The form of a room's views: views and menus before the cards, and actions in a game's own type."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from croupier.dealing import canonical
from croupier.game.game import Offer
from croupier.game.registry import GAMES
from croupier.table.client_memory import OwnAction, OwnPart
from croupier.table.mirror import read_rules
from croupier.table.plain_values import exact, plain
from croupier.table.round import begin


def is_undealt(name: str, you: OwnPart) -> bool:
    """Whether a view and a menu have this game's form before the cards are dealt: no seat has a card, not even face
    down."""
    game = GAMES.get(name)
    if game is None:
        return you.view is None and not you.menu
    view = None if you.view is None else msgspec.convert(you.view, game.view, str_keys=True)
    if view is not None and any(seat.cards for seat in view.seats):
        return False
    # The game's union of actions is a value here, so the type is made at run time.
    offer = cast(Any, Offer)[game.action]
    menu = [msgspec.convert(each, offer) for each in you.menu]
    return exact(plain(view)) == exact(you.view) and exact(plain(menu)) == exact(you.menu)


def deals_first(game: str, rules: Any) -> bool:
    """Whether a round of this game has its cards before anybody acts."""
    known = GAMES.get(game)
    return known is not None and begin(read_rules(known, rules)).wants is not None


def read_action(actions: Any, raw: Any) -> Any:
    """An action in the game's own type; None for anything else, such as a command of the room."""
    try:
        return msgspec.convert(raw, actions)
    except msgspec.ValidationError:
        return None


def is_own(actions: Any, raw: Any, *, is_dealt: bool) -> bool:
    """Whether only the player can have done this: any action after the cards are dealt, and a bet before."""
    action = read_action(actions, raw)
    return action is not None and (is_dealt or bool(action.stakes))


def strange_moves(actions: Any, told: Mapping[int, Any], did: Sequence[OwnAction]) -> list[int]:
    """The moves in a player's name that the player did not make at that point. A refused action must not be made later,
    when it means something else."""
    made = [(act.number, exact(msgspec.to_builtins(read_action(actions, act.action)))) for act in did]
    here = set(made)
    anywhere = Counter(action for number, action in made if number is None)
    strange = []
    for number, raw in told.items():
        action = exact(raw)
        if (number, action) not in here:
            if anywhere[action] <= 0:
                strange.append(number)
            anywhere[action] -= 1
    return strange


def action_text(action: Any) -> str:
    """An action as text for a person to read, with its names in alphabetical order."""
    try:
        return canonical.write(_in_order(action))
    except canonical.CanonicalError:
        return str(action)


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _in_order(value[name]) for name in sorted(value)}
    return [_in_order(each) for each in value] if isinstance(value, list) else value


def card_of(move: dict[str, Any]) -> str | None:
    """The card that a move plays from a hand."""
    action = move["action"]
    return action.get("cardId") if isinstance(action, dict) else None
