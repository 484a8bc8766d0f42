"""The lab over HTTP: what it answers, what it refuses, and that whoever goes away stops the work."""

import json
import multiprocessing
import subprocess
import sys
from urllib.request import Request, urlopen

import pytest

from croupier.assembly import lab_api
from croupier.games.blackjack import CASINO, BlackjackRules
from croupier.lab.blackjack.solve import solve
from croupier.lab.poker.equity import equity
from croupier.lab.web_jobs import OOM_FIRST, OOM_SCORE
from tests.assembly.asking import asked_of
from tests.server.live import Live


def test_a_hand_has_the_solver_s_values_whatever_the_order_and_suit_of_tens(room: Live) -> None:
    values = solve(CASINO).hand("6T", "T")
    status, (one,) = asked_of(room, "/api/lab/hand?cards=T6&up=T")
    _, (other,) = asked_of(room, "/api/lab/hand?cards=6K&up=Q&preset=casino")
    assert status == 200
    assert one == other
    assert one["best"] == values.best
    assert one["hit"] == pytest.approx(values.hit)


def test_a_hand_from_a_split_has_values_of_its_own(room: Live) -> None:
    values = solve(CASINO).split_hand("38", "8", "6")
    status, (split,) = asked_of(room, "/api/lab/hand?cards=83&up=6&split=8")
    _, (whole,) = asked_of(room, "/api/lab/hand?cards=83&up=6")
    assert status == 200
    assert split["double"] == pytest.approx(values.double)
    assert split["double"] != pytest.approx(whole["double"])


def test_the_strategy_is_that_of_the_rules_that_were_asked_for(room: Live) -> None:
    path = "/api/lab/strategy?decks=2&dealer_hits_soft_17=true&surrender=late&hands_max=4&penetration=0.5"
    status, (report,) = asked_of(room, path)
    changed = BlackjackRules(
        decks=2, dealer_hits_soft_17=True, surrender="late", hands_max=4, penetration=0.5, peek=CASINO.peek
    )
    assert status == 200
    assert report["ev"]["perInitialBet"] == pytest.approx(solve(changed).ev.per_initial_bet)
    assert report["rules"]["decks"] == 2


def test_the_form_of_the_rules_names_every_option_and_every_preset_fits_it(room: Live) -> None:
    _, (form,) = asked_of(room, "/api/lab/rules")
    options = {option["name"]: option for option in form["options"]}
    assert set(options) == set(BlackjackRules.__struct_fields__)
    for rules in form["presets"].values():
        for name, value in rules.items():
            described = options[name]
            if "low" in described:
                assert described["low"] <= value <= described["high"]
            else:
                assert (str(value).lower() if isinstance(value, bool) else value) in described["choices"]


def test_an_exact_equity_is_one_line(room: Live) -> None:
    status, (found,) = asked_of(room, "/api/lab/equity", {"hands": ["AsKs", "QQ"], "board": "Qs2s3d", "dead": "4d"})
    expected = equity(["AsKs", "QQ"], "Qs2s3d", "4d")
    assert status == 200
    assert found["method"] == "exact"
    assert [hand["equity"] for hand in found["hands"]] == pytest.approx([hand.equity for hand in expected.hands])


def test_a_sampled_equity_narrows_until_all_samples_are_drawn(room: Live) -> None:
    asked = {"hands": ["AsKs", "QhQd"], "sampled": True, "samples": 4_000_000}
    _, lines = asked_of(room, "/api/lab/equity", asked)
    exact = equity(["AsKs", "QhQd"]).hands[0].equity
    widths = [line["hands"][0]["high"] - line["hands"][0]["low"] for line in lines]
    assert widths == sorted(widths, reverse=True)
    assert lines[-1]["done"] == lines[-1]["total"] == 4_000_000
    assert lines[-1]["hands"][0]["equity"] == pytest.approx(exact, abs=0.002)


def test_a_simulation_tells_its_course_and_comes_near_the_exact_value(room: Live) -> None:
    asked = {"rules": {"decks": 1, "surrender": "late"}, "rounds": 6_000_000, "strategy": "dealer"}
    status, lines = asked_of(room, "/api/lab/simulation", asked)
    assert status == 200
    course = [point for line in lines for point in line["course"]]
    assert [rounds for rounds, _, _ in course] == sorted({rounds for rounds, _, _ in course})
    assert course[0][0] == 1000
    last = lines[-1]
    assert last["complete"]
    assert last["rounds"] == 6_000_000
    assert abs(last["ev"] - last["exact"]) < 5 * last["standardError"]


def test_the_same_seed_gives_the_same_figures_however_it_was_cut_into_steps(room: Live) -> None:
    asked = {"rounds": 3_000_000, "seed": 7}
    ends = [asked_of(room, "/api/lab/simulation", asked)[1][-1] for _ in range(2)]
    assert ends[0]["outcomes"] == ends[1]["outcomes"]


def test_who_goes_away_ends_the_work_and_who_asks_too_much_at_once_is_refused(room: Live) -> None:
    asked = json.dumps({"rounds": 10**12}).encode()
    question = Request(room.link + "/api/lab/simulation", asked, {"content-type": "application/json"})
    streams = [urlopen(question) for _ in range(2)]
    for stream in streams:
        assert not json.loads(stream.readline())["complete"]
    status, (refused,) = asked_of(room, "/api/lab/simulation", {"rounds": 1000})
    assert (status, refused["code"]) == (429, "LAB_BUSY")
    for stream in streams:
        stream.close()
    for _ in range(200):
        status, lines = asked_of(room, "/api/lab/simulation", {"rounds": 1000})
        if status == 200:
            break
    assert lines[-1]["complete"]


