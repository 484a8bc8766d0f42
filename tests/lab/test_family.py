"""Equity in every variant, against plain twins of the game's own rules and against PokerKit."""

import json
import random
from itertools import combinations
from math import comb, isclose, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import Card as KitCard
from pokerkit import (
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    ShortDeckHoldemHand,
)
from typer.testing import CliRunner

from croupier.cards import PACK, Card
from croupier.cli import app
from croupier.cli.equity import VARIANT_NAMES
from croupier.games.poker import GAME
from croupier.games.poker.rules.config import Pack, Used
from croupier.games.poker.rules.events import Street
from croupier.games.poker.rules.worth import high, low
from croupier.lab.poker import family, family_kernels
from croupier.lab.poker.breakdown import breakdown
from croupier.lab.poker.equity import Method, equity
from croupier.lab.poker.evaluator_tables import tables
from croupier.lab.poker.hand_order import HAND_ORDER, SHORT_HAND_ORDER
from croupier.lab.poker.omaha_tables import NO_LOW, omaha_tables
from croupier.lab.poker.ranges import EquityError, parse
from croupier.lab.poker.streets import street_equities
from croupier.lab.poker.variants import VARIANTS, Variant, variant_of

Cards = tuple[Card, ...]


def ranked(hole: Cards, board: Cards, *, short: bool = False) -> tuple[int, int]:
    """The fast high and low of one deal; two hole cards are any two."""
    holes = np.array([[card.number for card in hole]], np.uint8)
    boards = np.array([[card.number for card in board]], np.uint8)
    highs, lows = np.zeros(1, np.uint16), np.zeros(1, np.uint16)
    if len(hole) == 2:
        family_kernels.rank_any(tables(7, short=short), holes, boards, 1, highs)
    else:
        family_kernels.rank_omaha(omaha_tables(), holes, boards, 1, highs)
        family_kernels.rank_lows(omaha_tables(), holes, boards, 1, lows)
    return int(highs[0]), int(lows[0])


def dealt(seed: int, hole_cards: int, pack: Cards = PACK) -> tuple[Cards, Cards]:
    cards = random.Random(seed).sample(pack, hole_cards + 5)
    return tuple(cards[:hole_cards]), tuple(cards[hole_cards:])


@settings(max_examples=300)
@given(st.integers(0, 2**32), st.sampled_from([4, 5, 6]))
def test_the_fast_omaha_ranks_equal_the_plain_ones(seed: int, hole_cards: int) -> None:
    hole, board = dealt(seed, hole_cards)
    assert ranked(hole, board) == (high(Pack.FULL, Used.TWO, hole, board), low(Used.TWO, hole, board))


@settings(max_examples=300)
@given(st.integers(0, 2**32))
def test_the_fast_short_deck_ranks_equal_the_plain_ones(seed: int) -> None:
    hole, board = dealt(seed, 2, VARIANTS["short-deck"].pack)
    assert ranked(hole, board, short=True)[0] == high(Pack.SHORT, Used.ANY, hole, board)


def kit(cards: Cards) -> tuple[KitCard, ...]:
    return tuple(KitCard.parse("".join(map(str, cards))))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_pokerkit_orders_two_omaha_hands_alike(seed: int) -> None:
    cards = random.Random(seed).sample(PACK, 13)
    one, other, board = tuple(cards[:4]), tuple(cards[4:8]), tuple(cards[8:])
    mine, theirs = (ranked(hole, board) for hole in (one, other))
    first, second = (OmahaHoldemHand.from_game(kit(hole), kit(board)) for hole in (one, other))
    assert (mine[0] < theirs[0], mine[0] == theirs[0]) == (first > second, first == second)
    lows = [OmahaEightOrBetterLowHand.from_game_or_none(kit(hole), kit(board)) for hole in (one, other)]
    assert [worth[1] == NO_LOW for worth in (mine, theirs)] == [hand is None for hand in lows]
    if lows[0] is not None and lows[1] is not None:
        assert (mine[1] < theirs[1], mine[1] == theirs[1]) == (lows[0] > lows[1], lows[0] == lows[1])


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_pokerkit_orders_two_short_deck_hands_alike(seed: int) -> None:
    cards = random.Random(seed).sample(VARIANTS["short-deck"].pack, 9)
    one, other, board = tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:])
    mine, theirs = (ranked(hole, board, short=True)[0] for hole in (one, other))
    first, second = (ShortDeckHoldemHand.from_game(kit(hole), kit(board)) for hole in (one, other))
    assert (mine < theirs, mine == theirs) == (first > second, first == second)


