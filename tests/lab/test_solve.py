"""The solver against blackjack computed plainly: every kind of figure, to the last digits."""

import random

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from croupier.cards import cards as cards_of
from croupier.game.game import Step, offered
from croupier.games.blackjack import (
    CASINO,
    CLASSROOM,
    TRAINER,
    BlackjackRules,
    BlackjackSetup,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    Split,
    Stand,
    Surrender,
)
from croupier.lab.blackjack import solve as solver
from croupier.lab.blackjack import strategy
from croupier.lab.blackjack.report import report
from croupier.lab.blackjack.solve import NAMES, Prepared, Solution, solve
from croupier.lab.blackjack.solver.model import options, structure
from croupier.lab.blackjack.solver.values import best_play, evaluate
from croupier.lab.blackjack.stand_on import stand_on_figures
from tests.lab.plain_blackjack import Plain, Seeing, Shoe, by_table, draws, may_double, without, worth

EXACT = 1e-12
ENHC = replace(CASINO, peek=False)
OBO = replace(ENHC, original_bets_only=True)
CHART = """
[hard]
4  = "H  H  H  H  H  H  H  H  H  H"
5  = "H  H  H  H  H  H  H  H  H  H"
6  = "H  H  H  H  H  H  H  H  H  H"
7  = "H  H  H  H  H  H  H  H  H  H"
8  = "H  H  H  H  H  H  H  H  H  H"
9  = "H  D  D  D  D  H  H  H  H  H"
10 = "D  D  D  D  D  D  D  D  H  H"
11 = "D  D  D  D  D  D  D  D  D  H"
12 = "H  H  S  S  S  H  H  H  H  H"
13 = "S  S  S  S  S  H  H  H  H  H"
14 = "S  S  S  S  S  H  H  H  H  H"
15 = "S  S  S  S  S  H  H  H  H  H"
16 = "S  S  S  S  S  H  H  H  H  H"
17 = "S  S  S  S  S  S  S  S  S  S"
18 = "S  S  S  S  S  S  S  S  S  S"
19 = "S  S  S  S  S  S  S  S  S  S"
20 = "S  S  S  S  S  S  S  S  S  S"
[soft]
12 = "H  H  H  H  H  H  H  H  H  H"
13 = "H  H  H  D  D  H  H  H  H  H"
14 = "H  H  H  D  D  H  H  H  H  H"
15 = "H  H  D  D  D  H  H  H  H  H"
16 = "H  H  D  D  D  H  H  H  H  H"
17 = "H  D  D  D  D  H  H  H  H  H"
18 = "S  Ds Ds Ds Ds S  S  H  H  H"
19 = "S  S  S  S  S  S  S  S  S  S"
20 = "S  S  S  S  S  S  S  S  S  S"
[pairs]
2  = "P  P  P  P  P  P  H  H  H  H"
3  = "P  P  P  P  P  P  H  H  H  H"
4  = "H  H  H  P  P  H  H  H  H  H"
5  = "D  D  D  D  D  D  D  D  H  H"
6  = "P  P  P  P  P  H  H  H  H  H"
7  = "P  P  P  P  P  P  H  H  H  H"
8  = "P  P  P  P  P  P  P  P  P  P"
9  = "P  P  P  P  P  S  P  P  S  S"
T  = "S  S  S  S  S  S  S  S  S  S"
A  = "P  P  P  P  P  P  P  P  P  P"
"""
"""The chart that books print for several decks, S17, double after split."""


def full(decks: int) -> Shoe:
    return (*(4 * decks,) * 9, 16 * decks)


def with_shoe(rules: BlackjackRules, shoe: Shoe) -> Prepared:
    """The solver's view of a shoe that no decks make: few ranks, so that plain enumeration comes to an end."""
    table, chosen = structure(rules.ace == "one"), options(rules)._replace(deck=np.array(shoe, np.float64))
    behind = solver.shoes_behind(rules)
    return Prepared(rules, table, chosen, tuple(solver.column(rules, chosen, behind, up) for up in range(10)))


@pytest.fixture(scope="module")
def casino() -> Solution:
    return solve(CASINO)


