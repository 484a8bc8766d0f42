"""A room that is taken up from a snapshot is the room that its whole log leads to."""

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.server.broadcast import Broadcast
from croupier.table import commands as c
from croupier.table.apply import ASIDES_MAX, ASIDES_OF_PERSON_MAX, Done, handle, open_room, redo, spent
from croupier.table.cuts import closing_of
from croupier.table.deals import Cutting
from croupier.table.log import START, ChainError, Logged, chained
from croupier.table.room import Room
from croupier.table.snapshot import FORMAT, Snapshot, SnapshotError, Trail, secret_names
from croupier.wire import snapshot as snapshots
from croupier.wire.replay import Replay, begin, take_up
from tests.table.evenings import CODE, Evening, evening

GAMES = [("poker", "cash", 3, 8), ("poker", "holdem", 5, 6), ("blackjack", "trainer", 3, 8)]
GAMES += [("sequence", "house", 2, 2)]


class Restless(Evening):
    """An evening on which things happen between two rounds, too."""

    def _advance(self) -> None:
        for _ in range(self.random.choice((0, 0, 1, 3))):
            if self.room.round is not None and self.room.round.over:
                self.do(self.room.host, c.PlayerBack())
        super()._advance()


class Kept:
    """An evening as its store has it: records in a chain, and the snapshots that can be taken before each of them."""

    def __init__(self, played: Evening) -> None:
        self.secrets = played.secrets
        self.records: list[bytes] = []
        self.rooms: list[Room] = []
        self.heads: list[bytes] = []
        self.snapshots: dict[int, bytes] = {}
        """By the version that each stands for."""
        trail = Trail()
        first, *others = played.log
        opened = open_room(CODE, first)
        assert isinstance(opened, Room)
        self._keep(first, opened)
        for said in others:
            before, head = self.rooms[-1], self.heads[-1]
            logged = replace(said, before=head.hex())
            after = redo(before, logged, self.secrets.get(f"cut:{before.deals + 1}", b"")).room
            taken = trail.snapshot(before, head, after)
            if taken is not None:
                self.snapshots[before.version] = snapshots.encode(taken)
                logged = replace(logged, snapshot=snapshots.digest(self.snapshots[before.version]))
            self._keep(logged, after)
            trail.step(before, head, self.records[-1], after)

    def _keep(self, logged: Logged, room: Room) -> None:
        self.records.append(msgspec.json.encode(logged))
        self.heads.append(chained(self.heads[-1] if self.heads else START, self.records[-1]))
        self.rooms.append(room)

    def read(self, version: int) -> Snapshot:
        return snapshots.read(self.snapshots[version], CODE, self.records[version])

    def take_up(self, version: int, until: int) -> Replay:
        """The room from the snapshot of a version, after so many records."""
        snapshot = self.read(version)
        records = self.records[version:until]
        names = secret_names(snapshot, len(records))
        secrets = {name: self.secrets[name] for name in names if name in self.secrets}
        return redo_all(take_up(snapshot, secrets), records, secrets)


def redo_all(replay: Replay, records: list[bytes], secrets: dict[str, bytes]) -> Replay:
    for record in records:
        replay.redo(record, secrets)
    return replay


