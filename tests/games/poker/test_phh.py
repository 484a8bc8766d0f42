"""Hand histories: real ones and our own, read, played and written."""

import random
import re
import warnings
from collections.abc import Iterator
from decimal import Decimal
from itertools import chain

import pytest
from pokerkit import Automation, HandHistory, Mode, NoLimitTexasHoldem

from croupier.cards import PACK
from croupier.game.game import Draw, Over, Step, Turn
from croupier.game.refusal import Refusal
from croupier.games.poker.histories.phh import HAND_CHARACTERS_MAX, Entry, Outcome, PhhHand, read, replay, write
from croupier.games.poker.rules.events import HandStarted, HoldemEvent
from croupier.games.poker.rules.rules import HoldemRules
from croupier.games.poker.rules.setup import HoldemSetup
from croupier.games.poker.rules.state import Hand
from tests.games.poker.driving import Table, random_action, stacks

MILLION_DOLLAR_POT = """
# Ivey and Dwan, 2009: aces and a straight on the turn.
variant = "NT"
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = [
  "d dh p1 Ac2d", "d dh p2 ????", "d dh p3 7h6h",
  "p3 cbr 7000 # opens", "p1 cbr 23000", "p2 f", "p3 cc",
  "d db Jc3d5c", "p1 cbr 35000", "p3 cc",
  "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100", "p3 cc",
  "p1 sm Ac2d", "p3 sm 7h6h",
  "d db Jh",
]
"""


def hand(
    actions: str,
    stacks: str = "[1000, 1000, 1000]",
    blinds: str = "[5, 10, 0]",
    antes: str = "[0, 0, 0]",
    min_bet: str = "10",
    more: str = "",
) -> str:
    written = ", ".join(f'"{action.strip()}"' for action in actions.split(";"))
    return f"""
variant = "NT"
antes = {antes}
blinds_or_straddles = {blinds}
min_bet = {min_bet}
starting_stacks = {stacks}
actions = [{written}]
{more}
"""


def entries_of(text: str) -> list[Entry]:
    return list(read(text.splitlines(keepends=True)))


def outcome(text: str) -> Outcome:
    (entry,) = entries_of(text)
    assert isinstance(entry.hand, PhhHand), entry
    return replay(entry.hand)


def final(text: str) -> tuple[Decimal | None, ...]:
    played = outcome(text)
    assert played.fault is None, played.fault
    assert played.is_over
    return played.stacks


def fault(text: str) -> tuple[int, str]:
    found = outcome(text).fault
    assert found is not None
    return found.action, found.refusal.code


def test_the_million_dollar_pot_ends_with_the_known_stacks() -> None:
    assert final(MILLION_DOLLAR_POT) == (572100, 1997500, 1109500)


def test_heads_up_player_one_has_the_big_blind_and_player_two_acts_first() -> None:
    text = hand("d dh p1 ????; d dh p2 ????; p2 f", "[1284, 2043]", "[5, 10]", "[0, 0]")
    assert final(text) == (1289, 2038)


def test_fractions_are_exact_and_an_odd_cent_goes_left_of_the_button() -> None:
    text = hand(
        "p3 f; p1 cc; p2 cc; d db AcKd9s; p1 cc; p2 cc; d db 8s; p1 cc; p2 cc; d db 3h; p1 cc; p2 cc;"
        "p1 sm AsKh; p2 sm AhKs",
        "[10.5, 20.25, 5]",
        "[0.05, 0.10, 0]",
        "[0.01, 0.01, 0.01]",
        "0.10",
    )
    assert final(text) == (Decimal("10.51"), Decimal("20.25"), Decimal("4.99"))


def test_an_under_the_gun_straddle_acts_last_before_the_flop() -> None:
    text = hand("p4 f; p1 f; p2 cc; p3 cc; d db 2c3d4h; p2 cbr 30; p3 f", "[100, 100, 100, 100]", "[5, 10, 20, 0]")
    assert final(text) == (95, 125, 80, 100)


def test_a_post_written_negative_is_live_but_does_not_move_the_first_to_act() -> None:
    text = hand("p3 f; p4 cc; p1 f; p2 cc; d db 2c3d4h; p2 cbr 30; p4 f", "[100, 100, 100, 100]", "[5, 10, 0, -10]")
    assert final(text) == (95, 115, 100, 90)


