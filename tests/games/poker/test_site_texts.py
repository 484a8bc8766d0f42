"""Hands as two sites write them: headings of every kind, run-outs, posts out of turn, and lines that mean nothing."""

import random
from decimal import Decimal
from typing import Any

import pytest

from croupier.game.refusal import Refusal
from croupier.games.poker import GAME, HoldemSetup
from croupier.games.poker.histories import pokerstars, sites
from croupier.games.poker.histories.formats import Format, format_of
from croupier.games.poker.histories.headings import GAMES
from croupier.games.poker.histories.phh import Entry, Outcome, PhhHand, replay
from tests.games.poker.test_exports import played
from tests.games.poker.test_histories import told
from tests.games.poker.test_table_options import random_rules, rules


def entries(text: str) -> list[Entry]:
    return list(sites.read(text.splitlines(keepends=True)))


def hand_of(text: str) -> PhhHand:
    (entry,) = entries(text)
    assert isinstance(entry.hand, PhhHand), entry
    return entry.hand


def outcome(text: str) -> Outcome:
    result = replay(hand_of(text))
    assert result.fault is None, result.fault
    assert result.is_over
    assert result.agrees is not False
    return result


def by_name(text: str) -> dict[str, Decimal]:
    return dict(zip(hand_of(text).players, outcome(text).payouts, strict=True))


def table(heading: str, *lines: str, button: int = 1) -> str:
    return "\n".join((heading, f"Table 'Elm' 6-max Seat #{button} is the button", *lines)) + "\n"


CASH = "PokerStars Hand #1:  Hold'em No Limit ($0.50/$1 USD) - 2024/05/06 7:08:09 ET"
SEATS = "Seat 1: Ann ($100 in chips) ", "Seat 3: Bob ($100 in chips)", "Seat 5: C: D ($60.50 in chips) "


@pytest.mark.parametrize(
    ("heading", "facts"),
    [
        ("PokerStars Zoom Hand #12:  Hold'em No Limit ($0.50/$1) - 2024/05/06 7:08:09 ET", {"hand": "12"}),
        ("PokerStars Game #3: Hold'em No Limit (€1/€2 EUR) - 2012/12/14 7:59:19 CUST [2012/12/13 19:59:19 ET]",
         {"currency": "EUR", "time_zone_abbreviation": "ET", "day": 13}),
        ("PokerStars Home Game Hand #4: {Club #77}  Hold'em No Limit (50/100) - 2020/06/18 14:56:21 ET",
         {"year": 2020}),
        ("PokerStars Hand #5: Tournament #67, $1.00+$0.25+$0.15 USD Hold'em No Limit - Level XI (1/2)"
         " - 2010/08/03 10:57:43 ET",
         {"event": "Tournament #67, $1.00+$0.25+$0.15 USD"}),
        ("PokerStars Hand #6: Tournament #67, Hold'em No Limit - Match Round I, Level I (1/2) - 2006/11/03 9:33:53 ET",
         {"event": "Tournament #67"}),
        ("PokerStars Hand #7: Zoom Tournament #67, $24.55+$2.45 USD Mixed Hold'em (Hold'em No Limit) - Level II (1/2)"
         " - 2016/05/16 0:09:38 EET [2016/05/15 17:09:38 ET]",
         {"event": "Zoom Tournament #67, $24.55+$2.45 USD Mixed Hold'em"}),
        ("PokerStars Hand #8:  8-Game (Hold'em No Limit, $0.50/$1 USD) - 2016/05/16 0:09:38 ET", {"currency": "USD"}),
        ("PokerStars Hand #9:  Hold'em No Limit ($0.50/$1 - $20 Cap -  USD) - 2016/05/16 0:09:38 ET", {"minute": None}),
        ("Poker Hand #RC10: Hold'em No Limit ($0.5/$1) - 2024/01/10 11:57:19", {"venue": "GGPoker", "hand": "RC10"}),
        ("Poker Hand #TM11: Tournament #9, WSOP #77: $5,000 No Limit Hold'em Main Event [Flight W], $25M GTD"
         " Hold'em No Limit   - Level10 (1,000/2,000(250)) - 2020/08/30 18:00:00",
         {"event": "Tournament #9, WSOP #77: $5,000 No Limit Hold'em Main Event [Flight W], $25M GTD"}),
    ],
)  # fmt: skip
def test_a_heading_names_its_game_whatever_the_tournament_is_called(heading: str, facts: dict[str, object]) -> None:
    text = table(
        heading, *(line.replace("$", "") for line in SEATS), "Bob: posts small blind 1", "C: D: posts big blind 2"
    )
    (entry,) = entries(text)
    assert isinstance(entry.hand, PhhHand), entry
    assert {name: entry.hand.fields.get(name) for name in facts} == facts
    assert entry.hand.rules.hole_cards == 2