def test_every_street_has_everybody_s_equity(room: Live) -> None:
    played = {"hands": ["AsKs", "", "QhQd"], "board": "2s3s4dTdQs", "folded": {"1": "FLOP"}}
    _, (streets,) = asked_of(room, "/api/lab/streets", played)
    assert [street["street"] for street in streets] == ["PREFLOP", "FLOP", "TURN", "RIVER"]
    assert [street["unseen"] for street in streets] == [1, 1, 0, 0]
    expected = equity(["AsKs", "QhQd"], "2s3s4d").hands[0].equity
    assert streets[1]["equities"][0] == pytest.approx(expected)
    assert streets[1]["equities"][1] is None
    assert streets[3]["equities"] == [1.0, None, 0.0]


def test_a_hand_that_alone_was_seen_meets_hands_of_any_cards(room: Live) -> None:
    _, (streets,) = asked_of(room, "/api/lab/streets", {"hands": ["AsAh", "", ""], "folded": {"2": "PREFLOP"}})
    assert streets[0]["equities"][0] == pytest.approx(equity(["AsAh", "random", "random"]).hands[0].equity, abs=0.01)


@pytest.mark.parametrize(
    ("path", "option"),
    [
        ("/api/lab/strategy?preset=other", "preset"),
        ("/api/lab/strategy?decks=nine", "decks"),
        ("/api/lab/strategy?decks=9", "decks"),
        ("/api/lab/strategy?double=sometimes", "double"),
        ("/api/lab/strategy?colour=red", "option"),
        ("/api/lab/hand?cards=A&up=T", "cards"),
        ("/api/lab/hand?cards=XY&up=T", "cards"),
        ("/api/lab/hand?cards=TTT&up=T", "cards"),
        ("/api/lab/hand?cards=AT&up=", "up"),
        ("/api/lab/hand?cards=97&up=6&split=8", "cards"),
        ("/api/lab/hand?cards=88&up=6&split=", "split"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_with_what_is_allowed(room: Live, path: str, option: str) -> None:
    status, (refused,) = asked_of(room, path)
    assert status == 400
    assert refused["code"] == "BAD_OPTION"
    assert refused["facts"]["option"] == option


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("equity", {"hands": ["AsKs"]}, "EQUITY_HAND_COUNT"),
        ("equity", {"hands": ["AsKs", "AsQs"]}, "EQUITY_CARD_REPEATED"),
        ("equity", {"hands": ["AsKs", "QQ"], "samples": 0}, "BAD_OPTION"),
        ("equity", {"hands": "AsKs"}, "BAD_OPTION"),
        ("equity", {"hands": ["AsKs", "QQ"], "dead": "x" * 20_000}, "BAD_OPTION"),
        ("streets", {"hands": ["AsKs", "QQ"], "board": "2s"}, "EQUITY_BOARD_COUNT"),
        ("simulation", {"rules": {"peek": True, "original_bets_only": True}}, "OPTIONS_CLASH"),
        ("simulation", {"rules": []}, "BAD_OPTION"),
        ("simulation", {"strategy": "luck"}, "BAD_OPTION"),
        ("simulation", {"rounds": 0}, "BAD_OPTION"),
        ("simulation", {"rounds": "many"}, "BAD_OPTION"),
    ],
)
def test_what_cannot_be_computed_is_refused_in_words(room: Live, path: str, body: object, code: str) -> None:
    status, (refused,) = asked_of(room, f"/api/lab/{path}", body)
    assert (status, refused["code"]) == (400, code)


@pytest.mark.parametrize("path", ["equity", "pushfold", "simulation", "streets", "coach", "solver", "solver/look"])
@pytest.mark.parametrize("body", [b'{"a":' * 2700, b'{"a":' * 2700 + b"1" + b"}" * 2700, b'{"a":"\xff"}', b"", b"["])
def test_a_body_that_cannot_be_read_is_refused_in_words(room: Live, path: str, body: bytes) -> None:
    status, (refused,) = asked_of(room, f"/api/lab/{path}", body)
    assert (status, refused["code"], refused["facts"]["option"]) == (400, "BAD_OPTION", "body")


def test_a_page_of_another_origin_cannot_put_the_lab_to_work(room: Live) -> None:
    """A form or a script from elsewhere may send plain text unasked, but not JSON."""
    status, (refused,) = asked_of(room, "/api/lab/simulation", {"rounds": 1000}, kind="text/plain")
    assert (status, refused["facts"]["allowed"]) == (400, "application/json")


def test_one_address_does_not_take_the_whole_lab(room: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_api, "WAITING_PER_ADDRESS_MAX", 0)
    status, (refused,) = asked_of(room, "/api/lab/strategy?decks=6&peek=false")
    assert (status, refused["code"]) == (429, "LAB_BUSY")


@pytest.mark.skipif(not OOM_SCORE.exists(), reason="the system has no such order")
def test_where_memory_runs_out_the_lab_is_ended_first() -> None:
    script = "from croupier.lab import web_jobs as jobs; jobs.lower_priority(); print(jobs.OOM_SCORE.read_text())"
    told = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == OOM_FIRST


def test_a_process_that_was_ended_from_outside_is_replaced(room: Live) -> None:
    asked_of(room, "/api/lab/strategy?decks=3")
    for child in multiprocessing.active_children():
        child.kill()
        child.join()
    statuses = [asked_of(room, f"/api/lab/strategy?decks={decks}")[0] for decks in (4, 5)]
    assert statuses[-1] == 200
