"""Bugs that were planted on purpose: the simulation finds each within a few seeds, and says which promise it breaks."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from croupier.clients.connection import Client
from croupier.clients.room_guard import RoomGuard
from croupier.game.refusal import Refusal
from croupier.games.blackjack.casino import step as session_step
from croupier.games.blackjack.rules import settle
from croupier.games.blackjack.rules import view as blackjack_view
from croupier.games.blackjack.rules.state import BlackjackState, Status
from croupier.games.poker import wire as holdem_wire
from croupier.games.poker.rules import view as holdem_view
from croupier.games.sequence.rules import view as sequence_view
from croupier.server import attempts, casino, recovery
from croupier.server.clock import ForwardClock
from croupier.server.nodes import Nodes
from croupier.server.room import RoomActor
from croupier.store.memory import MemoryStore
from croupier.store.port import Stored, StoreError
from croupier.table import cuts as cutting
from croupier.table import game_flow as table_play
from croupier.table.deal_news import DealOpened, DealVoid
from croupier.table.deals import Cutting
from croupier.table.log import chained
from croupier.table.room import Making
from croupier.table.snapshot import SnapshotError
from croupier.wire import room_state
from croupier.wire import snapshot as snapshots
from croupier.wire.log import LogReader, read_entry
from tests.simulation import database
from tests.simulation.run import play

Plant = Callable[[pytest.MonkeyPatch], None]


def _with_attempts(patch: pytest.MonkeyPatch, change: Callable[[Any, Any, Any], Any]) -> None:
    """Lets `change(actor, job, attempt)` meddle with what is on its way to the store."""
    decides = RoomActor._attempt

    def meddles(self: Any, job: Any) -> Any:
        attempt = decides(self, job)
        return attempt if isinstance(attempt, Refusal) else change(self, job, attempt)

    patch.setattr(RoomActor, "_attempt", meddles)


def publish_before_append(patch: pytest.MonkeyPatch) -> None:
    def tells_first(actor: Any, job: Any, attempt: Any) -> Any:
        actor._broadcast.publish(attempt.done.room, attempt.done.told, attempt.append.deadline_ms)
        return attempt

    _with_attempts(patch, tells_first)


def acknowledge_before_append(patch: pytest.MonkeyPatch) -> None:
    def answers_first(actor: Any, job: Any, attempt: Any) -> Any:
        if job.answered is not None:
            job.answered(actor.room.version + 1)
            job.answered = None
        return attempt

    _with_attempts(patch, answers_first)


def _storing(attempt: Any, **fields: Any) -> Any:
    return attempt._replace(append=msgspec.structs.replace(attempt.append, **fields))


def forget_what_was_done(patch: pytest.MonkeyPatch) -> None:
    """The room does not give the store the command's name: a retry after a crash is done again."""
    _with_attempts(patch, lambda actor, job, attempt: _storing(attempt, command_id=""))


def store_forgets_commands(patch: pytest.MonkeyPatch) -> None:
    """The store does not look whether a command was done."""
    writes = MemoryStore.append

    async def without_looking(self: Any, append: Any) -> Any:
        return await writes(self, msgspec.structs.replace(append, command_id=""))

    patch.setattr(MemoryStore, "append", without_looking)


def refuse_retries(patch: pytest.MonkeyPatch) -> None:
    """A command that was done before the room was loaded is refused when it is asked again."""

    async def never(self: Any, key: str) -> None:
        return None

    patch.setattr(RoomActor, "_done_before", never)


def double_the_ledgers_payout(patch: pytest.MonkeyPatch) -> None:
    books = Making.book

    def twice(self: Any, seat: int, chips: int, against: str) -> None:
        books(self, seat, chips * 2 if against == "house" else chips, against)

    patch.setattr(Making, "book", twice)


def double_a_win_at_blackjack(patch: pytest.MonkeyPatch) -> None:
    """Paid by the house, so that all sums still agree."""
    decides = settle._result

    def generously(options: Any, hand: Any, dealer: Any) -> Any:
        status, payout = decides(options, hand, dealer)
        return (status, payout + hand.bet) if status is Status.WIN else (status, payout)

    patch.setattr(settle, "_result", generously)


def forget_a_deals_secret(patch: pytest.MonkeyPatch) -> None:
    _with_attempts(patch, lambda actor, job, attempt: _storing(attempt, secrets=()))


def use_a_secret_twice(patch: pytest.MonkeyPatch) -> None:
    handles, kept = attempts.handle, {}

    def with_the_same(room: Any, logged: Any, secret: bytes) -> Any:
        return handles(room, logged, kept.setdefault(room.code, secret))

    patch.setattr(attempts, "handle", with_the_same)


