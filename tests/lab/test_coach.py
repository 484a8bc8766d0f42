"""The coach: hands that were played, street by street, beside what the solver plays."""

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from croupier.cards import Card
from croupier.cli import app
from croupier.games.poker.rules.events import (
    Acted,
    BetReturned,
    HandOver,
    HandStarted,
    HoldemEvent,
    HoleCards,
    Move,
    Post,
    Posted,
    Street,
    StreetDealt,
)
from croupier.lab import coach_jobs
from croupier.lab.coach_jobs import CoachStep
from croupier.lab.poker.coach.default_ranges import default_ranges, position
from croupier.lab.poker.coach.errors import CoachError
from croupier.lab.poker.coach.hand import CoachedHand, CoachRules, read_hand
from croupier.lab.poker.coach.lesson import Decision, Lesson, lesson
from croupier.lab.poker.position_ranges import CALLS, OPENS
from croupier.lab.poker.ranges import parse
from croupier.lab.poker.solver import solve
from croupier.lab.poker.solver.spot import Spot
from tests.library.json_names import assert_camel_case

RULES = CoachRules()
RANGES = "QQ,AK,55,T9s", "JJ,AQ,66,98s"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(text[at : at + 2]) for at in range(0, len(text), 2))


def acted(*moves: str) -> list[HoldemEvent]:
    """`1 bet 50`, `0 call 25 50`: seat, move, chips put in, and what they make on the street if that is more."""
    found: list[HoldemEvent] = []
    for text in moves:
        seat, move, *chips = text.split()
        amount, to = (int(chips[0]), int(chips[-1])) if chips else (0, 0)
        found.append(Acted(int(seat), Move(move.upper()), amount, to))
    return found


def hand(*after: HoldemEvent, stacks: tuple[int, int] = (220, 300), over: bool = True) -> list[HoldemEvent]:
    """Heads-up: the button, seat 0, raises to 20 and is called; the pot is 40."""
    events: list[HoldemEvent] = [
        HandStarted(1, 0, 5, 10, 0, 0, (1, 0), stacks),
        Posted(0, Post.SMALL_BLIND, 5),
        Posted(1, Post.BIG_BLIND, 10),
        HoleCards(0, cards("JsJc")),
        HoleCards(1, cards("AhKh")),
        *acted("0 raise 15 20", "1 call 10 20"),
        *after,
    ]
    return [*events, HandOver((0, 0), (0, 0))] if over else events


FLOP = StreetDealt(Street.FLOP, cards("QsJh2h"))
TURN = StreetDealt(Street.TURN, cards("7c"))
RIVER = StreetDealt(Street.RIVER, cards("3d"))


def river(*moves: str, seen: tuple[int, ...] = (0, 1), over: bool = True) -> list[HoldemEvent]:
    """Three limp in, the third one folds on the turn: seat 1 acts first on the river, and the pot is 30."""
    events: list[HoldemEvent] = [
        HandStarted(1, 0, 5, 10, 0, 0, (1, 2, 0), (100, 100, 100)),
        Posted(1, Post.SMALL_BLIND, 5),
        Posted(2, Post.BIG_BLIND, 10),
        *(HoleCards(seat, cards({0: "JsJc", 1: "AhKh"}[seat])) for seat in seen),
        *acted("0 call 10", "1 call 5 10", "2 check"),
        FLOP,
        *acted("1 check", "2 check", "0 check"),
        TURN,
        *acted("1 check", "2 fold", "0 check"),
        RIVER,
        *acted(*moves),
    ]
    return [*events, HandOver((0, 0, 0), (0, 0, 0))] if over else events


def last(found: CoachedHand, **options: object) -> Lesson:
    reports = list(lesson(found, RANGES, **options))  # type: ignore[arg-type]
    assert [each.ended for each in reports] == [False] * (len(reports) - 1) + [True]
    return reports[-1]


