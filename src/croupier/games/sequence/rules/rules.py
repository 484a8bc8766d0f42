"""Sequence as a `Rules` value: what follows from a deal and from an action.

docs/deviations.md says what was chosen where the document is silent: passes, draws, and a pack made new.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from msgspec.structs import replace

from croupier.game.game import (
    EVERYONE,
    Change,
    DealtSet,
    Draw,
    Offer,
    Over,
    Place,
    Step,
    Told,
    Turn,
    Viewer,
    offered,
    only,
)
from croupier.game.refusal import Code as CommonCode
from croupier.game.refusal import Fact, Refusal
from croupier.game.sealed import Sealed
from croupier.games.sequence.rules.actions import (
    ExchangeDeadCard,
    Play,
    PlayJackRemove,
    PlayJackWild,
    PlayNormal,
    SequenceAction,
    asked,
)
from croupier.games.sequence.rules.board import CORNERS, Line
from croupier.games.sequence.rules.cards import PACK, CardId, in_pack_order
from croupier.games.sequence.rules.codes import Code
from croupier.games.sequence.rules.config import Options
from croupier.games.sequence.rules.events import (
    CardDrawn,
    DeadCardExchanged,
    GameEnded,
    HandsDealt,
    HandTaken,
    PackReshuffled,
    Passed,
    SequenceCompleted,
    SequenceEvent,
    TurnPlayed,
)
from croupier.games.sequence.rules.explain import explain, no_such_seat
from croupier.games.sequence.rules.lines import new_lines
from croupier.games.sequence.rules.menu import SequenceOffer, offers
from croupier.games.sequence.rules.state import Completed, Done, Hand, Phase, SequenceSetup, State
from croupier.games.sequence.rules.teams import HAND_SIZES, TEAM_IDS, seat_counts, team_of
from croupier.games.sequence.rules.view import SequenceView, score_by_team, view_of

SequenceStep: TypeAlias = Step[State, SequenceEvent]
SequenceTold: TypeAlias = Told[SequenceEvent]

T = TypeVar("T")


_CARDS: Final = frozenset(PACK)


class SequenceRules(Options, frozen=True, kw_only=True):
    """A game of Sequence with its options decided. One round is one game."""

    game: ClassVar[str] = "sequence"
    opens_all: ClassVar[bool] = True

    @property
    def seat_range(self) -> tuple[int, int]:
        counts = [seats for teams in self.team_counts for seats in seat_counts(teams)]
        return min(counts), max(counts)

    def setup(self, seats: int) -> SequenceSetup:
        fitting = (teams for teams in self.team_counts if seats in seat_counts(teams))
        return SequenceSetup(seats=seats, teams=next(fitting, self.team_counts[0]))

    def opening(self, setup: SequenceSetup) -> SequenceStep | Refusal:
        if setup.teams not in self.team_counts:
            return Refusal(Code.WRONG_TEAM_COUNT, {"teams": setup.teams, "allowed": self.team_counts})
        low, high = self.seat_range
        if not low <= setup.seats <= high:
            return Refusal(CommonCode.WRONG_SEAT_COUNT, {"seats": setup.seats, "low": low, "high": high})
        allowed = seat_counts(setup.teams)
        if setup.seats not in allowed:
            facts: dict[str, Fact] = {"seats": setup.seats, "teams": setup.teams, "allowed": allowed}
            return Refusal(Code.TEAMS_NOT_EQUAL, facts)
        if not 0 <= setup.first_seat < setup.seats:
            return no_such_seat(setup.first_seat, setup.seats)
        return Step(
            State(
                setup=setup,
                phase=Phase.DEAL,
                seat=setup.first_seat,
                chips=(0,) * setup.teams,
                discard_tops=(None,) * setup.seats,
            )
        )

    def seats(self, state: State) -> int:
        return state.setup.seats

    def awaits(self, state: State) -> Draw[CardId] | Turn | Over:
        match state.phase:
            case Phase.PLAY:
                return Turn((state.seat,))
            case Phase.DRAW:
                places = (f"draw:{state.seat}:{state.hands[state.seat].drawn}",)
                return Draw(places) if state.pack_left else Draw(places, in_pack_order(state.discards))
            case Phase.DEAL:
                return Draw(_first_places(state.setup.seats, state.setup.first_seat), PACK)
            case Phase.OVER:
                return Over(_payouts(state))

    def deal(self, state: State, cards: tuple[CardId | None, ...]) -> SequenceStep:
        if state.phase is Phase.DEAL:
            return self._deal_hands(state, cards)
        assert state.phase is Phase.DRAW
        (card,) = cards
        return self._draw(state, card)

    def menu(self, state: State, seat: int) -> tuple[SequenceOffer, ...]:
        return tuple(offers(self, state, _playable(state, seat)))

    def turns_of(self, state: State, seat: int) -> Iterator[State]:
        """The game on each turn that may be this seat's next one, the soonest first. A seat with nothing to play
        passes; one whose cards are not all known may have passed."""
        if state.phase is not Phase.PLAY:
            return
        while True:
            if state.seat == seat:
                yield state
            if self._must_play(state):
                return
            state = self._passed(state)
            if state.idle_passes == state.setup.seats:
                return

    def act(self, state: State, seat: int, action: SequenceAction) -> SequenceStep | Refusal:
        # A card's offer does not depend on the cards beside it, so one part of the menu is enough.
        card = action.card_id
        held = _held(state, seat)
        may_hold = card in held or (None in held and card in _CARDS)
        if not may_hold or not offered(offers(self, state, (card,)), action):
            return explain(self, state, seat, action)
        match action:
            case PlayNormal() | PlayJackWild():
                return self._place(state, action, action.target_cell_id)
            case PlayJackRemove():
                return self._remove(state, action, action.remove_cell_id)
            case ExchangeDeadCard():
                after = _discarded(state, action, exchanged=True)
                return Step(after, (_public(DeadCardExchanged(state.turn_number, seat, card)),))

    def leave(self, state: State, seat: int) -> Refusal:
        if not 0 <= seat < state.setup.seats:
            return no_such_seat(seat, state.setup.seats)
        return Refusal(Code.SEAT_WAITS, {"seat": seat})

    def dealt_in(self, state: State) -> tuple[int, ...]:
        return tuple(range(state.setup.seats))

    def exclude(self, state: State, seat: int) -> Refusal:
        """Refused: the game needs everybody."""
        return self.leave(state, seat)

    def view(self, state: State, viewer: Viewer) -> SequenceView:
        return view_of(self, state, viewer)

    def known(self, state: State, viewer: Viewer) -> DealtSet:
        return state.shown if viewer is None or not state.hands else state.shown | state.hands[viewer].dealt

    def chips(self, state: State) -> tuple[int, ...]:
        return ()

    def following(self, state: State) -> SequenceSetup:
        return replace(state.setup, first_seat=(state.setup.first_seat + 1) % state.setup.seats)

    def stacks(self, setup: SequenceSetup) -> tuple[int, ...]:
        return ()

    def ended(self, state: State) -> bool:
        """A game is a match: after it the host asks for a rematch."""
        return True

    def absent(self, menu: tuple[Offer[SequenceAction], ...]) -> SequenceAction:
        """The first legal play."""
        return menu[0].action

    def amend(self, setup: SequenceSetup, change: Change) -> SequenceSetup | Refusal:
        return setup if change.kind == "reshuffled" else Refusal(CommonCode.NOT_BETWEEN_ROUNDS)

    def teams(self, seats: int) -> int:
        return self.setup(seats).teams

    def _deal_hands(self, state: State, cards: tuple[CardId | None, ...]) -> SequenceStep:
        seats, first = state.setup.seats, state.setup.first_seat
        hand_size = HAND_SIZES[seats]
        assert len(cards) == seats * hand_size
        hands = tuple(_first_hand(cards, (seat - first) % seats, seats) for seat in range(seats))
        pack_left = len(PACK) - len(cards)
        told = [_public(HandsDealt(first, hand_size, pack_left))]
        told += [_private(seat, HandTaken(seat, hand.known)) for seat, hand in enumerate(hands)]
        after = replace(state, phase=Phase.PLAY, hands=hands, pack_left=pack_left, dealt_count=len(cards))
        return self._pass_over_idle_seats(after, told)

    def _draw(self, state: State, card: CardId | None) -> SequenceStep:
        """Finish a play or an exchange with the card drawn for it."""
        told = []
        if not state.pack_left:
            told.append(_public(PackReshuffled(len(state.discards))))
            state = replace(
                state,
                pack_left=len(state.discards),
                discards=(),
                discard_tops=(None,) * state.setup.seats,
            )
        hand = state.hands[state.seat].with_drawn(card, state.dealt_count)
        if card is not None:
            told.append(_private(state.seat, CardDrawn(state.seat, card, hand.version)))
        # An exchange comes before the play of the same turn.
        goes_on = state.exchanged
        after = replace(
            state,
            phase=Phase.PLAY,
            hands=_put(state.hands, state.seat, hand),
            pack_left=state.pack_left - 1,
            dealt_count=state.dealt_count + 1,
            seat=state.seat if goes_on else state.next_seat,
            turn_number=state.turn_number if goes_on else state.turn_number + 1,
        )
        return self._pass_over_idle_seats(after, told)

    def _pass_over_idle_seats(self, state: State, told: list[SequenceTold]) -> SequenceStep:
        """Pass for every seat that has nothing to play, and end the game if no seat has."""
        while not self._may_play(state):
            told.append(_public(Passed(state.turn_number, state.seat)))
            after = self._passed(state)
            if after.idle_passes == state.setup.seats:
                return _ended(replace(state, idle_passes=after.idle_passes), told)
            state = after
        return Step(state, tuple(told))

    def _may_play(self, state: State) -> bool:
        """Whether the seat in turn has something to do, or may have where its cards are not all known."""
        return self._must_play(state) or None in state.hands[state.seat].cards.open()

    def _must_play(self, state: State) -> bool:
        """Whether the seat in turn can do something with a card that is known."""
        return next(offers(self, state, state.hands[state.seat].known), None) is not None

    def _passed(self, state: State) -> State:
        may_change = state.cleared_cell is not None or state.exchanged
        return replace(
            state,
            seat=state.next_seat,
            turn_number=state.turn_number + 1,
            cleared_cell=None,
            exchanged=False,
            idle_passes=0 if may_change else state.idle_passes + 1,
        )

    def _place(self, state: State, action: Play, cell: int) -> SequenceStep:
        team = state.team
        chips = state.chips[team] | 1 << cell
        lines = new_lines(chips | (CORNERS if self.free_corners else 0), cell, state.lines_of(team))
        placed = _put(state.chips, team, chips)
        after = _discarded(state, action, chips=placed, cleared_cell=None, exchanged=False)
        told = (_public(TurnPlayed(state.turn_number, state.seat, asked(action))),)
        return self._complete(after, team, lines, told) if lines else Step(after, told)

    def _complete(
        self, state: State, team: int, lines: tuple[Line, ...], told: tuple[SequenceTold, ...]
    ) -> SequenceStep:
        """Count the sequences that a chip has completed, and end the game when a team has enough."""
        number = state.turn_number
        after = replace(state, completed=state.completed + tuple(Completed(team, line, number) for line in lines))
        told += tuple(_public(SequenceCompleted(number, TEAM_IDS[team], line.cells)) for line in lines)
        if len(after.lines_of(team)) >= self.sequences_needed(state.setup.teams):
            return _ended(replace(after, winner=team), told)
        return Step(after, told)

    def _remove(self, state: State, action: PlayJackRemove, cell: int) -> SequenceStep:
        after = _discarded(
            state,
            action,
            chips=tuple(chips & ~(1 << cell) for chips in state.chips),
            cleared_cell=cell if self.bar_cleared_cell else None,
            exchanged=False,
        )
        return Step(after, (_public(TurnPlayed(state.turn_number, state.seat, asked(action))),))


@cache
def _first_places(seats: int, first: int) -> tuple[Place, ...]:
    """Card by card round the table from the first seat."""
    clockwise = [(first + step) % seats for step in range(seats)]
    return tuple(f"hand:{seat}:{number}" for number in range(HAND_SIZES[seats]) for seat in clockwise)


def _playable(state: State, seat: int) -> tuple[CardId, ...]:
    """The seat's cards that may be playable: none unless it is its turn."""
    return state.hands[seat].known if state.phase is Phase.PLAY and seat == state.seat else ()


