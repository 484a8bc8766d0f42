"""The shared store as nodes meet it: late, failing, and sometimes silent about what it did.

The truth is the real memory store. Every node has a connection of its own to it, which keeps the promises of
`croupier.store.port.Store` and no more: a step can become durable while its writer hears of a failure, or has died.
Hints between nodes come late, twice, in any order, or never.
"""

from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from croupier.store.memory import MemoryStore
from croupier.store.port import ANY_TABLE, Append, Person, Repeated, Said, Stale, Stored, StoreError, Written
from tests.simulation.disk import Disk
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.node import Node

CUTTING_SECONDS: Final = 0.3
"""Within so many seconds after a deal was fixed, most of its cuts come."""


class Database:
    """All that is durable, with a journal of every step in the order in which they became so."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.memory = MemoryStore()
        self.listeners: list[NodeStore] = []
        self._random = world.stream("hints")
        self.journal: list[tuple[float, str, Append]] = []
        """When, by which node, and what."""
        self.versions: dict[str, int] = {}
        self.done: dict[tuple[str, str], tuple[int, float]] = {}
        """As which version each command was done, by table and command, and when."""

    def append(self, append: Append, node: "Node") -> Stale | Repeated | None:
        """Writes a step, and holds it to what is known from the journal."""
        outcome = at_once(self.memory.append(append))
        if outcome is None:
            self._record(append, node.place.name)
            self.spread(Written(append.table), node)
        return outcome

    def spread(self, hint: Written | Said, node: "Node") -> None:
        """Lets the other nodes know: late, twice or never."""
        self.listeners = [listener for listener in self.listeners if not listener.is_gone]
        for listener in self.listeners:
            if listener.node is node:
                continue
            while self._random.random() >= node.faults.hint_lost:
                self.world.later(node.faults.hint_seconds(self._random), listener.hint, hint)
                if self._random.random() >= node.faults.hint_repeated:
                    break

    def _record(self, append: Append, node: str) -> None:
        world, table = self.world, append.table
        last = self.versions.get(table, 0)
        world.note(f"stored {table} v{append.version} {append.command_id[-8:]} {append.record.decode()[:120]}", node)
        if append.version != last + 1:
            world.breaks("versions have no gaps", f"{table} went from version {last} to {append.version} by {node}")
        if append.command_id:
            before = self.done.setdefault((table, append.command_id), (append.version, world.now))
            if before[0] != append.version:
                how = f"{append.command_id} at {table} as version {before[0]} and as {append.version}"
                world.breaks("a command is done once", how)
        self.versions[table] = append.version
        self.journal.append((world.now, node, append))


def tear(memory: MemoryStore, append: Append) -> None:
    """A write that ended in the middle: what a store keeps of the step. A transaction is kept whole or not at all."""


class NodeStore:
    """One node's connection to the database."""

    def __init__(self, database: Database, node: "Node") -> None:
        self._database = database
        self.node = node
        self._place = node.place
        self._random = database.world.stream(f"store of {node.place.name}")
        self._disk = Disk(database.world, node)
        self._hints: deque[Written | Said] = deque()
        self._hinted: Any = None

    @property
    def is_gone(self) -> bool:
        """Belongs to a process that has ended."""
        return self._place.dead

    async def append(self, append: Append) -> Stale | Repeated | None:
        fate = self._random.random()
        faults = self.node.faults

        torn = self._disk.tears()

        def write() -> Stale | Repeated | None:
            if torn:
                tear(self._memory, append)
                self._database.world.note("a write is torn", self._place.name)
                raise StoreError("the disk failed in the middle of a write", "STORE_BROKEN")
            outcome = self._database.append(append, self.node)
            if outcome is None and append.secrets and self._random.random() < faults.crash_in_cut:
                seconds = self._random.random() * CUTTING_SECONDS
                self._database.world.later(seconds, self._crash_in_cut)
            if outcome is None and fate < faults.crash_after_append:
                self.node.crash("after an append, before it was told")
            elif fate < faults.crash_after_append + faults.append_unknown:
                raise StoreError("the answer of the database was lost", "STORE_UNKNOWN")
            return outcome

        return await self._ask("append", write, self._disk.seconds())

    def _crash_in_cut(self) -> None:
        if not self._database.world.calm:
            self.node.crash("while a deal is cut")

    async def _ask(self, what: str, work: Callable[[], Any], disk_seconds: float = 0.0) -> Any:
        """The way there, the work, the way back. Of a node that dies on the way, the work may still be done."""
        world, random, faults = self._database.world, self._random, self.node.faults
        there, back = disk_seconds + faults.store_seconds(random), faults.store_seconds(random)
        fails = not self.node.reaches_store or random.random() < faults.store_error
        survives = random.random() < 0.5
        answer = world.loop.create_future()

        def settle(result: Any, error: BaseException | None) -> None:
            if self._place.dead or answer.done():
                return
            if error is None:
                answer.set_result(result)
            else:
                answer.set_exception(error)

        def arrive() -> None:
            if self._place.dead and not survives:
                return
            result, error = None, None
            if fails:
                error = StoreError(f"{what}: the database cannot be reached", "STORE_GONE")
                world.note(f"{what} fails", self._place.name)
            else:
                try:
                    result = work()
                except (StoreError, ValueError) as raised:
                    error = raised
            world.later(back, settle, result, error)

        world.later(there, arrive)
        return await answer

    async def records(self, table: str, after: int = 0) -> Sequence[Any]:
        return self._disk.read(await self._ask("records", lambda: list(at_once(self._memory.records(table, after)))))

    async def news(self, known: Mapping[str, int]) -> Mapping[str, Sequence[Stored]]:
        return await self._ask("news", lambda: at_once(self._memory.news(known)))

    async def secrets(self, table: str, names: Sequence[str] | None = None) -> dict[str, bytes]:
        return await self._ask("secrets", lambda: at_once(self._memory.secrets(table, names)))

    async def forget_secrets(self, table: str, names: Sequence[str]) -> None:
        return await self._ask("forget_secrets", lambda: at_once(self._memory.forget_secrets(table, names)))

    async def snapshot(self, table: str) -> bytes | None:
        return self._disk.read_snapshot(await self._ask("snapshot", lambda: at_once(self._memory.snapshot(table))))

    async def save_snapshot(self, table: str, snapshot: bytes) -> None:
        kept = snapshot[: len(snapshot) // 2] if self._disk.tears() else snapshot
        return await self._ask("save_snapshot", lambda: at_once(self._memory.save_snapshot(table, kept)))

    async def table(self, table: str) -> Any:
        return await self._ask("table", lambda: at_once(self._memory.table(table)))

    async def tables(
        self, prefix: str = "", only_open: bool = True, most: int = 1000, only_listed: bool = False
    ) -> Sequence[Any]:
        return await self._ask("tables", lambda: at_once(self._memory.tables(prefix, only_open, most, only_listed)))

    async def due(self, now_ms: int, most: int = 100) -> Sequence[Any]:
        return await self._ask("due", lambda: at_once(self._memory.due(now_ms, most)))

    async def answer(self, table: str, command_id: str) -> Repeated | None:
        return await self._ask("answer", lambda: at_once(self._memory.answer(table, command_id)))

    async def balance(self, account: str) -> int:
        return await self._ask("balance", lambda: at_once(self._memory.balance(account)))

    async def ledger(self, account: str, most: int = 100) -> Sequence[Any]:
        return await self._ask("ledger", lambda: at_once(self._memory.ledger(account, most)))

    async def total(self) -> int:
        return await self._ask("total", lambda: at_once(self._memory.total()))

    async def save_person(self, person: Person) -> None:
        return await self._ask("save_person", lambda: at_once(self._memory.save_person(person)))

    async def person(self, person: str) -> Person | None:
        return await self._ask("person", lambda: at_once(self._memory.person(person)))

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        return await self._ask("person_by_token", lambda: at_once(self._memory.person_by_token(token_hash)))

    def changes(self) -> "NodeStore":
        self.hint(Written(ANY_TABLE))
        self._database.listeners.append(self)
        return self

    def __aiter__(self) -> "NodeStore":
        return self

    async def __anext__(self) -> Written | Said:
        while not self._hints:
            self._hinted = self._database.world.loop.create_future()
            await self._hinted
        return self._hints.popleft()

    def hint(self, hint: Written | Said) -> None:
        """Another node wrote or said something."""
        self._hints.append(hint)
        if self._hinted is not None and not self._hinted.done():
            self._hinted.set_result(None)

    async def tell(self, message: str) -> None:
        return await self._ask("tell", lambda: self._database.spread(Said(message), self.node))

    async def check(self) -> Sequence[str]:
        return await self._ask("check", lambda: at_once(self._memory.check()))

    async def close(self) -> None:
        """A connection is closed; the database goes on."""

    @property
    def _memory(self) -> MemoryStore:
        return self._database.memory


def at_once(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("the memory store waits for nothing")