def test_a_big_blind_ante_is_dead_money_in_the_main_pot() -> None:
    text = hand("p3 f; p1 f", antes="[0, 10, 0]")
    assert final(text) == (995, 1005, 1000)


def test_antes_lie_in_the_main_pot_unless_the_file_trims_them() -> None:
    played = "d dh p1 AsAh; d dh p2 KsKh; d dh p3 QsQh; p2 cc; p3 cc; d db 2c3d5h; p2 cc; p3 cc; d db 8s; p2 cc; p3 cc;"
    played += "d db 9c; p2 cc; p3 cc"
    text = hand(played, "[2, 100, 100]", "[5, 10, 0]", "[5, 5, 5]")
    assert fault(text)[1] == "NOT_YOUR_TURN", "player 1 is all-in, so player 3 is first"
    text = hand(
        played.replace("p2 cc; p3 cc; d db 2c3d5h", "p3 cc; p2 cc; d db 2c3d5h"), "[2, 100, 100]", antes="[5, 5, 5]"
    )
    assert final(text) == (12, 105, 85)
    assert final(text + "ante_trimming_status = true") == (6, 111, 85)


def test_hands_that_were_never_shown_lose_to_the_one_that_was() -> None:
    text = hand(
        "d dh p1 ????; p3 f; p1 cc; p2 cc; d db 3cQhKd; p1 cc; p2 cc; d db Kh; p1 cc; p2 cc; d db 2s; p1 cc; p2 cbr 50;"
        "p1 cc; p2 sm JdKc; p1 sm ????"
    )
    assert final(text) == (940, 1060, 1000)


def test_a_hand_mucked_in_the_record_does_not_win_though_its_cards_are_known() -> None:
    text = hand(
        "d dh p1 AsAh; d dh p2 7c2d; p3 f; p1 cc; p2 cc; d db 3cQhKd; p1 cc; p2 cc; d db Kh; p1 cc; p2 cc; d db 2s;"
        "p1 cc; p2 cc; p1 sm; p2 sm 7c2d"
    )
    assert final(text) == (990, 1010, 1000)


def test_given_cards_are_shown_where_the_record_says_nothing_of_it() -> None:
    text = hand("d dh p1 AsAh; d dh p2 KsKh; d dh p3 QsQh; p3 cbr 1000; p1 cc; p2 f; d db 2c3d5h; d db 8s; d db 9c")
    assert final(text) == (2010, 990, 0)


def test_a_needless_check_of_the_only_player_with_chips_is_taken_as_said() -> None:
    text = hand("d dh p1 AsAh; d dh p2 KsKh; p3 f; p2 cc; d db 2c3d5h; p2 cc; d db 8s; d db 9c", "[5, 1000, 1000]")
    assert final(text) == (10, 995, 1000)


def test_a_player_passed_over_while_checking_is_free_has_checked() -> None:
    assert final(hand("p3 cc; p1 cc; d db 2c3d5h; p2 cbr 20; p3 f; p1 f")) == (990, 1020, 990)


def test_cards_shown_after_everybody_folded_change_nothing() -> None:
    assert final(hand("p3 cbr 30; p1 f; p2 f; p3 sm AhAd")) == (995, 990, 1015)


def test_a_record_may_stop_before_the_end() -> None:
    played = outcome(hand("p3 cc; p1 cc; p2 cc; d db AsKsQs"))
    assert (played.is_over, played.stacks, played.fault) == (False, (990, 990, 990), None)


def test_an_unknown_stack_never_runs_out_and_stays_unknown() -> None:
    played = outcome(hand("p3 cbr 5000; p1 f; p2 f", "[1000, 1000, inf]"))
    assert played.stacks == (995, 990, None)
    assert played.payouts == (-5, -10, 15)


