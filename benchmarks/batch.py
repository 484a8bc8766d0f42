"""The batch engines beside their peers, on one core and on two, in one run.

Random play means: every offer is equally likely, and sizes are uniform in their range. Peers play no-limit Hold'em of
six seats with 1000 chips and blinds 5/10 where they have it, in one Python process, as their documentation shows. pgx
has no Hold'em and steps Leduc hold'em, a far smaller game. A peer that is not installed is named and left out. Run as
`python benchmarks/batch.py`; `python benchmarks/batch.py holdem` runs one part.
"""

import os
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

SEATS, STACK = 6, 1000
ROUNDS = 7
"""The best of so many counts: other programs disturb the rest."""


def best(work: Callable[[], int], rounds: int = ROUNDS, clock: Callable[[], float] = time.process_time) -> float:
    """The most that was done a second."""
    rates = []
    for _ in range(rounds):
        start = clock()
        done = work()
        rates.append(done / (clock() - start))
    return max(rates)


@contextmanager
def quiet_output() -> Iterator[None]:
    """Peers print from compiled code, past Python's own output."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def show(name: str, figures: str) -> None:
    print(f"  {name:46} {figures}", flush=True)


def holdem() -> None:
    from croupier.lab.batch.holdem import HoldemTables

    def steps(tables: HoldemTables, times: int, observation: Any = None) -> Callable[[], int]:
        def work() -> int:
            for _ in range(times):
                if observation is not None:
                    tables.observe(out=observation)
                kinds, amounts = tables.random_actions(tables.legal())
                tables.step(kinds, amounts)
                tables.reset(tables.over)
            return times * tables.tables

        return work

    def legal_and_step(tables: HoldemTables, times: int) -> float:
        """Only `legal` and `step` are timed; choosing and dealing are not."""
        seconds = 0.0
        for _ in range(times):
            start = time.process_time()
            legal = tables.legal()
            seconds += time.process_time() - start
            kinds, amounts = tables.random_actions(legal)
            start = time.process_time()
            tables.step(kinds, amounts)
            seconds += time.process_time() - start
            tables.reset(tables.over)
        return times * tables.tables / seconds

    print("Hold'em, six seats")
    one = HoldemTables(2048, SEATS, seed=1)
    one.play_random(1)
    hands = best(lambda: _hands(one, 20))
    show("croupier batch, policy in the kernel", f"{hands / 1e6:7.2f} M hands/s")
    tables = HoldemTables(2048, SEATS, seed=1)
    tables.reset()
    steps(tables, 2)()
    show(
        "croupier batch, legal + step", f"{max(legal_and_step(tables, 60) for _ in range(ROUNDS)) / 1e6:7.2f} M steps/s"
    )
    show("… with choosing and new hands", f"{best(steps(tables, 60)) / 1e6:7.2f} M steps/s")
    observation = tables.observe()
    rate = best(steps(tables, 20, observation))
    show(f"… and observe ({observation.shape[1]} numbers)", f"{rate / 1e6:7.2f} M steps/s")
    count = 1 << 13
    single, double = (HoldemTables(count, SEATS, seed=1, threads=threads) for threads in (1, 2))
    rates = []
    for each in (single, double):
        each.play_random(1)
        rates.append(best(lambda each=each: _hands(each, 8), clock=time.perf_counter))  # type: ignore[misc]
    show(
        "two cores, policy in the kernel", f"{rates[1] / 1e6:7.2f} M hands/s, {rates[1] / rates[0]:.2f} times one core"
    )
    for name, play in (
        ("pokers", play_pokers),
        ("OpenSpiel universal_poker", play_open_spiel),
        ("rlcard no-limit-holdem", play_rlcard),
        ("PettingZoo texas_holdem_no_limit_v6", play_pettingzoo),
        ("pgx leduc_holdem, 2048 at once", play_pgx),
    ):
        _peer(name, play, hands)


def _hands(tables: Any, hands: int) -> int:
    tables.play_random(hands)
    return int(hands * tables.tables)


def _peer(name: str, play: Callable[[], Callable[[], tuple[int, int]]], ours: float) -> None:
    rates = []
    try:
        with quiet_output():
            work = play()
            for _ in range(3):
                start = time.process_time()
                hands, steps = work()
                seconds = time.process_time() - start
                rates.append((hands / seconds, steps / seconds))
    except Exception as error:
        show(name, f"left out: {type(error).__name__}: {str(error)[:60]}")
        return
    hand_rate, step_rate = max(rates)
    times = f"; croupier plays {ours / hand_rate:,.0f} times the hands" if hand_rate and ours else ""
    show(name, f"{hand_rate:9,.0f} hands/s {step_rate:11,.0f} steps/s{times}")


def play_pokers() -> Callable[[], tuple[int, int]]:
    import pokers

    raising = pokers.ActionEnum.Raise
    chance = random.Random(1)

    def work() -> tuple[int, int]:
        steps = 0
        for hand in range(1000):
            state = pokers.State.from_seed(SEATS, hand % SEATS, 5.0, 10.0, float(STACK), hand)
            while not state.final_state:
                kind = chance.choice(state.legal_actions)
                amount = 0.0
                if kind == raising:
                    player = state.players_state[state.current_player]
                    most = player.stake - (state.min_bet - player.bet_chips)
                    amount = float(chance.randint(10, max(int(most), 10)))
                state = state.apply_action(pokers.Action(kind, amount))
                steps += 1
        return 1000, steps

    work()
    return work


def play_open_spiel() -> Callable[[], tuple[int, int]]:
    import pyspiel

    blinds, stacks = "5 10" + " 0" * (SEATS - 2), " ".join([str(STACK)] * SEATS)
    game = pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers={SEATS},numRounds=4,blind={blinds},firstPlayer=3 1 1 1,numSuits=4,"
        f"numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack={stacks},bettingAbstraction=fullgame)"
    )
    chance = random.Random(1)

    def work() -> tuple[int, int]:
        steps = 0
        for _ in range(200):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chance.choice(state.legal_actions()))
                    continue
                legal = state.legal_actions()
                fixed, sizes = [move for move in legal if move < 2], [move for move in legal if move >= 2]
                choices = fixed + ([chance.choice(sizes), sizes[-1]] if sizes else [])
                state.apply_action(chance.choice(choices))
                steps += 1
        return 200, steps

    return work


def play_rlcard() -> Callable[[], tuple[int, int]]:
    import rlcard

    env = rlcard.make("no-limit-holdem", config={"game_num_players": SEATS, "seed": 1})
    chance = random.Random(1)

    def work() -> tuple[int, int]:
        steps = 0
        for _ in range(200):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(chance.choice(list(state["legal_actions"])))
                steps += 1
        return 200, steps

    return work


def play_pettingzoo() -> Callable[[], tuple[int, int]]:
    from pettingzoo.classic import texas_holdem_no_limit_v6

    env = texas_holdem_no_limit_v6.env(num_players=SEATS)
    chance = random.Random(1)

    def work() -> tuple[int, int]:
        steps = 0
        for hand in range(60):
            env.reset(seed=hand)
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                over = termination or truncation
                legal = np.flatnonzero(observation["action_mask"])
                env.step(None if over else int(chance.choice(legal)))
                steps += not over
        return 60, steps

    return work


def play_pgx() -> Callable[[], tuple[int, int]]:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env, count = pgx.make("leduc_holdem"), 2048
    init = jax.jit(jax.vmap(env.init))
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))

    def choose(key: Any, masks: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.log(masks), axis=-1)

    pick = jax.jit(choose)
    state = init(jax.random.split(jax.random.PRNGKey(1), count))
    keys = jax.random.split(jax.random.PRNGKey(2), count)

    def work() -> tuple[int, int]:
        now = state
        for number in range(30):
            now = step(now, pick(jax.random.PRNGKey(number), now.legal_action_mask), keys)
        jax.block_until_ready(now.rewards)
        return 0, 30 * count

    work()
    return work


def blackjack() -> None:
    from croupier.lab.batch.blackjack import BlackjackTables

    print("Blackjack, one seat, six decks")
    tables = BlackjackTables(1024, seed=1)
    tables.play_random(1)
    rate = best(lambda: tables.play_random(50)[1], 3 * ROUNDS)
    show("croupier batch, policy in the kernel", f"{rate / 1e6:7.2f} M steps/s")
    tables.reset()

    def steps() -> int:
        for _ in range(50):
            tables.step(*tables.random_actions(tables.legal()))
            tables.reset(tables.over)
        return 50 * tables.tables

    steps()
    show("… legal, choosing, step and new rounds", f"{best(steps, 3 * ROUNDS) / 1e6:7.2f} M steps/s")

    def gymnasium_blackjack() -> Callable[[], tuple[int, int]]:
        import gymnasium

        env = gymnasium.make("Blackjack-v1")
        chance = random.Random(1)

        def work() -> tuple[int, int]:
            steps = 0
            for number in range(2000):
                env.reset(seed=number)
                over = False
                while not over:
                    _, _, over, _, _ = env.step(chance.randrange(2))
                    steps += 1
            return 2000, steps

        return work

    _peer("Gymnasium Blackjack-v1", gymnasium_blackjack, 0.0)


def sequence() -> None:
    from croupier.lab.batch.sequence import SequenceTables

    print("Sequence, two seats, house rules")
    games = SequenceTables(256, seed=1)
    games.play_random(1)
    actions: list[int] = []

    def work() -> int:
        actions.append(games.play_random(4)[1])
        return 4 * games.tables

    rate = best(work)
    show(
        "croupier batch, policy in the kernel", f"{rate / 1e3:7.1f} k games/s, {actions[-1] / 4 / 256:.0f} plays a game"
    )


PARTS = {"holdem": holdem, "blackjack": blackjack, "sequence": sequence}


def main() -> None:
    warnings.simplefilter("ignore")
    for part in sys.argv[1:] or PARTS:
        if part not in PARTS:
            sys.exit(f"no part {part}; there are {', '.join(PARTS)}")
        PARTS[part]()


if __name__ == "__main__":
    main()
