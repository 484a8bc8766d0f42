"""Replays the tables of a store, and compares them with what is stored: records, chips, secrets and snapshots."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from croupier.dealing.findings import shown
from croupier.dealing.hash_input import is_hash
from croupier.dealing.seeds import commitment
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.games.blackjack.casino.log import BetPlaced, Entry, Opened, Rotated
from croupier.games.blackjack.casino.session import opened_movements
from croupier.games.blackjack.casino.step import Movement, Session, begun, step, table_name
from croupier.server.origins import KEY_NAME
from croupier.store.contents import KeptStep, KeptTable
from croupier.store.findings import Finding
from croupier.store.seal_check import Follower
from croupier.table.commands import RoomCreate
from croupier.table.record import Record
from croupier.table.record_check import RecordCheck
from croupier.table.room import UNKNOWN
from croupier.wire import casino_log
from croupier.wire import snapshot as snapshots
from croupier.wire.log import read_entry
from croupier.wire.records import read_record
from croupier.wire.replay import Replay, begin

ROOM: Final = "room:"
CASINO: Final = table_name("")
CLASSROOM: Final = "classroom"


class ReplayError(ValueError):
    """What is stored of a table is not what its replay gives."""


class GameMissingError(ReplayError):
    """The game of a table is not installed."""

    def __init__(self, game: str) -> None:
        super().__init__(f"the game {game} is not installed")
        self.game = game


class Player(Protocol):
    """Replays one kind of table. Raises whatever goes wrong."""

    def step(self, step: KeptStep) -> None: ...

    def end(self) -> None: ...


def follow(kept: KeptTable) -> Follower:
    """Replays this table. For a kind of table that is not known here, only the snapshot is compared with the log."""
    player: Player | None = None
    if kept.name.startswith(ROOM):
        player = RoomPlayer(kept)
    elif kept.name.startswith(CASINO):
        player = CasinoPlayer(kept)
    elif kept.name == CLASSROOM:
        player = ClassroomPlayer()
    return _Guarded(kept, player)


class _Guarded:
    """Turns every failure of a replay into a finding. Nothing in a store makes it raise."""

    def __init__(self, kept: KeptTable, player: Player | None) -> None:
        self._kept = kept
        self._player = player
        self._version = 0
        self._kept_until = _version_of(kept.snapshot)
        self._fits = kept.snapshot is None
        """Whether there is no snapshot, or the log has its digest."""

    def step(self, step: KeptStep) -> list[Finding]:
        self._version = step.version
        if not self._fits and self._kept_until == step.version - 1:
            self._fits = self._is_logged_by(step)
        return self._try(lambda player: player.step(step))

    def end(self) -> list[Finding]:
        found = self._try(lambda player: player.end())
        return found if self._fits else [*found, Finding("SNAPSHOT", table=self._kept.name)]

    def _is_logged_by(self, step: KeptStep) -> bool:
        try:
            snapshots.read(self._kept.snapshot or b"", self._kept.name.removeprefix(ROOM), step.record)
        except ValueError:
            return False
        return True

    def _try(self, work: Callable[[Player], None]) -> list[Finding]:
        if self._player is None:
            return []
        try:
            work(self._player)
        except GameMissingError as error:
            self._player = None
            return [Finding("GAME_MISSING", table=self._kept.name, game=shown(error.game))]
        except Exception as error:  # whatever an edited log leads to
            self._player = None
            fault = str(error) or type(error).__name__
            return [Finding("REPLAY", table=self._kept.name, version=self._version, fault=fault)]
        return []


def _version_of(snapshot: bytes | None) -> int | None:
    try:
        return None if snapshot is None else snapshots.decode(snapshot).version
    except ValueError:
        return None


class RoomPlayer:
    """A room, from its first command on."""

    def __init__(self, kept: KeptTable) -> None:
        self._kept = kept
        self._code = kept.name.removeprefix(ROOM)
        self._secrets = {name: secret.secret for name, secret in kept.secrets.items()}
        self._replay: Replay | None = None

    def step(self, step: KeptStep) -> None:
        entry = read_entry(step.record)
        if entry.at_ms != step.at_ms:
            raise ReplayError("it was stored with another time")
        if self._replay is None:
            if isinstance(entry.command, RoomCreate) and entry.command.game not in GAMES:
                raise GameMissingError(entry.command.game)
            if entry.origin != UNKNOWN and KEY_NAME not in self._secrets:
                raise ReplayError(f"the secret {KEY_NAME} is missing")
            self._replay = begin(self._code, step.record)
            entries: tuple[tuple[str, int], ...] = ()
        else:
            done = self._replay.redo(step.record, self._secrets)
            entries = done.entries
            for name, secret in done.secrets:
                if self._secrets.get(name) != secret:
                    raise ReplayError(f"the secret {name} is missing")
        if entries != step.entries:
            raise ReplayError("it moved other chips")
        if self._replay.room.version != step.version:
            raise ReplayError("records are missing before it")

    def end(self) -> None:
        if self._replay is not None and self._replay.room.closed == self._kept.open:
            raise ReplayError("the room is open, and its table is not, or the other way round")


class CasinoPlayer:
    """A casino session. Rounds whose server seed was revealed later wait until it is."""

    def __init__(self, kept: KeptTable) -> None:
        self._kept = kept
        self._person = kept.name.removeprefix(CASINO)
        self._seeds = {commitment(seed): seed for seed in _seeds_of(kept)}
        self._waiting: deque[tuple[KeptStep, Entry]] = deque()
        self._link = ""
        self._session: Session | None = None

    def step(self, step: KeptStep) -> None:
        entry = casino_log.read_entry(step.record)
        if entry.chain and entry.chain != self._link:
            raise ReplayError("it does not follow from the one before it")
        if entry.at_ms != step.at_ms:
            raise ReplayError("it was stored with another time")
        self._link = casino_log.link(step.record)
        if isinstance(entry, Rotated) and is_hash(entry.server_seed):
            self._seeds[commitment(entry.server_seed)] = entry.server_seed
        self._waiting.append((step, entry))
        while self._waiting and (self._session is None or self._session.server_seed_hash in self._seeds):
            self._do(*self._waiting.popleft())

    def end(self) -> None:
        session = self._session
        if session is None:
            raise ReplayError("the session has no beginning")
        if self._waiting or not {session.server_seed_hash, session.next_server_seed_hash} <= self._seeds.keys():
            raise ReplayError("a server seed that is committed to is missing")

    def _do(self, kept: KeptStep, entry: Entry) -> None:
        session = self._session
        movements: tuple[Movement, ...]
        if session is None:
            if not isinstance(entry, Opened) or entry.person != self._person:
                raise ReplayError("it does not open this person's session")
            self._session, movements = begun(entry), opened_movements(entry)
        else:
            if isinstance(entry, BetPlaced) and entry.before is not None and entry.before != session.summary:
                raise ReplayError("its checkpoint is not the session before it")
            done = step(session, entry, self._seeds[session.server_seed_hash])
            if isinstance(done, Refusal):
                raise ReplayError(f"it is refused: {done.code}")
            self._session, movements = done.session, done.movements
        if self._session.version != kept.version:
            raise ReplayError("records are missing before it")
        if tuple((movement.account, movement.units) for movement in movements) != kept.entries:
            raise ReplayError(f"record {kept.version} moved other chips")


def _seeds_of(kept: KeptTable) -> Iterator[str]:
    for secret in kept.secrets.values():
        seed = secret.secret.decode(errors="replace")
        if is_hash(seed):
            yield seed


class ClassroomPlayer:
    """The classroom's rounds: each record is checked like any that was downloaded."""

    def step(self, step: KeptStep) -> None:
        record = read_record(step.record)
        if not isinstance(record, Record):
            raise ReplayError(record.code)
        check = RecordCheck()
        check.run(record)
        if check.findings:
            raise ReplayError(check.findings[0].code)

    def end(self) -> None:
        """Each round stands alone."""
