"""One room in service: one queue, one command at a time, everything stored before it is told."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec

from croupier.dealing.encoding import HASH_BYTES
from croupier.game.refusal import Refusal
from croupier.server.attempts import Attempt, Decider
from croupier.server.broadcast import Listener, Telling
from croupier.server.connected import Connected
from croupier.server.jobs import Answered, Job, answering
from croupier.server.messages import PEOPLE_TOLD_MAX, Heard, Here
from croupier.server.origins import Origins, Whereabouts
from croupier.server.room_alarms import RoomAlarms
from croupier.server.room_list import listed_alike, listing
from croupier.server.services import House, log
from croupier.server.snapshots import SnapshotWriter
from croupier.server.table_bots import TableBots
from croupier.server.vacancy import Vacancy
from croupier.server.waiters import Waiters
from croupier.store.port import Repeated, Stale, Stored, StoreError
from croupier.table.apply import CLOCK, ChainError, Done, LogReader, chained, next_secret, redo
from croupier.table.codes import RoomCode
from croupier.table.commands import Close, Due, HostKick, PlayerBack, RoomCommand, Sleep, Wake
from croupier.table.deal_news import fixed_deals
from croupier.table.room import Member, Phase, Room
from croupier.table.snapshot import Trail
from croupier.wire.room import ListedRoom, Presence

COMMANDS_QUEUED_MAX: Final = 256
ANSWERS_KEPT_MAX: Final = 32
"""So many answers are at hand, refusals too; what was done is in the store for good."""
DEALS_KEPT: Final = 32
LISTENERS_MAX: Final = 500
STORE_RETRY_SECONDS: Final = 0.5
"""When the clock and the bots try again what the store could not keep."""
OUTRUN_MAX: Final = 50
"""How often a command is decided anew because another node was quicker; each time the room has gone on."""
STANDBY_SECONDS: Final = 0.5
"""How much later than the first of them the other nodes that serve a room look after its clock and its bots."""
SECRET_UNKNOWN: Final = bytes(HASH_BYTES)
"""Stands for a deal's secret until it turns out that there is a deal: mostly there is none."""

_encode = msgspec.json.Encoder().encode


def table_name(code: str) -> str:
    """Under which name the store keeps a room."""
    return f"room:{code}"