def plain_shares(variant: Variant, holes: list[Cards], boards: list[Cards]) -> list[float]:
    """What each hand wins of one pot, by the plain rules."""
    pack = Pack.SHORT if variant.is_short else Pack.FULL
    used = Used.TWO if variant.uses_two else Used.ANY
    shares = [0.0] * len(holes)
    for board in boards:
        parts = [[high(pack, used, hole, board) for hole in holes]]
        lows = [low(used, hole, board) for hole in holes]
        if variant.has_low and min(lows) < NO_LOW:
            parts.append(lows)
        for worths in parts:
            winners = [player for player, worth in enumerate(worths) if worth == min(worths)]
            for player in winners:
                shares[player] += 1 / len(boards) / len(parts) / len(winners)
    return shares


@pytest.mark.parametrize(
    ("name", "hands", "boards"),
    [
        ("omaha", ["AsAhKsKh", "QdJdTc9c"], ["2s7d8c", ""]),
        ("omaha5", ["AsAhKsKh3d", "QdJdTc9c2h", "5s5c6d7c8d"], ["4s4d8cTh", ""]),
        ("omaha-hilo", ["AsAh2s3h", "QdJd4c5c"], ["6s7d8cKd", ""]),
        ("double-board-omaha", ["AsAhKsKh", "QdJdTc9c"], ["2s7d8cKd", "3s3d4cTh"]),
        ("short-deck", ["AsKs", "QhQd"], ["6s7s8c", ""]),
    ],
)
def test_an_exact_equity_is_the_mean_over_all_boards(name: str, hands: list[str], boards: list[str]) -> None:
    variant = VARIANTS[name]
    result = equity(hands, boards[0], variant=name, board2=boards[1])
    assert result.method is Method.EXACT
    read = [family.read_cards(text) for text in (*hands, *boards[: variant.boards])]
    holes, shown = read[: len(hands)], read[len(hands) :]
    deck = [card for card in variant.pack if not any(card in cards for cards in read)]
    missing = 5 - len(shown[0])
    totals, deals = [0.0] * len(hands), 0
    for first in combinations(deck, missing):
        rest = [card for card in deck if card not in first]
        for second in combinations(rest, missing) if variant.boards == 2 else [()]:
            full = [(*board, *more) for board, more in zip(shown, (first, second), strict=False)]
            deals += 1
            totals = [sum(pair) for pair in zip(totals, plain_shares(variant, holes, full), strict=True)]
    assert result.boards == deals
    for hand, total in zip(result.hands, totals, strict=True):
        assert isclose(hand.equity, total / deals, abs_tol=1e-9)


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "holdem"])
def test_samples_of_every_variant_agree_with_plain_deals(name: str) -> None:
    """Two hands from a list each, against random deals ranked by the plain rules."""
    variant, chance, samples = VARIANTS[name], random.Random(name), 1500
    pack = list(variant.pack)
    chance.shuffle(pack)
    count = variant.hole_cards
    holes = [tuple(pack[count * place : count * (place + 1)]) for place in range(2)]
    total = 0.0
    for _ in range(samples):
        left = pack[2 * count :]
        drawn = chance.sample(left, 5 * variant.boards)
        boards = [tuple(drawn[5 * number : 5 * number + 5]) for number in range(variant.boards)]
        total += plain_shares(variant, holes, boards)[0]
    texts = ["".join(map(str, hole)) for hole in holes]
    result = equity(texts, variant=name, method=Method.MONTE_CARLO, samples=200_000)
    assert abs(result.hands[0].equity - total / samples) < 4.5 * sqrt(0.25 / samples)
    assert isclose(sum(hand.equity for hand in result.hands), 1)
    exactly = equity(texts, variant=name, method=None if variant.boards == 2 else Method.EXACT)
    low, high_end = result.hands[0].low, result.hands[0].high
    assert low is not None
    assert high_end is not None
    if exactly.method is Method.EXACT:
        assert abs(exactly.hands[0].equity - result.hands[0].equity) < 2.5 * (high_end - low)
        left = len(variant.pack) - 2 * count
        assert exactly.boards == comb(left, 5)


