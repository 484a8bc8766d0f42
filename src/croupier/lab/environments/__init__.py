"""Environments for research: every game as a PettingZoo AEC environment, one-player blackjack for Gymnasium.

An episode is one round. An observation is an array of fixed size, made from a seat's view alone. Actions are numbers,
with a mask from the menu. `layout` says what each place of an observation and each action number means. Needs the extra
`research`.

    from croupier.lab.environments import env
    table = env("holdem", seats=3)
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, reward, termination, truncation, info = table.last()
        over = termination or truncation
        table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
"""

from typing import TYPE_CHECKING, Any

from croupier.game.game import AnyRules
from croupier.game.refusal import OptionError, Refusal
from croupier.game.registry import GAMES
from croupier.lab.environments.encodings import Layout, encoding_of
from croupier.lab.environments.errors import ResearchError
from croupier.lab.presets import preset_or_default
from croupier.table.round import begin

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from croupier.lab.environments.aec import RoundEnv
    from croupier.lab.environments.solo import BlackjackEnv

__all__ = ["Layout", "ResearchError", "blackjack_env", "env", "layout", "raw_env"]

ILLEGAL_REWARD = -1.0


def env(game: str, *, seats: int = 0, preset: str = "", render_mode: str | None = None) -> "AECEnv[str, Any, int]":
    """A table with PettingZoo's usual wrappers: an agent that takes a masked action loses, and the episode ends."""
    raw = raw_env(game, seats=seats, preset=preset, render_mode=render_mode)
    from pettingzoo.utils import wrappers

    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


def raw_env(game: str, *, seats: int = 0, preset: str = "", render_mode: str | None = None) -> "RoundEnv":
    """A table without wrappers: a masked action raises ValueError. By default two seats, or the fewest allowed."""
    rules, seats = _table(game, seats, preset)
    try:
        from croupier.lab.environments.aec import RoundEnv
    except ImportError:
        raise _missing() from None
    return RoundEnv(rules, seats, render_mode)


def blackjack_env(*, preset: str = "casino", render_mode: str | None = None) -> "BlackjackEnv":
    """One player and the house, for Gymnasium."""
    rules, _ = _table("blackjack", 1, preset)
    try:
        from croupier.lab.environments.solo import BlackjackEnv
    except ImportError:
        raise _missing() from None
    return BlackjackEnv(rules, render_mode)


def layout(game: str) -> Layout:
    """The meaning of a game's observations and actions."""
    rules, _ = _table(game, 0, "")
    return encoding_of(rules).layout


def _table(game: str, seats: int, preset: str) -> tuple[AnyRules, int]:
    if game not in GAMES:
        raise ResearchError(Refusal("RESEARCH_NO_GAME", {"game": game, "allowed": tuple(GAMES)}))
    presets = GAMES[game].presets
    preset = preset_or_default(game, preset)
    if preset not in presets:
        raise ResearchError(Refusal("RESEARCH_NO_PRESET", {"game": game, "preset": preset, "allowed": tuple(presets)}))
    rules = presets[preset]
    low, high = rules.seat_range
    seats = seats or min(max(low, 2), high)
    try:
        begin(rules, rules.setup(seats))
    except OptionError as error:
        raise ResearchError(error.refusal) from None
    return rules, seats


def _missing() -> ResearchError:
    return ResearchError(Refusal("RESEARCH_EXTRA", {"extra": "croupier[research]"}))
