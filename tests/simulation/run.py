"""Plays one seed from its beginning to the last check."""

import asyncio
import gc
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from tests.simulation.checks import check_all
from tests.simulation.lies import Lie
from tests.simulation.loop import StuckError
from tests.simulation.scene import BUSY_SECONDS, COMMITS_MAX, Fate, Scene, build, build_lying
from tests.simulation.world import EPOCH_MS, World

SETTLE_SECONDS_MAX: Final = 60.0
LOOK_SECONDS: Final = 0.25
PATIENCE_SECONDS: Final = 5.0


@dataclass(frozen=True)
class Report:
    """What became of a seed."""

    seed: int
    scene: Scene

    @property
    def broken(self) -> list[tuple[str, str]]:
        """Which invariants do not hold, and how."""
        return self.scene.world.broken

    @property
    def ok(self) -> bool:
        return not self.broken

    @property
    def commits(self) -> int:
        return len(self.scene.database.journal)

    @property
    def states(self) -> int:
        return len(self.scene.audit.states)

    @property
    def lines(self) -> list[str]:
        """What happened, a line an event."""
        return self.scene.world.lines()

    @property
    def hash(self) -> str:
        """The same for the same history, and only for that."""
        return sha256("\n".join(self.lines).encode()).hexdigest()

    def text(self) -> str:
        """What a person needs to know of a failure."""
        told = "\n".join(f"  {invariant}: {how}" for invariant, how in self.broken)
        return f"seed {self.seed} is broken:\n{told}\nrun it alone: python -m tests.simulation {self.seed} --trace"


def play(seed: int, nodes: int | None = None, lie: Lie | None = None, *, bad_disk: bool = False) -> Report:
    """One seed, one history; with `lie`, one in which a node lies; with `bad_disk`, one in which disks fail often."""
    scene = build(seed, nodes, bad_disk=bad_disk) if lie is None else build_lying(seed, lie)
    world = scene.world
    gc.disable()
    try:
        with _errors_noted(world):
            try:
                world.loop.run_until_complete(_evening(scene))
            except StuckError as stuck:
                world.breaks("something always happens, and ends", str(stuck))
            check_all(scene)
        return Report(seed, scene)
    finally:
        _end(world)
        gc.enable()


async def _evening(scene: Scene) -> None:
    world = scene.world
    for node in scene.nodes:
        node.start()
    for person in scene.people:
        person.begin()
    fate = Fate(scene)
    fate.begin()
    while world.now < BUSY_SECONDS and len(scene.database.journal) < COMMITS_MAX and not world.broken:
        await asyncio.sleep(LOOK_SECONDS)
    fate.end()
    world.calm = True
    world.note("from now on nothing goes wrong", "fate")
    scene.faults.end()
    for node in scene.nodes:
        node.reconnect()
    await _settle(scene)
    await _check_nothing_blocks(scene)
    await _settle(scene)


async def _settle(scene: Scene) -> None:
    """Everybody is connected, and knows what the store knows."""
    world = scene.world
    until = world.now + SETTLE_SECONDS_MAX
    while not world.broken and (fault := scene.unsettled()):
        if world.now > until:
            lied = scene.liar is not None and "was lied to" in fault
            world.breaks("a lie is found out" if lied else "everybody reaches the same state", fault)
        await asyncio.sleep(LOOK_SECONDS)


async def _check_nothing_blocks(scene: Scene) -> None:
    """Where something is due it happens, though nobody does anything."""
    world = scene.world
    for history in scene.truth.histories.values():
        room = history.last
        if room.deadline_ms is None:
            continue
        until = max(world.now, (room.deadline_ms - EPOCH_MS) / 1000) + PATIENCE_SECONDS
        while not world.broken and history.last is room:
            if world.now > until:
                how = f"{history.table} stays at version {room.version}, due at {room.deadline_ms - EPOCH_MS} ms"
                world.breaks("a table never stays blocked", how)
            await asyncio.sleep(LOOK_SECONDS)
            scene.truth.follow()


@contextmanager
def _errors_noted(world: World) -> Iterator[None]:
    """An exception that the server or a client only writes to the log is a broken promise too."""

    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.exc_info and record.exc_info[1] is not None:
                places = traceback.extract_tb(record.exc_info[2])[-3:]
                where = ", ".join(f"{place.filename.rpartition('/')[2]}:{place.lineno}" for place in places)
                world.breaks("the server never fails", f"{record.getMessage()}: {record.exc_info[1]!r} at {where}")

    logger, handler = logging.getLogger("croupier"), Noting()
    propagated = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagated


def _end(world: World) -> None:
    """Throws away every task as it stands, without a word: nobody is there any more."""
    world.over = True
    for task in asyncio.all_tasks(world.loop):
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # there is no public way to say it is meant
        coroutine: Any = task.get_coro()
        with suppress(RuntimeError):
            coroutine.close()
    world.loop.close()