@pytest.mark.parametrize(
    ("rules", "up", "cards"),
    [
        (replace(CASINO, decks=1), "T", "77"),
        (replace(CASINO, decks=1), "T", "T6"),
        (replace(CASINO, decks=1, dealer_hits_soft_17=True), "A", "T8"),
        (CASINO, "T", "T6"),
        (CASINO, "9", "65"),
        (replace(CASINO, decks=8), "A", "T5"),
        (replace(ENHC, decks=2), "A", "T4"),
        (replace(ENHC, decks=2), "T", "99"),
        (replace(OBO, decks=2), "T", "T2"),
        (replace(CASINO, decks=1, dealer_stands_on=12), "9", "76"),
        (replace(CASINO, decks=1, dealer_stands_on=19), "8", "97"),
        (replace(CASINO, decks=1, dealer_stands_on=21), "T", "T9"),
        (replace(CASINO, decks=1, blackjack_pays="none", insurance=False), "T", "A8"),
        (replace(CLASSROOM, decks=1), "A", "T5"),
    ],
)
def test_a_cell_is_what_a_player_who_knows_only_the_open_cards_expects(
    rules: BlackjackRules, up: str, cards: str
) -> None:
    (cell,) = (cell for cell in solve(rules).cells if (cell.up, cell.cards) == (up, cards))
    rank = NAMES.index(up) + 1
    hand = tuple(sorted(NAMES.index(card) + 1 for card in cards))
    plain = Plain(rules, full(rules.decks))
    values = Seeing(plain, rank, without(full(rules.decks), rank), may_double(rules, False)).values(hand)
    assert cell.stand == pytest.approx(values["stand"], abs=EXACT)
    assert cell.hit == pytest.approx(values["hit"], abs=EXACT)
    if "double" in values:
        assert cell.double == pytest.approx(values["double"], abs=EXACT)
    else:
        assert (cell.double is None) == ("double" not in values)


@pytest.mark.parametrize(
    ("rules", "up", "pair", "cards"),
    [
        (CASINO, "T", "8", "83"),
        (CASINO, "6", "8", "88"),
        (replace(CASINO, decks=1), "A", "8", "85"),
        (replace(CASINO, decks=1), "A", "T", "T2"),
        (replace(CASINO, decks=1, hit_split_aces=True), "T", "A", "A7"),
        (replace(CASINO, decks=1, double_after_split=False), "5", "9", "92"),
        (replace(CASINO, decks=1), "T", "2", "2234"),
        (replace(ENHC, decks=1), "T", "9", "92"),
    ],
)
def test_a_hand_from_a_split_is_worth_what_a_player_expects_who_knows_one_card_of_the_other_hand(
    rules: BlackjackRules, up: str, pair: str, cards: str
) -> None:
    found = solve(rules).split_hand(cards, pair, up)
    rank, other = NAMES.index(up) + 1, NAMES.index(pair) + 1
    plain = Plain(rules, full(rules.decks))
    values = Seeing(plain, rank, without(full(rules.decks), rank, other), may_double(rules, True)).values(
        tuple(sorted(NAMES.index(card) + 1 for card in cards))
    )
    assert found.stand == pytest.approx(values["stand"], abs=EXACT)
    assert found.hit == pytest.approx(values["hit"], abs=EXACT)
    assert found.double == (pytest.approx(values["double"], abs=EXACT) if "double" in values else None)
    assert found.best == max(values, key=values.__getitem__)
    assert (found.split, found.surrender) == (None, None)


def test_a_hand_from_a_split_holds_the_pair_card_and_split_aces_stand(casino: Solution) -> None:
    assert casino.split_hand("A7", "A", "9").hit is None
    assert casino.split_hand("A7", "A", "9").best == "stand"
    for cards, pair in (("97", "8"), ("97", ""), ("98T", "8"), ("9", "9")):
        with pytest.raises(ValueError, match=r"not a hand|bust"):
            casino.split_hand(cards, pair, "T")
    with pytest.raises(ValueError, match="not a hand from a split"):
        solve(CLASSROOM).split_hand("88", "8", "T")


