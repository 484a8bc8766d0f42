"""One room in service: one queue, one consumer, everything stored before it is told."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec

from croupier.bots import roster
from croupier.bots.policy import Policy
from croupier.dealing.encoding import HASH_BYTES
from croupier.rules.game import DealtSet, Told, Viewer, numbers_in
from croupier.rules.refusal import Refusal
from croupier.server.house import House, log
from croupier.server.jobs import Answered, Job, answering
from croupier.server.listing import listed_alike, listing
from croupier.server.messages import PEOPLE_TOLD_MAX, Heard, Here
from croupier.store.port import Append, Entry, Repeated, Stale, Stored, StoreError
from croupier.table.codes import RoomCode
from croupier.table.commands import Due, Play, PlayerBack, RoomCommand
from croupier.table.course import CLOCK, Done, Logged, handle, next_secret, redo, replay
from croupier.table.room import Member, Phase, Room
from croupier.table.roomview import PublicPart, part
from croupier.wire.room import CardOpening, ListedRoom, Presence, RoomClosed

COMMANDS_QUEUED_MAX: Final = 256
ANSWERS_KEPT_MAX: Final = 32
"""So many answers are at hand, refusals too; what was done is in the store for good."""
STEPS_KEPT_MAX: Final = 32
"""How many steps back somebody who comes back is told what happened; beyond that, the state alone."""
LISTENERS_MAX: Final = 500
BUSY_RETRY_SECONDS: Final = 0.05
STORE_RETRY_SECONDS: Final = 0.5
"""When the clock and the bots try again what the store could not keep."""
OUTRUN_MAX: Final = 50
"""How often a command is decided anew because another node was quicker; each time the room has gone on."""
STANDBY_SECONDS: Final = 0.5
"""How much later than the first of them the other nodes that serve a room look after its clock and its bots."""
SECRET_UNKNOWN: Final = bytes(HASH_BYTES)
"""Stands for a deal's secret until it turns out that there is a deal: mostly there is none."""

_encode = msgspec.json.Encoder().encode


class Listener(Protocol):
    """A connection that hears a room. `send` never waits: a slow one is the connection's own concern."""

    @property
    def person(self) -> str: ...

    def send(self, frame: bytes) -> None: ...


class _Heard:
    """What one listener has been sent of the present round: which cards' proofs."""

    __slots__ = ("cards", "hand")

    def __init__(self) -> None:
        self.hand = 0
        self.cards: DealtSet = 0


def table_name(code: str) -> str:
    """Under which name the store keeps a room."""
    return f"room:{code}"


async def load(code: str, house: House) -> Room | None:
    """The room as the store has it; None when there is none."""
    stored = await house.store.records(table_name(code))
    if not stored:
        return None
    log_entries = [msgspec.json.decode(entry.record, type=Logged) for entry in stored]
    return replay(code, log_entries, await house.store.secrets(table_name(code)))


