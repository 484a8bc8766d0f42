"""The solver over HTTP: its figures, how far a solve may go, and that it never works in the server's own process."""

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from croupier.assembly import solver_api
from croupier.lab.poker.position_ranges import position_ranges, pots
from croupier.lab.poker.ranges import parse
from croupier.lab.poker.solver.solve import Solution, prepare, report, run
from croupier.lab.poker.solver.spot import Spot
from croupier.lab.poker.solver.walk import card_figures
from tests.assembly.asking import asked_of
from tests.server.live import Live

OOP, IP = "QQ,AK,55,T9s,KQ,J8s,A5s", "JJ,AQ,66,KTs,QT,98s,A2s"
RIVER = {"board": "QsJh2h7c3d", "ranges": [OOP, IP], "pot": 100, "stack": 200, "target": 0.001}
TURN = {**RIVER, "board": "QsJh2h7c", "bets": "50%", "raises": "", "target": 0.01}
LONG = {
    **RIVER,
    "board": "QsJh2h",
    "ranges": ["22+,A2s+,KTs+", "22+,A2s+,KTs+"],
    "bets": "100%",
    "raises": "",
    "target": 0,
}
SOON_SECONDS = 60.0


def _solved(room: Live, question: dict[str, Any]) -> list[Any]:
    status, lines = asked_of(room, "/api/lab/solver", question)
    assert status == 200, lines
    return lines


def _look(room: Live, study: str, path: str = "", **more: Any) -> tuple[int, Any]:
    status, (found,) = asked_of(room, "/api/lab/solver/look", {"study": study, "path": path, **more})
    return status, found


def _own(question: dict[str, Any]) -> Solution:
    """The same spot, solved here."""
    fields = {name: question[name] for name in ("board", "pot", "stack", "bets", "raises") if name in question}
    solution = prepare(Spot(ranges=tuple(question["ranges"]), **fields))
    run(solution, target=question["target"])
    return solution