@pytest.mark.parametrize("hands_max", [2, 3, 4])
@pytest.mark.parametrize(
    ("rules", "pair", "up", "shoe"),
    [
        (CASINO, 8, 10, (2, 0, 0, 0, 7, 0, 0, 8, 0, 16)),
        (CASINO, 1, 10, (9, 0, 0, 0, 4, 0, 0, 4, 0, 16)),
        (replace(CASINO, hit_split_aces=True), 1, 10, (9, 0, 0, 0, 4, 0, 0, 4, 0, 16)),
        (replace(CASINO, double_after_split=False), 9, 1, (6, 0, 0, 0, 4, 0, 0, 0, 9, 14)),
        (ENHC, 9, 1, (6, 0, 0, 0, 4, 0, 0, 0, 9, 14)),
        (CASINO, 10, 7, (3, 0, 0, 0, 6, 0, 5, 0, 0, 19)),
        (CASINO, 6, 5, (0, 0, 0, 0, 8, 11, 0, 0, 0, 14)),
    ],
)
def test_a_split_is_worth_what_playing_all_its_hands_out_gives(
    rules: BlackjackRules, pair: int, up: int, shoe: Shoe, hands_max: int
) -> None:
    # Aces are split again in one of their two cases, where there may be a third hand at all.
    rules = replace(rules, hands_max=hands_max, resplit_aces=hands_max > 2 and not rules.hit_split_aces)
    prepared = with_shoe(rules, shoe)
    best = best_play(prepared.structure, prepared.options, prepared.columns[up - 1], prepared.workspace())
    plain = Plain(rules, shoe)
    seeing = Seeing(plain, up, without(shoe, up, pair), may_double(rules, True))
    plain.policy = lambda cards, up, split, may_split: seeing.play(cards)
    unseen = without(shoe, up, pair, pair)
    expected = 0.0
    for hole, chance in draws(unseen):
        if not (rules.peek and plain.is_blackjack((up, hole))):
            expected += chance * plain.hands(pair, (), ((pair,), (pair,)), up, hole, without(unseen, hole))[0]
    assert best.split[pair - 1] == pytest.approx(expected, abs=EXACT)


def random_table(seed: int, rules: BlackjackRules) -> strategy.StrategyTable:
    """A table that keeps to sense where standing or hitting is concerned, or rounds would take for ever."""
    chance = random.Random(seed)

    def entry(kind: str, hand: str, up: str) -> str:
        if kind == "pairs":
            return chance.choice(["P", "P", "P", "Rp", "-", "H", "S", "D", "Rs"])
        return chance.choice(["S", "Ds", "S", "Rs", "H"] if int(hand) > 14 else ["H", "D", "H", "R", "S"])

    return strategy.build(entry)


@pytest.mark.parametrize(
    ("rules", "shoe"),
    [
        (replace(CASINO, hands_max=4), (4, 0, 0, 0, 5, 0, 0, 6, 0, 17)),
        (replace(CASINO, hands_max=3, surrender="late"), (5, 0, 0, 0, 0, 5, 0, 0, 6, 16)),
        (replace(CASINO, surrender="early", double="9-11"), (6, 0, 0, 6, 0, 0, 6, 0, 0, 16)),
        (replace(ENHC, hands_max=3, surrender="late"), (6, 0, 0, 6, 0, 0, 6, 0, 0, 16)),
        (replace(ENHC, surrender="early"), (5, 0, 0, 0, 6, 0, 0, 6, 0, 16)),
        (replace(OBO, hands_max=3, surrender="late"), (6, 0, 0, 6, 0, 0, 6, 0, 0, 16)),
        (replace(CASINO, hands_max=4, resplit_aces=True, hit_split_aces=True), (7, 0, 0, 0, 6, 0, 0, 0, 6, 15)),
        (replace(CASINO, hands_max=1, blackjack_pays="6:5"), (7, 0, 0, 0, 6, 0, 0, 0, 6, 15)),
        (replace(CLASSROOM), (7, 0, 0, 0, 6, 0, 0, 0, 6, 15)),
    ],
)
def test_a_table_earns_and_stakes_what_playing_every_round_out_gives(rules: BlackjackRules, shoe: Shoe) -> None:
    table = random_table(sum(shoe) + rules.hands_max, rules)
    won, staked = solver.won_and_staked(with_shoe(rules, shoe), table)
    assert (won, staked) == pytest.approx(Plain(rules, shoe).round(by_table(rules, table)), abs=EXACT)


