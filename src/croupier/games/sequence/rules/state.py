"""What a game of Sequence remembers. It holds no undealt card, only how many are left."""

from enum import Enum
from functools import reduce
from operator import or_

import msgspec

from croupier.game.game import DealtSet
from croupier.game.sealed import Sealed
from croupier.games.sequence.rules.actions import SequenceAction
from croupier.games.sequence.rules.board import CellSet, Line
from croupier.games.sequence.rules.cards import CardId
from croupier.games.sequence.rules.teams import team_of


class SequenceSetup(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """What a game starts from."""

    seats: int
    teams: int = 2
    first_seat: int = 0
    """Who is dealt to first and plays first."""


class Phase(Enum):
    DEAL = "deal"
    """The first hands are to be dealt."""
    PLAY = "play"
    DRAW = "draw"
    """`seat` has played or exchanged a card and gets one from the pack."""
    OVER = "over"


class Hand(msgspec.Struct, frozen=True, gc=False):
    """A seat's cards, in the order it got them."""

    cards: Sealed[tuple[CardId | None, ...]]
    """None is a card that a replay has not seen yet."""
    dealt: DealtSet
    """The same cards as a set of the cards dealt in this game. The first card of the hand is the lowest, because it
    came first."""
    version: int
    """Raised by one with every play and exchange."""
    drawn: int = 0
    """How many cards the seat has drawn since the first hand was dealt."""

    def without(self, card: CardId) -> tuple["Hand", DealtSet]:
        """The hand after a card was played or exchanged, and which of the cards dealt that was."""
        held = self.cards.open()
        place = held.index(card if card in held else None)
        others = self.dealt
        for _ in range(place):
            others &= others - 1
        gone = others & -others
        return Hand(Sealed(held[:place] + held[place + 1 :]), self.dealt ^ gone, self.version + 1, self.drawn), gone

    @property
    def known(self) -> tuple[CardId, ...]:
        """The cards that are known: all of them but in a replay."""
        held = self.cards.open()
        return tuple([card for card in held if card is not None]) if None in held else held  # type: ignore[return-value]

    def with_drawn(self, card: CardId | None, deal_number: int) -> "Hand":
        return Hand(Sealed((*self.cards.open(), card)), self.dealt | 1 << deal_number, self.version, self.drawn + 1)


class Completed(msgspec.Struct, frozen=True, gc=False):
    """A sequence that counts."""

    team: int
    line: Line
    turn_number: int


class Done(msgspec.Struct, frozen=True, gc=False):
    """An action that was taken."""

    turn_number: int
    seat: int
    action: SequenceAction


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A game of Sequence between two steps."""

    setup: SequenceSetup
    phase: Phase
    seat: int
    """Whose turn it is."""
    turn_number: int = 1
    """Every play and every pass has a number of its own."""
    chips: tuple[CellSet, ...]
    """For each team, where its chips are."""
    completed: tuple[Completed, ...] = ()
    hands: tuple[Hand, ...] = ()
    discards: tuple[CardId, ...] = ()
    """Cards on the discard piles, the oldest first."""
    discard_tops: tuple[CardId | None, ...]
    """For each seat, the card on top of its discard pile."""
    pack_left: int = 0
    dealt_count: int = 0
    shown: DealtSet = 0
    """The cards that everybody has seen."""
    cleared_cell: int | None = None
    """The cell that a one-eyed jack cleared on the turn just before, where that bars the next seat's wild jacks."""
    exchanged: bool = False
    """Whether a dead card was exchanged on this turn."""
    idle_passes: int = 0
    """How many seats in succession had nothing to play and, if asked again, still would not."""
    last: Done | None = None
    winner: int | None = None
    """The winning team's number, once `phase` is OVER; None is a draw."""

    @property
    def team(self) -> int:
        """The number of the team whose turn it is."""
        return team_of(self.seat, self.setup.teams)

    @property
    def next_seat(self) -> int:
        return (self.seat + 1) % self.setup.seats

    def lines_of(self, team: int) -> tuple[Line, ...]:
        return tuple([done.line for done in self.completed if done.team == team])

    def occupied(self) -> CellSet:
        return reduce(or_, self.chips)

    def protected(self) -> CellSet:
        """Cells in completed sequences, whose chips stay for good."""
        return reduce(or_, (done.line.cell_set for done in self.completed), 0)
