"""The classroom table: people join and leave, one of them is the dealer, and a round is one `BlackjackRules` round.

The order of the checks and the codes are the document's. After a command that succeeds, everybody gets the new state
exactly once; a refusal goes to the caller only; a notice (`GAME_TERMINATED`, `SHOE_EMPTY`) goes to everybody, before
the state. Commands are handled one at a time. The cards that one asks for are dealt (`deal`) before the next.

Names are trimmed and measured as .NET does it (`names`), then made harmless and told apart. docs/deviations.md says
what was chosen where the document is silent.
"""

from enum import StrEnum
from hmac import compare_digest
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import EVERYONE, Draw, Event, Step, Told
from croupier.game.refusal import Refusal
from croupier.game.sealed import Sealed
from croupier.games.blackjack.rules.actions import Hit, Stand
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.games.blackjack.rules.events import BlackjackEvent, GameTerminated, ShoeEmpty
from croupier.games.blackjack.rules.hands import TARGET, total
from croupier.games.blackjack.rules.names import length, trim
from croupier.games.blackjack.rules.presets import CLASSROOM
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.games.blackjack.rules.state import BlackjackSetup, BlackjackState, Status
from croupier.shown_text import told_apart


class Phase(StrEnum):
    IDLE = "Idle"
    IN_ROUND = "InRound"


class TurnState(StrEnum):
    PLAYING = "Playing"
    STANDING = "Standing"
    BUSTED = "Busted"


class Outcome(StrEnum):
    NONE = "None"
    WIN = "Win"
    LOSE = "Lose"
    TIE = "Tie"


class PlayerView(msgspec.Struct, frozen=True, rename="camel"):
    player_id: str
    name: str
    is_dealer: bool
    cards: tuple[Card, ...]
    score: int
    turn_state: TurnState
    outcome: Outcome