@pytest.mark.parametrize("rules", [CASINO, replace(TRAINER, decks=1), replace(ENHC, decks=2, surrender="early")])
def test_no_entry_of_the_table_can_be_changed_without_loss(rules: BlackjackRules) -> None:
    solution = solve(rules)
    prepared, workspace = solution.prepared, solution.prepared.workspace()
    array = solution.strategy.array()
    for up, column in enumerate(prepared.columns):
        rows, pairs = solver.column_plays(array, up)
        best, _ = evaluate(prepared.structure, prepared.options, column, rows, pairs, workspace)
        for entries, choices in ((rows, (0, 1, 2, 3, 5, 6)), (pairs, range(8))):
            for place, kept in enumerate(entries):
                for other in choices:
                    entries[place] = other
                    changed, _ = evaluate(prepared.structure, prepared.options, column, rows, pairs, workspace)
                    # What no hand ever needs may be anything: the hint among the weights is as small as this.
                    assert changed <= best + 1e-10
                entries[place] = kept


@pytest.mark.parametrize(
    "rules",
    [
        replace(CASINO, double="9-11"),
        replace(CASINO, surrender="early", hands_max=1),
        replace(CASINO, surrender="late", double="no"),
        replace(ENHC, surrender="early", blackjack_pays="none", insurance=False),
        replace(OBO, surrender="late", hands_max=3),
    ],
)
def test_a_play_has_a_value_exactly_where_the_engine_offers_it(rules: BlackjackRules) -> None:
    for cell in solve(rules).cells:
        if cell.cards == "AT" or cell.up not in "6A":
            continue
        hole = "5" if rules.peek else ""
        offered = offers(rules, f"{cell.cards[0]}h", f"{cell.up}s", f"{cell.cards[1]}d", hole and f"{hole}c")
        valued = {name for name in solver.PLAY_NAMES if getattr(cell, name) is not None}
        assert valued == offered, cell


def offers(rules: BlackjackRules, *cards: str) -> set[str]:
    """The plays that the engine offers on first cards, before the dealer looks and after."""
    names = {Hit: "hit", Stand: "stand", Double: "double", Split: "split", Surrender: "surrender"}
    step = rules.opening(BlackjackSetup((1000,)))
    assert isinstance(step, Step)
    for action in (PlaceBet(100), None, Insurance(take=False)):
        if action is None:
            step = rules.deal(step.state, cards_of(" ".join(filter(None, cards))))
            found = {names[type(offer.action)] for offer in rules.menu(step.state, 0) if type(offer.action) in names}
        elif offered(rules.menu(step.state, 0), action):
            step = rules.act(step.state, 0, action)
            assert isinstance(step, Step)
    after = {names[type(offer.action)] for offer in rules.menu(step.state, 0) if type(offer.action) in names}
    return found | after


def test_the_casino_table_is_the_chart_of_the_books(casino: Solution) -> None:
    assert strategy.difference(strategy.from_toml(CHART), casino.strategy) == ()


def test_single_deck_has_its_famous_exceptions() -> None:
    table = solve(replace(CASINO, decks=1, double_after_split=False)).strategy
    assert table.play("pairs", "7", "T") == "S"
    assert table.play("hard", "14", "T") == "H"
    assert table.play("hard", "8", "6") == "D"
    assert table.play("hard", "11", "A") == "D"
    assert table.play("soft", "19", "6") == "Ds"


def test_figures_agree_with_published_ones(casino: Solution) -> None:
    assert casino.ev.composition_dependent == pytest.approx(-0.0045, abs=1e-4)
    eight = solve(replace(CASINO, decks=8, hands_max=4, surrender="late")).ev.total_dependent
    assert eight == pytest.approx(-0.0036, abs=2e-4)
    mimic, _ = solver.won_and_staked(casino.prepared, strategy.stand_on(17))
    assert mimic == pytest.approx(-0.0567, abs=2e-4)


def test_playing_by_the_cards_is_never_worse_than_by_the_total(casino: Solution) -> None:
    assert casino.ev.composition_dependent > casino.ev.total_dependent
    assert casino.ev.per_total_bet == pytest.approx(casino.ev.per_initial_bet / 1.1274, rel=1e-3)
    assert casino.ev.rtp == 1 + casino.ev.per_initial_bet