def _held(state: State, seat: int) -> tuple[CardId | None, ...]:
    """The seat's cards, known or not, if it is its turn."""
    return state.hands[seat].cards.open() if state.phase is Phase.PLAY and seat == state.seat else ()


def _discarded(state: State, action: SequenceAction, **changes: Any) -> State:
    """The state with the action's card face up on its seat's discard pile, a new card to be drawn, and the action's
    other changes."""
    card, seat = action.card_id, state.seat
    hand, shown = state.hands[seat].without(card)
    return replace(
        state,
        phase=Phase.DRAW,
        hands=_put(state.hands, seat, hand),
        discards=(*state.discards, card),
        discard_tops=_put(state.discard_tops, seat, card),
        shown=state.shown | shown,
        idle_passes=0,
        last=Done(state.turn_number, seat, action),
        **changes,
    )


def _ended(state: State, told: Iterable[SequenceTold]) -> SequenceStep:
    winner = None if state.winner is None else TEAM_IDS[state.winner]
    ended = GameEnded(state.turn_number, winner, score_by_team(state))
    return Step(replace(state, phase=Phase.OVER), (*told, _public(ended)))


def _first_hand(cards: tuple[CardId | None, ...], place: int, seats: int) -> Hand:
    """The hand of the seat that is dealt to at `place` in each round of the deal."""
    dealt = sum(1 << number for number in range(place, len(cards), seats))
    return Hand(Sealed(cards[place::seats]), dealt, version=1)


def _payouts(state: State) -> tuple[int, ...]:
    """Points that sum to zero: a loser pays one, a winner gets one from each other team, a draw changes nothing."""
    setup = state.setup
    if state.winner is None:
        return (0,) * setup.seats
    return tuple(setup.teams - 1 if team_of(seat, setup.teams) == state.winner else -1 for seat in range(setup.seats))


def _put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The values with one replaced."""
    changed = list(values)
    changed[at] = value
    return tuple(changed)


def _public(event: SequenceEvent) -> SequenceTold:
    return Told(event, EVERYONE)


def _private(seat: int, event: SequenceEvent) -> SequenceTold:
    return Told(event, only(seat))
