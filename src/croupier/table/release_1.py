"""Replay of logs of the first release: deals by `cut-1`, which are no longer made."""

from typing import Annotated, Any, Final

import msgspec
from msgspec.structs import replace

from croupier.dealing.chain import CHAIN_LINKS_MAX
from croupier.dealing.cut1 import CommittedPack, Context, Contribution, check_contribution
from croupier.dealing.shoe import Shoe
from croupier.game.game import Action
from croupier.game.refusal import Refusal
from croupier.table.codes import RoomCode
from croupier.table.commands import DealCut
from croupier.table.record import rules_name
from croupier.table.room import Cutting1, Making, Member
from croupier.table.round import Round

FORMAT: Final = 1
"""The format of log entries that name none."""


class DealAnchor(Action, frozen=True, tag="DEAL_ANCHOR"):
    """Published the end of a hash chain, from which a player cut every deal."""

    anchor: Annotated[str, msgspec.Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


def secret_name(hand: int, shuffle: int) -> str:
    """The name under which the secret of a deal was kept."""
    return f"deal:{hand}:{shuffle}"


def commit(making: Making, played: Round) -> None:
    room = making.room
    wanted = played.wants
    assert wanted is not None
    context = Context(room.code, room.hand, rules_name(room.rules), len(room.packs))
    pack: CommittedPack[Any] = CommittedPack(making.secret, context, wanted.pack)
    making.secrets.append((secret_name(room.hand, len(room.packs)), making.secret))
    waits_for = tuple(
        member.seat
        for member in room.players
        if member.seat is not None and member.anchor is not None and not member.away and not member.missed
    )
    making.change(cutting=Cutting1(pack, (), waits_for, making.at_ms + 1000 * room.options.cut_seconds))


def anchor(making: Making, member: Member, command: DealAnchor) -> Refusal | None:
    if making.room.cutting is not None:
        return Refusal(RoomCode.NOT_BETWEEN_ROUNDS)
    making.member(member.id, anchor=command.anchor, links=0)
    return None


def cut(making: Making, member: Member, command: DealCut) -> Refusal | None:
    cutting = making.room.cutting
    if not isinstance(cutting, Cutting1) or member.seat not in cutting.waits_for:
        return Refusal(RoomCode.NO_DEAL_TO_CUT)
    faults = check_contribution(Contribution(member.seat, member.anchor, member.links + 1, command.value))
    if faults:
        return Refusal(RoomCode.BAD_CUT, {"finding": faults[0].code})
    left = tuple(seat for seat in cutting.waits_for if seat != member.seat)
    making.change(cutting=replace(cutting, cuts=(*cutting.cuts, (member.seat, command.value)), waits_for=left))
    return None


def deal(making: Making) -> Round:
    """Deal the cut pack. Every chain has used up a link, whether it was revealed or not."""
    room = making.room
    cutting, played = room.cutting, room.round
    assert isinstance(cutting, Cutting1)
    assert played is not None
    pack = cutting.pack.cut(_contributions(making, cutting.cuts))
    for member in room.players:
        if member.anchor is not None:
            used = member.links + 1
            making.member(member.id, links=used, anchor=member.anchor if used < CHAIN_LINKS_MAX else None)
    starts = (*room.pack_starts, len(played.dealt))
    making.change(cutting=None, packs=(*room.packs, pack), pack_starts=starts)
    return replace(played, told=()).supply(Shoe.cut(pack))


def _contributions(making: Making, cuts: tuple[tuple[int, str], ...]) -> tuple[Contribution, ...]:
    """Every seat of the deal with its contribution to the cut; a seat without one is listed as absent."""
    room = making.room
    assert room.round is not None
    given = dict(cuts)
    found = []
    for seat in range(room.round.rules.seats(room.round.state)):
        member = room.seated(seat)
        if member is None or member.anchor is None:
            found.append(Contribution(seat))
        else:
            found.append(Contribution(seat, member.anchor, member.links + 1, given.get(seat)))
    return tuple(found)
