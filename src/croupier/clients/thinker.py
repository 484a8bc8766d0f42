"""A bot's thread: it is told what happens and asked what to do there, in order and never twice at once, so that a slow
bot holds up neither the connection nor the end of the program."""

import asyncio
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from inspect import iscoroutinefunction, signature
from os import environ
from queue import SimpleQueue
from typing import Any, Final, Literal, TypeAlias

import msgspec

from croupier import locales
from croupier.game.game import Action, Offer, offered
from croupier.game.policy import Bot
from croupier.notebook import table_html

Reason: TypeAlias = Literal["late", "failed", "illegal"]
SHOWN_CHARACTERS_MAX: Final = 200
"""So much of an answer or an error is reported."""


CALLS: Final = {"__call__": ("view", "menu"), "begin": ("match",), "observe": ("event",), "end": ("payouts",)}
"""What a bot is called with."""


class BotError(Exception):
    """A bot's mistake that is no error in its code: it was late, or its answer is not on the menu."""


class Slip(msgspec.Struct, frozen=True):
    """A mistake of the bot: a decision that was made for it, or an error in `begin`, `observe` or `end`."""

    reason: Reason
    detail: str
    """The seconds allowed, the error, or the answer."""
    played: Action | None
    """What was played instead; None if nothing was asked."""

    def text(self, language: str) -> str:
        """The slip as a sentence."""
        reason = locales.text(language, f"play.bot.{self.reason}", detail=self.detail)
        if self.played is None:
            return locales.text(language, "play.bot.slip", reason=reason)
        return locales.text(language, "play.bot.fallback", reason=reason, action=repr(self.played))


class Outcome(msgspec.Struct, frozen=True):
    """A bot's net result for each round: in chips, or in points in a game without chips."""

    payouts: tuple[int, ...]
    slips: tuple[Slip, ...]

    @property
    def rounds(self) -> int:
        return len(self.payouts)

    @property
    def net(self) -> int:
        return sum(self.payouts)

    def __str__(self) -> str:
        return f"{self.rounds} rounds, net {self.net:+}, slips {len(self.slips)}"

    def _repr_html_(self) -> str:
        slips = [(slip.reason, slip.detail, "" if slip.played is None else repr(slip.played)) for slip in self.slips]
        said = table_html(("slip", "detail", "played instead"), slips) if slips else ""
        return table_html(("rounds", "net"), [(self.rounds, f"{self.net:+}")]) + said

    def to_numpy(self) -> Any:
        """The net result of each round as an array of NumPy."""
        import numpy as np

        return np.array(self.payouts, dtype=np.int64)

    def to_pandas(self) -> Any:
        """The rounds as a data frame: result and running sum. Needs pandas."""
        import pandas as pd

        net = pd.Series(self.payouts, dtype="int64", name="net")
        return pd.DataFrame({"round": range(1, self.rounds + 1), "net": net, "sum": net.cumsum()})


def tell_slip(slip: Slip) -> None:
    """Report a slip to the bot's author on standard error."""
    print(slip.text(locales.preferred(environ)), file=sys.stderr)


