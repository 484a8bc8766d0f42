"""Rules with a sensible default for everything that a small game need not think about."""

from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec
from msgspec.structs import replace

from croupier.game.game import Action, Change, Offer, Step
from croupier.game.options import known_options
from croupier.game.refusal import Code, Refusal

S = TypeVar("S")
A = TypeVar("A", bound=Action)
B = TypeVar("B", bound=msgspec.Struct)


class BasicRules(msgspec.Struct, Generic[S, A, B], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the rules of a game without chips, teams or seats that change hands.

    A game writes `game`, `seat_range`, `setup`, `opening`, `seats`, `awaits`, `deal`, `menu`, `act`, `view` and
    `known`, and overrides the defaults that do not suit it. Its options are fields.
    """

    game: ClassVar[str]
    opens_all: ClassVar[bool] = False
    edition: int = 1

    def replace(self, **options: Any) -> Self:
        """The same rules with other options."""
        return replace(self, **known_options(self, options))

    def setup(self, seats: int) -> B:
        raise TypeError(f"{type(self).__name__} must say what a first round starts from: setup(seats)")

    def seats(self, state: S) -> int:
        raise TypeError(f"{type(self).__name__} must say how many seats a state has: seats(state)")

    def leave(self, state: S, seat: int) -> Step[S, Any] | Refusal:
        """The seat waits for its player; the clock plays for it meanwhile."""
        return Refusal(Code.NOT_BETWEEN_ROUNDS)

    def dealt_in(self, state: S) -> tuple[int, ...]:
        """Everybody."""
        return tuple(range(self.seats(state)))

    def exclude(self, state: S, seat: int) -> Step[S, Any] | Refusal:
        """There is no deal without everybody."""
        return Refusal(Code.NOT_BETWEEN_ROUNDS)

    def chips(self, state: S) -> tuple[int, ...]:
        return ()

    def stacks(self, setup: B) -> tuple[int, ...]:
        return ()

    def following(self, state: S) -> B:
        """The next round starts like the first."""
        return self.setup(self.seats(state))

    def ended(self, state: S) -> bool:
        """A match is one round."""
        return True

    def absent(self, menu: tuple[Offer[A], ...]) -> A:
        """The first offer that puts in no chips."""
        return next((offer.action for offer in menu if not offer.action.stakes), menu[0].action)

    def amend(self, setup: B, change: Change) -> B | Refusal:
        """Nobody comes or goes."""
        return setup if change.kind == "reshuffled" else Refusal(Code.NOT_BETWEEN_ROUNDS)

    def teams(self, seats: int) -> int:
        return 0
