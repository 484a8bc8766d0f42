"""Hold'em for Gymnasium on the batch engine: thousands of tables as one vector environment, or one as a plain one."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from croupier.game.refusal import OptionError, Refusal
from croupier.games.poker import CASH, HoldemRules, HoldemSetup
from croupier.lab.batch.arrays import numbers
from croupier.lab.batch.holdem import HoldemTables, Kind, Legal, describe, layout
from croupier.lab.batch.holdem.menu import (
    OPPONENTS,
    POT_SHARES,
    Menu,
    action_names,
    let_opponents_act,
    take_absent,
)
from croupier.lab.batch.holdem.observation import TOLD
from croupier.lab.batch.holdem.state import KINDS, NO_ACTION
from croupier.lab.environments.pot_shares import checked_shares
from croupier.lab.environments.rule_options import rules_with
from croupier.lab.environments.setups import with_stacks

Policy: TypeAlias = Callable[[HoldemTables, Legal], tuple[NDArray[np.int8], NDArray[np.int64]]]
"""Opponents in Python: a kind and an amount for the seat in turn at every table. Those of other tables are ignored, and
what is not legal counts as not acting."""

LEARNER: Final = 0
IDLE_HANDS_MAX: Final = 1000
"""A hand can end before the learner decides anything. This many in a row at one table mean that every hand does."""
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
        stacks: Sequence[int] = (),
        opponents: str | Policy = "random",
        bets: str = MENU,
        pot_shares: Sequence[float] = POT_SHARES,
        history: int = TOLD,
        show_or_muck: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if bets not in (MENU, CONTINUOUS):
            raise ValueError(f"bets must be {MENU} or {CONTINUOUS}, not {bets}")
        if not (callable(opponents) or (isinstance(opponents, str) and opponents in OPPONENTS)):
            raise ValueError(f"opponents must be {', '.join(OPPONENTS)} or a function, not {opponents}")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be ansi or None, not {render_mode}")
        self._shares = checked_shares(pot_shares)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": ["ansi"]}
        self._rules = rules_with(rules, options)
        self.tables = HoldemTables(num_envs, seats, self._rules, threads=threads)
        self._stacks = self._checked(stacks)
        self._seeded = False
        self._opponents, self._bets, self._history, self._asked = opponents, bets, history, show_or_muck
        self.layout = layout(seats, history)
        self.actions = action_names(self._shares, asked=show_or_muck)
        width = len(self.actions) if bets == MENU else len(Kind)
        self.single_observation_space = spaces.Box(0.0, 1.0, (self.layout.size,), np.float32)
        self.single_action_space = (
            spaces.Discrete(width)
            if bets == MENU
            else spaces.Tuple((spaces.Discrete(width), spaces.Box(0.0, 1.0, (), np.float32)))
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin new hands, at all tables or those of `options["reset_mask"]`.

        A seed begins the random numbers of these tables anew, with the first level, and the buttons are dealt round:
        every position comes up in the first hands. A list has a seed for each table, which then plays as the only table
        of that seed would; None leaves a table's random numbers as they are.
        """
        one: int | None = None
        own: list[int | None] = []
        if isinstance(seed, list | tuple | np.ndarray):
            own = list(seed)
        else:
            one = seed
        super().reset(seed=one, options=options)
        chosen = self.tables.chosen((options or {}).get("reset_mask"))
        if not self._seeded:
            self.tables.seed(int(self.np_random.integers(1 << 62)))
            self._seeded = True
        if seed is None:
            self._begin(chosen)
        elif one is None:
            self._begin_each(own, chosen)
        else:
            self.tables.seed(one, chosen)
            in_play = np.flatnonzero(self._stacks)
            self._begin(chosen, in_play[np.arange(self.num_envs) % len(in_play)])
        self._over[chosen] = False
        return self._observation(), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("reset must be called before step")
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
        rewards = np.where(over, self.tables.payoffs()[:, LEARNER] / self.tables.rows["bet_min"], 0.0)
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

    def _checked(self, stacks: Sequence[int]) -> NDArray[np.int64]:
        """The stacks that every hand begins with. Raises ValueError for stacks that cannot be."""
        setup: HoldemSetup = with_stacks(self._rules.setup(self.tables.seats), stacks)
        if not setup.stacks[LEARNER]:
            raise ValueError(f"stacks={stacks} is not possible: the learner, seat {LEARNER}, needs chips")
        refused = self._rules.opening(setup)
        if isinstance(refused, Refusal):
            raise OptionError(refused)
        return np.array(setup.stacks, np.int64)

    def _begin_each(self, seeds: list[int | None], chosen: NDArray[np.bool_]) -> None:
        """Begin hands with a seed for each table; None for a table that goes on with its random numbers."""
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed must be one whole number, or one a table: {self.num_envs}, not {len(seeds)}")
        named = chosen & np.array([seed is not None for seed in seeds], np.bool_)
        self.tables.seed([seed or 0 for seed in seeds], named)
        self._begin(named, np.full(self.num_envs, LEARNER))
        self._begin(chosen & ~named)

    def _begin(self, chosen: NDArray[np.bool_], buttons: NDArray[np.int64] | None = None) -> None:
        """Begin hands until the learner has something to decide at every chosen table; with buttons, the first hands
        of new random numbers. Raises ValueError where no hand has anything to decide."""
        stacks, first = None if self.tables.begun else self._stacks, None if buttons is None else 1
        self.tables.reset(chosen, stacks=stacks, buttons=buttons, hands=first)
        self._play_on()
        idle = 1
        while (again := chosen & self.tables.over).any():
            if idle == IDLE_HANDS_MAX:
                idle_hands = f"{IDLE_HANDS_MAX:,} hands in a row at table {int(again.argmax())}"
                raise ValueError(
                    f"{idle_hands} left the learner nothing to decide: its stack is too small for blinds and antes, "
                    "or the opponents end every hand before"
                )
            self.tables.reset(again)
            self._play_on()
            idle += 1

    def _chosen(self, actions: Any) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """The kind and amount of each action; a kind that is never legal for a masked number. Raises ValueError for
        what is no action at all."""
        if self._bets == CONTINUOUS:
            return self._sized(actions)
        chosen = self._numbered("actions", actions, len(self.actions))[:, np.newaxis]
        menu = self._menu()
        kinds = np.take_along_axis(menu.kinds, chosen, axis=1)[:, 0]
        kinds[kinds == NO_ACTION] = KINDS
        return kinds, np.take_along_axis(menu.amounts, chosen, axis=1)[:, 0]

    def _sized(self, actions: Any) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """The kind of each action, and the amount that its share of the legal range comes to."""
        if not (isinstance(actions, Sequence) and len(actions) == 2):
            raise ValueError("actions must be two arrays: of kinds, and of shares of the legal range of sizes")
        kinds = self._numbered("kinds", actions[0], KINDS).astype(np.int8)
        shares = np.asarray(actions[1], np.float64)
        if shares.shape != (self.num_envs,) or np.isnan(shares).any():
            raise ValueError(f"shares must be numbers from 0 to 1 of the shape ({self.num_envs},)")
        legal = self.tables.legal()
        sizes = np.rint(np.clip(shares, 0.0, 1.0) * (legal.high - legal.low))
        return kinds, legal.low + sizes.astype(np.int64)

    def _numbered(self, name: str, values: Any, count: int) -> NDArray[np.int64]:
        """Numbers of actions. Raises ValueError for one that there is not."""
        found = numbers(name, values, np.int64, self.num_envs)
        wrong = np.flatnonzero((found < 0) | (found >= count))
        if len(wrong):
            table = int(wrong[0])
            raise ValueError(f"{name} must be 0 to {count - 1}, not {found[table]} as at table {table}")
        return found

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
            chosen = np.where(theirs, kinds, NO_ACTION)
            refused = tables.step(chosen, amounts) != 0
            # No action is none that is legal, either: else the table would wait for ever.
            self._act_for(refused | theirs & (chosen == NO_ACTION))

    def _menu(self) -> Menu:
        return self.tables.menu(self._shares, asked=self._asked)

    def _observation(self) -> NDArray[np.float32]:
        return self.tables.observe(LEARNER, self._history)

    def _final(self, over: NDArray[np.bool_]) -> NDArray[np.object_]:
        final = np.empty(self.num_envs, object)
        seen = self._observation()
        for table in np.flatnonzero(over):
            final[table] = seen[table]
        return final

    def _infos(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        mask = self.tables.legal().mask if self._bets == CONTINUOUS else self._menu().mask
        return {"action_mask": mask.astype(np.int8), "illegal": illegal.copy()}


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
        sized = isinstance(action, tuple | list)
        actions = tuple(np.array([part]) for part in action) if sized else np.array([action])
        rows, rewards, over, _, infos = self._vector.step(actions)
        return rows[0], float(rewards[0]), bool(over[0]), False, {name: values[0] for name, values in infos.items()}

    def render(self) -> str | None:
        shown = self._vector.render()
        return None if shown is None else shown[0]
