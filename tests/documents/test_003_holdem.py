"""Document 003, the course of a game of Hold'em, point by point: tests are named after its sections."""

from collections import Counter

import pytest
from playwright.sync_api import Page

from croupier import locales
from croupier.cards import PACK
from croupier.game.game import Draw, Over, Step
from croupier.game.refusal import Refusal
from croupier.games.poker import CASH, TOURNAMENT, AnteFrom, HoldemRules, Level, Mode, OddChips
from croupier.games.poker.rules.evaluate import Category
from croupier.games.poker.rules.events import (
    HandNamed,
    HandStarted,
    KnockedOut,
    Post,
    Posted,
    PotAwarded,
    Shown,
    StreetDealt,
)
from tests.clients.test_plain import croupier
from tests.documents.console import told
from tests.games.poker.driving import Table, stacks

BOARD = "2c3d5h8s9c"
ONE_PAIR, TWO_PAIR = Category.ONE_PAIR, Category.TWO_PAIR


def posts(table: Table) -> list[tuple[int, Post, int]]:
    return [(event.seat, event.post, event.amount) for event in table.events if isinstance(event, Posted)]


# 1. The whole game


def test_1_two_to_ten_players_begin_with_1000_chips_and_blinds_of_5_and_10() -> None:
    assert TOURNAMENT.seat_range == (2, 10)
    assert TOURNAMENT.setup(10).stacks == (1000,) * 10
    assert (TOURNAMENT.small_blind, TOURNAMENT.big_blind) == (5, 10)
    for seats in (1, 11):
        assert isinstance(TOURNAMENT.opening(TOURNAMENT.setup(seats)), Refusal)


def test_1_a_hand_goes_through_its_streets_with_a_burned_card_before_each() -> None:
    table = Table(stacks(1000, 1000, 1000), board=BOARD)
    spare = len(table.spare)
    table.call(0, 1).check(2)
    for _ in range(3):
        table.check(1, 2, 0)
    streets = [event for event in table.events if isinstance(event, StreetDealt)]
    assert [len(event.cards) for event in streets] == [3, 1, 1]
    assert spare - len(table.spare) == 3, "one burned card for flop, turn and river"


def test_1_a_game_is_over_when_one_player_has_all_chips_and_is_ranked() -> None:
    table = Table(stacks(600, 1400), {0: "2c7d", 1: "AsAh"}, "3h4h9s9dJc", TOURNAMENT).all_in(0).call(1)
    assert table.told(KnockedOut) == [KnockedOut(0, 2)]
    assert table.rules.ended(table.state)


# 2. The beginning of a hand


def test_2_every_hand_has_a_whole_new_pack_and_two_cards_each() -> None:
    opened = CASH.opening(CASH.setup(3))
    assert isinstance(opened, Step)
    wanted = CASH.awaits(opened.state)
    assert isinstance(wanted, Draw)
    assert Counter(wanted.pack) == Counter(PACK)
    assert wanted.count == 6


def test_2_3_with_fewer_than_two_players_with_chips_there_is_no_hand() -> None:
    assert isinstance(CASH.opening(stacks(1000, 0, 0)), Refusal)


# 3. The button


def test_3_the_first_button_is_seat_0_and_then_the_next_seat_with_chips() -> None:
    assert TOURNAMENT.setup(4).button == 0
    table = Table(stacks(1000, 0, 1000, 1000, button=0)).fold(0, 2)
    assert table.rules.following(table.state).button == 2


def test_3_heads_up_the_button_is_the_small_blind_acts_first_and_then_last() -> None:
    table = Table(stacks(1000, 1000, button=0))
    assert posts(table) == [(0, Post.SMALL_BLIND, 5), (1, Post.BIG_BLIND, 10)]
    assert table.turn == 0
    table.call(0).check(1)
    assert table.turn == 1


def test_3_with_more_players_the_blinds_follow_the_button_and_the_next_one_acts_first() -> None:
    table = Table(stacks(1000, 1000, 1000, 1000, button=1))
    assert posts(table) == [(2, Post.SMALL_BLIND, 5), (3, Post.BIG_BLIND, 10)]
    order = []
    for _ in range(4):
        assert table.turn is not None
        order.append(table.turn)
        table = table.check(table.turn) if "Check" in table.menu else table.call(table.turn)
    assert order == [0, 1, 2, 3]
    assert table.turn == 2, "after the flop the small blind is first"


# 4. Blinds


