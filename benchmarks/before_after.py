"""The card room beside an older one, in the same run: Sequence actions and Hold'em hands a second, durable.

Give the folder of an older checkout (`git worktree add ../before COMMIT`). Each server runs with its own source, and
both get the same load in turns: players who cut every deal, by the scheme that the server speaks, and who check
nothing, so that the server alone is measured. The best of the rounds counts. Where other programs share the cores, look
at the median of the rounds, and at the processor time of an action.

- Sequence: a hundred cheap moves and one deal.
- Hold'em, played: six at a table who check, call, raise and fold as people do.
- Hold'em, folded at once: two at a table, and a hand is little more than its deal. This is the dearest case for proofs:
  a deal by `cut-2` has eight sealed packs where `cut-1` had one.

Run as `python benchmarks/before_after.py OLDER_CHECKOUT [--rounds 5] [--workers 0] [--only NAME]`.
"""

import argparse
import os
import statistics
import tempfile
from contextlib import ExitStack
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parents[1]


class Case(NamedTuple):
    name: str
    wish: dict[str, object]
    tables: int
    actions: int
    """Of a table in a round: enough for deals to have their share."""
    counted: str
    """Which figure is compared."""


HOLDEM = {"game": "holdem", "preset": "cash"}
CASES = (
    Case("sequence", {"game": "sequence", "preset": "house"}, 40, 100, "actions_per_second"),
    Case("holdem-played", {**HOLDEM, "seats": 6, "like_people": True}, 20, 100, "hands_per_second"),
    Case("holdem-folded", HOLDEM, 40, 15, "hands_per_second"),
)


def benchmark(tree: Path) -> Any:
    """A checkout's own `benchmarks/server.py`: it knows the settings of its server."""
    spec = spec_from_file_location(f"server_{tree.name}", tree / "benchmarks" / "server.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scheme(tree: Path) -> str:
    """By which scheme a checkout deals."""
    return "cut-2" if (tree / "src" / "croupier" / "dealing" / "cut2.py").exists() else "cut-1"


def start(tree: Path, folder: Path, workers: int) -> Any:
    """The server of a checkout, with its own source."""
    os.environ["PYTHONPATH"] = str(tree / "src")
    return benchmark(tree).croupier(folder, workers)


def compare(case: Case, trees: dict[str, Path], folder: Path, arguments: argparse.Namespace) -> None:
    """Both servers run all the time and are given the load in turns, so that other programs disturb both alike."""
    wish = {"tables": case.tables, "actions": case.tables * case.actions, **case.wish}
    runs: dict[str, list[Any]] = {when: [] for when in trees}
    with ExitStack() as stack:
        running = {when: stack.enter_context(start(tree, folder, arguments.workers)) for when, tree in trees.items()}
        os.environ["PYTHONPATH"] = str(HERE / "src")
        for number in range(arguments.rounds + 1):
            for when, tree in trees.items():
                figures = benchmark(HERE).our_load(running[when], scheme=scheme(tree), **wish).figures()
                if number:
                    # The first round only warms up.
                    runs[when].append(figures)
    best = {when: max(figures, key=lambda each: getattr(each, case.counted)) for when, figures in runs.items()}
    told = (
        f"{getattr(best['after'], case.counted) / getattr(best['before'], case.counted):.2f} of before;"
        f" median round {median_ratio(runs, case.counted):.2f},"
        f" by processor time {1 / median_ratio(runs, 'server_microseconds'):.2f}"
    )
    for when, figures in best.items():
        print(f"{figures.hands_per_second:7,.1f} hands/s  ", end="")
        benchmark(HERE).tell(f"{case.name}, {when}", figures, told if when == "after" else "")


def median_ratio(runs: dict[str, list[Any]], field: str) -> float:
    """Of after to before, round by round."""
    pairs = zip(runs["after"], runs["before"], strict=True)
    return statistics.median(getattr(after, field) / getattr(before, field) for after, before in pairs)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("older", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--only", choices=[case.name for case in CASES])
    arguments = parser.parse_args()
    trees = {"before": arguments.older.resolve(), "after": HERE}
    with tempfile.TemporaryDirectory(dir=".") as place:
        for case in CASES:
            if arguments.only in (None, case.name):
                compare(case, trees, Path(place).resolve(), arguments)


if __name__ == "__main__":
    main()
