"""The first screen: asks for a name and a game if the command line named none."""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from croupier.clients.terminal.hang_up import end_with_terminal
from croupier.clients.terminal.session import Wish
from croupier.clients.terminal.words import Words
from croupier.game.registry import GAMES
from croupier.shown_text import NICKNAME_CHARACTERS_MAX


class StartApp(App[tuple[Wish, str]]):
    """Asks for a name and a game. Returns both, or nothing if the player quits."""

    CSS = """
    Screen { align: center middle; background: #14171c; }
    Vertical { width: 60; height: auto; border: round #5faf7f; padding: 0 2; }
    Label { margin: 1 0 0 0; }
    OptionList { height: auto; max-height: 10; }
    .ascii Vertical, .ascii Input, .ascii OptionList { border: ascii #5faf7f; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c,ctrl+q", "stop", priority=True, show=False),
    ]

    def __init__(self, words: Words, name: str, *, asks_name: bool) -> None:
        super().__init__()
        self._words = words
        self._nickname = name
        self._asks_name = asks_name

    def compose(self) -> ComposeResult:
        t, words = self._words.t, self._words
        entries = [(game, preset) for game, entry in GAMES.items() for preset in entry.presets]
        with Vertical() as box:
            box.border_title = t("play.start.title")
            yield Label(t("play.start.nickname"))
            yield Input(self._nickname, max_length=NICKNAME_CHARACTERS_MAX, id="name")
            yield Label(t("play.start.which"))
            yield OptionList(
                *(
                    Option(
                        t("play.start.entry", game=words.game(game), preset=words.preset(game, preset)),
                        id=f"{game}/{preset}",
                    )
                    for game, preset in entries
                )
            )

    def on_mount(self) -> None:
        end_with_terminal(self)
        self.screen.set_class(self._words.ascii_only, "ascii")
        games = self.query_one(OptionList)
        games.highlighted = 0
        (self.query_one(Input) if self._asks_name else games).focus()

    def on_input_submitted(self) -> None:
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        game, _, preset = (event.option_id or "").partition("/")
        name = self.query_one(Input).value.strip()
        self.exit((Wish(game, preset), name or self._words.t("play.player")))

    def action_stop(self) -> None:
        self.exit(None)
