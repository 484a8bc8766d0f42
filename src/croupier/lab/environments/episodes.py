"""Episodes of one table, for any library of environments."""

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.game.game import AnyRules
from croupier.lab.environments.encodings import Encoding, encoding_of, flat
from croupier.table.round import Round, Seeds, begin

Observation = NDArray[np.float32]
Mask = NDArray[np.int8]
CLIENT_SEED = "environment"


class Episodes:
    """Rounds with one source of chance. The same seed gives the same deals."""

    def __init__(self, rules: AnyRules, seats: int) -> None:
        self.rules, self.seats = rules, seats
        self.encoding: Encoding = encoding_of(rules)
        self.layout = self.encoding.layout
        self._random = Random()
        self.round: Round = begin(rules, rules.setup(seats))
        self.choices: dict[int, Any] = {}

    def begin(self, seed: int | None) -> None:
        """Begin the next round that has something to decide; with a seed, the first one of that seed."""
        if seed is not None:
            self._random = Random(seed)
        while True:
            setup = self.encoding.setup(self.rules.setup(self.seats), self._random)
            self.round = begin(self.rules, setup, Seeds(self._random.randbytes(32).hex(), CLIENT_SEED))
            if not self.round.over:
                break
        self._offer()

    @property
    def seat(self) -> int:
        """The seat to act; if several may, the first."""
        return self.round.turn[0]

    def act(self, action: int) -> None:
        """Take one of the choices."""
        self.round = self.round.act(self.choices[action], self.seat)
        assert self.round.refusal is None, "a choice is offered"
        self._offer()

    def absent(self) -> None:
        """Let the rules act for the seat, as for an absent player."""
        self.round = self.round.act(self.rules.absent(self.round.menu(self.seat)), self.seat)
        self._offer()

    def observation(self, seat: int) -> Observation:
        return np.array(flat(self.layout, self.encoding.observe(self.round.view(seat), seat)), np.float32)

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
