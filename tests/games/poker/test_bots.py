"""The bots of Hold'em: what they do in plain situations, and that the better ones win."""

from random import Random

import pytest

from croupier.cards import cards
from croupier.games.poker import GAME, HoldemAction, HoldemSetup
from croupier.games.poker.bots.preflop import HANDS, ORDER, best, standing
from croupier.games.poker.bots.shark import SharkPolicy
from croupier.games.poker.bots.solid import CallerPolicy, HoldemPolicy, SolidPolicy
from croupier.games.poker.rules.actions import AllIn, Bet, Call, Check, Fold, Muck, Raise
from tests.games.poker.driving import Table, stacks
from tests.games.poker.duplicate import match

SEEDS = range(20)


def choices(table: Table, kind: type[CallerPolicy | SolidPolicy | SharkPolicy]) -> set[type[HoldemAction]]:
    """What bots of this kind, each with its own luck, do on this turn."""
    seat = table.turn
    assert seat is not None
    view, menu = table.rules.view(table.state, seat), table.rules.menu(table.state, seat)
    return {type(kind(Random(seed))(view, menu)) for seed in SEEDS}


@pytest.mark.parametrize(
    ("better", "simpler", "deals", "seed"),
    [
        *(("caller", "random", 4000, 1), ("solid", "caller", 400, 1), ("shark", "caller", 300, 1)),
        # The shark wins less from the solid bot, so that it is shown in the long run only: 500 deals tell with seed 2,
        # but not with 1 or 3.
        *(pytest.param("shark", "solid", deals, seed, marks=pytest.mark.soak) for deals, seed in ((500, 2), (2000, 1))),
    ],
)
def test_the_better_bot_beats_the_simpler_heads_up(better: str, simpler: str, deals: int, seed: int) -> None:
    score = match(better, simpler, seats=2, deals=deals, seed=seed)
    assert score.low > 0, str(score)


@pytest.mark.parametrize(("better", "simpler"), [("solid", "caller"), ("shark", "caller")])
def test_the_better_bot_beats_a_table_of_five_simpler_ones(better: str, simpler: str) -> None:
    score = match(better, simpler, seats=6, deals=60)
    assert score.low > 0, str(score)


@pytest.mark.parametrize(
    ("preset", "better", "simpler", "deals"),
    [
        ("short-deck", "solid", "caller", 150),
        ("limit-holdem", "solid", "caller", 150),
        ("omaha", "caller", "random", 40),
        ("omaha-hilo", "caller", "random", 40),
        ("double-board-omaha", "caller", "random", 40),
        *(
            pytest.param(preset, better, "caller", 600, marks=pytest.mark.soak)
            for preset in (
                "omaha",
                "omaha5",
                "omaha6",
                "omaha-hilo",
                "double-board-omaha",
                "short-deck",
                "limit-holdem",
            )
            for better in ("solid", "shark")
        ),
    ],
)
def test_the_better_bot_beats_the_simpler_in_every_variant(preset: str, better: str, simpler: str, deals: int) -> None:
    score = match(better, simpler, seats=2, deals=deals, rules=GAME.presets[preset])
    assert score.low > 0, str(score)


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "seed", "deals"), [(2, 3, 3000), (2, 4, 3000), (6, 4, 6000)])
def test_the_shark_beats_the_solid_bot_with_other_cards(seats: int, seed: int, deals: int) -> None:
    """Among six the shark wins less, so that it takes more deals to tell: 3000 with seed 4 do not suffice."""
    score = match("shark", "solid", seats=seats, deals=deals, seed=seed)
    assert score.low > 0, str(score)


def test_every_starting_hand_has_one_place_in_the_order() -> None:
    assert len(ORDER.split()) == len(set(ORDER.split())) == 169
    assert len({hand.mask for hand in HANDS}) == len(HANDS) == 1326
    assert standing(cards("AsAd")) == pytest.approx(6 / 1326)
    assert standing(cards("3s2d")) == 1
    assert standing(cards("KsAs")) < standing(cards("AsKd")) < standing(cards("Ks2d"))
    assert [best(share) for share in (0.0, 0.5, 1.0)] == [20, 663, 1326]


@pytest.mark.parametrize("kind", [SolidPolicy, SharkPolicy])
def test_aces_are_raised_and_seven_deuce_is_folded_under_the_gun(kind: type[SolidPolicy | SharkPolicy]) -> None:
    setup = stacks(1000, 1000, 1000, 1000, 1000, 1000)
    assert choices(Table(setup, {3: "As Ad"}), kind) == {Raise}
    assert choices(Table(setup, {3: "7s 2d"}), kind) == {Fold}


