"""One player in one room: joining, snapshots as they come, and commands of the room."""

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
from croupier.clients.snapshot import Snapshot, read, read_menu
from croupier.clients.terminal.questions import Question, question
from croupier.clients.terminal.table import table_type
from croupier.clients.terminal.words import Words
from croupier.game.game import Action, offered
from croupier.game.registry import GAMES
from croupier.table.deal_checker import CHOKING
from croupier.table.deal_faults import DealFault, DealNote
from croupier.table.room import Phase

BUY_CHIPS: Final = 1000
"""What a player without chips buys: as much as everybody starts with."""
GO_ON: Final = ""
"""The key to go on: Enter, or an empty line."""
_ALONE: Final = {"turnSeconds": 600, "bankSeconds": 3600, "pauseSeconds": 1}
"""No time limit in a private room. The pause between rounds is long enough to stop the game and read the result."""
_ENTRIES: Final = ("open", "approval", "locked")
REMOVABLE_MAX: Final = 9
"""How many people get a key."""
_TOO_LATE: Final = ("STALE_VERSION", "PAUSED", "NOT_PLAYING")


class Wish(msgspec.Struct, frozen=True):
    """What to play. With `code`, join that room; without, open one."""

    game: str = ""
    preset: str = ""
    bots: int | None = None
    code: str = ""


class RoomChoice(msgspec.Struct, frozen=True):
    """A command of the room, under a key."""

    key: str
    label: str
    command: str
    fields: dict[str, Any] = {}


class Said(msgspec.Struct, frozen=True):
    """A chat line or a reaction, and who sent it."""

    name: str
    text: str


