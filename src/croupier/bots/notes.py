"""What a player remembers of a hand of Hold'em: a view shows the present street, and nothing of the earlier ones."""

from croupier.cards import Card
from croupier.rules.holdem import HoldemView


class Notes:
    """What each seat has put in on each street of the present hand, as far as the bot was there to see it."""

    def __init__(self) -> None:
        self._hand: tuple[int, tuple[Card, ...]] = (0, ())
        self._chips: dict[int, tuple[int, ...]] = {}
        """By street, each seat's chips when it began."""
        self._pots: dict[int, int] = {}

    def take(self, view: HoldemView, own: tuple[Card, ...]) -> None:
        """Notes how a street began, when it is seen for the first time; a new hand begins with empty notes."""
        if self._hand != (view.hand, own):
            self._hand = view.hand, own
            self._chips.clear()
            self._pots.clear()
        street = _street(view)
        if street not in self._pots:
            self._chips[street] = tuple(seat.stack + seat.bet for seat in view.seats)
            self._pots[street] = view.total - sum(seat.bet for seat in view.seats)

    def paid_before_the_flop(self, view: HoldemView, seat: int) -> int:
        """What a seat put in before the flop; if nobody took notes then, its part of the pot."""
        if not view.board:
            return view.seats[seat].bet
        if 0 in self._chips and 1 in self._chips:
            return self._chips[0][seat] - self._chips[1][seat]
        return max((pot.amount // len(pot.seats) for pot in view.pots), default=0)

    def pressures(self, view: HoldemView, seat: int) -> tuple[float, ...]:
        """For each street from the flop on, what a seat put in there, as a multiple of the pot at its start."""
        present = _street(view)
        found = [self._pressure(street, seat) for street in range(1, present)]
        if present:
            found.append(view.seats[seat].bet / max(self._pots[present], 1))
        return tuple(found)

    def _pressure(self, street: int, seat: int) -> float:
        if street not in self._chips or street + 1 not in self._chips:
            return 0.0
        return (self._chips[street][seat] - self._chips[street + 1][seat]) / max(self._pots[street], 1)


def _street(view: HoldemView) -> int:
    """0 before the flop, 1 on the flop, to 3 on the river."""
    return max(len(view.board) - 2, 0)
