"""What a table looks like: one painter a game, and a plain one for any other game.

A painter turns a moment into text with styles. What can be clicked carries in its style which key that presses.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
from rich.text import Text

from croupier.clients.snapshot import Moment
from croupier.clients.terminal.scene.parts import Focus
from croupier.clients.terminal.words import Words
from croupier.games.blackjack.terminal.scene import draw_blackjack
from croupier.games.poker.terminal.scene import draw_holdem
from croupier.games.sequence.terminal.scene import draw_sequence

Painter: TypeAlias = Callable[[Moment, Words, Focus], list[Text]]

_PAINTERS: Final[dict[str, Painter]] = {
    "blackjack": draw_blackjack,
    "holdem": draw_holdem,
    "sequence": draw_sequence,
}


def draw(moment: Moment, words: Words, focus: Focus) -> Text:
    """The table, a line a row."""
    if moment.view is None:
        return Text("\n").join(_draw_lobby(moment, words))
    return Text("\n").join(_PAINTERS.get(moment.public.game, _draw_any)(moment, words, focus))


def _draw_lobby(moment: Moment, words: Words) -> list[Text]:
    lines = [Text(words.t("play.room.code", code=moment.public.room_code), style="bold"), Text()]
    for member in moment.public.members:
        key = "play.room.is_ready" if member.ready else "play.room.is_here"
        lines.append(Text("  " + words.t(key, name=words.member(moment.public.game, member))))
    return lines


def _draw_any(moment: Moment, words: Words, focus: Focus) -> list[Text]:
    """A game without a painter: its view by name."""
    view = msgspec.to_builtins(moment.view)
    return [Text(f"{name}: {value}") for name, value in view.items()]
