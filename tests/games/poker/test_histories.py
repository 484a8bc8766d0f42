"""Hand histories of real play: what a record leaves open, results with rake, other formats, what an export keeps."""

import json
import tomllib
from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.game.refusal import Refusal
from croupier.games.poker.histories import ohh, pokerstars, sites
from croupier.games.poker.histories.formats import Format, format_of
from croupier.games.poker.histories.ohh.writer import chips_of
from croupier.games.poker.histories.phh import Entry, Outcome, PhhHand, read, replay, rewrite
from croupier.games.poker.histories.phh.toml_text import toml_table
from croupier.games.poker.histories.source import source_of
from croupier.table import round_steps

RUN_OUT = """
variant = "NT"
ante_trimming_status = false
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [70.95, 155.21, 157.45]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 3.50", "p1 cbr 11.50", "p2 f", "p3 cbr 157.45",
 "p1 cc", "p3 sm ????", "p1 sm ????", "d db 8h9s5h", "p1 sm ????", "p3 sm ????", "d db Ah", "d db 2d",
 "p1 sm QcQd", "p3 sm AdKh"]
venue = "Some Site"
time = 08:21:10
day = 6
month = 7
year = 2009
hand = "R5-1"
seats = [6, 1, 4]
seat_count = 6
table = "Elm"
players = ["Ann", "Bob", "Cid"]
currency_symbol = "$"
time_zone_abbreviation = "ET"
"""


def hands(text: str) -> list[Entry]:
    return list(read(text.splitlines(keepends=True)))


def hand_of(text: str) -> PhhHand:
    (entry,) = hands(text)
    assert isinstance(entry.hand, PhhHand), entry
    return entry.hand


def outcome(text: str) -> Outcome:
    played = replay(hand_of(text))
    assert played.fault is None, played.fault
    return played


def test_a_hand_that_is_not_shown_before_the_run_out_and_shown_after_it_is_shown() -> None:
    assert outcome(RUN_OUT).payouts == (Decimal("-70.95"), -1, Decimal("71.95"))


def test_recorded_winnings_leave_the_rest_of_the_pot_to_the_house() -> None:
    played = outcome(RUN_OUT + "winnings = [0, 0, 140.90]\n")
    assert (played.rake, played.agrees) == (Decimal("2"), True)
    assert played.payouts == (Decimal("-70.95"), -1, Decimal("69.95"))
    assert played.raked == (0, 0, 2)


def test_winnings_that_count_the_uncalled_bet_are_told_by_their_sum() -> None:
    played = outcome(RUN_OUT + "winnings = [0, 0, 227.40]\n")  # 140.90 and the 86.50 that nobody could call
    assert (played.rake, played.agrees) == (Decimal("2"), True)


def test_winnings_of_nothing_but_zeros_say_nothing() -> None:
    assert outcome(RUN_OUT + "winnings = [0, 0, 0]\n").agrees is None


def test_a_result_that_the_cards_contradict_is_kept_and_told() -> None:
    played = outcome(RUN_OUT + "winnings = [140, 0, 0]\n")
    assert (played.agrees, played.payouts[0]) == (False, Decimal("69.05"))


LATE = """
variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [5, 10, -5, 0]
min_bet = 10
starting_stacks = [100, 100, 100, 100]
actions = ["p3 cc", "p4 cbr 30", "p1 f", "p2 f", "p3 f"]
"""


@pytest.mark.parametrize(
    ("result", "payouts", "agrees"),
    [("", (-5, -10, -10, 25), None), ("finishing_stacks = [95, 90, 85, 130]", (-5, -10, -15, 30), True),
     ("winnings = [0, 0, 0, 35]", (-5, -10, -10, 25), True)],
)  # fmt: skip
def test_a_small_blind_posted_late_is_dead_where_the_result_says_so(
    result: str, payouts: tuple[int, ...], agrees: bool | None
) -> None:
    played = outcome(LATE + result)
    assert (played.payouts, played.agrees) == (payouts, agrees)


