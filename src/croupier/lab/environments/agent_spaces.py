"""The spaces of the agents at a table, the same for PettingZoo's two kinds of environment."""

from collections.abc import Iterable

import numpy as np
from gymnasium import spaces

from croupier.lab.environments.parts import Layout


def action_spaces(layout: Layout, agents: Iterable[str]) -> dict[str, spaces.Discrete]:
    """The numbered actions of each agent."""
    return {agent: spaces.Discrete(len(layout.actions)) for agent in agents}


def observation_spaces(layout: Layout, agents: Iterable[str]) -> dict[str, spaces.Dict]:
    """What each agent sees, with the mask of its legal actions."""
    return {
        agent: spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (layout.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(layout.actions),), np.int8),
            }
        )
        for agent in agents
    }
