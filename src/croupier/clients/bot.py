"""Run a bot of your own at a table. A bot turns a view and a menu into an action.

    outcome = join(my_bot, "http://127.0.0.1:8021", "ABCDEF", nickname="my bot")

`my_bot` is a function or an object `(view, menu) -> action` of the game's own types, a class that makes one
(`croupier.game.policy` says what else it may have), or a `Program`: a command in any language that reads one JSON
object per line and answers with one. If a bot is late, fails, or answers what is not on the menu, the game goes on:
something safe is played for it, and the reason is reported. With `strict=True` it is raised instead.
"""

import importlib
import json
import runpy
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias, TypedDict, Unpack

import msgspec
from msgspec.structs import replace

from croupier import bots
from croupier.clients import blocking
from croupier.clients.alarm import AlarmError
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Environment
from croupier.clients.join import enter, knock, socket_address
from croupier.clients.room_handle import RoomHandle, Shown
from croupier.clients.snapshot import read_menu, read_view
from croupier.clients.thinker import Outcome, Slip, Thinker, tell_slip
from croupier.game.game import Action, Event, Offer
from croupier.game.policy import Bot, begin_match, end_match, observe
from croupier.game.registry import GAMES
from croupier.table.mirror import read_rules

Decides: TypeAlias = Callable[[AlarmError], bool]
"""Returns whether to play on despite an alarm."""

PROGRAM: Final = "exec:"
"""What may stand before the command of a program; the arena needs it."""
DECISION_SECONDS: Final = 5.0
DECISION_SECONDS_MAX: Final = 3600.0
ROUNDS: Final = 100
ROUNDS_MAX: Final = 10**9
"""High enough that a bot in somebody's room stays until the match ends."""
WAIT_SECONDS_MAX: Final = 3600.0
_OVERTAKEN: Final = ("STALE_VERSION", "NOT_YOUR_TURN", "ROUND_OVER", "NOT_PLAYING", "PAUSED")
"""Refusals that mean: the table has moved on, by another player's decision or by the clock."""


class Program:
    """A bot in any language: a command that gets `{"view": …, "menu": […]}` on one line per decision and answers each
    with an action: one of the menu's `action` objects, with the open field filled in."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __call__(self, view: Any, menu: tuple[Offer[Any], ...]) -> Action:
        question = msgspec.json.encode({"view": view, "menu": menu}).decode()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        answer = ""
        with suppress(BrokenPipeError):
            self._process.stdin.write(question + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        if not answer:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            raise EOFError(f"the program has ended (exit code {self._process.poll()})")
        said = json.loads(answer)
        kinds = {offer.action.tag: type(offer.action) for offer in menu}
        kind = said.get("type") if isinstance(said, dict) else None
        if kind not in kinds:
            raise ValueError(f"type {kind!r} is not on the menu, which has {', '.join(kinds)}")
        action: Action = msgspec.convert(said, kinds[kind])
        return action

    def close(self) -> None:
        """End the program, even one that has already exited with a question unread."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._process.terminate()
        self._process.wait()


def load(text: str) -> Bot:
    """The bot named on a command line: `FILE.py:NAME` or `MODULE:NAME` in Python, else the command of a program, with
    or without the arena's prefix `exec:`.

    Raises ValueError for a program that does not exist, or for something that cannot be called, and OSError,
    ImportError, AttributeError, or whatever the file itself raises.
    """
    place, colon, name = text.rpartition(":")
    if text.startswith(PROGRAM) or not colon or not name.isidentifier():
        command = shlex.split(text.removeprefix(PROGRAM))
        if not command or shutil.which(command[0]) is None:
            hint = f"; for a function in it write {text}:NAME" if text.endswith(".py") else ""
            raise ValueError(f"there is no program {command[0] if command else ''!r}{hint}")
        return Program(command)
    if place.endswith(".py"):
        namespace = runpy.run_path(place)
        if name not in namespace:
            raise AttributeError(f"{place} has no {name}")
        found = namespace[name]
    else:
        found = getattr(importlib.import_module(place), name)
    if not callable(found):
        raise ValueError(f"{name} is not a function or a class")
    bot: Bot = found
    return bot