@pytest.mark.parametrize("kind", [SolidPolicy, SharkPolicy])
def test_more_hands_are_opened_on_the_button_than_under_the_gun(kind: type[SolidPolicy | SharkPolicy]) -> None:
    setup = stacks(1000, 1000, 1000, 1000, 1000, 1000)
    assert choices(Table(setup, {3: "Kh 8h"}), kind) == {Fold}
    assert choices(Table(setup, {0: "Kh 8h"}).fold(3, 4, 5), kind) == {Raise}


@pytest.mark.parametrize("kind", [CallerPolicy, SolidPolicy, SharkPolicy])
def test_nobody_folds_where_checking_is_free(kind: type[CallerPolicy | SolidPolicy | SharkPolicy]) -> None:
    table = Table(stacks(1000, 1000), {0: "As Kd", 1: "7s 2d"}, "Qc Jc 9h").call(0)
    assert choices(table, kind) == {Check}
    assert Fold not in choices(table.check(1), kind)


@pytest.mark.parametrize("kind", [SolidPolicy, SharkPolicy])
def test_the_nuts_are_never_folded_on_the_river(kind: type[SolidPolicy | SharkPolicy]) -> None:
    table = Table(stacks(1000, 1000), {0: "As Ks", 1: "7h 2d"}, "Qs Js Ts 4d 3c").call(0).check(1)
    table.check(1, 0).check(1, 0).bet(1, 300)
    assert choices(table, kind) <= {Call, Raise, AllIn}


@pytest.mark.parametrize("kind", [SolidPolicy, SharkPolicy])
def test_nothing_is_given_up_against_a_big_bet_on_the_river(kind: type[SolidPolicy | SharkPolicy]) -> None:
    table = Table(stacks(1000, 1000), {0: "5s 4s", 1: "As Ad"}, "Ac Kd Qh 9d 2c").call(0).check(1)
    table.check(1, 0).check(1, 0).bet(1, 800)
    assert choices(table, kind) == {Fold}


def test_the_caller_calls_a_bet_with_a_pair() -> None:
    table = Table(stacks(1000, 1000), {0: "Ks 4s", 1: "As Ad"}, "Ac Kd Qh").call(0).check(1).bet(1, 20)
    assert choices(table, CallerPolicy) == {Call}


def test_the_shark_goes_all_in_or_folds_with_ten_big_blinds() -> None:
    setup = stacks(100, 100, 100, 100, 100, 100)
    assert choices(Table(setup, {3: "9s 9d"}), SharkPolicy) == {AllIn}
    assert choices(Table(setup, {3: "9s 6d"}), SharkPolicy) == {Fold}


def test_the_shark_calls_an_all_in_by_the_price() -> None:
    short = HoldemSetup(stacks=(100, 1000))
    assert choices(Table(short, {1: "As 9d"}).all_in(0), SharkPolicy) == {Call}
    assert choices(Table(short, {1: "7s 2d"}).all_in(0), SharkPolicy) == {Fold}


def test_the_shark_believes_a_reraise_more_than_a_bet() -> None:
    table = Table(stacks(1000, 1000), {0: "Ks 9d", 1: "4h 4d"}, "Kc 8d 4c").raise_to(0, 25).call(1)
    policies = [SharkPolicy(Random(seed)) for seed in SEEDS]

    def asked() -> list[HoldemAction]:
        view, menu = table.rules.view(table.state, 0), table.rules.menu(table.state, 0)
        return [policy(view, menu) for policy in policies]

    table.bet(1, 30)
    assert Fold() not in asked()
    table.raise_to(0, 100).raise_to(1, 500)
    assert asked().count(Fold()) > len(SEEDS) // 2


def test_a_beaten_hand_is_mucked() -> None:
    table = Table(stacks(1000, 1000), {0: "5s 4s", 1: "As Ad"}, "Ac Kd Qh 9d 2c").call(0).check(1)
    table.check(1, 0).check(1, 0).bet(1, 20).call(0)
    for kind in (CallerPolicy, SolidPolicy, SharkPolicy):
        assert choices(table, kind) == {Muck}


def test_bots_play_on_without_notes_of_the_streets_before() -> None:
    """A bot that takes a seat over in the middle of a hand, as after a restart, has seen nothing of it."""
    table = Table(stacks(1000, 1000, 1000), {0: "Ks 9d"}, "Kc 8d 4c 2h").raise_to(0, 25).call(1, 2)
    table.check(1, 2).bet(0, 40).call(1, 2).check(1, 2)
    policy: HoldemPolicy = SharkPolicy(Random(1))
    assert type(policy(table.rules.view(table.state, 0), table.rules.menu(table.state, 0))) in (Check, Bet)
