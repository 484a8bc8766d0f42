"""Joining, leaving and getting ready: what happens in a room around the game."""

from typing import Any

import msgspec

from croupier.game.game import AnyRules, Change
from croupier.game.options import bad_option
from croupier.game.refusal import OptionError, Refusal
from croupier.game.registry import GAMES, current_preset
from croupier.shown_text import told_apart
from croupier.table import entry, game_flow
from croupier.table.codes import RoomCode
from croupier.table.commands import (
    HostAddBot,
    HostHandOver,
    HostKick,
    HostRemoveBot,
    HostSetOptions,
    PlayerReadySet,
    PlayerTeamSet,
    RoomCreate,
    RoomOptions,
)
from croupier.table.room import MEMBERS_MAX, TEAM_IDS, Making, Member, Origin, Phase, Room

SEATS_CUSTOMARY = 6


class Chosen(msgspec.Struct, frozen=True):
    """Rules as the log keeps them: all options, edition included, as plain values."""

    preset: str
    rules: dict[str, Any]


BOT = "bot-"
"""The prefix of bots' ids; no person's id has it."""


def chosen_rules(
    game: str, preset: str, changes: dict[str, Any], *, first_release: bool = False
) -> tuple[str, AnyRules] | Refusal:
    """The preset's rules with some options changed; for a log of the first release, the preset as it was then."""
    entry = GAMES.get(game)
    if entry is None:
        return Refusal(RoomCode.NO_SUCH_GAME, {"game": game[:64], "allowed": tuple(GAMES)})
    presets = entry.release_1 if first_release else entry.presets
    name = current_preset(game, preset) or next(iter(presets))
    rules = presets.get(name)
    if rules is None:
        return Refusal(RoomCode.NO_SUCH_PRESET, {"preset": name[:64], "allowed": tuple(presets)})
    try:
        return name, msgspec.convert(values := {**msgspec.to_builtins(rules), **changes}, entry.rules)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, OptionError):
            return error.__cause__.refusal
        return bad_option(entry.rules, values) or Refusal(RoomCode.BAD_OPTIONS, {"fault": str(error)})


def customary_seats(rules: AnyRules) -> int:
    """The default number of seats of a room."""
    low, high = rules.seat_range
    return max(low, min(high, SEATS_CUSTOMARY))


def seat_count(rules: AnyRules, options: RoomOptions) -> RoomOptions | Refusal:
    """The options with a number of seats that the rules can play."""
    low, high = rules.seat_range
    seats = options.seats or customary_seats(rules)
    if not low <= seats <= high:
        return Refusal(RoomCode.BAD_OPTIONS, {"fault": f"seats {seats}: {low} – {high}"})
    return msgspec.structs.replace(options, seats=seats)


def resolve(game: str, command: RoomCreate | HostSetOptions, preset: str) -> Chosen | Refusal:
    """The rules that a command chooses, with every option: the log keeps them, so that later presets cannot change
    them."""
    chosen = chosen_rules(game, preset, command.rules)
    return chosen if isinstance(chosen, Refusal) else Chosen(chosen[0], msgspec.to_builtins(chosen[1]))


def _chosen(game: str, command: RoomCreate | HostSetOptions, preset: str, kept: Chosen | None) -> Any:
    """The rules that the log keeps; without them it is of the first release."""
    if kept is None:
        return chosen_rules(game, preset, command.rules, first_release=True)
    return current_preset(game, kept.preset), msgspec.convert(kept.rules, GAMES[game].rules)


def create(code: str, room_id: str, host: Member, command: RoomCreate, kept: Chosen | None) -> Room | Refusal:
    """A new room with its host in the first seat."""
    chosen = _chosen(command.game, command, command.preset, kept)
    if isinstance(chosen, Refusal):
        return chosen
    preset, rules = chosen
    options = seat_count(rules, command.options)
    if isinstance(options, Refusal):
        return options
    team = TEAM_IDS[0] if rules.teams(rules.seat_range[0]) else ""
    seated = msgspec.structs.replace(host, name=told_apart(host.name, ()), seat=0, team=team)
    return Room(code, room_id, preset, rules, options, host=host.id, members=(seated,), version=1, entry=command.entry)