def test_4_the_small_blind_is_posted_first() -> None:
    table = Table(stacks(1000, 1000, 1000, button=1))
    assert [(post, amount) for _, post, amount in posts(table)] == [(Post.SMALL_BLIND, 5), (Post.BIG_BLIND, 10)]


BLINDS = {
    "en": ("small blind", "big blind"),
    "ko": ("스몰 블라인드", "빅 블라인드"),
    "zh": ("小盲", "大盲"),
    "ru": ("малый блайнд", "большой блайнд"),
}


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_4_the_console_says_small_blind_and_big_blind_and_the_small_one_first(language: str) -> None:
    said = croupier("holdem", "--plain", "--bots", "2", "--nickname", "Ann", stdin="f\nq\n", language=language)
    lines = said.stdout.splitlines()
    (small,), (big,) = ([n for n, line in enumerate(lines) if word in line] for word in BLINDS[language])
    assert big == small + 1
    assert "5" in lines[small]
    assert "10" in lines[big]


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_4_the_console_says_that_a_short_blind_is_all_in(language: str) -> None:
    table = Table(stacks(1000, 1000, 4, button=0))
    small, big = (line for line in told(CASH, table.events, language) if any(word in line for word in BLINDS[language]))
    all_in = locales.text(language, "play.poker.all_in")
    assert big.endswith(all_in)
    assert not small.endswith(all_in)


def test_4_a_short_blind_is_all_in_and_the_others_owe_the_whole() -> None:
    table = Table(stacks(1000, 1000, 4, button=0))
    assert posts(table)[-1] == (2, Post.BIG_BLIND, 4)
    assert table.state.bet == 10


def test_4_the_page_says_that_a_short_blind_is_all_in(page: Page) -> None:
    said = page.evaluate(
        """async () => {
          const { sentence } = await import("/games/poker/words.js");
          const posted = { type: "HOLDEM_POSTED", seat: 2, post: "BIG_BLIND", amount: 4 };
          return [sentence({ ...posted, allIn: true }, () => "Cleo"), sentence(posted, () => "Cleo")];
        }"""
    )
    short = "Cleo posts the big blind of 4."
    assert said == [f"{short} {locales.text('en', 'web.poker.told.all_in')}", short]


def test_4_blinds_double_every_ten_hands_and_a_schedule_may_replace_that() -> None:
    for hand, small in ((10, 5), (11, 10), (21, 20)):
        table = Table(stacks(1000, 1000, 1000, hand=hand), rules=TOURNAMENT)
        (started,) = (event for event in table.events if isinstance(event, HandStarted))
        assert (started.small_blind, started.big_blind) == (small, 2 * small)
    written = HoldemRules(edition=2, levels=(Level(1, 2, 0), Level(3, 5, 0)))
    assert written.level_number(11) != written.level_number(1)


# 5. Betting


def test_5_fold_check_call_raise_and_all_in_with_their_bounds_are_in_the_state() -> None:
    table = Table(stacks(1000, 1000, 1000))
    assert table.menu == {"Fold": (0, 0), "Call": (0, 0), "Raise": (20, 1000), "AllIn": (0, 0)}
    table.raise_to(0, 30)
    assert table.menu["Raise"] == (50, 1000)


def test_5_a_street_ends_when_everybody_has_acted_and_matched_and_bets_begin_anew() -> None:
    table = Table(stacks(1000, 1000, 1000)).raise_to(0, 30).call(1, 2)
    assert table.state.bets == (0, 0, 0)
    assert table.state.bet == 0
    assert table.turn == 1


def test_5_the_big_blind_has_the_option() -> None:
    table = Table(stacks(1000, 1000, 1000)).call(0, 1)
    assert table.turn == 2
    assert "Check" in table.menu


# 6. The early end


def test_6_everybody_else_folds_and_the_hand_is_over_without_a_card_shown() -> None:
    table = Table(stacks(1000, 1000, 1000)).fold(0, 1)
    assert table.is_over
    assert table.state.stacks == (1000, 995, 1005)
    assert not table.told(Shown)
    assert not table.told(HandNamed)
    assert not table.told(StreetDealt)


# 7. Showdown and pots


