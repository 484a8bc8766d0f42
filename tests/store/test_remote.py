"""What several processes promise each other that share one store: hints, lost lines, and no way to hurt the owner."""

import asyncio
import logging
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
import uvloop

from croupier.store import limits
from croupier.store.memory import MemoryStore
from croupier.store.port import ANY_TABLE, Said, Store, StoreError, Written
from croupier.store.remote import RemoteStore, StoreOwner, remote_store
from croupier.store.remote import owner as store_owner
from croupier.store.remote import share_group as share
from croupier.store.remote.line import FRAME_BYTES_MAX
from croupier.store.sqlite import SqliteStore
from tests.store.remote_stores import remote
from tests.store.steps import step

SECONDS_MAX = 60
Go = Callable[[Coroutine[None, None, None]], None]


@pytest.fixture(params=["asyncio", "uvloop"])
def go(request: pytest.FixtureRequest) -> Go:
    """Runs a test on either loop."""

    def run(body: Coroutine[None, None, None]) -> None:
        async def in_time() -> None:
            async with asyncio.timeout(SECONDS_MAX):
                await body

        factory = uvloop.new_event_loop if request.param == "uvloop" else None
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(in_time())

    return run


class Ear:
    """What one store tells by `changes`."""

    def __init__(self, store: Store) -> None:
        self._changes = store.changes()

    async def until(self, last: Written | Said) -> list[Written | Said]:
        """All that is new, up to and without `last`."""
        heard = []
        while (hint := await anext(self._changes)) != last:
            heard.append(hint)
        return heard


async def ears(*stores: Store) -> list[Ear]:
    """One for each store, that listens."""
    listening = [Ear(store) for store in stores]
    for ear in listening:
        assert await ear.until(Written(ANY_TABLE)) == []
    return listening


def test_owner_and_clients_hear_what_the_others_say(go: Go) -> None:
    async def body() -> None:
        owner = StoreOwner(MemoryStore())
        stores = [owner.own, remote(owner), remote(owner)]
        listening = await ears(*stores)
        for number, store in enumerate(stores):
            await store.tell(f"from {number}")
        await owner.own.tell("end")
        await stores[1].tell("end of ends")
        for number, ear in enumerate(listening):
            said = await ear.until(Said("end" if number else "end of ends"))
            assert said == [Said(f"from {other}") for other in range(3) if other != number]
        await owner.close()

    go(body())


def test_a_table_is_hinted_at_only_where_its_records_were_read_or_written(go: Go) -> None:
    async def body() -> None:
        owner = StoreOwner(MemoryStore())
        writer, reader, follower, stranger = stores = [remote(owner) for _ in range(4)]
        listening = await ears(*stores, owner.own)
        await stranger.append(step("other", 1))
        await reader.records("t")
        await follower.news({"t": 0})
        for version in range(1, 4):
            assert await writer.append(step("t", version)) is None
            assert await owner.own.append(step("own", version)) is None
        assert await stranger.append(step("other", 3)) is not None
        await owner.own.tell("end")
        heard = [await ear.until(Said("end")) for ear in listening[:4]]
        assert heard[0] == heard[3] == []
        assert set(heard[1]) == set(heard[2]) == {Written("t")}
        await stranger.tell("end")
        assert await listening[4].until(Said("end")) == []
        await owner.own.records("t")
        await writer.append(step("t", 4))
        assert await listening[4].until(Written("t")) == []
        await owner.close()

    go(body())


def test_who_has_seen_too_many_tables_is_told_to_look_at_everything(go: Go, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "CARED_MAX", 3)

    async def body() -> None:
        owner = StoreOwner(MemoryStore())
        here, there = remote(owner), remote(owner)
        (ear,) = await ears(here)
        for number in range(4):
            await here.records(f"t{number}")
        assert await ear.until(Written(ANY_TABLE)) == []
        await here.records("t0")
        for number in range(4):
            await there.append(step(f"t{number}", 1))
        await there.tell("end")
        assert await ear.until(Said("end")) == [Written("t0")]
        await owner.close()

    go(body())