@pytest.mark.parametrize(
    ("actions", "where", "code"),
    [
        ("p3 cbr 12", 1, "RAISE_TOO_SMALL"),
        ("p3 cbr -1", 1, "RAISE_TOO_SMALL"),
        ("p3 cbr 10", 1, "RAISE_TOO_SMALL"),
        ("p3 cbr 1000000000000000000000000000000", 1, "RAISE_TOO_BIG"),
        ("p3 cbr many", 1, "PHH_BAD_ACTION"),
        ("p3 cbr inf", 1, "PHH_BAD_ACTION"),
        ("p3 cbr 1e999999", 1, "PHH_BAD_ACTION"),
        ("p3 cbr 1e-999999", 0, "PHH_TOO_MANY_DECIMALS"),
        ("p3 cbr 20.0000000001", 0, "PHH_TOO_MANY_DECIMALS"),
        ("p3 bet 20", 1, "PHH_BAD_ACTION"),
        ("x3 f", 1, "PHH_BAD_ACTION"),
        ("p0 f", 1, "PHH_BAD_ACTION"),
        ("p4 f", 1, "PHH_NO_SUCH_PLAYER"),
        ("p1 f", 1, "NOT_YOUR_TURN"),
        ("p3 f; p1 f; p2 f", 3, "ROUND_OVER"),
        ("d dh p1 AhAh", 1, "PHH_REPEATED_CARD"),
        ("d dh p1 AhKh; d dh p2 QsKh", 2, "PHH_REPEATED_CARD"),
        ("d dh p1 AhKh; p3 cc; p1 cc; p2 cc; d db AhKsQs", 5, "PHH_REPEATED_CARD"),
        ("d dh p1 AhKhQh", 1, "PHH_TOO_MANY_CARDS"),
        ("d dh p1 Ah1h", 1, "PHH_BAD_CARDS"),
        ("p3 cc; d db AhKsQs", 2, "PHH_BOARD_TOO_EARLY"),
        ("p3 cc; p1 cc; p2 cc; p1 cc", 4, "PHH_BOARD_MISSING"),
        ("p3 f; p3 sm AhAd", 2, "PHH_NOT_IN_HAND"),
        ("p3 cc; p1 cc; p2 cc; d db AhKsQs2d3c4c; p1 cc; p2 cc; p3 cc; p1 cc; p2 cc; p3 cc; p1 cc; p2 cc; p3 cc", 13,
         "PHH_TOO_MANY_CARDS"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(actions: str, where: int, code: str) -> None:
    assert fault(hand(actions)) == (where, code)


def test_a_showdown_of_unknown_hands_has_no_winner() -> None:
    text = hand("p3 f; p1 cbr 1000; p2 cc; d db AhKsQs; d db 2d; d db 3d")
    assert fault(text)[1] == "PHH_WINNER_UNKNOWN"


def test_amounts_of_a_refusal_are_those_of_the_file() -> None:
    found = outcome(hand("p3 cbr 0.15", "[10, 10.5, 10]", "[0.05, 0.10, 0]", min_bet="0.10")).fault
    assert found is not None
    assert found.refusal == Refusal("RAISE_TOO_SMALL", {"low": "0.2", "high": "10"})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("variant = ", "PHH_NOT_TOML"),
        ("", "PHH_NO_HANDS"),
        ("# a remark, and nothing else\n\n", "PHH_NO_HANDS"),
        (f"min_bet = {'9' * 5000}", "PHH_NOT_TOML"),
        (f"min_bet = {'[' * 5000}", "PHH_NOT_TOML"),
        ("min_bet = 1e99999999999999999999", "PHH_NOT_TOML"),
    ],
)
def test_a_file_that_is_none_is_refused(text: str, code: str) -> None:
    (entry,) = entries_of(text)
    assert isinstance(entry.hand, Refusal)
    assert entry.hand.code == code


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        (MILLION_DOLLAR_POT.replace('"NT"', '"F7S"'), "PHH_WRONG_VARIANT", "F7S"),
        (MILLION_DOLLAR_POT.replace("min_bet = 2000", ""), "PHH_FIELD_MISSING", "min_bet"),
        (MILLION_DOLLAR_POT.replace("min_bet = 2000", "min_bet = 0"), "PHH_BAD_FIELD", "min_bet"),
        (MILLION_DOLLAR_POT.replace("1125600", "0"), "PHH_BAD_FIELD", "starting_stacks"),
        (MILLION_DOLLAR_POT.replace("1125600", "nan"), "PHH_BAD_FIELD", "starting_stacks"),
        (MILLION_DOLLAR_POT.replace("1125600, 2000000, 553500", ""), "PHH_BAD_FIELD", "starting_stacks"),
        (MILLION_DOLLAR_POT.replace("1125600", "1e999999"), "PHH_BAD_FIELD", "starting_stacks"),
        (MILLION_DOLLAR_POT.replace("[500, 500, 500]", "[-1, 0, 0]"), "PHH_BAD_FIELD", "antes"),
        (MILLION_DOLLAR_POT.replace("[1000, 2000, 0]", "[1, 2, 0, 0]"), "PHH_BAD_FIELD", "blinds_or_straddles"),
    ],
)
def test_a_hand_with_a_wrong_field_is_refused_by_its_name(text: str, code: str, named: str) -> None:
    (entry,) = entries_of(text)
    refusal = entry.hand
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert any(named in str(fact) for fact in refusal.facts.values())


