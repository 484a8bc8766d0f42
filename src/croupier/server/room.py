"""One room in service: one queue, one command at a time, everything stored before it is told."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec

from croupier.dealing.hash_input import HASH_BYTES
from croupier.game.refusal import Refusal
from croupier.server.actor import Actor
from croupier.server.attempts import Attempt, Decider
from croupier.server.broadcast import Broadcast, Listener
from croupier.server.connected import Connected
from croupier.server.jobs import Answered, Job, answering
from croupier.server.messages import PEOPLE_TOLD_MAX, Heard, Here
from croupier.server.origins import Origins, Whereabouts
from croupier.server.room_alarms import RoomAlarms
from croupier.server.room_list import listed_alike, listing
from croupier.server.services import Services, log
from croupier.server.snapshots import SnapshotWriter
from croupier.server.story import Story
from croupier.server.table_bots import TableBots
from croupier.server.vacancy import Vacancy
from croupier.server.waiters import Waiters
from croupier.store.port import Repeated, Stale, Stored, StoreError
from croupier.table.apply import ASIDES_OF_PERSON_MAX, CLOCK, Done, next_secret, redo
from croupier.table.codes import RoomCode
from croupier.table.commands import Close, Due, HostKick, PlayerBack, RoomCommand, Sleep, Wake
from croupier.table.deal_news import fixed_deals
from croupier.table.log import ChainError, chained
from croupier.table.room import Member, Phase, Room
from croupier.table.snapshot import Trail
from croupier.wire.log import LogReader
from croupier.wire.room import Presence, RoomDoor

COMMANDS_QUEUED_MAX: Final = 256
ANSWERS_KEPT_MAX: Final = 32
"""How many answers are kept in memory, refusals too; what was done is in the store for good."""
DEALS_KEPT: Final = 32
LISTENERS_MAX: Final = 500
BACK_STORED_MAX: Final = ASIDES_OF_PERSON_MAX // 2
"""A player's return is stored only if they gave at most this many other commands in the round that moved nothing."""
STORE_RETRY_SECONDS: Final = 0.5
"""When the clock and the bots retry after the store failed."""
OUTRUN_MAX: Final = 50
"""How often a command is decided again because another node was quicker."""
STANDBY_SECONDS: Final = 0.5
"""How long the other nodes of a room leave its clock and its bots to the first one."""
SECRET_UNKNOWN: Final = bytes(HASH_BYTES)
"""Stands for a deal's secret until a deal needs one: mostly there is none."""

_encode = msgspec.json.Encoder().encode


def table_name(code: str) -> str:
    """The name under which the store keeps a room."""
    return f"room:{code}"