def join(making: Making, newcomer: Member, watch: bool) -> Refusal | None:
    """Take a free seat, or watch. A player who left while the seat played on gets it back."""
    room = making.room
    refusal = entry.refusal_of(room, newcomer)
    if refusal is not None:
        return refusal
    present = room.member(newcomer.id)
    if present is not None and not present.away:
        return Refusal(RoomCode.ALREADY_IN_ROOM)
    if present is not None:
        making.member(present.id, away=False, missed=0, origin=newcomer.origin)
        return None
    if len(room.members) >= MEMBERS_MAX:
        return Refusal(RoomCode.ROOM_FULL, {"high": MEMBERS_MAX})
    named = msgspec.structs.replace(newcomer, name=_name_apart(room, newcomer.name))
    if room.waiting:
        entry.give_up(making, newcomer.id)
    making.change(members=(*room.members, named), host=room.host or newcomer.id)
    if not watch and room.free_seats and _may_sit(room):
        return sit(making, newcomer.id)
    return None


def sit(making: Making, member_id: str, wanted: int | None = None) -> Refusal | None:
    """Take the wanted seat, or the first free one."""
    room = making.room
    if not room.free_seats:
        return Refusal(RoomCode.NO_FREE_SEAT, {"seats": room.seats})
    if wanted is not None and wanted not in room.free_seats:
        # People count seats from 1.
        return Refusal(RoomCode.SEAT_TAKEN, {"seat": wanted + 1, "free": tuple(seat + 1 for seat in room.free_seats)})
    seat = room.free_seats[0] if wanted is None else wanted
    making.member(
        member_id,
        seat=seat,
        team=_smaller_team(room),
        bank_ms=1000 * room.options.bank_seconds,
        since_hand=0 if room.round is None else room.hand + 1,
    )
    if room.phase is Phase.PLAYING:
        return game_flow.amend(making, Change(seat, "taken", game_flow.buy_in(room, seat)))
    return None


def leave(making: Making, member_id: str) -> Refusal | None:
    """Leave the room. During a game, a seat that must play on does what the rules say for an absent player."""
    member = making.room.member(member_id)
    if member is None:
        return Refusal(RoomCode.NOT_IN_ROOM)
    if making.room.phase is Phase.PLAYING and member.seat is not None:
        refusal = game_flow.leave(making, member)
        if refusal is not None:
            return refusal
    else:
        making.remove(member_id)
    _pass_on_host(making)
    return None


def kick(making: Making, command: HostKick, origin: Origin) -> Refusal | None:
    """Remove somebody for good. A seat that the rules would keep for them plays on by itself. `origin` is where they
    connect from now, if known.
    """
    room = making.room
    waiting = next((each for each in room.waiting if each.id == command.member), None)
    if waiting is not None:
        entry.give_up(making, waiting.id)
        entry.keep_out(making, waiting.id, waiting.name, (waiting.origin, origin), command.by)
        return None
    member = room.member(command.member)
    if member is None or member.bot or member.id == room.host:
        return Refusal(RoomCode.NO_SUCH_MEMBER, {"member": command.member})
    if leave(making, member.id) is not None:
        making.member(member.id, away=True)
    entry.keep_out(making, member.id, member.name, (member.origin, origin), command.by)
    return None


def set_ready(making: Making, member_id: str, command: PlayerReadySet) -> Refusal | None:
    if making.room.phase is not Phase.LOBBY:
        return Refusal(RoomCode.NOT_IN_LOBBY)
    making.member(member_id, ready=command.ready)
    return None


def set_team(making: Making, member_id: str, command: PlayerTeamSet) -> Refusal | None:
    room = making.room
    if room.phase is not Phase.LOBBY:
        return Refusal(RoomCode.NOT_IN_LOBBY)
    if TEAM_IDS.index(command.team_id) >= room.teams:
        return Refusal(RoomCode.NO_TEAMS, {"teams": room.teams})
    making.member(member_id, team=command.team_id)
    return None


def watch(making: Making, member: Member) -> Refusal | None:
    """Give up the seat: at once in the lobby, else as soon as the round is over."""
    if making.room.phase is Phase.LOBBY:
        making.member(member.id, seat=None, team="", ready=False)
        return None
    if not _may_sit(making.room) or making.log_format < 3:
        return Refusal(RoomCode.NOT_IN_LOBBY)
    return Refusal(RoomCode.NOT_SEATED) if member.seat is None else game_flow.stand_up(making, member)


def take_part(making: Making, member: Member, wanted: int | None) -> Refusal | None:
    """Take a seat; in the lobby, also to change seats."""
    room = making.room
    if member.seat is not None and (wanted is None or room.phase is not Phase.LOBBY):
        return Refusal(RoomCode.ALREADY_IN_ROOM)
    if not _may_sit(room):
        return Refusal(RoomCode.NOT_IN_LOBBY)
    if member.seat is not None and wanted in room.free_seats:
        making.member(member.id, seat=wanted)
        return None
    return sit(making, member.id, wanted)


