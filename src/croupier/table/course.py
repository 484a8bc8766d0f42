"""One command through a room: who may give it, what comes of it, and how the log brings the room back."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from croupier.rules.game import Change, Told
from croupier.rules.refusal import Refusal
from croupier.table import lobby, play
from croupier.table.codes import RoomCode
from croupier.table.commands import (
    DealAnchor,
    DealCut,
    Due,
    HostAddBot,
    HostHandOver,
    HostKick,
    HostPause,
    HostRematch,
    HostRemoveBot,
    HostResume,
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
    SpectatorSwitchToParticipant,
)
from croupier.table.room import Making, Member, Phase, Room, secret_name

CLOCK = ""
"""Who gives the command that only the clock may give."""


class Logged(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """A command as the log keeps it: who, what, when. Secrets are kept apart, by the name of their deal."""

    actor: str
    name: str
    at_ms: int
    command: RoomCommand | RoomCreate


class Done(msgspec.Struct, frozen=True, gc=False):
    """What came of a command: all of it is stored before any of it is told."""

    room: Room
    told: tuple[Told[Any], ...]
    secrets: tuple[tuple[str, bytes], ...]
    entries: tuple[tuple[str, int], ...]


def open_room(code: str, logged: Logged) -> Room | Refusal:
    """The room that a ROOM_CREATE makes."""
    assert isinstance(logged.command, RoomCreate)
    return lobby.create(code, Member(logged.actor, logged.name), logged.command)


def handle(room: Room, logged: Logged, secret: bytes) -> Done | Refusal:
    """The room after a command, or why it is refused. `secret` is fresh, and used if a deal is committed to."""
    making = Making(room, logged.at_ms, secret)
    refusal = _apply(making, logged)
    if refusal is not None:
        return refusal
    after = msgspec.structs.replace(making.room, version=room.version + 1)
    assert not making.entries or sum(chips for _, chips in making.entries) == 0
    return Done(after, tuple(making.told), tuple(making.secrets), tuple(making.entries))


def next_secret(room: Room) -> str:
    """Under which name the next deal's secret is kept, if the next command commits to one."""
    running = room.round is not None and not room.round.over
    return secret_name(room.hand, len(room.packs)) if running else secret_name(room.hand + 1, 0)


def redo(room: Room, logged: Logged, secret: bytes) -> Done:
    """What came of a command that is in the log."""
    done = handle(room, logged, secret)
    assert isinstance(done, Done), f"the log holds what was refused: {done}"
    return done


def steps(code: str, log: Iterable[Logged], secrets: Mapping[str, bytes]) -> Iterator[Room]:
    """The room after each command of its log."""
    room: Room | None = None
    for logged in log:
        if room is None:
            opened = open_room(code, logged)
            assert isinstance(opened, Room), f"the log begins with what was refused: {opened}"
            room = opened
        else:
            room = redo(room, logged, secrets.get(next_secret(room), b"")).room
        yield room


def replay(code: str, log: Iterable[Logged], secrets: Mapping[str, bytes]) -> Room:
    """The room that the log leads to."""
    return deque(steps(code, log, secrets), maxlen=1)[0]


def _apply(making: Making, logged: Logged) -> Refusal | None:
    command, actor = logged.command, logged.actor
    kind = type(command)
    if kind is Due:
        return play.due(making) if actor == CLOCK else Refusal(RoomCode.BAD_MESSAGE, {"fault": "TABLE_DUE"})
    if kind in _JOINING:
        return lobby.join(making, Member(actor, logged.name), watch=kind is RoomJoinAsSpectator)
    member = making.room.member(actor)
    if member is None or member.away:
        return Refusal(RoomCode.NOT_IN_ROOM)
    if kind in _HOST and actor != making.room.host:
        return Refusal(RoomCode.NOT_HOST)
    refusal = _by_member(making, member, command)
    if refusal is None and member.missed and making.room.member(actor) is not None:
        making.member(actor, missed=0)
    return refusal


_JOINING: Final = frozenset((RoomJoin, RoomJoinAsSpectator))
_HOST: Final = frozenset(
    (
        *(HostStartGame, HostRematch, HostAddBot, HostRemoveBot, HostKick, HostPause, HostResume, HostHandOver),
        HostSetOptions,
    )
)


def _by_member(making: Making, member: Member, command: Any) -> Refusal | None:
    match command:
        case Play():
            return play.act(making, member, command)
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
            return None
        case PlayerSitOut():
            return _sit(making, member, "sat_out")
        case PlayerSitIn():
            return _sit(making, member, "sat_in")
        case PlayerBuyChips(chips):
            return play.buy(making, member, chips)
        case DealAnchor():
            return play.anchor(making, member, command)
        case DealCut():
            return play.cut(making, member, command)
        case _:
            return _by_host(making, command)


def _by_host(making: Making, command: Any) -> Refusal | None:
    match command:
        case HostStartGame():
            return play.start(making)
        case HostRematch():
            return lobby.rematch(making)
        case HostAddBot():
            return lobby.add_bot(making, command)
        case HostRemoveBot():
            return lobby.remove_bot(making, command)
        case HostKick():
            return lobby.kick(making, command)
        case HostPause():
            return play.pause(making)
        case HostResume():
            return play.resume(making)
        case HostHandOver():
            return lobby.hand_over(making, command)
        case HostSetOptions():
            return lobby.set_options(making, command)
    raise AssertionError(f"{command} is no command of a room")


def _sit(making: Making, member: Member, kind: Any) -> Refusal | None:
    if making.room.phase is not Phase.PLAYING or member.seat is None:
        return Refusal(RoomCode.NOT_PLAYING)
    return play.amend(making, Change(member.seat, kind))