class _Seat:
    """What a bot's seat hears, taken from every state, so that no event and no round is missed. After the last round it
    hears nothing: the next one may begin before the bot has left."""

    def __init__(self, thinker: Thinker, rounds: int) -> None:
        self._thinker = thinker
        self._rounds = rounds
        self.payouts: dict[int, tuple[int, ...]] = {}
        """The payouts of each round."""
        self.history: list[Event] = []
        """The events of the present round."""
        self._hand = 0
        self._match: list[int] | None = None
        """The bot's results in the present match; None between two."""
        self._counted = 0

    @property
    def is_done(self) -> bool:
        """Whether enough rounds are played."""
        return len(self.payouts) >= self._rounds

    def take(self, shown: Shown) -> None:
        if self.is_done:
            return
        public, seat = shown.state["public"], shown.state["you"]["seat"]
        if public["hand"] != self._hand:
            self._hand, self.history = public["hand"], []
        game = GAMES[public["game"]]
        if seat is not None and self._match is None and public["phase"] == "playing":
            self._match = []
            rules = read_rules(game, public["rules"])
            self._thinker.tell(begin_match, rules, seat, sum(m["seat"] is not None for m in public["members"]))
        for raw in shown.events:
            event = msgspec.convert(raw, game.event)
            self.history.append(event)
            self._thinker.tell(observe, event)
        if public["payouts"] is not None:
            self.payouts[public["hand"]] = tuple(public["payouts"])
            if seat is not None and self._match is not None and self._counted != public["hand"]:
                self._counted = public["hand"]
                self._match.append(public["payouts"][seat])
        if public["phase"] == "ended":
            self.end_match()

    def end_match(self) -> None:
        if self._match is not None:
            self._thinker.tell(end_match, tuple(self._match))
            self._match = None

    async def finish(self, seat: int | None) -> Outcome:
        """The outcome, once the bot has been told everything."""
        self.end_match()
        await self._thinker.finish()
        payouts = tuple(result[seat] for _, result in sorted(self.payouts.items())) if seat is not None else ()
        return Outcome(payouts, tuple(self._thinker.slips))


async def _play_rounds(
    room: RoomHandle, thinker: Thinker, heard: _Seat, *, hosts: bool, decides: Decides | None
) -> None:
    """Decide whenever the bot is asked, until enough rounds are played, or the match ends and nobody starts another."""
    seen: Any = None
    while not heard.is_done:
        try:
            await room.wait(lambda room, seen=seen: room.state is not seen, WAIT_SECONDS_MAX)
            room.check_voids()
            thinker.check()
            seen = room.state
            if room.phase == "ended":
                if not hosts:
                    return
                await room.command("HOST_REMATCH")
                await room.command("HOST_START_GAME")
            elif room.menu:
                await _decide(room, thinker, heard)
        except AlarmError as alarm:
            if decides is None or not decides(alarm):
                raise
            await room.accept(alarm)


async def _decide(room: RoomHandle, thinker: Thinker, heard: _Seat) -> None:
    game, version = room.state["public"]["game"], room.version
    menu = read_menu(game, room.menu)
    safe: Action = read_rules(GAMES[game], room.state["public"]["rules"]).absent(menu)
    view = replace(read_view(game, room.view), history=tuple(heard.history))
    action = await thinker.decide(view, menu, safe)
    try:
        stored = await _act(room, action, safe, version)
        await room.wait(lambda room: room.version >= stored)
    except RefusedError as refused:
        if refused.code not in _OVERTAKEN:
            raise


async def _act(room: RoomHandle, action: Action, safe: Action, version: int) -> int:
    """Play the action; in a hand that this client did not cut, the safe one instead."""
    try:
        return await room.act(action, version)
    except AlarmError:
        if room.alarms:
            raise
        return await room.act(safe, version)


class PlayOptions(TypedDict, total=False):
    """The options of `play`."""

    preset: str
    """The rules, by name; else the game's first."""
    against: Sequence[str] | int | None
    """The bots to play against, by name, or how many of the game's first bot; else the game's customary number."""
    rounds: int
    """How many rounds to play; 100 by default. If a match ends before that, another one follows."""
    seconds: float
    """How long a decision may take; 5 by default."""
    told: Callable[[Slip], None] | None
    """Gets every slip; else they are printed on standard error."""
    decides: Callable[[AlarmError], bool] | None
    """Returns whether to play on despite an alarm; else the alarm is raised."""
    strict: bool
    """Whether the bot's mistakes are raised, with the traceback of its own errors, instead of played for."""


class JoinOptions(TypedDict, total=False):
    """The options of `join`."""

    nickname: str
    token: str
    """Of an earlier visit: the bot plays in that player's place."""
    rounds: int
    """After how many rounds to leave; else it stays until the match ends."""
    seconds: float
    told: Callable[[Slip], None]
    decides: Callable[[AlarmError], bool] | None
    strict: bool


