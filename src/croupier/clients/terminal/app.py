"""The full-screen table: the scene, the log of events, and what can be pressed. 80 columns and 24 rows are enough."""

from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import ModalScreen
from textual.widgets import RichLog, Static

from croupier.clients.alarm import AlarmError
from croupier.clients.connection import RefusedError
from croupier.clients.plain import table
from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.blocks import DIM, GOLD, PRESSES, RED
from croupier.clients.terminal.hang_up import end_with_terminal
from croupier.clients.terminal.modes import Choosing, Do, Mode, Say, Talking, Tell, flow, key_hint
from croupier.clients.terminal.questions import LEAVE, Question
from croupier.clients.terminal.session import RoomChoice, Session, is_out, room_choices
from croupier.clients.terminal.table import table_of
from croupier.clients.terminal.words import Words
from croupier.game.game import Action

LINES_KEPT_MAX: Final = 500
COLUMNS_MIN: Final = 60
"""Below that no table can be drawn."""
LINE_CHECK_SECONDS: Final = 0.5
STANDING: Final = "t"
HELP: Final = "?"
QUIT: Final = "q"
TALK: Final = "/"


class Pressable(Static):
    """Text with marked parts: a click on one presses its key."""

    def on_click(self, event: events.Click) -> None:
        key = event.style.meta.get(PRESSES)
        if key is None:
            return
        event.stop()
        if isinstance(self.screen, Asking):
            self.screen.answer(key)
        elif isinstance(self.app, TableApp):
            self.app.press(key)


class Notice(ModalScreen[None]):
    """Some lines over the table. Any key or click closes it."""

    def __init__(self, lines: list[str], *, ascii_only: bool) -> None:
        super().__init__(classes="ascii" if ascii_only else "")
        self._lines = lines

    def compose(self) -> ComposeResult:
        title, *rest = self._lines
        yield Static(Text("\n").join([Text(title, style=GOLD), Text(), *(Text(line) for line in rest)]))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss()
        if event.character == QUIT and isinstance(self.app, TableApp):
            self.app.press(QUIT)

    def on_click(self) -> None:
        self.dismiss()


class Asking(ModalScreen[bool]):
    """A question over the whole table, with two answers."""

    def __init__(self, asked: Question, words: Words) -> None:
        super().__init__(classes="ascii" if words.ascii_only else "")
        self._asked = asked
        self._words = words

    def compose(self) -> ComposeResult:
        title, *rest = self._asked.lines
        style = RED if self._asked.kind == "alarm" else GOLD
        keys = [key_hint(self._asked.key, self._asked.label), key_hint(LEAVE, self._words.t("alarm.leave"))]
        parts = [Text(title, style=style), *(Text(line) for line in rest), flow(keys, 74)]
        yield Pressable(Text("\n\n").join(parts))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.answer(event.character or "")

    def answer(self, key: str) -> None:
        """Take one of the two answers; ignore anything else."""
        if key.lower() in (self._asked.key, LEAVE):
            self.dismiss(key.lower() == self._asked.key)


class Tale(RichLog):
    """The log. Its lines are wrapped again when its width changes."""

    _columns = 0

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width != self._columns and isinstance(self.app, TableApp):
            self._columns = event.size.width
            self.call_after_refresh(self.app.wrap_log)