def test_original_bets_only_is_the_same_money_as_a_peek(casino: Solution) -> None:
    assert solve(OBO).ev.composition_dependent == pytest.approx(casino.ev.composition_dependent, abs=EXACT)
    assert solve(OBO).strategy == casino.strategy
    assert solve(ENHC).ev.composition_dependent < casino.ev.composition_dependent - 1e-3


def test_what_helps_the_player_helps(casino: Solution) -> None:
    best = casino.ev.composition_dependent
    for helps in ({"hands_max": 4}, {"surrender": "late"}, {"decks": 1}, {"hit_split_aces": True}):
        assert solve(replace(CASINO, **helps)).ev.composition_dependent > best
    for hurts in ({"dealer_hits_soft_17": True}, {"double": "9-11"}, {"blackjack_pays": "6:5"}, {"decks": 8}):
        assert solve(replace(CASINO, **hurts)).ev.composition_dependent < best


def test_surrender_costs_half_and_early_surrender_is_judged_before_the_dealer_looks() -> None:
    late, early = solve(replace(CASINO, surrender="late")), solve(replace(CASINO, surrender="early"))
    for solution in (late, early):
        assert all(cell.surrender == pytest.approx(-0.5) for cell in solution.cells if cell.cards != "AT")
        assert all(cell.surrender is None for cell in solution.cells if cell.cards == "AT")
    at_5_7_against_an_ace = [s.hand("75", "A").best for s in (late, early)]
    assert at_5_7_against_an_ace == ["hit", "surrender"]


def test_a_blackjack_is_paid_at_once_and_has_nothing_to_decide(casino: Solution) -> None:
    values = casino.hand("AT", "T")
    assert (values.stand, values.hit, values.double, values.split) == (pytest.approx(1.5), None, None, None)


def test_a_hand_of_many_cards_can_be_asked_for_and_nonsense_is_refused(casino: Solution) -> None:
    assert casino.hand("T42", "T").best == "stand"
    assert casino.hand("T6", "T").best == "hit"
    assert casino.hand("T42", "T").double is None
    for cards, up in (("TX", "T"), ("TTT", "T"), ("T", "T"), ("TT", "1")):
        with pytest.raises(ValueError, match=r"not a hand|bust"):
            casino.hand(cards, up)


def test_insurance_is_a_bet_of_its_own() -> None:
    (tens,) = (hand.ev for hand in solve(replace(CASINO, decks=1)).insurance() if hand.cards == "TT")
    assert tens == pytest.approx(2 * 14 / 49 - 35 / 49)
    assert solve(TRAINER).insurance() == ()
    assert solve(replace(CASINO, insurance=False)).ev == solve(CASINO).ev


@pytest.mark.parametrize("total", [14, 17])
def test_standing_on_a_total_in_the_classroom_wins_pushes_and_loses_as_often_as_rounds_played_out(total: int) -> None:
    shoe = (7, 0, 0, 0, 6, 0, 0, 0, 6, 15)
    plain = Plain(CLASSROOM, shoe)
    (figures,) = (row for row in stand_on_figures(with_shoe(CLASSROOM, shoe)) if row.total == total)
    ev, _ = plain.round(lambda cards, up, split, may: "hit" if worth(cards, "one")[0] < total else "stand")
    assert figures.ev == pytest.approx(ev, abs=EXACT)
    assert figures.win - figures.lose == pytest.approx(ev, abs=EXACT)
    assert figures.win + figures.push + figures.lose == pytest.approx(1)


def test_the_report_has_exactly_the_keys_that_are_promised(casino: Solution) -> None:
    found = msgspec.json.decode(msgspec.json.encode(report(casino)))
    assert list(found)[:4] == ["rules", "ev", "strategy", "cells"]
    assert list(found["ev"]) == ["perInitialBet", "perTotalBet", "rtp", "compositionDependent", "totalDependent"]
    assert list(found["strategy"]) == ["hard", "soft", "pairs"]
    assert list(found["cells"][0]) == ["up", "cards", "stand", "hit", "double", "split", "surrender", "best"]
    assert len(found["cells"]) == 55 * 10
    assert found["strategy"]["hard"]["16"]["T"] == "H"
