"""Claims: AsKs v QhQd before the flop, exact, in 4 ms; more samples a second than OMPEval: hands and ranges.

OMPEval (in pokerfast) answers both questions too; eval7 samples two hands.
"""

import ctypes
from collections.abc import Callable
from time import perf_counter, process_time

import eval7
from pokerfast import equity as pokerfast_equity

from croupier.lab.poker.equity import Method, equity
from croupier.lab.threads import core_count

ROUNDS = 7
TWO = ["AsKs", "QhQd"]
THREE = ["AsKs", "QhQd", "7c7d"]
RANGES = ["TT+,AJs+,AQo+", "22+,A2s+,KTs+,QTs+,JTs,T9s,98s,AJo+"]
SAMPLES = 10_000_000
SECONDS = 0.25
"""How long OMPEval samples, each time."""


def best_seconds(work: Callable[[], object], rounds: int = ROUNDS, clock: Callable[[], float] = perf_counter) -> float:
    """The best of several rounds, after one to warm up."""
    work()
    times = []
    for _ in range(rounds):
        started = clock()
        work()
        times.append(clock() - started)
    return min(times)


def eval7_samples_a_second() -> float:
    """eval7 enumerates complete boards only; before the flop it samples."""
    ours, theirs = tuple(map(eval7.Card, ("As", "Ks"))), eval7.HandRange("QhQd")
    samples = 2_000_000
    return samples / best_seconds(
        lambda: eval7.py_hand_vs_range_monte_carlo(ours, theirs, [], samples), rounds=2, clock=process_time
    )


def croupier_samples(hands: list[str]) -> int:
    equity(hands, method=Method.MONTE_CARLO, samples=SAMPLES)
    return SAMPLES


def ompeval_samples(hands: list[str]) -> int:
    """OMPEval stops by time, so it is asked how far it came."""
    library = pokerfast_equity._load()  # the Python function does not tell the number of samples
    ranges = (ctypes.c_char_p * len(hands))(*(hand.encode() for hand in hands))
    equities = (ctypes.c_double * len(hands))()
    count = ctypes.c_uint64()
    library.pf_equity(ranges, len(hands), b"", b"", 0, 1e-12, core_count(), SECONDS, equities, ctypes.byref(count))
    return count.value


def best_rates(works: dict[str, Callable[[list[str]], int]], hands: list[str]) -> dict[str, float]:
    """The best samples a second of processor, by turns: other work on the machine then slows none more than another."""
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS + 1):
        for name, work in works.items():
            started = process_time()
            done = work(hands)
            rates[name].append(done / (process_time() - started))
    return {name: max(of_one[1:]) / 1e6 for name, of_one in rates.items()}


def compare(title: str, figures: dict[str, float], unit: str, *, higher_is_better: bool) -> None:
    print(title)
    ours = next(iter(figures.values()))
    for name, figure in figures.items():
        ratio = ours / figure if higher_is_better else figure / ours
        print(f"  {name:36} {figure:12.3f} {unit}   {ratio:8.1f} ×")


def main() -> None:
    exact = equity(TWO)
    peer = pokerfast_equity.equity(TWO, threads=core_count())
    assert abs(exact.hands[0].equity - peer[0]) < 1e-9
    assert [hand.wins for hand in exact.hands] == [787_966, 917_606]
    compare(
        f"AsKs v QhQd before the flop, exact, {core_count()} cores, best of {ROUNDS}",
        {
            "croupier": 1e3 * best_seconds(lambda: equity(TWO)),
            "OMPEval (pokerfast), all cores": 1e3
            * best_seconds(lambda: pokerfast_equity.equity(TWO, threads=core_count())),
            "OMPEval (pokerfast), one core": 1e3 * best_seconds(lambda: pokerfast_equity.equity(TWO, threads=1)),
        },
        "ms",
        higher_is_better=False,
    )
    ours, theirs = equity(RANGES, method=Method.EXACT), pokerfast_equity.equity(RANGES, threads=core_count())
    assert abs(ours.hands[0].equity - theirs[0]) < 1e-9
    compare(
        f"{RANGES[0]} v {RANGES[1]} before the flop, exact",
        {
            "croupier": 1e3 * best_seconds(lambda: equity(RANGES, method=Method.EXACT), rounds=3),
            "OMPEval (pokerfast), all cores": 1e3
            * best_seconds(lambda: pokerfast_equity.equity(RANGES, threads=core_count()), rounds=3),
        },
        "ms",
        higher_is_better=False,
    )
    for hands in (TWO, THREE, ["QQ+", "AKs", "random"], RANGES):
        figures = best_rates({"croupier": croupier_samples, "OMPEval (pokerfast)": ompeval_samples}, hands)
        if hands is TWO:
            figures["eval7"] = eval7_samples_a_second() / 1e6
        compare(f"{' v '.join(hands)} sampled, by processor time", figures, "M samples/s", higher_is_better=True)


if __name__ == "__main__":
    main()
