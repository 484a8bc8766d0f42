"""Bots of one's own: anything that turns a view and a menu into an action, at a table.

    outcome = join(my_bot, "http://127.0.0.1:8021", "ABCDEF", nickname="my bot")

`my_bot` is a function or an object `(view, menu) -> action` of the game's own types, a class that makes one, or a
`Program`: a command in any language that reads a JSON object a line and answers with one. A bot that is late, fails or
answers what is not on the menu does not stop the game: something safe is played for it, and the reason is told.
"""

import asyncio
import importlib
import json
import os
import runpy
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias

import msgspec

from croupier import bots, locales
from croupier.clients.alarm import AlarmError
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Surroundings
from croupier.clients.join import enter, knock, socket_address
from croupier.clients.room_handle import RoomHandle
from croupier.clients.snapshot import read_menu, read_view
from croupier.game.game import Action, Offer, offered
from croupier.game.registry import GAMES
from croupier.table.mirror import read_rules

Bot: TypeAlias = Callable[[Any, tuple[Offer[Any], ...]], Action]

Decides: TypeAlias = Callable[[AlarmError], bool]
"""Whether to play on in spite of what is wrong."""

Reason: TypeAlias = Literal["late", "failed", "illegal"]
DECISION_SECONDS: Final = 5.0
WAIT_SECONDS_MAX: Final = 3600.0
_OVERTAKEN: Final = ("STALE_VERSION", "NOT_YOUR_TURN", "ROUND_OVER", "NOT_PLAYING", "PAUSED")
"""Refusals that mean that the table has moved on meanwhile, by somebody else's decision or by the clock."""


class Slip(msgspec.Struct, frozen=True):
    """A decision that was made for the bot, and why."""

    reason: Reason
    detail: str
    """How many seconds were allowed, what went wrong, or what was answered."""
    played: Action

    def text(self, language: str) -> str:
        """The same as a sentence."""
        reason = locales.text(language, f"play.bot.{self.reason}", detail=self.detail)
        return locales.text(language, "play.bot.fallback", reason=reason, action=repr(self.played))


class Outcome(msgspec.Struct, frozen=True):
    """How a bot did: its net result in chips, or points in a game without chips, round by round."""

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


def tell_slip(slip: Slip) -> None:
    """Tells the author of a bot what went wrong: on standard error, so that it is in nobody's way."""
    print(slip.text(locales.preferred(os.environ)), file=sys.stderr)


class Program:
    """A bot in any language: a command that is sent `{"view": …, "menu": […]}`, a line a decision, and answers each
    with an action as the menu has it: one of its `action` objects, with the open field filled in."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __call__(self, view: Any, menu: tuple[Offer[Any], ...]) -> Action:
        question = msgspec.json.encode({"view": view, "menu": menu}).decode()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise EOFError(f"the program has ended (exit code {self._process.poll()})")
        said = json.loads(answer)
        kinds = {offer.action.tag: type(offer.action) for offer in menu}
        kind = said.get("type") if isinstance(said, dict) else None
        if kind not in kinds:
            raise ValueError(f"type {kind!r} is not on the menu, which has {', '.join(kinds)}")
        action: Action = msgspec.convert(said, kinds[kind])
        return action

    def close(self) -> None:
        """Ends the program, also one that has ended by itself and left a question unread."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._process.terminate()
        self._process.wait()


def load(text: str) -> Bot:
    """The bot that a command line names: `FILE.py:NAME` or `MODULE:NAME` in Python, else the command of a program, with
    or without the `exec:` that the arena wants before it.

    Raises OSError, ImportError, AttributeError or whatever the file itself raises when there is none.
    """
    place, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        return Program(shlex.split(text.removeprefix("exec:")))
    if not place.endswith(".py"):
        found: Bot = getattr(importlib.import_module(place), name)
        return found
    namespace = runpy.run_path(place)
    if name not in namespace:
        raise AttributeError(f"{place} has no {name}")
    named: Bot = namespace[name]
    return named


class _Thinker:
    """Asks a bot, in a thread of its own, so that a slow one neither stops the connection nor the end of the program.

    A bot is never asked twice at the same time: while it still thinks about an old question, the new one waits.
    """

    def __init__(self, bot: Bot, seconds: float, told: Callable[[Slip], None]) -> None:
        self._bot = bot() if isinstance(bot, type) else bot
        self._seconds = seconds
        self._told = told
        self._busy = threading.Lock()
        self.slips: list[Slip] = []

    async def decide(self, view: Any, menu: tuple[Offer[Any], ...], safe: Action) -> Action:
        """The bot's action, or the safe one with the reason told."""
        try:
            action = await self._ask(view, menu)
        except TimeoutError:
            return self._instead("late", f"{self._seconds:g}", safe)
        except Exception as error:
            return self._instead("failed", f"{type(error).__name__}: {error}", safe)
        if not isinstance(action, Action) or not offered(menu, action):
            return self._instead("illegal", repr(action), safe)
        return action

    async def _ask(self, view: Any, menu: tuple[Offer[Any], ...]) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()

        def settle(result: Any, error: Exception | None) -> None:
            if answer.done():
                return
            if error is None:
                answer.set_result(result)
            else:
                answer.set_exception(error)

        def think() -> None:
            with self._busy:
                result, fault = None, None
                try:
                    result = self._bot(view, menu)
                except Exception as error:
                    fault = error
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, result, fault)

        threading.Thread(target=think, daemon=True).start()
        async with asyncio.timeout(self._seconds):
            return await answer

    def _instead(self, reason: Reason, detail: str, safe: Action) -> Action:
        slip = Slip(reason, detail, safe)
        self.slips.append(slip)
        self._told(slip)
        return slip.played


