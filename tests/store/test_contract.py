"""Every promise of `port`, asked of every store."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

import msgspec
import pytest

from croupier.store import limits
from croupier.store.memory import MemoryStore
from croupier.store.port import (
    ANY_TABLE,
    Entry,
    LedgerLine,
    Person,
    Repeated,
    Said,
    Stale,
    Store,
    Stored,
    StoreError,
    TableRow,
    Written,
)
from croupier.store.postgres import PostgresStore
from croupier.store.sqlite import SqliteStore
from tests.store.database import schema_of, shared_server
from tests.store.remote_stores import Owned, Remote
from tests.store.steps import step

Kind = Callable[[Path], Store]
KINDS: dict[str, Kind] = {
    "memory": lambda folder: MemoryStore(),
    "sqlite": lambda folder: SqliteStore(folder / "store.db"),
    "postgresql": lambda folder: PostgresStore(shared_server().url(schema_of(folder))),
    "remote": lambda folder: Remote(SqliteStore(folder / "store.db")),
    "owned": lambda folder: Owned(SqliteStore(folder / "store.db")),
}
"""Each is made in a running loop."""
Body = Callable[[Store], Coroutine[None, None, None]]
Run = Callable[[Body], None]


@pytest.fixture(params=KINDS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Runs a test's body with a fresh store, which must be sound afterwards."""

    def go(body: Body) -> None:
        async def whole() -> None:
            store = KINDS[request.param](tmp_path)
            try:
                await body(store)
                assert await store.check() == []
                assert await store.total() == 0
            finally:
                await store.close()

        asyncio.run(whole())

    return go


def test_records_are_read_back_in_order(run: Run) -> None:
    async def body(store: Store) -> None:
        for version in (1, 2, 3):
            assert await store.append(step("t", version)) is None
        assert await store.records("t") == [Stored(version, 1000 + version, b"t %d" % version) for version in (1, 2, 3)]
        assert [stored.version for stored in await store.records("t", after=2)] == [3]
        assert list(await store.records("t", after=3)) == []
        assert list(await store.records("nowhere")) == []

    run(body)


def test_news_are_the_records_above_what_is_known_of_many_tables(run: Run) -> None:
    async def body(store: Store) -> None:
        for table, last in (("a", 3), ("b", 1), ("ü\"'", 2)):
            for version in range(1, last + 1):
                assert await store.append(step(table, version)) is None
        news = await store.news({"a": 1, "b": 1, "ü\"'": 0, "nowhere": 0})
        assert {table: [stored.version for stored in records] for table, records in news.items()} == {
            "a": [2, 3],
            "ü\"'": [1, 2],
        }
        assert list(news["a"]) == list(await store.records("a", after=1))
        assert not await store.news({})

    run(body)


def test_secrets_are_read_by_name(run: Run) -> None:
    async def body(store: Store) -> None:
        first = msgspec.structs.replace(step("t", 1), secrets=(("one", b"1"), ("two", b"2"), ("three", b"3")))
        assert await store.append(first) is None
        assert await store.secrets("t", ["three", "none", "one"]) == {"one": b"1", "three": b"3"}
        assert await store.secrets("t", []) == {}
        assert len(await store.secrets("t")) == 3

    run(body)


def test_a_version_that_is_not_the_next_is_stale_and_nothing_of_it_is_kept(run: Run) -> None:
    async def body(store: Store) -> None:
        assert await store.append(step("t", 2, moves={"a": 5, "b": -5})) == Stale(0)
        assert await store.table("t") is None
        await store.append(step("t", 1))
        assert await store.append(step("t", 1, "c", moves={"a": 5, "b": -5}, secrets=(("s", b"x"),))) == Stale(1)
        assert await store.append(step("t", 3)) == Stale(1)
        assert await store.balance("a") == 0
        assert await store.secrets("t") == {}
        assert await store.answer("t", "c") is None
        assert len(await store.records("t")) == 1

    run(body)


def test_of_two_writers_of_one_version_one_is_told_stale(run: Run) -> None:
    async def body(store: Store) -> None:
        results = await asyncio.gather(*(store.append(step("t", 1, record=b"%d" % writer)) for writer in range(10)))
        assert sorted(map(repr, results)) == sorted(map(repr, [None] + [Stale(1)] * 9))
        (kept,) = await store.records("t")
        assert kept.record == b"%d" % results.index(None)

    run(body)


