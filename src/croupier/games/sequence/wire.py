"""The bytes of Sequence's views: what everybody sees is encoded once for all viewers of a state.

A view is about 1.5 KB, most of it the chips on the board, and a game has up to twelve viewers of every state. The plain
way is `msgspec.json.encode` of each viewer's view; the tests hold these bytes to it.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from operator import getitem
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier.game.game import Stamp, Viewer
from croupier.games.sequence.rules.board import CELLS_BY_BYTE, CellSet
from croupier.games.sequence.rules.rules import SequenceRules
from croupier.games.sequence.rules.stamps import stamped_view
from croupier.games.sequence.rules.state import State
from croupier.games.sequence.rules.teams import TEAM_IDS, TeamId
from croupier.games.sequence.rules.view import PrivateHand, SequenceSeat, hidden_seat, private_hand, view_without_cards

_encode: Final = msgspec.json.Encoder().encode
_GAP: Final = msgspec.Raw(b"\0")
"""Stands for a value that is filled in later: no JSON contains this byte."""
_DIFFERING: Final = dict.fromkeys(("you", "seats", "private"), _GAP)


def _around_gaps(value: msgspec.Struct) -> list[bytes]:
    """The bytes of a value before, between and after its gaps."""
    return _encode(value).split(b"\0")


_gap: Final[Any] = _GAP
_OWN_SEAT: Final = _around_gaps(SequenceSeat(_gap))
_PRIVATE: Final = _around_gaps(PrivateHand(_gap, _gap, _gap, _gap))


def views(rules: SequenceRules, state: State, stamp: Stamp | None) -> Callable[[Viewer], bytes]:
    """Encodes the view of this state for one viewer after the other."""
    view = view_without_cards(rules, state)
    if stamp is not None:
        view = stamped_view(view, stamp)
    chips: Any = msgspec.Raw(b"{%b}" % _chips(state))
    before_you, before_seats, before_hand, end = _around_gaps(replace(view, chips_by_cell=chips, **_DIFFERING))
    hands = [len(hand.cards.open()) for hand in state.hands] if state.hands else [0] * state.setup.seats
    seats = [_hidden_seat(count) for count in hands]

    def encode(viewer: Viewer) -> bytes:
        seat, shown, private = b"null", seats, b"null"
        if viewer is not None:
            seat = b"%d" % viewer
            if state.hands:
                own, private = _own(state, viewer)
                shown = [*seats[:viewer], own, *seats[viewer + 1 :]]
        return b"%b%b%b[%b]%b%b%b" % (before_you, seat, before_seats, b",".join(shown), before_hand, private, end)

    return encode


def _own(state: State, seat: int) -> tuple[bytes, bytes]:
    """The seat as its player sees it, and the private part of that player's view. A server knows all cards, so both
    have the same."""
    hand = private_hand(state, seat)
    assert hand is not None
    cards = _encode(hand.hand)
    before_cards, after_cards = _OWN_SEAT
    before_seat, before_hand, before_version, before_dead, end = _PRIVATE
    private = b"%b%d%b%b%b%d%b%b%b" % (
        *(before_seat, hand.seat, before_hand, cards, before_version, hand.hand_version),
        *(before_dead, _encode(hand.dead_cards), end),
    )
    return b"%b%b%b" % (before_cards, cards, after_cards), private


@cache
def _hidden_seat(count: int) -> bytes:
    return _encode(hidden_seat(count))


def _chips(state: State) -> bytes:
    """The chips on the board, as they stand in a view."""
    return b"".join(map(_chips_of_team, TEAM_IDS, state.chips))[:-1]


# A play changes one team's chips: the other's are found here.
@lru_cache(maxsize=1024)
def _chips_of_team(team: TeamId, chips: CellSet) -> bytes:
    by_byte = _team_by_byte(team)
    return b"".join(map(getitem, by_byte, chips.to_bytes(len(by_byte), "little")))


@cache
def _team_by_byte(team: TeamId) -> tuple[tuple[bytes, ...], ...]:
    """The view's text for a team's chips, by eight cells at a time."""
    chips = tuple(b'"%d":"%b",' % (cell, team.encode()) for cell in range(8 * len(CELLS_BY_BYTE)))
    return tuple(tuple(b"".join([chips[cell] for cell in cells]) for cells in byte) for byte in CELLS_BY_BYTE)
