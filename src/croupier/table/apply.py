"""One command through a room: who may give it, what comes of it, and how the log brings the room back."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec

from croupier.dealing.encoding import frame
from croupier.game.game import Change, Told
from croupier.game.refusal import Refusal
from croupier.table import cuts as cutting
from croupier.table import entry as entry_rules
from croupier.table import game_flow, lobby, release_1
from croupier.table.codes import RoomCode
from croupier.table.commands import (
    Close,
    DealAgree,
    DealCut,
    DealDecline,
    DealPromise,
    Due,
    HostAddBot,
    HostAdmit,
    HostHandOver,
    HostKick,
    HostPause,
    HostRematch,
    HostRemoveBot,
    HostResume,
    HostSetEntry,
    HostSetOptions,
    HostStartGame,
    Play,
    PlayerBack,
    PlayerBuyChips,
    PlayerReadySet,
    PlayerSitIn,
    PlayerSitOut,
    PlayerSwitchToSpectator,
    PlayerTeamSet,
    RoomCommand,
    RoomCreate,
    RoomJoin,
    RoomJoinAsSpectator,
    RoomLeave,
    Sleep,
    SpectatorSwitchToParticipant,
    Wake,
)
from croupier.table.deals import Cutting
from croupier.table.lobby import Chosen
from croupier.table.release_1 import DealAnchor
from croupier.table.room import UNKNOWN, Making, Member, Origin, Phase, Room, secret_name

CLOCK = ""
"""Who gives the command that only the clock may give."""


FORMAT: Final = 2
"""Of the log's entries. 1 is the first release's, which did not say so."""
ASIDES_MAX: Final = 1000
"""So many commands of one round may be such that do not move it: whoever opens the room replays them all."""
ASIDES_OF_PERSON_MAX: Final = 50
START: Final = bytes(32)
"""The chain before a log's first entry."""


class Logged(msgspec.Struct, frozen=True, gc=False, rename="camel", omit_defaults=True):
    """A command as the log keeps it: who, what, when. Secrets are kept apart, by the name of their deal."""

    actor: str
    name: str
    at_ms: int
    command: RoomCommand | RoomCreate | DealAnchor
    format: int = 1
    before: str = ""
    """The chain up to the entry before, in hex."""
    room: str = ""
    """The room's own random name, where the command opens it."""
    chosen: Chosen | None = None
    """The rules that the command chose, all options decided."""
    down: tuple[str, ...] = ()
    """The seated people whose lines were known to be down."""
    snapshot: str = ""
    """The digest of a snapshot of the room before this command, where one was taken."""
    origin: Origin = UNKNOWN
    """Where the person comes from whom the command lets in or removes."""


def entry(
    actor: str,
    name: str,
    at_ms: int,
    command: RoomCommand | RoomCreate,
    *,
    room: Room | None = None,
    room_id: str = "",
    head: bytes = START,
    down: tuple[str, ...] = (),
) -> Logged | Refusal:
    """A command as the log keeps it, with the rules that it chooses as they are now. `head` is the chain so far."""
    before = "" if room is None else head.hex()
    chosen: Chosen | Refusal
    if isinstance(command, RoomCreate):
        chosen = lobby.resolve(command.game, command, command.preset)
    elif isinstance(command, HostSetOptions) and room is not None:
        chosen = lobby.resolve(room.rules.game, command, command.preset or room.preset)
    else:
        return Logged(actor, name, at_ms, command, FORMAT, before, room_id, None, down)
    if isinstance(chosen, Refusal):
        return chosen
    return Logged(actor, name, at_ms, command, FORMAT, before, room_id, chosen, down)


def chained(before: bytes, record: bytes) -> bytes:
    """The chain after an entry: it contains every byte of the log so far, as recorded."""
    chain = _CHAINED.copy()
    chain.update(b"".join((before, len(record).to_bytes(4, "big"), record)))
    return chain.digest()


def read_entry(record: bytes) -> Logged:
    """An entry as it was recorded, whatever stands before it."""
    return _LOGGED.decode(record)


class ChainError(ValueError):
    """A log was changed after it was written."""


class LogReader:
    """Reads a log's entries in order, and holds them to the chain."""

    def __init__(self, head: bytes = START, count: int = 0) -> None:
        """`head` is the chain after the first `count` entries."""
        self.head = head
        self.count = count

    def read(self, record: bytes) -> Logged:
        """The next entry. Raises ChainError when it does not follow from those before it."""
        self.count += 1
        try:
            logged = _LOGGED.decode(record)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ChainError(f"entry {self.count} of the log cannot be read: {error}") from error
        if logged.before and logged.before != self.head.hex():
            raise ChainError(f"entry {self.count} of the log does not follow from those before it")
        self.head = chained(self.head, record)
        return logged


