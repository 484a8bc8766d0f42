"""What one viewer may know of a hand, built up from the public part, their own cards and the cards shown."""

from functools import lru_cache
from typing import Final

import msgspec

from croupier.cards import Card
from croupier.game.game import DealtSet, Over, SeatView, View, Viewer
from croupier.games.poker.rules.config import HoldemOptions, Mode
from croupier.games.poker.rules.evaluate import Category, best_five, category, rank
from croupier.games.poker.rules.events import Pot, PotAwarded, Street
from croupier.games.poker.rules.pots import pots
from croupier.games.poker.rules.setup import Statistics
from croupier.games.poker.rules.state import NOBODY, Hand, cards_of


class HoldemSeat(SeatView, frozen=True, kw_only=True):
    """What a viewer sees of a seat. Its cards are face down unless they are the viewer's own or have been shown.

    `state` is one of all_in, sitting_out, folded, mucked, left, out, or empty.
    """

    chips: int
    seat: int
    bet: int
    """What it has bet on this street."""
    in_hand: bool
    """Dealt in and not folded."""
    all_in: bool
    sitting_out: bool
    left: bool
    place: int
    """The final place of a player who is out of the tournament; 0 for the others."""
    has_cards: bool
    """In the hand, with cards dealt to it; a viewer's own cards are seen after folding, too."""
    statistics: Statistics


class MadeHand(msgspec.Struct, frozen=True):
    """The best five cards of a hand, and what they are called."""

    category: Category
    cards: tuple[Card, ...]


class HoldemView(View, frozen=True):
    """A hand as one viewer sees it."""

    mode: Mode
    hand: int
    level: int
    """From 1; 0 where there are no levels."""
    hands_to_next_level: int
    """How many hands, this one included, until the blinds go up; 0 where they do not."""
    small_blind: int
    big_blind: int
    ante: int
    street: Street
    button: int
    board: tuple[Card, ...]
    pots: tuple[Pot, ...]
    """What earlier streets have put in. The bets of this street lie before the seats."""
    total: int
    """All chips in play for: pots and bets together."""
    bet: int
    """What a seat must have bet on this street to stay in."""
    to_call: int
    """What the seat in turn must add to stay in."""
    seats: tuple[HoldemSeat, ...]
    own: MadeHand | None
    """What the viewer's own cards make with the board."""
    awards: tuple[PotAwarded, ...]
    payouts: tuple[int, ...]
    """Once the hand is over."""


def view(options: HoldemOptions, hand: Hand, viewer: Viewer) -> HoldemView:
    """Everything that `viewer` may know."""
    setup = hand.setup
    number = options.level_number(setup.hand)
    level = options.level(number)
    betting = hand.turn != NOBODY and hand.street is not Street.SHOWDOWN
    return HoldemView(
        you=viewer,
        to_act=() if hand.turn == NOBODY else (hand.turn,),
        seats=tuple(_seat(hand, seat, viewer) for seat in range(len(hand.stacks))),
        mode=options.mode,
        hand=setup.hand,
        level=number,
        hands_to_next_level=_hands_to_next_level(options, setup.hand),
        small_blind=level.small_blind,
        big_blind=level.big_blind,
        ante=level.ante,
        street=hand.street,
        button=setup.button,
        board=hand.board,
        pots=pots(hand) if any(hand.paid) or hand.dead else (),
        total=sum(hand.paid) + sum(hand.bets) + hand.dead,
        bet=hand.bet,
        to_call=min(hand.bet - hand.bets[hand.turn], hand.stacks[hand.turn]) if betting else 0,
        own=_made(hand, viewer),
        awards=hand.awards,
        payouts=hand.awaits.payouts if isinstance(hand.awaits, Over) else (),
    )


def known(hand: Hand, viewer: Viewer) -> DealtSet:
    """Which of the cards dealt the viewer has seen: their own, those shown, the board; never a burned one."""
    if not hand.hole:
        return 0
    return _known(hand.dealt, hand.shown, len(hand.board), viewer)


# Asked for every viewer after every action: kept, it costs a tenth.
@lru_cache(maxsize=4096)
def _known(dealt: tuple[int, ...], shown: tuple[int, ...], board: int, viewer: Viewer) -> DealtSet:
    seen = sum([1 << place for place, seat in enumerate(dealt) if seat == viewer or seat in shown])
    streets = (1 << board + _burned(board)) - 1 & ~_BURNED
    return seen | seen << len(dealt) | streets << 2 * len(dealt)


_BURNED: Final[DealtSet] = 1 << 0 | 1 << 4 | 1 << 6
"""Of the cards after the hole cards: one goes before the flop of three, one before the turn, one before the river."""


def _burned(board: int) -> int:
    return max(board - 2, 0)


def _hands_to_next_level(options: HoldemOptions, hand: int) -> int:
    number = options.level_number(hand)
    if not number or options.level(number) == options.level(number + 1):
        return 0
    return options.level_hands - (hand - 1) % options.level_hands


def _seat(hand: Hand, seat: int, viewer: Viewer) -> HoldemSeat:
    setup = hand.setup
    in_hand = seat in hand.live and seat not in hand.mucked
    has_cards = in_hand and bool(hand.hole)
    sees = bool(hand.hole) and seat in hand.dealt and (seat == viewer or seat in hand.shown)
    all_in = in_hand and not hand.stacks[seat] and hand.street is not Street.OVER
    return HoldemSeat(
        cards=cards_of(hand, seat) if sees else _FACE_DOWN if has_cards else (),
        chips=hand.stacks[seat],
        state="all_in" if all_in else "" if in_hand else _state(hand, seat),
        seat=seat,
        bet=hand.bets[seat],
        in_hand=in_hand,
        all_in=all_in,
        sitting_out=seat in setup.sitting_out,
        left=seat in hand.left,
        place=hand.places[seat],
        has_cards=has_cards,
        statistics=setup.statistics[seat] if setup.statistics else Statistics(),
    )


_FACE_DOWN: Final = (None, None)


def _state(hand: Hand, seat: int) -> str:
    """The word for a seat that is not in the hand, or no more."""
    if hand.places[seat] > 1:
        return "out"
    if seat in hand.setup.sitting_out:
        return "sitting_out"
    if seat in hand.left:
        return "left"
    if seat in hand.mucked:
        return "mucked"
    return "folded" if seat in hand.dealt else ""


def _made(hand: Hand, viewer: Viewer) -> MadeHand | None:
    if viewer is None or viewer not in hand.dealt or not hand.board:
        return None
    own = cards_of(hand, viewer)
    if len(own) < 2:
        return None
    return _made_of(hand.board + own)


# A viewer's hand changes with the street, and is shown after every action: kept, six views cost an eighth less.
@lru_cache(maxsize=4096)
def _made_of(cards: tuple[Card, ...]) -> MadeHand:
    return MadeHand(category(rank(cards)), best_five(cards))
