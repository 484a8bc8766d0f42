"""The card room beside an older one, in the same run: Sequence actions and Hold'em hands a second, durable.

Give the folder of an older checkout (`git worktree add ../before COMMIT`). Each server is run with its own source and
its own load generator, in turns; the best of the rounds counts. At the Hold'em tables everybody folds at once, so that
a hand is little more than its deal: the dearest case for proofs.

Run as `python benchmarks/before_after.py OLDER_CHECKOUT [--rounds 3] [--actions 60] [--workers 0]`.
"""

import argparse
import os
import tempfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
LOADS = {
    "Sequence actions": {"game": "sequence", "preset": "house"},
    "Hold'em hands": {"game": "holdem", "preset": "cash"},
}


def benchmark(tree: Path) -> Any:
    """A checkout's own `benchmarks/server.py`: it knows the settings and the protocol of its server."""
    spec = spec_from_file_location(f"server_{tree.name}", tree / "benchmarks" / "server.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(tree: Path, folder: Path, workers: int, wish: dict[str, object]) -> Any:
    """One run of one checkout."""
    os.environ["PYTHONPATH"] = str(tree / "src")
    own = benchmark(tree)
    with own.croupier(folder, workers) as running:
        return own.our_load(running, **wish).figures()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("older", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--actions", type=int, default=60, help="of a table")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--workers", type=int, default=0)
    arguments = parser.parse_args()
    trees = {"before": arguments.older.resolve(), "after": HERE}
    with tempfile.TemporaryDirectory(dir=".") as place:
        for name, game in LOADS.items():
            wish = {"tables": arguments.tables, "actions": arguments.tables * arguments.actions, **game}
            runs: dict[str, list[Any]] = {when: [] for when in trees}
            for _ in range(arguments.rounds):
                for when, tree in trees.items():
                    runs[when].append(measure(tree, Path(place).resolve(), arguments.workers, wish))
            best = {when: benchmark(HERE).best(figures) for when, figures in runs.items()}
            ratio = best["after"].actions_per_second / best["before"].actions_per_second
            for when, figures in best.items():
                benchmark(HERE).tell(f"{name}, {when}", figures, f"{ratio:.2f} of before" if when == "after" else "")


if __name__ == "__main__":
    main()