def test_finishing_stacks_below_the_cards_are_rake_and_no_disagreement() -> None:
    played = outcome(RUN_OUT + "finishing_stacks = [0, 154.21, 228.40]\n")
    assert (played.rake, played.agrees) == (1, True)


UNSEEN = """
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 cc", "p1 cc", "d db 8h9s5h", "p1 cc", "p2 cc", "d db Ah", "p1 cc",
 "p2 cc", "d db 2d", "p1 cc", "p2 cc", "p1 sm ????", "p2 sm ????"]
"""


def test_the_record_says_who_won_with_a_hand_that_nobody_saw() -> None:
    assert replay(hand_of(UNSEEN)).fault is not None
    for winnings, payouts in (("[3.8, 0]", ("1.8", "-2")), ("[0, 4]", ("-2", "2")), ("[2, 2]", ("0", "0"))):
        played = outcome(f"{UNSEEN}winnings = {winnings}\n")
        assert played.is_over
        assert played.payouts == tuple(map(Decimal, payouts))


def test_where_all_muck_the_hand_that_is_given_won() -> None:
    assert outcome(UNSEEN.replace("d dh p1 ????", "d dh p1 AcAd")).payouts == (2, -2)


@pytest.mark.parametrize(
    ("code", "name"),
    [("F7S", "seven-card stud"), ("FR", "razz"), ("N2L1D", "single draw"), ("F2L3D", "triple draw"), ("FB", "badugi")],
)
def test_stud_razz_and_draw_are_refused_by_name(code: str, name: str) -> None:
    (entry,) = hands(RUN_OUT.replace('"NT"', f'"{code}"'))
    assert isinstance(entry.hand, Refusal)
    assert name in str(entry.hand.facts["variant"])


OMAHA_HILO = """
variant = "FO/8"
antes = [0, 0]
blinds_or_straddles = [50, 100]
small_bet = 100
big_bet = 200
starting_stacks = [2000, 2000]
actions = ["d dh p1 AsAhKcKd", "d dh p2 2c3c4dQd", "p2 cc", "p1 cc", "d db 5h6s8c", "p1 cbr 100", "p2 cc", "d db Tc",
 "p1 cbr 200", "p2 cc", "d db Ts", "p1 cc", "p2 cc"]
"""


def test_a_limit_omaha_high_low_pot_is_halved() -> None:
    """Player 1 wins the high with aces and tens; player 2 the low with 8-6-5-3-2, so nobody wins anything."""
    assert outcome(OMAHA_HILO).payouts == (0, 0)
    assert outcome(OMAHA_HILO.replace("5h6s8c", "5h9sJc")).payouts == (400, -400)


def test_a_bet_of_no_limit_size_is_refused_in_limit() -> None:
    fault = replay(hand_of(OMAHA_HILO.replace("p1 cbr 200", "p1 cbr 300"))).fault
    assert fault is not None
    assert fault.action == 9


LIMIT = """
variant = "FT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
small_bet = 10
big_bet = 20
starting_stacks = [500, 500, {short}]
actions = ["d dh p1 AsAh", "d dh p2 2c3c", "d dh p3 KdQd", {actions}, "d db 5h6s8c", "p1 cc", "p2 cc", "d db Tc",
 "p1 cbr 20", "p2 f", "d db Jd"]
"""