def test_a_heads_up_pot_is_read_with_its_pot_its_smaller_stack_and_every_choice() -> None:
    found = read_hand(hand(FLOP, *acted("1 check", "0 bet 30", "1 raise 90 90", "0 call 60 90"), TURN), RULES)
    assert (found.seats, found.start, found.pot, found.stack) == ((1, 0), 3, 40, 200)
    assert [choice.action for choice in found.choices] == ["check", "bet 30", "raise 90", "call"]
    assert [choice.player for choice in found.choices] == [0, 1, 0, 1]
    assert found.cards == ("AhKh", "JsJc")


def test_chips_above_the_smaller_stack_are_no_part_of_it() -> None:
    events = hand(FLOP, *acted("1 bet 280", "0 call 200"), BetReturned(1, 80), TURN, RIVER)
    found = read_hand(events, RULES)
    assert [choice.action for choice in found.choices] == ["all-in 200", "call"]


def test_later_streets_count_from_what_was_put_in_before() -> None:
    events = hand(FLOP, *acted("1 bet 50", "0 call 50"), TURN, *acted("1 check", "0 bet 150"), *acted("1 fold"))
    found = read_hand(events, RULES)
    assert [choice.action for choice in found.choices] == ["bet 50", "call", "check", "all-in 150", "fold"]


def test_a_third_player_who_folds_on_the_flop_leaves_a_heads_up_turn() -> None:
    events: list[HoldemEvent] = [
        HandStarted(1, 0, 5, 10, 0, 0, (1, 2, 0), (200, 200, 200)),
        Posted(1, Post.SMALL_BLIND, 5),
        Posted(2, Post.BIG_BLIND, 10),
        *acted("0 call 10", "1 call 5 10", "2 check"),
        FLOP,
        *acted("1 check", "2 bet 10", "0 call 10", "1 fold"),
        TURN,
        *acted("2 check", "0 bet 20", "2 fold"),
        HandOver((0, 0, 0), (0, 0, 0)),
    ]
    found = read_hand(events, RULES)
    assert (found.seats, found.start, found.pot, found.stack) == ((2, 0), 4, 50, 180)
    assert [choice.action for choice in found.choices] == ["check", "bet 20", "fold"]
    assert found.cards == ("", "")


@pytest.mark.parametrize(
    ("events", "rules", "code"),
    [
        (hand(*acted("1 check")), RULES, "COACH_NOT_HEADS_UP"),
        (hand(FLOP, TURN, RIVER), RULES, "COACH_NO_CHOICE"),
        (hand(FLOP, *acted("1 check")), CoachRules(hole_cards=4), "COACH_GAME"),
        (hand(FLOP, *acted("1 check")), CoachRules(betting="pot_limit"), "COACH_GAME"),
        (hand(FLOP, *acted("1 check")), CoachRules(pack="short"), "COACH_GAME"),
        ([], RULES, "COACH_EVENTS"),
    ],
)
def test_a_hand_that_cannot_be_coached_is_refused_with_its_reason(
    events: list[HoldemEvent], rules: CoachRules, code: str
) -> None:
    with pytest.raises(CoachError) as caught:
        read_hand(events, rules)
    assert caught.value.refusal.code == code


def test_a_river_choice_gives_away_what_the_solver_says_it_does() -> None:
    """The river alone is the same spot as that of the solver: frequencies, values, and what is lost."""
    events = river("1 check", "0 check")
    found = last(read_hand(events, RULES)).decisions
    assert [each.action for each in found] == ["check", "check"]
    for each in found:
        values = {option.action: option.value for option in each.options}
        best = max(value for value in values.values() if value is not None)
        assert each.lost == pytest.approx(best - values[each.action], abs=1e-9)  # type: ignore[operator]
        assert each.lost_share == pytest.approx(each.lost / each.pot)  # type: ignore[operator]
        assert sum(option.frequency for option in each.options) == pytest.approx(1)  # type: ignore[misc]
    assert [each.hand for each in found] == ["AhKh", "JsJc"]


