"""`croupier pushfold` and `croupier train pushfold`: tables, JSON, pictures, practice, and what cannot be meant."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.lab.poker.pushfold.solve import solve
from croupier.lab.poker.pushfold.spot import Spot
from croupier.lab.poker.pushfold.train import Trainer
from croupier.lab.practice import Record
from tests.library.json_names import assert_camel_case

run = CliRunner().invoke


def test_the_table_has_both_ranges_and_everybodys_possible_gain() -> None:
    shown = run(app, ["pushfold", "--stack", "10"]).stdout
    assert "SB pushes: 58.3 %" in shown
    assert "BB calls SB: 37.4 %" in shown
    assert "possible gain" in shown


def test_json_and_chips_in_any_unit() -> None:
    shown = json.loads(run(app, ["pushfold", "--stacks", "1000,1000", "--blinds", "50/100", "--json"]).stdout)
    assert shown["decisions"][0]["share"] == pytest.approx(0.583, abs=0.002)
    assert_camel_case(shown)
    assert shown["players"][0]["ev"] == pytest.approx(-4.54, abs=0.02)


def test_charts_are_drawn(tmp_path: Path) -> None:
    file = tmp_path / "charts.png"
    assert run(app, ["pushfold", "--stack", "5", "--png", str(file)]).exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--stack", "1"], "BB has 1"),
        (["--players", "10"], "2 to 9 players, not 10"),
        (["--stacks", "10,ten"], "“ten”"),
        (["--blinds", "1"], "--blinds"),
        (["--target", "0"], "--target"),
        (["--payouts", "30,70"], "70"),
        (["--png", "charts.txt"], ".png"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: list[str], named: str) -> None:
    result = run(app, ["pushfold", *options])
    assert result.exit_code == 2
    assert named in result.stderr


def test_practice_judges_and_keeps_the_score(tmp_path: Path) -> None:
    kept = tmp_path / "score.json"
    options = ["--stack", "10", "--rounds", "3", "--seed", "1", "--record", str(kept)]
    answered = run(app, ["train", "pushfold", *options], input="f\nx\nf\nf\n")
    assert answered.exit_code == 0, answered.output
    assert "“x” is not one of the choices" in answered.stdout
    assert json.loads(kept.read_text())["answered"] == 3


def test_a_wrong_decision_costs_its_difference_and_comes_back_more_often() -> None:
    trainer = Trainer(solve(Spot((10.0, 10.0))), Record(), seed=5)
    asked = trainer.deal()
    worse = min(asked.values, key=lambda choice: asked.values[choice])
    assert trainer.answer(asked, asked.best) == 0
    cost = trainer.answer(asked, worse)
    assert cost == pytest.approx(asked.values[asked.best] - asked.values[worse]) or asked.cost(worse) == 0
    assert trainer.record.weights[asked.place] == pytest.approx(2.0 if cost else 0.25)


def test_close_hands_are_dealt_more_often_than_clear_ones() -> None:
    trainer = Trainer(solve(Spot((10.0, 10.0))), Record(), seed=7)
    dealt = [trainer.deal() for _ in range(2000)]
    apart = [max(each.values.values()) - min(each.values.values()) for each in dealt]
    assert sum(each < 0.3 for each in apart) > 800
    assert {each.seat for each in dealt} == {"SB", "BB"}
