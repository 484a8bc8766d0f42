"""The uppermost line: what is played, and how far it has come."""

from rich.text import Text

from croupier.clients.snapshot import Moment
from croupier.clients.terminal.words import Words
from croupier.games.blackjack.rules.view import BlackjackView
from croupier.games.poker.rules.view import HoldemView


def header(moment: Moment, words: Words, columns: int) -> Text:
    """One line: game, rules, and what a player wants to know at every glance. Where that is too wide, the rules' name
    is left out first, then the game's."""
    public = moment.public
    game = words.game(public.game)
    facts = _facts(moment, words)
    for title in (f"{game} – {words.preset(public.game, public.preset)}", game):
        line = Text("  ".join((title, *facts)), no_wrap=True)
        if line.cell_len <= columns:
            return line
    return Text("  ".join(facts), no_wrap=True)


def _facts(moment: Moment, words: Words) -> list[str]:
    t = words.t
    match moment.view:
        case HoldemView() as view:
            facts = [t("play.holdem.header", hand=view.hand, small=view.small_blind, big=view.big_blind)]
            if view.ante:
                facts.append(t("play.holdem.ante", ante=view.ante))
            if view.level:
                facts.append(t("play.holdem.level", level=view.level))
            if view.hands_to_next_level:
                facts.append(t("play.holdem.next_level", hands=view.hands_to_next_level))
            return facts
        case BlackjackView() as view:
            return [t("play.blackjack.shoe", cards=view.shoe_left)]
        case None:
            return [t("play.room.code", code=moment.public.room_code)]
    return []
