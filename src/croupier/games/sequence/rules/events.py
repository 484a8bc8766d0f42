"""What happens in a game of Sequence. The actor is a seat; people and times (`actor_uid`, `at` in ms) are filled in by
the table."""

from typing import TypeAlias

from croupier.game.game import Event
from croupier.games.sequence.rules.actions import Asked
from croupier.games.sequence.rules.cards import CardId
from croupier.games.sequence.rules.teams import TeamId


class HandsDealt(Event, frozen=True, tag="EVT_DEAL"):
    """Everybody got their first hand, card by card round the table from `first_seat`."""

    first_seat: int
    hand_size: int
    pack_left: int


class HandTaken(Event, frozen=True, tag="EVT_HAND"):
    """Your first hand."""

    seat: int
    cards: tuple[CardId, ...]


class CardDrawn(Event, frozen=True, tag="EVT_DRAW"):
    """You drew this card."""

    seat: int
    card_id: CardId
    hand_version: int


class TurnPlayed(Event, frozen=True, tag="EVT_TURN"):
    """A card was played; it lies on top of the seat's discard pile."""

    turn_number: int
    seat: int
    action: Asked
    actor_uid: str = ""
    at: int = 0


class DeadCardExchanged(Event, frozen=True, tag="EVT_EXCHANGE"):
    """A dead card was put on the seat's discard pile for a fresh one. The turn goes on."""

    turn_number: int
    seat: int
    card_id: CardId
    actor_uid: str = ""
    at: int = 0


class SequenceCompleted(Event, frozen=True, tag="EVT_SEQUENCE"):
    """Five in a row; these chips stay for good."""

    turn_number: int
    team_id: TeamId
    cells: tuple[int, ...]
    at: int = 0


class Passed(Event, frozen=True, tag="EVT_PASS"):
    """The seat had nothing to play, so its turn went by."""

    turn_number: int
    seat: int
    actor_uid: str = ""
    at: int = 0


class PackReshuffled(Event, frozen=True, tag="EVT_RESHUFFLE"):
    """The pack was empty: all discard piles, so many cards, were shuffled into a new one."""

    card_count: int


class GameEnded(Event, frozen=True, tag="EVT_GAME_OVER"):
    """A team has its sequences, or, without a winner, nobody can play any more."""

    turn_number: int
    winner: TeamId | None
    score_by_team: dict[TeamId, int]
    at: int = 0


SequenceEvent: TypeAlias = (
    HandsDealt
    | HandTaken
    | CardDrawn
    | TurnPlayed
    | DeadCardExchanged
    | SequenceCompleted
    | Passed
    | PackReshuffled
    | GameEnded
)
