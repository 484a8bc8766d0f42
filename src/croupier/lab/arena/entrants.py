"""The bots that can enter the arena, and how late or wrong answers are caught.

A text names a bot in one of three ways:

- A built-in bot's name: `solid`.
- `module:name` or `file.py:name`: a function from (view, menu) to an action, or a class that makes such objects; they
  may have `begin`, `observe` and `end` (`croupier.game.policy`). One object plays all deals of a block in one seating.
  A class that takes `random` gets a `random.Random`, the same for the same seed.
- `exec:command`: a program in any language. For every decision it reads a line of JSON on standard input, with `game`,
  `rules`, `seat`, `view` and `menu`, and writes the action as a line on standard output.
"""

import inspect
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from runpy import run_path
from time import perf_counter
from typing import Any, Final, Literal, Protocol, TypeAlias

import msgspec

from croupier import bots
from croupier.game.game import AnyRules, Offer, View
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES

PROGRAM: Final = "exec:"
ANSWER_BYTES_MAX: Final = 65_536
START_SECONDS_MAX: Final = 10.0
"""Extra time for a program's first answer: interpreters take a while to start."""
LATE: Final = "BOT_LATE"
CRASHED: Final = "BOT_CRASHED"
ENDED: Final = "BOT_ENDED"
UNREADABLE: Final = "BOT_UNREADABLE"
FAULTS: Final = (LATE, CRASHED, ENDED, UNREADABLE)
"""Faults that are found before the rules are asked."""

Menu: TypeAlias = tuple[Offer[Any], ...]
Told: TypeAlias = Literal["begin", "observe", "end"]


class ArenaError(ValueError):
    """A match that cannot be played. `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(f"{refusal.code}: {refusal.facts}")


class BotError(Exception):
    """A bot gave no usable answer. `code` says why, the text what came instead."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class SeatedBot(Protocol):
    """A bot in a seat, for a block of rounds. `close` ends what it started."""

    observes: bool
    """Whether it wants to hear events."""

    def tell(self, method: Told, fact: Any) -> None:
        """Tell the bot something, if it has such a method. Raises BotError when that fails."""

    def decide(self, seat: int, view: View, menu: Menu) -> Any:
        """The bot's action. Raises BotError if there is none."""

    def close(self) -> None: ...


class _RosterBot:
    """A built-in bot. It is quick, so it is not timed."""

    def __init__(self, name: str, rules: AnyRules, random: Random) -> None:
        self._policy: Any = bots.bot(rules.game, name, random, rules)
        self.observes = hasattr(self._policy, "observe")

    def tell(self, method: Told, fact: Any) -> None:
        if hasattr(self._policy, method):
            getattr(self._policy, method)(fact)

    def decide(self, seat: int, view: View, menu: Menu) -> Any:
        return self._policy(view, menu)

    def close(self) -> None:
        """Nothing was started."""


class _ModuleBot:
    """A function or class of a user's module."""

    def __init__(self, spec: str, seconds_max: float, random: Random) -> None:
        self._seconds_max = seconds_max
        found: Any = _import(spec)
        self._policy: Any = _made(found, random) if inspect.isclass(found) else found
        self.observes = hasattr(self._policy, "observe")

    def tell(self, method: Told, fact: Any) -> None:
        if hasattr(self._policy, method):
            self._timed(lambda: getattr(self._policy, method)(fact))

    def decide(self, seat: int, view: View, menu: Menu) -> Any:
        return self._timed(lambda: self._policy(view, menu))

    def _timed(self, call: Callable[[], Any]) -> Any:
        """What the call returns. Raises BotError if it takes too long or fails."""
        started = perf_counter()
        try:
            with _interrupted_after(self._seconds_max):
                answer = call()
        except _TooLate:
            raise BotError(LATE, f"{self._seconds_max:g} s") from None
        except (Exception, SystemExit) as error:
            raise BotError(CRASHED, _error_text(error)) from error
        if perf_counter() - started > self._seconds_max:
            raise BotError(LATE, f"{self._seconds_max:g} s")
        return answer

    def close(self) -> None:
        """Nothing was started."""


