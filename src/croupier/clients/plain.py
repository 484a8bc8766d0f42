"""The line mode: what happens is printed in sentences, and choices are read a line at a time.

For pipes, screen readers and terminals that can do no more. The end of the input ends the game.
"""

import asyncio
import codecs
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from msgspec.structs import replace
from rich.cells import cell_len

from croupier.clients.alarm import AlarmError
from croupier.clients.connection import RefusedError
from croupier.clients.snapshot import Moment
from croupier.clients.terminal.choices import Choice, choices
from croupier.clients.terminal.questions import LEAVE, Question
from croupier.clients.terminal.session import RoomChoice, Session, Wish, room_choices
from croupier.clients.terminal.story import story_of, told
from croupier.clients.terminal.words import Words, pad
from croupier.game.registry import GAMES
from croupier.table.room import Phase

QUIT: Final = ("q", "quit", "exit")
HELP: Final = "?"
STANDING: Final = "t"
TALK: Final = "/"
CELLS_LISTED_MAX: Final = 20
_READ_BYTES: Final = 4096

ReadLine = Callable[[], Awaitable[str | None]]
Write = Callable[[str], None]


class _StopError(Exception):
    """The person wants to stop, or the input has ended."""


class _AlarmedError(Exception):
    """There is an alarm: what was asked is not asked any more."""


