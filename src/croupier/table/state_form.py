"""The form of what a room shows: views and menus before there are cards, and actions in a game's own type."""

from typing import Any, cast

import msgspec

from croupier.game.game import Offer
from croupier.game.registry import GAMES
from croupier.table.client_memory import OwnPart
from croupier.table.mirror import in_json, plain, read_rules
from croupier.table.round import begin


def is_undealt(name: str, you: OwnPart) -> bool:
    """Whether a view and a menu have the form that this game gives them before its cards."""
    game = GAMES.get(name)
    if game is None:
        return you.view is None and not you.menu
    view = None if you.view is None else msgspec.convert(you.view, game.view, str_keys=True)
    # The game's union of actions is a value here, so the type is put together at run time.
    offer = cast(Any, Offer)[game.action]
    menu = [msgspec.convert(each, offer) for each in you.menu]
    return in_json(plain(view)) == in_json(you.view) and in_json(plain(menu)) == in_json(you.menu)


def deals_first(game: str, rules: Any) -> bool:
    """Whether a round of this game has its cards before anybody acts."""
    known = GAMES.get(game)
    return known is not None and begin(read_rules(known, rules)).wants is not None


def read_action(actions: Any, raw: Any) -> Any:
    """An action in the game's own type; None for what is none, such as a command of the room."""
    try:
        return msgspec.convert(raw, actions)
    except msgspec.ValidationError:
        return None


def is_own(actions: Any, raw: Any, *, is_dealt: bool) -> bool:
    """Whether this is an action that only the player can have done: once there are cards every one, before them a
    bet."""
    action = read_action(actions, raw)
    return action is not None and (is_dealt or bool(action.stakes))


def card_of(move: dict[str, Any]) -> str | None:
    """The card that a move plays from a hand."""
    action = move["action"]
    return action.get("cardId") if isinstance(action, dict) else None
