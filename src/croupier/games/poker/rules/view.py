"""What one viewer may know of a hand, built up from the public part, their own cards and the cards shown."""

from functools import lru_cache
from typing import Final

import msgspec

from croupier.cards import Card
from croupier.game.game import DealtSet, Over, SeatView, View, Viewer
from croupier.games.poker.rules.config import HoldemOptions, Mode, Pack, Split, Used
from croupier.games.poker.rules.evaluate import Category
from croupier.games.poker.rules.events import HoldemEvent, Pot, PotAwarded, Street
from croupier.games.poker.rules.forced_bets import blinds_owed
from croupier.games.poker.rules.pots import pots
from croupier.games.poker.rules.setup import Statistics
from croupier.games.poker.rules.state import NOBODY, Hand, boards_of, cards_of
from croupier.games.poker.rules.worth import made, made_low
from croupier.notebook import cards_html


class HoldemSeat(SeatView, frozen=True, kw_only=True):
    """What a viewer sees of a seat. Its cards are face down unless they are the viewer's own or have been shown.

    `state` is one of all_in, sitting_out, waiting (for the big blind), folded, mucked, left, out, or empty.
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
    owes: int
    """What it must post for missed blinds to be dealt in at once."""
    place: int
    """The final place of a player who is out of the tournament; 0 for the others."""
    has_cards: bool
    """In the hand, with cards dealt to it; a viewer's own cards are seen after folding, too."""
    statistics: Statistics


class MadeHand(msgspec.Struct, frozen=True):
    """The best five cards of a hand, and what they are called; and the cards of its low, if it has one that counts."""

    category: Category
    cards: tuple[Card, ...]
    low: tuple[Card, ...] = ()

    def _repr_html_(self) -> str:
        return f"{cards_html(self.cards)} ({self.category})"


class HoldemView(View, frozen=True, kw_only=True):
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
    other_boards: tuple[tuple[Card, ...], ...]
    """The boards after the first."""
    rabbit: tuple[tuple[Card, ...], ...]
    """For each board, the cards that would have come had the hand not ended early."""
    pots: tuple[Pot, ...]
    """The chips put in on earlier streets. The bets of this street lie before the seats."""
    total: int
    """All chips that can be won: pots and bets together."""
    bet: int
    """What a seat must have bet on this street to stay in."""
    to_call: int
    """What the seat in turn must add to stay in."""
    seats: tuple[HoldemSeat, ...]
    own: MadeHand | None
    """What the viewer's own cards make with the board."""
    own_others: tuple[MadeHand, ...]
    """What they make with each of the other boards."""
    awards: tuple[PotAwarded, ...]
    payouts: tuple[int, ...]
    """Once the hand is over."""
    history: tuple[HoldemEvent, ...] = ()

    def _middle_html(self) -> str:
        boards = "".join(f"<p>{cards_html(board)}</p>" for board in (self.board, *self.other_boards) if board)
        return boards + (f"<p>pot {self.total}</p>" if self.total else "")


def view(options: HoldemOptions, hand: Hand, viewer: Viewer) -> HoldemView:
    """Everything that `viewer` may know."""
    setup = hand.setup
    number = options.level_number(setup.hand)
    level = options.level(number)
    own = made_hands(hand, viewer)
    betting = hand.turn != NOBODY and hand.street is not Street.SHOWDOWN and not hand.is_run_vote
    return HoldemView(
        you=viewer,
        to_act=() if hand.turn == NOBODY else (hand.turn,),
        seats=tuple(seat_view(hand, seat, viewer) for seat in range(len(hand.stacks))),
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
        other_boards=hand.other_boards,
        rabbit=hand.rabbit,
        pots=pots(hand) if any(hand.paid) or hand.dead else (),
        total=sum(hand.paid) + sum(hand.bets) + hand.dead,
        bet=hand.bet,
        to_call=min(hand.bet - hand.bets[hand.turn], hand.stacks[hand.turn]) if betting else 0,
        own=next(iter(own), None),
        own_others=own[1:],
        awards=hand.awards,
        payouts=hand.awaits.payouts if isinstance(hand.awaits, Over) else (),
    )


def known(hand: Hand, viewer: Viewer) -> DealtSet:
    """Which of the cards dealt the viewer has seen: their own, those shown, the board; never a burned one."""
    if not hand.hole:
        return 0
    options = hand.options
    found = _known(hand.dealt, hand.shown, options.hole_cards, len(hand.board), options.boards, viewer)
    if hand.bared:
        for seat, card in hand.bared:
            found |= 1 << card * len(hand.dealt) + hand.dealt.index(seat)
    if hand.rabbit or hand.runs > 1:
        found |= _known_later(hand)
    return found


