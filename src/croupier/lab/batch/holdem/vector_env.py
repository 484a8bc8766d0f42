"""Hold'em for Gymnasium on the batch engine: thousands of tables as one vector environment, or one as a plain one."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from croupier.games.poker import CASH, HoldemRules
from croupier.lab.batch.holdem import HoldemTables, Kind, Legal, describe, layout
from croupier.lab.batch.holdem.menu import (
    OPPONENTS,
    POT_SHARES,
    action_names,
    fill_menu,
    let_opponents_act,
    take_absent,
)
from croupier.lab.batch.holdem.state import NO_ACTION
from croupier.lab.environments.rule_options import rules_with

Policy: TypeAlias = Callable[[HoldemTables, Legal], tuple[NDArray[np.int8], NDArray[np.int64]]]
"""Opponents in Python: a kind and an amount for the seat in turn at every table. Those of other tables are ignored."""

LEARNER: Final = 0
MENU, CONTINUOUS = "menu", "continuous"


class HoldemVectorEnv(VectorEnv[Any, Any, Any]):
    """One hand an episode at every table. The learner has seat 0; the button moves on, so every position comes round.

    The reward, in big blinds, comes at the end of the hand. `infos["action_mask"]` marks the legal numbers. An illegal
    action counts as not acting: check, else fold, and `infos["illegal"]` is true there. With `bets="continuous"` an
    action is a kind and a share of the legal range of sizes. `opponents` is `random`, `caller`, or a function.
    """

    def __init__(  # noqa: PLR0913 (all by keyword)
        self,
        num_envs: int = 1,
        *,
        seats: int = 2,
        rules: HoldemRules = CASH,
        opponents: str | Policy = "random",
        bets: str = MENU,
        pot_shares: Sequence[float] = POT_SHARES,
        history: int = 64,
        show_or_muck: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if bets not in (MENU, CONTINUOUS):
            raise ValueError(f"bets must be {MENU} or {CONTINUOUS}, not {bets}")
        if isinstance(opponents, str) and opponents not in OPPONENTS:
            raise ValueError(f"opponents must be {', '.join(OPPONENTS)} or a function, not {opponents}")
        if not all(share > 0 for share in pot_shares):
            raise ValueError(f"pot_shares must be more than 0, not {tuple(pot_shares)}")
        self.num_envs, self.render_mode = num_envs, render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": ["ansi"]}
        self._rules = rules_with(rules, options)
        self.tables = HoldemTables(num_envs, seats, self._rules, threads=threads)
        self._opponents, self._bets, self._history, self._asked = opponents, bets, history, show_or_muck
        self.layout = layout(seats, history)
        self.actions = action_names(tuple(pot_shares), show_or_muck)
        self._shares = np.array(pot_shares, np.float64)
        width = len(self.actions) if bets == MENU else len(Kind)
        self.single_observation_space = spaces.Box(0.0, 1.0, (self.layout.size,), np.float32)
        self.single_action_space = (
            spaces.Discrete(width)
            if bets == MENU
            else spaces.Tuple((spaces.Discrete(width), spaces.Box(0.0, 1.0, (), np.float32)))
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._masks = np.zeros((num_envs, len(self.actions)), np.int8)
        self._kinds = np.zeros((num_envs, len(self.actions)), np.int8)
        self._amounts = np.zeros((num_envs, len(self.actions)), np.int64)
        self._over = np.zeros(num_envs, np.bool_)
        self._all = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin new hands, at all tables or those of `options["reset_mask"]`. A list of seeds counts as its first."""
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first, options=options)
        if first is not None:
            self.tables.seed(first)
        elif not self.tables.begun:
            self.tables.seed(int(self.np_random.integers(1 << 62)))
        chosen = (options or {}).get("reset_mask", self._all)
        if first is not None:
            # Every position comes up in the first hands.
            self._begin(chosen, np.arange(self.num_envs) % self.tables.seats)
        else:
            self._begin(chosen)
        self._over[chosen] = False
        return self._observation(), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        begin_next = self._over.copy() if self.autoreset_mode is AutoresetMode.NEXT_STEP else np.zeros_like(self._over)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise ValueError(
                f"the hand of table {int(self._over.argmax())} is over: reset it with options['reset_mask']"
            )
        kinds, amounts = self._chosen(actions)
        kinds[begin_next] = NO_ACTION
        illegal = self.tables.step(kinds, amounts) != 0
        self._act_for(illegal)
        self._play_on()
        over = self.tables.over & ~begin_next
        rewards = np.where(over, self.tables.payoffs()[:, LEARNER] / self._rules.big_blind, 0.0)
        if begin_next.any():
            self._begin(begin_next)
        self._over = over
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            infos = {
                "final_obs": self._final(over),
                "_final_obs": over.copy(),
                "final_info": {},
                "_final_info": over.copy(),
            }
            self._begin(over)
            self._over = np.zeros_like(over)
        infos |= self._infos(illegal)
        return self._observation(), rewards, over.copy(), np.zeros_like(over), infos

    def render(self) -> tuple[str, ...] | None:
        """In mode `ansi`, what the learner knows of every table."""
        if self.render_mode != "ansi":
            return None
        return tuple(describe(row, self.tables.seats, self._history) for row in self._observation())

    def _begin(self, chosen: NDArray[np.bool_], buttons: NDArray[np.int64] | None = None) -> None:
        """Begin hands until the learner has something to decide at every chosen table."""
        waiting = np.asarray(chosen, np.bool_)
        if buttons is None:
            self.tables.reset(waiting)
        else:
            self.tables.reset(waiting, buttons=buttons)
        self._play_on()
        while (again := waiting & self.tables.over).any():
            self.tables.reset(again)
            self._play_on()

    def _chosen(self, actions: Any) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """The kind and amount of each action; a kind that is never legal for a masked number."""
        if self._bets == CONTINUOUS:
            legal = self.tables.legal()
            shares = np.clip(np.asarray(actions[1], np.float64), 0.0, 1.0)
            return np.array(actions[0], np.int8), legal.low + np.rint(shares * (legal.high - legal.low)).astype(
                np.int64
            )
        self._fill()
        numbers = np.asarray(actions, np.int64)[:, np.newaxis]
        kinds = np.take_along_axis(self._kinds, numbers, axis=1)[:, 0]
        kinds[kinds == NO_ACTION] = len(Kind)
        return kinds, np.take_along_axis(self._amounts, numbers, axis=1)[:, 0]

    def _act_for(self, illegal: NDArray[np.bool_]) -> None:
        if illegal.any():
            tables = self.tables
            take_absent(tables.config, tables.rows, tables.past, illegal, 0, self.num_envs)

    def _play_on(self) -> None:
        """Let the opponents act until it is the learner's turn or the hand is over, at every table."""
        tables = self.tables
        if isinstance(self._opponents, str):
            kind = OPPONENTS[self._opponents]
            tables.each(
                let_opponents_act, tables.config, tables.rows, tables.past, tables.policy, LEARNER, kind, self._asked
            )
            return
        while True:
            if not self._asked:
                take_absent(tables.config, tables.rows, tables.past, tables.at_showdown, 0, self.num_envs)
            turns = tables.turn
            theirs = (turns >= 0) & (turns != LEARNER)
            if not theirs.any():
                if not (tables.at_showdown.any() and not self._asked):
                    return
                continue
            kinds, amounts = self._opponents(tables, tables.legal())
            refused = tables.step(np.where(theirs, kinds, NO_ACTION), amounts) != 0
            self._act_for(refused)

    def _fill(self) -> None:
        tables = self.tables
        tables.each(fill_menu, tables.config, tables.rows, self._shares, self._masks, self._kinds, self._amounts)

    def _observation(self) -> NDArray[np.float32]:
        return self.tables.observe(LEARNER, self._history)

    def _final(self, over: NDArray[np.bool_]) -> NDArray[np.object_]:
        final = np.empty(self.num_envs, object)
        seen = self._observation()
        for table in np.flatnonzero(over):
            final[table] = seen[table]
        return final

    def _infos(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        if self._bets == CONTINUOUS:
            mask = self.tables.legal().mask.astype(np.int8)
        else:
            self._fill()
            mask = self._masks.copy()
        return {"action_mask": mask, "illegal": illegal.copy()}


class HoldemEnv(gymnasium.Env[NDArray[np.float32], Any]):
    """One table of `HoldemVectorEnv` as a plain environment, with the same options."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 (the base class declares it so)

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        self.render_mode = render_mode
        self._vector = HoldemVectorEnv(1, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **options)
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self.layout, self.actions = self._vector.layout, self._vector.actions

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed, options=options)
        rows, infos = self._vector.reset(seed=seed)
        return rows[0], {name: values[0] for name, values in infos.items()}

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        actions = tuple(np.array([part]) for part in action) if isinstance(action, tuple) else np.array([action])
        rows, rewards, over, _, infos = self._vector.step(actions)
        return rows[0], float(rewards[0]), bool(over[0]), False, {name: values[0] for name, values in infos.items()}

    def render(self) -> str | None:
        shown = self._vector.render()
        return None if shown is None else shown[0]
