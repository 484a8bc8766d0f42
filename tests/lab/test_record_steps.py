"""`croupier replay` on records: every step, everybody's chances, exports, and the keys of a person at a terminal."""

import json
import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.game.registry import GAMES
from croupier.lab.arena.match import make_match, play
from croupier.lab.poker.streets import street_equities
from croupier.table.record import record
from croupier.table.round import Round, Seeds, begin
from croupier.table.round_steps import steps
from croupier.wire.records import line, verify
from tests.library.json_names import assert_camel_case
from tests.table.rounds import SEEDS

BOTS = {"poker": ["caller", "random", "caller"], "blackjack": ["basic"], "sequence": ["builder", "random"]}


def lines_of(game: str, deals: int = 3, preset: str = "") -> list[str]:
    found: list[str] = []
    bots = BOTS[game]
    match = make_match(game, bots, deals * len(bots), preset=preset, seed=12, records=True)
    play(match, workers=1, keep=lambda seating, lines: found.extend(lines) if seating == 0 else None)
    return found


def rounds_of(game: str, deals: int = 3, preset: str = "") -> list[Round]:
    verdict = verify(lines_of(game, deals, preset))
    assert verdict.ok
    return [played for played in verdict.rounds if played is not None]


@pytest.fixture
def holdem(tmp_path: Path) -> Path:
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(lines_of("poker", 12)) + "\n", encoding="utf-8")
    return file


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["replay", *arguments])
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(("game", "preset"), [("poker", ""), ("blackjack", "trainer"), ("sequence", "classic")])
def test_the_steps_lead_from_the_opening_to_the_end_with_the_same_cards(game: str, preset: str) -> None:
    for played in rounds_of(game, preset=preset):
        some = steps(played)
        assert len(some) == len(played.moves) + 1
        assert some[-1].state == played.state
        assert some[-1].dealt == played.dealt
        assert [step.moves for step in some] == [played.moves[:count] for count in range(len(some))]


def test_an_abandoned_round_is_stepped_as_far_as_it_went() -> None:
    played = begin(GAMES["poker"].presets["cash"], seeds=SEEDS)
    played = played.act(played.menu()[1].action)
    (again,) = verify([line(record(played))]).rounds
    assert again is not None
    assert len(steps(again)) == 2
    assert not steps(again)[-1].over