class LineTable:
    """A table for one person, by lines."""

    def __init__(self, session: Session, words: Words, read_line: ReadLine, write: Write, *, echo: bool) -> None:
        """With `echo`, what was read is printed too: a pipe does not show it."""
        self._echo = echo
        self._session = session
        self._words = words
        self._read_line = read_line
        self._write = write
        self._story = story_of(session.room.state["public"]["game"], words)
        self._lobby: list[str] = []
        self._waiting: frozenset[str] = frozenset()
        """Who was last known to wait to be let in."""
        self._reading: asyncio.Future[str | None] | None = None
        """The line that is being read."""

    async def run(self) -> None:
        """Plays until the person stops or the input ends; then says how everybody stands."""
        moment: Moment | None = None
        listening = asyncio.create_task(self._listen())
        try:
            self._write(self._words.t("play.plain.welcome"))
            while True:
                shown = await self._session.next(self._words)
                for note in self._session.notes(self._words):
                    self._write(note)
                with suppress(_AlarmedError):
                    if isinstance(shown, Question):
                        await self._answer(shown)
                    else:
                        moment = shown
                        await self._show(moment)
        except _StopError:
            pass
        finally:
            listening.cancel()
        if moment is not None and not moment.ended:
            self._show_standing(moment)
        self._write(self._words.t("play.bye"))

    async def _answer(self, asked: Question) -> None:
        """Asks until the question is answered: nothing else can be chosen."""
        for line in asked.lines:
            self._write(line)
        keys = self._words.join((asked.key, LEAVE))
        self._write(f"  {asked.key}  {asked.label}")
        self._write(f"  {LEAVE}  {self._words.t('alarm.leave')}")
        while (word := (await self._read(self._words.t("play.plain.prompt"), alarmed=True)).lower()) != asked.key:
            if word == LEAVE:
                raise _StopError
            self._write(self._words.t("play.ask.first", keys=keys))
        try:
            await self._session.accept(asked)
        except RefusedError as refused:
            self._write(self._words.refusal(refused.code, refused.facts))

    async def _listen(self) -> None:
        """Prints what the others say, as they say it."""
        while True:
            said = await self._session.hear()
            self._write(self._words.t("play.says", name=said.name, text=said.text))

    async def _tell(self, text: str) -> None:
        try:
            await self._session.tell(text)
        except RefusedError as refused:
            self._write(self._words.refusal(refused.code, refused.facts))

    async def _show(self, moment: Moment) -> None:
        if not moment.is_proved:
            self._write(self._words.t("play.unproved"))
        for line in told(self._story, moment):
            self._write(line)
        self._show_waiting(moment)
        if moment.public.phase is Phase.LOBBY:
            await self._wait_in_lobby(moment)
        elif moment.ended:
            self._show_standing(moment)
            await self._ask(moment)
        elif moment.menu or (moment.round_over and room_choices(moment, self._words)):
            await self._ask(moment)

    def _show_waiting(self, moment: Moment) -> None:
        """Tells the host who wants to come in, once."""
        waiting = {each.id: each.name for each in moment.public.waiting} if moment.is_host else {}
        for person, name in waiting.items():
            if person not in self._waiting:
                self._write(self._words.t("play.room.asks", name=name))
        self._waiting = frozenset(waiting)

    async def _wait_in_lobby(self, moment: Moment) -> None:
        """Who is there. Asks once; a host who starts too early hears why."""
        names = [
            self._words.t("play.room.is_ready" if member.ready else "play.room.is_here", name=member.name)
            for member in moment.public.members
        ]
        if names != self._lobby:
            self._lobby = names
            self._write(self._words.t("play.room.lobby", code=moment.public.room_code, names=self._words.join(names)))
        if moment.is_host or not moment.is_ready:
            await self._ask(moment)

    def _show_standing(self, moment: Moment) -> None:
        rows = self._story.standing(moment)
        if not rows:
            return
        self._write(self._words.t("play.standing"))
        for row in table(rows):
            self._write(row)

    async def _ask(self, moment: Moment) -> None:
        """Asks until something was done, or somebody stops."""
        if moment.menu:
            for line in self._story.situation(moment):
                self._write(line)
        offered = choices(moment, self._words)
        commands = room_choices(moment, self._words)
        self._list(offered, commands)
        while True:
            line = await self._read(self._words.t("play.plain.prompt"))
            if line.startswith(TALK) and line.strip(f"{TALK} "):
                await self._tell(line[1:].strip())
                continue
            word, _, rest = line.lower().partition(" ")
            if word == HELP:
                self._list(offered, commands)
            elif word == STANDING:
                self._show_standing(moment)
            elif await self._do(word, rest.strip(), offered, commands, moment):
                return

    def _list(self, offered: tuple[Choice, ...], commands: tuple[RoomChoice, ...]) -> None:
        for number, choice in enumerate(offered, start=1):
            few = len(choice.offer.among) <= CELLS_LISTED_MAX
            where = f": {self._words.join(map(str, choice.offer.among))}" if choice.needs_cell and few else ""
            key = "" if choice.key == str(number) else f"{choice.key}  "
            place = choice.key if choice.key.isdecimal() else str(number)
            self._write(f"  {place}  {key}{choice.label}{where}")
        for command in commands:
            self._write(f"  {command.key or self._words.t('play.enter')}  {command.label}")
        keys = {"standing": STANDING, "help": HELP, "quit": QUIT[0]}
        self._write("  " + self._words.t("play.plain.always", **keys))
        if not self._session.alone:
            self._write("  " + self._words.t("play.plain.talk"))

    async def _do(
        self, word: str, rest: str, offered: tuple[Choice, ...], commands: tuple[RoomChoice, ...], moment: Moment
    ) -> bool:
        """Whether the line said something that was done. What is not understood is answered with what is."""
        try:
            command = next((command for command in commands if command.key == word), None)
            if command is not None:
                await self._session.do(command)
                return True
            choice = _chosen(word, offered)
            if choice is None:
                self._refuse(word, offered, commands)
                return False
            value = await self._value(choice, rest)
            if value is None and choice.offer.field:
                return False
            await self._session.act(choice.action(value), moment)
        except AlarmError as alarm:
            if self._session.room.alarms:
                raise _AlarmedError from None
            self._write(alarm.said(self._words.language)[0])
            return False
        except RefusedError as refused:
            self._write(self._words.refusal(refused.code, refused.facts))
            # Where the game has moved on, what it is now comes as the next moment; else the same is asked again.
            return self._session.room.version > moment.public.version
        return True

    def _refuse(self, word: str, offered: tuple[Choice, ...], commands: tuple[RoomChoice, ...]) -> None:
        keys = [choice.key for choice in offered]
        keys += [command.key or self._words.t("play.enter") for command in commands]
        allowed = self._words.join((*keys, STANDING, HELP, QUIT[0]))
        self._write(self._words.t("play.unknown", word=word or self._words.t("play.enter"), allowed=allowed))

    async def _value(self, choice: Choice, given: str) -> int | None:
        """The amount or cell of an open choice, given with it or asked for; None when it is not possible."""
        if not choice.offer.field:
            return None
        if choice.needs_cell and len(choice.offer.among) == 1 and not given:
            return choice.offer.among[0]
        words = [preset.word for preset in choice.presets]
        if not given:
            key = "play.plain.which_cell" if choice.needs_cell else "play.plain.how_much"
            facts = {"low": choice.offer.low, "high": choice.offer.high, "words": self._words.join(words)}
            given = (await self._read(self._words.t(key, **facts) + " ")).lower()
        preset = next((preset.value for preset in choice.presets if preset.word == given), None)
        if preset is not None:
            return preset
        if given.isascii() and given.isdecimal() and choice.admits(int(given)):
            return int(given)
        span = f"{choice.offer.low}–{choice.offer.high}"
        allowed = self._words.join(map(str, choice.offer.among) if choice.needs_cell else (span, *words))
        self._write(self._words.t("play.unknown", word=given, allowed=allowed))
        return None

    async def _read(self, prompt: str, *, alarmed: bool = False) -> str:
        """A line of the person. An alarm comes between, unless it is what the person is asked about."""
        self._write(prompt)
        reading = self._reading = self._reading or asyncio.ensure_future(self._read_line())
        alarm = asyncio.ensure_future(self._session.alarmed())
        try:
            await asyncio.wait((reading,) if alarmed else (reading, alarm), return_when=asyncio.FIRST_COMPLETED)
        finally:
            alarm.cancel()
        if not reading.done():
            raise _AlarmedError
        self._reading = None
        line = reading.result()
        if line is not None and self._echo:
            self._write(f"> {line}")
        if line is None or line.strip().lower() in QUIT:
            raise _StopError
        return line.strip()