def test_a_repeated_command_is_answered_and_not_done_again(run: Run) -> None:
    async def body(store: Store) -> None:
        assert await store.append(step("t", 1, "c", moves={"a": 5, "b": -5})) is None
        await store.append(step("t", 2))
        for version in (1, 2, 3, 99):
            again = step("t", version, "c", answer=b"another", moves={"a": 5, "b": -5})
            assert await store.append(again) == Repeated(1, b"done c")
        assert await store.balance("a") == 5
        assert await store.answer("t", "c") == Repeated(1, b"done c")
        assert await store.answer("t", "d") is None
        assert await store.answer("nowhere", "c") is None

    run(body)


def test_a_repeated_command_takes_nothing_from_steps_beside_it_and_is_answered_by_a_closed_table(run: Run) -> None:
    async def body(store: Store) -> None:
        await store.append(step("t", 1, "c", moves={"a": 5, "b": -5}))
        again = step("t", 2, "c", moves={"a": 5, "b": -5})
        beside = [step(table, 1, moves={"a": 1, "b": -1}) for table in ("u", "v")]
        results = await asyncio.gather(*(store.append(each) for each in (beside[0], again, beside[1])))
        assert results == [None, Repeated(1, b"done c"), None]
        assert await store.balance("a") == 7
        await store.append(step("t", 2, open=False))
        assert await store.append(step("t", 3, "c")) == Repeated(1, b"done c")
        assert await store.check() == []

    run(body)


def test_a_command_sent_twice_at_once_is_done_once(run: Run) -> None:
    async def body(store: Store) -> None:
        same = step("t", 1, "c", moves={"a": 5, "b": -5})
        results = await asyncio.gather(*(store.append(same) for _ in range(5)))
        assert results == [None] + [Repeated(1, b"done c")] * 4
        assert await store.balance("a") == 5

    run(body)


def test_commands_of_different_tables_and_steps_without_command_do_not_meet(run: Run) -> None:
    async def body(store: Store) -> None:
        for table in ("t", "u"):
            assert await store.append(step(table, 1, "c")) is None
            assert await store.append(step(table, 2)) is None
            assert await store.append(step(table, 3)) is None
        assert await store.answer("t", "") is None

    run(body)


def test_empty_records_answers_and_secrets_stay_empty(run: Run) -> None:
    async def body(store: Store) -> None:
        await store.append(step("t", 1, "c", record=b"", answer=b"", secrets=(("s", b""),), listing=b""))
        assert await store.records("t") == [Stored(1, 1001, b"")]
        assert await store.answer("t", "c") == Repeated(1, b"")
        assert await store.secrets("t") == {"s": b""}

    run(body)


def test_any_bytes_and_any_unicode_come_back_as_they_were(run: Run) -> None:
    async def body(store: Store) -> None:
        name = "테이블 ♠ 'x\"; -- %_\\ \N{GRINNING FACE}\n"
        every_byte = bytes(range(256))
        await store.append(step(name, 1, name, record=every_byte, answer=every_byte, moves={name: 1, "b": -1}))
        assert [stored.record for stored in await store.records(name)] == [every_byte]
        assert await store.answer(name, name) == Repeated(1, every_byte)
        assert [line.account for line in await store.ledger(name)] == [name]
        assert [row.table for row in await store.tables(name[:4])] == [name]

    run(body)