def _made(kind: Any, random: Random) -> Any:
    try:
        return kind(random=random) if "random" in inspect.signature(kind).parameters else kind()
    except (Exception, SystemExit) as error:
        return _BrokenBot(error)


class _BrokenBot:
    """Stands in for a bot whose class failed to construct: every decision raises the same error."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def __call__(self, view: View, menu: Menu, /) -> Any:
        raise self._error


class _ProgramBot:
    """A program. A late one is killed and restarted, so that a late answer is never taken for the next."""

    def __init__(self, command: str, rules: AnyRules, seconds_max: float) -> None:
        self.observes = False
        self._words = shlex.split(command)
        self._seconds_max = seconds_max
        self._game, self._rules = rules.game, msgspec.Raw(msgspec.json.encode(rules))
        self._decoder = msgspec.json.Decoder(GAMES[rules.game].action)
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: SimpleQueue[bytes] = SimpleQueue()

    def tell(self, method: Told, fact: Any) -> None:
        """A program is told nothing: the view has the history of the round."""

    def decide(self, seat: int, view: View, menu: Menu) -> Any:
        question = {"game": self._game, "rules": self._rules, "seat": seat, "view": view, "menu": menu}
        seconds_max = self._seconds_max + (START_SECONDS_MAX if self._process is None else 0.0)
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(msgspec.json.encode(question) + b"\n")
            process.stdin.flush()
        except OSError:
            self.close()
            raise BotError(ENDED, " ".join(self._words)) from None
        try:
            line = self._lines.get(timeout=seconds_max)
        except Empty:
            self.close()
            raise BotError(LATE, f"{seconds_max:g} s") from None
        if not line:
            self.close()
            raise BotError(ENDED, " ".join(self._words))
        try:
            return self._decoder.decode(line)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BotError(UNREADABLE, f"{error}: {line[:80].decode(errors='replace').strip()}") from None

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for stream in (process.stdin, process.stdout):
                assert stream is not None
                with suppress(OSError):
                    stream.close()
            process.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            except OSError as error:
                raise BotError(ENDED, f"{self._words[0]}: {error.strerror}") from None
            self._lines = SimpleQueue()
            reading = threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True)
            reading.start()
        return self._process


def seat_bot(spec: str, rules: AnyRules, seconds_max: float, random: Random) -> SeatedBot:
    """The bot that a text names. Raises ArenaError or RosterError if there is none."""
    if spec.startswith(PROGRAM):
        command = spec.removeprefix(PROGRAM)
        try:
            words = shlex.split(command)
        except ValueError:
            words = []
        if not words or shutil.which(words[0]) is None:
            raise ArenaError(Refusal("ARENA_BAD_COMMAND", {"bot": spec}))
        return _ProgramBot(command, rules, seconds_max)
    if ":" in spec:
        return _ModuleBot(spec, seconds_max, random)
    return _RosterBot(spec, rules, random)


def _import(spec: str) -> Any:
    """The object that `module:name` or `file.py:name` names. The working folder is searched first."""
    module, _, name = spec.rpartition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = run_path(module)[name] if module.endswith(".py") else getattr(import_module(module), name)
    # A user's module may raise anything; the user is told.
    except (Exception, SystemExit) as error:
        raise ArenaError(Refusal("ARENA_NO_MODULE", {"bot": spec, "fault": _error_text(error)})) from error
    if not callable(found):
        raise ArenaError(Refusal("ARENA_NO_MODULE", {"bot": spec, "fault": f"{name} is not callable"}))
    return found


def _read(stream: Any, lines: "SimpleQueue[bytes]") -> None:
    """Pass a program's output on, line by line. Empty bytes mark its end."""
    with suppress(OSError, ValueError):
        while line := stream.readline(ANSWER_BYTES_MAX):
            lines.put(line)
    lines.put(b"")


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]


class _TooLate(BaseException):
    """Not an Exception, so that a bot with `except Exception` does not catch it."""


@contextmanager
def _interrupted_after(seconds: float) -> Iterator[None]:
    """Raise _TooLate inside the block after so many seconds. Without `setitimer` the block runs to its end."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise _TooLate

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
