"""The Hold'em solver against known games, a linear program and a plain twin."""

import io
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from croupier.cards import PACK, Card
from croupier.lab.poker.ranges import EquityError, parse
from croupier.lab.poker.solver.betting import Kind
from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.solve import Solution, load, prepare, report, run
from croupier.lab.poker.solver.solver import Solver
from croupier.lab.poker.solver.spot import PLAYERS, Lock, Spot
from croupier.lab.poker.solver.study import Study
from croupier.lab.poker.solver.walk import card_figures, walk
from tests.lab.plain_holdem import PlainSolver, PlainSpot, State, best_value
from tests.lab.small_games import kuhn, leduc

RIVER = Spot("QsJh2h7c3d", ("QQ,AK,T9s,55,JTs", "JJ,AQ,98s,66,KQs"), 100, 200, bets="50%,100%", raises="2.5x,a")
SUITED_FLOP = Spot("QsJs2s", ("AA,KK,Q2o", "JJ,TT"), 20, 20, bets="a", raises="")
TURN = Spot("QsJh2h7c", ("QQ,AhKh,Ts9s,5c5d", "JJ,AsQd,9h8h,6c6d"), 100, 150, bets="75%", raises="a")


def solved(spot: Spot, target: float = 0.0005, compact: bool = False) -> Solution:
    solution = prepare(spot, compact=compact)
    run(solution, target=target, seconds=60)
    assert solution.exploitability <= target
    return solution


def test_kuhn_poker_is_worth_minus_one_eighteenth() -> None:
    solver = kuhn()
    solver.iterate(3000)
    assert solver.exploitability() < 1e-4
    assert solver.expected(0, best=False) - 1 == pytest.approx(-1 / 18, abs=2e-4)
    # The jack is never called with, and the king always is.
    call = solver.strategy(
        0,
        0,
        int(
            solver.layout.places[
                next(
                    place
                    for place, node in enumerate(solver.nodes)
                    if node.kind is Kind.DECISION and node.actions == ("fold", "call") and node.player == 1
                )
            ]
        ),
    )[1]
    assert call[:3] == pytest.approx([0, 1 / 3, 1], abs=0.02)


@pytest.mark.parametrize("exchange", [False, True])
def test_leduc_poker_has_its_known_value(exchange: bool) -> None:
    solver = leduc(exchange=exchange)
    solver.iterate(2000)
    assert solver.exploitability() < 2e-3
    assert solver.expected(0, best=False) - 1 == pytest.approx(-0.0856, abs=2e-3)