class Hearing(MemoryStore):
    """A store that itself hears of other machines."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.coming: asyncio.Queue[Written | Said] = asyncio.Queue()

    async def changes(self) -> AsyncIterator[Written | Said]:  # type: ignore[override]  # called, it is the same
        while True:
            yield await self.coming.get()

    async def tell(self, message: str) -> None:
        self.told.append(message)


def test_what_other_machines_write_and_say_reaches_every_process_and_they_hear_what_each_says(go: Go) -> None:
    async def body() -> None:
        store = Hearing()
        owner = StoreOwner(store)
        here = remote(owner)
        listening = await ears(here, owner.own)
        for each in (here, owner.own):
            await each.records("t")
        for hint in (Written("t"), Written("nobody cares"), Written(ANY_TABLE), Said("hello")):
            store.coming.put_nowait(hint)
        for ear in listening:
            assert set(await ear.until(Said("hello"))) == {Written("t"), Written(ANY_TABLE)}
        await here.tell("from here")
        await owner.own.tell("from the owner")
        assert store.told == ["from here", "from the owner"]
        await owner.close()

    go(body())


def test_when_the_line_is_lost_all_who_wait_and_all_who_ask_later_are_told_so(go: Go) -> None:
    async def body() -> None:
        ours, theirs = socket.socketpair()
        store = RemoteStore(theirs)
        (ear,) = await ears(store)
        append, question = asyncio.ensure_future(store.append(step("t", 1))), asyncio.create_task(store.records("t"))
        await asyncio.sleep(0.01)
        ours.close()
        for use in (append, question, store.append(step("t", 1)), store.records("t"), store.tell("hello")):
            with pytest.raises(StoreError) as told:
                await use
            assert told.value.code == "STORE_LINE_LOST"
        with pytest.raises(StopAsyncIteration):
            await ear.until(Said("never"))
        await store.close()

    go(body())


def test_an_owner_that_closes_answers_first_and_leaves_the_store_open(go: Go, tmp_path: Path) -> None:
    async def body() -> None:
        store = SqliteStore(tmp_path / "store.db")
        owner = StoreOwner(store)
        here = remote(owner)
        assert await here.total() == 0
        appends = [asyncio.ensure_future(here.append(step(f"t{number}", 1))) for number in range(100)]
        while not owner._clients or not next(iter(owner._clients))._under_way:
            await asyncio.sleep(0)
        await owner.close()
        assert await asyncio.gather(*appends) == [None] * 100
        with pytest.raises(StoreError, match="gone"):
            await here.append(step("t", 1))
        with pytest.raises(StoreError, match="closed"):
            await owner.own.append(step("t", 1))
        assert await store.append(step("t", 1)) is None
        await store.close()

    go(body())


def packed(message: object) -> bytes:
    words = msgspec.msgpack.encode(message)
    return struct.pack("!I", len(words)) + words


@pytest.mark.parametrize(
    "garbage",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        struct.pack("!I", FRAME_BYTES_MAX + 1),
        packed({}),
        packed([0, 1, {"table": "t"}]),
        packed([1, 1, "close", []]),
        packed([1, 1, "records", [5]]),
        packed([1, 1, "records", []]),
        struct.pack("!I", 5000) + b"\x91" * 5000,
        struct.pack("!I", 5) + b"\xdd\xff\xff\xff\xff",
        struct.pack("!I", 5) + b"\x93\x01\x01\xa1\xff",
    ],
)
def test_garbage_on_a_line_ends_that_line_and_no_other(
    go: Go, garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def body() -> None:
        owner = StoreOwner(MemoryStore())
        other = remote(owner)
        assert await other.append(step("t", 1)) is None
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        owner.serve(ours)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(theirs, garbage)
        with suppress(ConnectionResetError):
            assert await loop.sock_recv(theirs, 1) == b""
        theirs.close()
        assert await other.append(step("t", 2)) is None
        assert len(owner._clients) == 1
        await owner.close()

    with caplog.at_level(logging.ERROR):
        go(body())
    assert "the line is cut" in caplog.text


def test_garbage_from_the_owner_is_a_lost_line(go: Go) -> None:
    async def body() -> None:
        ours, theirs = socket.socketpair()
        store = RemoteStore(theirs)
        waiting = store.append(step("t", 1))
        ours.sendall(packed([0, [99]]))
        with pytest.raises(StoreError) as told:
            await waiting
        assert told.value.code == "STORE_LINE_LOST"
        ours.close()

    go(body())


def test_errors_of_the_owners_store_keep_their_words_code_and_facts(go: Go, tmp_path: Path) -> None:
    async def body() -> None:
        store = SqliteStore(tmp_path / "store.db")
        owner = StoreOwner(store)
        here = remote(owner)
        store.path.rename(tmp_path / "elsewhere")
        for use in (here.append(step("t", 1)), here.forget_secrets("t", ["s"])):
            with pytest.raises(StoreError, match="deleted or replaced") as told:
                await use
            assert told.value.code == "STORE_GONE"
            assert told.value.facts == {"place": str(store.path)}
        await owner.close()
        await store.close()

    go(body())


class Unnamed(MemoryStore):
    """A store in a file whose name is no text."""

    async def total(self) -> int:
        raise StoreError("broken: \udcff", "STORE_BROKEN", {"place": Path("\udcff"), "fault": "\udcff"})


def test_an_error_that_is_no_text_is_told_all_the_same(go: Go) -> None:
    async def body() -> None:
        owner = StoreOwner(Unnamed())
        with pytest.raises(StoreError, match="broken") as told:
            await remote(owner).total()
        assert told.value.code == "STORE_BROKEN"
        assert told.value.facts == {"place": "?", "fault": "?"}
        await owner.close()

    go(body())


def test_the_largest_records_pass(go: Go) -> None:
    async def body() -> None:
        owner = StoreOwner(MemoryStore())
        here = remote(owner)
        record = bytes(range(256)) * (limits.BLOB_BYTES_MAX // 256)
        appends = [here.append(step("t", version, record=record)) for version in (1, 2, 3)]
        assert await asyncio.gather(*appends) == [None] * 3
        assert [stored.record for stored in await here.records("t")] == [record] * 3
        await owner.close()

    go(body())


@pytest.mark.parametrize(("module", "bound"), [(store_owner, "UNDER_WAY_MAX"), (remote_store, "WAITING_MAX")])
def test_who_asks_more_than_fits_waits_and_is_answered(
    go: Go, module: object, bound: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, bound, 3)

    async def body() -> None:
        store = SqliteStore(tmp_path / "store.db")
        owner = StoreOwner(store)
        here = remote(owner)
        for begin in (0, 100):
            appends = [here.append(step(f"t{number}", 1)) for number in range(begin, begin + 100)]
            assert await asyncio.gather(*appends, *(here.total() for _ in range(10))) == [None] * 100 + [0] * 10
            await asyncio.sleep(0)
        await here.close()
        await owner.close()
        await store.close()

    go(body())


async def write_for_ever(line: socket.socket) -> None:
    store = RemoteStore(line)

    async def play(table: str) -> None:
        version = 0
        while True:
            version += 1
            moves = {f"player of {table}": -version, "house": version}
            assert await store.append(step(table, version, f"c{version}", moves=moves)) is None

    await asyncio.gather(*(play(f"theirs{number}") for number in range(20)))


def test_a_client_killed_while_it_writes_leaves_a_whole_store_and_the_others_served(go: Go, tmp_path: Path) -> None:
    async def body() -> None:
        store = SqliteStore(tmp_path / "store.db")
        owner = StoreOwner(store)
        other = remote(owner)
        ours, theirs = socket.socketpair()
        with theirs:
            fd = theirs.fileno()
            child = subprocess.Popen([sys.executable, "-m", "tests.store.test_remote", str(fd)], pass_fds=[fd])
        owner.serve(ours)
        version = 0
        try:
            while len(await other.records("theirs0")) < 20:
                version += 1
                assert await other.append(step("t", version)) is None
        finally:
            child.send_signal(signal.SIGKILL)
        while len(owner._clients) > 1:
            await asyncio.sleep(0.001)
        assert child.wait() == -signal.SIGKILL
        assert await other.append(step("t", version + 1)) is None
        for row in await other.tables("theirs"):
            assert await other.balance(f"player of {row.table}") == -sum(range(row.version + 1))
        assert await other.check() == []
        assert await other.total() == 0
        await owner.close()
        await store.close()

    go(body())


if __name__ == "__main__":
    uvloop.run(write_for_ever(socket.socket(fileno=int(sys.argv[1]))))