@pytest.mark.parametrize(
    ("short", "actions", "stacks"),
    [
        (50, '"p3 cbr 20", "p1 cbr 30", "p2 cbr 40", "p3 cbr 50", "p1 cc", "p2 cc"', (600, 450, 0)),
        (13, '"p3 cbr 13", "p1 cbr 20", "p2 cc"', (533, 480, 0)),
        (15, '"p3 cbr 15", "p1 cbr 25", "p2 cbr 30", "p1 cc"', (545, 470, 0)),
        (23, '"p3 cc", "p1 cc", "p2 cbr 20", "p3 cbr 23", "p1 cc", "p2 cbr 30", "p1 cc"', (553, 470, 0)),
    ],
)
def test_a_limit_is_played_as_the_house_of_the_record_has_it(short: int, actions: str, stacks: tuple[int, ...]) -> None:
    """Some houses allow a fifth bet; in some a raise completes a short all-in, or the all-in opens the betting."""
    text = LIMIT.format(short=short, actions=actions)
    ended = outcome(text + f"finishing_stacks = {list(stacks)}\n")
    assert ended.stacks == stacks
    assert ended.agrees
    too_much = text.replace('p1 cbr 20", "p2 f', 'p1 cbr 30", "p2 f')
    fault = replay(hand_of(too_much)).fault
    assert fault is not None
    assert fault.refusal.code == "BET_TOO_BIG"


def test_what_comes_in_as_phh_goes_out_as_phh() -> None:
    text = RUN_OUT + 'winnings = [0, 0, 140.90]\n_own = {a = 1, b = "x"}\ncurrency = "USD"\n'
    again = tomllib.loads(rewrite(hand_of(text)), parse_float=Decimal)
    assert again == tomllib.loads(text, parse_float=Decimal)
    assert "0.50" in rewrite(hand_of(text)), "cents stay cents"


def test_numbers_that_nobody_could_mean_are_no_accident() -> None:
    odd = "_a = nan\n_b = 1e400\n_c = -1e-999999999\nwinnings = [0, 0, 99999999999999999999999999999999]\n"
    text = RUN_OUT.replace("year = 2009", "year = 99999999999999999999999") + odd
    again = tomllib.loads(rewrite(hand_of(text)), parse_float=Decimal)
    assert (again["_a"].is_nan(), again["_b"], again["_c"]) == (True, Decimal("1e400"), Decimal("-1e-999999999"))
    assert outcome(text).agrees is False
    assert source_of(hand_of(text), 2).when is None


def test_a_text_comes_out_as_it_went_in_though_it_may_be_one_to_harm_a_terminal() -> None:
    text = RUN_OUT.replace('table = "Elm"', 'table = "Table  12\\u001b[2J\\u202e\\u3164"')
    written = rewrite(hand_of(text))
    assert tomllib.loads(written)["table"] == "Table  12\x1b[2J\u202e\u3164"
    assert "\x1b" not in written


def test_an_export_for_a_seat_hides_the_hands_that_nobody_showed() -> None:
    text = UNSEEN.replace("d dh p1 ????", "d dh p1 AcAd").replace("d dh p2 ????", "d dh p2 KcKd")
    for seat, own in ((0, "AcAd"), (1, "KcKd")):
        written = rewrite(hand_of(text), seat)
        assert own in written
        assert ("AcAd" in written) + ("KcKd" in written) == 1


@given(
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,8}", fullmatch=True),
        st.recursive(
            st.booleans()
            | st.integers(-(2**62), 2**62)
            | st.decimals(allow_nan=False, allow_infinity=False, places=3)
            | st.text(st.characters(codec="utf-8"), max_size=20)
            | st.dates()
            | st.times().map(lambda time: time.replace(microsecond=0)),
            lambda inner: st.lists(inner, max_size=6),
            max_leaves=8,
        ),
        max_size=6,
    )
)
def test_toml_is_read_as_it_was_written(fields: dict[str, object]) -> None:
    written = toml_table(fields)
    assert tomllib.loads(written, parse_float=Decimal) == fields
    assert all(line.isprintable() for line in written.split("\n"))


def told(played: Outcome) -> list[object]:
    assert played.played is not None
    return [each.event for step in round_steps.steps(played.played) for each in step.told]


