"""`croupier solve` and `croupier strategy` as people run them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.cli.blackjack_rules import RuleError, parse_rules
from croupier.games.blackjack import CASINO
from croupier.lab import plots
from croupier.lab.blackjack import strategy, strategy_plot
from croupier.lab.blackjack.rule_options import FIELDS
from tests.library.json_names import assert_camel_case

run = CliRunner()


def test_solving_writes_files_that_compare_as_the_same_table(tmp_path: Path) -> None:
    toml, csv, png = tmp_path / "a.toml", tmp_path / "a.csv", tmp_path / "a.png"
    solved = run.invoke(app, ["solve", "blackjack", "--toml", str(toml), "--csv", str(csv), "--png", str(png)])
    assert solved.exit_code == 0, solved.output
    assert png.read_bytes().startswith(b"\x89PNG")
    same = run.invoke(app, ["strategy", "diff", str(toml), str(csv)])
    assert same.exit_code == 0
    csv.write_text(csv.read_text().replace("hard,16,S", "hard,16,H"))
    other = run.invoke(app, ["strategy", "diff", str(toml), str(csv)])
    assert other.exit_code == 1
    assert "16 – 2" in other.output


def test_json_follows_the_rules_that_were_asked_for() -> None:
    solved = run.invoke(app, ["solve", "blackjack", "--rule", "decks=2", "--rule", "double=9-11", "--json"])
    found = json.loads(solved.stdout)
    assert found["rules"]["decks"] == 2
    assert_camel_case(found)
    doubled = {cell["cards"] for cell in found["cells"] if cell["double"] is not None}
    assert doubled == {"65", "64", "55", "63", "54", "72", "73", "74", "82", "83", "92"}


def test_the_classroom_is_solved_with_its_figures_for_standing() -> None:
    found = json.loads(run.invoke(app, ["solve", "blackjack", "--preset", "classroom", "--json"]).stdout)
    assert [row["total"] for row in found["standOn"]] == list(range(12, 22))
    assert found["strategy"]["soft"] == {}
    assert all(cell["split"] is None and cell["double"] is None for cell in found["cells"])


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--rule", "decks=9"], "decks"),
        (["--rule", "decks=six"], "decks"),
        (["--rule", "deck=6"], "deck"),
        (["--rule", "decks"], "decks"),
        (["--rule", "double=sometimes"], "9-11"),
        (["--rule", "resplit_aces=true"], "hands_max"),
        (["--preset", "vegas"], "casino, trainer, classroom"),
        (["--png", "chart.gif"], ".png"),
        (["--csv", "pyproject.toml/chart.csv"], "chart.csv"),
    ],
)
def test_bad_input_is_named_and_ends_with_2(arguments: list[str], named: str) -> None:
    refused = run.invoke(app, ["solve", "blackjack", *arguments])
    assert refused.exit_code == 2
    assert named in refused.stderr
    assert refused.stdout == ""


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "table.csv"
    folder.mkdir()
    refused = run.invoke(app, ["solve", "blackjack", "--csv", str(folder)])
    assert refused.exit_code == 2
    assert str(folder) in refused.stderr


def test_help_lists_every_rule() -> None:
    shown = run.invoke(app, ["solve", "blackjack", "--help"]).output
    assert all(f"{name}=" in shown for name in FIELDS)


def test_rules_are_changed_over_a_preset_with_hyphens_and_words_for_switches() -> None:
    rules = parse_rules("casino", ["decks=2", "decks=1", "dealer-hits-soft-17=yes", "peek=OFF", "penetration=0.5"])
    assert (rules.decks, rules.dealer_hits_soft_17, rules.peek, rules.penetration) == (1, True, False, 0.5)
    assert parse_rules("casino", None) == CASINO
    with pytest.raises(RuleError):
        parse_rules("casino", ["peek=perhaps"])


def test_a_table_that_is_none_is_refused_by_the_cell(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(strategy.to_toml(strategy.stand_on(17)).replace('20 = "S', '20 = "Q', 1))
    refused = run.invoke(app, ["strategy", "show", str(file)])
    assert refused.exit_code == 2
    assert "hard 20 – 2" in refused.stderr
    assert run.invoke(app, ["strategy", "diff", str(file)]).exit_code == 2


def test_a_shown_table_can_be_drawn_as_svg(tmp_path: Path) -> None:
    file, svg = tmp_path / "mine.csv", tmp_path / "mine.svg"
    strategy.save(strategy.stand_on(16), file)
    shown = run.invoke(app, ["strategy", "show", str(file), "--svg", str(svg)])
    assert shown.exit_code == 0, shown.output
    assert "Stand" in shown.output
    assert svg.read_text().startswith("<?xml")


@pytest.mark.parametrize("language", ["en", "ko", "zh", "ru"])
def test_pictures_are_labelled_in_a_language_that_some_font_can_write(language: str, tmp_path: Path) -> None:
    labelled = plots.plot_language(language)
    assert labelled in (language, "en")
    assert plots.font_for(labelled) is not None
    picture = tmp_path / "table.png"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.showwarning", _no_glyph_is_missing)
        strategy_plot.strategy_chart(strategy.stand_on(17), picture, "17", language)
    assert picture.stat().st_size > 10_000


def _no_glyph_is_missing(message: object, *_: object) -> None:
    raise AssertionError(message)


def test_every_entry_has_a_colour_of_its_own() -> None:
    assert set(strategy_plot.COLOURS) == set(strategy.PLAYS)
    assert len({background for background, _ in strategy_plot.COLOURS.values()}) == len(strategy_plot.COLOURS)
