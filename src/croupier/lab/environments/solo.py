"""One-player blackjack for Gymnasium."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from croupier.game.game import AnyRules
from croupier.lab.environments.encodings import text
from croupier.lab.environments.episodes import Episodes, Observation

SEAT = 0


class BlackjackEnv(gymnasium.Env[Observation, np.int64]):
    """One round an episode, from the bet to the payout. The reward comes at the end, in minimum bets.

    `info["action_mask"]` marks the legal actions. An illegal one counts as not acting: the rules then sit the round
    out, decline insurance or stand, and `info["illegal"]` is true.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 (the base class declares it so)

    def __init__(self, rules: AnyRules, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self._episodes = Episodes(rules, 1)
        layout = self._episodes.layout
        self.action_space = spaces.Discrete(len(layout.actions))
        self.observation_space = spaces.Box(0.0, 1.0, (layout.size,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self._episodes.begin(seed)
        return self._episodes.observation(SEAT), self._info(illegal=False)

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        illegal = int(action) not in self._episodes.choices
        if illegal:
            self._episodes.absent()
        else:
            self._episodes.act(int(action))
        over = self._episodes.round.over
        reward = self._episodes.rewards()[SEAT] if over else 0.0
        return self._episodes.observation(SEAT), reward, over, False, self._info(illegal=illegal)

    def render(self) -> str | None:
        return text(self._episodes.round.view()) if self.render_mode == "ansi" else None

    def _info(self, *, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._episodes.mask(SEAT), "illegal": illegal}