class ClassroomView(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """What everybody in the classroom sees; there is nothing else to know."""

    phase: Phase
    players: tuple[PlayerView, ...]
    dealer_player_id: str
    current_turn_player_id: str


class StateChanged(Event, frozen=True, tag="STATE_CHANGED"):
    state: ClassroomView


class Notice(Event, frozen=True, tag="NOTICE"):
    """Something that ended the round or the game for everybody."""

    code: BlackjackCode


ClassroomEvent: TypeAlias = StateChanged | Notice


class Person(msgspec.Struct, frozen=True):
    """Somebody who has joined; `seat` is their place in the present or the last round."""

    connection: str
    name: str
    is_dealer: bool
    seat: int | None = None


class ClassroomState(msgspec.Struct, frozen=True):
    persons: tuple[Person, ...] = ()
    round: BlackjackState | None = None
    """The present round, or the last one, whose results stay visible until the next start."""

    @property
    def phase(self) -> Phase:
        return Phase.IN_ROUND if self.round is not None and not self.round.over else Phase.IDLE

    def person(self, connection: str) -> Person | None:
        return next((person for person in self.persons if person.connection == connection), None)


ClassroomStep: TypeAlias = Step[ClassroomState, ClassroomEvent]


class Classroom(msgspec.Struct, frozen=True):
    """The table's options. Each method takes a state and one connection's command."""

    dealer_key: Sealed[str]
    rules: BlackjackRules = CLASSROOM
    players_min: int = 2
    """How many, the dealer among them, a round needs."""
    name_length_min: int = 1
    name_length_max: int = 20

    def join(self, state: ClassroomState, connection: str, name: str, dealer_key: str = "") -> ClassroomStep | Refusal:
        """Sits down as a player, or, with the right key, as the dealer."""
        if state.phase is Phase.IN_ROUND:
            return Refusal(BlackjackCode.GAME_IN_PROGRESS)
        if state.person(connection) is not None:
            return Refusal(BlackjackCode.ALREADY_JOINED)
        name = trim(name)
        if not self.name_length_min <= length(name) <= self.name_length_max:
            return Refusal(BlackjackCode.INVALID_NAME, {"low": self.name_length_min, "high": self.name_length_max})
        is_dealer = compare_digest(dealer_key.encode(), self.dealer_key.open().encode())
        if is_dealer and any(person.is_dealer for person in state.persons):
            return Refusal(BlackjackCode.DEALER_ALREADY_EXISTS)
        # Shown to everybody for as long as the person stays: harmless, and unlike any other.
        name = told_apart(name, [person.name for person in state.persons])
        return _shown(replace(state, persons=(*state.persons, Person(connection, name, is_dealer))))

    def start(self, state: ClassroomState, connection: str) -> ClassroomStep | Refusal:
        """Begins a round; the cards come by `deal`."""
        person = state.person(connection)
        if person is None:
            return Refusal(BlackjackCode.NOT_JOINED)
        if state.phase is Phase.IN_ROUND:
            return Refusal(BlackjackCode.GAME_IN_PROGRESS)
        if not person.is_dealer:
            return Refusal(BlackjackCode.NOT_DEALER)
        if len(state.persons) < self.players_min:
            return Refusal(BlackjackCode.INSUFFICIENT_PLAYERS, {"players": len(state.persons), "low": self.players_min})
        persons = tuple(replace(person, seat=seat) for seat, person in enumerate(state.persons))
        opened = self.rules.opening(BlackjackSetup((0,) * len(persons), dealer=persons.index(_dealer(persons))))
        if isinstance(opened, Refusal):
            return opened
        return self._after(replace(state, persons=persons), opened)

    def hit(self, state: ClassroomState, connection: str) -> ClassroomStep | Refusal:
        return self._play(state, connection, Hit())

    def stand(self, state: ClassroomState, connection: str) -> ClassroomStep | Refusal:
        return self._play(state, connection, Stand())

    def leave(self, state: ClassroomState, connection: str) -> ClassroomStep | Refusal:
        """A person leaves or loses the connection. When the dealer leaves, everybody does."""
        person = state.person(connection)
        if person is None:
            return Refusal(BlackjackCode.NOT_JOINED)
        if person.is_dealer:
            shown = _shown(ClassroomState())
            return Step(shown.state, (Told(Notice(BlackjackCode.GAME_TERMINATED), EVERYONE), *shown.told))
        persons = tuple(other for other in state.persons if other is not person)
        if state.round is None or state.round.over or person.seat is None:
            return _shown(replace(state, persons=persons))
        left = self.rules.leave(state.round, person.seat)
        assert isinstance(left, Step), "a seat of a running round can be left"
        return self._after(replace(state, persons=persons), left)

    def awaits(self, state: ClassroomState) -> Draw[Card] | None:
        """The cards that must come before the next command, if any."""
        return None if state.round is None else state.round.draw

    def deal(self, state: ClassroomState, cards: tuple[Card, ...]) -> ClassroomStep:
        assert state.round is not None
        return self._after(state, self.rules.deal(state.round, cards))

    def _play(self, state: ClassroomState, connection: str, action: Hit | Stand) -> ClassroomStep | Refusal:
        person = state.person(connection)
        if person is None:
            return Refusal(BlackjackCode.NOT_JOINED)
        if state.round is None or state.phase is Phase.IDLE:
            return Refusal(BlackjackCode.GAME_NOT_INROUND)
        assert person.seat is not None, "nobody joins during a round"
        step = self.rules.act(state.round, person.seat, action)
        return step if isinstance(step, Refusal) else self._after(state, step)

    def _after(self, state: ClassroomState, step: Step[BlackjackState, BlackjackEvent]) -> ClassroomStep:
        """What the table tells after a step of the round: notices at once, the state when no more cards are due."""
        state = replace(state, round=step.state)
        told: list[Told[ClassroomEvent]] = []
        for each in step.told:
            if type(each.event) in _NOTICES:
                told.append(Told(Notice(_NOTICES[type(each.event)]), EVERYONE))
        if step.state.draw is None:
            told.extend(_shown(state).told)
        return Step(state, tuple(told))


_NOTICES: dict[type[Event], BlackjackCode] = {
    ShoeEmpty: BlackjackCode.SHOE_EMPTY,
    GameTerminated: BlackjackCode.GAME_TERMINATED,
}


def _dealer(persons: tuple[Person, ...]) -> Person:
    return next(person for person in persons if person.is_dealer)


def _shown(state: ClassroomState) -> ClassroomStep:
    return Step(state, (Told(StateChanged(view(state)), EVERYONE),))


def view(state: ClassroomState) -> ClassroomView:
    """The table as everybody sees it."""
    turn = None if state.round is None or state.round.turn is None else state.round.turn[0]
    in_turn = (person.connection for person in state.persons if turn is not None and person.seat == turn)
    dealers = (person.connection for person in state.persons if person.is_dealer)
    return ClassroomView(
        phase=state.phase,
        players=tuple(_player(state.round, person) for person in state.persons),
        dealer_player_id=next(dealers, ""),
        current_turn_player_id=next(in_turn, ""),
    )


def _player(played: BlackjackState | None, person: Person) -> PlayerView:
    cards: tuple[Card, ...] = ()
    turn_state, outcome = TurnState.PLAYING, Outcome.NONE
    if played is not None and person.seat is not None:
        hands = played.seats[person.seat].hands
        cards = played.dealer if person.is_dealer else hands[0].cards
        if total(cards, "one").best > TARGET:
            turn_state = TurnState.BUSTED
        elif played.over or (hands and hands[0].status is not Status.ACTIVE):
            turn_state = TurnState.STANDING
        if hands:
            outcome = _OUTCOMES.get(hands[0].status, Outcome.NONE)
    score = total(cards, "one").best
    return PlayerView(person.connection, person.name, person.is_dealer, cards, score, turn_state, outcome)


_OUTCOMES = {Status.WIN: Outcome.WIN, Status.LOSE: Outcome.LOSE, Status.PUSH: Outcome.TIE}