def test_every_street_of_a_hand_has_the_equities_of_its_variant() -> None:
    hands, board = ["AhKh", "TsTc"], "ThJh6hJdJc"
    assert street_equities(hands, board)[-1].equities == (0.0, 1.0), "a full house beats a flush"
    assert street_equities(hands, board, variant="short-deck")[-1].equities == (1.0, 0.0)
    streets = street_equities(["AsAh2s3h", "KdKcQdJc", ""], "6s7d8cKh", {1: Street.FLOP}, variant="omaha-hilo")
    flop = equity(["AsAh2s3h", "KdKcQdJc"], "6s7d8c", variant="omaha-hilo")
    assert streets[1].equities == (*(hand.equity for hand in flop.hands), None)
    assert streets[2].equities[1] == 0
    assert streets[2].unseen == 1
    both = street_equities(["AsAhKsKh", "QdJdTc9c"], "2s7d8cQh3h", variant="double-board-omaha", board2="3s3d4cQs2h")
    assert both[-1].equities == (1.0, 0.0)


def test_the_variant_of_every_preset_is_known() -> None:
    found = {name: variant_of(rules) for name, rules in GAME.presets.items()}
    assert {name: variant.name for name, variant in found.items() if variant is not None} == {
        name: "holdem" if name in {"cash", "limit-holdem"} else name for name in GAME.presets
    }
    assert variant_of(GAME.presets["omaha"].replace(hole_cards=3)) is None


def test_dead_cards_cannot_come() -> None:
    """With both other kings dead, and no other card that helps, a pair of kings cannot improve past aces."""
    free = equity(["KsKhQsJd", "AsAhTd9d"], "2c3c7h8s", variant="omaha")
    dead = equity(["KsKhQsJd", "AsAhTd9d"], "2c3c7h8s", "KcKd", variant="omaha")
    assert free.hands[0].equity > dead.hands[0].equity
    assert (free.boards, dead.boards) == (40, 38)


def test_a_percentage_is_the_best_hands_of_that_share() -> None:
    assert len(HAND_ORDER) == len(set(HAND_ORDER)) == 169
    assert len(parse("100%").weights) == 1326
    assert parse("0.1%").weights == parse("AA").weights
    assert parse("1.4%").weights == parse("QQ+").weights
    for percent in (5, 15, 40, 80):
        assert abs(len(parse(f"{percent}%").weights) / 13.26 - percent) < 0.5


def test_a_percentage_of_the_short_pack_is_of_its_own_hands() -> None:
    assert len(SHORT_HAND_ORDER) == len(set(SHORT_HAND_ORDER)) == 81
    for text in ("100%", "random"):
        assert len(parse(text, is_short=True).weights) == 630
    for percent in (5, 15, 40, 80):
        assert abs(len(parse(f"{percent}%", is_short=True).weights) / 6.3 - percent) < 1
    fifth = equity(["AsAh", "5%"], "9s9d9cKhKd", variant="short-deck")
    assert fifth.boards == equity(["AsAh", "TT+"], "9s9d9cKhKd", variant="short-deck").boards


def test_the_order_of_the_short_pack_is_by_equity_against_a_random_hand() -> None:
    def against_random(kind: str) -> float:
        pair = "".join(map(str, next(iter(parse(kind).weights))))
        return (
            equity([pair, "random"], variant="short-deck", method=Method.MONTE_CARLO, samples=200_000).hands[0].equity
        )

    chosen = [against_random(SHORT_HAND_ORDER[place]) for place in range(0, 81, 16)]
    assert chosen == sorted(chosen, reverse=True)