@pytest.mark.parametrize(
    "wrong",
    [
        {"entries": (Entry("a", 1),)},
        {"entries": (Entry("a", limits.CHIPS_MAX + 1), Entry("b", -limits.CHIPS_MAX - 1))},
        {"entries": (Entry("", 1), Entry("b", -1))},
        {"entries": (Entry("a", 0),) * (limits.ENTRIES_MAX + 1)},
        {"secrets": (("s", b""),) * (limits.SECRETS_MAX + 1)},
        {"secrets": (("", b""),)},
        {"table": ""},
        {"table": "a\0b"},
        {"table": "\ud800"},
        {"table": "é" * 251},
        {"command_id": "c" * 501},
        {"version": 0},
        {"version": -1},
        {"version": 2**53},
        {"at_ms": 2**53},
        {"deadline_ms": -(2**53)},
        {"record": bytes(limits.BLOB_BYTES_MAX + 1)},
        {"answer": bytes(limits.BLOB_BYTES_MAX + 1)},
        {"listing": bytes(limits.BLOB_BYTES_MAX + 1)},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_step_that_no_caller_may_ask_for_is_an_error_and_not_kept(run: Run, wrong: dict[str, object]) -> None:
    async def body(store: Store) -> None:
        with pytest.raises(ValueError, match=r"."):
            await store.append(msgspec.structs.replace(step("t", 1), **wrong))
        assert list(await store.tables(only_open=False)) == []
        assert await store.append(step("t", 1)) is None

    run(body)


def test_a_wrong_step_does_not_take_its_neighbours_along(run: Run) -> None:
    async def body(store: Store) -> None:
        await store.append(step("rich", 1, moves={"a": limits.CHIPS_MAX, "b": -limits.CHIPS_MAX}))
        results = await asyncio.gather(
            store.append(step("t", 1, moves={"c": 1, "d": -1})),
            store.append(step("u", 1, moves={"new": -1, "a": 1})),
            store.append(step("t", 2, moves={"c": 1, "d": -1})),
            return_exceptions=True,
        )
        assert results[0] is None
        assert isinstance(results[1], ValueError)
        assert results[2] is None
        assert await store.table("u") is None
        assert await store.balance("new") == 0
        assert await store.balance("c") == 2

    run(body)


def test_a_closed_table_is_only_read(run: Run) -> None:
    async def body(store: Store) -> None:
        await store.append(step("t", 1, open=False))
        with pytest.raises(ValueError, match="closed"):
            await store.append(step("t", 2))
        assert await store.append(step("t", 3)) == Stale(1)
        assert await store.table("t") == TableRow("t", 1, False, None, b"")

    run(body)


def test_the_ledger_tells_the_newest_first_and_the_balance_is_its_sum(run: Run) -> None:
    async def body(store: Store) -> None:
        await store.append(step("t", 1, moves={"a": 100, "bank": -100}))
        await store.append(step("u", 1, moves={"a": -30, "bank": 30}))
        await store.append(step("t", 2, entries=(Entry("a", -5), Entry("a", 7), Entry("bank", -2))))
        assert await store.balance("a") == 72
        assert await store.balance("bank") == -72
        assert await store.balance("nobody") == 0
        assert await store.ledger("a") == [
            LedgerLine("t", 2, "a", 7, 1002),
            LedgerLine("t", 2, "a", -5, 1002),
            LedgerLine("u", 1, "a", -30, 1001),
            LedgerLine("t", 1, "a", 100, 1001),
        ]
        assert len(await store.ledger("a", most=3)) == 3
        assert list(await store.ledger("nobody")) == []

    run(body)


def test_a_table_has_at_most_one_snapshot(run: Run) -> None:
    async def go(store: Store) -> None:
        await store.append(step("t", 1))
        assert await store.snapshot("t") is None
        assert await store.snapshot("nowhere") is None
        await store.save_snapshot("t", b"one")
        await store.save_snapshot("t", b"two\x00")
        await store.save_snapshot("nowhere", b"none")
        assert await store.snapshot("t") == b"two\x00"
        assert await store.snapshot("nowhere") is None
        await store.append(step("t", 2))
        assert await store.snapshot("t") == b"two\x00"
        with pytest.raises(ValueError, match="snapshot"):
            await store.save_snapshot("t", bytes(limits.BLOB_BYTES_MAX + 1))
        assert await store.check() == []

    run(go)


def test_secrets_are_replaced_and_forgotten_by_name(run: Run) -> None:
    async def body(store: Store) -> None:
        await store.append(step("t", 1, secrets=(("seed", b"1"), ("salt", b"2"))))
        await store.append(step("u", 1, secrets=(("seed", b"other"),)))
        await store.append(step("t", 2, secrets=(("seed", b"3"), ("seed", b"4"))))
        assert await store.secrets("t") == {"seed": b"4", "salt": b"2"}
        await store.forget_secrets("t", ["seed", "never there"])
        await store.forget_secrets("nowhere", ["seed"])
        assert await store.secrets("t") == {"salt": b"2"}
        assert await store.secrets("u") == {"seed": b"other"}

    run(body)


def test_secrets_are_in_no_record_row_or_answer(run: Run) -> None:
    async def body(store: Store) -> None:
        secret = b"nobody may know"
        await store.append(step("t", 1, "c", secrets=(("seed", secret),), listing=b"public"))
        seen = [await store.records("t"), await store.table("t"), await store.tables(), await store.answer("t", "c")]
        assert secret not in b"".join(msgspec.msgpack.encode(part) for part in seen)

    run(body)


def test_a_listing_stays_until_it_changes(run: Run) -> None:
    async def body(store: Store) -> None:
        await store.append(step("t", 1, listing=b"first"))
        await store.append(step("t", 2))
        assert await store.table("t") == TableRow("t", 2, True, None, b"first")
        await asyncio.gather(store.append(step("t", 3, listing=b"3")), store.append(step("t", 4, listing=b"4")))
        assert await store.table("t") == TableRow("t", 4, True, None, b"4")

    run(body)


def test_tables_are_listed_by_prefix_the_last_changed_first(run: Run) -> None:
    async def body(store: Store) -> None:
        for name in ("room:a", "room:b", "casino:a", "room", "rooms", "room:c"):
            await store.append(step(name, 1))
        await store.append(step("room:a", 2))
        await store.append(step("room:c", 2, open=False))

        async def names(**asked: object) -> list[str]:
            return [row.table for row in await store.tables(**asked)]  # type: ignore[arg-type]  # names of parameters

        assert await names(prefix="room:") == ["room:a", "room:b"]
        assert await names(prefix="room:", only_open=False) == ["room:c", "room:a", "room:b"]
        assert await names() == ["room:a", "rooms", "room", "casino:a", "room:b"]
        assert await names(most=2) == ["room:a", "rooms"]
        assert await names(prefix="_") == []

    run(body)


def test_tables_that_everybody_may_find_are_found_among_any_number_of_others(run: Run) -> None:
    async def body(store: Store) -> None:
        shown, hidden = (
            b'{"hostName":"\\"listed\\":true","listed":true}',
            b'{"hostName":"\\"listed\\":true","listed":false}',
        )
        for name, listing in (("room:a", shown), ("room:b", shown), ("rooms", shown), ("room:c", hidden)):
            await store.append(step(name, 1, listing=listing))
        for number in range(5):
            await store.append(step(f"room:{number}", 1, listing=hidden))
        await store.append(step("room:a", 2))

        async def names(**asked: object) -> list[str]:
            rows = await store.tables(prefix="room:", only_listed=True, **asked)  # type: ignore[arg-type]  # names of parameters
            return [row.table for row in rows]

        assert await names(most=2) == ["room:a", "room:b"]
        await store.append(step("room:b", 2, listing=hidden))
        await store.append(step("room:c", 2, listing=shown))
        await store.append(step("room:a", 3, open=False))
        assert await names() == await names(only_open=False) == ["room:c"]

    run(body)


@pytest.mark.parametrize("prefix", ["\ud7ff", "\U0010ffff", "a\U0010ffff", "%"])
def test_a_prefix_ends_where_it_ends_whatever_its_last_character(run: Run, prefix: str) -> None:
    async def body(store: Store) -> None:
        await store.append(step(prefix, 1))
        await store.append(step(prefix + "x", 1))
        for other in ("a", "b", "\ue000"):
            await store.append(step(other, 1))
        assert [row.table for row in await store.tables(prefix)] == [prefix + "x", prefix]

    run(body)


def test_due_tells_open_tables_the_longest_overdue_first(run: Run) -> None:
    async def body(store: Store) -> None:
        for name, deadline_ms in (("late", 500), ("now", 1000), ("later", 1001), ("latest", 100), ("never", None)):
            await store.append(step(name, 1, deadline_ms=deadline_ms))
        await store.append(step("over", 1, deadline_ms=1, open=False))
        assert [row.table for row in await store.due(1000)] == ["latest", "late", "now"]
        assert await store.due(1000, most=1) == [TableRow("latest", 1, True, 100, b"")]
        await store.append(step("latest", 2))
        assert [row.table for row in await store.due(1000)] == ["late", "now"]
        today_ms = 1_800_000_000_000
        await store.append(step("today", 1, deadline_ms=today_ms))
        assert [row.table for row in await store.due(today_ms - 1)] == ["late", "now", "later"]
        assert [row.table for row in await store.due(today_ms)] == ["late", "now", "later", "today"]

    run(body)


def test_people_are_found_by_id_and_by_token(run: Run) -> None:
    async def body(store: Store) -> None:
        anna = Person("p1", "Анна 👩‍🚀", b"a" * 32, "ru", 5)
        await store.save_person(anna)
        assert await store.person("p1") == anna == await store.person_by_token(b"a" * 32)
        renewed = msgspec.structs.replace(anna, name="Anna", token_hash=b"b" * 32)
        await store.save_person(renewed)
        assert await store.person("p1") == renewed == await store.person_by_token(b"b" * 32)
        assert await store.person_by_token(b"a" * 32) is None
        assert await store.person("p2") is None
        with pytest.raises(ValueError, match="somebody else's"):
            await store.save_person(Person("p2", "Bob", b"b" * 32, "en", 6))
        with pytest.raises(ValueError, match="name"):
            await store.save_person(Person("p3", "a\0b", b"c" * 32, "en", 6))
        assert await store.person("p2") is await store.person("p3") is None
        nameless = Person("p4", "", b"d" * 32, "en", 7)
        await store.save_person(nameless)
        assert await store.person("p4") == nameless == await store.person_by_token(b"d" * 32)

    run(body)


def test_fifty_tasks_on_twenty_tables_lose_and_double_nothing(run: Run) -> None:
    async def body(store: Store) -> None:
        done: list[tuple[str, int]] = []

        async def play(player: int) -> None:
            for turn in range(20):
                table = f"t{(player * 7 + turn) % 20}"
                row = await store.table(table)
                version = row.version if row else 0
                command = f"{player}-{turn}"
                moves = {f"p{player}": -1, "house": 1}
                while (result := await store.append(step(table, version + 1, command, moves=moves))) is not None:
                    assert isinstance(result, Stale)
                    version = result.version
                done.append((table, version + 1))

        await asyncio.gather(*(play(player) for player in range(50)))
        assert len(done) == len(set(done)) == 1000
        for row in await store.tables():
            versions = [stored.version for stored in await store.records(row.table)]
            assert versions == list(range(1, row.version + 1))
            assert {(row.table, version) for version in versions} == {pair for pair in done if pair[0] == row.table}
        assert await store.balance("house") == 1000
        assert {await store.balance(f"p{player}") for player in range(50)} == {-20}

    run(body)


@pytest.mark.parametrize("kind", KINDS)
def test_a_closed_store_finishes_what_is_queued_and_then_says_it_is_closed(kind: str, tmp_path: Path) -> None:
    async def body() -> None:
        store = KINDS[kind](tmp_path)
        appends = [asyncio.ensure_future(store.append(step(f"t{number}", 1))) for number in range(50)]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*appends) == [None] * 50
        await store.close()
        for use in (store.append(step("t", 1)), store.records("t"), store.total(), store.check()):
            with pytest.raises(StoreError) as told:
                await use
            assert told.value.code == "STORE_CLOSED"

    asyncio.run(body())


@pytest.mark.parametrize("kind", KINDS)
def test_a_caller_that_is_cancelled_leaves_a_whole_step_or_none(kind: str, tmp_path: Path) -> None:
    async def body() -> None:
        store = KINDS[kind](tmp_path)
        for version in range(1, 20):
            row = await store.table("t")
            append = asyncio.ensure_future(
                store.append(step("t", (row.version if row else 0) + 1, moves={"a": 1, "b": -1}))
            )
            for _ in range(version % 4):
                await asyncio.sleep(0)
            append.cancel()
            await asyncio.gather(append, return_exceptions=True)
            await store.append(step("other", version))
        row = await store.table("t")
        assert await store.balance("a") == len(await store.records("t")) == (row.version if row else 0)
        assert await store.check() == []
        await store.close()

    asyncio.run(body())


@pytest.mark.parametrize("kind", KINDS)
def test_what_one_node_says_and_writes_it_does_not_hear_itself(kind: str, tmp_path: Path) -> None:
    async def go() -> None:
        store = KINDS[kind](tmp_path)
        heard: list[Written | Said] = []

        async def listen() -> None:
            async for hint in store.changes():
                heard.append(hint)

        listening = asyncio.create_task(listen())
        await store.tell("x" * limits.MESSAGE_BYTES_MAX)
        assert await store.append(step("t", 1)) is None
        for wrong in ("x" * (limits.MESSAGE_BYTES_MAX + 1), "a\0b"):
            with pytest.raises(ValueError, match="a message has"):
                await store.tell(wrong)
        await store.close()
        await listening
        assert heard in ([], [Written(ANY_TABLE)])

    asyncio.run(go())
