"""The showdown: who shows, in which order, and who may give a hand up unseen.

The last aggressor of the river shows first, else the first seat left of the button; then clockwise. A hand that can
still win a pot is shown by the table, with no turn for its player. The player of a hand that is already beaten in every
pot it could win chooses to show or to muck: the one decision here. If everybody else has folded, nothing is asked or
shown.

In a replay from outside, hands may be unknown. They cannot be shown, so their players are asked to muck, except the
last one that could win a pot.
"""

from typing import Final

from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import Offer
from croupier.games.poker.rules.actions import MUCK, SHOW, HoldemAction, Show
from croupier.games.poker.rules.events import SHOWDOWN, Mucked, Pot, Shown
from croupier.games.poker.rules.finish import award
from croupier.games.poker.rules.pots import pots
from croupier.games.poker.rules.state import TURNS, Broadcast, Hand, Worth, boards_of, cards_of, tell
from croupier.games.poker.rules.worth import NO_LOW, parts, worth_on

_MENU: Final[tuple[Offer[HoldemAction], ...]] = (Offer(SHOW), Offer(MUCK))
_MENU_UNKNOWN: Final[tuple[Offer[HoldemAction], ...]] = (Offer(MUCK),)


def turn_up(hand: Hand, told: Broadcast) -> tuple[int, ...]:
    """Turn all live hands face up, because there is no more betting. Return the seats of those that could be."""
    shown = []
    for seat in hand.live:
        cards = cards_of(hand, seat)
        if len(cards) == hand.options.hole_cards:
            tell(told, Shown(seat, cards))
            shown.append(seat)
    return tuple(shown)


def proceed(hand: Hand, told: Broadcast) -> Hand:
    """Show and muck in order until a player must decide; then award the pots."""
    in_order = hand.live
    if hand.aggressor in in_order:
        place = in_order.index(hand.aggressor)
        in_order = in_order[place:] + in_order[:place]
    contested = pots(hand)
    worths = dict(hand.worths)
    worth = worth_on(hand.options, boards_of(hand))
    for seat in in_order:
        if seat in worths or seat in hand.mucked:
            continue
        cards = cards_of(hand, seat)
        if len(cards) < hand.options.hole_cards:
            if not _last_for_a_pot(hand, seat, contested):
                if seat not in hand.left:
                    return _asked(hand, seat, _MENU_UNKNOWN, worths)
                hand = _muck(hand, seat, told)
            continue
        own = worth(cards)
        if seat not in hand.shown:
            if _beaten(hand, own, seat, worths, contested):
                if seat not in hand.left:
                    return _asked(hand, seat, _MENU, worths)
                hand = _muck(hand, seat, told)
                continue
            hand = _show(hand, seat, cards, told)
        worths[seat] = own
    return award(hand, worths, contested, told)


def _asked(hand: Hand, seat: int, menu: tuple[Offer[HoldemAction], ...], worths: dict[int, Worth]) -> Hand:
    return replace(hand, street=SHOWDOWN, turn=seat, offers=menu, awaits=TURNS[seat], worths=tuple(worths.items()))


def act(hand: Hand, seat: int, action: HoldemAction, told: Broadcast) -> Hand:
    """Show or muck the beaten hand whose turn it is, and go on."""
    shows = isinstance(action, Show)
    return proceed(_show(hand, seat, cards_of(hand, seat), told) if shows else _muck(hand, seat, told), told)


def _show(hand: Hand, seat: int, cards: tuple[Card, ...], told: Broadcast) -> Hand:
    tell(told, Shown(seat, cards))
    return replace(hand, shown=(*hand.shown, seat))


def _muck(hand: Hand, seat: int, told: Broadcast) -> Hand:
    tell(told, Mucked(seat))
    return replace(hand, mucked=(*hand.mucked, seat))


def _beaten(hand: Hand, own: Worth, seat: int, worths: dict[int, Worth], contested: tuple[Pot, ...]) -> bool:
    """Whether in every pot that the seat could win, and in every part of it, a better hand is already shown."""
    for pot in contested:
        if seat not in pot.seats:
            continue
        if len(own) == 1:
            # One board and no low, as in Hold'em: the commonest case, at a third of the cost.
            if min([worths.get(other, own) for other in pot.seats]) == own:
                return False
            continue
        shown = [worths[other] for other in pot.seats if other in worths]
        for number, mine in enumerate(own):
            if min([each[number] for each in shown], default=mine) >= mine and _can_win(hand, own, number):
                return False
    return True


def _can_win(hand: Hand, own: Worth, number: int) -> bool:
    """Whether this part of a worth could win anything: that there is no low wins nothing."""
    return own[number] != NO_LOW or not parts(hand.options, len(boards_of(hand)))[number][1]


def _last_for_a_pot(hand: Hand, seat: int, contested: tuple[Pot, ...]) -> bool:
    return any(
        seat in pot.seats and all(other == seat or other in hand.mucked for other in pot.seats) for pot in contested
    )
