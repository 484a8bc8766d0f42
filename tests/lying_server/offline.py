"""A room and its players without any network: every state goes through the real encoding to the real guards.

It is quick enough to play thousands of deals. Whatever is wrong between an honest room and an honest client shows here
as an alarm. With a `Liar` (`liar.py`) the server lies; an `Accomplice` plays along with it.
"""

import json
from copy import copy
from random import Random
from typing import Any, ClassVar

import msgspec

from croupier.clients.room_guard import RoomGuard
from croupier.clients.vault import MemoryVault
from croupier.game.refusal import Refusal
from croupier.server.broadcast import Broadcast
from croupier.server.records import _all_fixed
from croupier.table import commands as c
from croupier.table.apply import CLOCK, handle, open_room, steps
from croupier.table.client_memory import CutWanted, Seen
from croupier.table.deals import Cutting
from croupier.table.log import START, Logged, chained, entry
from croupier.table.room import Member, Room
from croupier.wire.log import LogReader
from tests.lying_server.liar import SWALLOWED, Liar

CODE = "ROOM1"
PASSIVE = ("HOLDEM_CHECK", "HOLDEM_CALL", "BLACKJACK_STAND")


class Player:
    """Somebody with a guard and a line. What the guard wants to say waits in `outbox` until the table takes it."""

    def __init__(self, table: "OfflineTable", name: str, vault: MemoryVault | None = None) -> None:
        self.table, self.person = table, name
        self.vault = vault or MemoryVault()
        self.guard = self._new_guard()
        self.is_here = False
        self.hangs = False
        """Whether the program hears, but says nothing."""
        self.state: dict[str, Any] = {}
        self.outbox: list[tuple[str, Any]] = []
        self.answered: set[int] = set()
        self.seen: list[Seen] = []
        self.refused = ""
        """The finding for which the guard let no chip go, if it did."""

    def _new_guard(self) -> RoomGuard:
        return RoomGuard(self.person, CODE, self.vault, self.table.random.randbytes)

    def send(self, frame: bytes) -> None:
        """Takes a frame of the room."""
        state = json.loads(frame)
        if state["type"] == "ROOM_STATE":
            for told in self.table.liar.tell(self, state):
                self.take(told)

    def take(self, state: dict[str, Any]) -> None:
        if self.guard.checker.is_alarmed:
            return
        seen = self.guard.see(state)
        if seen.gap is not None:
            first, last = seen.gap
            missed = self.table.liar.history(self.table.history(first))[: last - first + 1]
            self.guard.bridge(json.loads(msgspec.json.encode(missed)), last)
            if not self.guard.checker.is_alarmed:
                seen = self.guard.see(state)
        self.seen.append(seen)
        if self.guard.checker.is_alarmed:
            return
        self.state = state
        if seen.cut is not None and seen.cut.deal not in self.answered:
            self.answered.add(seen.cut.deal)
            self.outbox.append(("cut", seen.cut))

    @property
    def member(self) -> Member | None:
        return self.table.room.member(self.person)

    def give(self) -> bool:
        """Says the next thing to the room, if there is any; whether there was."""
        member = self.member
        if self.hangs:
            return False
        if self.outbox:
            kind, wanted = self.outbox.pop(0)
            assert kind == "cut"
            self._cut(wanted)
            return True
        if member is None or member.seat is None or member.away or self.guard.checker.is_alarmed:
            return False
        if member.owes is not None:
            told = json.loads(msgspec.json.encode(self.table.liar.history(self.table.history(member.owes.deal))))
            value = self.guard.owed(member.owes.deal, told)
            if value is None:
                return False
            return self.table.do(self.person, c.DealCut(value, member.owes.deal, self.guard.promise())) is None
        waits = self.table.room.cutting is not None and member.seat in self.table.room.cutting.waits_for
        if not member.promise and not waits:
            return self.table.do(self.person, c.DealPromise(self.guard.promise())) is None
        return False

    def _cut(self, wanted: CutWanted) -> None:
        value = self.guard.cut(wanted)
        if value is not None and self.table.takes_cut(self, wanted):
            refused = self.table.do(self.person, c.DealCut(value, wanted.deal, self.guard.promise()))
            if refused is None:
                self.guard.acknowledge(wanted.deal)

    def come(self) -> None:
        """The line is there: the whole state comes."""
        self.is_here = True
        self.guard.checker.lose_sight()
        self.table.broadcast.attach(self, self.table.room, 0)

    def go(self) -> None:
        self.is_here = False
        self.table.broadcast.detach(self)

    def reload(self) -> None:
        """The program starts anew; only what the vault keeps is left."""
        self.go()
        self.guard, self.answered, self.outbox, self.state = self._new_guard(), set(), [], {}
        self.come()

    def act(self, action: Any) -> str | None:
        """Plays an action, if the guard lets it; the code of the refusal or of the finding."""
        raw = msgspec.to_builtins(action)
        found = self.guard.may_act(self.table.room.rules.game, raw)
        if found:
            self.refused = found[0].code
            return self.refused
        self.guard.acted(self.table.room.hand, raw)
        return self.table.do(self.person, c.Play(action))


