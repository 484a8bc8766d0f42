"""What the PostgreSQL store promises beyond the port: many nodes on one database, and what its check finds."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from croupier.store import group_commit, limits
from croupier.store.port import ANY_TABLE, Said, Stale, StoreError, Written
from croupier.store.postgres import PostgresStore, changes
from croupier.store.postgres.address import parse
from croupier.store.postgres.database import migrate, migrations
from tests.store.database import schema_of, shared_server
from tests.store.steps import step


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a store that is not there yet."""
    return shared_server().url(schema_of(tmp_path))


@asynccontextmanager
async def nodes(url: str, count: int = 2) -> AsyncIterator[list[PostgresStore]]:
    stores = [PostgresStore(url) for _ in range(count)]
    try:
        yield stores
        for store in stores:
            assert await store.check() == []
    finally:
        for store in stores:
            await store.close()


async def execute(url: str, sql: str) -> None:
    address = parse(url)
    connection = await asyncpg.connect(address.dsn, server_settings={"search_path": address.schema})
    await connection.execute(sql)
    await connection.close()


def test_nodes_that_pay_into_one_account_do_not_wait_for_each_other(url: str) -> None:
    async def go() -> None:
        async with nodes(url) as (here, there):
            await asyncio.gather(*(store.append(step(f"t{number}", 1)) for number, store in enumerate((here, there))))
            address = parse(url)
            held = await asyncpg.connect(address.dsn, server_settings={"search_path": address.schema})
            await here.append(step("t0", 2, moves={"ann": -5, "house": 5}))
            async with held.transaction():
                # As a node does that was frozen in the middle of its transaction.
                await held.execute("SELECT FROM account WHERE name = 'house' FOR UPDATE")
                async with asyncio.timeout(60):
                    assert await there.append(step("t1", 2, moves={"bob": -7, "house": 7})) is None
            await held.close()
            for store in (here, there):
                assert [await store.balance(name) for name in ("house", "ann", "bob")] == [12, -5, -7]
                assert [(line.table, line.chips) for line in await store.ledger("house")] == [("t1", 7), ("t0", 5)]
                assert [line.table for line in await store.ledger("house", most=1)] == ["t1"]
            too_many = limits.CHIPS_MAX - 6
            with pytest.raises(ValueError, match="a balance is at most"):
                await here.append(step("t0", 3, moves={"ann": -too_many, "house": too_many}))

    asyncio.run(go())


def test_two_nodes_agree_on_every_version_of_one_table(url: str) -> None:
    async def go() -> None:
        async with nodes(url) as stores:

            async def play(store: PostgresStore) -> int:
                version = lost = 0
                for _ in range(50):
                    again = step("t", version + 1, moves={"a": 1, "b": -1})
                    while isinstance(result := await store.append(again), Stale):
                        lost += 1
                        version = result.version
                        again = step("t", version + 1, moves={"a": 1, "b": -1})
                    version += 1
                return lost

            assert sum(await asyncio.gather(*map(play, stores))) > 0
            for store in stores:
                assert [stored.version for stored in await store.records("t")] == list(range(1, 101))
                assert await store.balance("a") == 100

    asyncio.run(go())


def test_many_tasks_on_three_nodes_lose_and_double_nothing(url: str) -> None:
    """Ten tables, some of them and some wallets not there yet when all begin; each task on a node by turns."""

    async def go() -> None:
        async with nodes(url, 3) as stores:
            won: Counter[str] = Counter()

            async def play(player: int) -> None:
                for turn in range(10):
                    table = f"t{(player + turn) % 10}"
                    version = 0
                    moves = {f"p{player % 7}": -1, f"q{turn}": 1}
                    while True:
                        store = stores[(player + turn) % 3]
                        made = step(table, version + 1, f"{player}-{turn}", moves=moves)
                        result = await store.append(made)
                        if result is None:
                            break
                        assert isinstance(result, Stale)
                        version = result.version
                    won[table] += 1

            await asyncio.gather(*(play(player) for player in range(30)))
            for table, count in won.items():
                versions = [stored.version for stored in await stores[0].records(table)]
                assert versions == list(range(1, count + 1))
            assert {await stores[1].balance(f"q{turn}") for turn in range(10)} == {30}
            assert await stores[2].total() == 0

    asyncio.run(go())


