"""The arena: duplicate deals, honest figures, records that verify, and bots of three kinds that may misbehave."""

import json
import sys
from math import isclose
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.bots import RosterError
from croupier.cli import app
from croupier.lab.arena.entrants import CRASHED, ENDED, LATE, UNREADABLE, ArenaError
from croupier.lab.arena.match import Report, elo, estimate, game_of, make_match, play
from croupier.lab.arena.rounds import BLOCK_DEALS, DealScore, play_block
from croupier.wire.records import verify

BOTS = """
import time
from croupier.games.poker.rules.actions import CALL, CHECK, FOLD, Raise

def passive(view, menu):
    return menu[1].action if len(menu) > 1 else menu[0].action

class Chancy:
    def __init__(self, random):
        self.random = random
    def __call__(self, view, menu):
        return self.random.choice(menu).action

def greedy(view, menu):
    return Raise(10**9)

def confused(view, menu):
    return "fold"

def nothing(view, menu):
    return None

def half(view, menu):
    return Raise("much")

def broken(view, menu):
    raise RuntimeError("no idea")

def slow(view, menu):
    while True:
        time.sleep(0.01)

def leaving(view, menu):
    raise SystemExit(3)

def dying(view, menu):
    import os
    os._exit(3)

class Unmade:
    def __init__(self):
        raise RuntimeError("cannot be")
    def __call__(self, view, menu):
        return FOLD

not_a_bot = 7
"""

PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert asked["game"] == "poker" and asked["rules"]["big_blind"] == 10
    own = asked["view"]["seats"][asked["seat"]]["cards"]
    assert len(own) == 2
    print(json.dumps(asked["menu"][min(1, len(asked["menu"]) - 1)]["action"]), flush=True)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with somebody's bots in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "somebody", raising=False)
    (tmp_path / "somebody.py").write_text(BOTS, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def result(report: Report) -> object:
    """What must be the same again: everything but the time."""
    standings = [
        (each.bot, each.net, each.rate, each.win_rate, each.decisions, each.reasons) for each in report.standings
    ]
    return report.deals, report.rounds, standings, report.elo, report.history


def one_kind(spec: str, *, seconds_max: float = 1.0) -> Report:
    return play(make_match("poker", [spec, "caller"], 4, seed=1, seconds_max=seconds_max), workers=1)


def test_every_deal_is_played_in_every_seating_with_the_same_cards() -> None:
    match = make_match("poker", ["caller", "random", "solid"], 6, seed=5, records=True)
    block = play_block(match, 0)
    assert (match.deals, match.seatings) == (2, 3)
    for deal in range(2):
        hole_cards = [json.loads(lines[deal])["cards"][:6] for lines in block.records]
        assert hole_cards[0] == hole_cards[1] == hole_cards[2]
    seats = [[match.bot_at(seating, seat) for seat in range(3)] for seating in range(3)]
    assert sorted(zip(*seats, strict=True)) == sorted({(0, 2, 1), (1, 0, 2), (2, 1, 0)})


def test_two_equal_bots_without_chance_come_out_even(here: Path) -> None:
    report = play(make_match("poker", ["somebody:passive", "somebody:passive"], 60, seed=2), workers=1)
    assert [standing.bot for standing in report.standings] == ["somebody:passive #1", "somebody:passive #2"]
    assert [standing.net for standing in report.standings] == [0, 0]
    assert report.standings[0].rate is not None
    assert report.standings[0].rate.margin == 0
    assert report.elo is not None
    assert report.elo.ahead == 0


def test_the_number_of_workers_does_not_change_the_result() -> None:
    match = make_match("poker", ["caller", "random"], 200, seed=9, records=True)
    kept: dict[int, dict[int, list[str]]] = {}
    reports = []
    for workers in (1, 2):
        lines = kept.setdefault(workers, {})
        reports.append(play(match, workers=workers, keep=lambda seating, more, lines=lines: _add(lines, seating, more)))
    assert result(reports[0]) == result(reports[1])
    assert kept[1] == kept[2]
    assert result(play(make_match("poker", ["caller", "random"], 200, seed=10), workers=1)) != result(reports[0])


def _add(lines: dict[int, list[str]], seating: int, more: object) -> None:
    lines.setdefault(seating, []).extend(more)  # type: ignore[arg-type]  # a sequence of lines


@pytest.mark.parametrize(
    ("game", "bots", "preset"),
    [
        ("poker", ["caller", "random", "solid"], ""),
        ("blackjack", ["basic", "random"], ""),
        ("blackjack", ["basic", "random"], "trainer"),
        ("sequence", ["builder", "random"], ""),
        ("sequence", ["builder", "random", "random"], "classic"),
    ],
)
def test_the_records_of_every_seating_verify(game: str, bots: list[str], preset: str) -> None:
    lines: dict[int, list[str]] = {}
    match = make_match(game, bots, 6 * len(bots), preset=preset, seed=4, records=True)
    report = play(match, workers=1, keep=lambda seating, more: _add(lines, seating, more))
    assert len(lines) == len(bots)
    for seating, some in lines.items():
        verdict = verify(some)
        assert verdict.findings == (), seating
        assert len(verdict.rounds) == match.deals
    assert sum(standing.illegal for standing in report.standings) == 0


def test_alone_against_the_house_every_bot_gets_the_same_cards() -> None:
    match = make_match("blackjack", ["basic", "basic"], 20, seed=3, records=True)
    block = play_block(match, 0)
    assert match.is_solo
    assert block.records[0] == block.records[1]
    assert all(score.net[0] == score.net[1] for score in block.scores)


def test_a_bot_can_have_a_team_of_seats() -> None:
    report = play(make_match("sequence", ["builder", "random"], 4, seats=4, seed=1), workers=1)
    assert report.seats == 4
    assert report.unit == ""
    assert report.standings[0].rate is None
    assert report.standings[0].win_rate.mean > 0.5


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("greedy", "RAISE_TOO_BIG"),
        ("confused", UNREADABLE),
        ("nothing", UNREADABLE),
        ("half", UNREADABLE),
        ("broken", CRASHED),
        ("leaving", CRASHED),
        ("Unmade", CRASHED),
    ],
)
def test_a_wrong_answer_is_counted_with_its_reason_and_the_rules_act_instead(
    here: Path, name: str, reason: str
) -> None:
    standing = one_kind(f"somebody:{name}").standings[0]
    assert standing.reasons[reason] > 0
    assert standing.illegal >= standing.decisions
    assert standing.examples[reason]


