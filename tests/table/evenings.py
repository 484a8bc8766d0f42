"""Evenings in a room: people with honest clients, who come and go, buy chips, miss cuts and lose their lines.

Everything is real but the network: the room's commands, the frames, the clients' guards and their own logs.
"""

import json
from random import Random
from typing import Any

import msgspec

from croupier.clients.room_guard import RoomGuard
from croupier.clients.vault import MemoryVault
from croupier.dealing.cut2 import context_hash, seal_of
from croupier.game.refusal import Refusal
from croupier.server.broadcast import Broadcast
from croupier.table import commands as c
from croupier.table.apply import CLOCK, handle, open_room
from croupier.table.client_memory import CutWanted, Seen
from croupier.table.deal_news import DealFixed, news
from croupier.table.download import download
from croupier.table.log import Logged, entry
from croupier.table.room import Phase, Room
from croupier.wire.records import line

CODE = "ROOM1"


class Person:
    """Somebody with a client: a guard, a vault, and a line that may be down."""

    def __init__(self, name: str, seed: str) -> None:
        self.person = self.name = name
        self.vault = MemoryVault()
        self.guard = RoomGuard(name, CODE, self.vault, Random(f"{seed} {name}").randbytes)
        self.inbox: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.wanted: Any = None
        """The cut that the client is ready to give."""
        self.careless = False
        """Whether the cut of the present deal is forgotten."""

    def note(self, frame: dict[str, Any], fixed: dict[int, DealFixed]) -> CutWanted | None:
        """Shows a state to the guard, which asks for the deals that it missed; the cut that it is ready to give."""
        seen = self.guard.see(frame)
        if seen.gap is not None:
            first, last = seen.gap
            missed = [_plain(fixed[number]) for number in range(first, last + 1)]
            assert self.guard.bridge(missed, last) == (), self.name
            seen = self.guard.see(frame)
        assert seen.alarms == (), (self.name, seen.alarms)
        if self.guard.checker.asks_about_voids:
            return self.guard.accept_voids()
        return seen.cut

    def note_blindly(self, frame: dict[str, Any]) -> CutWanted | None:
        """Writes a state into the log without checking it, and cuts whatever is asked for: a client that is cheated."""
        self.guard._open(frame)
        self.guard._write_state(frame, Seen())
        fixed = [told for told in frame["deals"] if told["type"] == "DEAL_FIXED"]
        seat = frame["you"]["seat"]
        if not fixed or seat not in frame["public"]["waitsFor"]:
            return None
        deal: DealFixed = msgspec.convert(fixed[-1], DealFixed)
        promise = next((each.promise for each in deal.context.cutters if each.seat == seat), None)
        if promise is None:
            return None
        return CutWanted(deal.context.deal, promise, seal_of(context_hash(deal.context), deal.roots).hex())

    def send(self, frame: bytes) -> None:
        self.inbox.append(json.loads(frame))

    @property
    def me(self) -> dict[str, Any] | None:
        members = self.state["public"]["members"] if self.state else ()
        return next((member for member in members if member["id"] == self.name), None)

    def log(self) -> list[str]:
        return self.vault.lines(self.guard.log_name)