def test_7_at_an_all_in_showdown_every_hand_is_named_before_the_pots_are_awarded() -> None:
    table = Table(stacks(100, 300, 1000), {0: "AsAh", 1: "KsKh", 2: "9s8d"}, BOARD).all_in(0, 1).call(2)
    named = [event for event in table.events if isinstance(event, HandNamed)]
    assert {event.seat: event.category for event in named} == {
        0: ONE_PAIR,
        1: ONE_PAIR,
        2: TWO_PAIR,
    }
    kinds = [type(event) for event in table.events]
    assert kinds.index(PotAwarded) > max(place for place, kind in enumerate(kinds) if kind is HandNamed)


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_7_the_console_names_every_hand_of_an_all_in_showdown(language: str) -> None:
    table = Table(stacks(100, 300, 1000), {0: "AsAh", 1: "KsKh", 2: "9s8d"}, BOARD).all_in(0, 1).call(2)
    lines = told(CASH, table.events, language)
    pair, two_pair = (locales.text(language, f"hand.{category.name}") for category in (ONE_PAIR, TWO_PAIR))
    for name, made in (("Ann", pair), ("Ben", pair), ("Cleo", two_pair)):
        assert locales.text(language, "event.HOLDEM_HAND_NAMED", seat=name, category=made) in lines


@pytest.mark.parametrize("preset", [TOURNAMENT, CASH])
def test_7_odd_chips_go_one_each_from_the_left_of_the_button(preset: HoldemRules) -> None:
    assert preset.odd_chips is OddChips.EACH
    rules = HoldemRules(edition=2, odd_chips=OddChips.EACH, mode=Mode.CASH, ante=2, ante_from=AnteFrom.BIG_BLIND)
    hole = {0: "AsKh", 1: "AhKs", 2: "AdKc"}
    table = Table(stacks(10, 12, 10, 1000, button=3), hole, "AcKd9s8s3h", rules).all_in(2).fold(3).call(0)
    assert table.state.stacks == (11, 11, 10, 1000), "32 chips for three"


def test_7_all_odd_chips_to_the_first_is_an_option_and_what_edition_1_did() -> None:
    assert HoldemRules().odd_chips is OddChips.FIRST
    rules = HoldemRules(edition=2, odd_chips=OddChips.FIRST, mode=Mode.CASH, ante=2, ante_from=AnteFrom.BIG_BLIND)
    hole = {0: "AsKh", 1: "AhKs", 2: "AdKc"}
    table = Table(stacks(10, 12, 10, 1000, button=3), hole, "AcKd9s8s3h", rules).all_in(2).fold(3).call(0)
    assert table.state.stacks == (12, 10, 10, 1000)


def test_7_side_pots_keep_what_folded_players_put_in() -> None:
    hole = {0: "AsAh", 1: "KsKh", 2: "QsQh", 3: "7c2d"}
    table = Table(stacks(100, 1000, 1000, 1000), hole, BOARD)
    table.raise_to(3, 60).all_in(0).raise_to(1, 300).call(2).fold(3)
    table.check(1, 2, 1, 2, 1, 2).muck(2)
    assert table.state.stacks == (360, 1100, 700, 940)
    assert sum(table.state.stacks) == 3100, "the document's sketch would lose the 60 of seat 3"
    assert isinstance(table.rules.awaits(table.state), Over)


# 8. The end of the game


def test_8_the_game_ends_with_a_ranking_by_chips_and_statistics() -> None:
    """Two go out in one hand: whoever began it with more chips is ranked higher."""
    hole = {0: "AsAh", 1: "KsKh", 2: "QsQh"}
    table = Table(stacks(1000, 300, 200), hole, BOARD, TOURNAMENT).all_in(0, 1, 2)
    assert table.told(KnockedOut) == [KnockedOut(1, 2), KnockedOut(2, 3)]
    assert table.rules.ended(table.state)
    view = TOURNAMENT.view(table.state, None)
    assert [seat.chips for seat in view.seats] == [1500, 0, 0]
    after = table.rules.following(table.state)
    assert [counted.hands for counted in after.statistics] == [1, 1, 1]
    assert [counted.won for counted in after.statistics] == [1, 0, 0]


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_8_the_console_says_the_place_of_everybody_and_the_winner(language: str) -> None:
    table = Table(stacks(600, 1400), {0: "2c7d", 1: "AsAh"}, "3h4h9s9dJc", TOURNAMENT).all_in(0).call(1)
    lines = told(TOURNAMENT, table.events, language)
    assert locales.text(language, "event.HOLDEM_KNOCKED_OUT", seat="Ann", place=2) in lines
    assert locales.text(language, "play.poker.champion", name="Ben") in lines
