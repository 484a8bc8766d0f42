"""Applies one command to a room: who may give it, and its outcome."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, Literal, assert_never

import msgspec

from croupier.dealing.hash_input import frame
from croupier.game.game import Change, Told
from croupier.game.refusal import Refusal
from croupier.table import cuts, game_flow, lobby, release_1
from croupier.table import entry as entry_rules
from croupier.table.codes import RoomCode
from croupier.table.commands import (
    ClockCommand,
    Close,
    DealAgree,
    DealCommand,
    DealCut,
    DealDecline,
    DealPromise,
    Due,
    HostAddBot,
    HostAdmit,
    HostBombPot,
    HostCommand,
    HostHandOver,
    HostKick,
    HostPardon,
    HostPause,
    HostRematch,
    HostRemoveBot,
    HostResume,
    HostSetEntry,
    HostSetOptions,
    HostStartGame,
    JoinCommand,
    Play,
    PlayerBack,
    PlayerBuyChips,
    PlayerCommand,
    PlayerReadySet,
    PlayerSitIn,
    PlayerSitOut,
    PlayerSwitchToSpectator,
    PlayerTeamSet,
    RoomCreate,
    RoomJoinAsSpectator,
    RoomLeave,
    Sleep,
    SpectatorSwitchToParticipant,
    Wake,
)
from croupier.table.deals import Cutting
from croupier.table.lobby import Chosen
from croupier.table.log import ChainError, Logged
from croupier.table.release_1 import DealAnchor
from croupier.table.room import Making, Member, Origin, Phase, Room, secret_name

CLOCK = ""
"""The actor of commands that only the clock may give."""
ASIDES_MAX: Final = 1000
"""How many commands of one round may leave it unchanged: opening the room replays them all."""
ASIDES_OF_PERSON_MAX: Final = 50
MOVES_MAX: Final = 5000
"""How many moves a round may have. Then only the clock plays, to its end: otherwise two players could raise each
other by the least amount for ever."""
CHANGES_MAX: Final = 10_000
"""How many comings, goings and purchases there may be between two deals: every snapshot has them all."""
_ENDING: Final = frozenset(
    (RoomLeave, HostKick, HostPardon, HostAdmit, HostRemoveBot, HostResume, HostRematch, Wake, Close)
)
"""Commands that end something. There are never more of them than of the commands that begin something."""
_BY_CLIENT: Final = frozenset((DealAnchor, DealCut, DealPromise, DealDecline))
"""Commands that a client sends on its own: they do not show that its player is there."""


class Done(msgspec.Struct, frozen=True, gc=False):
    """The outcome of a command. All of it is stored before any of it is broadcast."""

    room: Room
    told: tuple[Told[Any], ...]
    secrets: tuple[tuple[str, bytes], ...]
    entries: tuple[tuple[str, int], ...]
    quiet: bool = False
    """Whether only the caller need hear of it: one more cut came, and others are still awaited."""


def open_room(code: str, logged: Logged[Any]) -> Room | Refusal:
    """The room that a ROOM_CREATE makes."""
    if not isinstance(logged.command, RoomCreate):
        raise ChainError("the log does not begin with a room")
    room_id = logged.room or _id_of_first_release(code, logged)
    host = Member(logged.actor, logged.name, origin=logged.origin)
    return lobby.create(code, room_id, host, logged.command, logged.chosen)


def _id_of_first_release(code: str, logged: Logged[Any]) -> str:
    parts = (code.encode(), logged.actor.encode(), str(logged.at_ms).encode())
    return sha256(frame(b"croupier room of the first release", *parts)).hexdigest()


def handle(room: Room, logged: Logged[Any], secret: bytes) -> Done | Refusal:
    """The room after a command, or why it is refused. `secret` is fresh, and used if a deal is committed to."""
    making = Making(room, logged.at_ms, secret, logged.down, log_format=logged.format)
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


def spent(before: Room, logged: Logged[Any], after: Room) -> Refusal | None:
    """The refusal of a new command when a round, or the time between two deals, has had too many of its kind. Commands
    in the log are never too many."""
    if isinstance(logged.command, Play):
        moves = 0 if before.round is None else len(before.round.moves)
        return Refusal(RoomCode.TOO_MANY_IN_ROUND, {"high": MOVES_MAX}) if moves >= MOVES_MAX else None
    if type(logged.command) in _ENDING:
        return None
    if len(after.since) > max(len(before.since), CHANGES_MAX):
        return Refusal(RoomCode.TOO_MANY_IN_ROUND, {"high": CHANGES_MAX})
    if len(after.asides) <= len(before.asides):
        return None
    if len(after.asides) > ASIDES_MAX:
        return Refusal(RoomCode.TOO_MANY_IN_ROUND, {"high": ASIDES_MAX})
    if after.asides.count(logged.actor) > ASIDES_OF_PERSON_MAX:
        return Refusal(RoomCode.TOO_MANY_IN_ROUND, {"high": ASIDES_OF_PERSON_MAX})
    return None


def _still_cutting(before: Room, after: Room) -> bool:
    cutting = before.cutting, after.cutting
    return all(isinstance(each, Cutting) for each in cutting) and before.deals == after.deals


def next_secret(room: Room, logged: Logged[Any]) -> str:
    """The name of the deal's secret in the store, if this command commits to a deal."""
    if logged.format != release_1.FORMAT:
        return secret_name(room.deals + 1)
    running = room.round is not None and not room.round.over
    return release_1.secret_name(*((room.hand, len(room.packs)) if running else (room.hand + 1, 0)))


def redo(room: Room, logged: Logged[Any], secret: bytes) -> Done:
    """Apply a command from the log. Raises ChainError if it is refused."""
    done = handle(room, logged, secret)
    if isinstance(done, Refusal):
        raise ChainError(f"the log holds what was refused: {done}")
    return done