class _Results:
    """The payouts of every round, from every state that passed: one that nobody waited for is not missed."""

    def __init__(self) -> None:
        self.by_round: dict[int, tuple[int, ...]] = {}

    def take(self, state: dict[str, Any]) -> None:
        public = state["public"]
        if public["payouts"] is not None:
            self.by_round[public["hand"]] = tuple(public["payouts"])


async def _play_rounds(
    room: RoomHandle, thinker: _Thinker, results: _Results, rounds: int, *, hosts: bool, decides: Decides | None
) -> None:
    """Decides whenever it is asked, until there were enough rounds, or the match ends and nobody starts another."""
    seen: Any = None
    while len(results.by_round) < rounds:
        try:
            await room.wait(lambda room, seen=seen: room.state is not seen, WAIT_SECONDS_MAX)
            room.check_voids()
            seen = room.state
            if room.phase == "ended":
                if not hosts:
                    return
                await room.command("HOST_REMATCH")
                await room.command("HOST_START_GAME")
            elif room.menu:
                await _decide(room, thinker)
        except AlarmError as alarm:
            if decides is None or not decides(alarm):
                raise
            await room.accept(alarm)


async def _decide(room: RoomHandle, thinker: _Thinker) -> None:
    game, version = room.state["public"]["game"], room.version
    menu = read_menu(game, room.menu)
    safe: Action = read_rules(GAMES[game], room.state["public"]["rules"]).absent(menu)
    action = await thinker.decide(read_view(game, room.view), menu, safe)
    try:
        stored = await _act(room, action, safe, version)
        await room.wait(lambda room: room.version >= stored)
    except RefusedError as refused:
        if refused.code not in _OVERTAKEN:
            raise


async def _act(room: RoomHandle, action: Action, safe: Action, version: int) -> int:
    """Plays it; in a hand that was not cut here, what puts in no chips."""
    try:
        return await room.act(msgspec.to_builtins(action), version)
    except AlarmError:
        if room.alarms:
            raise
        return await room.act(msgspec.to_builtins(safe), version)


def _outcome(room: RoomHandle, thinker: _Thinker, results: _Results) -> Outcome:
    seat = room.seat
    payouts = tuple(result[seat] for _, result in sorted(results.by_round.items())) if seat is not None else ()
    return Outcome(payouts, tuple(thinker.slips))


async def host_there(  # noqa: PLR0913 -- an option each
    bot: Bot,
    address: str,
    game: str = "holdem",
    *,
    preset: str = "",
    against: Sequence[str] | None = None,
    rounds: int = 100,
    seconds: float = DECISION_SECONDS,
    told: Callable[[Slip], None] = tell_slip,
    decides: Decides | None = None,
    surroundings: Surroundings | None = None,
) -> Outcome:
    """Opens a room at a server and plays there against bots of the house. Without `against`, the first bot of the
    roster sits in as many seats as is customary. For `decides`, see `join`."""
    thinker, results = _Thinker(bot, seconds, told), _Results()
    opponents = bots.names(game)[:1] * bots.customary_bots(game, preset) if against is None else against
    options = {"seats": 1 + len(opponents), "turnSeconds": 600, "pauseSeconds": 0}
    async with Client(address, nickname="bot", shows=results.take, surroundings=surroundings) as client:
        room = await client.create(game, preset=preset, options=options)
        for name in opponents:
            await room.command("HOST_ADD_BOT", bot=name)
        await room.command("HOST_START_GAME")
        await _play_rounds(room, thinker, results, rounds, hosts=True, decides=decides)
        return _outcome(room, thinker, results)


async def join_there(  # noqa: PLR0913 -- an option each
    bot: Bot,
    server: str,
    code: str,
    *,
    nickname: str = "bot",
    token: str = "",
    rounds: int = 10**9,
    seconds: float = DECISION_SECONDS,
    told: Callable[[Slip], None] = tell_slip,
    decides: Decides | None = None,
) -> Outcome:
    """`join`, for programs that are asynchronous themselves."""
    address = socket_address(server)
    if address is None:
        raise ValueError(f"{server!r} is no address of a card room: write http://host:port or https://host")
    thinker, results = _Thinker(bot, seconds, told), _Results()
    await knock(address)
    async with Client(address, nickname=nickname, token=token, shows=results.take) as client:
        room = await enter(client, code.upper())
        if room.phase == "lobby":
            await room.command("PLAYER_READY_SET", ready=True)
        try:
            await _play_rounds(room, thinker, results, rounds, hosts=False, decides=decides)
            return _outcome(room, thinker, results)
        finally:
            with suppress(RefusedError, TimeoutError):
                # Nobody has to wait for a bot that has gone; a seat that the rules keep stays.
                await room.command("ROOM_LEAVE")


def join(bot: Bot, server: str, code: str, **options: Any) -> Outcome:
    """Takes a seat in a room and plays until the match ends, or for so many `rounds`; see `join_there`.

    With the `token` of somebody who was welcomed before, the bot plays in that person's place. A lost connection is
    taken up again by itself. Raises RefusedError when the room refuses it, and AlarmError when the room does what an
    honest one does not, or so many deals were void that somebody must say whether to go on. With `decides`, that is
    asked instead: it gets the AlarmError and says whether to play on.
    """
    return asyncio.run(join_there(bot, server, code, **options))
