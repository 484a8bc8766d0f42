"""ROOM_STATE made the plain way: one value of everything, encoded at once."""

from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from croupier.game.game import Told, Viewer, numbers_in
from croupier.table.deal_news import news
from croupier.table.room import Room
from croupier.table.roomview import part, public
from croupier.wire.room import CardOpening, RoomState, RoundMove
from croupier.wire.room_state import Sent


def plain_state(room: Room, deadline_ms: int | None, told: tuple[Told[Any], ...], viewer: Viewer, sent: Sent) -> bytes:
    """What a listener gets who was sent this before."""
    whole = sent.hand != room.hand
    moves = () if room.round is None else room.round.moves
    openings = []
    for card in numbers_in(room.known(viewer) & ~(0 if whole else sent.cards)):
        shuffle, k = room.drawn_from(card)
        openings.append(CardOpening(**asdict(room.packs[shuffle].opening(k)), shuffle=shuffle))
    state = RoomState(
        public=replace(public(room), deadline_ms=deadline_ms),
        you=part(room, viewer),
        events=tuple(each.event for each in told if each.to.hears(viewer)),
        moves=tuple(RoundMove(move.seat, move.action) for move in moves[0 if whole else sent.moves :]),
        deals=tuple(each for key, each in news(room) if key > (-1 if whole else sent.news)),
        openings=tuple(openings),
        whole=whole,
    )
    return msgspec.json.encode(state)