class Evening:
    """A room and everybody in it. `mischief` is how often something unusual happens between two actions.

    With other `masters` the same people play in a room of the same name, with the same secrets behind their promises,
    but other cards are dealt: a record that is forged from known cuts.
    """

    def __init__(
        self,
        seed: object,
        game: str,
        preset: str,
        *,
        seats: int = 0,
        mischief: float = 0.05,
        masters: object = 0,
        blind: bool = False,
        rules: dict[str, Any] | None = None,
    ) -> None:
        self._seed = f"{seed} {game} {preset}"
        self.random = Random(self._seed)
        self._masters = Random(f"{self._seed} {masters}")
        self.blind = blind
        """Whether the clients check nothing."""
        self.mischief = mischief
        self.now_ms = 1_000_000
        self.people: dict[str, Person] = {}
        self.here: set[str] = set()
        """Whose line is up."""
        self.fixed: dict[int, DealFixed] = {}
        self.log: list[Logged] = []
        self.secrets: dict[str, bytes] = {}
        self.broadcast = Broadcast()
        options = c.RoomOptions(seats=seats, pause_seconds=1, cut_seconds=5)
        self.room: Room = self._open(c.RoomCreate(game, preset, rules or {}, options))
        self.steps = [self.room]
        self.come("p0")

    def _open(self, command: c.RoomCreate) -> Room:
        logged = entry("p0", "P0", self.now_ms, command, room_id=self.random.randbytes(32).hex())
        assert isinstance(logged, Logged), logged
        self.log.append(logged)
        opened = open_room(CODE, logged)
        assert isinstance(opened, Room), opened
        return opened

    def _come(self, name: str) -> Person:
        person = self.people.get(name) or self.people.setdefault(name, Person(name, self._seed))
        self.here.add(name)
        person.inbox.clear()
        self.broadcast.detach(person)
        person.guard.checker.lose_sight()
        self.broadcast.attach(person, self.room, 0)
        return person

    def join(self, name: str, *, watch: bool = False) -> str | None:
        """Comes in by the door, or back to the seat."""
        refusal = self.do(name, c.RoomJoinAsSpectator() if watch else c.RoomJoin())
        if refusal is None or refusal == "ALREADY_IN_ROOM":
            self.come(name)
        return refusal

    def come(self, name: str) -> None:
        """The line is up: the client is told of the room as it is."""
        self._come(name)
        self._settle()

    def do(self, who: str, command: Any) -> str | None:
        """Gives a command; None when it is done, else the code of the refusal."""
        refusal = self._do(who, command)
        self._settle()
        return refusal

    def _do(self, who: str, command: Any) -> str | None:
        self.now_ms += 10
        if isinstance(command, c.PlayerBuyChips) and who in self.people:
            self.people[who].guard.asks(self.room.hand, "bought", command.chips)
        if isinstance(command, c.PlayerSitIn) and who in self.people:
            self.people[who].guard.asks(self.room.hand, "waits" if command.wait else "sat_in")
        members = {member.id for member in self.room.players if not member.bot}
        down = tuple(sorted(members - self.here))
        logged = entry(who, who.capitalize(), self.now_ms, command, room=self.room, down=down)
        assert isinstance(logged, Logged), logged
        done = handle(self.room, logged, self._masters.randbytes(32))
        if isinstance(done, Refusal):
            return done.code
        self.room = done.room
        self.steps.append(done.room)
        self.log.append(logged)
        self.secrets.update(done.secrets)
        for _, told in news(self.room):
            if isinstance(told, DealFixed):
                self.fixed[told.context.deal] = told
        self.broadcast.publish(self.room, done.told, self.room.deadline_ms)
        return None

    def _settle(self) -> None:
        """Lets every client see what came, promise, cut and pay, until nothing more comes."""
        busy = True
        while busy:
            busy = False
            for person in list(self.people.values()):
                while person.inbox:
                    busy = True
                    self._see(person, person.inbox.pop(0))
                if person.name in self.here and self._serve(person):
                    busy = True

    def _see(self, person: Person, frame: dict[str, Any]) -> None:
        if frame["type"] != "ROOM_STATE":
            self.here.discard(person.name)
            return
        person.state = frame
        wanted = person.note_blindly(frame) if self.blind else person.note(frame, self.fixed)
        if wanted is not None and (person.wanted is None or person.wanted.deal != wanted.deal):
            person.wanted = wanted
            person.careless = self.random.random() < self.mischief

    def _serve(self, person: Person) -> bool:
        """What a client does by itself. Whether anything was done."""
        me = person.me
        if me is None or me["away"] or me["seat"] is None or not person.state:
            return False
        waits = person.state["public"]["waitsFor"]
        wanted = person.wanted
        if wanted is not None and me["seat"] in waits and wanted.deal == person.state["public"]["deal"]:
            if person.careless:
                return False
            person.wanted = None
            value = person.guard.cut(wanted)
            assert value is not None
            if self._do(person.name, c.DealCut(value, wanted.deal, person.guard.promise())) is None:
                person.guard.acknowledge(wanted.deal)
            return True
        if me["owes"] is not None:
            if self.random.random() < self.mischief:
                return False
            value = person.guard.owed(me["owes"], [_plain(self.fixed[me["owes"]])])
            assert value is not None
            return self._do(person.name, c.DealCut(value, me["owes"], person.guard.promise())) is None
        if not me["promised"] and me["seat"] not in waits:
            return self._do(person.name, c.DealPromise(person.guard.promise())) is None
        if person.name in person.state["public"]["agreeing"]:
            person.guard.agree(person.state["public"]["hand"])
            return self._do(person.name, c.DealAgree()) is None
        return False

    def start(self) -> None:
        """Everybody gets ready, and the host starts."""
        for member in self.room.players:
            if not member.bot and member.id != self.room.host and not member.ready:
                assert self.do(member.id, c.PlayerReadySet(ready=True)) is None
        refusal = self.do(self.room.host, c.HostStartGame())
        if refusal == "TEAMS_UNEQUAL":
            assert self.do(self.room.host, c.HostAddBot("random")) is None
            refusal = self.do(self.room.host, c.HostStartGame())
        assert refusal in (None, "NOT_EVERYBODY_HERE"), refusal

    def play(self, rounds: int, actions: int = 3000) -> None:
        """Plays on until so many rounds are over."""
        for _ in range(actions):
            if self.rounds >= rounds:
                return
            if self.random.random() < self.mischief:
                self._mischief()
            self._advance()
        raise AssertionError(f"only {self.rounds} of {rounds} rounds were played")

    @property
    def rounds(self) -> int:
        return len({room.hand for room in self.steps if room.round is not None and room.round.over})

    @property
    def _able(self) -> list[int]:
        """The seats in turn whose players are there."""
        members = ((seat, self.room.seated(seat)) for seat in self.room.turn)
        return [seat for seat, member in members if member is not None and not member.away]

    def _advance(self) -> None:
        room = self.room
        if room.phase is Phase.ENDED:
            assert self.do(room.host, c.HostRematch()) is None
            self.start()
        elif room.phase is Phase.LOBBY:
            for name in sorted(self.people):
                self.come(name)
            self.start()
        elif self._able and self.random.random() > self.mischief:
            self._act(self.random.choice(self._able))
        elif room.deadline_ms is not None:
            self.now_ms = max(self.now_ms, room.deadline_ms)
            self.do(CLOCK, c.Due())
        else:
            # The table waits for people: they come back.
            for member in list(room.members):
                if not member.bot:
                    self.join(member.id) if member.away else self.come(member.id)
            if self.room.version == room.version:
                self._fill_up()

    def _fill_up(self) -> None:
        """So few have chips, or are there, that nothing goes on: they buy, sit in, or a bot comes."""
        for member in self.room.players:
            if not member.bot:
                self.do(member.id, c.PlayerBuyChips(100))
                self.do(member.id, c.PlayerSitIn())
        if self.room.next_at_ms is None:
            self.do(self.room.host, c.PlayerBack())
        if self.room.next_at_ms is None:
            self.do(self.room.host, c.HostAddBot("random"))

    def _act(self, seat: int) -> None:
        member, played = self.room.seated(seat), self.room.round
        assert member is not None
        assert played is not None
        offer = self.random.choice(played.menu(seat))
        value = self.random.choice(offer.among) if offer.among else self.random.randint(offer.low, offer.high)
        action = offer.choose(value) if offer.field else offer.action
        person = self.people.get(member.id)
        if person is not None:
            if member.id not in self.here:
                # Nobody can act whose line is down.
                self.come(member.id)
            person.guard.acted(self.room.hand, msgspec.to_builtins(action))
        assert self.do(member.id, c.Play(action)) is None

    def _mischief(self) -> None:
        """Something that happens at a table."""
        name = f"p{self.random.randrange(6)}"
        match self.random.randrange(9 if not getattr(self.room.rules, "bomb_ante", 0) else 12):
            case 0:
                if self.do(name, c.RoomLeave()) is None:
                    self.here.discard(name)
            case 1 | 2:
                self.join(name)
            case 3:
                self.do(name, c.PlayerBuyChips(self.random.choice((10, 100, 500))))
            case 4:
                self.do(name, c.PlayerSitOut())
            case 5:
                self.do(name, c.PlayerSitIn())
            case 6 if len(self.here) > 1 and name in self.people:
                # The line is down: no frame comes any more.
                self.broadcast.detach(self.people[name])
                self.here.discard(name)
            case 7 if name in self.people:
                self.come(name)
            case 8:
                self.do(self.room.host, c.HostAddBot("random"))
            case 9 | 10:
                self.do(name, c.PlayerSitIn(wait=True))
            case 11:
                self.do(self.room.host, c.HostBombPot())

    def records(self, person: str = "") -> list[str]:
        return [line(entry) for entry in download(self.steps, person)]


def evening(
    seed: object,
    game: str,
    preset: str,
    *,
    people: int = 3,
    rounds: int = 12,
    mischief: float = 0.05,
    bots: int = 0,
    **how: Any,
) -> Evening:
    """An evening that was played; `how` is for `Evening`."""
    made = Evening(seed, game, preset, seats=6 if game != "sequence" else 0, mischief=mischief, **how)
    for number in range(1, people):
        assert made.join(f"p{number}") is None
    for _ in range(bots):
        assert made.do(made.room.host, c.HostAddBot("random")) is None
    made.start()
    made.play(rounds)
    return made


def _plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))
