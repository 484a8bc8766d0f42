"""The door to Hold'em: `HoldemRules` answers what every game is asked (`rules.game`). One hand is one round."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import Change, DealtSet, Draw, Offer, Over, Step, Turn, Viewer, offered
from croupier.game.refusal import Code, Refusal
from croupier.games.poker.rules import betting, streets
from croupier.games.poker.rules.actions import CHECK, FOLD, MUCK, RUN_ONCE, HoldemAction, HoldemCode, Muck
from croupier.games.poker.rules.between_hands import (
    ask_bomb_pot,
    cash_out,
    sit_in,
    sit_out,
    take_seat,
    top_up,
    wait_for_big_blind,
)
from croupier.games.poker.rules.config import FIELDS_SINCE, SEATS_MIN, HoldemOptions, Mode
from croupier.games.poker.rules.events import OVER, SHOWDOWN, HoldemEvent, PlayerLeft
from croupier.games.poker.rules.finish import award_uncontested, close, settled
from croupier.games.poker.rules.forced_bets import forced_bets
from croupier.games.poker.rules.positions import seated_for
from croupier.games.poker.rules.setup import HoldemSetup, fault, first_setup, misfit
from croupier.games.poker.rules.state import NOBODY, Broadcast, Hand, tell
from croupier.games.poker.rules.view import HoldemView, known, view


class HoldemRules(HoldemOptions, frozen=True, kw_only=True):
    """A game of the poker family with all its options decided."""

    game: ClassVar[str] = "poker"
    opens_all: ClassVar[bool] = False
    fields_since: ClassVar[Mapping[str, int]] = FIELDS_SINCE

    @property
    def seat_range(self) -> tuple[int, int]:
        return SEATS_MIN, self.seats_max

    def setup(self, seats: int) -> HoldemSetup:
        return first_setup(self, seats)

    def opening(self, setup: HoldemSetup) -> Step[Hand, HoldemEvent] | Refusal:
        return self._opening(setup, ())

    def _opening(self, setup: HoldemSetup, absent: tuple[int, ...]) -> Step[Hand, HoldemEvent] | Refusal:
        """A hand in which the absent seats pay what they owe and get no cards."""
        refusal = misfit(self, setup)
        if refusal is not None:
            return refusal
        setup, order = seated_for(self, setup)
        refusal = fault(self, setup, order)
        if refusal is not None:
            return refusal
        dealt = tuple([seat for seat in order if seat not in absent]) if absent else order
        level = self.level_number(setup.hand)
        told: Broadcast = []
        forced = forced_bets(self, setup, order, level)
        return Step(streets.begin(self, setup, order, dealt, forced, level, told), tuple(told))

    def seats(self, state: Hand) -> int:
        return len(state.stacks)

    def awaits(self, state: Hand) -> Draw[Card] | Turn | Over:
        return state.awaits

    def deal(self, state: Hand, cards: tuple[Card | None, ...]) -> Step[Hand, HoldemEvent]:
        assert isinstance(state.awaits, Draw)
        assert len(cards) == state.awaits.count, "as many cards as were asked for"
        told: Broadcast = []
        return self._step(streets.deal(state, cards, told), told)

    def menu(self, state: Hand, seat: int) -> tuple[Offer[HoldemAction], ...]:
        """What this seat may do now: nothing out of turn."""
        return state.offers if seat == state.turn else ()

    def act(self, state: Hand, seat: int, action: HoldemAction) -> Step[Hand, HoldemEvent] | Refusal:
        if not offered(self.menu(state, seat), action):
            return self._refusal(state, seat, action)
        told: Broadcast = []
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
        told: Broadcast = []
        tell(told, PlayerLeft(seat))
        gone = replace(state, left=(*state.left, seat))
        if seat != state.turn:
            return Step(gone, tuple(told))
        action = MUCK if state.street is SHOWDOWN else RUN_ONCE if state.is_run_vote else FOLD
        return self._step(streets.act(gone, seat, action, told), told)

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
        told: Broadcast = list(begun.told)
        hand = replace(begun.state, excluded=excluded, left=state.left)
        return self._step(award_uncontested(hand, told) if len(hand.dealt) == 1 else hand, told)

    def view(self, state: Hand, viewer: Viewer) -> HoldemView:
        return view(self, state, viewer)

    def known(self, state: Hand, viewer: Viewer) -> DealtSet:
        return known(state, viewer)

    def chips(self, state: Hand) -> tuple[int, ...]:
        return (*state.stacks, *state.bets, *state.paid, state.dead, state.rake)

    def following(self, state: Hand) -> HoldemSetup:
        return settled(self, state)

    def stacks(self, setup: HoldemSetup) -> tuple[int, ...]:
        return setup.stacks

    def ended(self, state: Hand) -> bool:
        """A tournament ends when one player has all the chips; in a cash game people can buy more."""
        return self.mode is Mode.TOURNAMENT and sum(1 for stack in state.stacks if stack) < SEATS_MIN

    def absent(self, menu: tuple[Offer[HoldemAction], ...]) -> HoldemAction:
        """Checks if that is offered, else folds; a beaten hand is mucked, and nothing is dealt more than once."""
        return next(action for action in (CHECK, FOLD, MUCK, RUN_ONCE) if offered(menu, action))

    def amend(self, setup: HoldemSetup, change: Change) -> HoldemSetup | Refusal:
        match change.kind:
            case "taken":
                return take_seat(self, setup, change.seat, change.chips)
            case "bought":
                return top_up(self, setup, change.seat, change.chips)
            case "sat_out":
                return sit_out(self, setup, change.seat)
            case "sat_in":
                return sit_in(self, setup, change.seat)
            case "waits":
                return wait_for_big_blind(self, setup, change.seat)
            case "left":
                return cash_out(self, setup, change.seat)
            case "bomb":
                return ask_bomb_pot(self, setup)
            case "reshuffled":
                return setup

    def teams(self, seats: int) -> int:
        return 0

    def _step(self, hand: Hand, told: Broadcast) -> Step[Hand, HoldemEvent]:
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
        if state.is_run_vote:
            return Refusal(HoldemCode.SAY_HOW_OFTEN, {"high": state.offers[0].high})
        return betting.refusal(state, seat, action)
