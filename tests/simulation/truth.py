"""What the store's records say, played again by the pure table and nothing else."""

from typing import Any

from croupier.game.refusal import Refusal
from croupier.store.port import Append
from croupier.table.apply import handle, next_secret, open_room
from croupier.table.commands import Due
from croupier.table.log import Logged
from croupier.table.room import Room
from croupier.wire.log import read_entry
from tests.simulation.database import Database, at_once

ROOMS = "room:"


class History:
    """One room from its first command on."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.code = table.removeprefix(ROOMS)
        self.rooms: list[Room] = []
        """The room after each command; the first is version 1."""
        self.logged: list[Logged] = []
        self.appends: list[Append] = []
        self.told_version = 0
        """The newest version that people hear of: one more cut, while others are awaited, is nobody's news."""

    @property
    def last(self) -> Room:
        return self.rooms[-1]

    def at(self, version: int) -> Room:
        return self.rooms[version - 1]


class Truth:
    """Follows the journal."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read = 0
        self._faulty: set[str] = set()
        self.histories: dict[str, History] = {}

    def follow(self) -> None:
        """Plays what became durable since the last time."""
        journal = self._database.journal
        for _, node, append in journal[self._read :]:
            if append.table.startswith(ROOMS) and append.table not in self._faulty:
                self._play(append, node)
        self._read = len(journal)

    def _play(self, append: Append, node: str) -> None:
        history = self.histories.setdefault(append.table, History(append.table))
        logged = read_entry(append.record, history.rooms[-1].rules.game if history.rooms else "")
        try:
            done = self._next(history, logged)
        except AssertionError as error:
            done = Refusal("ASSERTION", {"fault": str(error)})
        if isinstance(done, Refusal):
            self._faulty.add(append.table)
            how = f"version {append.version} of {append.table} by {node}, {append.record.decode()[:200]}: {done}"
            self._database.world.breaks("what is stored can be replayed", how)
            return
        if isinstance(logged.command, Due):
            self._check_due(history, logged, node)
        room, quiet = done
        history.rooms.append(room)
        history.told_version = history.told_version if quiet else room.version
        history.logged.append(logged)
        history.appends.append(append)

    def _next(self, history: History, logged: Logged) -> tuple[Room, bool] | Refusal:
        """The room after a command, and whether nobody hears of it."""
        if not history.rooms:
            opened = open_room(history.code, logged)
            return opened if isinstance(opened, Refusal) else (opened, False)
        room = history.last
        secrets: dict[str, bytes] = at_once(self._database.memory.secrets(history.table))
        done: Any = handle(room, logged, secrets.get(next_secret(room, logged), b""))
        return done if isinstance(done, Refusal) else (done.room, done.quiet)

    def _check_due(self, history: History, logged: Logged, node: str) -> None:
        before = history.last
        if before.deadline_ms is None or logged.at_ms < before.deadline_ms:
            how = f"{node} fired at {logged.at_ms} in {history.table} v{before.version}, due at {before.deadline_ms}"
            self._database.world.breaks("a deadline fires once, and not before its time", how)