def linear_program(solver: Solver) -> float:
    """Player 0's value of a river spot by sequence-form linear programming, from the tree and a plain payoff table."""
    nodes, dealt = solver.nodes, solver.deal
    counts = [int(dealt.hands[player]) for player in (0, 1)]
    sequences: list[dict[tuple[int, int, int], int]] = [{}, {}]

    def sequence(place: int, player: int) -> tuple[int, int] | None:
        """The player's last action before a node, as node and action."""
        while nodes[place].parent >= 0:
            above = nodes[place].parent
            if nodes[above].player == player:
                return above, nodes[above].children.index(place)
            place = above
        return None

    for player in (0, 1):
        for place, node in enumerate(nodes):
            if node.kind is Kind.DECISION and node.player == player:
                for action in range(len(node.actions)):
                    for hand in range(counts[player]):
                        sequences[player][place, action, hand] = len(sequences[player])
    sizes = [len(each) for each in sequences]
    ranks = [np.zeros(count) for count in counts]
    for player in (0, 1):
        ranks[player][dealt.order[0, player, : counts[player]]] = dealt.ranks[0, player, : counts[player]]
    # The payoff is bilinear in both plans; a plan begins with the constant 1.
    table = np.zeros((sizes[0] + 1, sizes[1] + 1))
    for place, node in enumerate(nodes):
        if node.kind not in (Kind.FOLD, Kind.SHOWDOWN):
            continue
        pot = solver.betting.pot + 2 * node.matched
        last = [sequence(place, player) for player in (0, 1)]
        for one in range(counts[0]):
            for other in range(counts[1]):
                weight = solver.meet[one, other] * dealt.weights[0, one] * dealt.weights[1, other]
                if node.kind is Kind.FOLD:
                    share = float(node.player == 1)
                else:
                    share = (np.sign(ranks[0][one] - ranks[1][other]) + 1) / 2
                rows = [
                    sequences[player][(*last[player], hand)] if last[player] else sizes[player]  # type: ignore[misc]
                    for player, hand in ((0, one), (1, other))
                ]
                table[rows[0], rows[1]] += weight * (pot * share - node.matched)

    def plan_rules(player: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Each decision shares out what leads to it."""
        rows, right = [], []
        for place, node in enumerate(nodes):
            if node.kind is Kind.DECISION and node.player == player:
                for hand in range(counts[player]):
                    row = np.zeros(sizes[player] + 1)
                    for action in range(len(node.actions)):
                        row[sequences[player][place, action, hand]] = 1
                    before = sequence(place, player)
                    row[sequences[player][(*before, hand)] if before else sizes[player]] -= 1
                    rows.append(row)
                    right.append(0.0)
        first = np.zeros(sizes[player] + 1)
        first[-1] = 1
        return np.array([*rows, first]), np.array([*right, 1.0])

    own, own_right = plan_rules(0)
    theirs, their_right = plan_rules(1)
    # max over x of min over y of x'Ay, by the dual of y: max f'v subject to F'v <= A'x.
    cost = np.concatenate([np.zeros(sizes[0] + 1), -their_right])
    upper = np.hstack([-table.T, theirs.T])
    equal = np.hstack([own, np.zeros((len(own), len(theirs)))])
    bounds = [(0, None)] * (sizes[0] + 1) + [(None, None)] * len(theirs)
    found = linprog(cost, upper, np.zeros(len(upper)), equal, own_right, bounds, method="highs")
    assert found.status == 0
    return -float(found.fun) / solver.total


@pytest.mark.parametrize(
    "spot",
    [
        Spot("QsJh2h7c3d", ("QQ:0.5,AhKh,Ts9s,5c5d", "JJ,AsQd:0.25,9h8h,6c6d"), 100, 200, "50%,a", "a"),
        Spot("2c2d2hAsKs", ("AhKh,QcQd,7h6h", "AdKd,JcJd,7h6h,QcQh"), 7, 31, "33%,150%", "3x"),
        Spot("AsKsQsJsTs", ("2c2d,3c4d", "2c3d,5h5d"), 10, 20, "50%", "a"),
    ],
)
def test_a_river_equals_the_linear_program(spot: Spot) -> None:
    solution = solved(spot, target=2e-5)
    exact = linear_program(solution.solver)
    assert solution.solver.expected(0, best=False) == pytest.approx(exact, abs=1e-4 * spot.pot)


def plain(spot: Spot, bets: tuple[Fraction | None, ...], raises: tuple[Fraction | None, ...]) -> PlainSpot:
    board = tuple(Card(spot.board[place : place + 2]) for place in range(0, len(spot.board), 2))
    ranges = [
        {pair: weight for pair, weight in parse(text).weights.items() if not set(board) & set(pair)}
        for text in spot.ranges
    ]
    return PlainSpot(board, (ranges[0], ranges[1]), spot.pot, spot.stack, bets, raises)


def solved_strategy(solution: Solution):  # type: ignore[no-untyped-def]
    """The fast solver's average strategy, in the plain solver's terms."""
    known: dict[str, dict[str, tuple[float, ...]]] = {}

    def strategy(hand: tuple[Card, Card], state: State, names: list[str]) -> dict[str, float]:
        path = state.history.strip("/").replace("/", ",")
        if path not in known:
            found = report(solution, path).root
            assert [each.action for each in found.actions] == names
            known[path] = {name: figures.strategy for name, figures in found.hands.items()}
        return dict(zip(names, known[path]["".join(map(str, hand))], strict=True))

    return strategy


def test_a_river_equals_the_plain_twin_and_so_does_its_exploitability() -> None:
    spot = Spot("QsJh2h7c3d", ("QQ,AhKh,Ts9s", "JJ,AsQd,9h8h"), 100, 90, bets="50%,a", raises="a")
    solution = prepare(spot)
    run(solution, target=0.002)
    case = plain(spot, (Fraction(1, 2), None), (None,))
    slow = PlainSolver(case)
    slow.iterate(150)
    assert slow.exploitability() < 0.01
    assert solution.solver.expected(0, best=False) == pytest.approx(
        (slow.best(0) + spot.pot - slow.best(1)) / 2, abs=0.006 * spot.pot
    )
    strategy = solved_strategy(solution)
    gains = []
    for player in (0, 1):
        total = won = 0.0
        for hand, weight in case.ranges[player].items():
            rivals = {o: w for o, w in case.ranges[1 - player].items() if not set(hand) & set(o)}
            won += weight * best_value(case, player, hand, rivals, State(case.board), strategy)
            total += weight * sum(rivals.values())
        gains.append(won / total)
        assert solution.solver.expected(player, best=True) == pytest.approx(won / total, abs=1e-4)
    assert solution.exploitability == pytest.approx((sum(gains) - spot.pot) / 2 / spot.pot, abs=1e-6)


def test_best_responses_on_the_turn_equal_those_of_the_plain_twin() -> None:
    spot = Spot("QsJh2h7c", ("AhKh,5c5d", "JdJc,9h8h"), 10, 9, bets="75%", raises="a")
    solution = prepare(spot)
    solution.solver.iterate(7)
    case, strategy = plain(spot, (Fraction(3, 4),), (None,)), solved_strategy(solution)
    for player in (0, 1):
        total = won = 0.0
        for hand, weight in case.ranges[player].items():
            rivals = {o: w for o, w in case.ranges[1 - player].items() if not set(hand) & set(o)}
            won += weight * best_value(case, player, hand, rivals, State(case.board), strategy)
            total += weight * sum(rivals.values())
        assert solution.solver.expected(player, best=True) == pytest.approx(won / total, abs=1e-4)


SMALL_RANGES = st.lists(
    st.sampled_from(["QQ", "AKs", "T9s:0.5", "55", "A5o:0.3", "76s", "KK", "22", "J8s"]), min_size=1, max_size=4
).map(",".join)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    board=st.permutations(PACK).map(lambda cards: "".join(map(str, cards[:5]))),
    ranges=st.tuples(SMALL_RANGES, SMALL_RANGES),
    pot=st.integers(1, 50),
    stack=st.integers(1, 120),
    bets=st.sampled_from(["50%", "33%,120%", "a", "5c,a", ""]),
    raises=st.sampled_from(["2.5x", "60%", "a", "3x,a", ""]),
    compact=st.booleans(),
)
def test_any_river_is_zero_sum_and_gets_less_exploitable(
    board: str, ranges: tuple[str, str], pot: int, stack: int, bets: str, raises: str, compact: bool
) -> None:
    try:
        solution = prepare(Spot(board, ranges, pot, stack, bets=bets, raises=raises), compact=compact)
    except ValueError:
        return  # ranges that the board or each other make impossible
    solver = solution.solver
    solver.iterate(1)
    early = solver.exploitability()
    solver.iterate(400)
    late = solver.exploitability()
    assert -1e-6 <= late <= max(early, 0.002)
    assert late < 0.02
    evs = [solver.expected(player, best=False) for player in (0, 1)]
    assert sum(evs) == pytest.approx(pot, abs=1e-4 * pot)
    for place, player in zip(report(solution).players, (0, 1), strict=True):
        assert place.ev == pytest.approx(evs[player], abs=1e-6 * pot)


def test_suits_relabelled_give_the_same_answer() -> None:
    ranges = "QQ,AhKh,Ts9s,5c5d,T8s", "JJ,AsQd,9h8h,6c6d,87s"
    relabelled = str.maketrans("cdhs", "hscd")
    one = Spot("QsJh2h7c", ranges, 100, 150, bets="75%", raises="a")
    other = Spot(
        one.board.translate(relabelled),
        tuple(_relabel(text) for text in ranges),
        100,
        150,
        bets="75%",
        raises="a",
    )  # type: ignore[arg-type]
    for iterations, close in ((5, 0.001), (200, 0.5)):
        found = []
        for spot in (one, other):
            solution = prepare(spot)
            solution.solver.iterate(iterations)
            found.append(report(solution))
        assert found[0].players[0].ev == pytest.approx(found[1].players[0].ev, abs=close / 10)
        hands = found[1].root.hands
        for name, hand in found[0].root.hands.items():
            assert hand.equity == pytest.approx(hands[_name(name)].equity, abs=1e-9)
            # Rounding differs with the order of hands, and grows until both are near equilibrium.
            assert hand.ev == pytest.approx(hands[_name(name)].ev, abs=close)


def _relabel(text: str) -> str:
    """Exchange the suits of cards, not the s and o of shapes."""
    words = []
    for word in text.split(","):
        exact = len(word) == 4 and word[1] in "cdhs" and word[3] in "cdhs"
        words.append("".join(_moved(word[place : place + 2]) for place in (0, 2)) if exact else word)
    return ",".join(words)


def _moved(card: str) -> str:
    return card[0] + card[1].translate(str.maketrans("cdhs", "hscd"))


def _name(hand: str) -> str:
    cards = sorted((Card(_moved(hand[:2])), Card(_moved(hand[2:]))), key=lambda card: -card.number)
    return "".join(map(str, cards))


def test_isomorphic_suits_are_dealt_once_and_change_nothing() -> None:
    spot = Spot("QsJh2h", ("QQ,AK,T9s", "JJ,AQs,98s"), 20, 20, bets="a", raises="")
    whole = Spot("QsJh2h", ("QQ,AK,T9s,5c4c:0.00000000000000000001", "JJ,AQs,98s"), 20, 20, bets="a", raises="")
    folded, full = prepare(spot), prepare(whole)
    assert len(folded.solver.deal.alive) < len(full.solver.deal.alive) * 0.7
    # Few iterations: rounding differs with the order of sums, and grows until both are near equilibrium.
    for solution in (folded, full):
        solution.solver.iterate(3)
    assert folded.solver.expected(0, best=False) == pytest.approx(full.solver.expected(0, best=False), abs=1e-3)
    assert folded.solver.exploitability() == pytest.approx(full.solver.exploitability(), abs=1e-4)
    # Diamonds are solved as clubs: the hands come back under their own names.
    path = "check,check,7d"
    twins, hands = (report(solution, path).root.hands for solution in (folded, full))
    assert set(hands) - set(twins) == {"5c4c"}
    for name, twin in twins.items():
        assert hands[name].equity == pytest.approx(twin.equity, abs=1e-4)
        assert hands[name].ev == pytest.approx(twin.ev, abs=0.01)


def test_dominated_actions_vanish() -> None:
    """The nuts never fold, and a hand that cannot win never calls."""
    shoves = (Lock("", {"all-in 100": 1.0}),)
    weak = Spot("AsKsQsJs2d", ("3c3d,4c4d", "Ts9s,2c2h"), 100, 100, bets="a", raises="", locks=shoves)
    nuts = report(solved(weak), "all-in 100").root.hands["Ts9s"]
    assert nuts.strategy[1] > 0.999
    assert nuts.ev == pytest.approx(200, abs=0.2)
    strong = Spot("AsKsQsJs2d", ("Ts9s,Ts8s", "5c5d,6c6d"), 100, 100, bets="a", raises="", locks=shoves)
    for hand in report(solved(strong), "all-in 100").root.hands.values():
        assert hand.strategy[0] > 0.999


def test_an_ev_at_a_node_counts_from_there_on() -> None:
    solution = solved(RIVER, 0.002)
    facing = report(solution, "bet 50").root
    assert facing.pot == 150
    for hand in facing.hands.values():
        assert hand.values[0] == pytest.approx(0, abs=1e-9)
        assert hand.ev == pytest.approx(np.dot(hand.strategy, hand.values), abs=1e-6)
    evs = [each.ev for each in report(solution, "bet 50").players]
    assert sum(evs) == pytest.approx(150, abs=1e-6)


def test_what_can_never_be_is_worth_nothing() -> None:
    """A hand that the opponent's range blocks, and a point that the opponent never reaches."""
    never = (Lock("check", {"check": 1.0}),)
    spot = Spot("QsJh2h7c3d", ("QQ,AK", "QhQd"), 100, 200, bets="50%", raises="a", locks=never)
    solution = solved(spot)
    blocked = report(solution).root.hands["QhQc"]
    assert (blocked.ev, blocked.equity, set(blocked.values)) == (0, 0, {0})
    unreached = report(solution, "check,bet 50,all-in 200")
    assert [(each.ev, each.equity) for each in unreached.players] == [(0, 0), (0, 0)]
    assert {each.ev for each in report(solution, "check,bet 50").root.hands.values()} == {0}


def test_rake_is_taken_from_every_pot_without_the_uncalled_bet() -> None:
    spot = Spot("AsKsQsJs2d", ("Ts9s", "3c3d"), 100, 100, bets="a", raises="", rake="5%,3")
    solution = solved(spot)
    assert sum(each.ev for each in report(solution).players) == pytest.approx(97)
    uncapped = solved(Spot("AsKsQsJs2d", ("Ts9s", "3c3d"), 100, 100, bets="a", raises="", rake="5%"))
    assert report(uncapped).players[0].ev == pytest.approx(95, abs=0.1)


def test_locks_hold_and_the_rest_answers_them() -> None:
    lock = Lock("", {"check": 0.0, "all-in 100": 1.0}, "3c3d")
    spot = Spot("AsKsQsJs2d", ("Ts9s,3c3d", "4c4d"), 100, 100, bets="a", raises="")
    free, held = solved(spot), solved(Spot(spot.board, spot.ranges, 100, 100, bets="a", raises="", locks=(lock,)))
    assert report(held).root.hands["3d3c"].strategy == pytest.approx((0, 1), abs=1e-6)
    assert report(free).root.hands["3d3c"].strategy[1] == pytest.approx(0.5, abs=0.05)
    # Half the bets are bluffs now: calling 100 to win 200 is better than folding.
    assert report(held, "all-in 100").root.hands["4d4c"].strategy[1] > 0.99


def test_locks_hold_on_later_streets_and_in_16_bits() -> None:
    lock = Lock("check,check,7d", {"check": 1.0})
    solution = prepare(Spot("QsJh2h7c", TURN.ranges, 100, 150, bets="75%", raises="a", locks=(lock,)), compact=True)
    solution.solver.iterate(30)
    for hand in report(solution, "check,check,7d").root.hands.values():
        assert hand.strategy[0] == pytest.approx(1, abs=1e-3)
    assert any(hand.strategy[0] < 0.9 for hand in report(solution, "check,check,7h").root.hands.values())


def test_compact_numbers_find_the_same_values() -> None:
    full, compact = solved(TURN, 0.002), solved(TURN, 0.002, compact=True)
    assert compact.memory_bytes < full.memory_bytes
    assert compact.solver.expected(0, best=False) == pytest.approx(full.solver.expected(0, best=False), abs=0.5)


def test_results_do_not_depend_on_the_run() -> None:
    found = []
    for _ in range(2):
        solution = prepare(TURN)
        solution.solver.iterate(20)
        found.append(solution.solver.numbers.regrets.copy())
    assert np.array_equal(*found)


def test_a_saved_solution_goes_on_where_it_was(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "turn.npz"
    solution = prepare(TURN)
    solution.solver.iterate(12)
    solution.save(path)
    opened = load(path)
    assert opened.iterations == 12
    assert opened.case.spot == TURN
    for each in (solution, opened):
        each.solver.iterate(5)
    assert np.array_equal(solution.solver.numbers.regrets, opened.solver.numbers.regrets)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A solution as it is saved: a flop, on which suits can be alike."""
    path = tmp_path_factory.mktemp("kept") / "flop.npz"
    solution = prepare(SUITED_FLOP)
    solution.solver.iterate(2)
    solution.save(path)
    return path.read_bytes()


def opened(tmp_path: Path, content: bytes, **options: Any) -> Solution:
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    return load(path, **options)


def archived(kept: bytes, **changed: NDArray[Any]) -> bytes:
    """The same archive with other arrays."""
    file = io.BytesIO()
    np.savez(file, **{**np.load(io.BytesIO(kept)), **changed})
    return file.getvalue()


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18), b"no archive at all", b"\x93NUMPY\x01\x00"])
def test_a_file_that_is_no_solution_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(SolveError, match=r"bad\.npz"):
        opened(tmp_path, content)


def test_a_file_that_was_damaged_is_refused_or_opens(tmp_path: Path) -> None:
    """Whatever is wrong with it, there is no other exception. Most damage is found by the archive's sums."""
    solution = prepare(Spot("AsKsQsJs2d", ("Ts9s,3c3d", "4c4d"), 100, 100, bets="a", raises=""))
    solution.save(tmp_path / "kept.npz")
    kept, chance, refused = (tmp_path / "kept.npz").read_bytes(), random.Random(5), 0
    names = [kept.find(b"NUMPY", kept.find(name)) for name in (b"header.npy", b"regrets.npy", b"average.npy")]
    for _ in range(150):
        damaged = bytearray(kept)
        first = chance.choice([*names, len(kept) - 300])
        for _ in range(chance.choice((1, 5))):
            damaged[min(first + chance.randrange(300), len(kept) - 1)] = chance.randrange(256)
        try:
            opened(tmp_path, bytes(damaged[: chance.choice((None, chance.randrange(len(kept))))]))
        except (SolveError, EquityError):
            refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    "changed",
    [
        {"average": np.full(3, 0.5, np.float32)},
        {"header": np.array([{}], object)},
        *({"header": {name: value}} for name, value in (("iterations", -5), ("iterations", 10**30), ("seconds", -1))),
        *({"average": value} for value in (np.inf, -1.0)),
        {"regrets": np.nan},
    ],
)
def test_numbers_that_cannot_be_are_refused(tmp_path: Path, kept: bytes, changed: dict[str, Any]) -> None:
    arrays = dict(np.load(io.BytesIO(kept)))
    ((name, value),) = changed.items()
    if isinstance(value, dict):
        header = json.loads(arrays["header"].tobytes())
        value = np.frombuffer(json.dumps({**header, **value}).encode(), np.uint8)
    elif isinstance(value, float):
        value = np.full_like(arrays[name], value)
    with pytest.raises(SolveError, match=r"bad\.npz") as refused:
        opened(tmp_path, archived(kept, **{name: value}))
    assert refused.value.refusal.code == "SOLVE_FILE_DAMAGED"


def test_a_saved_solution_goes_on_with_other_locks_unless_they_tell_suits_apart(tmp_path: Path, kept: bytes) -> None:
    held = opened(tmp_path, kept, locks=(Lock("", {"check": 1.0}, "AA"),))
    assert report(held).root.hands["AhAd"].strategy == pytest.approx((1, 0), abs=1e-6)
    with pytest.raises(SolveError) as refused:
        opened(tmp_path, kept, locks=(Lock("", {"check": 1.0}, "AhAd"),))
    assert refused.value.refusal.code == "SOLVE_FILE_LOCKS"


def test_a_lock_holds_after_every_card_that_is_like_the_one_it_names() -> None:
    """A lock on the turn's deuce of clubs leaves the other suits alike, and holds nothing after them."""
    lock = Lock("check,check,2c", {"check": 1.0})
    solution = prepare(msgspec.structs.replace(SUITED_FLOP, locks=(lock,)))
    solution.solver.iterate(8)
    assert len(solution.solver.deck.exchanges) == 2
    for card, is_held in (("2c", True), ("2d", False), ("2h", False)):
        shares = [hand.strategy[0] for hand in report(solution, f"check,check,{card}").root.hands.values()]
        assert (min(shares) > 1 - 1e-6) is is_held


def test_memory_is_known_before_it_is_taken() -> None:
    with pytest.raises(SolveError, match="MB") as refused:
        prepare(Spot("QsJh2h", ("random", "random"), 10, 1000), memory=100_000_000)
    assert refused.value.refusal.code == "SOLVE_MEMORY"
    solution = prepare(TURN)
    numbers = solution.solver.numbers
    assert solution.memory_bytes >= numbers.regrets.nbytes + numbers.average.nbytes


def test_stopping_keeps_what_there_is() -> None:
    solution = prepare(TURN)
    seen = []
    run(solution, target=0, seconds=60, progress=lambda each: seen.append(each.iterations), stopped=lambda: True)
    assert len(seen) == 1
    assert solution.exploitability < float("inf")
    run(solution, target=0, seconds=0.05)
    assert solution.iterations > 0


def test_every_card_that_may_come_is_summarised() -> None:
    solution = solved(TURN, 0.005)
    found = card_figures(solution.solver, solution.case, "check,check")
    assert len(found) == 48
    for each in found:
        assert sum(each.equity) == pytest.approx(1)
        assert sum(each.ev) == pytest.approx(100, abs=1e-3)
        assert sum(action.frequency for action in each.actions) == pytest.approx(1)


@pytest.mark.parametrize(
    "path", ["", "bet 75", "check,check,2c", "check,bet 75,call,Kh,check", "check,check,Kd,bet 75"]
)
def test_a_study_shows_both_players_the_figures_of_the_report(path: str) -> None:
    solution = prepare(TURN)
    solution.solver.iterate(12)
    study, expected = Study(solution), report(solution, path)
    for view in (study.view("check,check,7h") and study.view(path), study.view(path)):
        assert sum(player.ev or 0.0 for player in view.players) == pytest.approx(view.pot)
        for player, figures in zip(view.players, expected.players, strict=True):
            assert (player.ev, player.equity) == pytest.approx((figures.ev, figures.equity), abs=1e-5)
        acting = view.players[PLAYERS.index(view.player)].hands
        for name, hand in expected.root.hands.items():
            shown = acting[name]
            assert (shown.weight, shown.ev, shown.equity) == pytest.approx(
                (hand.weight, hand.ev, hand.equity), abs=1e-5
            )
            assert view.choices[name].values == pytest.approx(hand.values, abs=1e-5)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("bet 10", "SOLVE_PATH_ACTION"),
        ("check,check,Qs", "EQUITY_CARD_REPEATED"),
        ("check,check,1x", "SOLVE_PATH_CARD"),
        ("check,bet 75,fold,check", "SOLVE_PATH_OVER"),
        (",".join(["check"] * 201), "SOLVE_PATH_LONG"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(path: str, code: str) -> None:
    solution = prepare(TURN)
    with pytest.raises(SolveError) as refused:
        walk(solution.solver, solution.case, path)
    assert refused.value.refusal.code == code