def test_a_command_sent_to_two_nodes_at_once_is_done_once(url: str) -> None:
    async def go() -> None:
        async with nodes(url) as stores:
            for version in range(1, 21):
                same = step("t", version, f"c{version}", moves={"a": 1, "b": -1})
                results = await asyncio.gather(*(store.append(same) for store in stores))
                assert sorted(result is None for result in results) == [False, True]
            assert await stores[0].balance("a") == 20

    asyncio.run(go())


def test_all_that_waits_while_a_transaction_runs_shares_the_next(url: str) -> None:
    async def go() -> None:
        async with nodes(url, 1) as (store,):
            results = await asyncio.gather(*(store.append(step(f"t{number}", 1)) for number in range(300)))
            assert results == [None] * 300
            assert store.counters.jobs == 300
            assert store.counters.commits <= 2

    asyncio.run(go())


def test_a_large_batch_is_cut_into_several_transactions(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "BATCH_JOBS_MAX", 10)
    monkeypatch.setattr(group_commit, "BATCH_BYTES_MAX", 5000)

    async def go() -> None:
        async with nodes(url, 1) as (store,):
            small = [store.append(step(f"small{number}", 1)) for number in range(40)]
            large = [store.append(step(f"large{number}", 1, record=bytes(2000))) for number in range(40)]
            assert await asyncio.gather(*small, *large) == [None] * 80
            assert store.counters.commits >= 4 + 14 - 1

    asyncio.run(go())


def test_nodes_that_start_at_once_make_the_schema_once(url: str) -> None:
    async def go() -> None:
        async with nodes(url, 8) as stores:
            results = await asyncio.gather(
                *(store.append(step(f"t{number}", 1)) for number, store in enumerate(stores))
            )
            assert results == [None] * 8
            assert len(await stores[0].tables()) == 8

    asyncio.run(go())


def test_a_newer_schema_is_refused(url: str) -> None:
    async def go() -> None:
        newer = await migrate(parse(url)) + 1
        await execute(url, f"INSERT INTO schema_version VALUES ({newer})")
        store = PostgresStore(url)
        with pytest.raises(StoreError) as told:
            await store.table("t")
        await store.close()
        assert (told.value.code, told.value.facts["found"]) == ("STORE_NEWER", newer)

    asyncio.run(go())