def test_a_file_of_several_hands_names_each() -> None:
    entries = entries_of("[1]\n" + hand("p3 f") + "\n[2]\n" + hand("p3 f", more="hand = 3017254774"))
    assert [entry.name for entry in entries] == ["1", "3017254774"]


@pytest.mark.parametrize(
    "broken", ["actions = [", "name = 'open", "note = '''open", "x = 1\nx = 2", "= 3", "b = '\udcff'"]
)
def test_a_broken_hand_spoils_no_other_and_its_line_is_told(broken: str) -> None:
    good = hand("p3 f")
    first, second, third = entries_of(f"[1]\n{good}\n[2]\n{broken}\n['third'] # the last\n{good}")
    assert (first.name, second.name, third.name) == ("1", "2", "third")
    assert isinstance(first.hand, PhhHand)
    assert isinstance(third.hand, PhhHand)
    assert isinstance(second.hand, Refusal)
    line = 3 + good.count("\n") + broken.count("\n")
    assert second.hand.code == "PHH_NOT_TOML"
    assert re.search(rf"at line ({line}|{line + 1}),?|at end of document", str(second.hand.facts["fault"]))


def test_a_hand_is_read_before_the_next_one_is_there() -> None:
    def lines() -> Iterator[str]:
        yield from ("[1]\n", hand("p3 f"), "[2]\n")
        raise AssertionError("nobody asked for the second hand")

    assert next(iter(read(lines()))).name == "1"


def test_a_hand_that_never_ends_is_refused_and_not_kept() -> None:
    endless = (f"x{number} = '{'x' * 990}'\n" for number in range(2_000))
    first, second = read(chain(["[1]\n"], endless, ["[2]\n", hand("p3 f")]))
    assert first == Entry("1", Refusal("PHH_HAND_TOO_LONG", {"allowed": HAND_CHARACTERS_MAX}))
    assert isinstance(second.hand, PhhHand)


def test_a_table_of_somebodys_own_and_a_mark_of_the_byte_order_are_no_hands() -> None:
    (entry,) = entries_of("\ufeff# a single hand\n" + hand("p3 f") + "[_notes]\nmood = 'good'\n")
    assert isinstance(entry.hand, PhhHand)
    (entry,) = entries_of("\ufeff[7]\n" + hand("p3 f") + "[7._notes]\nmood = 'good'\n")
    assert (entry.name, isinstance(entry.hand, PhhHand)) == ("7", True)


def random_hand(seed: str) -> tuple[Hand, list[tuple[HoldemEvent, bool]]]:
    """A finished hand, and its events, each with whether a spectator heard it."""
    chance = random.Random(seed)
    seats = chance.randint(2, 10)
    setup = HoldemSetup(
        tuple(chance.choice((chance.randint(40, 300), 1000)) for _ in range(seats)), chance.randrange(seats)
    )
    rules = HoldemRules(ante=chance.choice((0, 2)))
    step = rules.opening(setup)
    assert isinstance(step, Step)
    pack = chance.sample(PACK, len(PACK))
    told = list(step.told)
    while not isinstance(waiting := rules.awaits(step.state), Over):
        if isinstance(waiting, Draw):
            step = rules.deal(step.state, tuple(pack.pop() for _ in range(waiting.count)))
        else:
            assert isinstance(waiting, Turn)
            seat = waiting.seats[0]
            after = rules.act(step.state, seat, random_action(rules, step.state, seat, chance))
            assert isinstance(after, Step)
            step = after
        told += step.told
    return step.state, [(one.event, one.to.hears(None)) for one in told]


