"""Practice: right values, a kept score, more of what goes wrong, by plain lines in four languages."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from croupier.games.blackjack import CASINO, TRAINER
from croupier.lab.blackjack.solve import solve
from croupier.lab.blackjack.train import Trainer
from croupier.lab.practice import WEIGHT_MAX, Record, load_record, save_record


@pytest.fixture(scope="module")
def solution():
    return solve(replace(TRAINER, penetration=0.0))


def practise(answers: str, *arguments: str, language: str = "en", data: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from croupier.cli import main; main()", "train", "blackjack", *arguments]
    environment = {**os.environ, "CROUPIER_LANG": language, "CROUPIER_DATA": str(data), "PYTHONUTF8": "1"}
    return subprocess.run(command, input=answers, capture_output=True, text=True, env=environment, check=False)


def test_values_and_cost_are_the_exact_ones(solution) -> None:
    trainer = Trainer(solution, Record(), seed=1)
    cells = {(cell.cards, cell.up): cell for cell in solution.cells}
    for _ in range(200):
        question = trainer.deal()
        cell = cells[question.cards, question.up]
        assert question.best == cell.best
        assert question.values["stand"] == cell.stand
        for play in question.values:
            assert question.cost(play) == pytest.approx(max(0.0, getattr(cell, cell.best) - getattr(cell, play)))


def test_hand_goes_on_after_a_hit(solution) -> None:
    trainer = Trainer(solution, Record(), seed=2)
    longest = 2
    for _ in range(100):
        asked = trainer.deal()
        while not isinstance(asked, int):
            longest = max(longest, len(asked.cards))
            assert asked.total < 21
            if len(asked.cards) > 2:
                assert set(asked.values) == {"hit", "stand"}
                assert asked.values["stand"] == solution.hand(asked.cards, asked.up).stand
            asked = trainer.draw(asked)
        assert asked >= 21
    assert longest >= 4


def test_no_decision_is_asked_about_21(solution) -> None:
    trainer = Trainer(solution, Record(), seed=3)
    assert all(set(trainer.deal().cards) != {"A", "T"} for _ in range(500))


def test_what_goes_wrong_comes_more_often(solution) -> None:
    record = Record()
    trainer = Trainer(solution, record, seed=4)
    usual = Counter(trainer.deal().place for _ in range(3000))["hard 16 T"]
    for _ in range(3):
        record.note("hard 16 T", 0.1)
    drilled = Counter(trainer.deal().place for _ in range(3000))["hard 16 T"]
    assert drilled > 10 * usual
    assert record.weakest(5) == ("hard 16 T",)
    for _ in range(10):
        record.note("hard 16 T", 0.0)
    assert record.weakest(5) == ()


def test_weights_are_bounded() -> None:
    record = Record()
    for _ in range(50):
        record.note("hard 16 T", 1.0)
    assert record.weights["hard 16 T"] == WEIGHT_MAX


def test_record_survives_the_file(tmp_path) -> None:
    path = tmp_path / "folder" / "record.json"
    assert load_record(path) == Record()
    record = Record()
    record.note("soft 18 9", 0.25)
    save_record(record, path)
    assert load_record(path) == record
    path.write_text("not a record")
    with pytest.raises(ValueError, match="JSON"):
        load_record(path)


def test_session_by_lines_tells_best_play_cost_and_score(tmp_path) -> None:
    answers = "\n".join(["s", "Stand", "stay", "x", "s", "s", "s"]) + "\n"
    found = practise(answers, "--rounds", "5", "--seed", "3", data=tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout.count("Your cards:") == 5
    assert "“x” is not one of the choices" in found.stdout
    judged = re.findall(r"^Your play: .*\n(Right|The best play is)", found.stdout, re.MULTILINE)
    assert len(judged) == 5
    right = judged.count("Right")
    assert f"This time: {right} of 5 right" in found.stdout
    kept = msgspec.json.decode((tmp_path / "train-blackjack.json").read_bytes(), type=Record)
    assert (kept.answered, kept.right) == (5, right)
    again = practise("s\nq\n", "--seed", "3", data=tmp_path)
    assert "All in all:" in again.stdout
    assert f"of {5 + again.stdout.count('This time: ')} right" in again.stdout


@pytest.mark.parametrize(
    ("language", "stand", "quit_word", "spoken"),
    [("ko", "스탠드", "그만", "업카드"), ("zh", "停牌", "退出", "庄家明牌"), ("ru", "остаться", "выход", "Верно")],
)
def test_words_of_the_users_language_are_understood(
    language: str, stand: str, quit_word: str, spoken: str, tmp_path
) -> None:
    answers = f"{stand}\n" * 12 + f"{quit_word}\n"
    found = practise(answers, "--seed", "1", language=language, data=tmp_path)
    assert found.returncode == 0, found.stderr
    assert spoken in found.stdout
    assert load_record(tmp_path / "train-blackjack.json").answered == 12


def test_end_of_input_ends_the_session_and_keeps_the_score(tmp_path) -> None:
    found = practise("s\n", data=tmp_path)
    assert found.returncode == 0
    assert load_record(tmp_path / "train-blackjack.json").answered == 1


def test_bad_input_is_named(tmp_path) -> None:
    assert practise("", "--rounds", "-1", data=tmp_path).returncode == 2
    (tmp_path / "train-blackjack.json").write_text("{")
    found = practise("", data=tmp_path)
    assert found.returncode == 2
    assert "train-blackjack.json" in found.stderr


def test_casino_offers_no_surrender() -> None:
    trainer = Trainer(solve(CASINO), Record(), seed=1)
    assert all("surrender" not in trainer.deal().values for _ in range(50))
