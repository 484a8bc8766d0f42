"""One player at a table of any game, for Gymnasium."""

from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from croupier.bots import bot
from croupier.game.game import AnyRules
from croupier.game.policy import AnyPolicy
from croupier.lab.environments.encodings import text
from croupier.lab.environments.episodes import IDLE_ROUNDS_MAX, Episodes, Observation

SEAT = 0


class SoloEnv(gymnasium.Env[Observation, np.int64]):
    """One round an episode. The player has the first seat, bots have the others. The reward comes at the end.

    `info["action_mask"]` marks the legal actions. An illegal one counts as not acting: the rules then do what they do
    for an absent player, and `info["illegal"]` is true.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 (the base class declares it so)

    def __init__(
        self,
        rules: AnyRules,
        seats: int,
        against: str,
        stacks: Sequence[int] = (),
        render_mode: str | None = None,
        pot_shares: Sequence[float] | None = None,
    ) -> None:
        self.render_mode = render_mode
        self._episodes = Episodes(rules, seats, stacks, pot_shares)
        self._against = against
        self._random = Random()
        self._bots = self._new_bots()
        layout = self._episodes.layout
        self.action_space = spaces.Discrete(len(layout.actions))
        self.observation_space = spaces.Box(0.0, 1.0, (layout.size,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._random.seed(seed)
        self._bots = self._new_bots()
        self._episodes.begin(seed)
        for _ in range(IDLE_ROUNDS_MAX):
            if self._let_bots_act():
                break
            # The bots ended the round before the player had to decide anything.
            self._episodes.begin(None)
        else:
            raise ValueError(f"{IDLE_ROUNDS_MAX} rounds in a row left the player nothing to decide")
        return self._episodes.observation(SEAT), self._info(illegal=False)

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        illegal = not self._episodes.attempt(action)
        self._let_bots_act()
        over = self._episodes.round.over
        reward = self._episodes.rewards()[SEAT] if over else 0.0
        return self._episodes.observation(SEAT), reward, over, False, self._info(illegal=illegal)

    def render(self) -> str | None:
        return text(self._episodes.round.view()) if self.render_mode == "ansi" else None

    def _new_bots(self) -> list[AnyPolicy]:
        rules = self._episodes.rules
        return [bot(rules.game, self._against, self._random, rules) for _ in range(self._episodes.seats)]

    def _let_bots_act(self) -> bool:
        """Let the bots act until it is the player's turn. Return whether it is."""
        episodes = self._episodes
        while not episodes.round.over and episodes.seat != SEAT:
            view, menu = episodes.round.view_with_history(episodes.seat), episodes.round.menu(episodes.seat)
            episodes.take(self._bots[episodes.seat](view, menu))
        return not episodes.round.over

    def _info(self, *, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._episodes.mask(SEAT), "illegal": illegal}
