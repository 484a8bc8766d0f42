"""Evolution: from random tables to the optimum, the same for the same seed, however often it is interrupted."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.games.blackjack import CASINO, CLASSROOM, TRAINER
from croupier.lab.blackjack import evolve, strategy
from croupier.lab.blackjack.evolve import EvolveError, Settings, State
from croupier.lab.blackjack.solve import prepare, solve, won_and_staked
from tests.library.json_names import assert_camel_case

run = CliRunner()


def search(settings: Settings, generations: int, resumed: State | None = None) -> list[State]:
    return list(evolve.evolve(settings, generations, resumed))


def test_from_random_tables_evolution_comes_within_0_02_percent_of_the_optimum() -> None:
    optimum = solve(CASINO).ev.total_dependent
    for state in evolve.evolve(Settings(CASINO, seed=3), 600):
        if optimum - state.history[-1].best < 0.0002:
            break
    assert state.history[0].best < optimum - 0.1
    assert optimum - state.history[-1].best < 0.0002
    assert won_and_staked(prepare(CASINO), state.best)[0] == pytest.approx(state.history[-1].best, abs=1e-12)


def test_the_best_table_is_never_lost() -> None:
    best = [state.history[-1].best for state in search(Settings(TRAINER, population=20, seed=1), 30)]
    assert best == sorted(best)
    assert best[-1] > best[0]


def test_a_search_that_is_stopped_and_resumed_ends_as_one_that_was_not(tmp_path: Path) -> None:
    settings = Settings(CASINO, population=16, seed=5)
    whole = search(settings, 24)[-1]
    evolve.save_checkpoint(search(settings, 9)[-1], tmp_path / "half.json")
    resumed = search(settings, 24, evolve.load_checkpoint(tmp_path / "half.json"))[-1]
    assert resumed == whole
    assert search(Settings(CASINO, population=16, seed=6), 24)[-1].population != whole.population


def test_simulated_fitness_is_the_same_for_the_same_seed_and_improves_tables_too() -> None:
    settings = Settings(CASINO, population=8, seed=2, fitness="simulated", rounds=20_000)
    first, again = search(settings, 8), search(settings, 8)
    assert first == again
    prepared = prepare(CASINO)
    assert won_and_staked(prepared, first[-1].best)[0] > won_and_staked(prepared, first[0].best)[0]


def test_tables_use_only_what_the_rules_give_a_meaning_to() -> None:
    table = search(Settings(CLASSROOM, population=8, seed=1), 3)[-1].best
    assert {entry for kind, *_, entry in table.cells() if kind == "hard"} <= {"H", "S"}
    trained = search(Settings(TRAINER, population=8, seed=1), 1)[-1].best
    assert {entry for *_, entry in trained.cells()} > {"D", "P", "R"}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--population", "2"], "population"),
        (["--generations", "0"], "generations"),
        (["--fitness", "guess"], "exact, simulated"),
        (["--seed", "-1"], "seed"),
        (["--rule", "decks=0"], "decks"),
        (["--resume", "missing.json"], "missing.json"),
        (["--csv", "history.txt"], ".csv"),
    ],
)
def test_bad_input_is_named_and_ends_with_2(arguments: list[str], named: str) -> None:
    refused = run.invoke(app, ["evolve", "blackjack", *arguments])
    assert refused.exit_code == 2
    assert named in refused.stderr


def test_a_broken_checkpoint_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    state = search(Settings(CASINO, population=4), 1)[-1]
    evolve.save_checkpoint(state, file)
    file.write_text(file.read_text().replace('"version":1', '"version":9'))
    with pytest.raises(EvolveError):
        evolve.load_checkpoint(file)
    file.write_text("{}")
    with pytest.raises(EvolveError):
        evolve.load_checkpoint(file)


def test_the_command_leaves_history_picture_table_and_checkpoint(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("history.csv", "history.png", "best.toml", "point.json")}
    options = ["--population", "8", "--generations", "4", "--csv", str(files["history.csv"])]
    options += ["--png", str(files["history.png"]), "--save", str(files["best.toml"])]
    done = run.invoke(app, ["evolve", "blackjack", *options, "--checkpoint", str(files["point.json"]), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["generations"] == 4
    assert_camel_case(found)
    assert found["gap"] == pytest.approx(found["optimum"] - found["ev"])
    assert files["history.csv"].read_text().count("\n") == 5
    assert files["history.png"].read_bytes().startswith(b"\x89PNG")
    best = strategy.load(files["best.toml"])
    assert won_and_staked(prepare(CASINO), best)[0] == pytest.approx(found["ev"])
    more = run.invoke(app, ["evolve", "blackjack", "--resume", str(files["point.json"]), "--generations", "6"])
    assert more.exit_code == 0, more.output
    mixed = run.invoke(app, ["evolve", "blackjack", "--resume", str(files["point.json"]), "--seed", "1"])
    assert mixed.exit_code == 2
