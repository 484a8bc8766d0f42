"""A table of any game as a PettingZoo AEC environment."""

from collections.abc import Sequence
from typing import Any

from pettingzoo import AECEnv

from croupier.game.game import AnyRules
from croupier.lab.environments.agent_spaces import action_spaces, observation_spaces
from croupier.lab.environments.encodings import text
from croupier.lab.environments.episodes import Episodes


class RoundEnv(AECEnv):  # type: ignore[misc]  # the library has no types
    """One round an episode. The agents `seat_0`, `seat_1` … act in the order of the game.

    An observation is a dictionary of `observation`, as `layout` describes it, and `action_mask`. The reward comes at
    the end of the round: what the seat won or lost, in big blinds, minimum bets or points.
    """

    def __init__(
        self,
        rules: AnyRules,
        seats: int,
        stacks: Sequence[int] = (),
        render_mode: str | None = None,
        pot_shares: Sequence[float] | None = None,
    ) -> None:
        super().__init__()
        name = f"croupier_{rules.game}_v{rules.edition}"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self._episodes = Episodes(rules, seats, stacks, pot_shares)
        layout = self._episodes.layout
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = action_spaces(layout, self.possible_agents)
        self.observation_spaces = observation_spaces(layout, self.possible_agents)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._episodes.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._in_turn()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seats[agent]
        return {"observation": self._episodes.observation(seat), "action_mask": self._episodes.mask(seat)}

    def step(self, action: int | None) -> None:
        """Take an action. Raises ValueError for a masked one."""
        if not self.agents:
            raise ValueError("no episode is under way: call reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action not in self._episodes.choices:
            names = self._episodes.layout.actions
            allowed = ", ".join(f"{number} ({names[number]})" for number in sorted(self._episodes.choices))
            raise ValueError(f"{action} is not an action of {agent} now; allowed: {allowed}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._episodes.act(int(action))
        if self._episodes.round.over:
            self.rewards = dict(zip(self.possible_agents, self._episodes.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._in_turn()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """In mode `ansi`, a spectator's view as text."""
        return text(self._episodes.round.view()) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to close."""

    def _in_turn(self) -> str:
        return self.possible_agents[self._episodes.seat]