def _soon(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + SOON_SECONDS
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def _kept(room: Live) -> tuple[solver_api.Kept, ...]:
    """The solutions that the server keeps."""
    return next(annex for annex in room.server._annexes if isinstance(annex, solver_api.SolverApi)).kept


def _solvers() -> list[Any]:
    return [child for child in multiprocessing.active_children() if child.name == "croupier-solver"]


def test_a_solve_tells_how_far_it_is_and_every_point_has_the_solver_s_own_figures(room: Live) -> None:
    lines = _solved(room, RIVER)
    own = _own(RIVER)
    assert lines[0]["memoryBytes"] == own.memory_bytes
    assert lines[0]["iterations"] == 0
    assert [line["ended"] for line in lines] == [""] * (len(lines) - 1) + ["target"]
    assert lines[-1]["iterations"] == own.iterations
    assert lines[-1]["exploitability"] == pytest.approx(own.exploitability)
    for path in ("", "check", "Check, BET 50", "check,all-in 200", "check,bet 50,all-in 200"):
        status, view = _look(room, lines[0]["study"], path)
        expected = report(own, path)
        assert status == 200
        assert view["player"] == expected.root.player
        assert view["pot"] == expected.root.pot
        assert [each["action"] for each in view["actions"]] == [each.action for each in expected.root.actions]
        shares = [each["frequency"] for each in view["actions"]]
        assert shares == pytest.approx([each.frequency for each in expected.root.actions])
        for shown, player in zip(view["players"], expected.players, strict=True):
            assert (shown["ev"], shown["equity"]) == pytest.approx((player.ev, player.equity), abs=1e-5)
        acting = view["players"][("OOP", "IP").index(view["player"])]["hands"]
        assert set(acting) == set(expected.root.hands)
        for name, hand in expected.root.hands.items():
            assert acting[name] == pytest.approx([hand.weight, hand.ev, hand.equity], abs=1e-5)
            assert view["choices"][name] == [
                pytest.approx(hand.strategy, abs=1e-5),
                pytest.approx(hand.values, abs=1e-5),
            ]


def test_the_way_names_every_step_with_its_actions(room: Live) -> None:
    (*_, last) = _solved(room, {**TURN, "seconds": 5})
    _, view = _look(room, last["study"], "check,Bet 50,call,ah,check")
    assert view["path"] == "check,bet 50,call,Ah,check"
    assert [step["player"] for step in view["way"]] == ["OOP", "IP", "OOP", "", "OOP"]
    assert [step["pot"] for step in view["way"]] == [100, 100, 150, 200, 200]
    assert view["board"] == "QsJh2h7cAh"
    assert view["way"][3]["actions"] == []
    assert [each["action"] for each in view["way"][2]["actions"]] == ["fold", "call"]
    _, over = _look(room, last["study"], "bet 50,fold")
    assert (over["kind"], over["pot"], over["choices"]) == ("end", 150, {})
    assert [player["ev"] for player in over["players"]] == pytest.approx([150, 0], abs=50.1)
    assert sum(player["ev"] for player in over["players"]) == pytest.approx(150)


def test_the_cards_that_may_come_have_the_solver_s_own_figures(room: Live) -> None:
    (*_, last) = _solved(room, TURN)
    own = _own(TURN)
    _, dealt = _look(room, last["study"], "check,check")
    assert dealt["kind"] == "deal"
    status, cards = _look(room, last["study"], "check,check", cards=True)
    expected = card_figures(own.solver, own.case, "check,check")
    assert status == 200
    assert [card["card"] for card in cards] == [figures.card for figures in expected]
    for card, figures in zip(cards, expected, strict=True):
        assert card["ev"] == pytest.approx(figures.ev)
        assert card["equity"] == pytest.approx(figures.equity)
        assert sum(card["ev"]) == pytest.approx(100)


def test_a_lock_holds_and_the_new_solution_takes_the_place_of_the_old(room: Live) -> None:
    (*_, last) = _solved(room, RIVER)
    before = len(_solvers())
    lock = {"path": "", "hands": "AK", "frequencies": {"check": 0.25, "bet 50": 0.75}}
    (*_, again) = _solved(room, {**RIVER, "study": last["study"], "locks": [lock]})
    assert again["study"] == last["study"]
    assert len(_solvers()) == before
    _, view = _look(room, last["study"])
    names = [each["action"] for each in view["actions"]]
    share = dict(zip(names, view["choices"]["AsKs"][0], strict=True))
    assert share == pytest.approx({"check": 0.25, "bet 50": 0.75, "bet 100": 0, "all-in 200": 0})


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"seconds": 0}, "BAD_OPTION"),
        ({"seconds": 121}, "BAD_OPTION"),
        ({"target": 1.5}, "BAD_OPTION"),
        ({"target": "low"}, "BAD_OPTION"),
        ({"colour": "red"}, "BAD_OPTION"),
        ({"ranges": ["AA"]}, "BAD_OPTION"),
        ({"ranges": ["AA," * 30_000, "KK"]}, "BAD_OPTION"),
        ({"board": "QsJh"}, "SOLVE_BOARD"),
        ({"board": "QsQsJh"}, "EQUITY_CARD_REPEATED"),
        ({"ranges": ["AKx", "KK"]}, "RANGE_UNREADABLE"),
        ({"pot": 0}, "SOLVE_CHIPS"),
        ({"bets": "huge"}, "SOLVE_SIZE"),
        ({"rake": "lots"}, "SOLVE_RAKE"),
        ({"streetBets": {"flop": "50%"}}, "SOLVE_STREET_PAST"),
        ({"locks": [{"path": "", "frequencies": {"check": 0.5}}]}, "SOLVE_LOCK_SUM"),
        ({"board": "QsJh2h", "ranges": ["random", "random"]}, "SOLVER_MEMORY"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_what_is_allowed(room: Live, changed: dict[str, Any], code: str) -> None:
    status, (refused,) = asked_of(room, "/api/lab/solver", {**RIVER, **changed})
    assert (status, refused["code"]) == (400, code)


def test_the_memory_that_is_needed_is_told_before_the_work_begins(room: Live) -> None:
    wide = {**RIVER, "board": "QsJh2h", "ranges": ["random", "random"]}
    _, (refused,) = asked_of(room, "/api/lab/solver", wide)
    assert refused["facts"]["limit"] == f"{solver_api.MEMORY_MAX / 1e6:,.0f} MB"
    assert int(refused["facts"]["needed"].removesuffix(" MB").replace(",", "")) > 1000
    assert "--" not in refused["message"], "the page has no command line"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("call", "SOLVE_PATH_ACTION"),
        ("check,check,7s", "SOLVE_PATH_OVER"),
        ("check," * 300, "SOLVE_PATH_LONG"),
        ("x" * 3000, "BAD_OPTION"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(room: Live, path: str, code: str) -> None:
    (*_, last) = _solved(room, RIVER)
    status, refused = _look(room, last["study"], path)
    assert (status, refused["code"]) == (400, code)


def test_one_address_has_one_solve_at_a_time_and_who_goes_away_stops_it(room: Live) -> None:
    question = Request(room.link + "/api/lab/solver", json.dumps(LONG).encode(), {"content-type": "application/json"})
    with closing(urlopen(question)) as stream:
        first = json.loads(stream.readline())
        status, (refused,) = asked_of(room, "/api/lab/solver", RIVER)
        assert (status, refused["code"]) == (429, "SOLVER_BUSY")
        status, view = _look(room, first["study"])
        assert (status, view["player"]) == (200, "OOP"), "one may look while it is solved"
    _soon(lambda: asked_of(room, "/api/lab/solver", RIVER)[0] == 200)
    _, early = _look(room, first["study"])
    _, later = _look(room, first["study"])
    assert early["iterations"] == later["iterations"], "it is kept as it was left, and goes on no further"


def test_the_solution_that_rests_longest_gives_way(room: Live) -> None:
    studies = [_solved(room, RIVER)[0]["study"] for _ in range(2)]
    assert _look(room, studies[0])[0] == 200
    _solved(room, RIVER)
    assert _look(room, studies[0])[0] == 200, "the other one rested longer"
    status, refused = _look(room, studies[1])
    assert (status, refused["code"]) == (404, "SOLVER_GONE")
    _soon(lambda: len(_solvers()) <= solver_api.SOLUTIONS_PER_ADDRESS_MAX + 1)


def test_a_solution_that_nobody_looks_at_is_put_away(room: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    study = _solved(room, RIVER)[0]["study"]
    monkeypatch.setattr(solver_api, "IDLE_SECONDS_MAX", 0.05)
    _look(room, study)
    _soon(lambda: not any(each.name == study for each in _kept(room)))
    assert _look(room, study)[1]["code"] == "SOLVER_GONE"


def test_a_solution_is_put_away_when_its_owner_says_so(room: Live) -> None:
    study = _solved(room, RIVER)[0]["study"]
    assert asked_of(room, "/api/lab/solver/end", {"study": study})[0] == 200
    assert _look(room, study)[0] == 404
    assert asked_of(room, "/api/lab/solver/end", {"study": study})[0] == 200


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
def test_the_work_is_done_in_a_process_that_gives_way_and_cannot_take_all_memory(room: Live) -> None:
    _solved(room, RIVER)
    pids = [solver.pid for solver in _solvers()]
    assert pids
    for pid in pids:
        assert pid != os.getpid()
        assert os.getpriority(os.PRIO_PROCESS, pid) >= os.getpriority(os.PRIO_PROCESS, 0) + 1
        limits = Path(f"/proc/{pid}/limits").read_text()
        data = next(line for line in limits.splitlines() if line.startswith("Max data size"))
        assert int(data.split()[3]) <= solver_api.MEMORY_MAX + 2_000_000_000


def test_a_process_that_was_ended_from_outside_is_replaced(room: Live) -> None:
    study = _solved(room, RIVER)[0]["study"]
    for solver in _solvers():
        solver.kill()
    _soon(lambda: _look(room, study)[0] in (404, 503))
    assert _solved(room, {**RIVER, "study": study})[-1]["ended"] == "target"


def test_usual_ranges_can_be_read_and_usual_pots_add_up(room: Live) -> None:
    _, (known,) = asked_of(room, "/api/lab/ranges")
    assert len(known["ranges"]) == len(position_ranges())
    assert len(known["order"]) == 169
    for each in position_ranges():
        assert 0.03 < sum(parse(each.range).weights.values()) / 1326 < 0.55
    for pot in pots():
        assert {pot.raiser} <= {pot.oop, pot.ip}
        blinds = sum({"SB": 5, "BB": 10}[seat] for seat in ("SB", "BB") if seat not in (pot.oop, pot.ip))
        assert pot.pot == 2 * (1000 - pot.stack) + blinds
