"""What a room shows: to everybody the same public part, to each viewer the part of the game they may know."""

from itertools import pairwise
from operator import is_not
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier.dealing.cut import Context
from croupier.dealing.proof import prove
from croupier.rules.game import Offer, Viewer, numbers_in
from croupier.rules.registry import GAMES
from croupier.table.commands import RoomOptions
from croupier.table.record import Record, record
from croupier.table.room import Phase, Room

_encode = msgspec.json.Encoder().encode


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
    cuts: bool
    """Takes part in the cut of every deal."""
    links: int
    """How many deals the member's hash chain has served: the next cut is the link after that."""


class DealView(msgspec.Struct, frozen=True, rename="camel"):
    """A shuffle of the present round. While `waits_for` is not empty, these seats have still to cut it."""

    context: Context
    size: int
    root: str
    waits_for: tuple[int, ...]
    contributions: tuple[Any, ...]
    """Every seat's, once the cut is made."""


class RoomView(msgspec.Struct, frozen=True, rename="camel"):
    """The public part, the same for everybody in the room."""

    room_code: str
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
    deals: tuple[DealView, ...]
    payouts: tuple[int, ...] | None


class ViewerPart(msgspec.Struct, frozen=True, rename="camel"):
    """What one viewer sees of the game, and may do."""

    seat: int | None
    view: Any
    menu: tuple[Offer[Any], ...]


class PublicPart:
    """Encodes the public part of one room, step after step. Most steps change four of its numbers: as long as
    everything else is the same objects as in the last step, which rooms share, only those are encoded again."""

    def __init__(self) -> None:
        self._sources: tuple[object, ...] = (None,) * 11
        self._between: list[bytes] = []
        """What stands before, between and after the four."""

    def encode(self, room: Room, deadline_ms: int | None) -> bytes:
        """The bytes of `public(room)`."""
        played = room.round if room.round is not None and room.round.over else None
        sources = (
            *(room.rules, room.options, room.members, room.packs, room.cutting, room.phase, room.paused_at_ms),
            *(room.host, room.hand, room.next_at_ms, played),
        )
        if any(map(is_not, sources, self._sources)):
            changing = dict.fromkeys(("version", "game_version", "turn", "deadline_ms"), _GAP)
            self._sources, self._between = sources, _encode(replace(public(room), **changing)).split(_GAP)
        start, before_game, before_turn, before_deadline, end = self._between
        return b"%b%d%b%d%b%b%b%b%b" % (
            *(start, room.version, before_game, room.game_version, before_turn, _encode(room.turn)),
            *(before_deadline, _encode(deadline_ms), end),
        )


_GAP: Final = msgspec.Raw(b"\0")
"""In place of a value that is filled in later: no JSON has such a byte."""


def public(room: Room) -> RoomView:
    """The public part as a value."""
    played = room.round
    over = played is not None and played.over
    return RoomView(
        room_code=room.code,
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
        deals=_deals(room),
        payouts=played.payouts if played is not None and over else None,
    )


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
            member.anchor is not None,
            member.links,
        )
        for member in room.members
    )


def _deals(room: Room) -> tuple[DealView, ...]:
    made = [
        DealView(pack.committed.context, pack.committed.size, pack.committed.root, (), pack.contributions)
        for pack in room.packs
    ]
    if room.cutting is not None:
        pack = room.cutting.pack
        made.append(DealView(pack.context, pack.size, pack.root, room.cutting.waits_for, ()))
    return tuple(made)


def part(room: Room, viewer: Viewer) -> ViewerPart:
    """A viewer's own part. Without a round there is none to see."""
    if room.round is None:
        return ViewerPart(viewer, None, ())
    return ViewerPart(viewer, room.round.view(viewer), room.round.menu(viewer) if viewer in _may_act(room) else ())


def _may_act(room: Room) -> tuple[int, ...]:
    """The seats that have a menu now."""
    return room.turn if room.paused_at_ms is None else ()


class ViewerParts:
    """Encodes the viewers' parts of one state of a room: what they have in common, once."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._halves = GAMES[room.rules.game].halves
        self._may_act = _may_act(room)
        self._shared = b""
        """A view up to its private part."""

    def encode(self, viewer: Viewer) -> bytes:
        """The bytes of `part(room, viewer)`."""
        room, played, halves = self._room, self._room.round, self._halves
        if viewer is None or played is None or halves is None:
            return _encode(part(room, viewer))
        if not self._shared:
            self._shared = _encode(halves.shared(room.rules, played.state)).removesuffix(b"null}")
        private = _encode(halves.private(played.state, viewer))
        menu = _encode(played.menu(viewer)) if viewer in self._may_act else b"[]"
        return b'{"seat":%d,"view":%b%b},"menu":%b}' % (viewer, self._shared, private, menu)


def room_record(room: Room, viewer: Viewer) -> Record | None:
    """The record of the room's last round as this viewer may have it, once the round is over.

    Where the rules open all cards the whole pack is opened; else the cards that this viewer was shown.
    """
    played = room.round
    if played is None or not played.over:
        return None
    known = set(numbers_in(room.known(viewer)))
    starts = (*room.pack_starts, len(played.dealt))
    proofs = tuple(
        prove(pack, None if room.rules.opens_all else [card - start for card in range(start, end) if card in known])
        for pack, (start, end) in zip(room.packs, pairwise(starts), strict=True)
    )
    shown = tuple(card if room.rules.opens_all or index in known else None for index, card in enumerate(played.dealt))
    return record(replace(played, dealt=shown), proofs)
