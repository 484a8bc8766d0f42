"""Sizes, betting trees and the command line of the Hold'em solver."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.lab.poker.ranges import EquityError
from croupier.lab.poker.solver import archive, betting
from croupier.lab.poker.solver.betting import Betting, Kind, betting_tree
from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.sizes import amounts, parse_sizes
from croupier.lab.poker.solver.spot import Lock, Spot, deck, setting
from tests.library.json_names import assert_camel_case

SPOT = ["--board", "QsJh2h7c3d", "--ranges", "QQ,AK,55", "JJ,AQ,66", "--pot", "100", "--stack", "200"]
run = CliRunner()


def bet(text: str, pot: int, stack: int) -> tuple[int, ...]:
    return amounts(parse_sizes(text, raises=False), pot=pot, faced=0, least=1, stack=stack)


def raise_to(text: str, pot: int, faced: int, last: int, stack: int) -> tuple[int, ...]:
    """`pot` is the pot after a call."""
    return amounts(parse_sizes(text, raises=True), pot=pot, faced=faced, least=faced + last, stack=stack)


@pytest.mark.parametrize(
    ("text", "pot", "stack", "found"),
    [
        ("50%", 100, 200, (50,)),
        ("50%", 101, 200, (51,)),  # 50.5 is rounded up
        ("33%", 10, 200, (3,)),
        ("1%", 10, 200, (1,)),  # at least a chip
        ("20c", 100, 200, (20,)),
        ("a", 100, 200, (200,)),
        ("50%,100%,a", 100, 200, (50, 100, 200)),
        ("200%,250%,a", 100, 200, (200,)),  # what reaches the stack is all-in, once
        ("100%,50%,50c", 100, 200, (50, 100)),
        ("199c", 100, 200, (199,)),  # no other merging
        ("", 100, 200, ()),
    ],
)
def test_bets(text: str, pot: int, stack: int, found: tuple[int, ...]) -> None:
    assert bet(text, pot, stack) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2.5x", (125,)),
        ("50%", (150,)),  # the call makes a pot of 200
        ("1.5x", (100,)),  # at least the last raise on top
        ("60c", (100,)),
        ("130c", (130,)),
        ("3.01x", (151,)),
        ("4x,a", (200,)),
    ],
)
def test_raises_of_a_half_pot_bet(text: str, found: tuple[int, ...]) -> None:
    assert raise_to(text, pot=200, faced=50, last=50, stack=200) == found


def names(pot: int, stack: int, bets: str, raises: str, *path: str) -> tuple[str, ...]:
    streets = ((parse_sizes(bets, raises=False), parse_sizes(raises, raises=True)),)
    nodes = betting_tree(Betting(pot, stack, streets))
    place = 0
    for step in path:
        place = nodes[place].children[nodes[place].actions.index(step)]
    return nodes[place].actions


def test_actions_are_named_by_the_amount_of_the_street() -> None:
    assert names(100, 200, "50%,a", "2.5x") == ("check", "bet 50", "all-in 200")
    assert names(100, 200, "50%,a", "2.5x", "bet 50") == ("fold", "call", "raise 125")
    assert names(100, 200, "50%,a", "2.5x", "bet 50", "raise 125") == ("fold", "call", "all-in 200")
    assert names(100, 200, "50%,a", "2.5x", "all-in 200") == ("fold", "call")
    assert names(100, 200, "50%,a", "", "bet 50") == ("fold", "call")
    assert names(100, 200, "50%,a", "2.5x", "check") == ("check", "bet 50", "all-in 200")


def test_an_all_in_may_be_less_than_a_full_raise() -> None:
    assert names(100, 70, "50%", "2.5x", "bet 50") == ("fold", "call", "all-in 70")


def test_a_pot_that_is_all_in_is_dealt_without_bets() -> None:
    streets = ((parse_sizes("a", raises=False), ()),) * 2
    nodes = betting_tree(Betting(10, 10, streets))
    assert sum(node.kind is Kind.ALL_IN for node in nodes) == 2
    assert sum(node.kind is Kind.DEAL for node in nodes) == 1


@pytest.mark.parametrize("text", ["50", "x", "-5%", "0%", "5x%", "a%", "1e3%", "50 %", "0c", "nan%"])
def test_what_is_no_size_is_refused_by_name(text: str) -> None:
    with pytest.raises(SolveError) as refused:
        parse_sizes(text, raises=True)
    assert refused.value.refusal.code == "SOLVE_SIZE"


def test_a_tree_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(betting, "NODES_MAX", 5000)
    streets = ((parse_sizes("1c,2c,3c,4c,5c,6c,7c,8c", raises=False), parse_sizes("1c,2x,3x,4x,5x,6x", raises=True)),)
    with pytest.raises(SolveError) as refused:
        betting_tree(Betting(10, 10**6, streets * 3))
    assert refused.value.refusal.code == "SOLVE_TREE"


RANGES = ("AA", "KK")


@pytest.mark.parametrize(
    ("spot", "code"),
    [
        (Spot("QsJh", RANGES, 1, 1), "SOLVE_BOARD"),
        (Spot("QsJh2h7c3d4d", RANGES, 1, 1), "SOLVE_BOARD"),
        (Spot("QsQs2h", RANGES, 1, 1), "EQUITY_CARD_REPEATED"),
        (Spot("QsJh2z", RANGES, 1, 1), "EQUITY_CARD_UNREADABLE"),
        (Spot("QsJh2h", ("AA", "nonsense"), 1, 1), "RANGE_UNREADABLE"),
        (Spot("QsJh2h", ("AA", "QsJh"), 1, 1), "RANGE_EMPTY"),
        (Spot("QsJh2h", ("AsAh", "AsAh"), 1, 1), "EQUITY_NO_DEAL"),
        (Spot("QsJh2h", RANGES, 0, 1), "SOLVE_CHIPS"),
        (Spot("QsJh2h", RANGES, 1, 0), "SOLVE_CHIPS"),
        (Spot("QsJh2h", RANGES, 1, 10**10), "SOLVE_CHIPS"),
        (Spot("QsJh2h", RANGES, 1, 1, bets="2x"), "SOLVE_SIZE_BET"),
        (Spot("QsJh2h", RANGES, 1, 1, bets="1c," * 9), "SOLVE_SIZES_MANY"),
        (Spot("QsJh2h", RANGES, 1, 1, street_bets={"preflop": "a"}), "SOLVE_STREET"),
        (Spot("QsJh2h7c", RANGES, 1, 1, street_bets={"flop": "a"}), "SOLVE_STREET_PAST"),
        (Spot("QsJh2h", RANGES, 1, 1, rake="five"), "SOLVE_RAKE"),
        (Spot("QsJh2h", RANGES, 1, 1, rake="101%"), "SOLVE_RAKE"),
        (Spot("QsJh2h", RANGES, 1, 1, rake="5%,-1"), "SOLVE_RAKE"),
    ],
)
def test_a_spot_that_cannot_be_is_refused(spot: Spot, code: str) -> None:
    with pytest.raises((SolveError, EquityError)) as refused:
        setting(spot)
    assert refused.value.refusal.code == code


def test_suits_that_board_and_ranges_treat_alike_may_be_exchanged() -> None:
    assert len(deck(setting(Spot("QsJh2h", RANGES, 1, 1))).exchanges) == 2
    assert len(deck(setting(Spot("QsJs2s", RANGES, 1, 1))).exchanges) == 6
    assert len(deck(setting(Spot("QsJh2d", RANGES, 1, 1))).exchanges) == 1
    assert len(deck(setting(Spot("QsJs2s", ("AA,KdQd", "KK"), 1, 1))).exchanges) == 2


@pytest.mark.parametrize(
    ("lock", "count"),
    [
        (Lock("", {"check": 1.0}), 6),
        (Lock("check", {"check": 1.0}, "KK"), 6),
        (Lock("", {"check": 1.0}, "AhAd,AdAc,AhAc"), 6),
        (Lock("", {"check": 1.0}, "AhAd"), 2),
        (Lock("check,check,2h", {"check": 1.0}), 2),
        (Lock("Check, check,2H", {"check": 1.0}, "AcAs"), 1),
    ],
)
def test_a_lock_keeps_the_suits_alike_that_it_treats_alike(lock: Lock, count: int) -> None:
    assert len(deck(setting(Spot("QsJs2s", ("AA", "KK"), 1, 1, locks=(lock,)))).exchanges) == count


def test_the_command_prints_the_json_of_the_root() -> None:
    done = run.invoke(app, ["solve", "holdem", *SPOT, "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["exploitability"] <= 0.003
    assert_camel_case(found)
    assert (found["board"], found["pot"], found["stack"]) == ("QsJh2h7c3d", 100, 200)
    assert [player["name"] for player in found["players"]] == ["OOP", "IP"]
    assert sum(player["ev"] for player in found["players"]) == pytest.approx(100)
    root = found["root"]
    assert root["player"] == "OOP"
    assert [each["action"] for each in root["actions"]] == ["check", "bet 50", "bet 100", "all-in 200"]
    assert sum(each["frequency"] for each in root["actions"]) == pytest.approx(1)
    assert set(root["hands"]["AhKh"]) >= {"weight", "ev", "equity", "strategy"}
    assert {"iterations", "seconds", "memoryBytes"} <= set(found)


def test_a_solution_is_drawn_saved_opened_and_walked(tmp_path: Path) -> None:
    picture, file = tmp_path / "grid.png", tmp_path / "spot.npz"
    done = run.invoke(app, ["solve", "holdem", *SPOT, "--png", str(picture), "--save", str(file), "--compact"])
    assert done.exit_code == 0, done.output
    assert "bet 50" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    opened = run.invoke(app, ["solve", "holdem", "--load", str(file), "--path", "bet 50", "--json"])
    assert opened.exit_code == 0, opened.output
    found = json.loads(opened.stdout)
    assert found["root"]["player"] == "IP"
    assert found["root"]["pot"] == 150


def test_what_was_solved_is_told_even_if_it_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive, "save", full)
    done = run.invoke(app, ["solve", "holdem", *SPOT, "--save", str(tmp_path / "spot.npz"), "--json"])
    assert done.exit_code == 2
    assert "No space left" in done.stderr
    assert json.loads(done.stdout)["exploitability"] <= 0.003


def test_locks_are_read_from_toml(tmp_path: Path) -> None:
    file = tmp_path / "locks.toml"
    file.write_text('[[lock]]\npath = ""\nhands = "AK"\nfrequencies = { check = 0.25, "bet 50" = 0.75 }\n')
    done = run.invoke(app, ["solve", "holdem", *SPOT, "--lock", str(file), "--json"])
    assert done.exit_code == 0, done.output
    hands = json.loads(done.stdout)["root"]["hands"]
    assert hands["AhKh"]["strategy"] == pytest.approx([0.25, 0.75, 0, 0], abs=1e-6)
    assert hands["QdQc"]["strategy"] != pytest.approx([0.25, 0.75, 0, 0], abs=1e-3)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("[[lock]", "locks.toml"),
        ('[[lock]]\npath = ""\n', "frequencies"),
        ('[[lock]]\npath = ""\nfrequencies = { check = 0.5 }\n', "0.5"),
        ('[[lock]]\npath = ""\nfrequencies = { bet = 1.0 }\n', "bet 50"),
        ('[[lock]]\npath = "check,check"\nfrequencies = { check = 1.0 }\n', "check,check"),
        ('[[lock]]\npath = ""\nhands = "22"\nfrequencies = { check = 1.0 }\n', "22"),
        ('[[lock]]\npath = ""\nhand = "AA"\nfrequencies = { check = 1.0 }\n', "hand"),
    ],
)
def test_a_bad_lock_is_refused_with_its_reason(tmp_path: Path, content: str, named: str) -> None:
    file = tmp_path / "locks.toml"
    file.write_text(content)
    done = run.invoke(app, ["solve", "holdem", *SPOT, "--lock", str(file)])
    assert done.exit_code == 2
    assert named in done.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--board", "QsJh2h"], "--ranges, --pot, --stack"),
        ([*SPOT, "--target", "0.3"], "0.3%"),
        ([*SPOT, "--target", "200%"], "200%"),
        ([*SPOT, "--seconds", "0"], "seconds"),
        ([*SPOT, "--seconds", "nan"], "seconds"),
        ([*SPOT, "--memory", "lots"], "2GB"),
        ([*SPOT, "--memory", "0.01MB"], "the limit is 0.01 MB"),
        ([*SPOT, "--street-bets", "turn"], "turn=75%"),
        ([*SPOT, "--street-bets", "turn=75%"], "turn"),
        ([*SPOT, "--path", "bet 51"], "bet 50"),
        ([*SPOT, "--path", "check,check"], "over"),
        ([*SPOT, "--png", "grid.gif"], ".png"),
        ([*SPOT, "--save", "pyproject.toml/x.npz"], "x.npz"),
        ([*SPOT, "--bets", "", "--save", "folder.npz"], "folder.npz"),
        (["--load", "none.npz"], "none.npz"),
        ([*SPOT, "--load", "none.npz"], "--board"),
        ([*SPOT, "--lock", "none.toml"], "none.toml"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_its_name(
    arguments: list[str], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    done = run.invoke(app, ["solve", "holdem", *arguments])
    assert done.exit_code == 2, done.output
    assert named in done.stderr
    assert not done.stdout, "nothing is worked out before it is refused"
