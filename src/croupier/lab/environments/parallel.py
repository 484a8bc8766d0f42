"""A table of any game as a PettingZoo parallel environment: every agent submits an action, and one of them counts."""

from collections.abc import Sequence
from typing import Any

from pettingzoo import ParallelEnv

from croupier.game.game import AnyRules
from croupier.lab.environments.agent_spaces import action_spaces, observation_spaces
from croupier.lab.environments.encodings import text
from croupier.lab.environments.episodes import Episodes


class RoundParallelEnv(ParallelEnv):  # type: ignore[misc]  # the library has no types
    """One round an episode. In a step, the action of the seat to act is taken; the others' are ignored.

    `infos[agent]["acts"]` says whose action counts next; its mask alone has a 1. A masked action of the seat to act
    counts as not acting: the rules then do what they do for an absent player, and `infos[agent]["illegal"]` is true.
    """

    def __init__(
        self,
        rules: AnyRules,
        seats: int,
        stacks: Sequence[int] = (),
        render_mode: str | None = None,
        pot_shares: Sequence[float] | None = None,
    ) -> None:
        name = f"croupier_{rules.game}_parallel_v{rules.edition}"
        self.metadata = {"name": name, "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self._episodes = Episodes(rules, seats, stacks, pot_shares)
        layout = self._episodes.layout
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.action_spaces = action_spaces(layout, self.possible_agents)
        self.observation_spaces = observation_spaces(layout, self.possible_agents)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._episodes.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos("", illegal=False)

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Take the action of the seat to act."""
        episodes, agent = self._episodes, self.possible_agents[self._episodes.seat]
        if agent not in actions:
            raise ValueError(f"{agent} is to act; there are actions of {', '.join(actions) or 'nobody'} only")
        illegal = not episodes.attempt(actions[agent])
        over = episodes.round.over
        rewards = episodes.rewards() if over else [0.0] * len(self.possible_agents)
        told = (
            self._observations(),
            dict(zip(self.possible_agents, rewards, strict=True)),
            dict.fromkeys(self.possible_agents, over),
            dict.fromkeys(self.possible_agents, False),
            self._infos(agent, illegal=illegal),
        )
        if over:
            self.agents = []
        return told

    def render(self) -> str | None:
        """In mode `ansi`, a spectator's view as text."""
        return text(self._episodes.round.view()) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to close."""

    def _observations(self) -> dict[str, Any]:
        return {
            agent: {"observation": self._episodes.observation(seat), "action_mask": self._episodes.mask(seat)}
            for seat, agent in enumerate(self.possible_agents)
        }

    def _infos(self, acted: str, *, illegal: bool) -> dict[str, Any]:
        turn = -1 if self._episodes.round.over else self._episodes.seat
        return {
            agent: {"acts": seat == turn, "illegal": illegal and agent == acted}
            for seat, agent in enumerate(self.possible_agents)
        }
