"""Random histories: every store does what a dictionary would, step by step and in crowds."""

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from croupier.store.port import Append, Entry, Repeated, Stale, Store, Stored
from tests.store.steps import step
from tests.store.test_contract import KINDS

TABLES = st.sampled_from(["t", "u", "room:1", "room:2"])
COMMANDS = st.sampled_from(["", "", "c1", "c2", "c3", "c4"])
ACCOUNTS = ("a", "b", "house")
MOVES = st.dictionaries(st.sampled_from(ACCOUNTS[:2]), st.integers(-100, 100)).map(
    lambda moves: moves | {"house": -sum(moves.values())} if moves else {}
)
SECRETS = st.lists(st.tuples(st.sampled_from(["seed", "salt"]), st.binary(max_size=4)), max_size=2).map(tuple)
DEADLINES = st.none() | st.integers(0, 5)
LISTINGS = st.none() | st.binary(max_size=3)
EXAMPLES = {"postgresql": 4}
"""A store of its own for every example takes a database longer than a file."""
EXAMPLES_ELSE = 12
LONGER = 8
"""So many times as many examples in the long run."""


class StoreMachine(RuleBasedStateMachine):
    """A store beside a model of it: what each table, account and command must be."""

    kind = ""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.store = self.opened()
        self.steps: dict[str, list[Append]] = {}
        self.secrets: dict[str, dict[str, bytes]] = {}

    def opened(self) -> Store:
        async def made() -> Store:
            return KINDS[self.kind](Path(self.folder.name))

        return self.runner.run(made())

    def expected(self, append: Append) -> Stale | Repeated | None:
        """What the store must say, and what the model is afterwards."""
        done = self.steps.get(append.table, [])
        for before in done:
            if append.command_id and before.command_id == append.command_id:
                return Repeated(before.version, before.answer)
        if append.version != len(done) + 1:
            return Stale(len(done))
        self.steps.setdefault(append.table, []).append(append)
        self.secrets.setdefault(append.table, {}).update(append.secrets)
        return None

    def append(self, append: Append) -> None:
        async def write() -> Stale | Repeated | None:
            return await self.store.append(append)

        assert self.runner.run(write()) == self.expected(append)

    @rule(
        table=TABLES,
        skew=st.sampled_from([1, 1, 1, 0, 2, -1]),
        command=COMMANDS,
        moves=MOVES,
        secrets=SECRETS,
        deadline_ms=DEADLINES,
        listing=LISTINGS,
    )
    def one_step(self, table: str, skew: int, command: str, moves: dict[str, int], **more: object) -> None:
        version = max(len(self.steps.get(table, [])) + skew, 1)
        self.append(step(table, version, command, moves=moves, **more))

    @rule(crowd=st.lists(st.tuples(TABLES, st.integers(0, 3), COMMANDS, MOVES), max_size=12))
    def many_steps_at_once(self, crowd: list[tuple[str, int, str, dict[str, int]]]) -> None:
        appends = [
            step(table, len(self.steps.get(table, [])) + ahead or 1, command, moves=moves)
            for table, ahead, command, moves in crowd
        ]

        async def all_of_them() -> list[Stale | Repeated | None]:
            return await asyncio.gather(*map(self.store.append, appends))

        assert self.runner.run(all_of_them()) == [self.expected(append) for append in appends]

    @rule(table=TABLES, names=st.lists(st.sampled_from(["seed", "salt"])))
    def forget(self, table: str, names: list[str]) -> None:
        self.runner.run(self.store.forget_secrets(table, names))
        for name in names:
            self.secrets.get(table, {}).pop(name, None)

    @precondition(lambda self: self.kind != "memory")
    @rule()
    def open_anew(self) -> None:
        self.runner.run(self.store.close())
        self.store = self.opened()

    @invariant()
    def tables_are_as_in_the_model(self) -> None:
        async def compare() -> None:
            rows = {row.table: row for row in await self.store.tables()}
            assert set(rows) == set(self.steps)
            for table, steps in self.steps.items():
                assert await self.store.records(table) == [Stored(s.version, s.at_ms, s.record) for s in steps]
                assert await self.store.secrets(table) == self.secrets[table]
                assert (rows[table].version, rows[table].deadline_ms) == (len(steps), steps[-1].deadline_ms)
                listings = [s.listing for s in steps if s.listing is not None]
                assert rows[table].listing == (listings[-1] if listings else b"")

        self.runner.run(compare())

    @invariant()
    def chips_are_as_in_the_model(self) -> None:
        async def compare() -> None:
            entries: list[Entry] = [entry for steps in self.steps.values() for s in steps for entry in s.entries]
            for account in ACCOUNTS:
                chips = [entry.chips for entry in entries if entry.account == account]
                assert await self.store.balance(account) == sum(chips)
                told = [line.chips for line in await self.store.ledger(account, most=1000)]
                assert sorted(told) == sorted(chips)
            assert await self.store.total() == 0

        self.runner.run(compare())

    def teardown(self) -> None:
        assert self.runner.run(self.store.check()) == []
        self.runner.run(self.store.close())
        self.runner.close()
        self.folder.cleanup()


@pytest.mark.parametrize("times", [1, pytest.param(LONGER, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", KINDS)
def test_random_histories_end_as_the_model_says(kind: str, times: int) -> None:
    machine = type(f"{kind}Machine", (StoreMachine,), {"kind": kind})
    examples = times * EXAMPLES.get(kind, EXAMPLES_ELSE)
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=15))