def test_a_migration_that_fails_leaves_no_trace(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [*migrations(), (len(migrations()) + 1, "CREATE TABLE extra (x int); INSERT INTO nowhere VALUES (1);")]

    async def go() -> None:
        with monkeypatch.context() as patch:
            patch.setattr("croupier.store.postgres.database.migrations", lambda: steps)
            with pytest.raises(StoreError, match="nowhere"):
                await migrate(parse(url))
        with pytest.raises(StoreError) as told:
            await migrate(parse(url), create=False)
        assert told.value.code == "STORE_MISSING"

    asyncio.run(go())


def test_nodes_hear_which_tables_others_wrote_and_not_their_own(url: str) -> None:
    async def go() -> None:
        here, there = PostgresStore(url), PostgresStore(url)
        heard = here.changes()
        async with asyncio.timeout(60):
            assert await anext(heard) == Written(ANY_TABLE)
            await here.append(step("mine", 1))
            await there.append(step("theirs\n♠", 1))
            assert await anext(heard) == Written("theirs\n♠")
            long_names = {f"{number:0500d}" for number in range(40)}
            await asyncio.gather(*(there.append(step(name, 1)) for name in long_names))
            assert {await anext(heard) for _ in long_names} == {Written(name) for name in long_names}
            await here.close()
            assert [name async for name in heard] == []
        await there.close()

    asyncio.run(go())


def test_nodes_hear_what_others_say_in_order_and_not_themselves(url: str) -> None:
    async def go() -> None:
        here, there = PostgresStore(url), PostgresStore(url)
        heard = here.changes()
        longest = "♠" * (limits.MESSAGE_BYTES_MAX // 3)
        async with asyncio.timeout(60):
            assert await anext(heard) == Written(ANY_TABLE)
            await here.tell("mine")
            for message in ("[not a hint]", "!two\nlines", longest):
                await there.tell(message)
            assert [await anext(heard) for _ in range(3)] == [Said("[not a hint]"), Said("!two\nlines"), Said(longest)]
        for store in (here, there):
            await store.close()

    asyncio.run(go())


def test_a_hint_fits_into_a_message_however_long_the_names_are() -> None:
    names = ["\x01" * 500, *("♠" * 166 for _ in range(100)), *(f"room:{number}" for number in range(2000))]
    messages = changes.hints("node", names)
    assert max(len(message.encode()) for message in messages) < 8000
    assert len(changes.hints("node", [f"room:{number:06}" for number in range(400)])) == 1


TAMPERINGS = {
    "has records up to 3, but 2": "DELETE FROM record WHERE version = 2 AND table_id = 1",
    "record 3 does not follow": "UPDATE record SET step = -1 WHERE version = 3",
    "said to be at version 7": "UPDATE game_table SET version = 7",
    "said to be at version 3 with row 0": "UPDATE game_table SET last_step = 0",
    "the entries of record 2 sum to 1": "UPDATE entry SET chips = chips + 1 WHERE version = 2 AND position = 0",
    "the balance is 8, but the entries sum to 6": "UPDATE account SET chips = 8 WHERE name = 'a'",
    "the sum over all accounts is 2": "UPDATE account SET chips = chips + 2 WHERE name = 'a'",
    "said to have 9 entries, but has 3": "UPDATE account SET entries = 9 WHERE name = 'a'",
    "entry 2 does not follow": "UPDATE entry SET version = 4 - version WHERE account_id = 1",
    "entries, but has 2, numbered up to 3": "DELETE FROM entry WHERE account_id = 1 AND number = 2",
    "3 rows of entry point to a row of account": "DELETE FROM account WHERE name = 'a'",
    "3 rows of record point to a row of game_table": "DELETE FROM game_table",
    "2 rows of entry point to a row of record": "DELETE FROM record WHERE version = 3",
    "1 rows of secret point": "UPDATE secret SET table_id = 99",
}


@pytest.mark.parametrize(("finding", "tampering"), TAMPERINGS.items(), ids=TAMPERINGS)
def test_the_check_finds_what_was_tampered_with(url: str, finding: str, tampering: str) -> None:
    async def go() -> str:
        store = PostgresStore(url)
        for version in (1, 2, 3):
            await store.append(step("t", version, moves={"a": 2, "b": -2}, secrets=(("seed", b"x"),)))
        assert await store.check() == []
        await execute(url, tampering)
        found = await store.check()
        await store.close()
        return "\n".join(found)

    assert finding in asyncio.run(go())


ADDRESSES: dict[str, Callable[[str], str]] = {
    "STORE_ADDRESS_PARTS": lambda url: "postgresql://host:port/database",
    "STORE_SCHEMA": lambda url: url.replace("schema=", "schema=1"),
    "STORE_NO_DATABASE": lambda url: url.replace("/postgres?", "/nowhere?"),
    "STORE_NOT_ALLOWED": lambda url: url.replace("croupier@", "nobody:hidden@"),
    "STORE_UNREACHABLE": lambda url: "postgresql://me:hidden@127.0.0.1:1/database",
}


@pytest.mark.parametrize("code", ADDRESSES)
def test_a_database_that_cannot_be_used_says_why_and_shows_no_password(url: str, code: str) -> None:
    async def go() -> None:
        store = PostgresStore(ADDRESSES[code](url))
        try:
            await store.append(step("t", 1))
        finally:
            await store.close()

    with pytest.raises(StoreError) as told:
        asyncio.run(go())
    assert told.value.code == code
    assert "hidden" not in str(told.value)


def test_without_create_a_missing_store_is_not_made(url: str) -> None:
    async def go() -> None:
        for _ in range(2):
            store = PostgresStore(url, create=False)
            with pytest.raises(StoreError) as told:
                await store.tables()
            assert told.value.code == "STORE_MISSING"
            await store.close()

    asyncio.run(go())
