"""The views of a room: the same public part for everybody, and for each viewer the part of the game they may know."""

from collections.abc import Iterable
from itertools import pairwise, takewhile
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from croupier.dealing.cut1 import CutPack
from croupier.dealing.cut2 import SCHEME
from croupier.dealing.proof import Cut2Proof, prove
from croupier.game.game import AnyRules, Change, Offer, Stamp, View, Viewer, numbers_in
from croupier.game.registry import GAMES
from croupier.table.commands import Entry, RoomOptions
from croupier.table.cuts import awaited_agreement, closing_of
from croupier.table.deals import Cutting, Deal, VoidDeal
from croupier.table.record import Record, TableEnd, record, table_end
from croupier.table.room import Cutting1, Phase, Room


class MemberView(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    name: str
    bot: str
    seat: int | None
    team_id: str
    ready: bool
    away: bool
    missed: int
    bank_ms: int
    promised: bool
    """Has promised a cut for the next deal."""
    owes: int | None
    """The deal whose cut they still owe."""
    back_at_hand: int
    """After a missed cut: the first hand in which they may be dealt in again."""
    buying: int
    """Chips that they have booked for the end of the round; the table may allow fewer then."""
    bought: int
    """Chips that they have bought since the last round and that its view does not show yet."""
    sits_next: Literal["", "out", "in"]
    """Whether they sit out, or sit in again, from the next round on; empty if nothing changes."""
    stands: bool
    """Has stood up in this round, and watches from its end on."""


class WaitingView(msgspec.Struct, frozen=True, rename="camel"):
    """A person who waits to be admitted."""

    id: str
    name: str


class RemovedView(msgspec.Struct, frozen=True, rename="camel"):
    """A removed person whom the host may pardon."""

    id: str
    name: str


class RoomView(msgspec.Struct, frozen=True, rename="camel"):
    """The public part, the same for everybody in the room."""

    room_code: str
    room_id: str
    """The room's own random name, which stands in every deal."""
    game: str
    edition: int
    preset: str
    rules: Any
    options: RoomOptions
    phase: Phase
    paused: bool
    host: str
    members: tuple[MemberView, ...]
    hand: int
    version: int
    game_version: int
    turn: tuple[int, ...]
    deadline_ms: int | None
    next_round_at_ms: int | None
    scheme: str
    """The scheme by which the present round was dealt, or will be."""
    deal: int
    """The number of the newest deal."""
    waits_for: tuple[int, ...]
    """The seats that must still cut it."""
    agreeing: tuple[str, ...]
    """The people who must still agree before the hand is dealt again."""
    gathering: bool
    """Whether the game waits until everybody who must cut its deal is connected."""
    payouts: tuple[int, ...] | None
    open_table: bool
    """Whether people come and go between two rounds: a spectator may then take a free seat."""
    entry: Entry
    """Who may come in: everybody, people admitted by the host, or nobody new."""
    waiting: tuple[WaitingView, ...]
    """The people who wait to be admitted."""
    removed: tuple[RemovedView, ...]
    """The people who were removed, whom the host may let in again."""


class ViewerPart(msgspec.Struct, frozen=True, rename="camel"):
    """What one viewer sees of the game, and may do."""

    seat: int | None
    view: Any
    menu: tuple[Offer[Any], ...]


def public(room: Room) -> RoomView:
    """The public part as a value."""
    played = room.round
    over = played is not None and played.over
    return RoomView(
        room_code=room.code,
        room_id=room.id,
        game=room.rules.game,
        edition=room.rules.edition,
        preset=room.preset,
        rules=room.rules,
        options=room.options,
        phase=room.phase,
        paused=room.paused_at_ms is not None,
        host=room.host,
        members=_members(room),
        hand=room.hand,
        version=room.version,
        game_version=room.game_version,
        turn=room.turn,
        deadline_ms=room.deadline_ms,
        next_round_at_ms=room.next_at_ms if played is None or over else None,
        scheme=_scheme(room),
        deal=room.deals,
        waits_for=() if room.cutting is None else room.cutting.waits_for,
        agreeing=awaited_agreement(room),
        gathering=room.gathering,
        payouts=played.payouts if played is not None and over else None,
        open_table=room.is_open_table,
        entry=room.entry,
        waiting=tuple(WaitingView(each.id, each.name) for each in room.waiting),
        removed=tuple(RemovedView(each.id, each.name) for each in room.removed),
    )


def _scheme(room: Room) -> str:
    old = any(isinstance(pack, CutPack) for pack in room.packs) or isinstance(room.cutting, Cutting1)
    return "cut-1" if old else SCHEME


def _members(room: Room) -> tuple[MemberView, ...]:
    return tuple(
        MemberView(
            member.id,
            member.name,
            member.bot,
            member.seat,
            member.team,
            member.ready,
            member.away,
            member.missed,
            member.bank_ms,
            bool(member.promise),
            None if member.owes is None else member.owes.deal,
            member.back_at_hand,
            _chips_bought(room.changes, member.seat),
            _chips_bought(_since_round(room), member.seat),
            _sits_next(room, member.seat),
            member.stands,
        )
        for member in room.members
    )


_SITTING = ("sat_out", "sat_in", "waits")


def _chips_bought(changes: tuple[Change, ...], seat: int | None) -> int:
    return sum(change.chips for change in changes if change.seat == seat and change.kind == "bought")


def _since_round(room: Room) -> tuple[Change, ...]:
    """Changes between two rounds, which the view of the finished round does not show yet."""
    return room.since if room.round is None or room.round.over else ()


def _sits_next(room: Room, seat: int | None) -> Literal["", "out", "in"]:
    changes = (*_since_round(room), *room.changes)
    kinds = [change.kind for change in changes if change.seat == seat and change.kind in _SITTING]
    return "" if not kinds else "out" if kinds[-1] == "sat_out" else "in"


def part(room: Room, viewer: Viewer) -> ViewerPart:
    """A viewer's own part. Without a round there is none to see."""
    if room.round is None:
        return ViewerPart(viewer, None, ())
    menu = room.round.menu(viewer) if viewer in may_act(room) else ()
    return ViewerPart(viewer, view_of(room.rules, room.round.state, viewer, stamp(room)), menu)


def view_of(rules: AnyRules, state: Any, viewer: Viewer, stamp: Stamp | None) -> View:
    """A view with people and times, if the game's protocol has them."""
    stamping = GAMES[rules.game].stamping
    view: View = rules.view(state, viewer)
    return view if stamping is None or stamp is None else stamping.view(view, stamp)


def stamp(room: Room) -> Stamp | None:
    """The people and times for the views of the present state; None for a game whose views have none."""
    if GAMES[room.rules.game].stamping is None:
        return None
    return Stamp(room.person, room.acted_at_ms, acted_by=room.acted_by)


def may_act(room: Room) -> tuple[int, ...]:
    """The seats that have a menu now."""
    return room.turn if room.paused_at_ms is None else ()


def room_record(room: Room, viewer: Viewer) -> Record | None:
    """The record of the room's last finished round, as this viewer may have it. If the rules open all cards, the whole
    pack is opened; else the cards that this viewer was shown.
    """
    played = room.round
    if played is None or not played.over:
        return None
    known = set(numbers_in(room.known(viewer)))
    starts = (*room.pack_starts, len(played.dealt))
    closings = {id(deal.outcome): deal.closing for deal in room.dealt}
    proofs = tuple(
        prove(
            pack,
            None if room.rules.opens_all else [card - start for card in range(start, end) if card in known],
            closings.get(id(pack), ""),
        )
        for pack, (start, end) in zip(room.packs, pairwise(starts), strict=True)
    )
    shown = tuple(card if room.rules.opens_all or index in known else None for index, card in enumerate(played.dealt))
    return record(replace(played, dealt=shown), proofs, _voids(room.dealt))


def _voids(deals: Iterable[Deal]) -> tuple[Cut2Proof, ...]:
    return tuple(
        Cut2Proof(void.context, void.roots, deal.closing, void.cuts, void.secrets, void.missing)
        for deal in deals
        if isinstance(void := deal.outcome, VoidDeal)
    )


def records_end(room: Room) -> TableEnd:
    """The last line of a room's records: where they end, and the void deals since."""
    over = room.round is not None and room.round.over
    since = () if over else tuple(takewhile(lambda deal: isinstance(deal.outcome, VoidDeal), room.dealt))
    in_play = () if over else room.dealt[len(since) :]
    if in_play:
        deals, closing = in_play[0].number - 1, in_play[0].closing
    elif isinstance(room.cutting, Cutting):
        deals, closing = room.cutting.deal.context.deal - 1, room.cutting.closing
    else:
        deals, closing = room.deals, closing_of(room)
    return table_end(room.id, deals, closing, _voids(since))