class RoomActor:
    """Serves one room: takes commands one at a time, stores the outcome of each, then tells every listener. Other nodes
    may serve the same room. Their records are applied one by one, through the same function as at loading, and
    broadcast as if they had been made here. If another node was quicker, a command is decided again on the new room, as
    if both had been in one queue. So it is refused as stale only if the game has passed the version that it named.
    Nothing is refused before the store was asked whether the room went on.
    """

    def __init__(
        self,
        room: Room,
        services: Services,
        head: bytes,
        trail: Trail | None = None,
        kept: int = 0,
        at_ms: int | None = None,
        origin_key: bytes = b"",
    ) -> None:
        """`trail` and `kept` describe the room's snapshots; `at_ms` is the time of its last record."""
        self.room = room
        self._head = head
        """The chain of the log so far."""
        self._table = table_name(room.code)
        self._services = services
        self._snapshots = SnapshotWriter(services, self._table, trail, kept)
        self._actor = Actor(COMMANDS_QUEUED_MAX)
        self._answers: OrderedDict[str, int | Refusal] = OrderedDict()
        self._bots = TableBots(services)
        self._broadcast = Broadcast()
        self._connected = Connected(lambda: self._broadcast.people, services.monotonic)
        self._told_here: tuple[str, ...] = ()
        self._waiters = Waiters()
        self._story = Story()
        self._listing = listing(room)
        self.deals = fixed_deals(room)
        """The newest deals as they were fixed, for clients that missed some."""
        self._decider = Decider(services, self._table, self._snapshots, Origins(origin_key))
        self._alarms = RoomAlarms(services, self._ring, self._nudge_bots)
        self._closed = False
        self._waking = False
        since_ms = services.clock_ms() if at_ms is None else at_ms
        self._vacancy = Vacancy(services, since_ms, self._fall_asleep, lambda: self._give_by_clock(Close()))
        self._set_alarms(room.deadline_ms)

    @property
    def is_idle(self) -> bool:
        """Whether the room can be unloaded: nobody listens, and it sleeps or other nodes serve it."""
        is_done = self.room.asleep_at_ms is not None or bool(self._connected.elsewhere) or self._vacancy.is_over_long
        return not self._broadcast and not self._waiters and not self._actor.is_busy and is_done

    @property
    def _is_empty(self) -> bool:
        """Whether nobody is connected, here or on another node."""
        return not self._broadcast and not self._connected.elsewhere

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
        return self._actor.waiting

    @property
    def here(self) -> tuple[str, ...]:
        """The people who listen on this node."""
        return self._broadcast.people

    async def close(self) -> None:
        """Stop serving. The room goes on from the store when it is next loaded."""
        self._closed = True
        self._snapshots.close()
        self._vacancy.cancel()
        self._alarms.close()
        await self._actor.cancel()

    async def submit(
        self,
        actor: str,
        name: str,
        command: RoomCommand[Any],
        expected: int | None = None,
        command_id: str = "",
        place: Whereabouts | None = None,
    ) -> int | Refusal:
        """Queue a command. Return the room's new version, or the refusal. `place` is where a newcomer connects from."""
        answer: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self.give(actor, name, command, expected, command_id, answering(answer), place)
        return await answer

    def give(
        self,
        actor: str,
        name: str,
        command: RoomCommand[Any],
        expected: int | None,
        command_id: str,
        answered: Answered,
        place: Whereabouts | None = None,
    ) -> None:
        """The same without waiting: `answered` is called once, at the latest after the command's turn."""
        if self._actor.is_full:
            answered(Refusal(RoomCode.BUSY))
        else:
            self._enqueue(Job(actor, name, command, expected, command_id, answered, place=place))

    def _enqueue(self, job: Job) -> None:
        self._actor.give(partial(self._begin, job))

    async def attach(self, listener: Listener, known_version: int = 0) -> Refusal | None:
        """Let a connection hear the room: the whole state at once, then every change."""
        if len(self._broadcast) >= LISTENERS_MAX:
            return Refusal(RoomCode.ROOM_FULL, {"high": LISTENERS_MAX})
        member = self.room.member(listener.person)
        if member is not None and self._must_be_known_back(member):
            await self.submit(member.id, member.name, PlayerBack())
        self.refresh(listener, known_version)
        story = b"" if known_version else self._story.encode(self.room.code)
        if story:
            listener.send(story)
        self._tell_presence()
        member = self.room.member(listener.person)
        if member is not None and not member.away and (member.missed or self._waits_for_people()):
            await self.submit(member.id, member.name, PlayerBack())
        return None

    def _must_be_known_back(self, member: Member) -> bool:
        """Whether the store must say that a player is back before they are told the room: then they expect to be listed
        in the round's next shuffle, which another node may be about to fix."""
        room = self.room
        plays = member.seat is not None and not member.is_out and room.round is not None and not room.round.over
        is_new = member.id not in self.here and room.asides.count(member.id) < BACK_STORED_MAX
        return plays and is_new and self._services.shares_store()

    def refresh(self, listener: Listener, known_version: int = 0) -> None:
        """Send the whole state, with the events since a version if they are still kept."""
        self._broadcast.attach(listener, self.room, known_version)

    def detach(self, listener: Listener) -> None:
        self._waiters.forget(listener)
        if self._broadcast.detach(listener):
            self._tell_presence()

    def wait(self, listener: Listener) -> Refusal | None:
        """Let a connection wait until its person is admitted or refused, and tell it which."""
        return self._waiters.add(listener)

    def _wake(self) -> None:
        """Wake a sleeping room, because somebody is here."""
        if not self._waking:
            self._waking = True
            self._enqueue(Job(CLOCK, "", Wake(), answered=self._woken))

    def _woken(self, answer: int | Refusal) -> None:
        self._waking = False
        if self.room.asleep_at_ms is not None:
            self._services.later(STORE_RETRY_SECONDS, lambda: self._set_alarms(self.room.deadline_ms))

    def _fall_asleep(self, since_ms: int) -> None:
        self._give_by_clock(Sleep(since_ms))

    def _give_by_clock(self, command: Sleep | Close) -> None:
        if self._is_empty and not self._closed:
            self._enqueue(Job(CLOCK, "", command))

    def say(self, frame: bytes) -> None:
        """Tell every listener, also on other nodes, something that is not part of the game and is not stored."""
        self.repeat(frame)
        self._services.tell(Heard(self.room.code, msgspec.Raw(frame)))

    def repeat(self, frame: bytes) -> None:
        """Tell every listener on this node."""
        self._story.say(frame)
        self._broadcast.repeat(frame)

    def hear_of(self, node: str, people: Sequence[str]) -> None:
        """Note the people of another node; none when it is gone."""
        if self._connected.hear_of(node, people):
            self._tell_presence()

    def take_over(self, records: Sequence[Stored]) -> None:
        """Apply, in turn, the records that another node has stored."""
        self._enqueue(Job("", "", None, chore=lambda: self._redo(records)))

    async def catch_up(self) -> int | Refusal:
        """The version, once the room is at least as far as the store was when this was called; a refusal if the store
        did not answer."""
        done: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self._enqueue(Job("", "", None, answered=answering(done), chore=self._follow))
        return await done

    def _begin(self, job: Job) -> None:
        """Begin a job. Nearly all are commands that are decided at once and wait for the store without a task."""
        if job.chore is not None or job.key in self._answers:
            self._actor.work(partial(self._work, job))
            return
        try:
            attempt = self._attempt(job)
        except Exception:
            self._finish(job, self._failed())
            return
        if isinstance(attempt, Refusal):
            self._actor.work(partial(self._work, job, attempt))
        else:
            self._services.metrics.waiting_commits += 1
            stored = asyncio.ensure_future(self._services.store.append(attempt.append))
            stored.add_done_callback(partial(self._stored, job, attempt))

    def _stored(self, job: Job, attempt: Attempt, stored: "asyncio.Future[Stale | Repeated | None]") -> None:
        self._services.metrics.waiting_commits -= 1
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
            self._actor.work(partial(self._work, job, outcome))

    async def _work(self, job: Job, outcome: int | Refusal | Stale | None = None) -> None:
        """A job that takes more than one question to the store; `outcome` is what came of a first attempt."""
        try:
            answer = await (self._do(job, outcome) if job.chore is None else job.chore())
        except (StoreError, ChainError) as error:
            log.error("room %s: %s", self.room.code, error)
            answer = Refusal(RoomCode.STORE_FAILED)
        except Exception:
            answer = self._failed()
        self._tell(job, answer)

    def _failed(self) -> Refusal:
        """A bug: log it, and begin the next job."""
        log.exception("room %s: a command failed", self.room.code)
        return Refusal(RoomCode.FAILED)

    def _finish(self, job: Job, answer: int | Refusal) -> None:
        self._tell(job, answer)
        self._actor.end()

    def _tell(self, job: Job, answer: int | Refusal) -> None:
        """Tell the caller the outcome of the job."""
        if job.answered is not None:
            job.answered(answer)
        elif isinstance(answer, Refusal) and answer.code in (RoomCode.STORE_FAILED, RoomCode.FAILED):
            self._services.later(STORE_RETRY_SECONDS, lambda: self._set_alarms(self.room.deadline_ms))

    async def _do(self, job: Job, outcome: int | Refusal | Stale | None = None) -> int | Refusal:
        """Take one command through its checks and the rules into the store, and only then to the listeners."""
        key = job.key
        known = self._answers.get(key)
        if known is not None:
            # A command refused here may since have been done on another node, where it was retried.
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
        done = await self._services.store.answer(self._table, key)
        return None if done is None else done.version

    async def _decide(self, job: Job, outcome: int | Refusal | Stale | None) -> int | Refusal:
        """Decide the command on the present room, and again if another node was quicker. A refusal, too, is decided on
        the room as the store has it, with everything acknowledged elsewhere.
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
        stored = asyncio.ensure_future(self._services.store.append(attempt.append))
        await asyncio.wait((stored,))
        return self._outcome(attempt, stored)

    def _attempt(self, job: Job) -> Attempt | Refusal:
        """Decide a command on the room as known here. Nothing has happened yet."""
        down = self._connected.down(self.room)
        return self._decider.attempt(self.room, self._head, self._listing, job, down, self._place(job))

    def _place(self, job: Job) -> Whereabouts | None:
        """The origin of the person whom a command brings in or removes."""
        if not isinstance(job.command, HostKick):
            return job.place
        return self._broadcast.place_of(job.command.member) or self._waiters.place_of(job.command.member)

    def _outcome(self, attempt: Attempt, stored: "asyncio.Future[Stale | Repeated | None]") -> int | Refusal | Stale:
        """The outcome of an attempt: the new version, which is broadcast only now; or that the command was done before,
        that somebody else moved the room first, or that the store failed."""
        try:
            outcome = stored.result()
        except StoreError as error:
            log.error("room %s: %s", self.room.code, error)
            return Refusal(RoomCode.STORE_FAILED)
        if outcome is not None:
            return outcome if isinstance(outcome, Stale) else outcome.version
        metrics = self._services.metrics
        metrics.count_commit(time.perf_counter() - attempt.began)
        metrics.commands["room"] += 1
        record = attempt.append.record
        self._snapshots.step(self.room, self._head, record, attempt.done.room, attempt.snapshot)
        self._head = chained(self._head, record)
        self._publish(attempt.done, attempt.append.at_ms, attempt.deadline_ms, attempt.listed)
        return attempt.append.version

    def _publish(self, done: Done, at_ms: int, deadline_ms: int | None, listed: RoomDoor) -> None:
        """Take the stored value as the room, and broadcast it. `at_ms` is the time of the command."""
        if done.room.deals != self.room.deals:
            self.deals |= fixed_deals(done.room)
            for number in list(self.deals)[:-DEALS_KEPT]:
                del self.deals[number]
        self.room, self._listing = done.room, listed
        if done.told:
            self._story.tell(done.room, done.told, at_ms)
        if not done.quiet and self._broadcast.publish(done.room, done.told, deadline_ms):
            self._tell_presence()
        self._waiters.look_at(done.room)
        self._set_alarms(deadline_ms)

    async def _follow(self) -> int:
        return await self._redo(await self._services.store.records(self._table, self.room.version))

    async def _redo(self, records: Sequence[Stored]) -> int:
        """Replay the records of another node; known ones are skipped. Raises ChainError if they do not follow from each
        other, and then replays none of them.
        """
        new = [stored for stored in records if stored.version > self.room.version]
        reader = LogReader(self.room.rules.game, self._head, self.room.version)
        for stored in new:
            reader.read(stored.record)
        for stored in new:
            room = self.room
            if stored.version != room.version + 1:
                raise StoreError(f"room {room.code}: record {room.version + 1} is missing")
            reader = LogReader(room.rules.game, self._head, room.version)
            logged = reader.read(stored.record)
            done = redo(room, logged, SECRET_UNKNOWN)
            if done.secrets:
                name = next_secret(room, logged)
                secrets = await self._services.store.secrets(self._table, (name,))
                done = redo(room, logged, secrets[name])
            self._connected.acted(logged.actor)
            listed = self._listing if listed_alike(room, done.room) else listing(done.room)
            self._snapshots.step(room, self._head, stored.record, done.room)
            self._head = reader.head
            self._publish(done, logged.at_ms, done.room.deadline_ms, listed)
        return self.room.version

    def _tell_presence(self) -> None:
        self._set_alarms(self.room.deadline_ms)
        here = self.here
        if here != self._told_here:
            self._told_here = here
            self._services.tell(Here(self._services.node, {self.room.code: here[:PEOPLE_TOLD_MAX]}))
        self.repeat(_encode(Presence(room_code=self.room.code, connected=self._connected.everywhere)))

    def _set_alarms(self, deadline_ms: int | None) -> None:
        """Set the alarms for the room's deadline and for its bots. Of several nodes that serve the room, one is first.
        The others are later and find the work done unless that node is gone. While nobody is connected, nothing is set.
        """
        is_empty = self._is_empty
        self._vacancy.look_at(self.room, is_empty=is_empty)
        if is_empty:
            deadline_ms = None
        elif self.room.asleep_at_ms is not None and self._broadcast:
            self._wake()
        standby_seconds = self._standby_seconds() if self._connected.elsewhere else 0.0
        self._alarms.set(deadline_ms, standby_seconds, bots=not is_empty and bool(self._bots.in_turn(self.room)))

    def _standby_seconds(self) -> float:
        is_standby = not self._broadcast or min(self._connected.elsewhere) < self._services.node
        return STANDBY_SECONDS if is_standby else 0.0

    def _ring(self) -> None:
        deadline_ms = self.room.deadline_ms
        if deadline_ms is None or self._is_empty:
            return
        if deadline_ms > self._services.clock_ms():
            self._set_alarms(deadline_ms)
        elif self._actor.is_full:
            self._alarms.ring_again(deadline_ms)
        else:
            self._enqueue(Job(CLOCK, "", Due()))

    def _nudge_bots(self) -> None:
        if self._actor.is_full:
            self._alarms.nudge_again()
        else:
            self._enqueue(Job("", "", None, chore=self._move_bots))

    def _bots_to_move(self) -> list[Member]:
        return [] if self._is_empty else self._bots.in_turn(self.room)

    async def _move_bots(self) -> int | Refusal:
        """Make one bot's move; the next bot's comes after its own pause. It thinks on a thread, so other rooms do not
        wait."""
        for member in self._bots_to_move()[:1]:
            return await self._do(await asyncio.to_thread(self._bots.move, self.room, member))
        return self.room.version
