"""What a player remembers of a hand of Hold'em: a view shows the present street and none of the earlier ones."""

from croupier.cards import Card
from croupier.games.poker import HoldemView
from croupier.games.poker.bots.hidden_hands import Play
from croupier.games.poker.rules.view import HoldemSeat


class Notes:
    """What each seat has put in on each street of the present hand, as far as the bot saw it."""

    def __init__(self) -> None:
        self._hand: tuple[int, tuple[Card, ...]] = (0, ())
        self._chips: dict[int, tuple[int, ...]] = {}
        """By street, each seat's chips when it began."""
        self._pots: dict[int, int] = {}
        self._led: set[tuple[int, int]] = set()
        """The streets, each with the seats whose bets the bot had to answer."""

    def take(self, view: HoldemView, own: tuple[Card, ...]) -> None:
        """Notes how a street began, when it is seen for the first time; a new hand begins with empty notes."""
        if self._hand != (view.hand, own):
            self._hand = view.hand, own
            self._chips.clear()
            self._pots.clear()
            self._led.clear()
        street = _street(view)
        if street not in self._pots:
            self._chips[street] = tuple(seat.chips + seat.bet for seat in view.seats)
            self._pots[street] = view.total - sum(seat.bet for seat in view.seats)
        if view.to_call:
            self._led |= {(street, seat.seat) for seat in view.seats if seat.bet == view.bet}

    def paid_before_the_flop(self, view: HoldemView, seat: int) -> int:
        """What a seat put in before the flop; if nobody took notes then, its part of the pot."""
        if not view.board:
            return view.seats[seat].bet
        if 0 in self._chips and 1 in self._chips:
            return self._chips[0][seat] - self._chips[1][seat]
        return part_of_pot(view)

    def plays(self, view: HoldemView, rival: HoldemSeat) -> tuple[Play | None, ...]:
        """What a rival did on each street from the flop on."""
        present = _street(view)
        found = [self._play(street, rival.seat) for street in range(1, present)]
        if present:
            acted = rival.bet > 0 or (acts_before(view, rival.seat) and not rival.all_in)
            pressure = rival.bet / max(self._pots[present], 1)
            found.append(Play(pressure, (present, rival.seat) in self._led) if acted else None)
        return tuple(found)

    def _play(self, street: int, seat: int) -> Play | None:
        """What a seat did on a street that is over."""
        if street not in self._chips or street + 1 not in self._chips or not self._chips[street][seat]:
            return None
        paid = self._chips[street][seat] - self._chips[street + 1][seat]
        return Play(paid / max(self._pots[street], 1), (street, seat) in self._led)


def part_of_pot(view: HoldemView) -> int:
    """Roughly what each seat still in has put in on earlier streets."""
    return max((pot.amount // len(pot.seats) for pot in view.pots), default=0)


def acts_before(view: HoldemView, seat: int) -> bool:
    """Whether a seat acts before the one in turn on the streets after the flop: the button is last."""
    (turn,) = view.to_act
    first = view.button + 1
    return (seat - first) % len(view.seats) < (turn - first) % len(view.seats)


def _street(view: HoldemView) -> int:
    """0 before the flop, 1 on the flop, to 3 on the river."""
    return max(len(view.board) - 2, 0)