@pytest.mark.parametrize("game", list(GAMES))
def test_without_a_terminal_every_step_of_every_round_is_printed(game: str, tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text("\n".join(lines_of(game, 2)), encoding="utf-8")
    code, out, _ = run(str(file), "--no-equity")
    assert code == 0
    for number, played in enumerate(verify(file.read_text().splitlines()).rounds, start=1):
        assert played is not None
        for step in range(1, len(played.moves) + 2):
            assert f"round {number} of 2, step {step} of {len(played.moves) + 1}\n" in out
        assert ", ".join(f"Seat {seat + 1} {payout:+}" for seat, payout in enumerate(played.payouts)) in out


def test_a_seed_may_hold_what_breaks_a_line_elsewhere(tmp_path: Path) -> None:
    played = begin(GAMES["poker"].presets["cash"], seeds=Seeds("0" * 64, "a seed \u2028 in two \x85 lines"))
    file = tmp_path / "rounds.jsonl"
    file.write_text(f"{line(record(played.act(played.menu()[0].action)))}\n", encoding="utf-8")
    for form in ((), ("--json",), ("--export", "jsonl")):
        code, out, said = run(str(file), "--no-equity", *form)
        assert (code, said, bool(out)) == (0, "", True)


def test_json_has_a_line_for_every_step_with_the_equities_of_each_street(holdem: Path) -> None:
    code, out, _ = run(str(holdem), "--json")
    assert code == 0
    told = [json.loads(text) for text in out.splitlines()]
    for step in told:
        assert_camel_case(step)
    rounds = [played for played in verify(holdem.read_text().splitlines()).rounds if played is not None]
    assert len(told) == sum(len(played.moves) + 1 for played in rounds)
    seen = 0
    for number, played in enumerate(rounds, start=1):
        found = [equity for step in told if step["round"] == number for equity in step.get("equities", ())]
        state = played.state
        hands = ["".join(map(str, sealed.open())) for sealed in (state.hole[seat] for seat in state.order)]
        plain = street_equities(hands)
        assert [found[0]["bySeat"][str(seat)] for seat in state.order] == list(plain[0].equities)
        assert len(found) == {0: 1, 3: 2, 4: 3, 5: 4}[len(state.board)]
        assert all(abs(sum(equity["bySeat"].values()) - 1) < 1e-9 for equity in found)
        seen = max(seen, len(found))
    assert seen == 4, "some hand went to the river"


def test_a_folded_hand_has_no_chance_on_the_next_street(holdem: Path) -> None:
    _, out, _ = run(str(holdem), "--json")
    folded: dict[int, set[int]] = {}
    checked = 0
    for step in map(json.loads, out.splitlines()):
        gone = folded.setdefault(step["round"], set())
        gone |= {event["seat"] for event in step["events"] if event.get("move") == "FOLD"}
        for equity in step.get("equities", ()):
            assert all(equity["bySeat"][str(seat)] == 0 for seat in gone)
            checked += len(gone)
    assert checked > 0


def test_one_round_and_one_seat_can_be_chosen(holdem: Path) -> None:
    code, out, _ = run(str(holdem), "--round", "2", "--seat", "1")
    assert code == 0
    assert "round 2 of 12" in out
    assert "round 1 of 12" not in out
    assert "Seat 1 gets" in out
    assert "Seat 2 gets" not in out
    assert "Chances" not in out


def test_export_gives_records_hand_histories_and_text(holdem: Path, tmp_path: Path) -> None:
    code, out, _ = run(str(holdem), "--export", "jsonl")
    assert (code, out) == (0, holdem.read_text())
    assert verify(out.splitlines()).ok

    code, out, _ = run(str(holdem), "--export", "phh")
    histories = tmp_path / "hands.phhs"
    histories.write_text(out, encoding="utf-8")
    again = [json.loads(text) for text in run(str(histories), "--json")[1].splitlines()]
    assert code == 0
    assert len(again) == 12
    assert all(hand["agrees"] for hand in again)

    code, out, _ = run(str(holdem), "--export", "text")
    assert code == 0
    assert out.count("PokerStars Hand #") == out.count("*** SUMMARY ***") == 12
    code, out, _ = run(str(holdem), "--export", "phh", "--round", "3")
    assert out.startswith("variant")


def test_hand_histories_are_stepped_through_and_exported_too(holdem: Path, tmp_path: Path) -> None:
    histories = tmp_path / "hands.phhs"
    histories.write_text(run(str(holdem), "--export", "phh")[1], encoding="utf-8")
    stepped = run(str(histories), "--steps", "--no-equity")
    assert stepped[0] == 0
    assert "round 12 of 12" in stepped[1]
    phh = run(str(histories), "--export", "text")[1]
    own = run(str(holdem), "--export", "text")[1]
    # PHH has no empty seats and counts them from the button's left: the lines of play are the same.
    assert [line for line in phh.splitlines() if line.startswith("***")] == [
        line for line in own.splitlines() if line.startswith("***")
    ]
    # A mucked hand is as good as unknown there, so not every hand has equities.
    assert '"equities"' in run(str(histories), "--steps", "--json")[1]


def test_names_of_a_hand_history_are_told(tmp_path: Path) -> None:
    file = tmp_path / "one.phh"
    file.write_text(
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [5, 10]\nmin_bet = 10\n'
        'starting_stacks = [1000, 2000]\nplayers = ["Ann", "Bob"]\n'
        'actions = ["d dh p1 ????", "d dh p2 AsKs", "p2 f"]\n'
    )
    code, out, _ = run(str(file), "--steps")
    assert code == 0
    assert "Bob gets A♠ K♠." in out
    assert "Ann gets" not in out
    assert "Bob folds" in out
    assert "Ann collected 10 from pot" in run(str(file), "--export", "text")[1]


def test_faults_are_named_and_the_rounds_are_shown_all_the_same(holdem: Path) -> None:
    entries = [json.loads(text) for text in holdem.read_text().splitlines()]
    entries[1]["payouts"] = [1, -1, 0]
    holdem.write_text("\n".join(json.dumps(entry) for entry in entries))
    code, out, err = run(str(holdem), "--no-equity")
    assert code == 1
    assert "PAYOUT_MISMATCH" in err
    assert "round 12 of 12" in out


def test_what_cannot_be_done_is_named_and_exits_2(holdem: Path, tmp_path: Path) -> None:
    blackjack = tmp_path / "blackjack.jsonl"
    blackjack.write_text("\n".join(lines_of("blackjack", 1)))
    history = tmp_path / "one.phh"
    history.write_text('variant = "NT"\n')
    for arguments, named in (
        ([str(holdem), "--export", "pdf"], "jsonl, phh, ohh, text"),
        ([str(holdem), "--round", "13"], "12"),
        ([str(holdem), "--seat", "4"], "3"),
        ([str(blackjack), "--export", "text"], "blackjack"),
        ([str(history), "--export", "jsonl"], "one.phh"),
        ([str(tmp_path / "none.jsonl")], "none.jsonl"),
    ):
        code, out, err = run(*arguments)
        assert code == 2, arguments
        assert named in err
        assert "PokerStars" not in out


def test_keys_step_on_and_back_and_quit(holdem: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "croupier", "replay", str(holdem), "--no-equity"]
    environment = {**os.environ, "CROUPIER_LANG": "en"}
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    try:
        assert "round 1 of 12, step 1" in read_until(master, "q: quit")
        for key, shown in ((" ", "step 2"), ("\r", "step 3"), ("b", "step 2"), ("n", "round 2 of 12, step 1"),
                           ("p", "round 1 of 12, step 1")):  # fmt: skip
            press(master, key)
            assert shown in read_until(master, "q: quit")
        press(master, "q")
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.wait()
        os.close(master)


def press(terminal: int, keys: str) -> None:
    """Types as soon as single keys are read: what came before is thrown away, as people's typing ahead is."""
    given_up = time.monotonic() + 60
    while termios.tcgetattr(terminal)[3] & termios.ICANON:
        assert time.monotonic() < given_up
        time.sleep(0.005)
    for key in keys:
        os.write(terminal, key.encode())


def read_until(terminal: int, ending: str) -> str:
    """What the terminal shows up to a text; a slow machine is waited for."""
    seen, given_up = "", time.monotonic() + 60
    while ending not in seen:
        assert time.monotonic() < given_up, seen
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 65536).decode(errors="replace")
    return seen
