"""A Hold'em decision as a player sees it: its price, who is still in, who acts later, what is possible."""

from typing import Final, NamedTuple

from croupier.cards import Card
from croupier.game.game import Offer
from croupier.games.poker import Bet, HoldemAction, HoldemView, Raise
from croupier.games.poker.rules.actions import ALL_IN, CALL, CHECK, FOLD, MUCK, RunIt
from croupier.games.poker.rules.events import Street
from croupier.games.poker.rules.view import HoldemSeat

COMMITTED: Final = 0.5
"""A bet of more than this share of the stack becomes an all-in."""


class Spot(NamedTuple):
    """One decision before the showdown. Amounts are chips."""

    view: HoldemView
    menu: tuple[Offer[HoldemAction], ...]
    seat: HoldemSeat
    """The bot's own."""
    rivals: tuple[HoldemSeat, ...]
    """The others who are still in, by seat."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The bot's own."""
        return tuple(card for card in self.seat.cards if card is not None)

    @property
    def pot(self) -> int:
        """The chips on the table that the bot can win: of a bet, no more than it could match."""
        return self.view.total - sum(max(0, seat.bet - self.raise_high) for seat in self.view.seats)

    @property
    def to_call(self) -> int:
        return self.view.to_call

    @property
    def price(self) -> float:
        """The share of the pot that must be won for a call to break even."""
        return self.to_call / (self.pot + self.to_call)

    @property
    def is_heads_up(self) -> bool:
        """Whether the table, not only this pot, has two players."""
        return sum(1 for seat in self.view.seats if (seat.chips or seat.in_hand) and not seat.sitting_out) == 2

    @property
    def depth_chips(self) -> int:
        """What the bot can lose at most in this hand from here on: its stack, or the largest of its rivals'."""
        return min(self.seat.chips, self.to_call + max(rival.chips for rival in self.rivals))

    @property
    def is_raised(self) -> bool:
        """Before the flop: whether somebody has bet more than the big blind."""
        return self.view.bet > self.view.big_blind

    @property
    def limpers(self) -> int:
        """Before the flop and any raise: how many have called the big blind."""
        level = sum(1 for rival in self.rivals if rival.bet == self.view.bet)
        return level if self.can_check else max(level - 1, 0)

    @property
    def behind(self) -> int:
        """Before the flop and any raise: how many are still to act after the bot."""
        asked = sum(1 for rival in self.rivals if rival.bet < self.view.bet and not rival.all_in)
        return asked if self.can_check else asked + 1

    @property
    def acts_last(self) -> bool:
        """Whether the bot is the last to act on the streets after the flop."""
        seats, button = len(self.view.seats), self.view.button
        place = (self.seat.seat - button - 1) % seats
        return all((rival.seat - button - 1) % seats < place or rival.all_in for rival in self.rivals)

    @property
    def can_check(self) -> bool:
        return any(offer.action == CHECK for offer in self.menu)

    @property
    def can_raise(self) -> bool:
        """Whether a bet or raise, or an all-in that is more than a call, is offered."""
        return self._range is not None or (self._offers_all_in and self.seat.chips > self.to_call)

    @property
    def raise_high(self) -> int:
        """What the bot's bet on this street comes to when it is all-in."""
        return self.seat.bet + self.seat.chips

    @property
    def raise_low(self) -> int:
        """The least that a bet or raise can come to."""
        return self.raise_high if self._range is None else self._range.low

    @property
    def _range(self) -> Offer[HoldemAction] | None:
        return next((offer for offer in self.menu if isinstance(offer.action, Bet | Raise)), None)

    @property
    def _offers_all_in(self) -> bool:
        return any(offer.action == ALL_IN for offer in self.menu)

    def give_up(self) -> HoldemAction:
        """Check if that is free, else fold."""
        return CHECK if self.can_check else FOLD

    def stay(self) -> HoldemAction:
        return CHECK if self.can_check else CALL

    def raise_to(self, amount: int) -> HoldemAction:
        """Bet or raise to about this amount, as far as that is offered; else check or call."""
        if not self.can_raise:
            return self.stay()
        offer = self._range
        if offer is None or (amount - self.seat.bet > COMMITTED * self.seat.chips and self._offers_all_in):
            return ALL_IN
        return offer.choose(min(max(amount, offer.low), offer.high))

    def bet_of_pot(self, share: float) -> HoldemAction:
        """Bets or raises by this share of the pot as it is after a call."""
        return self.raise_to(self.of_pot(share))

    def of_pot(self, share: float) -> int:
        """The amount of a bet or raise by this share of the pot as it is after a call."""
        return self.view.bet + round(share * (self.pot + self.to_call))


def apart_from_betting(view: HoldemView, menu: tuple[Offer[HoldemAction], ...]) -> HoldemAction | None:
    """A bot's decisions outside the betting: it shows nothing, and runs the board as often as possible, which costs
    nothing and reduces luck."""
    if view.street is Street.SHOWDOWN:
        return MUCK
    run = menu[0]
    return run.choose(run.high) if isinstance(run.action, RunIt) else None


def spot(view: HoldemView, menu: tuple[Offer[HoldemAction], ...]) -> Spot:
    assert view.you is not None, "a bot has a seat"
    rivals = tuple(seat for seat in view.seats if seat.in_hand and seat.seat != view.you)
    return Spot(view, menu, view.seats[view.you], rivals)
