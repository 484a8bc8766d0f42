"""Environments for research: every game for PettingZoo (AEC and parallel), and for Gymnasium, with bots elsewhere.

An episode is one round. An observation is an array of fixed size, made from a seat's view alone. Actions are numbers,
with a mask from the menu. `layout` says what each place of an observation and each action number means. Needs the extra
`research`.

.. code-block:: python

    from croupier.lab.environments import env
    table = env("poker", seats=3)
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, reward, termination, truncation, info = table.last()
        over = termination or truncation
        table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
"""

from collections.abc import Callable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from croupier.game.game import AnyRules
from croupier.game.refusal import OptionError, Refusal
from croupier.game.registry import GAMES
from croupier.lab.environments.encodings import Layout, encoding_of
from croupier.lab.environments.errors import ResearchError
from croupier.lab.environments.parts import described
from croupier.lab.environments.rule_options import rules_with
from croupier.lab.environments.setups import with_stacks
from croupier.lab.presets import preset_or_default
from croupier.table.round import begin

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from croupier.lab.environments.aec import RoundEnv
    from croupier.lab.environments.parallel import RoundParallelEnv
    from croupier.lab.environments.solo import SoloEnv

__all__ = ["Layout", "ResearchError", "describe", "env", "layout", "parallel_env", "raw_env", "solo_env"]

ILLEGAL_REWARD = -1.0


def env(
    game: str,
    *,
    seats: int = 0,
    preset: str = "",
    stacks: Sequence[int] = (),
    pot_shares: Sequence[float] | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "AECEnv[str, Any, int]":
    """A table with PettingZoo's usual wrappers: an agent that takes a masked action loses, and the episode ends.

    `options` are those of the game's rules, by name, such as `ante=1` or `decks=8`; the others are those of the preset.
    `stacks` are the chips of each seat at the beginning of every episode; by default, those of the rules. `pot_shares`
    are the sizes on poker's menu, as shares of the pot after a call; by default a half, one and two.
    """
    raw = raw_env(
        game, seats=seats, preset=preset, stacks=stacks, pot_shares=pot_shares, render_mode=render_mode, **options
    )
    from pettingzoo.utils import wrappers

    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


def raw_env(
    game: str,
    *,
    seats: int = 0,
    preset: str = "",
    stacks: Sequence[int] = (),
    pot_shares: Sequence[float] | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "RoundEnv":
    """A table without wrappers: a masked action raises ValueError. By default two seats, or the fewest allowed."""
    rules, seats = _table(game, seats, preset, options, stacks)
    try:
        from croupier.lab.environments.aec import RoundEnv
    except ImportError:
        raise _missing() from None
    return RoundEnv(rules, seats, stacks, render_mode, pot_shares)


def parallel_env(
    game: str,
    *,
    seats: int = 0,
    preset: str = "",
    stacks: Sequence[int] = (),
    pot_shares: Sequence[float] | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "RoundParallelEnv":
    """A table for PettingZoo's parallel interface: every agent submits an action, and that of the seat to act is
    taken."""
    rules, seats = _table(game, seats, preset, options, stacks)
    try:
        from croupier.lab.environments.parallel import RoundParallelEnv
    except ImportError:
        raise _missing() from None
    return RoundParallelEnv(rules, seats, stacks, render_mode, pot_shares)


def solo_env(
    game: str,
    *,
    seats: int = 0,
    preset: str = "",
    against: str = "",
    stacks: Sequence[int] = (),
    pot_shares: Sequence[float] | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "SoloEnv":
    """One player in the first seat, for Gymnasium. By default the fewest seats that the rules allow.

    The bot `against` plays in the other seats, by default the game's first one. Raises RosterError for an unknown bot.
    """
    rules, seats = _table(game, seats, preset, options, stacks, fewest=True)
    try:
        from croupier.lab.environments.solo import SoloEnv
    except ImportError:
        raise _missing() from None
    return SoloEnv(rules, seats, against, stacks, render_mode, pot_shares)


def layout(game: str, *, pot_shares: Sequence[float] | None = None) -> Layout:
    """The meaning of a game's observations and actions."""
    rules, _ = _table(game, 0, "")
    return encoding_of(rules, pot_shares).layout


def describe(game: str, observation: Any) -> str:
    """An observation of any environment of a game as readable text: its parts, and what is not 0 in them. A game that
    has a decoder of its own says it in words."""
    rules, _ = _table(game, 0, "")
    encoding = encoding_of(rules)
    words: Callable[[Any], str] | None = getattr(encoding, "describe", None)
    return described(encoding.layout, observation) if words is None else words(observation)


def _table(
    game: str,
    seats: int,
    preset: str,
    options: dict[str, Any] | None = None,
    stacks: Sequence[int] = (),
    *,
    fewest: bool = False,
) -> tuple[AnyRules, int]:
    named = GAMES.named(game, preset)
    if named is None:
        raise ResearchError(Refusal("RESEARCH_NO_GAME", {"game": game, "allowed": tuple(GAMES)}))
    game, preset = named
    presets = GAMES[game].presets
    preset = preset_or_default(game, preset)
    if preset not in presets:
        raise ResearchError(Refusal("RESEARCH_NO_PRESET", {"game": game, "preset": preset, "allowed": tuple(presets)}))
    try:
        rules: AnyRules = rules_with(presets[preset], options or {})
    except OptionError as error:
        raise ResearchError(error.refusal) from None
    low, high = rules.seat_range
    try:
        seats = index(seats)
    except TypeError:
        raise ValueError(f"seats must be a whole number, not {seats!r}") from None
    seats = seats or (low if fewest else min(max(low, 2), high))
    try:
        begin(rules, with_stacks(rules.setup(seats), stacks))
    except OptionError as error:
        raise ResearchError(error.refusal) from None
    return rules, seats


def _missing() -> ResearchError:
    return ResearchError(Refusal("RESEARCH_EXTRA", {"extra": "croupier[research]"}))