def test_a_late_answer_is_counted_and_the_rules_act_instead(here: Path) -> None:
    standing = one_kind("somebody:slow", seconds_max=0.02).standings[0]
    assert set(standing.reasons) == {LATE}
    assert standing.illegal == standing.decisions > 0


def test_a_bot_that_ends_its_worker_ends_the_match_with_a_word(here: Path) -> None:
    with pytest.raises(ArenaError, match="ARENA_WORKER_DIED"):
        play(make_match("poker", ["somebody:dying", "caller"], 200), workers=2)


def test_a_file_can_be_named_instead_of_a_module(here: Path) -> None:
    by_file, by_module = (
        play(make_match("poker", [f"{place}:passive", "caller"], 8), workers=1) for place in ("somebody.py", "somebody")
    )
    assert by_file.history == by_module.history


def test_a_program_plays_over_lines_of_json(here: Path) -> None:
    as_program = play(make_match("poker", [f"exec:{sys.executable} program.py", "caller"], 6, seed=1), workers=1)
    as_function = play(make_match("poker", ["somebody:passive", "caller"], 6, seed=1), workers=1)
    assert as_program.standings[0].illegal == 0
    assert as_program.history == as_function.history


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import sys; [print('what?', flush=True) for _ in sys.stdin]", UNREADABLE),
        ("print('bye')", UNREADABLE),
        ("pass", ENDED),
    ],
)
def test_a_program_that_fails_is_counted_and_started_again(here: Path, program: str, reason: str) -> None:
    (here / "failing.py").write_text(program, encoding="utf-8")
    standing = one_kind(f"exec:{sys.executable} failing.py").standings[0]
    assert standing.reasons[reason] > 0
    assert standing.illegal == standing.decisions


def test_a_class_is_made_anew_for_each_round_with_chance_of_its_own(here: Path) -> None:
    match = make_match("poker", ["somebody:Chancy", "caller"], 40, seed=8)
    assert result(play(match, workers=1)) == result(play(match, workers=1))


