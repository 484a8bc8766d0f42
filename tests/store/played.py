"""A store in which everything was played that a server keeps: rooms, the casino, the classroom, people."""

from itertools import count

import msgspec
from msgspec.structs import replace

from croupier.game.sealed import Sealed
from croupier.games.blackjack import CLASSROOM
from croupier.games.blackjack.classroom import Classroom, Phase
from croupier.server.classroom import ClassroomTable
from croupier.server.origins import KEY_NAME, Origins, Whereabouts
from croupier.store.open import open_store
from croupier.store.port import Append, Entry, Person, Store
from croupier.table import commands as c
from croupier.table.apply import Done, handle, open_room, redo
from croupier.table.log import START, Logged, chained, entry
from croupier.table.room import Room
from croupier.table.snapshot import Trail
from croupier.wire.casino import RotateSeed
from croupier.wire.snapshot import digest, encode
from tests.server.casino_players import Player, Seeds, casino
from tests.server.hub_room import KEY
from tests.table.evenings import CODE, Evening, evening

LOBBY = "ROOM2"
SNAPSHOT_EVERY = 5


async def play(url: str) -> None:
    """Fills a new store. Every run writes the same, but for the classroom's cards."""
    store = open_store(url)
    try:
        await _evening(store, evening("audit", "poker", "cash", people=2, rounds=3, mischief=0.0))
        await _lobby(store)
        await _casino(store)
        await _classroom(store)
        for number, name in enumerate(("Ann", "Bob")):
            await store.save_person(Person(f"p{number}", name, bytes([number]) * 32, "en", 1000 + number))
    finally:
        await store.close()


async def _evening(store: Store, played: Evening) -> None:
    """As a room's actor would write it, with a snapshot now and then."""
    first, *others = played.log
    room = open_room(CODE, first)
    assert isinstance(room, Room)
    record = msgspec.json.encode(first)
    head = chained(START, record)
    await _append(store, CODE, first, Done(room, (), (), ()), record)
    trail, kept = Trail(), 0
    for said in others:
        logged = replace(said, before=head.hex())
        done = redo(room, logged, played.secrets.get(f"cut:{room.deals + 1}", b""))
        taken = trail.snapshot(room, head, done.room) if room.version - kept >= SNAPSHOT_EVERY else None
        if taken is not None:
            kept = room.version
            logged = replace(logged, snapshot=digest(encode(taken)))
        record = msgspec.json.encode(logged)
        await _append(store, CODE, logged, done, record)
        if taken is not None:
            await store.save_snapshot(f"room:{CODE}", encode(taken))
        trail.step(room, head, record, done.room)
        room, head = done.room, chained(head, record)
    assert kept, "the evening has a snapshot"


async def _lobby(store: Store) -> None:
    """A room in which nothing was dealt yet."""
    made = entry("ann", "Ann", 5, c.RoomCreate("sequence"), room_id="ab" * 32)
    assert isinstance(made, Logged)
    key = b"k" * 32
    made = replace(made, origin=Origins(key).of(Whereabouts("192.0.2.1")))
    room = open_room(LOBBY, made)
    assert isinstance(room, Room)
    record = msgspec.json.encode(made)
    await _append(store, LOBBY, made, Done(room, (), ((KEY_NAME, key),), ()), record)
    more = entry("ann", "Ann", 6, c.HostAddBot("random"), room=room, head=chained(START, record))
    assert isinstance(more, Logged)
    done = handle(room, more, b"")
    assert isinstance(done, Done)
    await _append(store, LOBBY, more, done, msgspec.json.encode(more))


async def _append(store: Store, code: str, logged: Logged, done: Done, record: bytes) -> None:
    version = done.room.version
    append = Append(
        table=f"room:{code}",
        version=version,
        record=record,
        at_ms=logged.at_ms,
        command_id=f"{logged.actor}/{version}" if logged.actor else "",
        entries=tuple(Entry(account, chips) for account, chips in done.entries),
        secrets=done.secrets,
        deadline_ms=done.room.deadline_ms,
        listing=b'{"roomCode":"%s"}' % code.encode() if version == 1 else None,
        open=not done.room.closed,
    )
    assert await store.append(append) is None


async def _casino(store: Store) -> None:
    Seeds.numbers = count(1)
    for person in ("ann", "bob"):
        player = Player(casino(store), person)
        await player.state()
        for _ in range(2):
            await player.bet()
            await player.finish()
        await player.ask(RotateSeed(**player.ids()))
        await player.bet(client_seed="another seed of mine")
        await player.finish()


async def _classroom(store: Store) -> None:
    versions = count(1)

    async def keep(line: str) -> None:
        version = next(versions)
        assert await store.append(Append(table="classroom", version=version, record=line.encode(), at_ms=9)) is None

    async with ClassroomTable(Classroom(Sealed(KEY), rules=CLASSROOM), keep) as table:
        await table.join("dealer", "dealer", KEY)
        await table.join("ann", "ann")
        for _ in range(2):
            await table.start("dealer")
            while table.view.phase is Phase.IN_ROUND:
                await table.stand(table.view.current_turn_player_id)
