"""One person at one room: sitting down, the moments as they come, and what can be done besides playing."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec

from croupier import bots
from croupier.clients.alarm import sentence
from croupier.clients.connection import Client, RefusedError
from croupier.clients.join import enter
from croupier.clients.room_handle import RoomHandle
from croupier.clients.snapshot import Moment, read, read_menu
from croupier.clients.terminal.questions import Question, question
from croupier.clients.terminal.words import Words
from croupier.game.game import Action, offered
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.games.blackjack.rules.view import BlackjackView
from croupier.games.poker.rules.config import Mode
from croupier.games.poker.rules.view import HoldemView
from croupier.table.deal_checker import CHOKING
from croupier.table.deal_faults import DealFault, DealNote
from croupier.table.room import Phase

BUY_CHIPS: Final = 1000
"""What somebody buys who has run out of chips: the same as everybody starts with."""
GO_ON: Final = ""
"""The key of going on: Enter, or an empty line."""
_ALONE: Final = {"turnSeconds": 600, "bankSeconds": 3600, "pauseSeconds": 1}
"""A room of one's own does not hurry anybody; the pause is there to be stopped until the person has read the result."""
_ENTRIES: Final = ("open", "approval", "locked")
REMOVABLE_MAX: Final = 9
"""So many people have a key of their own."""
_TOO_LATE: Final = ("STALE_VERSION", "PAUSED", "NOT_PLAYING")


class Wish(msgspec.Struct, frozen=True):
    """What somebody wants to play. With `code` the room is there already; without, one is opened."""

    game: str = ""
    preset: str = ""
    bots: int | None = None
    code: str = ""


class RoomChoice(msgspec.Struct, frozen=True):
    """A command of the room, by a key."""

    key: str
    label: str
    command: str
    fields: dict[str, Any] = {}


class Said(msgspec.Struct, frozen=True):
    """What somebody in the room said, or a sign that they gave."""

    name: str
    text: str


def bot_counts(game: str, preset: str) -> list[int]:
    """How many bots can play with one person."""
    presets = GAMES[game].presets
    rules = presets[preset or next(iter(presets))]
    low, high = rules.seat_range
    return [count - 1 for count in range(low, high + 1) if not isinstance(rules.opening(rules.setup(count)), Refusal)]