@pytest.mark.parametrize("chunk", range(4))
def test_our_hands_are_read_back_to_the_same_stacks_by_pokerkit_and_by_us(chunk: int) -> None:
    for number in range(40):
        played, told = random_hand(f"{chunk}:{number}")
        for spectator in (False, True):
            text = write([event for event, public in told if public or not spectator])
            expected = [played.stacks[seat] for seat in played.order]
            assert list(final(text)) == expected, text
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                *_, state = HandHistory.loads(text)
            if len(played.awards) == 1:  # with side pots PokerKit may place odd chips elsewhere; see test_oracle
                assert state.stacks == expected, text
            assert sum(state.stacks) == sum(expected)


@pytest.mark.parametrize("chunk", range(4))
def test_hands_that_pokerkit_played_and_wrote_end_with_its_stacks(chunk: int) -> None:
    automations = tuple(kind for kind in Automation)
    for number in range(40):
        chance = random.Random(f"{chunk}:{number}")
        random.seed(f"{chunk}:{number}")  # PokerKit shuffles by the module's own chance
        seats = chance.randint(2, 9)
        blinds = [5, 10, *[0] * (seats - 2)]
        if seats > 3 and chance.random() < 0.5:
            blinds[chance.choice((2, seats - 1))] = chance.choice((20, -10))
        antes, trimmed = chance.choice((([0] * seats, True), ([1] * seats, True), ([0, 10, *[0] * (seats - 2)], False)))
        game = NoLimitTexasHoldem(automations, trimmed, antes, blinds, 10, mode=Mode.CASH_GAME)
        state = game([chance.choice((chance.randint(30, 200), 1000)) for _ in range(seats)], seats)
        while state.status:
            low, high = (
                state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount,
            )  # fmt: skip
            choice = chance.random()
            if choice < 0.15 and state.checking_or_calling_amount:
                state.fold()
            elif choice < 0.75 or low is None or high is None:
                state.check_or_call()
            else:
                state.complete_bet_or_raise_to(high if choice > 0.95 else low + chance.randint(0, (high - low) // 6))
        text = HandHistory.from_game_state(game, state, ante_trimming_status=trimmed).dumps()
        stacks = final(text)
        played = outcome(text).played
        assert played is not None
        if len(played.state.awards) == 1:  # with side pots PokerKit may place odd chips elsewhere; see test_oracle
            assert list(stacks) == state.stacks, text
        else:
            assert sum(stack for stack in stacks if stack is not None) == sum(state.stacks)


def test_a_written_hand_tells_a_spectator_no_card_that_was_not_shown() -> None:
    table = Table(stacks(1000, 1000, 1000), {0: "AsAh", 1: "KsKh", 2: "QsQh"}, "2c3d5h8s9c").raise_to(0, 30).fold(1, 2)
    assert isinstance(table.events[0], HandStarted)
    public = [event for event in table.events if type(event).__name__ != "HoleCards"]
    text = write(public, ["Ann", 'Bob "the\\n"', "Cai"])
    assert "As" not in text
    entries = entries_of(text)
    assert isinstance(entries[0].hand, PhhHand)
    assert entries[0].hand.players == ('Bob "the\\n"', "Cai", "Ann")


def test_names_in_a_written_hand_are_harmless() -> None:
    table = Table(stacks(1000, 1000), {0: "AsAh", 1: "KsKh"}, "2c3d5h8s9c").fold(0)
    text = write(table.events, ["\x1b[2JAnn\u202e\n", "\u3164Bob\x9b31m"])
    assert all(line.isprintable() for line in text.splitlines())
    (entry,) = entries_of(text)
    assert isinstance(entry.hand, PhhHand)
    assert sorted(entry.hand.players) == ["Bob31m", "[2JAnn"]