@pytest.mark.parametrize(
    ("game", "hole_cards", "betting"),
    [
        ("5 Card Omaha Hi/Lo Pot Limit ($0.10/$0.25 USD)", 5, "pot_limit"),
        ("6 Card Omaha Pot Limit ($0.10/$0.25 USD)", 6, "pot_limit"),
        ("PLO-5 ($0.1/$0.25)", 5, "pot_limit"),
        ("Omaha Hi/Lo Limit ($0.10/$0.20)", 4, "fixed_limit"),
        ("6+ Hold'em No Limit (Button Blind $5 - Ante $5 USD)", 2, "no_limit"),
        ("ShortDeck No Limit ($100)", 2, "no_limit"),
    ],
)
def test_every_game_of_the_family_is_known_by_its_names(game: str, hole_cards: int, betting: str) -> None:
    found = hand_of(table(f"PokerStars Hand #1: {game} - 2024/05/06 7:08:09 ET", *SEATS)).rules
    assert (found.hole_cards, found.betting) == (hole_cards, betting)


@pytest.mark.parametrize(
    ("heading", "named"),
    [
        ("PokerStars Hand #1:  7 Card Stud Hi/Lo Limit ($1/$2) - 2024/05/06 7:08:09 ET", "7 Card Stud Hi/Lo Limit"),
        ("PokerStars Hand #1:  HORSE (Razz Limit, $0.04/$0.08 USD) - 2024/05/06 7:08:09 ET", "Razz Limit"),
        ("PokerStars Hand #1:  Badugi Limit ($0.04/$0.08) - 2024/05/06 7:08:09 ET", "Badugi Limit"),
        ("PokerStars Hand #1: Tournament #2, $1+$0 USD Omaha (NL postflop) - Level1 (4/8) - 2024/05/06 7:08:09 ET",
         "Omaha (NL postflop)"),
    ],
)  # fmt: skip
def test_another_game_is_refused_by_its_name(heading: str, named: str) -> None:
    (entry,) = entries(table(heading, *SEATS))
    assert isinstance(entry.hand, Refusal)
    assert entry.hand.code == "PHH_WRONG_VARIANT"
    assert named in str(entry.hand.facts["variant"])


RUN_TWICE = table(
    CASH, *SEATS,
    "Bob: posts small blind $0.50", "C: D: posts big blind $1", "*** HOLE CARDS ***", "Dealt to Ann [As Ah]",
    'Bob said, "Ann: folds"', "Ann: raises $2 to $3", "Bob: folds", "Bob is disconnected", "C: D: calls $2",
    "*** FIRST FLOP *** [2c 7d 9h]", "C: D: bets $57.50 and is all-in", "Ann: calls $57.50",
    "*** FIRST TURN *** [2c 7d 9h] [3s]", "*** FIRST RIVER *** [2c 7d 9h 3s] [4s]",
    "*** SECOND TURN *** [2c 7d 9h] [Kd]", "*** SECOND RIVER *** [2c 7d 9h Kd] [5s]",
    "*** FIRST SHOW DOWN ***", "C: D: shows [Ks Kh] (a pair of Kings)", "Ann: shows [As Ah] (a pair of Aces)",
    "Ann collected $60 from pot",
    "*** SECOND SHOW DOWN ***", "C: D: shows [Ks Kh] (three of a kind, Kings)", "Ann: shows [As Ah] (a pair of Aces)",
    "C: D collected $60 from pot",
    "*** SUMMARY ***", "Total pot $121.50 | Rake $1.50 ", "Hand was run twice", "FIRST Board [2c 7d 9h 3s 4s]",
    "SECOND Board [2c 7d 9h Kd 5s]", "Seat 5: C: D (big blind) showed [Ks Kh] and lost with a pair of Kings",
)  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", "  \r\n"])
@pytest.mark.parametrize("before", ["", "\ufeff", "Hand history, page 1\n\n*********** # 1 **************\n"])
def test_a_hand_that_was_run_twice_is_read_with_both_boards(end: str, before: str) -> None:
    text = before + RUN_TWICE.replace("\n", end)
    assert format_of(text) is Format.SITE
    assert by_name(text) == {"Bob": Decimal("-0.5"), "C: D": Decimal("-0.5"), "Ann": Decimal("-0.5")}
    result = outcome(text)
    assert result.rake == Decimal("1.5")
    assert result.played is not None
    assert ["".join(map(str, board)) for board in (result.played.state.board, *result.played.state.other_boards)] == [
        "2c7d9h3s4s",
        "2c7d9hKd5s",
    ]