class Done(msgspec.Struct, frozen=True, gc=False):
    """What came of a command: all of it is stored before any of it is told."""

    room: Room
    told: tuple[Told[Any], ...]
    secrets: tuple[tuple[str, bytes], ...]
    entries: tuple[tuple[str, int], ...]
    quiet: bool = False
    """Whether nobody but the caller need hear of it: one more cut came, and others are still awaited."""


def open_room(code: str, logged: Logged) -> Room | Refusal:
    """The room that a ROOM_CREATE makes."""
    if not isinstance(logged.command, RoomCreate):
        raise ChainError("the log does not begin with a room")
    room_id = logged.room or _id_of_first_release(code, logged)
    host = Member(logged.actor, logged.name, origin=logged.origin)
    return lobby.create(code, room_id, host, logged.command, logged.chosen)


def _id_of_first_release(code: str, logged: Logged) -> str:
    parts = (code.encode(), logged.actor.encode(), str(logged.at_ms).encode())
    return sha256(frame(b"croupier room of the first release", *parts)).hexdigest()


def handle(room: Room, logged: Logged, secret: bytes) -> Done | Refusal:
    """The room after a command, or why it is refused. `secret` is fresh, and used if a deal is committed to."""
    first_release = logged.format == release_1.FORMAT
    making = Making(room, logged.at_ms, secret, logged.down, first_release=first_release)
    refusal = _apply(making, logged)
    if refusal is not None:
        return refusal
    game_flow.settle(making)
    after = msgspec.structs.replace(
        making.room, version=room.version + 1, asides=_asides(room, making.room, logged.actor)
    )
    if making.entries and sum(chips for _, chips in making.entries) != 0:
        raise ValueError(f"chips neither come from nowhere nor go there: {making.entries}")
    quiet = isinstance(logged.command, DealCut) and _still_cutting(room, after)
    return Done(after, tuple(making.told), tuple(making.secrets), tuple(making.entries), quiet)


def _asides(before: Room, after: Room, actor: str) -> tuple[str, ...]:
    if after.round is None or after.round.over or after.hand != before.hand:
        return ()
    moved = before.game_version != after.game_version or before.cutting is not after.cutting
    return before.asides if moved or before.phase is not after.phase else (*before.asides, actor)


def spent(before: Room, logged: Logged, after: Room) -> Refusal | None:
    """Why a new command is one too many that does not move the round. What is in the log was not too many."""
    if len(after.asides) <= len(before.asides) or type(logged.command) in _ENDING:
        return None
    if len(after.asides) > ASIDES_MAX:
        return Refusal(RoomCode.TOO_MANY_IN_ROUND, {"high": ASIDES_MAX})
    if after.asides.count(logged.actor) > ASIDES_OF_PERSON_MAX:
        return Refusal(RoomCode.TOO_MANY_IN_ROUND, {"high": ASIDES_OF_PERSON_MAX})
    return None


def _still_cutting(before: Room, after: Room) -> bool:
    cutting = before.cutting, after.cutting
    return all(isinstance(each, Cutting) for each in cutting) and before.deals == after.deals


def next_secret(room: Room, logged: Logged) -> str:
    """Under which name the deal's secret is kept, if this command commits to one."""
    if logged.format != release_1.FORMAT:
        return secret_name(room.deals + 1)
    running = room.round is not None and not room.round.over
    return release_1.secret_name(*((room.hand, len(room.packs)) if running else (room.hand + 1, 0)))


def redo(room: Room, logged: Logged, secret: bytes) -> Done:
    """What came of a command that is in the log. Raises ChainError for one that is refused."""
    done = handle(room, logged, secret)
    if isinstance(done, Refusal):
        raise ChainError(f"the log holds what was refused: {done}")
    return done


def steps(code: str, log: Iterable[Logged], secrets: Mapping[str, bytes]) -> Iterator[Room]:
    """The room after each command of its log."""
    room: Room | None = None
    for logged in log:
        if room is None:
            opened = open_room(code, logged)
            if isinstance(opened, Refusal):
                raise ChainError(f"the log begins with what was refused: {opened}")
            room = opened
        else:
            room = redo(room, logged, secrets.get(next_secret(room, logged), b"")).room
        yield room


def replay(code: str, log: Iterable[Logged], secrets: Mapping[str, bytes]) -> Room:
    """The room that the log leads to."""
    return deque(steps(code, log, secrets), maxlen=1)[0]


def _apply(making: Making, logged: Logged) -> Refusal | None:
    command, actor = logged.command, logged.actor
    kind = type(command)
    if making.room.closed:
        return Refusal(RoomCode.NO_SUCH_ROOM)
    if kind in _CLOCK:
        return _by_clock(making, command) if actor == CLOCK else Refusal(RoomCode.BAD_MESSAGE, {"fault": command.tag})
    newcomer = Member(actor, logged.name, origin=logged.origin)
    if kind in _JOINING and entry_rules.must_wait(making.room, actor):
        # Nobody comes in yet: a room that sleeps sleeps on.
        return entry_rules.wait(making, newcomer)
    if kind is RoomLeave and making.room.waits(actor):
        entry_rules.give_up(making, actor)
        return None
    if making.room.asleep_at_ms is not None:
        game_flow.wake_up(making)
    if kind in _JOINING:
        return lobby.join(making, newcomer, watch=kind is RoomJoinAsSpectator)
    member = making.room.member(actor)
    if member is None or member.away:
        return Refusal(RoomCode.NOT_IN_ROOM)
    if kind in _HOST and actor != making.room.host:
        return Refusal(RoomCode.NOT_HOST)
    refusal = _by_member(making, member, logged)
    is_player = kind not in _BY_CLIENT or making.first_release
    if refusal is None and member.missed and is_player and making.room.member(actor) is not None:
        making.member(actor, missed=0)
    return refusal


