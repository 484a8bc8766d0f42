"""The player's own part of `shuffle-1`: an honest server raises no alarm, each lie raises one, and the log has it all.

The page's notebook is held to the same stories in Node.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from croupier.dealing import shuffle1_checks
from croupier.dealing.shuffle1_client import ROUNDS_BEFORE_ROTATION, Notebook
from croupier.dealing.shuffle1_log import (
    BetSent,
    Decided,
    NeverDealt,
    Revealed,
    SeedFault,
)
from croupier.wire.own_logs import read_casino_lines, write_casino_line
from tests.dealing import shuffle1_stories as stories
from tests.dealing.make_vectors import FILE
from tests.dealing.shuffle1_stories import ATTACKS, HONEST
from tests.dealing.shuffle1_story import Story

SCRIPTS = Path(str(files("croupier.server").joinpath("web/js")))


def lines_of(story: Story) -> list[str]:
    return [json.dumps(line) for step in story.steps for line in step["lines"]]


@pytest.mark.parametrize("story", HONEST)
def test_an_honest_server_raises_no_alarm(story: Callable[[], Story]) -> None:
    told = story()
    assert told.alarms == []
    if story is not stories.decided:
        assert stories.alarms_in(told.steps) == []


@pytest.mark.parametrize(("story", "code"), ATTACKS.items())
def test_a_lie_raises_one_alarm_and_then_nothing_is_bet(story: Callable[[], Story], code: str) -> None:
    told = story()
    assert told.alarms == stories.alarms_in(told.steps) == [code]
    assert told.notebook.bet(1, "id", "a fresh seed", 0) is None
    assert told.notebook.ask_rotation("id", 1, 0) is None
    assert told.notebook.see(told.shown, 0) == ()
    accepted = told.notebook.decide(told.shown, 0)
    told.notebook.take(accepted)
    assert told.alarms == []
    assert told.notebook.bet(1, "id", "a fresh seed", 0) is not None or code == "HASH_MALFORMED"


def test_every_alarm_is_raised_by_some_lie() -> None:
    assert set(ATTACKS.values()) == set(SeedFault)


REMOVED = {
    "unasked": stories.unasked_rotation,
    "swapped": stories.hash_swapped,
    "next_changed": stories.next_hash_changed,
    "next_skipped": stories.next_hash_skipped,
    "other_hash": stories.other_hash,
    "other_seed": stories.other_seed,
    "other_nonce": stories.other_nonce,
    "other_amount": stories.other_amount,
    "not_mine": stories.foreign_round,
    "dropped": stories.round_dropped,
    "card_swapped": stories.card_swapped,
    "not_from_seeds": stories.card_not_from_the_seeds,
    "reveal_refused": stories.reveal_refused,
    "untrue": stories.refusal_untrue,
    "came_back": stories.hash_came_back,
    "wound_back": stories.session_wound_back,
    "malformed": stories.malformed_hash,
}


@pytest.mark.parametrize(("check", "story"), REMOVED.items())
def test_without_its_check_a_lie_goes_through(
    check: str, story: Callable[[], Story], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shuffle1_checks, check, lambda *_, **__: None)
    assert story().alarms == []


def test_a_false_seed_that_the_promise_does_not_catch_is_caught_by_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle1_checks, "not_promised", lambda *_: None)
    assert stories.seed_not_promised().alarms == ["CARD_NOT_FROM_SEEDS"]
    monkeypatch.setattr(shuffle1_checks, "not_from_seeds", lambda *_: None)
    assert stories.seed_not_promised().alarms == []


@pytest.mark.parametrize("story", [*HONEST, *ATTACKS])
def test_whoever_reads_the_log_knows_the_same(story: Callable[[], Story]) -> None:
    told = story()
    again = Notebook(line for _, line in read_casino_lines(lines_of(told)) if line is not None)
    assert {**vars(again)} == {**vars(told.notebook)}


def test_every_bet_brings_a_fresh_seed() -> None:
    told = stories.honest()
    seeds = [line["clientSeed"] for step in told.steps for line in step["lines"] if line["type"] == "BET"]
    assert len(seeds) == len(set(seeds)) == 3


def test_a_refused_bet_is_the_same_draw_again_and_an_answered_one_is_not() -> None:
    told = Story()
    told.see()
    first = told.bet(500)
    told.ask("refuse", first, "BUSY", told.left, told.now)
    second = told.bet(20)
    assert (second.draw, second.amount, second.command_id) == (first.draw, 20, "bet 2")
    told.ask("answer", second, told.deal(second), told.now)
    told.see(told.end())
    assert told.bet().draw != first.draw


def test_without_an_answer_nothing_but_the_same_draw_is_bet() -> None:
    told = Story()
    told.see()
    first = told.bet()
    assert told.bet().draw == first.draw
    assert told.bet(typed="a seed of my own").draw == first.draw


def test_what_was_refused_is_computed_after_the_reveal() -> None:
    told = stories.refused_and_never_dealt()
    (never,) = [line for _, line in read_casino_lines(lines_of(told)) if isinstance(line, NeverDealt)]
    order = shuffle1_checks.order_of(
        stories.DECKS, told.seeds[0], (never.server_seed_hash, never.client_seed, never.nonce)
    )
    assert never.cards == order[:4]
    assert told.notebook.pending is None


def test_rounds_count_as_proven_only_once_their_seed_is_revealed() -> None:
    told = Story()
    told.see()
    told.play()
    told.play()
    assert (told.notebook.proven, told.notebook.unproven) == (0, 2)
    told.reveal()
    assert (told.notebook.proven, told.notebook.unproven) == (2, 0)


def test_the_seed_is_revealed_in_time() -> None:
    told = Story()
    told.see()
    assert not told.notebook.rotation_due(0), "there is nothing to reveal"
    for _ in range(ROUNDS_BEFORE_ROTATION):
        assert not told.notebook.rotation_due(200)
        told.play()
    assert told.notebook.rotation_due(200)
    told.bet()
    assert not told.notebook.rotation_due(200), "first the bet that was sent"


def test_a_typed_seed_is_not_taken_under_another_commitment() -> None:
    told = Story()
    told.see()
    told.play("my very own seed")
    assert not told.notebook.was_typed_elsewhere("my very own seed")
    told.reveal()
    assert told.notebook.was_typed_elsewhere("my very own seed")
    assert not told.notebook.was_typed_elsewhere("another seed")


def test_a_damaged_line_is_told_and_the_others_are_read() -> None:
    lines = [line for _, line in read_casino_lines(lines_of(stories.honest())) if line is not None]
    texts = [write_casino_line(line) for line in lines]
    texts.insert(2, '{"type": "BET", "cli')
    read = list(read_casino_lines(texts))
    assert read[2] == (3, None)
    assert [line for _, line in read if line is not None] == lines


def test_the_log_says_what_was_done() -> None:
    told = stories.honest()
    kinds = [type(line) for _, line in read_casino_lines(lines_of(told))]
    assert kinds.count(BetSent) == 3
    assert kinds.count(Revealed) == 1
    assert Decided not in kinds


def test_the_page_s_notebook_gives_the_same_lines(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "Node is needed to hold the page's notebook to the same stories"
        pytest.skip("Node is not installed")
    # Node takes a `.js` file for a module where a package says so; the page's server needs no package.
    shutil.copytree(SCRIPTS / "fairness", tmp_path / "fairness")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    script = Path(__file__).with_name("check_shuffle1_client.mjs")
    command = [node, str(script), str(tmp_path / "fairness"), str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == [str(len(HONEST) + len(ATTACKS)), "stories"]