class Session:
    """A seat in a room. In one's own room (`alone`) the match starts at once, and every result waits to be read."""

    def __init__(self, client: Client, room: RoomHandle, *, alone: bool, pace_bots: Callable[[float], None]) -> None:
        self.client = client
        self.room = room
        self.alone = alone
        self._pace_bots = pace_bots
        self._held_hand = 0
        """The last round whose result was held to be read."""
        self._asked: tuple[str, int] = ("", 0)
        """What was asked last."""
        self._told_code = ""

    async def next(self, words: Words) -> Moment | Question:
        """Waits for something new in the room, or for a question that its player must answer. An alarm is asked before
        anything more is shown; any other question once what it is about was shown."""
        while True:
            async with self.room.changed:
                await self.room.changed.wait_for(lambda: self._is_new or self._open_question(words) is not None)
            asked = self._open_question(words)
            if asked is not None and (asked.kind == "alarm" or not self._is_new):
                self._asked = asked.kind, asked.about
                return asked
            try:
                moment = self._newest()
                break
            except CHOKING as error:
                # No honest server sends what cannot be drawn.
                self.room.guard.alarm(DealFault.STATE_MALFORMED, fault=f"{type(error).__name__}: {error}"[:200])
        if self.alone:
            await self._host(moment)
        return moment

    def _newest(self) -> Moment:
        """The newest state; what happened in those before it is told with them."""
        me, moments = self.client.player_id, []
        while self.room.shown:
            shown = self.room.shown.popleft()
            moments.append(read(shown.state, list(shown.events), me, is_proved=shown.is_proved))
        *earlier, newest = moments
        return msgspec.structs.replace(newest, earlier=tuple(moment for moment in earlier if moment.events))

    @property
    def _is_new(self) -> bool:
        return bool(self.room.shown) and not self.room.alarms

    def _open_question(self, words: Words) -> Question | None:
        """The question that was not asked yet."""
        asked = question(self.room, words)
        return None if asked is None or (asked.kind, asked.about) == self._asked else asked

    async def alarmed(self) -> None:
        """Waits until there is an alarm."""
        async with self.room.changed:
            await self.room.changed.wait_for(lambda: self.room.alarms)

    async def accept(self, asked: Question) -> None:
        """Goes on; raises RefusedError when the room does not let one."""
        match asked.kind:
            case "alarm":
                await self.room.go_on()
            case "voids":
                self.room.accept_voids()
            case "agree":
                await self.room.agree()

    def notes(self, words: Words) -> list[str]:
        """What the player should know and is no question, a quiet line each."""
        noted, self.room.notes = self.room.notes, []
        said = [sentence(note, words.language) for note in noted if note.code != DealNote.MANY_VOIDS]
        return [*said, *self._code(words)]

    def _code(self, words: Words) -> list[str]:
        """The code of a new deal, for people to compare."""
        code = "" if self.alone or self.room.alarms else self.room.checker.code
        if not code or code == self._told_code:
            return []
        self._told_code = code
        return [words.t("play.code", pictures=words.code(code))]

    async def _host(self, moment: Moment) -> None:
        """What the host of a room for one person does by itself."""
        if is_out(moment):
            self._pace_bots(0.0)
        elif moment.round_over and moment.public.phase is Phase.PLAYING and moment.public.hand != self._held_hand:
            self._held_hand = moment.public.hand
            await self._try("HOST_PAUSE")
        if moment.public.paused and not moment.round_over:
            # The next round had begun before the pause came.
            await self._try("HOST_RESUME")

    async def _try(self, command: str) -> None:
        try:
            await self.room.command(command)
        except RefusedError as refused:
            if refused.code not in _TOO_LATE:
                raise

    async def act(self, action: Action, moment: Moment) -> None:
        """Plays what was chosen at a moment; raises RefusedError with the reason when that cannot be.

        What was chosen is never played at a later moment, except where several people decide at the same time: then
        somebody else's decision does not undo this one.
        """
        version = moment.public.version
        while True:
            try:
                now = self.room.state["public"]
                if version < now["gameVersion"]:
                    # The room would say so; whether this client may bet is a question of the hand that is played now.
                    raise RefusedError("STALE_VERSION", "", {"version": now["version"]})
                await self.room.act(msgspec.to_builtins(action), version)
            except RefusedError as refused:
                if refused.code != "STALE_VERSION" or len(moment.public.turn) < 2:
                    raise
                await self.room.wait(lambda room, seen=version: room.version > seen)
                if not offered(read_menu(moment.public.game, self.room.menu), action):
                    raise
                version = self.room.version
            else:
                return

    async def do(self, choice: RoomChoice) -> None:
        """Gives a command of the room; raises RefusedError with the reason when that cannot be."""
        await self.room.command(choice.command, **choice.fields)
        if choice.command == "HOST_REMATCH" and self.alone:
            await self.room.command("HOST_START_GAME")

    async def hear(self) -> Said:
        """Waits for somebody to say or show something in this room."""
        while True:
            frame = await self.client.said.get()
            if frame.get("roomCode") == self.room.code and "member" in frame:
                members = self.room.state["public"]["members"]
                name = next((each["name"] for each in members if each["id"] == frame["member"]), frame.get("name", ""))
                return Said(str(name), str(frame.get("text") or frame.get("reaction", "")))

    async def tell(self, text: str) -> None:
        """Says something to everybody in the room; raises RefusedError when that is too much or too often."""
        await self.client.request("CHAT_SEND", roomCode=self.room.code, text=text)

    async def leave(self) -> None:
        """Gets up. A seat that the rules keep stays; nobody has to wait for a room that is gone."""
        with suppress(RefusedError, TimeoutError):
            async with asyncio.timeout(2):
                await self.room.command("ROOM_LEAVE")


