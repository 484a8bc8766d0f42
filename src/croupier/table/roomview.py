"""What a room shows: to everybody the same public part, to each viewer the part of the game they may know."""

from collections.abc import Iterable
from itertools import pairwise, takewhile
from operator import is_not
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier.dealing.cut1 import CutPack
from croupier.dealing.cut2 import SCHEME
from croupier.dealing.proof import Cut2Proof, prove
from croupier.game.game import Offer, Stamp, View, Viewer, numbers_in
from croupier.game.registry import GAMES
from croupier.table.commands import Entry, RoomOptions
from croupier.table.cuts import awaited_agreement, closing_of
from croupier.table.deals import Cutting, Deal, VoidDeal
from croupier.table.record import Record, TableEnd, record, table_end
from croupier.table.room import Cutting1, Phase, Room

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
    promised: bool
    """Has promised a cut for the next deal."""
    owes: int | None
    """The deal whose cut they still owe."""
    back_at_hand: int
    """After a missed cut: the first hand in which they may be dealt in again."""


class WaitingView(msgspec.Struct, frozen=True, rename="camel"):
    """Somebody who waits to be let in."""

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
    """How the present round was dealt, or is going to be."""
    deal: int
    """The number of the newest deal."""
    waits_for: tuple[int, ...]
    """The seats that must still cut it."""
    agreeing: tuple[str, ...]
    """Who must still agree before the hand is dealt again."""
    gathering: bool
    """Whether the game waits until everybody is there who must cut its deal."""
    payouts: tuple[int, ...] | None
    entry: Entry
    """Who may come in: everybody, those whom the host lets in, or nobody new."""
    waiting: tuple[WaitingView, ...]
    """Who waits to be let in."""


class ViewerPart(msgspec.Struct, frozen=True, rename="camel"):
    """What one viewer sees of the game, and may do."""

    seat: int | None
    view: Any
    menu: tuple[Offer[Any], ...]


class PublicPart:
    """Encodes the public part of one room, step after step. Most steps change four of its numbers: as long as
    everything else is the same objects as in the last step, which rooms share, only those are encoded again."""

    def __init__(self) -> None:
        self._sources: tuple[object, ...] = (None,) * 16
        self._between: list[bytes] = []
        """What stands before, between and after the four."""

    def encode(self, room: Room, deadline_ms: int | None) -> bytes:
        """The bytes of `public(room)`."""
        played = room.round if room.round is not None and room.round.over else None
        sources = (
            room.rules,
            room.options,
            room.members,
            room.packs,
            room.cutting,
            room.phase,
            room.paused_at_ms,
            room.host,
            room.hand,
            room.next_at_ms,
            played,
            room.agreed,
            room.deals,
            room.gathering,
            room.entry,
            room.waiting,
        )
        if any(map(is_not, sources, self._sources)):
            changing = dict.fromkeys(("version", "game_version", "turn", "deadline_ms"), _GAP)
            self._sources, self._between = sources, _encode(replace(public(room), **changing)).split(_GAP)
        start, before_game, before_turn, before_deadline, end = self._between
        return b"%b%d%b%d%b%b%b%b%b" % (
            start,
            room.version,
            before_game,
            room.game_version,
            before_turn,
            _encode(room.turn),
            before_deadline,
            _encode(deadline_ms),
            end,
        )


_GAP: Final = msgspec.Raw(b"\0")
"""In place of a value that is filled in later: no JSON has such a byte."""


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
        entry=room.entry,
        waiting=tuple(WaitingView(each.id, each.name) for each in room.waiting),
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
        )
        for member in room.members
    )


def part(room: Room, viewer: Viewer) -> ViewerPart:
    """A viewer's own part. Without a round there is none to see."""
    if room.round is None:
        return ViewerPart(viewer, None, ())
    menu = room.round.menu(viewer) if viewer in _may_act(room) else ()
    return ViewerPart(viewer, _stamped(room, room.round.view(viewer)), menu)


def _stamped(room: Room, view: Any) -> Any:
    """A view with persons and times, where the game's protocol has them."""
    stamping = GAMES[room.rules.game].stamping
    if stamping is None:
        return view
    return stamping.view(view, Stamp(room.person, room.acted_at_ms, acted_by=room.acted_by))


def _may_act(room: Room) -> tuple[int, ...]:
    """The seats that have a menu now."""
    return room.turn if room.paused_at_ms is None else ()


class ViewerParts:
    """Encodes the viewers' parts of one state of a room: what they have in common, once."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._halves = GAMES[room.rules.game].halves
        self._may_act = _may_act(room)
        self._to_act = self._shared = b""
        self._seats: list[bytes] = []
        """Each seat as others see it; `_shared` is what comes between the seats and the private part of a view."""

    def encode(self, viewer: Viewer) -> bytes:
        """The bytes of `part(room, viewer)`."""
        room, played, halves = self._room, self._room.round, self._halves
        if viewer is None or played is None or halves is None:
            return _encode(part(room, viewer))
        if not self._shared:
            shared = _stamped(room, halves.shared(room.rules, played.state))
            self._to_act, self._shared = _encode(shared.to_act), shared_part(shared)
            self._seats = [_encode(seat) for seat in shared.seats]
        own = _encode(halves.seat(played.state, viewer))
        seats = b",".join((*self._seats[:viewer], own, *self._seats[viewer + 1 :]))
        private = _encode(halves.private(played.state, viewer))
        menu = _encode(played.menu(viewer)) if viewer in self._may_act else b"[]"
        return b'{"seat":%d,"view":{"you":%d,"toAct":%b,"seats":[%b]%b%b},"menu":%b}' % (
            *(viewer, viewer, self._to_act, seats, self._shared, private, menu),
        )


def shared_part(view: View) -> bytes:
    """Of a spectator's view in JSON, what is the same for everybody: between its seats and its private part."""
    base = _encode(View(view.you, view.to_act, view.seats))
    return _encode(view)[len(base) - 1 : -len(b"null}")]


def room_record(room: Room, viewer: Viewer) -> Record | None:
    """The record of the room's last round as this viewer may have it, once the round is over.

    Where the rules open all cards the whole pack is opened; else the cards that this viewer was shown.
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
    """The last line of the records of a room's finished rounds: up to where they go, and the void deals since."""
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