class Session:
    """A seat in a room. In a private room (`alone`) the match starts at once, and the game pauses after every round."""

    def __init__(self, client: Client, room: RoomHandle, *, alone: bool, pace_bots: Callable[[float], None]) -> None:
        self.client = client
        self.room = room
        self.alone = alone
        self._pace_bots = pace_bots
        self._held_hand = 0
        """The last round after which the game was paused."""
        self._asked: tuple[str, int] = ("", 0)
        """The last question asked."""
        self._told_code = ""
        self.last: dict[str, int] = {}
        """The last amount of an action, by its tag."""

    async def next(self, words: Words) -> Snapshot | Question:
        """Wait for a new snapshot, or for a question to the player. An alarm comes before anything new is shown; any
        other question comes after the state that it is about."""
        while True:
            async with self.room.changed:
                await self.room.changed.wait_for(lambda: self._is_new or self._open_question(words) is not None)
            asked = self._open_question(words)
            if asked is not None and (asked.kind == "alarm" or not self._is_new):
                self._asked = asked.kind, asked.about
                return asked
            try:
                snapshot = self._newest()
                break
            except CHOKING as error:
                # No honest server sends what cannot be shown.
                self.room.guard.alarm(DealFault.STATE_MALFORMED, fault=f"{type(error).__name__}: {error}"[:200])
        if self.alone:
            await self._host(snapshot)
        return snapshot

    def _newest(self) -> Snapshot:
        """The newest snapshot, with earlier ones whose events were not told yet."""
        me, snapshots = self.client.player_id, []
        while self.room.shown:
            shown = self.room.shown.popleft()
            snapshots.append(read(shown.state, list(shown.events), me, is_proved=shown.is_proved))
        *earlier, newest = snapshots
        return msgspec.structs.replace(newest, earlier=tuple(snapshot for snapshot in earlier if snapshot.events))

    @property
    def _is_new(self) -> bool:
        return bool(self.room.shown) and not self.room.alarms

    def _open_question(self, words: Words) -> Question | None:
        """The question that was not asked yet."""
        asked = question(self.room, words)
        return None if asked is None or (asked.kind, asked.about) == self._asked else asked

    async def alarmed(self) -> None:
        """Wait for an alarm."""
        async with self.room.changed:
            await self.room.changed.wait_for(lambda: self.room.alarms)

    async def news(self) -> None:
        """Waits until there is something new, or an alarm."""
        async with self.room.changed:
            await self.room.changed.wait_for(lambda: self.room.shown or self.room.alarms)

    async def accept(self, asked: Question) -> None:
        """Go on. Raises RefusedError if the room refuses."""
        match asked.kind:
            case "alarm":
                await self.room.accept_alarms()
            case "voids":
                self.room.accept_voids()
            case "agree":
                await self.room.agree()

    def notes(self, words: Words) -> list[str]:
        """Notes for the player, one line each."""
        noted, self.room.notes = self.room.notes, []
        said = [sentence(note, words.language) for note in noted if note.code != DealNote.MANY_VOIDS]
        return [*said, *self._code(words)]

    def _code(self, words: Words) -> list[str]:
        """The code of a new deal, for players to compare."""
        code = "" if self.alone or self.room.alarms else self.room.checker.code
        if not code or code == self._told_code:
            return []
        self._told_code = code
        return [words.t("play.code", pictures=words.code(code))]

    async def _host(self, snapshot: Snapshot) -> None:
        """Do what the host of a private room does automatically."""
        if is_out(snapshot):
            self._pace_bots(0.0)
        elif snapshot.round_over and snapshot.public.phase is Phase.PLAYING and snapshot.public.hand != self._held_hand:
            self._held_hand = snapshot.public.hand
            await self._try("HOST_PAUSE")
        if snapshot.public.paused and not snapshot.round_over:
            # The next round began before the pause took effect.
            await self._try("HOST_RESUME")

    async def _try(self, command: str) -> None:
        try:
            await self.room.command(command)
        except RefusedError as refused:
            if refused.code not in _TOO_LATE:
                raise

    async def act(self, action: Action, snapshot: Snapshot) -> None:
        """Play an action chosen from a snapshot. Raises RefusedError if that is not possible.

        An action is never played in a later state, except where several players decide at the same time: then another
        player's decision does not cancel this one.
        """
        version = snapshot.public.version
        while True:
            try:
                now = self.room.state["public"]
                if version < now["gameVersion"]:
                    # The room would refuse it, too. Whether this client may bet is decided for the current hand.
                    raise RefusedError("STALE_VERSION", "", {"version": now["version"]})
                await self.room.act(msgspec.to_builtins(action), version)
            except RefusedError as refused:
                if refused.code != "STALE_VERSION" or len(snapshot.public.turn) < 2:
                    raise
                await self.room.wait(lambda room, seen=version: room.version > seen)
                if not offered(read_menu(snapshot.public.game, self.room.menu), action):
                    raise
                version = self.room.version
            else:
                return

    def remember(self, action: Action, snapshot: Snapshot, tags: tuple[str, ...]) -> None:
        """Keep the amount of an action, if it is one of these, for the next time."""
        for offer in snapshot.menu:
            if offer.action.tag == action.tag and action.tag in tags and offer.field and not offer.among:
                self.last[action.tag] = getattr(action, offer.field)

    async def do(self, choice: RoomChoice) -> None:
        """Give a command to the room. Raises RefusedError if that is not possible."""
        await self.room.command(choice.command, **choice.fields)
        if choice.command == "HOST_REMATCH" and self.alone:
            await self.room.command("HOST_START_GAME")

    async def hear(self) -> Said:
        """Wait for the next chat line or reaction in this room."""
        while True:
            frame = await self.client.said.get()
            if frame.get("roomCode") == self.room.code and "member" in frame:
                members = self.room.state["public"]["members"]
                name = next((each["name"] for each in members if each["id"] == frame["member"]), frame.get("name", ""))
                return Said(str(name), str(frame.get("text") or frame.get("reaction", "")))

    async def tell(self, text: str) -> None:
        """Send a chat line. Raises RefusedError if it is too long, or sent too often."""
        await self.client.request("CHAT_SEND", roomCode=self.room.code, text=text)

    async def leave(self) -> None:
        """Leave the room. Some rules keep the seat. Ignore a room that is gone."""
        with suppress(RefusedError, TimeoutError):
            async with asyncio.timeout(2):
                await self.room.command("ROOM_LEAVE")


def is_out(snapshot: Snapshot) -> bool:
    """Whether this player is out of the match, and the others play on."""
    return not snapshot.ended and table_type(snapshot.public.game).is_out(snapshot)


def room_choices(snapshot: Snapshot, words: Words) -> tuple[RoomChoice, ...]:
    """The commands of the room that this player can give now."""
    public, t = snapshot.public, words.t
    found = []
    if public.phase is Phase.LOBBY:
        found.append(
            RoomChoice(
                "r",
                t("play.room.not_ready" if snapshot.is_ready else "play.room.ready"),
                "PLAYER_READY_SET",
                {"ready": not snapshot.is_ready},
            )
        )
        if snapshot.is_host:
            found.append(RoomChoice("s", t("play.room.start"), "HOST_START_GAME"))
            found.append(RoomChoice("b", t("play.room.add_bot"), "HOST_ADD_BOT"))
    elif snapshot.ended and snapshot.is_host:
        found.append(RoomChoice("n", t("play.room.rematch"), "HOST_REMATCH"))
    elif snapshot.round_over:
        if public.paused and snapshot.is_host:
            found.append(RoomChoice(GO_ON, t("play.room.go_on"), "HOST_RESUME"))
        if table_type(public.game).can_buy(snapshot):
            found.append(RoomChoice("b", t("play.room.buy", chips=BUY_CHIPS), "PLAYER_BUY_CHIPS", {"chips": BUY_CHIPS}))
    if public.phase is Phase.PLAYING:
        found += _table_choices(snapshot, words)
    return (*found, *_entry_choices(snapshot, words))