def show_everybodys_hole_cards(patch: pytest.MonkeyPatch) -> None:
    shows = holdem_view.seat_view

    def openly(hand: Any, seat: int, viewer: int | None) -> Any:
        return shows(hand, seat, seat if seat == 0 else viewer)

    patch.setattr(holdem_view, "seat_view", openly)
    patch.setattr(holdem_wire, "seat_view", openly)


def show_the_dealers_hole_card(patch: pytest.MonkeyPatch) -> None:
    shows = blackjack_view._dealer

    def openly(options: Any, state: BlackjackState) -> Any:
        shown = shows(options, state)
        hidden = () if state.hole is None else (state.hole.open(),)
        return msgspec.structs.replace(shown, cards=(*shown.cards, *hidden))

    patch.setattr(blackjack_view, "_dealer", openly)


def show_another_hand_of_sequence(patch: pytest.MonkeyPatch) -> None:
    shows = sequence_view._private_hand
    patch.setattr(sequence_view, "_private_hand", lambda state, seat: shows(state, (seat + 1) % len(state.hands)))


def let_a_stale_node_overwrite(patch: pytest.MonkeyPatch) -> None:
    writes = MemoryStore.append

    async def overwrites(self: Any, append: Any) -> Any:
        table = self._tables.get(append.table)
        if table is not None and append.version <= len(table.records):
            table.records[append.version - 1] = Stored(append.version, append.at_ms, append.record)
            return None
        return await writes(self, append)

    patch.setattr(MemoryStore, "append", overwrites)


def skip_a_version(patch: pytest.MonkeyPatch) -> None:
    handles = attempts.handle

    def skips(room: Any, logged: Any, secret: bytes) -> Any:
        done = handles(room, logged, secret)
        if isinstance(done, attempts.Done) and done.room.version == 6:
            return msgspec.structs.replace(done, room=msgspec.structs.replace(done.room, version=7))
        return done

    async def takes_any(self: Any, append: Any) -> Any:
        table = self._tables.get(append.table)
        missing = 0 if table is None else append.version - len(table.records) - 1
        if missing > 0:
            table.records.extend([table.records[-1]] * missing)
        return await writes(self, append)

    writes = MemoryStore.append
    patch.setattr(attempts, "handle", skips)
    patch.setattr(MemoryStore, "append", takes_any)


def lose_a_record(patch: pytest.MonkeyPatch) -> None:
    """The store says that a step is durable, and keeps it not."""
    writes = MemoryStore.append

    async def pretends(self: Any, append: Any) -> Any:
        return None if append.version == 5 else await writes(self, append)

    patch.setattr(MemoryStore, "append", pretends)


def fire_deadlines_twice(patch: pytest.MonkeyPatch) -> None:
    rings, fires = RoomActor._ring, table_play.due

    def twice(self: Any) -> None:
        rings(self)
        if self._actor._waiting:
            self._actor._waiting.append(self._actor._waiting[-1])

    def whenever(making: Making) -> Any:
        deadline = making.room.deadline_ms
        if deadline is not None:
            making.at_ms = max(making.at_ms, deadline)
        return fires(making)

    patch.setattr(RoomActor, "_ring", twice)
    patch.setattr(table_play, "due", whenever)


def never_fire_a_deadline(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RoomActor, "_ring", lambda self: None)


def follow_others_by_hints_alone(patch: pytest.MonkeyPatch) -> None:
    looks = Nodes._look_at
    patch.setattr(Nodes, "_look_at", lambda self, codes: looks(self, codes) if isinstance(codes, tuple) else None)


def come_back_and_not_watch(patch: pytest.MonkeyPatch) -> None:
    greets = Client._greet

    async def forgets(self: Any) -> None:
        rooms, self.rooms = self.rooms, {}
        await greets(self)
        self.rooms = rooms

    patch.setattr(Client, "_greet", forgets)


def ask_again_under_another_name(patch: pytest.MonkeyPatch) -> None:
    asks = Client._ask

    async def renamed(self: Any, kind: str, fields: dict[str, Any]) -> Any:
        if "commandId" in fields:
            fields = {**fields, "commandId": self.environment.new_id()}
        return await asks(self, kind, fields)

    patch.setattr(Client, "_ask", renamed)


def pay_a_casino_win_twice(patch: pytest.MonkeyPatch) -> None:
    """The wallet gets a payout a second time, from the house: every sum is still zero."""
    moves = session_step.movements

    def twice(session: Any, **units: int) -> Any:
        won = units["wallet"] if units["wallet"] > 0 and units["stakes"] < 0 else 0
        return moves(session, wallet=units["wallet"] + won, stakes=units["stakes"], house=units["house"] - won)

    patch.setattr(session_step, "movements", twice)