def test_the_first_street_is_solved_as_the_solver_solves_it() -> None:
    events = hand(FLOP, *acted("1 check", "0 bet 30", "1 fold"), stacks=(60, 60))
    found = last(read_hand(events, RULES))
    raw = Spot(
        "QsJh2h",
        RANGES,
        40,
        40,
        bets="75%",
        raises="2.5x",
        street_bets={"flop": "a,30c,50%,100%"},
        street_raises={"flop": "a,2.5x"},
    )
    solution = solve.prepare(raw, bets_max=3)
    solve.run(solution, target=0.005)
    check = solve.report(solution, "check").root.hands["JsJc"]
    bet = next(each for each in found.decisions if each.action == "bet 30")
    ours = {option.action: option.value for option in bet.options}
    theirs = dict(zip(["check", "bet 20", "bet 30", "all-in 40"], check.values, strict=True))
    assert set(ours) == set(theirs)
    for action, value in theirs.items():
        # The coach has the held hands in the ranges too, which both are; so both solve the same spot.
        assert ours[action] == pytest.approx(value, abs=0.02 * 40)


def test_where_nobody_bet_a_bet_is_weighed_all_the_same_even_with_wide_ranges_and_little_time() -> None:
    events = hand(FLOP, *acted("1 check", "0 check"), stacks=(1000, 1000))
    found = list(lesson(read_hand(events, RULES), ("30%", "30%"), seconds=0.05))[-1].decisions
    assert [[option.action for option in each.options] for each in found] == [["check", "bet 30"]] * 2


def test_a_pure_mistake_is_told_in_chips_and_as_a_share_of_the_pot() -> None:
    """A fold of the nuts for nothing gives away all that they would have won."""
    events = river("1 bet 30", "0 fold")
    fold = last(read_hand(events, RULES)).decisions[-1]
    assert fold.action == "fold"
    assert fold.lost is not None
    assert fold.lost > 0.5 * fold.pot
    assert fold.chosen is not None
    assert fold.chosen.frequency == pytest.approx(0, abs=0.01)


def test_after_a_bet_that_nobody_makes_the_answer_is_to_the_whole_range() -> None:
    """With nothing but air and a little better against a full house, a big bet means nothing; but it was made."""
    events = river("1 check", "0 bet 20", "1 raise 60", "0 fold")
    found = list(lesson(read_hand(events, RULES), ("54s", "JsJc")))[-1].decisions
    raised, answer = found[2], found[3]
    assert raised.chosen is not None
    assert raised.chosen.range_frequency < 0.02
    call = next(option for option in answer.options if option.action == "call")
    assert call.value == pytest.approx(30 + 20 + 60, abs=0.5), "the nuts win the pot and the raise"
    assert answer.lost == pytest.approx(call.value, abs=0.5) or answer.lost > call.value  # type: ignore[operator]


def test_folding_where_one_could_check_is_valued_too() -> None:
    events = river("1 fold")
    fold = last(read_hand(events, RULES)).decisions[-1]
    assert fold.chosen is None
    assert fold.lost == pytest.approx(max(0.0, *(option.value or 0.0 for option in fold.options)))


def test_cards_that_nobody_saw_have_the_frequencies_of_the_range_alone() -> None:
    found = last(read_hand(river("1 check", "0 bet 20", "1 fold", seen=(0,)), RULES))
    by_seat = {seat: [each for each in found.decisions if each.seat == seat] for seat in (0, 1)}
    assert all(each.lost is None and each.hand == "" for each in by_seat[1])
    assert all(each.lost is not None for each in by_seat[0])
    assert set(found.given_away) == {0}


def test_a_hand_outside_of_the_range_is_coached_all_the_same() -> None:
    events = river("1 check", "0 check")
    found = list(lesson(read_hand(events, RULES), ("QQ,55", "66,98s")))[-1]
    assert all(each.lost is not None for each in found.decisions)


def test_an_open_decision_is_advised_and_only_to_the_seat_that_asks() -> None:
    events = river("1 check", seen=(0,), over=False)
    found = last(read_hand(events, RULES), own=0)
    assert {each.seat for each in found.decisions} == {0}
    advice = found.decisions[-1]
    assert (advice.action, advice.lost, advice.street) == ("", None, Street.RIVER)
    assert advice.options[0].value is not None


