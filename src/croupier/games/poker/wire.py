"""The bytes of poker's views: what everybody sees is encoded once for all viewers of a state.

The viewers of a hand differ in their own seat and in what their cards make. The plain way is `msgspec.json.encode` of
each viewer's view; the tests hold these bytes to it. Telling six players of an action takes 95 µs this way, and 127 µs
the plain way.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.game.game import SPECTATOR, Stamp, Viewer
from croupier.games.poker.rules.rules import HoldemRules
from croupier.games.poker.rules.state import Hand
from croupier.games.poker.rules.view import made_hands, seat_view, view

_encode: Final = msgspec.json.Encoder().encode
_GAP: Final = msgspec.Raw(b"\0")
"""Stands for the parts that differ: no JSON contains this byte."""
_DIFFERING: Final = dict.fromkeys(("you", "seats", "own", "own_others"), _GAP)
_NO_OWN: Final = b"null", b"[]"


def views(rules: HoldemRules, hand: Hand, stamp: Stamp | None) -> Callable[[Viewer], bytes]:
    """Encodes the view of this hand for one viewer after the other."""
    shared = view(rules, hand, SPECTATOR)
    before_you, before_seats, before_own, before_others, end = _encode(replace(shared, **_DIFFERING)).split(b"\0")
    seats = [_encode(seat) for seat in shared.seats]

    def encode(viewer: Viewer) -> bytes:
        own, others = _NO_OWN
        shown = seats
        if viewer is not None and viewer in hand.dealt:
            shown = [*seats[:viewer], _encode(seat_view(hand, viewer, viewer)), *seats[viewer + 1 :]]
            made = made_hands(hand, viewer)
            if made:
                own, others = _encode(made[0]), _encode(made[1:])
        return b"%b%b%b[%b]%b%b%b%b%b" % (
            before_you,
            _encode(viewer),
            before_seats,
            b",".join(shown),
            before_own,
            own,
            before_others,
            others,
            end,
        )

    return encode
