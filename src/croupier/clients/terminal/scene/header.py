"""The uppermost line: what is played, and how far it has come."""

from rich.text import Text

from croupier.clients.moment import Moment
from croupier.clients.terminal.words import Words
from croupier.rules.blackjack.view import BlackjackView
from croupier.rules.holdem.view import HoldemView


def header(moment: Moment, words: Words) -> Text:
    """One line: game, rules, and what a player wants to know at every glance."""
    public, t = moment.public, words.t
    parts = [f"{words.game(public.game)} – {words.preset(public.game, public.preset)}"]
    match moment.view:
        case HoldemView() as view:
            parts.append(t("play.holdem.header", hand=view.hand, small=view.small_blind, big=view.big_blind))
            if view.ante:
                parts.append(t("play.holdem.ante", ante=view.ante))
            if view.level:
                parts.append(t("play.holdem.level", level=view.level))
            if view.hands_to_next_level:
                parts.append(t("play.holdem.next_level", hands=view.hands_to_next_level))
        case BlackjackView() as view:
            parts.append(t("play.blackjack.shoe", cards=view.shoe_left))
        case None:
            parts.append(t("play.room.code", code=public.room_code))
    return Text("  ".join(parts), no_wrap=True)