def steps(code: str, log: Iterable[Logged[Any]], secrets: Mapping[str, bytes]) -> Iterator[Room]:
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


def replay(code: str, log: Iterable[Logged[Any]], secrets: Mapping[str, bytes]) -> Room:
    """The room that the log leads to."""
    return deque(steps(code, log, secrets), maxlen=1)[0]


def _apply(making: Making, logged: Logged[Any]) -> Refusal | None:
    command, actor = logged.command, logged.actor
    if making.room.closed:
        return Refusal(RoomCode.NO_SUCH_ROOM)
    if not isinstance(command, Play):  # nearly all commands are actions
        if isinstance(command, RoomCreate):
            return _not_here(command)
        if isinstance(command, ClockCommand):
            return _by_clock(making, command) if actor == CLOCK else _not_here(command)
        if isinstance(command, JoinCommand):
            return _join(making, logged, command)
        if isinstance(command, RoomLeave) and making.room.waits(actor):
            entry_rules.give_up(making, actor)
            return None
    if making.room.asleep_at_ms is not None:
        game_flow.wake_up(making)
    member = making.room.member(actor)
    if member is None or member.away:
        return Refusal(RoomCode.NOT_IN_ROOM)
    refusal = _by_member(making, member, logged, command)
    if refusal is None and member.missed and making.room.member(actor) is not None:
        is_player = type(command) not in _BY_CLIENT or making.first_release
        if is_player:
            making.member(actor, missed=0)
    return refusal


def _not_here(command: RoomCreate | ClockCommand) -> Refusal:
    return Refusal(RoomCode.BAD_MESSAGE, {"fault": command.tag})


def _join(making: Making, logged: Logged[Any], command: JoinCommand) -> Refusal | None:
    newcomer = Member(logged.actor, logged.name, origin=logged.origin)
    if entry_rules.must_wait(making.room, logged.actor):
        # Nobody comes in yet, so a sleeping room sleeps on.
        return entry_rules.wait(making, newcomer)
    if making.room.asleep_at_ms is not None:
        game_flow.wake_up(making)
    return lobby.join(making, newcomer, watch=isinstance(command, RoomJoinAsSpectator))


def _by_clock(making: Making, command: ClockCommand) -> Refusal | None:
    match command:
        case Sleep(since_ms):
            return game_flow.fall_asleep(making, since_ms)
        case Wake():
            return game_flow.wake_up(making)
        case Close():
            return game_flow.close(making)
        case Due():
            return game_flow.due(making)
        case _:
            assert_never(command)


def _by_member(
    making: Making,
    member: Member,
    logged: Logged[Any],
    command: Play[Any] | PlayerCommand | HostCommand | DealCommand | DealAnchor,
) -> Refusal | None:
    if isinstance(command, Play):
        return game_flow.act(making, member, command)
    if isinstance(command, PlayerCommand):
        return _by_player(making, member, command)
    if isinstance(command, HostCommand):
        if member.id != making.room.host:
            return Refusal(RoomCode.NOT_HOST)
        return _by_host(making, command, logged.origin, logged.chosen)
    return _about_deal(making, member, command)


def _by_player(making: Making, member: Member, command: PlayerCommand) -> Refusal | None:
    match command:
        case RoomLeave():
            return lobby.leave(making, member.id)
        case PlayerReadySet():
            return lobby.set_ready(making, member.id, command)
        case PlayerTeamSet():
            return lobby.set_team(making, member.id, command)
        case PlayerSwitchToSpectator():
            return lobby.watch(making, member)
        case SpectatorSwitchToParticipant():
            return lobby.take_part(making, member, command.seat)
        case PlayerBack():
            return game_flow.wake(making)
        case PlayerSitOut():
            return _sit(making, member, "sat_out")
        case PlayerSitIn(wait):
            return _sit(making, member, "waits" if wait else "sat_in")
        case PlayerBuyChips(chips):
            return game_flow.buy(making, member, chips)
        case _:
            assert_never(command)


def _about_deal(making: Making, member: Member, command: DealCommand | DealAnchor) -> Refusal | None:
    match command:
        case DealAnchor():
            return release_1.anchor(making, member, command)
        case DealCut() if making.first_release:
            return release_1.cut(making, member, command)
        case DealCut():
            refusal = cuts.cut(making, member, command)
        case DealPromise():
            refusal = cuts.promise(making, member, command)
        case DealDecline():
            return cuts.decline(making, member, command)
        case DealAgree():
            return cuts.agree(making, member)
        case _:
            assert_never(command)
    if refusal is None:
        game_flow.wake(making)
    return refusal


def _by_host(making: Making, command: HostCommand, origin: Origin, chosen: Chosen | None) -> Refusal | None:
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
            return lobby.kick(making, command, origin)
        case HostPardon():
            return entry_rules.pardon(making, command)
        case HostAdmit():
            return entry_rules.admit(making, command)
        case HostSetEntry():
            return entry_rules.set_entry(making, command)
        case HostPause():
            return game_flow.pause(making)
        case HostResume():
            return game_flow.resume(making)
        case HostBombPot():
            return game_flow.ask_bomb_pot(making)
        case HostHandOver():
            return lobby.hand_over(making, command)
        case HostSetOptions():
            return lobby.set_options(making, command, chosen)
        case _:
            assert_never(command)


def _sit(making: Making, member: Member, kind: Literal["sat_out", "sat_in", "waits"]) -> Refusal | None:
    if making.room.phase is not Phase.PLAYING or member.seat is None:
        return Refusal(RoomCode.NOT_PLAYING)
    return game_flow.amend(making, Change(member.seat, kind))