class TableApp(App[list[str]]):
    """A table for one player. Returns the standing as lines."""

    CSS = """
    Screen { layout: vertical; background: #14171c; color: #d7dae0; }
    Notice { align: center middle; background: #14171c 60%; }
    Notice > Static { width: auto; max-width: 78; height: auto; max-height: 100%; padding: 1 2;
                      background: $surface; border: round $warning; }
    Notice.ascii > Static { border: ascii $warning; }
    Asking { align: center middle; background: #14171c; }
    Asking > Static { width: 100%; height: 100%; padding: 1 2; background: #2a1114; border: heavy $error; }
    Asking.ascii > Static { border: ascii $error; }
    #header { height: 1; background: #23402f; color: #ffffff; text-style: bold; padding: 0 1; }
    #middle { layout: vertical; height: 1fr; }
    #scene { height: auto; padding: 1 0 0 0; text-wrap: nowrap; text-overflow: clip; }
    #log { height: 1fr; min-height: 3; border-top: solid #3a3f48; padding: 0 1; background: #14171c;
           scrollbar-size-vertical: 1; }
    #status { height: auto; max-height: 2; padding: 0 1; }
    #prompt { height: auto; max-height: 7; padding: 0 1; }
    #footer { height: 1; background: #23272e; padding: 0 1; }
    .-short #scene { padding: 0; }
    .-wide #middle { layout: horizontal; }
    .-wide #scene { width: 82; }
    .-wide #log { height: 100%; width: 1fr; border-top: none; border-left: solid #3a3f48; }
    .ascii #log { border-top: ascii #3a3f48; }
    .-wide.ascii #log { border-top: none; border-left: ascii #3a3f48; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012 -- declared so by Textual
    VERTICAL_BREAKPOINTS = [(0, "-short"), (28, "-tall")]  # noqa: RUF012 -- the same
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "stop", priority=True, show=False),
        Binding("pageup", "scroll_log(-1)", show=False),
        Binding("pagedown", "scroll_log(1)", show=False),
    ]

    def __init__(self, session: Session, words: Words) -> None:
        super().__init__()
        self.title = words.t("play.start.title")
        self._session = session
        self._words = words
        self._table = table_of(session.room.state["public"]["game"], words)
        self._mode: Mode = Choosing()
        self._lines: list[Text] = []
        self._announced_end = False
        self._is_cut_off = False
        self._asked_to_leave = False
        self._snapshot: Snapshot | None = None
        self._header = Static(id="header")
        self._scene = Pressable(id="scene")
        self._tale = Tale(id="log", wrap=True, max_lines=LINES_KEPT_MAX, min_width=10)
        self._tale.can_focus = False
        self._status = Static(id="status")
        self._prompt = Pressable(id="prompt")
        self._footer = Pressable(id="footer")

    def compose(self) -> ComposeResult:
        yield self._header
        with Container(id="middle"):
            yield self._scene
            yield self._tale
        yield self._status
        yield self._prompt
        yield self._footer

    def on_mount(self) -> None:
        end_with_terminal(self)
        self.screen.set_class(self._words.ascii_only, "ascii")
        self.run_worker(self._follow(), exit_on_error=True)
        self.run_worker(self._listen(), exit_on_error=True)
        self.set_interval(LINE_CHECK_SECONDS, self._check_line)

    async def _follow(self) -> None:
        """Show every snapshot of the room."""
        while True:
            snapshot = await self._session.next(self._words)
            for note in self._session.notes(self._words):
                self._add_line(Text(note, style=DIM))
            if isinstance(snapshot, Question):
                await self._ask(snapshot)
                continue
            self._snapshot = snapshot
            for line in self._table.told(snapshot):
                self._add_line(Text(line))
            self._offer(snapshot)
            self._say(self._situation(snapshot))
            self._redraw()
            if snapshot.ended and not self._announced_end:
                self.action_standing()
            self._announced_end = snapshot.ended

    def _check_line(self) -> None:
        """Say that the connection is lost, or that it is back. Nothing can be chosen in between."""
        is_cut_off = not self._session.client.is_connected
        if is_cut_off == self._is_cut_off or self._snapshot is None:
            return
        self._is_cut_off = is_cut_off
        self._offer(self._snapshot)
        self._say(self._situation(self._snapshot))
        self._redraw()

    async def _ask(self, asked: Question) -> None:
        """Ask over the whole screen. Nothing can be chosen until it is answered."""
        self._mode = Choosing()
        self._redraw()
        if not await self.push_screen_wait(Asking(asked, self._words)):
            self.action_stop()
            return
        try:
            await self._session.accept(asked)
        except RefusedError as refused:
            self._say(Text(self._words.refusal(refused.code, refused.facts), style=RED))
        except TimeoutError:
            self._say(Text(self._words.t("play.waiting"), style=RED))
        if asked.kind != "alarm" and self._snapshot is not None:
            self._offer(self._snapshot)
            self._redraw()

    async def _listen(self) -> None:
        """Show what others in the room say."""
        while True:
            said = await self._session.hear()
            self._add_line(Text(self._words.t("play.says", name=said.name, text=said.text), style=GOLD))

    def _offer(self, snapshot: Snapshot) -> None:
        """Offer what can be chosen now. An amount or a chat line that is being typed stays."""
        offered = Choosing()
        if not self._is_cut_off:
            commands = room_choices(snapshot, self._words)
            offered = Choosing(self._table.choices(snapshot), commands, last=self._session.last)
        self._mode = self._mode.among(offered)

    def _situation(self, snapshot: Snapshot) -> Text:
        """One line that says whose turn it is."""
        t, public = self._words.t, snapshot.public
        if self._is_cut_off:
            return Text(t("play.cut_off"), style=RED)
        if not snapshot.is_proved:
            return Text(t("play.unproved"), style=RED)
        if snapshot.menu:
            return Text(t("play.your_turn"), style=GOLD)
        if is_out(snapshot):
            return Text(t("play.out"), style=GOLD)
        if snapshot.round_over or not public.turn:
            return Text()
        if snapshot.seat is None:
            return Text(t("play.watching"), style=DIM)
        return Text(t("play.thinking", name=self._words.name(public, public.turn[0])), style=DIM)

    def _add_line(self, line: Text) -> None:
        self._lines = [*self._lines[1 - LINES_KEPT_MAX :], line]
        self._tale.write(line)

    def _say(self, text: Text) -> None:
        self._status.update(text)

    def _redraw(self) -> None:
        snapshot = self._snapshot
        if snapshot is None:
            return
        self._header.update(self._table.header(snapshot, self.size.width - 2))
        if self.size.width < COLUMNS_MIN:
            said = self._words.t("play.too_narrow", columns=self.size.width, low=COLUMNS_MIN)
            self._scene.update(Text("\n").join(Text(said, style=RED).wrap(self.console, self.size.width)))
        else:
            self._scene.update(self._table.draw(snapshot, self._mode.focus))
        self._prompt.update(self._mode.prompt(self._words, self.size.width - 2))
        self._footer.update(self._last_line())

    def _last_line(self) -> Text:
        """The keys that always work, and how many cards were proved."""
        t, checker = self._words.t, self._session.room.checker
        talk = () if self._session.alone else ((TALK, "say"),)
        keys = (*talk, (STANDING, "standing"), (HELP, "help"), (QUIT, "quit"))
        line = Text("  ").join(key_hint(key, t(f"play.keys.{name}")) for key, name in keys)
        if checker.findings:
            return line.append("   " + t("play.alarms", count=len(checker.findings)), style=RED)
        return line.append("   " + t("play.checked", count=checker.checked), style=DIM)

    def on_resize(self) -> None:
        """Redraw once all parts of the screen have their new size."""
        self.call_after_refresh(self._redraw)

    def wrap_log(self) -> None:
        """Wrap the lines of the log again."""
        self._tale.clear()
        for line in self._lines:
            self._tale.write(line)

    def on_key(self, event: events.Key) -> None:
        printable = event.character is not None and event.is_printable
        key = event.character if printable and event.character is not None else event.key
        if printable and not isinstance(self._mode, Talking):
            key = key.lower()
        if key not in ("pageup", "pagedown", "tab", "shift+tab"):
            self.press(key)

    def _quit(self) -> None:
        """Leave the table. In a round that is played, ask first: leaving gives it up."""
        now = self._snapshot
        is_in = now is not None and now.seat is not None and not (now.round_over or now.ended) and now.public.turn
        if is_in and not self._asked_to_leave:
            self._asked_to_leave = True
            self._say(Text(self._words.t("play.leave_asks", key=QUIT), style=GOLD))
        else:
            self.action_stop()

    def press(self, key: str) -> None:
        """Handle a key or a click."""
        self._asked_to_leave = self._asked_to_leave and key == QUIT
        if isinstance(self._mode, Talking):
            self._react(key)
        elif key == TALK and isinstance(self._mode, Choosing) and not self._session.alone:
            self._mode = Talking(self._mode)
            self._redraw()
        elif key == QUIT:
            self._quit()
        elif key == STANDING:
            self.action_standing()
        elif key == HELP:
            lines = [f"play.help.{line}" for line in ("title", "choose", "amount", "number")]
            lines += [*self._table.help_texts, "play.help.talk", "play.help.other"]
            self._notice([self._words.t(line) for line in lines])
        else:
            self._react(key)

    def _react(self, key: str) -> None:
        snapshot = self._snapshot
        if snapshot is None:
            return
        reaction = self._mode.press(key, self._words)
        match reaction:
            case Do(what):
                # Nothing can be pressed until the room has answered.
                self._mode = Choosing()
                self._redraw()
                self.run_worker(self._do(what, snapshot))
            case Tell(text):
                self._mode = Choosing()
                self._offer(snapshot)
                self._redraw()
                self.run_worker(self._tell(text))
            case Say(text):
                # While the line is lost, that is why nothing can be chosen.
                self._say(self._situation(snapshot) if self._is_cut_off else Text(text, style=RED))
            case _:
                self._mode = reaction
                self._say(self._situation(snapshot))
                self._redraw()

    async def _do(self, what: Action | RoomChoice, chosen_at: Snapshot) -> None:
        """Carry out a choice. After a refusal, say why and offer the choice again."""
        try:
            if isinstance(what, RoomChoice):
                await self._session.do(what)
            else:
                await self._session.act(what, chosen_at)
                self._session.remember(what, chosen_at, self._table.remembered)
                for line in self._table.judged(chosen_at, what):
                    self._add_line(Text(line, style=GOLD))
        except AlarmError as alarm:
            # If the room has an alarm, it is on the screen already. Otherwise it is about this action.
            self._offer_again()
            self._say(Text(alarm.said(self._words.language)[0], style=RED))
        except RefusedError as refused:
            self._offer_again()
            self._say(Text(self._words.refusal(refused.code, refused.facts), style=RED))
        except TimeoutError:
            self._say(Text(self._words.t("play.waiting"), style=RED))

    def _offer_again(self) -> None:
        if self._snapshot is not None and not self._session.room.alarms:
            self._offer(self._snapshot)
            self._redraw()

    async def _tell(self, text: str) -> None:
        try:
            await self._session.tell(text)
        except RefusedError as refused:
            self._say(Text(self._words.refusal(refused.code, refused.facts), style=RED))
        except TimeoutError:
            self._say(Text(self._words.t("play.waiting"), style=RED))

    def _standing(self) -> list[str]:
        if self._snapshot is None:
            return []
        rows = self._table.standing(self._snapshot)
        title = self._words.t("play.final" if self._snapshot.ended else "play.so_far")
        return [title, *table(rows)] if rows else []

    def action_standing(self) -> None:
        lines = self._standing()
        if lines:
            self._notice(lines)

    def _notice(self, lines: list[str]) -> None:
        self.push_screen(Notice(lines, ascii_only=self._words.ascii_only))

    def action_scroll_log(self, pages: int) -> None:
        if pages < 0:
            self._tale.scroll_page_up()
        else:
            self._tale.scroll_page_down()

    def action_stop(self) -> None:
        self.exit([*self._standing(), self._words.t("play.bye")])
