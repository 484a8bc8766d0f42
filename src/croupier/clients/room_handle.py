"""A room as a program sees it. Everything here has passed the client's checks."""

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, cast

import msgspec

from croupier.clients.alarm import AlarmError
from croupier.clients.room_guard import RoomGuard
from croupier.clients.room_state import Member, RoomState
from croupier.clients.snapshot import read_menu, read_view
from croupier.dealing.findings import Finding
from croupier.game.folder import AnyGame, game_name
from croupier.game.game import Action, Offer, View
from croupier.table.cards_shown import without_cards
from croupier.table.checker import Checker
from croupier.table.client_memory import Seen
from croupier.table.deal_faults import DealFault, DealNote

if TYPE_CHECKING:
    from croupier.clients.connection import Client

NOTES_KEPT_MAX: Final = 100
STATES_KEPT_MAX: Final = 64
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)


class Shown(NamedTuple):
    """A state that the player may see, with its events."""

    state: RoomState
    is_proved: bool
    events: tuple[Any, ...]


class RoomHandle:
    """A room: the newest state, its events, and what the player must decide."""

    def __init__(self, client: "Client", code: str) -> None:
        self.code = code
        self.state: RoomState = cast(RoomState, {})
        """Empty until the first state has come and passed the checks."""
        self.is_proved = True
        """Whether the cards of the state are proved; if not, there are none in it."""
        self.events: asyncio.Queue[Any] = asyncio.Queue()
        self.shown: deque[Shown] = deque(maxlen=STATES_KEPT_MAX)
        """The newest states, oldest first, for a reader that tells what happened."""
        environment = client.environment
        self.guard = RoomGuard(client.player_id, code, environment.vault, environment.chance, environment.clock_ms)
        self.notes: list[Finding] = []
        """Notes for the player that were not read yet."""
        self.changed = asyncio.Condition()
        self._client = client
        self.promising = False
        self.begins_anew = False
        """Set after the player went on despite an alarm, until a state tells the whole round again."""
        self.bridging: list[dict[str, Any] | None] | None = None
        """States that came while missed deals were being asked for; None where the connection was lost in between."""
        self.answered: set[int] = set()
        """Deals that this client has answered, or is about to."""
        self.unpayable: set[int] = set()
        """Deals whose cut is owed but cannot be given here: another device promised it, or the secret was lost."""

    @property
    def checker(self) -> Checker:
        """What this client has found out about the room."""
        return self.guard.checker

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """What the player must decide about before anything is cut or bet here."""
        return self.checker.alarms

    @property
    def must_agree(self) -> bool:
        """Whether the room asks this player to agree before a hand that was void twice is dealt again."""
        return bool(self.state) and self._client.player_id in self.state["public"]["agreeing"]

    async def accept_alarms(self) -> None:
        """Go on despite all alarms so far, beginning anew with what the room shows now."""
        self.guard.accept_alarms()
        self.begins_anew = True
        await self._client.request("ROOM_WATCH", roomCode=self.code, knownVersion=self.version)

    async def agree(self) -> None:
        """Agree to another deal of a hand that was void twice."""
        self.guard.agree(self.state["public"]["hand"])
        await self.command("DEAL_AGREE")

    async def accept(self, alarm: AlarmError) -> None:
        """Answer the pending question with yes."""
        codes = {found.code for found in alarm.findings}
        if self.alarms:
            await self.accept_alarms()
        elif DealNote.MANY_VOIDS in codes:
            self.accept_voids()
        elif DealNote.AGREEMENT_ASKED in codes:
            await self.agree()

    def accept_voids(self) -> None:
        """Go on cutting although many deals were void."""
        wanted = self.guard.accept_voids()
        if wanted is not None:
            self._client.cut(self, wanted)

    @property
    def version(self) -> int:
        return self.state["public"]["version"] if self.state else 0

    @property
    def phase(self) -> str:
        return self.state["public"]["phase"]

    @property
    def member(self) -> Member | None:
        """This player among the members of the room."""
        if not self.state:
            return None
        return next((m for m in self.state["public"]["members"] if m["id"] == self._client.player_id), None)

    @property
    def seat(self) -> int | None:
        return None if self.member is None else self.member["seat"]

    @property
    def is_promised(self) -> bool:
        """Whether the room has this client's promise for the next deal, or needs none."""
        return self.member is None or self.member["seat"] is None or self.member["promised"]

    @property
    def view(self) -> Any:
        """The view as JSON."""
        return self.state["you"]["view"]

    @property
    def menu(self) -> list[Any]:
        """The menu as JSON."""
        return self.state["you"]["menu"]

    def view_of(self, game: AnyGame[A, V]) -> V | None:
        """The view in the game's own type, without a history; None without a round. Raises ValueError if the room plays
        another game."""
        self._check_game(game)
        view: V | None = read_view(self.state["public"]["game"], self.view)
        return view

    def menu_of(self, game: AnyGame[A, V]) -> tuple[Offer[A], ...]:
        """The menu in the game's own types. Raises ValueError if the room plays another game."""
        self._check_game(game)
        return read_menu(self.state["public"]["game"], self.menu)

    def _check_game(self, game: object) -> None:
        wanted, played = game_name(game), self.state["public"]["game"]
        if wanted != played:
            raise ValueError(f"this room plays {played}, not {wanted}")

    async def wait(self, condition: Any, timeout: float = 30.0) -> None:
        """Wait until a state satisfies the condition. Raises AlarmError if the player must decide first."""
        async with asyncio.timeout(timeout), self.changed:
            await self.changed.wait_for(lambda: bool(self.alarms) or self._satisfies(condition))
        if self.alarms and not self._satisfies(condition):
            raise self.alarm_error()

    def _satisfies(self, condition: Any) -> bool:
        return bool(self.state) and bool(condition(self))

    def alarm_error(self) -> AlarmError:
        """What the player must decide about."""
        return AlarmError(self.alarms, self.guard.evidence)

    def check_voids(self) -> None:
        """Raise AlarmError if the player must first decide whether to go on cutting, or whether to agree."""
        asked = [note for note in self.checker.notes if note.code == DealNote.MANY_VOIDS][-1:]
        if self.checker.asks_about_voids and asked:
            raise AlarmError(asked, self.guard.evidence)
        if self.must_agree:
            asked = [_note(DealNote.AGREEMENT_ASKED, hand=self.state["public"]["hand"])]
            raise AlarmError(asked, self.guard.evidence)

    async def command(self, kind: str, **fields: Any) -> int:
        """Give a command to the room and return the resulting version. An action of the game is checked as in `act`."""
        action = {"type": kind, **{name: value for name, value in fields.items() if name != "expectedVersion"}}
        if self.state and self.guard.is_action(self.state["public"]["game"], action):
            self._write_down(action)
        return await self._send(kind, fields)

    async def act(self, action: Action | dict[str, Any], version: int | None = None) -> int:
        """Play an action of the menu, as a value or as JSON, at the version where it was offered. Raises AlarmError if
        it must not be played."""
        if isinstance(action, Action):
            action = cast(dict[str, Any], msgspec.to_builtins(action))
        self._write_down(action)
        fields = {name: value for name, value in action.items() if name != "type"}
        return await self._send(action["type"], {"expectedVersion": version or self.version, **fields})

    def _write_down(self, action: dict[str, Any]) -> None:
        """Write down an action before it is sent. Raises AlarmError if it must not be."""
        public = self.state["public"]
        found = self.guard.may_act(public["game"], action)
        if found:
            raise AlarmError(found, self.guard.evidence)
        self.guard.acted(public["hand"], action)

    async def _send(self, kind: str, fields: dict[str, Any]) -> int:
        command_id = self._client.environment.new_id()
        answer = await self._client.request(kind, roomCode=self.code, commandId=command_id, **fields)
        if type(answer.get("version")) is not int:
            self.guard.alarm(DealFault.STATE_MALFORMED, fault="version")
            await self.hold({})
            raise self.alarm_error()
        return int(answer["version"])

    def asks(self, kind: str, chips: int = 0) -> None:
        """Write down what the player asks for between two hands, before the room is told."""
        if self.state:
            self.guard.asks(self.state["public"]["hand"], kind, chips)

    async def show(self, frame: dict[str, Any], seen: Seen) -> None:
        """Show the player a state that passed the checks."""
        async with self.changed:
            # The player was warned about a hand of an old scheme: they may finish it without putting in chips.
            self.state = cast(RoomState, frame if seen.is_proved else unproved(frame, may_act=True))
            self.is_proved = seen.is_proved
            self.shown.append(Shown(self.state, seen.is_proved, seen.events))
            for event in seen.events:
                self.events.put_nowait(event)
            self._note(seen)
            self.changed.notify_all()

    async def hold(self, frame: Mapping[str, Any]) -> None:
        """After an alarm, show nothing new. If nothing was shown yet, show the members, but nothing of the game."""
        async with self.changed:
            if not self.state and isinstance(frame.get("public"), dict) and isinstance(frame.get("you"), dict):
                self.state, self.is_proved = cast(RoomState, unproved(frame)), False
                self.shown.append(Shown(self.state, False, ()))
            self.changed.notify_all()

    def _note(self, seen: Seen) -> None:
        self.notes = [*self.notes, *seen.notes][-NOTES_KEPT_MAX:]


def _note(code: DealNote, /, **facts: int | str) -> Finding:
    return Finding(code, dict(facts))


def unproved(frame: Mapping[str, Any], *, may_act: bool = False) -> dict[str, Any]:
    """A state without any card, because nothing in it is proved."""
    you = frame["you"]
    shown = {"seat": you.get("seat"), "view": without_cards(you.get("view")), "menu": you["menu"] if may_act else []}
    return {**frame, "events": [], "you": shown}