class Ear:
    """Hears all that a room tells a person."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.frames: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)


def _told(room: Room) -> list[bytes]:
    """The whole room, as each of its people and a stranger are told of it."""
    found = []
    for person in (*sorted(member.id for member in room.members), "stranger"):
        ear = Ear(person)
        Broadcast().attach(ear, room, 0)
        found += ear.frames
    return found


def _facts(room: Room) -> Any:
    """All that is in a room, its secrets too."""
    fields = {name: getattr(room, name) for name in Room.__struct_fields__}
    cutting = fields.pop("cutting")
    committed = None
    if cutting is not None:
        assert isinstance(cutting, Cutting)
        deal = cutting.deal
        committed = (deal.context, deal.roots, deal.secrets(), replace(cutting, deal=None))
    packs = [(pack.context, pack.roots, pack.cut, pack.order(), pack.secret()) for pack in fields.pop("packs")]
    dealt = [
        (deal.closing, deal.moves, deal.outcome.context, deal.outcome.seal, deal.outcome.cuts)
        for deal in fields.pop("dealt")
    ]
    played = fields.pop("round")
    in_play = None
    if played is not None:
        shoe = None if played.shoe is None else played.shoe.draw(played.shoe.left)[0]
        in_play = replace(played, shoe=None), shoe
    return fields, committed, packs, dealt, in_play, closing_of(room)


def same_room(one: Room, other: Room) -> None:
    assert _facts(one) == _facts(other)
    assert _told(one) == _told(other)


@pytest.mark.parametrize(("game", "preset", "people", "rounds"), GAMES)
@pytest.mark.parametrize("seed", [0, 2, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 3))])
def test_a_room_from_a_snapshot_is_the_room_replayed_from_the_beginning(
    game: str, preset: str, people: int, rounds: int, seed: int
) -> None:
    made = Restless(f"snapshot {seed}", game, preset, seats=0 if game == "sequence" else 6, mischief=0.1)
    for number in range(1, people):
        made.join(f"p{number}")
    for _ in range(seed):
        made.do("p0", c.HostAddBot("random"))
    made.start()
    made.play(rounds)
    kept = Kept(made)
    random, count = Random(seed), len(kept.records)
    whole = redo_all(begin(CODE, kept.records[0]), kept.records[1:], kept.secrets)
    assert whole.head == kept.heads[-1]
    same_room(whole.room, kept.rooms[-1])
    versions = sorted(kept.snapshots)
    in_sight = [version for version in versions if kept.read(version).before is not None]
    assert in_sight, "sometimes a round that is over is in sight"
    for version in [*random.choices(versions, k=20), *random.choices(in_sight, k=10)]:
        until = random.choice((version + 1, min(version + random.randrange(1, 60), count), count))
        replay = kept.take_up(version, until)
        assert replay.head == kept.heads[until - 1]
        same_room(replay.room, kept.rooms[until - 1])
        for later in (number for number in versions if until <= number < min(until + 5, count)):
            # What is snapped later by whoever took the room up is the same, too.
            redo_all(replay, kept.records[replay.room.version : later], kept.secrets)
            again = replay.trail.snapshot(replay.room, replay.head, kept.rooms[later])
            assert again is not None
            assert snapshots.encode(again) == kept.snapshots[later]


def test_most_of_an_evening_need_not_be_replayed() -> None:
    kept = Kept(evening("long", "poker", "cash", people=4, rounds=30, mischief=0.02))
    versions = sorted(kept.snapshots)
    assert max(later - earlier for earlier, later in pairwise(versions)) < 100, "never farther away than one round"


def test_a_snapshot_holds_no_card_and_no_secret() -> None:
    kept = Kept(evening("sealed", "poker", "cash", people=3, rounds=6, mischief=0))
    assert len(kept.secrets) > 3
    for data in kept.snapshots.values():
        assert not any(secret in data or secret.hex().encode() in data for secret in kept.secrets.values())


def test_a_snapshot_that_does_not_fit_its_log_is_refused() -> None:
    kept = Kept(evening("one", "poker", "cash", people=2, rounds=3, mischief=0))
    other = Kept(evening("two", "poker", "cash", people=2, rounds=3, mischief=0))
    version = max(kept.snapshots)
    data, following = kept.snapshots[version], kept.records[version]
    snapshot = snapshots.decode(data)
    head = replace(snapshot, now=replace(snapshot.now, head=bytes(32)))
    richer = replace(snapshot, now=replace(snapshot.now, room=replace(snapshot.now.room, booked=(1_000_000, 0))))
    for wrong, code, record in (
        (snapshots.encode(head), CODE, following),
        (snapshots.encode(richer), CODE, following),
        (data, "OTHER1", following),
        (data, CODE, kept.records[version - 1]),
        (data, CODE, other.records[max(other.snapshots)]),
        (data, CODE, following.replace(b'"snapshot":', b'"other":')),
    ):
        with pytest.raises(SnapshotError):
            snapshots.read(wrong, code, record)


def test_what_is_no_snapshot_is_refused() -> None:
    kept = Kept(evening("one", "blackjack", "trainer", people=2, rounds=2, mischief=0))
    data = max(kept.snapshots.values(), key=len)
    for wrong in (b"", b"\xc1", data[: len(data) // 2], msgspec.msgpack.encode({"format": 1})):
        with pytest.raises(SnapshotError):
            snapshots.decode(wrong)
    newer = msgspec.msgpack.encode({**msgspec.msgpack.decode(data), "format": FORMAT + 1})
    with pytest.raises(SnapshotError, match="version"):
        snapshots.decode(newer)


def test_records_after_a_snapshot_are_held_to_the_chain() -> None:
    kept = Kept(evening("chain", "poker", "cash", people=2, rounds=3, mischief=0))
    version = min(kept.snapshots)
    kept.records[version + 1] = kept.records[version + 1].replace(b'"atMs":', b'"atMs":1')
    with pytest.raises(ChainError):
        kept.take_up(version, version + 3)


def test_commands_that_do_not_move_a_round_are_bounded() -> None:
    made = evening("busy", "poker", "cash", people=3, rounds=1, mischief=0)
    while not made.room.turn:
        made._advance()
    room = made.room

    def give(who: str, command: Any) -> str | None:
        nonlocal room
        logged = Logged(who, who, made.now_ms, command, 2)
        done = handle(room, logged, bytes(32))
        assert isinstance(done, Done), done
        refused = spent(room, logged, done.room)
        if refused is None:
            room = done.room
        return None if refused is None else refused.code

    promise = c.DealPromise("0" * 64)
    for _ in range(ASIDES_OF_PERSON_MAX):
        assert give("p1", promise) is None
    assert give("p1", promise) == "TOO_MANY_IN_ROUND"
    assert give("p2", promise) is None, "another player is not hindered"
    for number in range(ASIDES_MAX):
        if give(f"stranger{number}", c.RoomJoinAsSpectator()) is not None:
            break
        assert give(f"stranger{number}", c.RoomLeave()) is None, "whoever came may go"
    assert len(room.asides) <= 2 * ASIDES_MAX
    assert give("p2", promise) == "TOO_MANY_IN_ROUND"
    made.room = room
    made.play(2)
    assert made.room.asides == () or len(made.room.asides) < 20, "the next round begins anew"