def test_a_hand_run_twice_goes_out_as_it_came_in() -> None:
    hand = hand_of(RUN_TWICE)
    result = outcome(RUN_TWICE)
    assert result.played is not None
    written = pokerstars.write(told(result), hand.players, rules=result.played.rules)  # type: ignore[arg-type]
    for line in ("*** FIRST FLOP ***", "*** SECOND RIVER ***", "*** SECOND SHOW DOWN ***", "Hand was run twice"):
        assert line.replace("FIRST FLOP", "FLOP") in written
    again = replay(hand_of(written))
    assert (again.fault, again.is_over) == (None, True)


def test_two_boards_side_by_side_are_refused() -> None:
    text = RUN_TWICE.replace("*** SECOND TURN ***", "*** SECOND FLOP *** [2d 3d 4d]\n*** FIRST TURN ***")
    (entry,) = entries(text)
    assert isinstance(entry.hand, Refusal)
    assert entry.hand.code == "HISTORY_TWO_BOARDS"


def folded_to(*posts: str, acts: tuple[str, ...], seats: tuple[str, ...] = SEATS, heading: str = CASH) -> str:
    return table(heading, *seats, *posts, "*** HOLE CARDS ***", *acts, "*** SUMMARY ***")


def test_the_price_of_a_call_is_the_whole_big_blind_though_it_be_short() -> None:
    seats = (*SEATS[:2], "Seat 5: C: D ($0.75 in chips)")
    text = folded_to(
        "Bob: posts small blind $0.50", "C: D: posts big blind $0.75 and is all-in",
        acts=("Ann: calls $1", "Bob: folds", "Uncalled bet ($0.25) returned to Ann", "*** FLOP *** [2c 7d 9h]",
              "*** TURN *** [2c 7d 9h] [3s]", "*** RIVER *** [2c 7d 9h 3s] [4s]", "*** SHOW DOWN ***",
              "C: D: shows [Ks Kh] (a pair of Kings)", "Ann: shows [As Ah] (a pair of Aces)",
              "Ann collected $2 from pot"),
        seats=seats,
    )  # fmt: skip
    assert by_name(text) == {"Bob": Decimal("-0.5"), "C: D": Decimal("-0.75"), "Ann": Decimal("1.25")}


@pytest.mark.parametrize(
    ("post", "blinds", "antes"),
    [
        ("Eve: posts big blind $1", (Decimal("0.5"), 1, -1, 0), (0, 0, 0, 0)),
        ("Eve: posts small & big blinds $1.50", (Decimal("0.5"), 1, -1, 0), (0, 0, Decimal("0.5"), 0)),
        ("Eve: posts small blind $0.50", (Decimal("0.5"), 1, 0, 0), (0, 0, Decimal("0.5"), 0)),
        ("Eve: posts missed blind $0.50", (Decimal("0.5"), 1, 0, 0), (0, 0, Decimal("0.5"), 0)),
        ("Eve: straddle $2", (Decimal("0.5"), 1, 2, 0), (0, 0, 0, 0)),
        ("Eve: straddle $2\nEve: straddle $4", (Decimal("0.5"), 1, 4, 0), (0, 0, 0, 0)),
    ],
)
def test_posts_out_of_turn_and_straddles(post: str, blinds: tuple[object, ...], antes: tuple[object, ...]) -> None:
    hand = hand_of(
        folded_to(
            "Bob: posts small blind $0.50", "C: D: posts big blind $1", *post.split("\n"),
            acts=(), seats=(*SEATS, "Seat 6: Eve ($99 in chips)"),
        )
    )  # fmt: skip
    assert hand.players == ("Bob", "C: D", "Eve", "Ann")
    assert (hand.blinds, hand.antes) == (blinds, antes)


def test_who_sits_out_is_left_out_and_who_sits_out_in_a_tournament_and_folds_is_not() -> None:
    posts = "Bob: posts small blind $0.50", "C: D: posts big blind $1"
    away = "Seat 6: Eve ($99 in chips) is sitting out", "Seat 2: Fay ($80 in chips)"
    acts = "Fay is sitting out", "Ann: folds", "Bob: folds", "C: D collected $1 from pot"
    text = folded_to("Fay: sits out", *posts, acts=acts, seats=(*SEATS, *away))
    assert by_name(text) == {"Bob": Decimal("-0.5"), "C: D": Decimal("0.5"), "Ann": 0}
    text = folded_to("Fay: sits out", *posts, acts=("Eve: folds", *acts), seats=(*SEATS, *away))
    assert hand_of(text).players == ("Bob", "C: D", "Eve", "Ann")


def test_where_every_player_with_cards_is_named_the_others_are_left_out() -> None:
    dealt = "Dealt to Ann [As Ah]", "Dealt to Bob ", "Dealt to C: D "
    seats = (*SEATS, "Seat 6: Eve ($99 in chips)")
    text = folded_to(
        "Bob: posts small blind $0.50", "C: D: posts big blind $1", acts=(*dealt, "Ann: folds"), seats=seats
    )
    assert hand_of(text).players == ("Bob", "C: D", "Ann")


