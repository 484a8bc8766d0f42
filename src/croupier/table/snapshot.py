"""Snapshots of a room between two rounds, so that opening it need not replay its log from the beginning.

A snapshot holds the room between two rounds: its setup, and no game's state. If a finished round is still shown, the
snapshot also has the room before that round and the round's records, to replay it. A snapshot names the head of the
log's chain at its version, and the log's next record has the snapshot's digest, so it cannot be changed without the
log. It is a shortcut and proves nothing; the log does.
"""

from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace

from croupier.game.game import Change
from croupier.game.registry import GAMES, current_preset
from croupier.table.commands import Entry, RoomOptions
from croupier.table.deals import Deal, LastDeal, Paid, Tail, VoidDeal, plain_moves
from croupier.table.room import Member, Phase, Removed, Room, Waiting, secret_name
from croupier.table.round import ABSENT, Move

FORMAT: Final = 1
EVERY: Final = 64
"""After this many commands, a snapshot is taken at the next opportunity."""


class SnapshotError(ValueError):
    """A snapshot cannot be used: it is malformed, of another version, or of another log."""


class PlainTail(msgspec.Struct, frozen=True):
    """A `Tail` with plain moves."""

    moves: list[Any]
    payouts: tuple[int, ...] | None


class PlainDeal(msgspec.Struct, frozen=True):
    """A void deal: nothing of it is secret."""

    closing: str
    outcome: VoidDeal
    moves: int


class PlainRoom(msgspec.Struct, frozen=True):
    """A room without a round, as plain values."""

    code: str
    id: str
    preset: str
    game: str
    rules: dict[str, Any]
    options: RoomOptions
    host: str
    members: tuple[Member, ...]
    phase: Phase
    version: int
    game_version: int
    setup: Any
    match: int
    hand: int
    deals: int
    dealt: tuple[PlainDeal, ...]
    last: LastDeal | None
    tail: PlainTail
    since: tuple[Change, ...]
    paid: tuple[Paid, ...]
    voids: int
    agreed: tuple[str, ...] | None
    gathering: bool
    banned: tuple[str, ...]
    changes: tuple[Change, ...]
    booked: tuple[int, ...]
    acted_by: str
    acted_at_ms: int
    turn_since_ms: int
    next_at_ms: int | None
    paused_at_ms: int | None
    asleep_at_ms: int | None
    closed: bool
    entry: Entry = "open"
    waiting: tuple[Waiting, ...] = ()
    admitted: tuple[str, ...] = ()
    kept_out: tuple[str, ...] = ()
    shown_at_ms: int = 0
    removed: tuple[Removed, ...] = ()


class Mark(msgspec.Struct, frozen=True):
    """A room without a round, and the chain of its log up to it."""

    head: bytes
    room: PlainRoom


class Snapshot(msgspec.Struct, frozen=True):
    """A room between two rounds. If a finished round is shown, `before` is the room before it and `played` has its
    records."""

    now: Mark
    before: Mark | None = None
    played: tuple[bytes, ...] = ()
    format: int = FORMAT

    @property
    def version(self) -> int:
        """The version up to which the log is not needed."""
        return self.now.room.version


class Point(msgspec.Struct, frozen=True):
    """A `Mark` with the room itself."""

    room: Room
    head: bytes


class Trail:
    """Follows a room from command to command, and keeps what its snapshots need."""

    def __init__(self) -> None:
        self.before: Point | None = None
        """The room before the shown round began."""
        self.played: list[bytes] = []
        """The records of that round."""

    def step(self, before: Room, head_before: bytes, record: bytes, after: Room) -> None:
        """Note a command. The head is that of the chain before its record."""
        if after.round is None:
            self.before, self.played = None, []
        elif after.hand != before.hand:
            self.before = Point(_without_round(before), head_before) if is_between_rounds(before) else None
            self.played = [record]
        elif before.round is None or not before.round.over:
            self.played.append(record)

    def snapshot(self, room: Room, head: bytes, following: Room) -> Snapshot | None:
        """A snapshot of the present room; None while a round runs. `following` is the room after the next command."""
        if not is_between_rounds(room):
            return None
        now = mark(Point(_without_round(room), head))
        if room.round is None or following.hand != room.hand:
            # A new round replaces the shown one.
            return Snapshot(now)
        return None if self.before is None else Snapshot(now, mark(self.before), tuple(self.played))


def is_between_rounds(room: Room) -> bool:
    """Whether no round runs."""
    return room.cutting is None and (room.round is None or room.round.over)


def _without_round(room: Room) -> Room:
    """The room without its finished round."""
    return room if room.round is None else replace(room, round=None, packs=(), pack_starts=(), dealt=())


def mark(point: Point) -> Mark:
    """The point as plain values."""
    room = point.room
    fields = asdict(room)
    for name in ("round", "cutting", "packs", "pack_starts", "asides"):
        del fields[name]
    dealt = []
    for deal in room.dealt:
        if not isinstance(deal.outcome, VoidDeal):
            raise SnapshotError("without a round no deal is played")
        dealt.append(PlainDeal(deal.closing, deal.outcome, deal.moves))
    fields |= {
        "game": room.rules.game,
        "rules": msgspec.to_builtins(room.rules),
        "setup": msgspec.to_builtins(room.setup),
        "dealt": tuple(dealt),
        "tail": PlainTail(plain_moves(room.tail.moves), room.tail.payouts),
    }
    return Mark(point.head, PlainRoom(**fields))


def secret_names(snapshot: Snapshot, commands: int) -> list[str]:
    """The secrets that a replay from the snapshot through this number of later commands can need."""
    first = (snapshot.before or snapshot.now).room.deals + 1
    return [secret_name(deal) for deal in range(first, snapshot.now.room.deals + 1 + commands)]


def point(kept: Mark) -> Point:
    """The point that a mark stands for."""
    plain = kept.room
    game = GAMES[plain.game]
    fields = asdict(plain)
    del fields["game"]
    fields |= {
        "preset": current_preset(plain.game, plain.preset),
        "rules": msgspec.convert(plain.rules, game.rules),
        "setup": None if plain.setup is None else msgspec.convert(plain.setup, game.setup),
        "dealt": tuple([Deal(deal.closing, deal.outcome, deal.moves) for deal in plain.dealt]),
        "tail": Tail(tuple([_move(move, game.action) for move in plain.tail.moves]), plain.tail.payouts),
    }
    return Point(Room(**fields), kept.head)


def _move(plain: Any, actions: Any) -> Move:
    action = plain["action"]
    return Move(plain["seat"], action if action in (None, ABSENT) else msgspec.convert(action, actions))
