"""The door to Hold'em: `HoldemRules` answers what every game is asked (`rules.game`). One hand is one round."""

from typing import ClassVar, Final

from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import Change, DealtSet, Draw, Offer, Over, Step, Turn, Viewer, offered
from croupier.game.refusal import Code, Refusal
from croupier.games.poker.rules import betting, streets
from croupier.games.poker.rules.actions import CHECK, FOLD, MUCK, HoldemAction, HoldemCode, Muck
from croupier.games.poker.rules.config import HoldemOptions, Mode, OddChips
from croupier.games.poker.rules.events import OVER, SHOWDOWN, HoldemEvent, PlayerLeft
from croupier.games.poker.rules.finish import award_uncontested, close, settled
from croupier.games.poker.rules.setup import (
    SEATS_MAX,
    SEATS_MIN,
    HoldemSetup,
    cash_out,
    fault,
    first_setup,
    forced_bets,
    in_play,
    sit_in,
    sit_out,
    top_up,
)
from croupier.games.poker.rules.state import NOBODY, Hand, Telling, tell
from croupier.games.poker.rules.view import HoldemView, known, view

_FIRST: Final = OddChips.FIRST


class HoldemRules(HoldemOptions, frozen=True, kw_only=True):
    """No-limit Texas Hold'em with all its options decided."""

    game: ClassVar[str] = "holdem"
    opens_all: ClassVar[bool] = False

    @property
    def seat_range(self) -> tuple[int, int]:
        return SEATS_MIN, SEATS_MAX

    def setup(self, seats: int) -> HoldemSetup:
        return first_setup(self, seats)

    def opening(self, setup: HoldemSetup) -> Step[Hand, HoldemEvent] | Refusal:
        return self._opening(setup, ())

    def _opening(self, setup: HoldemSetup, absent: tuple[int, ...]) -> Step[Hand, HoldemEvent] | Refusal:
        """A hand in which the absent seats pay what they owe and get no cards."""
        order = in_play(setup)
        refusal = fault(setup, order)
        if refusal is not None:
            return refusal
        dealt = tuple([seat for seat in order if seat not in absent]) if absent else order
        level = self.level_number(setup.hand)
        told: Telling = []
        hand = streets.begin(setup, order, dealt, forced_bets(self, setup, order, level), level, told)
        return Step(hand if self.odd_chips is _FIRST else replace(hand, odd_chips=self.odd_chips), tuple(told))

    def seats(self, state: Hand) -> int:
        return len(state.stacks)

    def awaits(self, state: Hand) -> Draw[Card] | Turn | Over:
        return state.awaits

    def deal(self, state: Hand, cards: tuple[Card | None, ...]) -> Step[Hand, HoldemEvent]:
        assert isinstance(state.awaits, Draw)
        assert len(cards) == state.awaits.count, "as many cards as were asked for"
        told: Telling = []
        return self._step(streets.deal(state, cards, told), told)

    def menu(self, state: Hand, seat: int) -> tuple[Offer[HoldemAction], ...]:
        """What this seat may do now: nothing out of turn."""
        return state.offers if seat == state.turn else ()

    def act(self, state: Hand, seat: int, action: HoldemAction) -> Step[Hand, HoldemEvent] | Refusal:
        if not offered(self.menu(state, seat), action):
            return self._refusal(state, seat, action)
        told: Telling = []
        return self._step(streets.act(state, seat, action, told), told)

    def leave(self, state: Hand, seat: int) -> Step[Hand, HoldemEvent] | Refusal:
        """Folds the seat, now or on its next turn; who is all-in stays in for the pots. In a cash game the seat then
        sits out; in a tournament it stays dealt in, and somebody must leave for it again."""
        if isinstance(state.awaits, Over):
            return Refusal(Code.ROUND_OVER)
        if not 0 <= seat < len(state.stacks):
            return Refusal(Code.NO_SUCH_SEAT, {"seat": seat, "seats": len(state.stacks)})
        if seat in state.left:
            return Step(state)
        told: Telling = []
        tell(told, PlayerLeft(seat))
        gone = replace(state, left=(*state.left, seat))
        if seat != state.turn:
            return Step(gone, tuple(told))
        return self._step(streets.act(gone, seat, MUCK if state.street is SHOWDOWN else FOLD, told), told)

    def dealt_in(self, state: Hand) -> tuple[int, ...]:
        return state.dealt

    def exclude(self, state: Hand, seat: int) -> Step[Hand, HoldemEvent] | Refusal:
        """In a cash game the hand begins anew as if the seat sat out. In a tournament what the seat owes goes in and
        its hand is folded; the last seat left wins it all without a card."""
        if seat not in state.dealt or state.hole:
            return Refusal(Code.NOT_BETWEEN_ROUNDS)
        excluded = (*state.excluded, seat)
        if self.mode is Mode.CASH:
            setup = sit_out(self, state.setup, seat)
            begun = setup if isinstance(setup, Refusal) else self._opening(setup, ())
        elif len(state.dealt) == 1:
            return Refusal(HoldemCode.TOO_FEW_PLAYERS, {"players": 0})
        else:
            begun = self._opening(state.setup, excluded)
        if isinstance(begun, Refusal):
            return begun
        told: Telling = list(begun.told)
        hand = replace(begun.state, excluded=excluded, left=state.left)
        return self._step(award_uncontested(hand, told) if len(hand.dealt) == 1 else hand, told)

    def view(self, state: Hand, viewer: Viewer) -> HoldemView:
        return view(self, state, viewer)

    def known(self, state: Hand, viewer: Viewer) -> DealtSet:
        return known(state, viewer)

    def chips(self, state: Hand) -> tuple[int, ...]:
        return (*state.stacks, *state.bets, *state.paid, state.dead)

    def following(self, state: Hand) -> HoldemSetup:
        return settled(self, state)

    def stacks(self, setup: HoldemSetup) -> tuple[int, ...]:
        return setup.stacks

    def ended(self, state: Hand) -> bool:
        """A tournament ends when one player has all the chips; in a cash game people can buy more."""
        return self.mode is Mode.TOURNAMENT and sum(1 for stack in state.stacks if stack) < SEATS_MIN

    def absent(self, menu: tuple[Offer[HoldemAction], ...]) -> HoldemAction:
        """Checks if that is offered, else folds; a beaten hand is mucked."""
        return next(action for action in (CHECK, FOLD, MUCK) if offered(menu, action))

    def amend(self, setup: HoldemSetup, change: Change) -> HoldemSetup | Refusal:
        match change.kind:
            case "taken" | "bought":
                return top_up(self, setup, change.seat, change.chips)
            case "sat_out":
                return sit_out(self, setup, change.seat)
            case "sat_in":
                return sit_in(self, setup, change.seat)
            case "left":
                return cash_out(self, setup, change.seat)
            case "reshuffled":
                return setup

    def teams(self, seats: int) -> int:
        return 0

    def _step(self, hand: Hand, told: Telling) -> Step[Hand, HoldemEvent]:
        if hand.street is OVER:
            hand = close(self, hand, told)
        return Step(hand, tuple(told))

    def _refusal(self, state: Hand, seat: int, action: HoldemAction) -> Refusal:
        if isinstance(state.awaits, Over):
            return Refusal(Code.ROUND_OVER)
        if not 0 <= seat < len(state.stacks):
            return Refusal(Code.NO_SUCH_SEAT, {"seat": seat, "seats": len(state.stacks)})
        if seat != state.turn:
            return Refusal(Code.NOT_YOUR_TURN, {} if state.turn == NOBODY else {"turn": state.turn})
        if state.street is SHOWDOWN:
            assert not isinstance(action, Muck), "whoever is asked at a showdown may muck"
            return Refusal(HoldemCode.SHOW_OR_MUCK)
        return betting.refusal(state, seat, action)