async def host_there(
    bot: Bot, address: str, game: str, *, environment: Environment | None = None, **options: Unpack[PlayOptions]
) -> Outcome:
    """Open a room at a server and play there against the server's bots."""
    thinker = _thinker(bot, options, PlayOptions)
    heard, preset = _Seat(thinker, options.get("rounds", ROUNDS)), options.get("preset", "")
    opponents = _opponents(game, preset, options.get("against"))
    table = {"seats": 1 + len(opponents), "turnSeconds": 600, "pauseSeconds": 0}
    async with Client(address, nickname="bot", shows=heard.take, environment=environment) as client:
        room = await client.create(game, preset=preset, options=table)
        for name in opponents:
            await room.command("HOST_ADD_BOT", bot=name)
        await room.command("HOST_START_GAME")
        await _play_rounds(room, thinker, heard, hosts=True, decides=options.get("decides"))
        return await heard.finish(room.seat)


def _thinker(bot: Bot, options: PlayOptions | JoinOptions, known: type) -> Thinker:
    """The bot's thread. Raises ValueError for an unknown option, or for a value that is not possible."""
    for option in options:
        if option not in known.__annotations__:
            raise ValueError(f"there is no option {option!r}; there are: {', '.join(known.__annotations__)}")
    rounds, seconds, told = options.get("rounds", 1), options.get("seconds", DECISION_SECONDS), options.get("told")
    if type(rounds) is not int or rounds < 1:
        raise ValueError(f"rounds is a whole number from 1, not {rounds!r}")
    if not isinstance(seconds, int | float) or not 0 < seconds <= DECISION_SECONDS_MAX:
        raise ValueError(f"seconds is a number above 0, at most {DECISION_SECONDS_MAX:g}, not {seconds!r}")
    if told is not None and not callable(told):
        raise ValueError(f"told is a function that gets each slip, not {told!r}")
    return Thinker(bot, seconds, told or tell_slip, strict=options.get("strict", False))


def _opponents(game: str, preset: str, against: Sequence[str] | int | None) -> Sequence[str]:
    """The bots to play against. Raises ValueError for a bot or a preset that the game does not have, or for too few or
    too many bots."""
    known, presets = bots.names(game), GAMES[game].presets
    if preset and preset not in presets:
        raise ValueError(f"{game} has no preset {preset!r}; there are: {', '.join(presets)}")
    count = bots.customary_bots(game, preset) if against is None else against
    if not isinstance(count, int | list | tuple):
        raise ValueError(f"against takes a list of bots, like [{known[0]!r}], or how many, not {count!r}")
    names = known[:1] * count if isinstance(count, int) else count
    for name in names:
        if name not in known:
            raise bots.RosterError("NO_SUCH_BOT", game=game, bot=name, allowed=known)
    allowed, wanted = bots.bot_counts(game, preset), count if isinstance(count, int) else len(count)
    if wanted not in allowed:
        by = preset or next(iter(presets))
        raise ValueError(f"{game} ({by}) is played against {_listed(allowed)} bots, not against {wanted}")
    return names


def _listed(counts: Sequence[int]) -> str:
    """Numbers in a row as `1 to 9`, others one by one."""
    in_a_row = len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1
    return f"{counts[0]} to {counts[-1]}" if in_a_row else ", ".join(map(str, counts))


async def join_there(
    bot: Bot, server: str, code: str, *, environment: Environment | None = None, **options: Unpack[JoinOptions]
) -> Outcome:
    """`join` for asynchronous programs."""
    address = socket_address(server)
    if address is None:
        raise ValueError(f"{server!r} is no address of a card room: write http://host:port or https://host")
    thinker = _thinker(bot, options, JoinOptions)
    heard, decides = _Seat(thinker, options.get("rounds", ROUNDS_MAX)), options.get("decides")
    await knock(address)
    nickname, token = options.get("nickname", "bot"), options.get("token", "")
    there = Client(address, nickname=nickname, token=token, shows=heard.take, environment=environment)
    async with there as client:
        room = await enter(client, code.upper())
        if room.phase == "lobby":
            await room.command("PLAYER_READY_SET", ready=True)
        try:
            await _play_rounds(room, thinker, heard, hosts=False, decides=decides)
            return await heard.finish(room.seat)
        finally:
            with suppress(RefusedError, TimeoutError):
                # The others need not wait for a bot that has left. Some rules keep its seat.
                await room.command("ROOM_LEAVE")


def join(bot: Bot, server: str, code: str, **options: Unpack[JoinOptions]) -> Outcome:
    """Take a seat in a room and play until the match ends, or for `rounds` rounds.

    With the `token` of an earlier visit, the bot plays in that player's place. A lost connection is restored. Raises
    RefusedError if the room refuses the bot, and AlarmError if the room is not honest, or if somebody must decide
    whether to go on after many void deals. With `decides`, that function gets the AlarmError and returns whether to
    play on. `JoinOptions` has all options.
    """
    return blocking.run(join_there(bot, server, code, **options))
