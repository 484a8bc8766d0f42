"""The showdown: who shows, in which order, and who may give a hand up unseen.

The last aggressor of the river shows first, else the first seat left of the button; then clockwise. A hand that can
still win a pot is shown by the table, with no turn for its player. A hand that the hands already shown beat in every
pot it could win is its player's to show or to muck: the one decision here. After everybody else has folded nothing is
asked and nothing is shown.

In a replay from outside, hands may be unknown. They cannot be shown, so their players are asked to muck, except the
last one that could win a pot.
"""

from typing import Final

from msgspec.structs import replace

from croupier.game.game import Offer
from croupier.games.poker.rules.actions import MUCK, SHOW, HoldemAction, Show
from croupier.games.poker.rules.evaluate import key_sum, rank_of_sum
from croupier.games.poker.rules.events import SHOWDOWN, Mucked, Pot, Shown
from croupier.games.poker.rules.finish import award
from croupier.games.poker.rules.pots import pots
from croupier.games.poker.rules.state import TURNS, Hand, Telling, cards_of, tell

_MENU: Final[tuple[Offer[HoldemAction], ...]] = (Offer(SHOW), Offer(MUCK))
_MENU_UNKNOWN: Final[tuple[Offer[HoldemAction], ...]] = (Offer(MUCK),)


def turn_up(hand: Hand, told: Telling) -> tuple[int, ...]:
    """All live hands go face up, because there is no more betting; gives the seats of those that could be."""
    shown = []
    for seat in hand.live:
        cards = cards_of(hand, seat)
        if len(cards) == 2:
            tell(told, Shown(seat, cards))
            shown.append(seat)
    return tuple(shown)


def go_on(hand: Hand, told: Telling) -> Hand:
    """Shows and mucks in order until a player must decide, or gives out the pots when all is done."""
    in_order = hand.live
    if hand.aggressor in in_order:
        place = in_order.index(hand.aggressor)
        in_order = in_order[place:] + in_order[:place]
    contested = pots(hand)
    ranks = dict(hand.ranks)
    on_board = key_sum(hand.board)
    for seat in in_order:
        if seat in ranks or seat in hand.mucked:
            continue
        cards = cards_of(hand, seat)
        if len(cards) < 2:
            if not _last_for_a_pot(hand, seat, contested):
                if seat not in hand.left:
                    return _asked(hand, seat, _MENU_UNKNOWN, ranks)
                hand = _muck(hand, seat, told)
            continue
        own = rank_of_sum(on_board + key_sum(cards))
        if seat not in hand.shown:
            if _beaten(own, seat, ranks, contested):
                if seat not in hand.left:
                    return _asked(hand, seat, _MENU, ranks)
                hand = _muck(hand, seat, told)
                continue
            hand = _show(hand, seat, told)
        ranks[seat] = own
    return award(hand, ranks, contested, told)


def _asked(hand: Hand, seat: int, menu: tuple[Offer[HoldemAction], ...], ranks: dict[int, int]) -> Hand:
    return replace(hand, street=SHOWDOWN, turn=seat, offers=menu, awaits=TURNS[seat], ranks=tuple(ranks.items()))


def act(hand: Hand, seat: int, action: HoldemAction, told: Telling) -> Hand:
    """Shows or mucks the beaten hand whose turn it is, and goes on."""
    return go_on(_show(hand, seat, told) if isinstance(action, Show) else _muck(hand, seat, told), told)


def _show(hand: Hand, seat: int, told: Telling) -> Hand:
    tell(told, Shown(seat, cards_of(hand, seat)))
    return replace(hand, shown=(*hand.shown, seat))


def _muck(hand: Hand, seat: int, told: Telling) -> Hand:
    tell(told, Mucked(seat))
    return replace(hand, mucked=(*hand.mucked, seat))


def _beaten(own: int, seat: int, ranks: dict[int, int], contested: tuple[Pot, ...]) -> bool:
    """Whether in every pot that the seat could win a better hand is already shown."""
    for pot in contested:
        if seat in pot.seats and min([ranks.get(other, own) for other in pot.seats]) == own:
            return False
    return True


def _last_for_a_pot(hand: Hand, seat: int, contested: tuple[Pot, ...]) -> bool:
    return any(
        seat in pot.seats and all(other == seat or other in hand.mucked for other in pot.seats) for pot in contested
    )