def tell_the_next_server_seed(patch: pytest.MonkeyPatch) -> None:
    tells = casino.Casino._told

    def openly(self: Any, done: Any, server_seed: str) -> Any:
        answer = tells(self, done, server_seed)
        if isinstance(answer, casino.GameState):
            return msgspec.structs.replace(answer, game_id=server_seed)
        return answer

    patch.setattr(casino.Casino, "_told", openly)


def lose_a_cut(patch: pytest.MonkeyPatch) -> None:
    """A cut is acknowledged, and not taken."""
    answers = cutting._answered

    def forgets(making: Any, seat: int, **fields: Any) -> None:
        if "cuts" not in fields or making.room.deals % 2:
            answers(making, seat, **fields)

    patch.setattr(cutting, "_answered", forgets)


def deal_in_whoever_owes_a_cut(patch: pytest.MonkeyPatch) -> None:
    def can(self: Any, member: Any) -> bool:
        return not member.away and member.id not in self.down and bool(member.promise)

    patch.setattr(Making, "can_cut", can)
    notes = cutting._note_miss

    def keeps_the_promise(making: Any, cutter: Any) -> None:
        notes(making, cutter)
        making.seat(cutter.seat, promise="0" * 64)

    patch.setattr(cutting, "_note_miss", keeps_the_promise)


def tell_cuts_too_early(patch: pytest.MonkeyPatch) -> None:
    """Whoever is still to cut can learn what the others gave."""
    tells = room_state.news

    def openly(room: Any) -> Any:
        told = tells(room)
        if isinstance(room.cutting, Cutting) and room.cutting.cuts:
            told = (*told, (told[-1][0] + 1, DealVoid(room.deals, room.cutting.cuts, (), ())))
        return told

    patch.setattr(room_state, "news", openly)


def open_the_pack_in_play(patch: pytest.MonkeyPatch) -> None:
    tells = room_state.news

    def openly(room: Any) -> Any:
        packs = [(2**60 + pack.context.deal, DealOpened(pack.context.deal, pack.secret())) for pack in room.packs]
        return (*(each for each in tells(room) if each[0] < 2**60), *packs)

    patch.setattr(room_state, "news", openly)


def promise_the_same_twice(patch: pytest.MonkeyPatch) -> None:
    """A client that gives the same to two deals."""
    promises = RoomGuard.promise

    def again(self: Any) -> str:
        self._again = getattr(self, "_again", "") or promises(self)
        return str(self._again)

    patch.setattr(RoomGuard, "promise", again)


def trust_the_wall_clock(patch: pytest.MonkeyPatch) -> None:
    """A clock that is put back stops every turn until it has caught up."""
    patch.setattr(ForwardClock, "__call__", lambda self: self._wall_ms())


def believe_a_damaged_record(patch: pytest.MonkeyPatch) -> None:
    """A room is read without holding its records to their chain."""

    def without_looking(self: Any, record: bytes) -> Any:
        logged = read_entry(record, self.game)
        self.count += 1
        self.head = bytes.fromhex(logged.before) if logged.before else self.head
        self.head = chained(self.head, record)
        return logged

    patch.setattr(LogReader, "read", without_looking)


def believe_a_damaged_snapshot(patch: pytest.MonkeyPatch) -> None:
    """A snapshot is not held to the digest that the log has of it."""
    patch.setattr(snapshots, "read", lambda data, code, following: snapshots.decode(data))


def keep_half_of_a_torn_write(patch: pytest.MonkeyPatch) -> None:
    """Of a step that was torn the store keeps the record, and neither its chips nor its secrets."""

    def keeps_some(memory: MemoryStore, append: Any) -> None:
        database.at_once(memory.append(msgspec.structs.replace(append, entries=(), secrets=())))

    patch.setattr(database, "tear", keeps_some)


def stumble_over_a_torn_snapshot(patch: pytest.MonkeyPatch) -> None:
    """A room whose snapshot was torn is not opened from its log."""
    loads = recovery._from_snapshot

    async def gives_up(*arguments: Any) -> Any:
        try:
            return await loads(*arguments)
        except SnapshotError as error:
            raise StoreError(str(error)) from error

    patch.setattr(recovery, "_from_snapshot", gives_up)


def not_wait_for_a_slow_disk(patch: pytest.MonkeyPatch) -> None:
    """What takes the disk more than a second is acknowledged before it is kept."""

    def hurries(actor: Any, job: Any, attempt: Any) -> Any:
        answered, said = job.answered, []

        def once(answer: Any) -> None:
            if not said:
                said.append(answer)
                answered(answer)

        if answered is not None:
            job.answered = once
            actor._services.later(1.0, lambda: once(attempt.append.version))
        return attempt

    _with_attempts(patch, hurries)