_CHAINED: Final = sha256(frame(b"croupier log", START)[: -len(START)])
"""Begun with what stands in the frame of every entry before the chain: a copy is cheaper than a new one."""
_CLOCK: Final = frozenset((Due, Sleep, Wake, Close))
_LOGGED: Final = msgspec.json.Decoder(Logged)
_BY_CLIENT: Final = frozenset((DealAnchor, DealCut, DealPromise, DealDecline))
"""What a client says by itself: it does not show that its player is there."""
_JOINING: Final = frozenset((RoomJoin, RoomJoinAsSpectator))
_ENDING: Final = frozenset((RoomLeave, HostKick, HostAdmit, HostRemoveBot, HostResume, HostRematch, Wake, Close))
"""What ends something that was begun: there are no more of them than beginnings."""
_HOST: Final = frozenset(
    (
        *(HostStartGame, HostRematch, HostAddBot, HostRemoveBot, HostKick, HostPause, HostResume, HostHandOver),
        *(HostSetOptions, HostAdmit, HostSetEntry),
    )
)


def _by_clock(making: Making, command: Any) -> Refusal | None:
    match command:
        case Sleep(since_ms):
            return game_flow.fall_asleep(making, since_ms)
        case Wake():
            return game_flow.wake_up(making)
        case Close():
            return game_flow.close(making)
        case _:
            return game_flow.due(making)


def _by_member(making: Making, member: Member, logged: Logged) -> Refusal | None:
    command: Any = logged.command
    match command:
        case Play():
            return game_flow.act(making, member, command)
        case RoomLeave():
            return lobby.leave(making, member.id)
        case PlayerReadySet():
            return lobby.set_ready(making, member.id, command)
        case PlayerTeamSet():
            return lobby.set_team(making, member.id, command)
        case PlayerSwitchToSpectator():
            return lobby.watch(making, member.id)
        case SpectatorSwitchToParticipant():
            return lobby.take_part(making, member.id) if member.seat is None else Refusal(RoomCode.ALREADY_IN_ROOM)
        case PlayerBack():
            return game_flow.wake(making)
        case PlayerSitOut():
            return _sit(making, member, "sat_out")
        case PlayerSitIn():
            return _sit(making, member, "sat_in")
        case PlayerBuyChips(chips):
            return game_flow.buy(making, member, chips)
        case DealAnchor() | DealCut() | DealPromise() | DealDecline() | DealAgree():
            return _about_deal(making, member, command)
        case _:
            return _by_host(making, logged)


def _about_deal(
    making: Making, member: Member, command: DealAnchor | DealCut | DealPromise | DealDecline | DealAgree
) -> Refusal | None:
    match command:
        case DealAnchor():
            return release_1.anchor(making, member, command)
        case DealCut() if making.first_release:
            return release_1.cut(making, member, command)
        case DealCut():
            refusal = cutting.cut(making, member, command)
        case DealPromise():
            refusal = cutting.promise(making, member, command)
        case DealDecline():
            return cutting.decline(making, member, command)
        case DealAgree():
            return cutting.agree(making, member)
    if refusal is None:
        game_flow.wake(making)
    return refusal


def _by_host(making: Making, logged: Logged) -> Refusal | None:
    command: Any = logged.command
    match command:
        case HostStartGame():
            return game_flow.start(making)
        case HostRematch():
            return lobby.rematch(making)
        case HostAddBot():
            return lobby.add_bot(making, command)
        case HostRemoveBot():
            return lobby.remove_bot(making, command)
        case HostKick():
            return lobby.kick(making, command, logged.origin)
        case HostAdmit():
            return entry_rules.admit(making, command)
        case HostSetEntry():
            return entry_rules.set_entry(making, command)
        case HostPause():
            return game_flow.pause(making)
        case HostResume():
            return game_flow.resume(making)
        case HostHandOver():
            return lobby.hand_over(making, command)
        case HostSetOptions():
            return lobby.set_options(making, command, logged.chosen)
    raise AssertionError(f"{command} is no command of a room")


def _sit(making: Making, member: Member, kind: Any) -> Refusal | None:
    if making.room.phase is not Phase.PLAYING or member.seat is None:
        return Refusal(RoomCode.NOT_PLAYING)
    return game_flow.amend(making, Change(member.seat, kind))