def _table_choices(snapshot: Snapshot, words: Words) -> list[RoomChoice]:
    """Sitting out and in, and the host's bomb pot. They are offered when the player is asked something anyway, so that
    nobody who reads line by line is held up after every round; and after a round to a player who sits out and may come
    back."""
    public, t = snapshot.public, words.t
    table = table_type(public.game)
    sitting = table.sitting(snapshot)
    is_asked = bool(snapshot.menu) or (snapshot.round_over and public.paused)
    found = []
    if sitting is not None:
        planned = next((member.sits_next for member in public.members if member.id == snapshot.me), "")
        is_out = planned == "out" or (sitting.is_out and planned != "in")
        if not is_out and is_asked:
            found.append(RoomChoice("z", t("play.room.sit_out"), "PLAYER_SIT_OUT"))
        elif is_out and (is_asked or snapshot.round_over):
            owes = sitting.owes if sitting.is_out else 0
            if is_asked or not sitting.waits:
                back = t("play.room.post", chips=owes) if owes else t("play.room.sit_in")
                found.append(RoomChoice("i", back, "PLAYER_SIT_IN"))
            if owes and not sitting.waits:
                found.append(RoomChoice("w", t("play.room.wait"), "PLAYER_SIT_IN", {"wait": True}))
    if snapshot.is_host and is_asked and table.has_bomb_pots(snapshot):
        found.append(RoomChoice("p", t("play.room.bomb"), "HOST_BOMB_POT"))
    return found


def _entry_choices(snapshot: Snapshot, words: Words) -> list[RoomChoice]:
    """What the host can decide about who is in the room and who comes in."""
    public, t = snapshot.public, words.t
    if not snapshot.is_host:
        return []
    found = []
    for waiting in public.waiting[:1]:
        found.append(RoomChoice("l", t("play.room.admit", name=waiting.name), "HOST_ADMIT", {"member": waiting.id}))
        found.append(RoomChoice("x", t("play.room.refuse", name=waiting.name), "HOST_KICK", {"member": waiting.id}))
    if public.phase is Phase.LOBBY:
        entry = _ENTRIES[(_ENTRIES.index(public.entry) + 1) % len(_ENTRIES)]
        found.append(RoomChoice("e", t(f"play.room.entry.{entry}"), "HOST_SET_ENTRY", {"entry": entry}))
        others = [member for member in public.members if not member.bot and member.id != snapshot.me]
        for number, member in enumerate(others[:REMOVABLE_MAX], start=1):
            label = t("play.room.remove", name=member.name)
            found.append(RoomChoice(str(number), label, "HOST_KICK", {"member": member.id}))
    return found


async def open_own(client: Client, wish: Wish, pace_bots: Callable[[float], None]) -> Session:
    """Open a private room with bots in the other seats, and start the match."""
    count = bots.customary_bots(wish.game, wish.preset) if wish.bots is None else wish.bots
    options = {**_ALONE, "seats": 1 + count}
    room = await client.create(wish.game, preset=wish.preset, options=options)
    # The host has the first seat; where that seat decides nothing, a bot takes it.
    moves = count > 0 and not table_type(wish.game).first_seat_plays(GAMES[wish.game].presets.get(wish.preset))
    if moves:
        await room.command("PLAYER_SWITCH_TO_SPECTATOR")
    kinds = bots.filling_bots(wish.game)
    for number in range(count):
        await room.command("HOST_ADD_BOT", bot=kinds[number % len(kinds)])
        if moves and number == 0:
            await room.command("SPECTATOR_SWITCH_TO_PARTICIPANT")
    await room.command("HOST_START_GAME")
    return Session(client, room, alone=True, pace_bots=pace_bots)


async def open_shared(client: Client, wish: Wish, waits: Callable[[], None] | None = None) -> Session:
    """A seat at a server: in the room with the wish's code, or in a new one that others can join."""
    if wish.code:
        room = await enter(client, wish.code.upper(), waits)
    else:
        room = await client.create(wish.game, preset=wish.preset)
        for _ in range(wish.bots or 0):
            await room.command("HOST_ADD_BOT")
    return Session(client, room, alone=False, pace_bots=lambda _: None)