def test_the_estimate_is_the_textbook_one() -> None:
    found = estimate([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    assert found.margin is not None
    assert isclose(found.margin, 1.96 * (5 / 3 / 4) ** 0.5, rel_tol=1e-4)
    assert estimate([3.0]).margin is None


def test_elo_of_three_wins_in_four_is_about_191_and_never_infinite() -> None:
    won, lost = DealScore((1, -1), (2, 0)), DealScore((-1, 1), (0, 2))
    found = elo([won, won, won, lost] * 1000)
    assert isclose(found.ahead, 190.8, abs_tol=0.2)
    assert found.low < found.ahead < found.high
    assert 0 < elo([won] * 10).low < elo([won] * 10).ahead < elo([won] * 10).high < 1000


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"game": "whist", "bots": ["a", "b"]}, "ARENA_NO_GAME"),
        ({"game": "poker", "bots": ["solid"]}, "ARENA_RANGE"),
        ({"game": "poker", "bots": ["solid", "solid"], "preset": "house"}, "ARENA_NO_PRESET"),
        ({"game": "poker", "bots": ["solid", "solid"], "seats": 3}, "ARENA_SEATS"),
        ({"game": "poker", "bots": ["solid", "solid"], "seats": 12}, "WRONG_SEAT_COUNT"),
        ({"game": "sequence", "bots": ["random"] * 3}, "TEAMS_NOT_EQUAL"),
        ({"game": "poker", "bots": ["exec:", "solid"]}, "ARENA_BAD_COMMAND"),
        ({"game": "poker", "bots": ["nowhere:bot", "solid"]}, "ARENA_NO_MODULE"),
        ({"game": "poker", "bots": ["somebody:not_a_bot", "solid"]}, "ARENA_NO_MODULE"),
        ({"game": "poker", "bots": ["somebody:missing", "solid"]}, "ARENA_NO_MODULE"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused_before_it_begins(
    here: Path, arguments: dict[str, object], code: str
) -> None:
    with pytest.raises(ArenaError) as error:
        make_match(rounds=10, **arguments)  # type: ignore[arg-type]  # by name
    assert error.value.refusal.code == code


def test_an_unknown_bot_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(RosterError, match="nobody"):
        make_match("poker", ["nobody", "solid"], 10)


def test_the_command_prints_json_keeps_records_and_draws_a_picture(tmp_path: Path) -> None:
    words = ["arena", "caller", "random", "--hands", "20", "--seed", "1", "--workers", "1", "--json"]
    files = ["--records", str(tmp_path / "match.jsonl"), "--png", str(tmp_path / "match.png")]
    done = CliRunner().invoke(app, [*words, *files])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert (answer["deals"], answer["rounds"], answer["unit"]) == (10, 20, "bb/100")
    assert answer["standings"][0]["net"] == -answer["standings"][1]["net"]
    assert answer["records"] == [str(tmp_path / f"match-{number}.jsonl") for number in (1, 2)]
    for file in answer["records"]:
        assert CliRunner().invoke(app, ["verify", file]).exit_code == 0
    assert (tmp_path / "match.png").read_bytes().startswith(b"\x89PNG")


def test_ctrl_c_ends_a_match_with_what_there_is() -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    match = make_match("poker", ["caller", "random"], 10_000, seed=5)
    stopped = play(match, workers=1, progress=interrupt)
    assert not stopped.complete
    assert stopped.deals == BLOCK_DEALS
    whole = play(make_match("poker", ["caller", "random"], 2 * BLOCK_DEALS, seed=5), workers=1)
    assert whole.complete
    assert [each.net for each in stopped.standings] == [each.net for each in whole.standings]


def test_a_person_gets_a_table_with_the_reasons_of_illegal_moves(here: Path) -> None:
    done = CliRunner().invoke(app, ["arena", "somebody:greedy", "caller", "--hands", "4", "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert "bb/100" in done.stdout
    assert "RAISE_TOO_BIG" in done.stdout
    assert "Elo" in done.stdout


def test_reasons_before_the_rules_are_told_in_words(here: Path) -> None:
    done = CliRunner().invoke(app, ["arena", "somebody:broken", "caller", "--hands", "4", "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert "crashed" in done.stdout
    assert "RuntimeError: no idea" in done.stdout


def test_bad_input_is_named_on_standard_error_and_exits_2(tmp_path: Path) -> None:
    (tmp_path / "none").write_text("a file, so no folder")
    for words, named in (
        (["nobody", "solid"], "nobody"),
        (["solid", "solid", "--game", "whist"], "whist"),
        (["random", "random"], "--game"),
        (["mine.py:bot", "random"], "--game"),
        (["solid", "solid", "--hands", "0"], "hands"),
        (["solid", "solid", "--workers", "-1"], "workers"),
        (["solid", "solid", "--records", str(tmp_path / "x.txt")], ".jsonl"),
        (["solid", "solid", "--png", str(tmp_path / "none" / "x.png")], "none"),
        (["solid", "exec:nosuchcmd"], "nosuchcmd"),
    ):
        done = CliRunner().invoke(app, ["arena", *words])
        assert (done.exit_code, done.stdout) == (2, ""), words
        assert named in done.stderr


def test_the_bots_say_which_game_is_meant(here: Path) -> None:
    assert [game_of(bots) for bots in (["solid", "random"], ["basic"], ["builder", "mine.py:bot"])] == [
        "poker",
        "blackjack",
        "sequence",
    ]


@pytest.mark.usefixtures("crazy_eights")
def test_an_outsider_s_game_is_played_by_random_bots_and_its_records_verify(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    words = ["arena", "random", "random", "random", "--game", "crazy_eights", "--hands", "30", "--workers", "1"]
    done = CliRunner().invoke(app, [*words, "--records", str(file), "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["rounds"], report["unit"]) == (30, "")
    assert sum(standing["net"] for standing in report["standings"]) == 0
    assert all(standing["illegal"] == 0 for standing in report["standings"])
    for record in report["records"]:
        assert CliRunner().invoke(app, ["verify", record]).exit_code == 0
    stepped = CliRunner().invoke(app, ["replay", report["records"][0], "--round", "1"])
    assert stepped.exit_code == 0, stepped.output
    assert "Seat 1: Your cards: " in stepped.stdout, "what one seat was told is told as that seat's"
    assert "On top: " in stepped.stdout
