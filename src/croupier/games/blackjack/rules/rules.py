"""Blackjack as the `Rules` that every layer above plays by."""

from typing import ClassVar, Final

from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import Change, DealtSet, Draw, Offer, Over, Step, Turn, Viewer, offered
from croupier.game.refusal import Code, Refusal
from croupier.games.blackjack.rules.actions import (
    BlackjackAction,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.games.blackjack.rules.config import Options, half
from croupier.games.blackjack.rules.events import (
    BetPlaced,
    BlackjackEvent,
    GameTerminated,
    HandChanged,
    InsuranceDecided,
    Played,
    SatOut,
    SeatLeft,
)
from croupier.games.blackjack.rules.flow import advance, look, place, request
from croupier.games.blackjack.rules.hands import POINTS, total
from croupier.games.blackjack.rules.menu import Menu, explain, menu
from croupier.games.blackjack.rules.progress import Progress
from croupier.games.blackjack.rules.settle import cash_out
from croupier.games.blackjack.rules.state import BlackjackSetup, BlackjackState, Hand, Phase, Seat, Slot, Status
from croupier.games.blackjack.rules.view import BlackjackView, build

CUSTOMARY_PURSE: Final = 1000


class BlackjackRules(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Blackjack with all its options decided; see `Options` for what can be chosen."""

    game: ClassVar[str] = "blackjack"
    opens_all: ClassVar[bool] = True

    @property
    def seat_range(self) -> tuple[int, int]:
        return self.seats_min, self.seats_max

    def setup(self, seats: int) -> BlackjackSetup:
        if self.dealer_seat:
            return BlackjackSetup((0,) * seats, dealer=0)
        return BlackjackSetup((CUSTOMARY_PURSE,) * seats)

    def opening(self, setup: BlackjackSetup) -> Step[BlackjackState, BlackjackEvent] | Refusal:
        refusal = self._check(setup)
        if refusal is not None:
            return refusal
        betting = self.bet_max > 0
        seats = tuple(Seat(purse, decided=not betting or purse < self.bet_min) for purse in setup.purses)
        state = BlackjackState(setup, seats, shoe_left=52 * self.decks - len(setup.gone))
        progress = Progress(self, state)
        advance(progress)
        return progress.step()

    def seats(self, state: BlackjackState) -> int:
        return len(state.seats)

    def awaits(self, state: BlackjackState) -> Draw[Card] | Turn | Over:
        if state.over:
            return Over(_payouts(state) if self.bet_max else _points(state))
        if state.draw is not None:
            return state.draw
        if state.turn is not None:
            return Turn(state.turn[:1])
        return Turn(state.undecided or tuple(n for n, seat in enumerate(state.seats) if not seat.decided))

    def deal(self, state: BlackjackState, cards: tuple[Card | None, ...]) -> Step[BlackjackState, BlackjackEvent]:
        progress = Progress(self, state)
        place(progress, cards)
        advance(progress)
        return progress.step()

    def menu(self, state: BlackjackState, seat: int) -> Menu:
        return menu(self, state, seat)

    def act(
        self, state: BlackjackState, seat: int, action: BlackjackAction
    ) -> Step[BlackjackState, BlackjackEvent] | Refusal:
        if not offered(menu(self, state, seat), action):
            return explain(self, state, seat, action)
        progress = Progress(self, state)
        match action:
            case PlaceBet(amount):
                progress.stake(seat, amount)
                progress.seat(seat, bet=amount, decided=True)
                progress.tell(BetPlaced(seat, amount))
            case SitOut():
                progress.seat(seat, decided=True)
                progress.tell(SatOut(seat))
            case Insurance() | Surrender() if seat in state.undecided:
                _decide(progress, seat, action)
            case _:
                assert state.turn is not None
                _play(progress, seat, state.turn[1], action)
        advance(progress)
        return progress.step()

    def leave(self, state: BlackjackState, seat: int) -> Step[BlackjackState, BlackjackEvent] | Refusal:
        """Against the house, a player who leaves stands on every hand. Where a person deals, the cards of a player who
        leaves are gone, and the round ends for everybody when the dealer leaves."""
        if not 0 <= seat < len(state.seats):
            return Refusal(Code.NO_SUCH_SEAT, {"seat": seat, "seats": len(state.seats)})
        if state.over:
            return Refusal(Code.ROUND_OVER)
        assert state.draw is None, "cards come before anybody can go"
        progress = Progress(self, state)
        progress.seat(seat, left=True, decided=True)
        progress.tell(SeatLeft(seat))
        if seat == state.setup.dealer:
            progress.tell(GameTerminated())
            cash_out(progress, void=True)
            return progress.step()
        if self.dealer_seat:
            progress.seat(seat, hands=())
            if not any(other.hands for other in progress.state.seats):
                cash_out(progress, void=True)
                return progress.step()
        else:
            for index, hand in enumerate(state.seats[seat].hands):
                if hand.status is Status.ACTIVE:
                    progress.hand(seat, index, status=Status.STAND)
            if seat in state.undecided:
                _decide(progress, seat, Insurance(take=False))
        advance(progress)
        return progress.step()

    def dealt_in(self, state: BlackjackState) -> tuple[int, ...]:
        dealer = state.setup.dealer
        return tuple(number for number, seat in enumerate(state.seats) if seat.hands or number == dealer)

    def exclude(self, state: BlackjackState, seat: int) -> Step[BlackjackState, BlackjackEvent] | Refusal:
        """The seat's bet goes back and it has no hand in this round."""
        if state.draw is None or state.dealt or seat == state.setup.dealer or seat not in self.dealt_in(state):
            return Refusal(Code.NOT_BETWEEN_ROUNDS)
        out = state.seats[seat]
        # The deal is asked for anew, by those who are left.
        asked = replace(state, draw=None, slots=(), shoe_left=state.shoe_left + state.draw.count, phase=Phase.BETTING)
        progress = Progress(self, asked)
        progress.seat(seat, purse=out.purse + out.bet, bet=0, hands=(), decided=True, left=out.left or self.dealer_seat)
        progress.tell(SatOut(seat))
        advance(progress)
        return progress.step()

    def view(self, state: BlackjackState, viewer: Viewer) -> BlackjackView:
        awaited = self.awaits(state)
        return build(self, state, viewer, awaited.seats if isinstance(awaited, Turn) else ())

    def known(self, state: BlackjackState, viewer: Viewer) -> DealtSet:
        hidden = 1 << state.hole_at if state.hole is not None else 0
        return (1 << len(state.dealt)) - 1 & ~hidden

    def chips(self, state: BlackjackState) -> tuple[int, ...]:
        if not self.bet_max:
            return ()
        purses = tuple(seat.purse for seat in state.seats)
        if state.over:
            return (*purses, state.house)
        staked = (sum(hand.bet for hand in seat.hands) + seat.insurance for seat in state.seats)
        unplaced = (0 if seat.hands else seat.bet for seat in state.seats)
        return (*purses, *staked, *unplaced, state.house)

    def following(self, state: BlackjackState) -> BlackjackSetup:
        purses = tuple(seat.purse for seat in state.seats)
        dealt = [card for sealed in state.dealt if (card := sealed.open()) is not None]
        used = (*state.setup.gone, *dealt)
        goes_on = not state.reshuffled and len(used) < self.penetration * 52 * self.decks
        return replace(state.setup, purses=purses, gone=used if goes_on else ())

    def stacks(self, setup: BlackjackSetup) -> tuple[int, ...]:
        return setup.purses if self.bet_max else ()

    def ended(self, state: BlackjackState) -> bool:
        """The match ends when nobody can pay the lowest bet."""
        return max(seat.purse for seat in state.seats) < self.bet_min

    def absent(self, menu: tuple[Offer[BlackjackAction], ...]) -> BlackjackAction:
        """Sits the round out, goes without insurance, stands."""
        return next(action for action in (SitOut(), Insurance(take=False), Stand()) if offered(menu, action))

    def amend(self, setup: BlackjackSetup, change: Change) -> BlackjackSetup | Refusal:
        """A newcomer brings a purse, a player who leaves takes it along; it can be filled up. A seat that sits out does
        not bet."""
        if not 0 <= change.seat < len(setup.purses):
            return Refusal(Code.NO_SUCH_SEAT, {"seat": change.seat, "seats": len(setup.purses)})
        if change.kind == "reshuffled":
            # Since edition 2 the rest of a shoe is shuffled for every round: it can go on where several people play.
            return setup if self.edition > 1 else replace(setup, gone=())
        if self.dealer_seat or change.kind == "bomb":
            return Refusal(Code.NOT_BETWEEN_ROUNDS)
        purses = list(setup.purses)
        match change.kind:
            case "taken":
                purses[change.seat] = change.chips
            case "left":
                purses[change.seat] = 0
            case "bought":
                purses[change.seat] += change.chips
            case "sat_out" | "sat_in" | "waits":
                pass
        return replace(setup, purses=tuple(purses))

    def teams(self, seats: int) -> int:
        return 0

    def _check(self, setup: BlackjackSetup) -> Refusal | None:
        count = len(setup.purses)
        low, high = self.seat_range
        if not low <= count <= high:
            return Refusal(Code.WRONG_SEAT_COUNT, {"seats": count, "low": low, "high": high})
        if any(purse < 0 for purse in setup.purses):
            return Refusal(BlackjackCode.BAD_SETUP, {"field": "purses"})
        if self.dealer_seat != (setup.dealer is not None) or (setup.dealer or 0) not in range(count):
            return Refusal(BlackjackCode.BAD_SETUP, {"field": "dealer"})
        if len(setup.gone) > 52 * self.decks or (setup.gone and not self.penetration):
            return Refusal(BlackjackCode.BAD_SETUP, {"field": "gone"})
        if any(setup.gone.count(card) > self.decks for card in set(setup.gone)):
            return Refusal(BlackjackCode.BAD_SETUP, {"field": "gone"})
        return None


def _decide(progress: Progress, seat: int, action: Insurance | Surrender) -> None:
    """Apply a seat's answer before the dealer looks."""
    progress.change(undecided=tuple(other for other in progress.state.undecided if other != seat))
    if isinstance(action, Surrender):
        _surrender(progress, seat, 0)
    else:
        amount = half(progress.state.seats[seat].bet) if action.take else 0
        progress.stake(seat, amount)
        progress.seat(seat, insurance=amount)
        progress.tell(InsuranceDecided(seat, amount))
    if not progress.state.undecided:
        look(progress)


def _play(progress: Progress, seat: int, index: int, action: BlackjackAction) -> None:
    """Apply a decision on one hand."""
    hand = progress.state.seats[seat].hands[index]
    progress.tell(Played(seat, index, action.tag))
    match action:
        case Hit():
            request(progress, Slot(seat, index))
        case Stand():
            worth = total(hand.cards, progress.options.ace).best
            progress.hand(seat, index, status=Status.STAND)
            progress.tell(HandChanged(seat, index, Status.STAND, worth))
        case Double():
            progress.stake(seat, hand.bet)
            progress.hand(seat, index, bet=2 * hand.bet, doubled=True)
            request(progress, Slot(seat, index))
        case Split():
            _split(progress, seat, index)
        case Surrender():
            _surrender(progress, seat, index)
        case PlaceBet() | SitOut() | Insurance():
            raise AssertionError("never offered on a hand")


def _split(progress: Progress, seat: int, index: int) -> None:
    """Two hands in the place of one, next to each other, each with one card of the pair and an equal bet."""
    hands = progress.state.seats[seat].hands
    hand = hands[index]
    progress.stake(seat, hand.bet)
    from_aces = POINTS[hand.cards[0]] == 1
    halves = tuple(Hand((card,), hand.bet, split=True, from_aces=from_aces) for card in hand.cards)
    progress.seat(seat, hands=(*hands[:index], *halves, *hands[index + 1 :]))
    request(progress, Slot(seat, index), Slot(seat, index + 1))


def _surrender(progress: Progress, seat: int, index: int) -> None:
    hand = progress.hand(seat, index, status=Status.SURRENDERED, surrendered=True)
    worth = total(hand.cards, progress.options.ace).best
    progress.tell(HandChanged(seat, index, Status.SURRENDERED, worth))


def _payouts(state: BlackjackState) -> tuple[int, ...]:
    return tuple(seat.purse - purse for seat, purse in zip(state.seats, state.setup.purses, strict=True))


def _points(state: BlackjackState) -> tuple[int, ...]:
    """A game without bets: a win counts 1, a loss -1, against the dealer."""
    worth = {Status.WIN: 1, Status.LOSE: -1}
    points = [sum(worth.get(hand.status, 0) for hand in seat.hands) for seat in state.seats]
    if state.setup.dealer is not None:
        points[state.setup.dealer] = -sum(points)
    return tuple(points)