class RoomActor:
    """Serves one room: takes commands one at a time, stores what comes of each, then tells every listener.

    Other nodes may serve the same room. What they stored is taken over record by record, through the same function as
    at loading, and told as if it had been done here. A command that another node outran is decided anew on the room
    as it is then, as if it had stood behind the other's in one queue: so it is refused as stale only when it named a
    version that the game has passed. Nothing is refused before the store has been asked whether the room went on.
    """

    def __init__(self, room: Room, house: House) -> None:
        self.room = room
        self._house = house
        self._jobs: list[Job] = []
        self._answers: OrderedDict[str, int | Refusal] = OrderedDict()
        self._listeners: dict[Listener, _Heard] = {}
        self._elsewhere: dict[str, tuple[str, ...]] = {}
        """Who listens on other nodes."""
        self._told_here: tuple[str, ...] = ()
        self._steps: list[tuple[int, tuple[Told[Any], ...]]] = []
        self._bots: dict[str, Policy[Any, Any]] = {}
        self._public = PublicPart()
        self._listing = listing(room)
        self._secret = b""
        """For the next deal that is committed to; nobody has seen it."""
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at_ms = 0
        self._bot_alarm: asyncio.TimerHandle | None = None
        self._consumer: asyncio.Task[None] | None = None
        """The one that takes the commands; there is none while there is nothing to do."""
        self._set_alarms(room.deadline_ms)

    @property
    def is_idle(self) -> bool:
        """Nobody listens and nothing is due here: it can be let go, and loaded again when somebody comes."""
        due_here = self._people_play() and not self._elsewhere
        return not self._listeners and self._consumer is None and not due_here

    def _people_play(self) -> bool:
        running = self.room.phase is Phase.PLAYING and self.room.paused_at_ms is None
        return running and any(not member.bot and not member.away for member in self.room.players)

    @property
    def version(self) -> int:
        return self.room.version

    @property
    def here(self) -> tuple[str, ...]:
        """Who listens on this node."""
        return tuple(sorted({listener.person for listener in self._listeners}))

    async def close(self) -> None:
        """Finishes the command at hand and stops. What is in the store goes on at the next start."""
        for alarm in (self._alarm, self._bot_alarm):
            if alarm is not None:
                alarm.cancel()
        if self._consumer is not None:
            self._consumer.cancel()
            await asyncio.gather(self._consumer, return_exceptions=True)

    async def submit(
        self, actor: str, name: str, command: RoomCommand, expected: int | None = None, command_id: str = ""
    ) -> int | Refusal:
        """Gives a command its turn. The version that it became, or why it was refused."""
        answer: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self.give(actor, name, command, expected, command_id, answering(answer))
        return await answer

    def give(
        self, actor: str, name: str, command: RoomCommand, expected: int | None, command_id: str, answered: Answered
    ) -> None:
        """The same without waiting: `answered` is called once, at the latest when the command had its turn."""
        if len(self._jobs) >= COMMANDS_QUEUED_MAX:
            answered(Refusal(RoomCode.BUSY))
        else:
            self._enqueue(Job(actor, name, command, expected, command_id, answered))

    def _enqueue(self, job: Job) -> None:
        self._jobs.append(job)
        if self._consumer is None:
            self._consumer = asyncio.create_task(self._consume())

    async def attach(self, listener: Listener, known_version: int = 0) -> Refusal | None:
        """Lets a connection hear the room: the whole state at once, then every change."""
        if len(self._listeners) >= LISTENERS_MAX:
            return Refusal(RoomCode.ROOM_FULL, {"high": LISTENERS_MAX})
        self.refresh(listener, known_version)
        self._tell_presence()
        member = self.room.member(listener.person)
        if member is not None and member.missed and not member.away:
            await self.submit(member.id, member.name, PlayerBack())
        return None

    def refresh(self, listener: Listener, known_version: int = 0) -> None:
        """Sends the whole state, with what happened since a version if that is still known."""
        self._listeners[listener] = _Heard()
        since = [step for step in self._steps if step[0] > known_version]
        whole_story = known_version and (not self._steps or self._steps[0][0] <= known_version + 1)
        told = tuple(each for _, step in since for each in step) if whole_story else ()
        viewer = self.room.viewer(listener.person)
        shared = self._public.encode(self.room, self.room.deadline_ms)
        listener.send(self._frame(listener, shared, self._own(viewer, told), viewer))

    def detach(self, listener: Listener) -> None:
        if self._listeners.pop(listener, None) is not None:
            self._tell_presence()

    def say(self, frame: bytes) -> None:
        """Tells every listener, of other nodes too, something that is no part of the game and is not stored."""
        self.repeat(frame)
        self._house.tell(Heard(self.room.code, msgspec.Raw(frame)))

    def repeat(self, frame: bytes) -> None:
        """Tells every listener of this node."""
        for listener in tuple(self._listeners):
            listener.send(frame)

    def hear_of(self, node: str, people: Sequence[str]) -> None:
        """Who listens on another node; nobody when it is gone."""
        if tuple(people) == self._elsewhere.get(node, ()):
            return
        self._elsewhere.pop(node, None)
        if people:
            self._elsewhere[node] = tuple(people)
        self._tell_presence()

    def take_over(self, records: Sequence[Stored]) -> None:
        """Goes on, in its turn, to what another node has stored."""
        self._enqueue(Job("", "", None, chore=lambda: self._redo(records)))

    async def catch_up(self) -> None:
        """Returns when the room is at least as far as the store had it when this was called."""
        done: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self._enqueue(Job("", "", None, answered=answering(done), chore=self._follow))
        await done

    async def _consume(self) -> None:
        while self._jobs:
            job = self._jobs.pop(0)
            try:
                answer = await (self._do(job) if job.chore is None else job.chore())
            except StoreError as error:
                log.error("room %s: %s", self.room.code, error)
                answer = Refusal(RoomCode.STORE_FAILED)
            except Exception:
                log.exception("room %s: a command failed", self.room.code)
                answer = Refusal(RoomCode.FAILED)
            if job.answered is not None:
                job.answered(answer)
            elif isinstance(answer, Refusal) and answer.code in (RoomCode.STORE_FAILED, RoomCode.FAILED):
                self._house.later(STORE_RETRY_SECONDS, lambda: self._set_alarms(self.room.deadline_ms))
        self._consumer = None

    async def _do(self, job: Job) -> int | Refusal:
        """One command, through its checks and the rules into the store, and only then to the listeners."""
        assert job.command is not None
        key = f"{job.actor}:{job.command_id}" if job.command_id else ""
        known = self._answers.get(key)
        if known is not None:
            # What was refused here may have been done since on another node, where it was asked again.
            return known if isinstance(known, int) else await self._done_before(key) or known
        answer = await self._decide(job, key)
        if key:
            if isinstance(answer, Refusal):
                answer = await self._done_before(key) or answer
            if isinstance(answer, int) and answer > self.room.version:
                await self._follow()
            if not isinstance(answer, Refusal) or answer.code != RoomCode.STORE_FAILED:
                self._answers[key] = answer
            if len(self._answers) > ANSWERS_KEPT_MAX:
                self._answers.popitem(last=False)
        return answer

    async def _done_before(self, key: str) -> int | None:
        """The version of a command that was done before the room was loaded, or by another node: a retry is answered,
        never refused. Raises StoreError when that cannot be known."""
        done = await self._house.store.answer(table_name(self.room.code), key)
        return None if done is None else done.version

    async def _decide(self, job: Job, key: str) -> int | Refusal:
        """The command on the room as it is; and, when another node was quicker, as it is after that.

        A refusal, too, is given by the room as the store has it: what was acknowledged elsewhere is known here.
        """
        for _ in range(OUTRUN_MAX):
            version = self.room.version
            answer = await self._try(job, key)
            if isinstance(answer, int) or (isinstance(answer, Refusal) and answer.code == RoomCode.STORE_FAILED):
                return answer
            if await self._follow() == version and isinstance(answer, Refusal):
                return answer
        return Refusal(RoomCode.BUSY)

    async def _try(self, job: Job, key: str) -> int | Refusal | Stale:
        room = self.room
        if job.expected is not None and not room.game_version <= job.expected <= room.version:
            return Refusal(RoomCode.STALE_VERSION, {"version": room.version})
        assert job.command is not None
        logged = Logged(job.actor, job.name, self._house.clock_ms(), job.command)
        self._secret = self._secret or self._house.secret()
        done = handle(room, logged, self._secret)
        if isinstance(done, Refusal):
            return done
        if done.secrets:
            self._secret = b""
        deadline_ms = done.room.deadline_ms
        listed = self._listing if listed_alike(room, done.room) else listing(done.room)
        stored = await self._store(logged, done, key, deadline_ms, None if listed is self._listing else listed)
        if stored is not None:
            return stored
        self._house.figures.commands["room"] += 1
        self._go_on(done, deadline_ms, listed)
        return done.room.version

    def _go_on(self, done: Done, deadline_ms: int | None, listed: ListedRoom) -> None:
        """Takes what is stored as the room, and tells it."""
        self.room, self._listing = done.room, listed
        self._publish(done.told, deadline_ms)
        self._set_alarms(deadline_ms)

    async def _store(
        self, logged: Logged, done: Done, key: str, deadline_ms: int | None, listed: ListedRoom | None
    ) -> int | Refusal | Stale | None:
        """None when it is durable. Else the command was done before, or somebody else moved the room first."""
        append = Append(
            table=table_name(self.room.code),
            version=done.room.version,
            record=_encode(logged),
            at_ms=logged.at_ms,
            command_id=key,
            entries=tuple([Entry(account, chips) for account, chips in done.entries]),
            secrets=done.secrets,
            deadline_ms=deadline_ms,
            listing=None if listed is None else _encode(listed),
        )
        try:
            outcome = await self._house.figures.timed(self._house.store.append(append))
        except StoreError as error:
            log.error("room %s: %s", self.room.code, error)
            return Refusal(RoomCode.STORE_FAILED)
        match outcome:
            case Repeated(version):
                return version
            case Stale():
                return outcome
            case None:
                return None

    async def _follow(self) -> int:
        """Goes on to where the store has the room."""
        return await self._redo(await self._house.store.records(table_name(self.room.code), self.room.version))

    async def _redo(self, records: Sequence[Stored]) -> int:
        """Does again what another node did; what is known already is passed over."""
        for stored in records:
            room = self.room
            if stored.version <= room.version:
                continue
            assert stored.version == room.version + 1, "records are read from the room's version on"
            logged = msgspec.json.decode(stored.record, type=Logged)
            done = redo(room, logged, SECRET_UNKNOWN)
            if done.secrets:
                name = next_secret(room)
                secrets = await self._house.store.secrets(table_name(room.code), (name,))
                done = redo(room, logged, secrets[name])
            self._go_on(
                done, done.room.deadline_ms, self._listing if listed_alike(room, done.room) else listing(done.room)
            )
        return self.room.version

    def _publish(self, told: tuple[Told[Any], ...], deadline_ms: int | None) -> None:
        """The public part is encoded once, each viewer's part once a viewer, and spliced."""
        self._steps = [*self._steps[1 - STEPS_KEPT_MAX :], (self.room.version, told)]
        shared = self._public.encode(self.room, deadline_ms)
        parts: dict[Viewer, bytes] = {}
        for listener in tuple(self._listeners):
            if listener.person in self.room.banned:
                self._send_away(listener)
                continue
            viewer = self.room.viewer(listener.person)
            own = parts.get(viewer)
            if own is None:
                own = parts[viewer] = self._own(viewer, told)
            listener.send(self._frame(listener, shared, own, viewer))

    def _send_away(self, listener: Listener) -> None:
        """Who was sent away hears so, and then nothing more of the room."""
        self.detach(listener)
        listener.send(_encode(RoomClosed(room_code=self.room.code, code=RoomCode.KICKED)))

    def _own(self, viewer: Viewer, told: tuple[Told[Any], ...]) -> bytes:
        """What everybody who looks with the same eyes gets."""
        heard = [each.event for each in told if each.to.hears(viewer)]
        return b'%b,"events":%b,"openings":' % (_encode(part(self.room, viewer)), _encode(heard))

    def _frame(self, listener: Listener, shared: bytes, own: bytes, viewer: Viewer) -> bytes:
        heard = self._listeners[listener]
        whole = heard.hand != self.room.hand
        if whole:
            heard.hand, heard.cards = self.room.hand, 0
        known = self.room.known(viewer)
        fresh = numbers_in(known & ~heard.cards)
        heard.cards |= known
        return b"".join(
            (
                b'{"type":"ROOM_STATE","public":',
                shared,
                b',"you":',
                own,
                _encode([self._opening(card) for card in fresh]) if fresh else b"[]",
                b',"whole":true}' if whole else b',"whole":false}',
            )
        )

    def _opening(self, card: int) -> CardOpening:
        shuffle, proof = self.room.opening(card)
        return CardOpening(proof.k, proof.position, proof.salt, proof.card, proof.path, shuffle=shuffle)

    def _tell_presence(self) -> None:
        here = self.here
        if here != self._told_here:
            self._told_here = here
            self._house.tell(Here(self._house.node, {self.room.code: here[:PEOPLE_TOLD_MAX]}))
        connected = tuple(sorted({*here, *(person for people in self._elsewhere.values() for person in people)}))
        self.repeat(_encode(Presence(room_code=self.room.code, connected=connected)))

    def _set_alarms(self, deadline_ms: int | None) -> None:
        """Wakes up at the room's deadline, and when bots have thought long enough.

        An alarm that rings too early is set again then: most deadlines are put off long before they come. Of several
        nodes that serve the room one is first; the others come later, and find it done unless that one is gone.
        """
        standby_seconds = STANDBY_SECONDS if self._is_standby() else 0.0
        if self._alarm is not None and (deadline_ms is None or deadline_ms < self._alarm_at_ms):
            self._alarm.cancel()
            self._alarm = None
        if self._alarm is None and deadline_ms is not None:
            self._alarm_at_ms = deadline_ms
            seconds = (deadline_ms - self._house.clock_ms()) / 1000 + standby_seconds
            self._alarm = self._house.later(seconds, self._ring)
        if self._bot_alarm is not None:
            self._bot_alarm.cancel()
            self._bot_alarm = None
        if self._bots_to_move():
            self._bot_alarm = self._house.later(self._house.bot_delay_seconds + standby_seconds, self._nudge_bots)

    def _is_standby(self) -> bool:
        return bool(self._elsewhere) and (not self._listeners or min(self._elsewhere) < self._house.node)

    def _ring(self) -> None:
        self._alarm = None
        deadline_ms = self.room.deadline_ms
        if deadline_ms is None:
            return
        if deadline_ms > self._house.clock_ms():
            self._set_alarms(deadline_ms)
        elif len(self._jobs) >= COMMANDS_QUEUED_MAX:
            self._alarm_at_ms = deadline_ms
            self._alarm = self._house.later(BUSY_RETRY_SECONDS, self._ring)
        else:
            self._enqueue(Job(CLOCK, "", Due()))

    def _nudge_bots(self) -> None:
        if len(self._jobs) >= COMMANDS_QUEUED_MAX:
            self._bot_alarm = self._house.later(BUSY_RETRY_SECONDS, self._nudge_bots)
        else:
            self._enqueue(Job("", "", None, chore=self._move_bots))

    def _bots_to_move(self) -> list[Member]:
        if self.room.paused_at_ms is not None:
            return []
        turn = self.room.turn
        return [member for member in self.room.members if member.bot and member.seat in turn]

    async def _move_bots(self) -> int | Refusal:
        """One bot's move, by what its seat sees; the next one's comes after its own pause."""
        for member in self._bots_to_move()[:1]:
            assert member.seat is not None
            assert self.room.round is not None
            policy = self._bots.get(member.id)
            if policy is None:
                policy = roster.bot(self.room.rules.game, member.bot, self._house.random, self.room.rules)
                self._bots[member.id] = policy
            action = policy(self.room.round.view(member.seat), self.room.round.menu(member.seat))
            job = Job(member.id, member.name, Play(msgspec.Raw(_encode(action))), expected=self.room.version)
            return await self._do(job)
        return self.room.version