def add_bot(making: Making, command: HostAddBot) -> Refusal | None:
    """Put a bot into a free seat. It is always ready."""
    room = making.room
    if not _may_sit(room):
        return Refusal(RoomCode.NOT_IN_LOBBY)
    number = 1 + max((int(member.id.removeprefix(BOT)) for member in room.members if member.bot), default=0)
    name = _name_apart(room, f"{command.bot} {number}")
    bot = Member(f"{BOT}{number}", name, bot=command.bot, ready=True)
    making.change(members=(*room.members, bot))
    return sit(making, bot.id)


def remove_bot(making: Making, command: HostRemoveBot) -> Refusal | None:
    member = making.room.member(command.member)
    if member is None or not member.bot:
        return Refusal(RoomCode.NO_SUCH_MEMBER, {"member": command.member})
    refusal = leave(making, member.id)
    if refusal is not None and making.log_format > 2:
        # The rules keep its seat, which plays on as for an absent player.
        making.member(member.id, away=True)
        return None
    return refusal


def hand_over(making: Making, command: HostHandOver) -> Refusal | None:
    member = making.room.member(command.member)
    if member is None or member.bot or member.away:
        return Refusal(RoomCode.NO_SUCH_MEMBER, {"member": command.member})
    if member.id in making.down and making.log_format > 2:
        return Refusal(RoomCode.NOT_HERE, {"name": member.name})
    making.change(host=member.id)
    return None


def set_options(making: Making, command: HostSetOptions, kept: Chosen | None) -> Refusal | None:
    """Change the rules and options. Players who lose their seat watch; everybody must get ready again."""
    room = making.room
    if room.phase is not Phase.LOBBY:
        return Refusal(RoomCode.NOT_IN_LOBBY)
    chosen = _chosen(room.rules.game, command, command.preset or room.preset, kept)
    if isinstance(chosen, Refusal):
        return chosen
    options = seat_count(chosen[1], command.options)
    if isinstance(options, Refusal):
        return options
    making.change(preset=chosen[0], rules=chosen[1], options=options)
    for member in making.room.members:
        fits = member.seat is not None and member.seat < options.seats
        making.member(member.id, seat=member.seat if fits else None, ready=bool(member.bot))
    return None


def rematch(making: Making) -> Refusal | None:
    """Back to the lobby, with everybody who is still there. The chips go back to the bank: a match has its own."""
    room = making.room
    if room.phase is not Phase.ENDED and not room.waits_for_first_deal:
        return Refusal(RoomCode.NOT_IN_LOBBY if room.phase is Phase.PLAYING else RoomCode.NOT_PLAYING)
    for number, chips in enumerate(room.booked):
        making.book(number, -chips, "bank")
    staying = [member for member in room.members if not member.away]
    staying.sort(key=lambda member: (member.seat is None, member.seat or 0))
    members = []
    for place, member in enumerate(staying):
        seat = None if member.seat is None else place
        members.append(msgspec.structs.replace(member, seat=seat, ready=bool(member.bot), missed=0))
    making.change(
        phase=Phase.LOBBY,
        members=tuple(members),
        round=None,
        setup=None,
        packs=(),
        pack_starts=(),
        # The void deals of a cancelled match stay visible.
        dealt=room.dealt if room.waits_for_first_deal else (),
        agreed=None,
        gathering=False,
    )
    return None


def _name_apart(room: Room, name: str) -> str:
    """A name that nobody else in the room has. Its owner keeps it while in the room, even after the other one has
    left."""
    return told_apart(name, [member.name for member in room.members])


def _may_sit(room: Room) -> bool:
    return room.phase is Phase.LOBBY or (room.phase is Phase.PLAYING and room.is_open_table)


def _smaller_team(room: Room) -> str:
    if not room.teams:
        return ""
    sizes = {team: sum(1 for member in room.players if member.team == team) for team in TEAM_IDS[: room.teams]}
    return min(sizes, key=lambda team: sizes[team])


def _pass_on_host(making: Making) -> None:
    """Pass on the role of host when the host leaves: to a player first, then to the member who has been here
    longest."""
    room = making.room
    host = room.member(room.host)
    if host is not None and not host.away:
        return
    people = [member for member in room.members if not member.bot and not member.away]
    people.sort(key=lambda member: member.seat is None)
    making.change(host=people[0].id if people else "")