def test_a_pot_that_its_winner_sold_to_the_site_is_won_all_the_same() -> None:
    acts = (
        "Ann: raises $59.50 to $60.50", "Bob: folds", "C: D: calls $59.50 and is all-in", "*** FLOP *** [2c 7d 9h]",
        "*** TURN *** [2c 7d 9h] [3s]", "*** RIVER *** [2c 7d 9h 3s] [4s]", "*** SHOW DOWN ***",
        "C: D: shows [Ks Kh] (a pair of Kings)", "Ann: shows [As Ah] (a pair of Aces)",
        "Ann cashed out the hand for $80 | Cash Out Fee $1", "*** SUMMARY ***", "Total pot $121.50 | Rake $1.50",
        "Seat 1: Ann (button) showed [As Ah] and won ($120) with a pair of Aces (pot not awarded as player cashed out)",
    )  # fmt: skip
    text = folded_to("Bob: posts small blind $0.50", "C: D: posts big blind $1", acts=acts)
    assert by_name(text)["Ann"] == Decimal("59.5")
    assert outcome(text).rake == Decimal("1.5")


def test_one_card_that_is_shown_hides_none_that_is_known() -> None:
    acts = "Dealt to Ann [As Kh]", "Ann: raises $2 to $3", "Bob: folds", "C: D: folds", "Ann: shows [As]"
    assert "d dh p3 AsKh" in hand_of(folded_to("C: D: posts big blind $1", acts=acts)).actions


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (CASH, "HISTORY_BAD_LINE"),
        (CASH.replace("2024/05/06", "2024/13/06"), "HISTORY_BAD_HEADING"),
        (CASH.replace("($0.50/$1 USD)", "(free)"), "HISTORY_BAD_HEADING"),
        (CASH + "\nSeat 1: Ann ($100 in chips)", "HISTORY_BAD_LINE"),
        (folded_to(acts=("Ann: raises",)), "HISTORY_BAD_LINE"),
        (folded_to(acts=("Ann: bets",)), "HISTORY_BAD_LINE"),
        (folded_to(acts=("Eve: bets $4",)), "HISTORY_NO_SUCH_NAME"),
        (folded_to(acts=("Dealt to Eve [As Ah]",)), "HISTORY_NO_SUCH_NAME"),
        (folded_to(acts=()) + "Seat 9: Eve mucked [As Ah]\n", ""),
    ],
)
def test_a_text_that_is_no_hand_is_refused_and_never_an_accident(text: str, code: str) -> None:
    (entry,) = entries(text)
    assert isinstance(entry.hand, Refusal) == bool(code)
    if isinstance(entry.hand, Refusal):
        assert entry.hand.code == code


@pytest.mark.parametrize("seed", range(40))
def test_garbled_texts_are_read_or_refused(seed: int) -> None:
    chance = random.Random(f"garbled {seed}")
    lines = (RUN_TWICE * 2).splitlines(keepends=True)
    for _ in range(12):
        place = chance.randrange(len(lines))
        cut = chance.randrange(len(lines[place]) + 1)
        lines[place] = chance.choice(
            ("", lines[place][:cut], lines[place][cut:], lines[chance.randrange(len(lines))], "€$%: raises 9" * 3)
        )
    for entry in sites.read(lines):
        if isinstance(entry.hand, PhhHand):
            replay(entry.hand)


@pytest.mark.parametrize("number", [*range(60), *(pytest.param(n, marks=pytest.mark.soak) for n in range(60, 3000))])
def test_a_hand_with_any_option_comes_back_from_a_sites_text_with_the_same_stacks(number: int) -> None:
    """But for what the format has no words for: two boards, what is paid for a seven and a deuce, and the price of a
    straddle whose seat had nothing left after a dead blind."""
    chance = random.Random(f"site {number}")
    made = random_rules(chance).replace(seven_deuce=0)
    if made.boards > 1:
        made = rules(run_times=1 + number % 3)
    seats = chance.randint(2, min(6, made.seats_max))
    chips = tuple(chance.choice((chance.randint(1, 60), 200)) for _ in range(seats))
    owed: Any = {}
    if made.missed_blinds and not made.straddle:
        owed = {"missed": (0,) * (seats - 1) + (chance.choice((1, 2, 3)),)}
    hand, events = played(made, HoldemSetup(stacks=chips, hand=chance.choice((1, 2)), **owed), chance)
    text = pokerstars.write(events, rules=made)
    again = replay(hand_of(text))
    assert again.fault is None, (again.fault, text)
    assert again.stacks == tuple(hand.stacks[seat] for seat in hand.order), text
    assert again.agrees is not False


def test_every_preset_has_a_name_in_the_format_that_is_read() -> None:
    for name, preset in GAME.presets.items():
        if preset.boards == 1:
            assert pokerstars.game_name(preset) in GAMES, name