class Thinker:
    """One bot, the same object for as long as it plays. With `strict`, its mistakes are raised instead of reported: its
    own errors as they are, with their traceback, the others as BotError."""

    def __init__(self, bot: Bot, seconds: float, told: Callable[[Slip], None], *, strict: bool) -> None:
        self.bot = made(bot)
        self._seconds = seconds
        self._told = told
        self._strict = strict
        self._raised: BaseException | None = None
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self.slips: list[Slip] = []

    def tell(self, tells: Callable[..., None], *facts: Any) -> None:
        """Tell the bot something, after everything told before."""
        loop = asyncio.get_running_loop()

        def job() -> None:
            try:
                tells(self.bot, *facts)
            except BaseException as error:
                _call(loop, self._failed, error)

        self._do(job)

    async def decide(self, view: Any, menu: tuple[Offer[Any], ...], safe: Action) -> Action:
        """The bot's action, or the safe one after reporting why."""
        said = await self._ask(lambda: self.bot(view, menu))
        if said is None:
            return self._instead("late", f"{self._seconds:g}", safe)
        action, error = said
        if error is not None:
            if self._strict:
                raise _raisable(error)
            return self._instead("failed", _said(error), safe)
        self.check()
        if not isinstance(action, Action) or not offered(menu, action):
            if self._strict:
                raise BotError(f"the bot answered {_shown(action)}, which is not on its menu: {_menu_text(menu)}")
            return self._instead("illegal", _shown(action), safe)
        return action

    def check(self) -> None:
        """With `strict`, raise what the bot raised when it was told something."""
        if self._raised is not None:
            raise _raisable(self._raised)

    async def finish(self) -> None:
        """Wait until the bot has been told everything, but no longer than it may think."""
        said = await self._ask(lambda: None)
        self._jobs.put(None)
        self.check()
        if said is None and all(slip.reason != "late" for slip in self.slips):
            self._slipped(Slip("late", f"{self._seconds:g}", None))

    async def _ask(self, question: Callable[[], Any]) -> tuple[Any, BaseException | None] | None:
        """What the bot returned or raised; None if it took too long, which `strict` raises."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

        def settle(said: tuple[Any, BaseException | None]) -> None:
            if not answer.done():
                answer.set_result(said)

        def job() -> None:
            fault: BaseException | None
            if answer.done():
                return  # too late already: a slow bot is not asked what nobody waits for
            try:
                result, fault = question(), None
            except BaseException as error:  # `sys.exit` in a bot must not end its thread without a word
                result, fault = None, error
            _call(loop, settle, (result, fault))

        self._do(job)
        await asyncio.wait([answer], timeout=self._seconds)
        if answer.done():
            return answer.result()
        answer.cancel()
        if self._strict:
            raise BotError(f"the bot gave no answer within {self._seconds:g} s")
        return None

    def _do(self, job: Callable[[], None]) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _failed(self, error: BaseException) -> None:
        if self._strict:
            self._raised = self._raised or error
            return
        self._slipped(Slip("failed", _said(error), None))

    def _instead(self, reason: Reason, detail: str, safe: Action) -> Action:
        self._slipped(Slip(reason, detail, safe))
        return safe

    def _slipped(self, slip: Slip) -> None:
        self.slips.append(slip)
        self._told(slip)


def made(bot: Bot) -> Any:
    """The bot, or of a class a new object. Raises ValueError for one that cannot be called as bots are, and whatever
    the class raises."""
    player: Any = bot() if isinstance(bot, type) else bot
    if not callable(player):
        raise ValueError(f"a bot is a function (view, menu) -> action, or an object like one, not {_shown(bot)}")
    _check_calls(player)
    return player


def _check_calls(bot: Any) -> None:
    """Raises ValueError for a bot that cannot be asked, or told, in the way in which it will be."""
    for name, facts in CALLS.items():
        call = getattr(bot, name, None)
        if call is None:
            continue
        wanted = f"a plain function ({', '.join(facts)})"
        said = f"a bot is {wanted} -> action" if name == "__call__" else f"a bot's `{name}` is {wanted}"
        if iscoroutinefunction(call) or (name == "__call__" and iscoroutinefunction(bot)):
            raise ValueError(f"{said}; this one is `async`")
        if not callable(call):
            raise ValueError(f"{said}, not {_shown(call)}")
        try:
            takes = signature(bot if name == "__call__" else call)
        except (TypeError, ValueError):  # what is written in C may not tell its parameters
            continue
        try:
            takes.bind(*facts)
        except TypeError:
            raise ValueError(f"{said}; this one takes {takes}") from None


def _call(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *facts: Any) -> None:
    with suppress(RuntimeError):  # the loop has ended: nobody waits for it any more
        loop.call_soon_threadsafe(call, *facts)


def _raisable(error: BaseException) -> BaseException:
    """The error, as it can leave a coroutine: Python lets no StopIteration out of one."""
    if not isinstance(error, StopIteration):
        return error
    fault = BotError("the bot raised StopIteration: a `next` in it found nothing")
    fault.__cause__ = error
    return fault


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {_shown(error, str)}"


def _shown(value: object, text: Callable[[object], str] = repr) -> str:
    """A value of the bot's as a text, whatever it is."""
    try:
        said = text(value)
    except Exception:
        return f"<{type(value).__name__}>"
    return said if len(said) <= SHOWN_CHARACTERS_MAX else f"{said[:SHOWN_CHARACTERS_MAX]}…"


def _menu_text(menu: tuple[Offer[Any], ...]) -> str:
    return ", ".join(
        f"{offer.action!r} ({offer.field}: {offer.among or f'{offer.low} to {offer.high}'})"
        if offer.field
        else repr(offer.action)
        for offer in menu
    )
