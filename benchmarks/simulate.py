"""Claims: 25 million rounds of blackjack a second on one core, 1.7 times that on two.

Peers, in the same run: gymnasium's Blackjack-v1 (PyPI) and engine-blackjack (npm). Both only hit and stand here, so for
the ratio Croupier plays the same simple strategy, hit below 17; its own claim is made with the exact basic strategy,
doubles and splits included. While something else keeps the cores busy, only the rate by processor time means much.
Install the peers with

    pip install gymnasium
    npm install --prefix build/peers engine-blackjack@0.9.2

A peer that is not installed is left out, and said to be.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

from msgspec.structs import replace

from croupier.games.blackjack import CASINO
from croupier.lab.blackjack.simulate import Simulation, like_dealer, simulate
from croupier.lab.blackjack.simulation.blocks import SimulatedGame, flat_game
from croupier.lab.blackjack.solve import solve
from croupier.lab.threads import core_count

ROUNDS = 30_000_000
SHOE_ROUNDS = 5_000_000
REPEATS = 7
PEERS = Path(__file__).parent.parent / "build" / "peers" / "node_modules"
GYMNASIUM_ROUNDS = 20_000
ENGINE_ROUNDS = 5_000

ENGINE_SCRIPT = """
const { Game, actions } = require('engine-blackjack')
const rounds = Number(process.argv[1])
const begun = process.hrtime.bigint()
for (let round = 0; round < rounds; round++) {
  const game = new Game(null, { decks: 6, insurance: false })
  game.dispatch(actions.deal({ bet: 10, sideBets: { luckyLucky: 0 } }))
  for (let state = game.getState(); state.stage === 'player-turn-right'; state = game.getState()) {
    const { hi, lo } = state.handInfo.right.playerValue
    const total = hi <= 21 ? hi : lo
    game.dispatch(total < 17 ? actions.hit({ position: 'right' }) : actions.stand({ position: 'right' }))
  }
  if (game.getState().stage !== 'done') throw new Error(game.getState().stage)
}
console.log(rounds / (Number(process.hrtime.bigint() - begun) / 1e9))
"""


def best_rate(rounds: int, work: Callable[[], object], repeats: int = REPEATS) -> tuple[float, float]:
    """Rounds a second, and a second of processor time, each the best of several times after one to warm up."""
    work()
    seconds, processor_seconds = [], []
    for _ in range(repeats):
        started, processor_started = perf_counter(), process_time()
        work()
        seconds.append(perf_counter() - started)
        processor_seconds.append(process_time() - processor_started)
    return rounds / min(seconds), rounds / min(processor_seconds)


def croupier(title: str, played: SimulatedGame, rounds: int, workers: int = 1) -> float:
    """Measures, prints and returns rounds a second."""
    rate, processor_rate = best_rate(rounds, lambda: simulate(Simulation(played, rounds), workers=workers))
    print(f"  {title:40} {rate / 1e6:8.1f} M   ({processor_rate / 1e6:.1f} M a second of processor time)")
    return rate


def gymnasium() -> float | None:
    try:
        import gymnasium as gym
    except ImportError:
        return None
    table = gym.make("Blackjack-v1", natural=True).unwrapped

    def play() -> None:
        for seed in range(GYMNASIUM_ROUNDS):
            (total, _, _), _ = table.reset(seed=seed if seed == 0 else None)
            done = False
            while not done:
                (total, _, _), _, done, _, _ = table.step(int(total < 17))

    return best_rate(GYMNASIUM_ROUNDS, play, repeats=3)[0]


def engine_blackjack() -> float | None:
    node = shutil.which("node")
    if node is None or not (PEERS / "engine-blackjack").is_dir():
        return None
    command = [node, "-e", ENGINE_SCRIPT, str(ENGINE_ROUNDS)]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=True, env={"NODE_PATH": str(PEERS)}).stdout
        for _ in range(3)
    ]
    return max(float(run) for run in runs)


def main() -> None:
    print("Rounds a second, casino rules")
    basic = flat_game(CASINO, solve(CASINO).strategy)
    one = croupier("basic strategy, fresh shoes, one core", basic, ROUNDS)
    if core_count() > 1:
        two = croupier("basic strategy, fresh shoes, two cores", basic, ROUNDS, workers=2)
        print(f"  {'two cores to one':40} {two / one:8.2f} ×")
    shoe = replace(CASINO, penetration=0.75)
    croupier("basic strategy, cut card, one core", flat_game(shoe, solve(shoe).strategy), SHOE_ROUNDS)
    simple = croupier("hit below 17, one core", flat_game(CASINO, like_dealer(CASINO)), ROUNDS)
    for name, rate in {"gymnasium": gymnasium(), "engine-blackjack": engine_blackjack()}.items():
        if rate is None:
            print(f"  {name:40} not installed: see the top of this file")
        else:
            print(f"  {name + ', hit below 17':40} {rate / 1e6:8.4f} M   Croupier is {simple / rate:,.0f} × faster")


if __name__ == "__main__":
    main()