class Accomplice(Player):
    """Somebody who plays along with the server: checks nothing, and cuts whatever it is asked to cut."""

    misses = False
    """Whether they promise, and then do not cut."""
    pays = True
    """Whether they give a cut that they owe."""

    def take(self, state: dict[str, Any]) -> None:
        self.state = state

    def give(self) -> bool:
        room, member = self.table.room, self.member
        if self.hangs or member is None or member.seat is None or member.away:
            return False
        if isinstance(room.cutting, Cutting) and member.seat in room.cutting.waits_for:
            cutters = room.cutting.deal.context.cutters
            promise = next(cutter.promise for cutter in cutters if cutter.seat == member.seat)
            cut = c.DealCut(self.value(promise), room.deals, self.guard.promise())
            return not self.misses and self.table.do(self.person, cut) is None
        if member.owes is not None:
            cut = c.DealCut(self.value(member.owes.promise), member.owes.deal, self.guard.promise())
            return self.pays and self.table.do(self.person, cut) is None
        return not member.promise and self.table.do(self.person, c.DealPromise(self.guard.promise())) is None

    def value(self, promise: str) -> str:
        """What is behind a promise: the server knows it, too."""
        return (self.vault.get(f"cut2/secret/{promise}") or "").partition(" ")[0]

    def act(self, action: Any) -> str | None:
        return self.table.do(self.person, c.Play(action))


