"""Episodes of one table, for any library of environments."""

from collections.abc import Sequence
from operator import index
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.game.game import Action, AnyRules
from croupier.lab.environments.encodings import Encoding, encoding_of, flat
from croupier.lab.environments.setups import with_shoe_of, with_stacks
from croupier.table.round import Round, Seeds, begin

Observation = NDArray[np.float32]
Mask = NDArray[np.int8]
CLIENT_SEED = "environment"
IDLE_ROUNDS_MAX = 100
"""A round can end before anybody decides, for example if all have blackjack. This many in a row mean that every round
does."""


class Episodes:
    """Rounds with one source of chance. The same seed gives the same deals.

    Every round begins with the same stacks. A shoe continues from round to round as far as the rules allow, unless a
    seed is given or a round was abandoned.
    """

    def __init__(
        self, rules: AnyRules, seats: int, stacks: Sequence[int] = (), pot_shares: Sequence[float] | None = None
    ) -> None:
        """Raises ValueError for impossible stacks or sizes, and OptionError for a setup that the rules refuse."""
        self.rules, self.seats = rules, seats
        self._setup = with_stacks(rules.setup(seats), stacks)
        self.encoding: Encoding = encoding_of(rules, pot_shares)
        self.layout = self.encoding.layout
        self._random = Random()
        self.round: Round = begin(rules, self._setup)
        self._begun = False
        self.choices: dict[int, Any] = {}

    def begin(self, seed: int | None) -> None:
        """Begin the next round that has something to decide; with a seed, the first one of that seed."""
        if seed is not None:
            self._random = Random(seed)
        goes_on = seed is None
        for _ in range(IDLE_ROUNDS_MAX):
            setup, seeds = self.encoding.setup(self._setup, self._random), None
            if goes_on and self.round.over:
                setup = with_shoe_of(setup, self.rules.following(self.round.state))
                # The shoe that goes on is the last shuffle of these seeds.
                seeds = self.round.seeds if getattr(setup, "gone", ()) else None
            self.round = begin(self.rules, setup, seeds or Seeds(self._random.randbytes(32).hex(), CLIENT_SEED))
            goes_on = True
            if not self.round.over:
                self._begun = True
                self._offer()
                return
        idle = f"{IDLE_ROUNDS_MAX} rounds in a row had nothing to decide"
        raise ValueError(f"{idle}: {self.seats} seats are too many for these rules, or the cards too few")

    @property
    def seat(self) -> int:
        """The seat to act; if several may, the first. Raises ValueError when no episode is under way."""
        if not self.round.turn or not self._begun:
            raise ValueError("no episode is under way: call reset")
        return self.round.turn[0]

    def act(self, action: int) -> None:
        """Take one of the choices."""
        self.take(self.choices[action])

    def attempt(self, action: Any) -> bool:
        """Take the choice with this number; if there is none, the rules do what they do for an absent player. Return
        whether there was one. Raises ValueError for what is no number."""
        try:
            number = index(action)
        except TypeError:
            raise ValueError(
                f"an action is a number from 0 to {len(self.layout.actions) - 1}, not {action!r}"
            ) from None
        if number in self.choices:
            self.act(number)
            return True
        self.absent()
        return False

    def take(self, action: Action) -> None:
        """Do what the menu of the seat to act offers."""
        self.round = self.round.act(action, self.seat)
        assert self.round.refusal is None, "a choice is offered"
        self._offer()

    def absent(self) -> None:
        """Let the rules act for the seat, as for an absent player."""
        self.round = self.round.act(self.rules.absent(self.round.menu(self.seat)), self.seat)
        self._offer()

    def observation(self, seat: int) -> Observation:
        return np.array(flat(self.layout, self.encoding.observe(self.round.view_with_history(seat), seat)), np.float32)

    def mask(self, seat: int) -> Mask:
        """1 for each action that the seat can take now; all 0 if it is not its turn."""
        mask = np.zeros(len(self.layout.actions), np.int8)
        if not self.round.over and seat == self.seat:
            mask[list(self.choices)] = 1
        return mask

    def rewards(self) -> list[float]:
        """Each seat's reward, once the round is over."""
        return [payout / self.encoding.unit for payout in self.round.payouts]

    def _offer(self) -> None:
        if self.round.over:
            self.choices = {}
            return
        seat = self.seat
        self.choices = self.encoding.choices(self.round.view(seat), self.round.menu(seat))
        assert self.choices, "the seat to act has a choice"