@pytest.mark.parametrize("more", ["", "winnings = [0, 0, 140.90]\n"])
def test_open_hand_history_and_site_text_bring_a_hand_back(more: str) -> None:
    first = hand_of(RUN_OUT + more)
    played = outcome(RUN_OUT + more)
    source, raked = source_of(first, played.decimals), chips_of(played.raked, played.decimals)
    as_json = ohh.write(told(played), first.players, source=source, raked=raked)  # type: ignore[arg-type]
    as_text = pokerstars.write(told(played), first.players, source=source, raked=raked)  # type: ignore[arg-type]
    written = json.loads(as_json)["ohh"]
    assert written["start_date_utc"] == "2009-07-06T13:21:10Z"
    assert (written["dealer_seat"], written["site_name"], written["currency"]) == (4, "Some Site", "USD")
    assert "$157.45" in as_text
    assert "2009/07/06 08:21:10 ET" in as_text
    for kind, text, reader in ((Format.OHH, as_json, ohh.read), (Format.SITE, as_text, sites.read)):
        assert format_of(text) is kind
        (entry,) = reader(text.splitlines(keepends=True))
        assert isinstance(entry.hand, PhhHand), entry
        again = replay(entry.hand)
        assert again.fault is None, again.fault
        assert (entry.name, entry.hand.players) == ("R5-1", ("Ann", "Bob", "Cid"))
        assert (again.payouts, again.rake) == (played.payouts, played.rake)


def test_open_hand_history_keeps_the_name_of_a_tournament() -> None:
    first = hand_of(RUN_OUT + 'event = "Main Event, day 3"\n')
    played = replay(first)
    written = ohh.write(told(played), first.players, source=source_of(first, played.decimals))  # type: ignore[arg-type]
    assert json.loads(written)["ohh"]["tournament"] is True
    (entry,) = ohh.read([written])
    assert isinstance(entry.hand, PhhHand)
    assert entry.hand.fields["event"] == "Main Event, day 3"


GG = """Poker Hand #HD1234: Hold'em No Limit ($0.05/$0.10) - 2024/02/03 11:22:33
Table 'NLHGold1' 6-max Seat #1 is the button
Seat 1: Hero ($10 in chips)
Seat 2: 8a1b ($4.35 in chips)
Seat 5: 77cd ($12.05 in chips)
8a1b: posts small blind $0.05
77cd: posts big blind $0.1
*** HOLE CARDS ***
Dealt to Hero [Ah Kd]
Dealt to 8a1b
Dealt to 77cd
Hero: raises $0.15 to $0.25
8a1b: folds
77cd: calls $0.15
*** FLOP *** [Kh 7c 2d]
77cd: checks
Hero: bets $0.3
77cd: folds
Uncalled bet ($0.3) returned to Hero
*** SHOWDOWN ***
Hero collected $0.52 from pot
*** SUMMARY ***
Total pot $0.55 | Rake $0.03 | Jackpot $0 | Bingo $0
Board [Kh 7c 2d]
"""


def test_a_hand_of_ggpoker_is_read_with_its_rake() -> None:
    (entry,) = sites.read(GG.splitlines(keepends=True))
    assert isinstance(entry.hand, PhhHand), entry
    played = replay(entry.hand)
    assert played.fault is None, played.fault
    assert entry.hand.players == ("8a1b", "77cd", "Hero")
    assert played.payouts == (Decimal("-0.05"), Decimal("-0.25"), Decimal("0.27"))
    assert (played.rake, played.agrees) == (Decimal("0.03"), True)
    assert (entry.hand.fields["venue"], entry.hand.fields["year"]) == ("GGPoker", 2024)