DAMAGE = {"the rooms in memory are what the records say", "everybody is told what the records say"}
DAMAGE |= {"what is stored can be replayed"}
PLANTED: list[tuple[Plant, int, set[str]]] = [
    (publish_before_append, 3, {"nothing is told before it is stored"}),
    (acknowledge_before_append, 3, {"what is acknowledged is stored"}),
    (forget_what_was_done, 3, {"what is acknowledged is stored"}),
    (store_forgets_commands, 20, {"a command is done once", "a command that was done is never refused"}),
    (refuse_retries, 20, {"a command that was done is never refused"}),
    (double_the_ledgers_payout, 10, {"chips are neither made nor lost"}),
    (double_a_win_at_blackjack, 30, {"chips are neither made nor lost"}),
    (forget_a_deals_secret, 10, {"what is stored can be replayed"}),
    (use_a_secret_twice, 15, {"no secret reaches anybody"}),
    (show_everybodys_hole_cards, 10, {"nobody learns what they may not know"}),
    (show_the_dealers_hole_card, 20, {"nobody learns what they may not know"}),
    (show_another_hand_of_sequence, 40, {"nobody learns what they may not know"}),
    (let_a_stale_node_overwrite, 15, {"versions have no gaps"}),
    (skip_a_version, 5, {"versions have no gaps"}),
    (lose_a_record, 5, {"the store keeps its promises", "versions have no gaps"}),
    (fire_deadlines_twice, range(9, 19), {"a deadline fires once, and not before its time"}),
    (never_fire_a_deadline, 10, {"a table never stays blocked"}),
    (follow_others_by_hints_alone, range(31, 51), {"everybody reaches the same state"}),
    (come_back_and_not_watch, 10, {"everybody reaches the same state"}),
    (pay_a_casino_win_twice, range(37, 77), {"chips are neither made nor lost"}),
    (tell_the_next_server_seed, range(35, 75), {"no secret reaches anybody"}),
    (ask_again_under_another_name, 5, {"what is accepted is the command that was asked"}),
    (lose_a_cut, 10, {"clients find nothing wrong"}),
    (deal_in_whoever_owes_a_cut, 30, {"clients find nothing wrong"}),
    (tell_cuts_too_early, range(12, 72), {"no secret reaches anybody"}),
    (open_the_pack_in_play, 10, {"no secret reaches anybody"}),
    (promise_the_same_twice, 10, {"clients find nothing wrong"}),
    (trust_the_wall_clock, range(14, 74), {"a table never stays blocked"}),
]


def _looked_at(seeds: int | range) -> range:
    """The first so many, or those in which what it takes happens: few tear a snapshot, or have somebody win at the
    casino."""
    return range(1, seeds + 1) if isinstance(seeds, int) else seeds


@pytest.mark.parametrize(("plant", "seeds", "invariants"), PLANTED, ids=[entry[0].__name__ for entry in PLANTED])
def test_a_planted_bug_is_found(
    plant: Plant, seeds: int | range, invariants: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    for seed in _looked_at(seeds):
        report = play(seed)
        if not report.ok:
            assert {invariant for invariant, _ in report.broken} & invariants, report.text()
            return
    pytest.fail(f"none of the seeds {seeds} is broken")


PLANTED_ON_BAD_DISKS: list[tuple[Plant, int, set[str]]] = [
    (believe_a_damaged_record, 40, DAMAGE),
    (believe_a_damaged_snapshot, range(105, 126), DAMAGE),
    (keep_half_of_a_torn_write, 5, {"the store keeps its promises", "versions have no gaps"}),
    (stumble_over_a_torn_snapshot, range(190, 200), {"the server never fails", "everybody reaches the same state"}),
    (not_wait_for_a_slow_disk, 5, {"what is acknowledged is stored"}),
]


@pytest.mark.parametrize(
    ("plant", "seeds", "invariants"), PLANTED_ON_BAD_DISKS, ids=[entry[0].__name__ for entry in PLANTED_ON_BAD_DISKS]
)
def test_a_planted_bug_that_only_a_bad_disk_shows_is_found(
    plant: Plant, seeds: int | range, invariants: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    for seed in _looked_at(seeds):
        report = play(seed, bad_disk=True)
        if not report.ok:
            assert {invariant for invariant, _ in report.broken} & invariants, report.text()
            return
    pytest.fail(f"none of the seeds {seeds} is broken")


def test_without_a_bug_bad_disks_break_no_promise() -> None:
    # In 165 and 422 a damaged casino session is read for somebody who has gone.
    for seed in (*range(1, 21), 165, 422):
        report = play(seed, bad_disk=True)
        assert report.ok, report.text()