def _chosen(word: str, offered: tuple[Choice, ...]) -> Choice | None:
    """The choice by its key, its label, or, where keys are letters, its number."""
    for choice in offered:
        if word and word in (choice.key, choice.label.lower()):
            return choice
    if word.isascii() and word.isdecimal() and not any(choice.key.isdecimal() for choice in offered):
        return offered[int(word) - 1] if 1 <= int(word) <= len(offered) else None
    return None


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows in columns that are as wide as their widest text, counted as terminals do."""
    widths = [max(cell_len(text) for text in column) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(pad(text, width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


async def ask_wish(wish: Wish, words: Words, read_line: ReadLine, write: Write) -> Wish | None:
    """The wish with a game in it, asked for where none was named; None when somebody would rather stop."""
    if wish.game or wish.code:
        return wish
    entries = [(game, preset) for game, entry in GAMES.items() for preset in entry.presets]
    write(words.t("play.start.which"))
    for number, (game, preset) in enumerate(entries, start=1):
        write(f"  {number}  " + words.t("play.start.entry", game=words.game(game), preset=words.preset(game, preset)))
    while (line := await read_line()) is not None:
        word = line.strip().lower()
        if word in QUIT:
            return None
        if word.isascii() and word.isdecimal() and 1 <= int(word) <= len(entries):
            game, preset = entries[int(word) - 1]
            return replace(wish, game=game, preset=preset)
        if word in GAMES:
            return replace(wish, game=word)
        allowed = words.join((f"1–{len(entries)}", *GAMES, QUIT[0]))
        write(words.t("play.unknown", word=word, allowed=allowed))
    return None


class LineReader:
    """Lines of a file descriptor, read by a thread, so that the game goes on meanwhile.

    It reads the descriptor itself: a thread that waits inside of `sys.stdin` would hold up the program's end.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._pump, daemon=True).start()

    async def __call__(self) -> str | None:
        """The next line without its end; None, again and again, after the last."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _pump(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        while data := _read(self._descriptor):
            *lines, rest = (rest + decoder.decode(data)).split("\n")
            for line in lines:
                self._tell(line)
        if rest:
            self._tell(rest)
        self._tell(None)

    def _tell(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:
            # The program is ending: nobody listens any more.
            return


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _READ_BYTES)
    except OSError:
        return b""