def _known_later(hand: Hand) -> DealtSet:
    """Of the cards that came after the board was complete, or after the hand, all that were not burned."""
    options = hand.options
    place = len(hand.dealt) * options.hole_cards
    streets = _STREET_CARDS if hand.runs > 1 else _STREET_CARDS[: max(len(hand.board) - 2, 0)]
    place += sum(1 + cards * options.boards for cards in streets)
    found = 0
    if hand.rabbit:
        for cards in _STREET_CARDS[max(len(hand.board) - 2, 0) :]:
            found |= (1 << cards * options.boards) - 1 << place + 1
            place += 1 + cards * options.boards
        return found
    for board in hand.other_boards:
        for cards in _STREET_CARDS[max(hand.common - 2, 0) : max(len(board) - 2, 0)]:
            found |= (1 << cards) - 1 << place + 1
            place += 1 + cards
    return found


# Asked for every viewer after every action: cached, it costs a tenth.
@lru_cache(maxsize=4096)
def _known(
    dealt: tuple[int, ...], shown: tuple[int, ...], hole_cards: int, board: int, boards: int, viewer: Viewer
) -> DealtSet:
    seen = sum([1 << place for place, seat in enumerate(dealt) if seat == viewer or seat in shown])
    found = 0
    for number in range(hole_cards):
        found |= seen << number * len(dealt)
    place = hole_cards * len(dealt)
    for cards in _STREET_CARDS[: max(board - 2, 0)]:
        # One is burned before each street.
        found |= (1 << cards * boards) - 1 << place + 1
        place += 1 + cards * boards
    return found


_STREET_CARDS: Final = (3, 1, 1)


def _hands_to_next_level(options: HoldemOptions, hand: int) -> int:
    number = options.level_number(hand)
    if not number or options.level(number) == options.level(number + 1):
        return 0
    return options.level_hands - (hand - 1) % options.level_hands


def seat_view(hand: Hand, seat: int, viewer: Viewer) -> HoldemSeat:
    """A seat as this viewer sees it."""
    setup = hand.setup
    in_hand = seat in hand.live and seat not in hand.mucked
    has_cards = in_hand and bool(hand.hole)
    sees = bool(hand.hole) and seat in hand.dealt and (seat == viewer or seat in hand.shown)
    all_in = in_hand and not hand.stacks[seat] and hand.street is not Street.OVER
    return HoldemSeat(
        cards=cards_of(hand, seat) if sees else _backs(hand, seat) if has_cards else (),
        chips=hand.stacks[seat],
        state="all_in" if all_in else "" if in_hand else _state(hand, seat),
        seat=seat,
        bet=hand.bets[seat],
        in_hand=in_hand,
        all_in=all_in,
        sitting_out=seat in setup.sitting_out,
        left=seat in hand.left,
        owes=blinds_owed(hand.options, setup, seat),
        place=hand.places[seat],
        has_cards=has_cards,
        statistics=setup.statistics[seat] if setup.statistics else Statistics(),
    )


def _backs(hand: Hand, seat: int) -> tuple[Card | None, ...]:
    """Cards face down, except single ones that were turned up."""
    backs: tuple[Card | None, ...] = (None,) * hand.options.hole_cards
    if not hand.bared:
        return backs
    sealed = hand.hole[seat]
    assert sealed is not None
    return tuple(card if (seat, number) in hand.bared else None for number, card in enumerate(sealed.open()))


def _state(hand: Hand, seat: int) -> str:
    """The word for a seat that is not, or no longer, in the hand."""
    if hand.places[seat] > 1:
        return "out"
    if seat in hand.setup.sitting_out:
        return "waiting" if seat in hand.setup.waiting_seats else "sitting_out"
    if seat in hand.left:
        return "left"
    if seat in hand.mucked:
        return "mucked"
    return "folded" if seat in hand.dealt else ""


def made_hands(hand: Hand, viewer: Viewer) -> tuple[MadeHand, ...]:
    """What the viewer's own cards make with each board."""
    if viewer is None or viewer not in hand.dealt or not hand.board:
        return ()
    own = cards_of(hand, viewer)
    if len(own) < hand.options.hole_cards:
        return ()
    options = hand.options
    boards = [board for board in boards_of(hand) if board]
    return tuple([_made_of(options.pack, options.used, options.pot, own, board) for board in boards])


# A viewer's hand changes with the street, and is shown after every action: cached, six views cost an eighth less.
@lru_cache(maxsize=4096)
def _made_of(pack: Pack, used: Used, pot: Split, own: tuple[Card, ...], board: tuple[Card, ...]) -> MadeHand:
    low = made_low(used, own, board) if pot is Split.HIGH_LOW else ()
    return MadeHand(*made(pack, used, own, board), low)