def test_hands_of_four_cards_have_weights() -> None:
    aces, kings, other = "AsAh2s3h", "KsKh9s8h", "QsQdJsJd"
    board = "4c5c6dTh"
    alone = [equity([hand, other], board, variant="omaha").hands[0].equity for hand in (aces, kings)]
    mixed = equity([f"{aces}:0.5 {kings}", other], board, variant="omaha").hands[0].equity
    assert isclose(mixed, (alone[0] / 2 + alone[1]) / 1.5, abs_tol=1e-9)


def test_the_order_of_hands_is_by_equity_against_a_random_hand() -> None:
    def against_random(kind: str) -> float:
        pair = next(iter(parse(kind).weights))
        return equity([pair, "random"], method=Method.MONTE_CARLO, samples=400_000).hands[0].equity

    chosen = [against_random(HAND_ORDER[place]) for place in range(0, 169, 24)]
    assert chosen == sorted(chosen, reverse=True)


@pytest.mark.parametrize(("one", "other"), [("10s9s", "Ts9s"), ("a10S+", "ATs+"), ("1010-77", "TT-77"), ("qq+", "QQ+")])
def test_tens_and_cases_are_read_alike(one: str, other: str) -> None:
    assert parse(one).weights == parse(other).weights


def test_a_breakdown_has_every_hand_and_their_mean_is_the_equity_of_the_range() -> None:
    hands, board = ["QQ+", "JsTs"], "9s8s2d"
    found = breakdown(hands, 1, board)
    assert len(found) == 18
    assert [combo.equity for combo in found] == sorted((combo.equity for combo in found), reverse=True)
    mean = sum(combo.equity for combo in found) / len(found)
    assert isclose(mean, equity(hands, board).hands[0].equity, abs_tol=1e-9)


@pytest.mark.parametrize(
    ("variant", "hands", "boards", "code"),
    [
        ("draw", ["AsKs", "QsQd"], ("", ""), "EQUITY_VARIANT"),
        ("omaha", ["AsKs", "QsQdJsJd"], ("", ""), "FAMILY_HAND"),
        ("omaha", ["15%", "QsQdJsJd"], ("", ""), "FAMILY_HAND"),
        ("omaha", ["AsKsAhKh:2", "QsQdJsJd"], ("", ""), "RANGE_WEIGHT"),
        ("omaha", ["AsKsQsJs", "QsQdJhJd"], ("", ""), "EQUITY_CARD_REPEATED"),
        ("omaha", ["AsKsQsJs", "random"], ("2c3c4c", "5c6c7c"), "EQUITY_ONE_BOARD"),
        ("double-board-omaha", ["AsKsQsJs", "random"], ("2c3c4c", ""), "EQUITY_TWO_BOARDS"),
        ("short-deck", ["5s5d", "AsKs"], ("", ""), "EQUITY_NOT_IN_PACK"),
        ("short-deck", ["22-55", "AsKs"], ("", ""), "RANGE_EMPTY"),
        ("omaha6", ["random"] * 9, ("", ""), "EQUITY_NO_CARDS_LEFT"),
        ("holdem", ["101%", "AsKs"], ("", ""), "RANGE_PERCENT"),
    ],
)
def test_what_cannot_be_computed_is_named(variant: str, hands: list[str], boards: tuple[str, str], code: str) -> None:
    with pytest.raises(EquityError) as raised:
        equity(hands, boards[0], variant=variant, board2=boards[1])
    assert raised.value.refusal.code == code


def test_the_command_knows_every_variant_and_draws_a_heat_map(tmp_path: Path) -> None:
    assert tuple(VARIANTS) == VARIANT_NAMES
    picture = tmp_path / "map.png"
    options = ["--board", "9s8s2d", "--breakdown", "1", "--heat-map", str(picture), "--json"]
    done = CliRunner().invoke(app, ["equity", "QQ+,AKs", "JsTs", *options])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout.splitlines()[0])
    assert len(found["breakdown"]) == 22
    assert picture.read_bytes().startswith(b"\x89PNG")
    refused = CliRunner().invoke(app, ["equity", "AsKsQsJs", "random", "--variant", "omaha", "--heat-map", "x.png"])
    assert refused.exit_code == 2
