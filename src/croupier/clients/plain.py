"""The line mode: events are printed as sentences, and choices are read line by line.

For pipes, screen readers and simple terminals. The end of the input ends the game.
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
from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.choices import Choice
from croupier.clients.terminal.questions import LEAVE, Question
from croupier.clients.terminal.session import RoomChoice, Session, Wish, room_choices
from croupier.clients.terminal.table import table_of
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
    """The player wants to stop, or the input has ended."""


class _LobbyChangedError(Exception):
    """The lobby has changed since the person was asked."""


class _AlarmedError(Exception):
    """An alarm came: the pending question is dropped."""


class LineTable:
    """A table for one player, line by line."""

    def __init__(self, session: Session, words: Words, read_line: ReadLine, write: Write, *, echo: bool) -> None:
        """With `echo`, print what was read, too: a pipe does not show it."""
        self._echo = echo
        self._session = session
        self._words = words
        self._read_line = read_line
        self._write = write
        self._table = table_of(session.room.state["public"]["game"], words)
        self._lobby: list[str] = []
        self._waiting: frozenset[str] = frozenset()
        """The people last seen waiting to be admitted."""
        self._lobby_choices: tuple[RoomChoice, ...] = ()
        """What was listed last in the lobby."""
        self._reading: asyncio.Future[str | None] | None = None
        """The line being read."""

    async def run(self) -> None:
        """Play until the player stops or the input ends, then print the standing."""
        snapshot: Snapshot | None = None
        listening = asyncio.create_task(self._listen())
        try:
            self._write(self._words.t("play.plain.welcome"))
            while True:
                shown = await (self._next_while_watching() if _watches(snapshot) else self._session.next(self._words))
                for note in self._session.notes(self._words):
                    self._write(note)
                with suppress(_AlarmedError, _LobbyChangedError):
                    if isinstance(shown, Question):
                        await self._answer(shown)
                    else:
                        snapshot = shown
                        await self._show(snapshot)
        except _StopError:
            pass
        finally:
            listening.cancel()
        if snapshot is not None and not snapshot.ended:
            self._show_standing(snapshot)
        self._write(self._words.t("play.bye"))

    async def _next_while_watching(self) -> Snapshot | Question:
        """The next snapshot for a spectator, who is asked nothing. The end of the input ends the game here, too."""
        coming = asyncio.ensure_future(self._session.next(self._words))
        try:
            while not coming.done():
                if self._reading is None:
                    self._reading = asyncio.ensure_future(self._read_line())
                await asyncio.wait((coming, self._reading), return_when=asyncio.FIRST_COMPLETED)
                if self._reading.done():
                    line, self._reading = self._reading.result(), None
                    if line is None or line.strip().lower() in QUIT:
                        raise _StopError
            return await coming
        finally:
            coming.cancel()

    async def _answer(self, asked: Question) -> None:
        """Ask until the question is answered. Nothing else can be chosen."""
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
        """Print what others in the room say."""
        while True:
            said = await self._session.hear()
            self._write(self._words.t("play.says", name=said.name, text=said.text))

    async def _tell(self, text: str) -> None:
        try:
            await self._session.tell(text)
        except RefusedError as refused:
            self._write(self._words.refusal(refused.code, refused.facts))

    async def _show(self, snapshot: Snapshot) -> None:
        if not snapshot.is_proved:
            self._write(self._words.t("play.unproved"))
        for line in self._table.told(snapshot):
            self._write(line)
        self._show_waiting(snapshot)
        if snapshot.public.phase is Phase.LOBBY:
            await self._wait_in_lobby(snapshot)
        elif snapshot.ended:
            self._show_standing(snapshot)
            await self._ask(snapshot)
        elif snapshot.menu or (self._stands_still(snapshot) and room_choices(snapshot, self._words)):
            await self._ask(snapshot)

    def _stands_still(self, snapshot: Snapshot) -> bool:
        """Whether the round is over, and a private room has paused after it, so that going on is among the choices."""
        return snapshot.round_over and (snapshot.public.paused or not self._session.alone)

    def _show_waiting(self, snapshot: Snapshot) -> None:
        """Tell the host once who wants to come in."""
        waiting = {each.id: each.name for each in snapshot.public.waiting} if snapshot.is_host else {}
        for person, name in waiting.items():
            if person not in self._waiting:
                self._write(self._words.t("play.room.asks", name=name))
        self._waiting = frozenset(waiting)

    async def _wait_in_lobby(self, snapshot: Snapshot) -> None:
        """Print who is in the lobby. Ask once; a host who starts too early is told why."""
        names = [
            self._words.t("play.room.is_ready" if member.ready else "play.room.is_here", name=member.name)
            for member in snapshot.public.members
        ]
        if names != self._lobby:
            self._lobby = names
            self._write(self._words.t("play.room.lobby", code=snapshot.public.room_code, names=self._words.join(names)))
        if snapshot.is_host or not snapshot.is_ready:
            await self._ask(snapshot)

    def _show_standing(self, snapshot: Snapshot) -> None:
        rows = self._table.standing(snapshot)
        if not rows:
            return
        self._write(self._words.t("play.standing"))
        for row in table(rows):
            self._write(row)

    async def _ask(self, snapshot: Snapshot) -> None:
        """Ask until something is done, or the player stops."""
        if snapshot.menu:
            for line in self._table.situation(snapshot):
                self._write(line)
        offered = self._table.choices(snapshot)
        commands = room_choices(snapshot, self._words)
        in_lobby = snapshot.public.phase is Phase.LOBBY
        if not in_lobby or commands != self._lobby_choices:
            self._list(offered, commands)
        self._lobby_choices = commands if in_lobby else ()
        while True:
            line = await self._read(self._words.t("play.plain.prompt"), in_lobby=in_lobby)
            if line.startswith(TALK) and line.strip(f"{TALK} "):
                await self._tell(line[1:].strip())
                continue
            word, _, rest = line.lower().partition(" ")
            if word == HELP:
                self._list(offered, commands)
            elif word == STANDING:
                self._show_standing(snapshot)
            elif await self._do(word, rest.strip(), offered, commands, snapshot):
                return

    def _list(self, offered: tuple[Choice, ...], commands: tuple[RoomChoice, ...]) -> None:
        for number, choice in enumerate(offered, start=1):
            few = len(choice.offer.among) <= CELLS_LISTED_MAX
            where = f": {self._words.join(map(str, choice.offer.among))}" if choice.needs_cell and few else ""
            key = "" if choice.key == str(number) else f"{choice.key}  "
            self._write(f"  {_place(choice, number)}  {key}{choice.label}{where}")
        for command in commands:
            self._write(f"  {command.key or self._words.t('play.enter')}  {command.label}")
        keys = {"standing": STANDING, "help": HELP, "quit": QUIT[0]}
        self._write("  " + self._words.t("play.plain.always", **keys))
        if not self._session.alone:
            self._write("  " + self._words.t("play.plain.talk"))

    async def _do(
        self, word: str, rest: str, offered: tuple[Choice, ...], commands: tuple[RoomChoice, ...], snapshot: Snapshot
    ) -> bool:
        """Do what the line says. Return whether something was done. If it is not understood, print what is possible."""
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
            await self._session.act(choice.action(value), snapshot)
        except AlarmError as alarm:
            if self._session.room.alarms:
                raise _AlarmedError from None
            self._write(alarm.said(self._words.language)[0])
            return False
        except RefusedError as refused:
            self._write(self._words.refusal(refused.code, refused.facts))
            # If the game has moved on, the next snapshot shows it; else the same question is asked again.
            return self._session.room.version > snapshot.public.version
        return True

    def _refuse(self, word: str, offered: tuple[Choice, ...], commands: tuple[RoomChoice, ...]) -> None:
        keys = [choice.key for choice in offered]
        keys += [command.key or self._words.t("play.enter") for command in commands]
        allowed = self._words.join((*keys, STANDING, HELP, QUIT[0]))
        self._write(self._words.t("play.unknown", word=word or self._words.t("play.enter"), allowed=allowed))

    async def _value(self, choice: Choice, given: str) -> int | None:
        """The number for an open choice, given with it or asked for; None if it is not possible."""
        if not choice.offer.field:
            return None
        if choice.needs_cell and len(choice.offer.among) == 1 and not given:
            return choice.offer.among[0]
        words = [preset.word for preset in choice.presets]
        if not given:
            key = "play.plain.which_number" if choice.needs_cell else "play.plain.how_much"
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

    async def _read(self, prompt: str, *, alarmed: bool = False, in_lobby: bool = False) -> str:
        """The next line of the player. An alarm interrupts, unless the player is being asked about it; in the lobby, so
        does somebody who comes, goes or asks to be let in."""
        self._write(prompt)
        reading = self._reading = self._reading or asyncio.ensure_future(self._read_line())
        news = asyncio.ensure_future(self._session.news() if in_lobby else self._session.alarmed())
        try:
            await asyncio.wait((reading,) if alarmed else (reading, news), return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
        if not reading.done():
            raise _LobbyChangedError if in_lobby else _AlarmedError
        self._reading = None
        line = reading.result()
        if line is not None and self._echo:
            self._write(f"> {line}")
        if line is None or line.strip().lower() in QUIT:
            raise _StopError
        return line.strip()


def _watches(snapshot: Snapshot | None) -> bool:
    """Whether the player has no seat in a match that goes on."""
    return snapshot is not None and snapshot.seat is None and snapshot.public.phase is not Phase.LOBBY


def _chosen(word: str, offered: tuple[Choice, ...]) -> Choice | None:
    """The choice by its key, its label, or the number that it is listed under."""
    for number, choice in enumerate(offered, start=1):
        if word and word in (choice.key, choice.label.lower(), _place(choice, number)):
            return choice
    return None


def _place(choice: Choice, number: int) -> str:
    """The number that a choice is listed under: its key if that is a number."""
    return choice.key if choice.key.isdecimal() else str(number)


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows in columns that are as wide as their widest text, counted as terminals do."""
    widths = [max(cell_len(text) for text in column) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(pad(text, width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


async def ask_wish(wish: Wish, words: Words, read_line: ReadLine, write: Write) -> Wish | None:
    """The wish with a game, asked for if none was named; None if the player stops."""
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
        named = GAMES.named(word)
        if named is not None:
            return replace(wish, game=named[0], preset=named[1])
        allowed = words.join((f"1–{len(entries)}", *GAMES, QUIT[0]))
        write(words.t("play.unknown", word=word, allowed=allowed))
    return None


class LineReader:
    """Reads lines of a file descriptor in a thread, so that the game goes on meanwhile.

    It reads the descriptor itself: a thread blocked inside `sys.stdin` would delay the end of the program.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._pump, daemon=True).start()

    async def __call__(self) -> str | None:
        """The next line, without its line break; None after the last."""
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
            # The program is ending, and its event loop is closed.
            return


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _READ_BYTES)
    except OSError:
        return b""