def test_rake_lowers_what_both_can_win() -> None:
    events = river("1 check", "0 check")
    free, raked = (
        last(read_hand(events, CoachRules(rake_permille=rake))).decisions[-1].options[0].value for rake in (0, 100)
    )
    assert free is not None
    assert raked is not None
    assert raked == pytest.approx(0.9 * free, rel=0.02)


@pytest.mark.parametrize("players", range(2, 10))
def test_every_seat_has_a_position(players: int) -> None:
    order = tuple(range(players))
    found = [position(order, seat) for seat in order]
    assert found[-1] == ("SB" if players == 2 else "BTN")
    assert found[:2] == (["BB", "SB"] if players == 2 else ["SB", "BB"])
    assert found.count("UTG") == max(0, players - 5)


def test_default_ranges_follow_position_and_the_betting_before_the_flop() -> None:
    found = default_ranges(read_hand(hand(FLOP, *acted("1 check")), RULES))
    assert found == (CALLS["BB", "SB"], OPENS["SB"])
    assert all(parse(each).weights for each in found)


def test_a_worker_steps_through_a_lesson_and_forgets_it() -> None:
    events = river("1 check", "0 check")
    asked = msgspec.json.encode({"rules": {}, "events": events, "ranges": RANGES})
    step = coach_jobs.begin("one", asked)
    count = 1
    while isinstance(step, CoachStep) and not step.ended:
        step = coach_jobs.following("one")
        count += 1
    assert isinstance(step, CoachStep)
    found = msgspec.json.decode(step.line)
    assert len(found["decisions"]) == 2
    assert count > 1
    assert coach_jobs.following("one") is None
    assert coach_jobs.following("another") is None


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A hand as PHH, which everybody knows."""
    file = tmp_path / "hand.phh"
    file.write_text(
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [5, 10]\nmin_bet = 10\nstarting_stacks = [60, 60]\n'
        'actions = ["d dh p1 AhKh", "d dh p2 JhJc", "p2 cbr 20", "p1 cc", "d db QsJs2h", "p1 cc", "p2 cbr 40",'
        ' "p1 f"]\n',
        encoding="utf-8",
    )
    return file


def coach(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["replay", *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_replay_tells_what_the_solution_plays_and_what_was_given_away(record: Path) -> None:
    code, out, err = coach(str(record), "--coach", "--ranges", *RANGES, "--no-equity", "--coach-seconds", "20")
    assert code == 0, err
    assert "Coach (Flop, " in out
    assert "gave away" in out
    assert f"Coach: ranges {RANGES[0]} | {RANGES[1]}" in out


def test_replay_s_json_has_the_decision_beside_the_move(record: Path) -> None:
    code, out, err = coach(str(record), "--coach", "--ranges", *RANGES, "--json", "--no-equity")
    assert code == 0, err
    lines = [json.loads(line) for line in out.splitlines()]
    decisions = [line["coach"] for line in lines if "coach" in line]
    for line in lines:
        assert_camel_case(line)
    assert [each["action"] for each in decisions] == ["check", "all-in 40", "fold"]
    assert [each["seat"] for each in decisions] == [line["seat"] for line in lines if "coach" in line]
    total = sum(each["lost"] for each in decisions if each["seat"] == 0)
    assert lines[-1]["givenAway"]["0"] == pytest.approx(total)
    assert lines[-1]["ranges"] == list(RANGES)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--ranges", "QQ", "JJ"], "--ranges"),
        (["--coach-seconds", "3"], "--coach-seconds"),
        (["--coach", "--coach-seconds", "0"], "0.0"),
        (["--coach", "--ranges", "QQ", "ZZ"], "ZZ"),
    ],
)
def test_bad_options_are_named(record: Path, arguments: list[str], named: str) -> None:
    code, _, err = coach(str(record), *arguments)
    assert code == 2
    assert named in err


def test_what_is_valued_adds_up(record: Path) -> None:
    """Every decision names an option or folds for nothing; frequencies of the range add up to 1."""
    decisions: tuple[Decision, ...] = last(read_hand(river("1 check", "0 check"), RULES)).decisions
    for each in decisions:
        assert sum(option.range_frequency for option in each.options) == pytest.approx(1)
        assert each.chosen is not None