class OfflineTable:
    """A room, its log, and everybody who hears it. The server asks its `liar` at every step."""

    honest: ClassVar[type[Player]] = Player
    """What people play with who do not play along with the server."""

    def __init__(
        self,
        game: str,
        preset: str = "",
        *,
        seed: object = 0,
        rules: Any = None,
        liar: Liar | None = None,
        **options: Any,
    ) -> None:
        self.liar = liar or Liar()
        self.passive = False
        self.random = Random(f"{game}{preset}{seed}")
        self.now_ms = 1_000_000
        self.head = START
        self.log: list[Logged] = []
        self.secrets: dict[str, bytes] = {}
        self.broadcast = Broadcast()
        self.people: dict[str, Player] = {}
        create = c.RoomCreate(game, preset, rules or {}, c.RoomOptions(**{"pause_seconds": 1, **options}))
        logged = entry("ann", "Ann", self.now_ms, create, room_id=self.random.randbytes(32).hex())
        assert isinstance(logged, Logged), logged
        opened = open_room(CODE, logged)
        assert isinstance(opened, Room), opened
        self.room = opened
        self._write(logged)
        self.person("ann")
        self.settle()

    def person(self, name: str, kind: type[Player] | None = None) -> Player:
        """Somebody, who hears the room from now on."""
        player = self.people[name] = (kind or self.honest)(self, name)
        player.come()
        return player

    def tab(self, name: str) -> Player:
        """Another tab of somebody, with the same vault."""
        player = self.honest(self, name, self.people[name].vault)
        self.people[f"{name} again"] = player
        player.come()
        return player

    def takes_cut(self, player: Player, wanted: CutWanted) -> bool:
        """Whether the room takes this cut, or a lying server drops it."""
        return True

    def history(self, first: int) -> list[Any]:
        """The deals as they were fixed, from a number on."""
        found = _all_fixed(steps(CODE, self.log, self.secrets), first)
        return [found[number] for number in sorted(found) if number >= first]

    def _write(self, logged: Logged) -> None:
        record = msgspec.json.encode(logged)
        assert LogReader(head=self.head).read(record)
        self.head = chained(self.head, record)
        self.log.append(logged)

    @property
    def down(self) -> tuple[str, ...]:
        players = (member for member in self.room.players if not member.bot)
        return tuple(sorted(member.id for member in players if not self.people[member.id].is_here))

    def do(self, who: str, command: Any) -> str | None:
        """Gives a command and tells everybody; the code of the refusal, or None."""
        self.now_ms += 10
        if isinstance(command, c.PlayerBuyChips) and who in self.people:
            self.people[who].guard.asks(self.room.hand, "bought", command.chips)
        if isinstance(command, c.PlayerSitIn) and who in self.people:
            self.people[who].guard.asks(self.room.hand, "waits" if command.wait else "sat_in")
        answer = self.liar.hear(self.room, who, command)
        if answer:
            return None if answer == SWALLOWED else answer
        logged = entry(who, who.title(), self.now_ms, command, room=self.room, head=self.head, down=self.down)
        if isinstance(logged, Refusal):
            return logged.code
        done = handle(self.room, logged, self.secret())
        if isinstance(done, Refusal):
            return done.code
        self._write(logged)
        self.secrets.update(done.secrets)
        self.room = self.liar.commit(self.room, done.room)
        if not done.quiet:
            self.broadcast.publish(self.room, done.told, self.room.deadline_ms)
        return None

    def show(self, room: Room) -> None:
        """The server goes on from another room, and tells everybody what is new in it."""
        self.room = room
        self.broadcast.publish(room, (), room.deadline_ms)

    def restore(self, room: Room) -> None:
        """The server goes on from another room, and tells everybody the whole of it."""
        self.room, self.broadcast = room, Broadcast()
        for player in self.people.values():
            if player.is_here:
                self.broadcast.attach(player, self.room, 0)

    def fork(self, room: Room, *tabs: Player) -> "OfflineTable":
        """Another table for some of the tabs, which goes on from another room. They hear nothing of this one."""
        other = copy(self)
        other.room, other.broadcast, other.log = room, Broadcast(), list(self.log)
        other.people = {}
        for tab in tabs:
            self.broadcast.detach(tab)
            tab.table = other
            other.people[tab.person] = tab
            other.broadcast.attach(tab, room, 0)
        return other

    def secret(self) -> bytes:
        """What the next deal is made from."""
        return self.random.randbytes(32)

    def settle(self) -> None:
        """Lets every guard say what it has to say, and the bots move."""
        while any(player.is_here and player.give() for player in self.people.values()) or self.move_bot():
            pass

    def move_bot(self) -> bool:
        if self.room.round is None or self.room.paused_at_ms is not None:
            return False
        for seat in self.room.turn:
            member = self.room.seated(seat)
            if member is not None and member.bot:
                action = self.choice(seat)
                assert self.do(member.id, c.Play(action)) is None
                return True
        return False

    def choice(self, seat: int) -> Any:
        """A random legal action of a seat; a passive table checks and calls."""
        assert self.room.round is not None
        menu = self.room.round.menu(seat)
        offer = next((offer for offer in menu if self.passive and offer.action.tag in PASSIVE), None)
        offer = offer or self.random.choice(menu)
        if not offer.field:
            return offer.action
        high = min(offer.high, 3 * offer.low + 3)
        value = self.random.choice(offer.among) if offer.among else self.random.randint(offer.low, high)
        return offer.choose(value)

    def wait(self) -> None:
        """Lets the time pass until the room's deadline."""
        if self.room.deadline_ms is not None:
            self.now_ms = max(self.now_ms, self.room.deadline_ms)
            assert self.do(CLOCK, c.Due()) is None
            self.settle()

    def start(self, *names: str, accomplices: tuple[str, ...] = (), bots: int = 0) -> None:
        """Others sit down, and the host starts."""
        for _ in range(bots):
            assert self.do("ann", c.HostAddBot("random")) is None
        for name in (*names, *accomplices):
            if name not in self.people:
                self.person(name, Accomplice if name in accomplices else None)
            assert self.do(name, c.RoomJoin()) is None
            assert self.do(name, c.PlayerReadySet(ready=True)) is None
        self.settle()
        assert self.do("ann", c.HostStartGame()) is None
        self.settle()

    def step(self) -> None:
        """One action of somebody whose turn it is, or the clock."""
        if self.room.turn and self.room.paused_at_ms is None:
            seat = self.random.choice(self.room.turn)
            member = self.room.seated(seat)
            assert member is not None
            if member.id in self.people and self.people[member.id].is_here and not member.away:
                player = self.people[member.id]
                if player.act(self.choice(seat)) is not None:
                    assert self.room.round is not None
                    safe = self.room.rules.absent(self.room.round.menu(seat))
                    player.act(safe)
                self.settle()
                return
        self.wait()

    def play_hands(self, count: int, steps_max: int = 3000) -> None:
        """Plays until so many hands are over, or the match is."""
        last = self.room.hand + count
        for _ in range(steps_max):
            if self.room.hand >= last and (self.room.round is None or self.room.round.over):
                return
            if self.room.phase == "ended":
                return
            self.step()

    def alarms(self) -> list[Any]:
        return [found for player in self.people.values() for found in player.guard.checker.findings]