def is_out(moment: Moment) -> bool:
    """Whether this person is out of the tournament, and the others play on."""
    view, seat = moment.view, moment.seat
    return isinstance(view, HoldemView) and seat is not None and bool(view.seats[seat].place) and not moment.ended


def room_choices(moment: Moment, words: Words) -> tuple[RoomChoice, ...]:
    """What this person may tell the room now."""
    public, t = moment.public, words.t
    found = []
    if public.phase is Phase.LOBBY:
        found.append(
            RoomChoice(
                "r",
                t("play.room.not_ready" if moment.is_ready else "play.room.ready"),
                "PLAYER_READY_SET",
                {"ready": not moment.is_ready},
            )
        )
        if moment.is_host:
            found.append(RoomChoice("s", t("play.room.start"), "HOST_START_GAME"))
            found.append(RoomChoice("b", t("play.room.add_bot"), "HOST_ADD_BOT"))
    elif moment.ended and moment.is_host:
        found.append(RoomChoice("n", t("play.room.rematch"), "HOST_REMATCH"))
    elif moment.round_over:
        if public.paused and moment.is_host:
            found.append(RoomChoice(GO_ON, t("play.room.go_on"), "HOST_RESUME"))
        if _is_broke(moment):
            found.append(RoomChoice("b", t("play.room.buy", chips=BUY_CHIPS), "PLAYER_BUY_CHIPS", {"chips": BUY_CHIPS}))
    return (*found, *_entry_choices(moment, words))


def _entry_choices(moment: Moment, words: Words) -> list[RoomChoice]:
    """What the host may decide about who is in the room, and who comes in."""
    public, t = moment.public, words.t
    if not moment.is_host:
        return []
    found = []
    for waiting in public.waiting[:1]:
        found.append(RoomChoice("l", t("play.room.admit", name=waiting.name), "HOST_ADMIT", {"member": waiting.id}))
        found.append(RoomChoice("x", t("play.room.refuse", name=waiting.name), "HOST_KICK", {"member": waiting.id}))
    if public.phase is Phase.LOBBY:
        entry = _ENTRIES[(_ENTRIES.index(public.entry) + 1) % len(_ENTRIES)]
        found.append(RoomChoice("e", t(f"play.room.entry.{entry}"), "HOST_SET_ENTRY", {"entry": entry}))
        others = [member for member in public.members if not member.bot and member.id != moment.me]
        for number, member in enumerate(others[:REMOVABLE_MAX], start=1):
            label = t("play.room.remove", name=member.name)
            found.append(RoomChoice(str(number), label, "HOST_KICK", {"member": member.id}))
    return found


def _is_broke(moment: Moment) -> bool:
    """Whether this person has no more chips where chips can be bought."""
    view, seat = moment.view, moment.seat
    if seat is None:
        return False
    if isinstance(view, HoldemView):
        return view.mode is Mode.CASH and not view.seats[seat].chips
    return isinstance(view, BlackjackView) and view.dealer_seat is None and not view.seats[seat].chips


async def open_own(client: Client, wish: Wish, pace_bots: Callable[[float], None]) -> Session:
    """A room of one's own, with bots of every kind in the other seats, and the match begun."""
    count = bots.customary_bots(wish.game, wish.preset) if wish.bots is None else wish.bots
    options = {**_ALONE, "seats": 1 + count}
    room = await client.create(wish.game, preset=wish.preset, options=options)
    kinds = [name for name in bots.names(wish.game) if name != "random"] or ["random"]
    for number in range(count):
        await room.command("HOST_ADD_BOT", bot=kinds[number % len(kinds)])
    await room.command("HOST_START_GAME")
    return Session(client, room, alone=True, pace_bots=pace_bots)


async def open_shared(client: Client, wish: Wish, waits: Callable[[], None] | None = None) -> Session:
    """A seat at somebody's server: in the room of that code, or in a new one where others can join."""
    if wish.code:
        room = await enter(client, wish.code.upper(), waits)
    else:
        room = await client.create(wish.game, preset=wish.preset)
        for _ in range(wish.bots or 0):
            await room.command("HOST_ADD_BOT")
    return Session(client, room, alone=False, pace_bots=lambda _: None)