class RoomActor:
    """Serves one room: takes commands one at a time, stores what comes of each, then tells every listener.

    Other nodes may serve the same room. What they stored is taken over record by record, through the same function as
    at loading, and told as if it had been done here. A command that another node outran is decided anew on the room
    as it is then, as if it had stood behind the other's in one queue: so it is refused as stale only when it named a
    version that the game has passed. Nothing is refused before the store has been asked whether the room went on.
    """

    def __init__(
        self,
        room: Room,
        house: House,
        head: bytes,
        trail: Trail | None = None,
        kept: int = 0,
        at_ms: int | None = None,
        origin_key: bytes = b"",
    ) -> None:
        """`trail` and `kept` are what is known of the room's snapshots; `at_ms` is when the room last went on."""
        self.room = room
        self._head = head
        """The chain of the log so far."""
        self._table = table_name(room.code)
        self._house = house
        self._snapshots = SnapshotWriter(house, self._table, trail, kept)
        self._jobs: list[Job] = []
        self._answers: OrderedDict[str, int | Refusal] = OrderedDict()
        self._bots = TableBots(house)
        self._telling = Telling()
        self._connected = Connected(lambda: self._telling.people)
        self._told_here: tuple[str, ...] = ()
        self._waiters = Waiters()
        self._listing = listing(room)
        self.deals = fixed_deals(room)
        """How the newest deals were fixed, for clients that missed some."""
        self._decider = Decider(house, self._table, self._snapshots, Origins(origin_key))
        self._alarms = RoomAlarms(house, self._ring, self._nudge_bots)
        self._busy = False
        """Whether a command has its turn."""
        self._task: asyncio.Task[None] | None = None
        """What does it, when it takes more than one question to the store."""
        self._closed = False
        self._waking = False
        since_ms = house.clock_ms() if at_ms is None else at_ms
        self._vacancy = Vacancy(house, since_ms, self._fall_asleep, lambda: self._give_by_clock(Close()))
        self._set_alarms(room.deadline_ms)

    @property
    def is_idle(self) -> bool:
        """Nobody listens, and it sleeps or is others' to look after: it can be let go, and loaded again."""
        is_done = self.room.asleep_at_ms is not None or bool(self._connected.elsewhere) or self._vacancy.is_over_long
        return not self._telling and not self._waiters and not self._busy and is_done

    @property
    def _is_empty(self) -> bool:
        """Whether nobody is connected, here or on another node."""
        return not self._telling and not self._connected.elsewhere

    def _waits_for_people(self) -> bool:
        """Whether the next round waits until somebody is there who can cut it."""
        room = self.room
        waits = room.gathering or (room.round is None and room.next_at_ms is None and room.agreed is None)
        return room.phase is Phase.PLAYING and waits

    @property
    def version(self) -> int:
        return self.room.version

    @property
    def commands_waiting(self) -> int:
        """How many commands wait for their turn."""
        return len(self._jobs)

    @property
    def here(self) -> tuple[str, ...]:
        """Who listens on this node."""
        return self._telling.people

    async def close(self) -> None:
        """Stops. What is in the store goes on at the next start."""
        self._closed = True
        self._snapshots.close()
        self._vacancy.cancel()
        self._alarms.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def submit(
        self,
        actor: str,
        name: str,
        command: RoomCommand,
        expected: int | None = None,
        command_id: str = "",
        place: Whereabouts | None = None,
    ) -> int | Refusal:
        """Gives a command its turn. The version that it became, or why it was refused. `place` is where whoever comes
        in is."""
        answer: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self.give(actor, name, command, expected, command_id, answering(answer), place)
        return await answer

    def give(
        self,
        actor: str,
        name: str,
        command: RoomCommand,
        expected: int | None,
        command_id: str,
        answered: Answered,
        place: Whereabouts | None = None,
    ) -> None:
        """The same without waiting: `answered` is called once, at the latest when the command had its turn."""
        if len(self._jobs) >= COMMANDS_QUEUED_MAX:
            answered(Refusal(RoomCode.BUSY))
        else:
            self._enqueue(Job(actor, name, command, expected, command_id, answered, place=place))

    def _enqueue(self, job: Job) -> None:
        if self._busy:
            self._jobs.append(job)
        else:
            self._begin(job)

    async def attach(self, listener: Listener, known_version: int = 0) -> Refusal | None:
        """Lets a connection hear the room: the whole state at once, then every change."""
        if len(self._telling) >= LISTENERS_MAX:
            return Refusal(RoomCode.ROOM_FULL, {"high": LISTENERS_MAX})
        self.refresh(listener, known_version)
        self._tell_presence()
        member = self.room.member(listener.person)
        if member is not None and not member.away and (member.missed or self._waits_for_people()):
            await self.submit(member.id, member.name, PlayerBack())
        return None

    def refresh(self, listener: Listener, known_version: int = 0) -> None:
        """Sends the whole state, with what happened since a version if that is still known."""
        self._telling.attach(listener, self.room, known_version)

    def detach(self, listener: Listener) -> None:
        self._waiters.forget(listener)
        if self._telling.detach(listener):
            self._tell_presence()

    def wait(self, listener: Listener) -> Refusal | None:
        """Lets a connection wait until its person is let in or refused, and be told that."""
        return self._waiters.add(listener)

    def _wake(self) -> None:
        """Somebody is here, and the room sleeps."""
        if not self._waking:
            self._waking = True
            self._enqueue(Job(CLOCK, "", Wake(), answered=self._woken))

    def _woken(self, answer: int | Refusal) -> None:
        self._waking = False
        if self.room.asleep_at_ms is not None:
            self._house.later(STORE_RETRY_SECONDS, lambda: self._set_alarms(self.room.deadline_ms))

    def _fall_asleep(self, since_ms: int) -> None:
        self._give_by_clock(Sleep(since_ms))

    def _give_by_clock(self, command: Sleep | Close) -> None:
        if self._is_empty and not self._closed:
            self._enqueue(Job(CLOCK, "", command))

    def say(self, frame: bytes) -> None:
        """Tells every listener, of other nodes too, something that is no part of the game and is not stored."""
        self.repeat(frame)
        self._house.tell(Heard(self.room.code, msgspec.Raw(frame)))

    def repeat(self, frame: bytes) -> None:
        """Tells every listener of this node."""
        self._telling.repeat(frame)

    def hear_of(self, node: str, people: Sequence[str]) -> None:
        """Who listens on another node; nobody when it is gone."""
        if self._connected.hear_of(node, people):
            self._tell_presence()

    def take_over(self, records: Sequence[Stored]) -> None:
        """Goes on, in its turn, to what another node has stored."""
        self._enqueue(Job("", "", None, chore=lambda: self._redo(records)))

    async def catch_up(self) -> int | Refusal:
        """The version, once the room is at least as far as the store had it when this was called; a refusal when the
        store did not say."""
        done: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self._enqueue(Job("", "", None, answered=answering(done), chore=self._follow))
        return await done

    def _next(self) -> None:
        """Gives the next job its turn."""
        self._busy = False
        if self._jobs:
            self._begin(self._jobs.pop(0))

    def _begin(self, job: Job) -> None:
        """Nearly all jobs are commands that are decided at once, and for what the store says to them nobody need wait
        in a task."""
        self._busy = True
        if job.chore is not None or job.key in self._answers:
            self._task = asyncio.create_task(self._work(job))
            return
        try:
            attempt = self._attempt(job)
        except Exception:
            self._finish(job, self._failed())
            return
        if isinstance(attempt, Refusal):
            self._task = asyncio.create_task(self._work(job, attempt))
        else:
            self._house.figures.waiting_commits += 1
            stored = asyncio.ensure_future(self._house.store.append(attempt.append))
            stored.add_done_callback(partial(self._stored, job, attempt))

    def _stored(self, job: Job, attempt: Attempt, stored: "asyncio.Future[Stale | Repeated | None]") -> None:
        self._house.figures.waiting_commits -= 1
        if self._closed:
            return
        try:
            outcome = self._outcome(attempt, stored)
        except Exception:
            self._finish(job, self._failed())
            return
        if isinstance(outcome, int) and outcome == self.room.version:
            self._remember(job.key, outcome)
            self._finish(job, outcome)
        else:
            self._task = asyncio.create_task(self._work(job, outcome))

    async def _work(self, job: Job, outcome: int | Refusal | Stale | None = None) -> None:
        """A job that takes more than one question to the store; `outcome` is what came of a first attempt."""
        try:
            answer = await (self._do(job, outcome) if job.chore is None else job.chore())
        except (StoreError, ChainError) as error:
            log.error("room %s: %s", self.room.code, error)
            answer = Refusal(RoomCode.STORE_FAILED)
        except Exception:
            answer = self._failed()
        self._task = None
        self._finish(job, answer)

    def _failed(self) -> Refusal:
        """A bug: it is logged, and the next job has its turn."""
        log.exception("room %s: a command failed", self.room.code)
        return Refusal(RoomCode.FAILED)

    def _finish(self, job: Job, answer: int | Refusal) -> None:
        if job.answered is not None:
            job.answered(answer)
        elif isinstance(answer, Refusal) and answer.code in (RoomCode.STORE_FAILED, RoomCode.FAILED):
            self._house.later(STORE_RETRY_SECONDS, lambda: self._set_alarms(self.room.deadline_ms))
        self._next()

    async def _do(self, job: Job, outcome: int | Refusal | Stale | None = None) -> int | Refusal:
        """One command, through its checks and the rules into the store, and only then to the listeners."""
        key = job.key
        known = self._answers.get(key)
        if known is not None:
            # What was refused here may have been done since on another node, where it was asked again.
            return known if isinstance(known, int) else await self._done_before(key) or known
        answer = await self._decide(job, outcome)
        if key and isinstance(answer, Refusal):
            answer = await self._done_before(key) or answer
        if isinstance(answer, int) and answer > self.room.version:
            await self._follow()
        if not isinstance(answer, Refusal) or answer.code != RoomCode.STORE_FAILED:
            self._remember(key, answer)
        return answer

    def _remember(self, key: str, answer: int | Refusal) -> None:
        if key:
            self._answers[key] = answer
            if len(self._answers) > ANSWERS_KEPT_MAX:
                self._answers.popitem(last=False)

    async def _done_before(self, key: str) -> int | None:
        """The version of a command that was done before the room was loaded, or by another node: a retry is answered,
        never refused. Raises StoreError when that cannot be known."""
        done = await self._house.store.answer(self._table, key)
        return None if done is None else done.version

    async def _decide(self, job: Job, outcome: int | Refusal | Stale | None) -> int | Refusal:
        """The command on the room as it is; and, when another node was quicker, as it is after that.

        A refusal, too, is given by the room as the store has it: what was acknowledged elsewhere is known here.
        """
        for _ in range(OUTRUN_MAX):
            version = self.room.version
            answer = await self._try(job) if outcome is None else outcome
            outcome = None
            if isinstance(answer, int) or (isinstance(answer, Refusal) and answer.code == RoomCode.STORE_FAILED):
                return answer
            if await self._follow() == version and isinstance(answer, Refusal):
                return answer
        return Refusal(RoomCode.BUSY)

    async def _try(self, job: Job) -> int | Refusal | Stale:
        attempt = self._attempt(job)
        if isinstance(attempt, Refusal):
            return attempt
        stored = asyncio.ensure_future(self._house.store.append(attempt.append))
        await asyncio.wait((stored,))
        return self._outcome(attempt, stored)

    def _attempt(self, job: Job) -> Attempt | Refusal:
        """Decides a command on the room as it is here. Nothing has happened yet."""
        return self._decider.attempt(
            self.room, self._head, self._listing, job, self._connected.down(self.room), self._place(job)
        )

    def _place(self, job: Job) -> Whereabouts | None:
        """Where the person is whom a command brings in, or removes."""
        if not isinstance(job.command, HostKick):
            return job.place
        return self._telling.place_of(job.command.member) or self._waiters.place_of(job.command.member)

    def _outcome(self, attempt: Attempt, stored: "asyncio.Future[Stale | Repeated | None]") -> int | Refusal | Stale:
        """The version that an attempt became; it is told only now. Or that the command was done before, or that
        somebody else moved the room first, or that the store failed."""
        try:
            outcome = stored.result()
        except StoreError as error:
            log.error("room %s: %s", self.room.code, error)
            return Refusal(RoomCode.STORE_FAILED)
        if outcome is not None:
            return outcome if isinstance(outcome, Stale) else outcome.version
        figures = self._house.figures
        figures.count_commit(time.perf_counter() - attempt.began)
        figures.commands["room"] += 1
        record = attempt.append.record
        self._snapshots.step(self.room, self._head, record, attempt.done.room, attempt.snapshot)
        self._head = chained(self._head, record)
        self._go_on(attempt.done, attempt.deadline_ms, attempt.listed)
        return attempt.append.version

    def _go_on(self, done: Done, deadline_ms: int | None, listed: ListedRoom) -> None:
        """Takes what is stored as the room, and tells it."""
        if done.room.deals != self.room.deals:
            self.deals |= fixed_deals(done.room)
            for number in list(self.deals)[:-DEALS_KEPT]:
                del self.deals[number]
        self.room, self._listing = done.room, listed
        if not done.quiet and self._telling.publish(done.room, done.told, deadline_ms):
            self._tell_presence()
        self._waiters.look_at(done.room)
        self._set_alarms(deadline_ms)

    async def _follow(self) -> int:
        """Goes on to where the store has the room."""
        return await self._redo(await self._house.store.records(self._table, self.room.version))

    async def _redo(self, records: Sequence[Stored]) -> int:
        """Does again what another node did; what is known already is passed over.

        Raises ChainError when the records do not follow from each other, and then does none of them: one that was read
        wrongly is found by the next.
        """
        new = [stored for stored in records if stored.version > self.room.version]
        reader = LogReader(self._head, self.room.version)
        for stored in new:
            reader.read(stored.record)
        for stored in new:
            room = self.room
            if stored.version != room.version + 1:
                raise StoreError(f"room {room.code}: record {room.version + 1} is missing")
            reader = LogReader(self._head, room.version)
            logged = reader.read(stored.record)
            done = redo(room, logged, SECRET_UNKNOWN)
            if done.secrets:
                name = next_secret(room, logged)
                secrets = await self._house.store.secrets(self._table, (name,))
                done = redo(room, logged, secrets[name])
            listed = self._listing if listed_alike(room, done.room) else listing(done.room)
            self._snapshots.step(room, self._head, stored.record, done.room)
            self._head = reader.head
            self._go_on(done, done.room.deadline_ms, listed)
        return self.room.version

    def _tell_presence(self) -> None:
        self._set_alarms(self.room.deadline_ms)
        here = self.here
        if here != self._told_here:
            self._told_here = here
            self._house.tell(Here(self._house.node, {self.room.code: here[:PEOPLE_TOLD_MAX]}))
        self.repeat(_encode(Presence(room_code=self.room.code, connected=self._connected.everywhere)))

    def _set_alarms(self, deadline_ms: int | None) -> None:
        """Wakes up at the room's deadline, and when bots have thought long enough.

        Of several nodes that serve the room one is first; the others come later, and find it done unless that one is
        gone. While nobody is connected nothing happens.
        """
        is_empty = self._is_empty
        self._vacancy.look_at(self.room, is_empty=is_empty)
        if is_empty:
            deadline_ms = None
        elif self.room.asleep_at_ms is not None and self._telling:
            self._wake()
        standby_seconds = self._standby_seconds() if self._connected.elsewhere else 0.0
        self._alarms.set(deadline_ms, standby_seconds, bots=bool(self._bots_to_move()))

    def _standby_seconds(self) -> float:
        is_standby = not self._telling or min(self._connected.elsewhere) < self._house.node
        return STANDBY_SECONDS if is_standby else 0.0

    def _ring(self) -> None:
        deadline_ms = self.room.deadline_ms
        if deadline_ms is None or self._is_empty:
            return
        if deadline_ms > self._house.clock_ms():
            self._set_alarms(deadline_ms)
        elif len(self._jobs) >= COMMANDS_QUEUED_MAX:
            self._alarms.ring_again(deadline_ms)
        else:
            self._enqueue(Job(CLOCK, "", Due()))

    def _nudge_bots(self) -> None:
        if len(self._jobs) >= COMMANDS_QUEUED_MAX:
            self._alarms.nudge_again()
        else:
            self._enqueue(Job("", "", None, chore=self._move_bots))

    def _bots_to_move(self) -> list[Member]:
        return [] if self._is_empty else self._bots.in_turn(self.room)

    async def _move_bots(self) -> int | Refusal:
        """One bot's move; the next one's comes after its own pause."""
        for member in self._bots_to_move()[:1]:
            return await self._do(self._bots.move(self.room, member))
        return self.room.version