def test_a_player_who_comes_back_early_posts_a_live_and_a_dead_blind() -> None:
    text = GG.replace("*** HOLE", "Hero: posts small & big blinds $0.15\n*** HOLE")
    (entry,) = sites.read(text.replace("raises $0.15 to", "raises $0.15 to").splitlines(keepends=True))
    assert isinstance(entry.hand, PhhHand), entry
    assert entry.hand.blinds == (Decimal("0.05"), Decimal("0.1"), Decimal("-0.10"))
    assert entry.hand.antes == (0, 0, Decimal("0.05"))


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        (GG.replace("Hold'em No Limit", "7 Card Stud Limit"), "PHH_WRONG_VARIANT"),
        (GG.replace("Poker Hand #HD1234: ", "Poker Hand #HD1234 "), "HISTORY_BAD_HEADING"),
        (GG.replace("Hero: bets", "Nobody: bets"), "HISTORY_NO_SUCH_NAME"),
        (GG.replace("posts big blind", "posts a big surprise"), "HISTORY_BAD_LINE"),
    ],
)
def test_a_site_text_that_cannot_be_read_says_why(changed: str, code: str) -> None:
    (entry,) = sites.read(changed.splitlines(keepends=True))
    assert isinstance(entry.hand, Refusal)
    assert entry.hand.code == code


def ohh_hand(raise_amount: float, pot: float) -> str:
    """The small blind raises to 3 and is called: 6 in the pot."""
    actions = [
        {"action_number": 1, "player_id": 1, "action": "Post SB", "amount": 0.5},
        {"action_number": 2, "player_id": 2, "action": "Post BB", "amount": 1},
        {"action_number": 3, "player_id": 1, "action": "Raise", "amount": raise_amount},
        {"action_number": 4, "player_id": 2, "action": "Call", "amount": 2},
    ]
    flop = [{"action_number": 5, "player_id": 2, "action": "Bet", "amount": 5}]
    flop += [{"action_number": 6, "player_id": 1, "action": "Fold"}]
    hand = {
        "spec_version": "1.4.6", "game_number": "9", "game_type": "Holdem", "bet_limit": {"bet_type": "NL"},
        "dealer_seat": 1, "small_blind_amount": 0.5, "big_blind_amount": 1,
        "players": [{"id": 1, "seat": 1, "name": "A", "starting_stack": 100},
                    {"id": 2, "seat": 2, "name": "B", "starting_stack": 100}],
        "rounds": [{"street": "Preflop", "actions": actions},
                   {"street": "Flop", "cards": ["Tc", "9c", "8c"], "actions": flop}],
        "pots": [{"number": 0, "amount": pot, "rake": 0.5, "player_wins": [{"player_id": 2, "win_amount": 5.5}]}],
    }  # fmt: skip
    return json.dumps({"ohh": hand}, indent=2)


@pytest.mark.parametrize(("amount", "pot"), [(3, 6), (2.5, 6), (3, 11), (2.5, 11)])
def test_a_raise_in_open_hand_history_is_what_the_pots_say_it_is(amount: float, pot: float) -> None:
    (entry,) = ohh.read(ohh_hand(amount, pot).splitlines(keepends=True))
    assert isinstance(entry.hand, PhhHand), entry
    played = replay(entry.hand)
    assert played.fault is None, played.fault
    assert (played.payouts, played.rake) == ((Decimal("2.5"), -3), Decimal("0.5"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"ohh": {"game_type": "Stud", "bet_limit": {"bet_type": "FL"}}}', "PHH_WRONG_VARIANT"),
        ('{"ohh": 3}', "OHH_BAD_FIELD"),
        ('{"ohh": {"game_type": "Holdem", "bet_limit": {"bet_type": "NL"}, "players": 7}}', "OHH_BAD_FIELD"),
        ('{"ohh": {', "OHH_NOT_JSON"),
    ],
)
def test_open_hand_history_that_cannot_be_read_says_why(text: str, code: str) -> None:
    (entry,) = ohh.read([text])
    assert isinstance(entry.hand, Refusal)
    assert entry.hand.code == code


def test_all_pairs_of_formats_are_told_apart() -> None:
    texts = {Format.PHH: RUN_OUT, Format.OHH: ohh_hand(3, 6), Format.SITE: GG}
    for one, other in combinations(texts, 2):
        assert format_of(texts[one]) is one
        assert format_of("\ufeff" + texts[other]) is other
    assert format_of('{"record": 1}') is None
