"""PostgreSQL restarted, killed and cut off under writes: nothing acknowledged is lost, nothing is half-written."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from croupier.store.port import ANY_TABLE, StoreError, Written
from croupier.store.postgres import PostgresStore, database, writer
from croupier.store.postgres.address import parse
from tests.store.database import new_server, schema_of, shared_server
from tests.store.steps import step

PATIENCE_SECONDS = 90


def within_time(body: Callable[[], Awaitable[None]]) -> None:
    async def go() -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await body()

    asyncio.run(go())


class Player:
    """Writes one table step by step, and remembers what was acknowledged."""

    def __init__(self, store: PostgresStore, table: str) -> None:
        self.store = store
        self.table = table
        self.acknowledged = 0
        self.refusals: list[StoreError] = []

    async def play(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            version = self.acknowledged + 1
            # Every try is a command of its own, so a step that was kept despite its error would be found as `Stale`.
            command = f"{version}, try {len(self.refusals)}"
            try:
                outcome = await self.store.append(
                    step(self.table, version, command, moves={self.table: 1, "house": -1})
                )
            except StoreError as error:
                self.refusals.append(error)
                await asyncio.sleep(0.02)
            else:
                assert outcome is None
                self.acknowledged = version


async def hold_whole(url: str, players: list[Player]) -> None:
    store = PostgresStore(url)
    assert await store.check() == []
    for player in players:
        assert [stored.version for stored in await store.records(player.table)] == [
            version + 1 for version in range(player.acknowledged)
        ]
        assert await store.balance(player.table) == player.acknowledged
    assert await store.balance("house") == -sum(player.acknowledged for player in players)
    await store.close()


def test_a_restarted_database_loses_nothing_acknowledged_and_the_nodes_go_on_by_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writer, "DOUBT_SECONDS_MAX", PATIENCE_SECONDS)
    server = new_server()

    async def go() -> None:
        stores = [PostgresStore(server.url()) for _ in range(2)]
        players = [Player(stores[number % 2], f"t{number}") for number in range(12)]
        stop = asyncio.Event()
        playing = [asyncio.create_task(player.play(stop)) for player in players]
        for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGQUIT):
            before = [player.acknowledged for player in players]
            while any(player.acknowledged <= count + 3 for player, count in zip(players, before, strict=True)):
                await asyncio.sleep(0.01)
            await asyncio.to_thread(server.stop, how)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(server.start)
        before = [player.acknowledged for player in players]
        while any(player.acknowledged == count for player, count in zip(players, before, strict=True)):
            await asyncio.sleep(0.01)
        stop.set()
        await asyncio.gather(*playing)
        refusals = [error for player in players for error in player.refusals]
        assert refusals
        assert [str(error) for error in refusals if error.code != "STORE_UNREACHABLE"] == []
        for store in stores:
            assert await store.total() == 0
            await store.close()
        await hold_whole(server.url(), players)

    try:
        within_time(go)
    finally:
        server.remove()


def test_a_commit_in_doubt_is_known_by_its_row_because_a_crash_gives_its_number_to_others(tmp_path: Path) -> None:
    async def go() -> None:
        url = shared_server().url(schema_of(tmp_path))
        store = PostgresStore(url, lanes=1)
        assert await store.append(step("ours", 1)) is None
        (lane,) = store._writers
        connection = await lane._connected()
        number = await connection.fetchval("SELECT xmin::text FROM record")
        epoch = int(await connection.fetchval("SELECT pg_current_xact_id()::text")) >> 32
        whole = str(epoch << 32 | int(number))
        assert await lane._was_committed(whole, step("ours", 1))
        assert not await lane._was_committed(whole, step("ours", 1, record=b"another's"))
        assert not await lane._was_committed(whole, step("ours", 2))
        assert not await lane._was_committed(str(int(whole) + 1_000_000), step("ours", 1)), "never given out"
        await store.close()

    within_time(go)


class Proxy:
    """Stands between a store and the database, and breaks the line when the store commits."""

    def __init__(self) -> None:
        self.at_commit = ""
        """`lose answer` and `lose command` cut the line once; `silence` takes everything from then on."""
        self._port = shared_server().port
        self._writers: list[asyncio.StreamWriter] = []

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)

    def url(self, schema: str) -> str:
        port = self._server.sockets[0].getsockname()[1]
        return f"postgresql://croupier@127.0.0.1:{port}/postgres?schema={schema}"

    async def close(self) -> None:
        self._server.close()
        for each in self._writers:
            each.close()

    async def _serve(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        far_reader, database = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers += client, database
        answers = asyncio.create_task(self._pass_on(far_reader, client))
        while data := await reader.read(65536):
            if b"COMMIT\0" in data and self.at_commit == "lose command":
                self.at_commit = ""
                break
            if b"COMMIT\0" in data and self.at_commit == "lose answer":
                self.at_commit = ""
                answers.cancel()
                database.write(data)
                await far_reader.read(65536)
                break
            if self.at_commit == "silence":
                continue
            database.write(data)
        client.close()
        database.close()

    async def _pass_on(self, far_reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        while data := await far_reader.read(65536):
            if self.at_commit != "silence":
                client.write(data)
        client.close()


@pytest.mark.parametrize("at_commit", ["lose answer", "lose command"])
def test_a_commit_whose_answer_is_lost_is_known_to_be_done_or_done_again(tmp_path: Path, at_commit: str) -> None:
    async def go() -> None:
        proxy = Proxy()
        await proxy.start()
        store = PostgresStore(proxy.url(schema_of(tmp_path)))
        assert await store.append(step("t", 1)) is None
        proxy.at_commit = at_commit
        assert await store.append(step("t", 2, moves={"a": 1, "b": -1})) is None
        assert proxy.at_commit == ""
        assert (store.counters.doubts, store.counters.retries) == (1, int(at_commit == "lose command"))
        assert len(await store.records("t")) == 2
        assert await store.balance("a") == 1
        assert await store.check() == []
        await store.close()
        await proxy.close()

    within_time(go)


def test_a_node_that_is_cut_off_says_so_in_time_and_goes_on_when_the_line_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "ANSWER_SECONDS_MAX", 0.5)
    monkeypatch.setattr(database, "CONNECT_SECONDS_MAX", 0.5)
    monkeypatch.setattr(writer, "DOUBT_SECONDS_MAX", 1.0)

    async def go() -> None:
        proxy = Proxy()
        await proxy.start()
        store = PostgresStore(proxy.url(schema_of(tmp_path)))
        while True:
            try:
                assert await store.append(step("t", 1)) is None
                break
            except StoreError:  # a busy machine may need longer than half a second
                pass
        proxy.at_commit = "silence"
        for use in (store.append(step("t", 2)), store.table("t")):
            with pytest.raises(StoreError) as told:
                await use
            assert told.value.code == "STORE_UNREACHABLE"
        proxy.at_commit = ""
        while True:
            try:
                assert await store.append(step("t", 2, "again")) is None
                break
            except StoreError:
                await asyncio.sleep(0.1)
        await store.close()
        await proxy.close()

    within_time(go)


def test_a_node_that_freezes_in_a_transaction_does_not_keep_the_others_from_the_table(tmp_path: Path) -> None:
    url = shared_server().url(schema_of(tmp_path))

    async def go() -> None:
        store = PostgresStore(url)
        await store.append(step("t", 1))
        frozen = await database.connect(parse(url))
        await frozen.execute("BEGIN")
        await frozen.execute("SELECT FROM game_table WHERE name = 't' FOR UPDATE")
        assert await store.append(step("t", 2)) is None
        await store.close()
        frozen.terminate()

    within_time(go)


def test_who_listens_is_told_to_look_everywhere_after_the_line_was_cut(tmp_path: Path) -> None:
    async def go() -> None:
        proxy = Proxy()
        await proxy.start()
        schema = schema_of(tmp_path)
        here, there = PostgresStore(proxy.url(schema)), PostgresStore(shared_server().url(schema))
        heard = here.changes()
        assert await anext(heard) == Written(ANY_TABLE)
        for each in proxy._writers:
            each.close()
        assert await anext(heard) == Written(ANY_TABLE)
        await there.append(step("t", 1))
        assert await anext(heard) == Written("t")
        for store in (here, there):
            await store.close()
        await heard.aclose()  # type: ignore[attr-defined]  # it is a generator
        await proxy.close()

    within_time(go)
