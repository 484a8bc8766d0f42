"""The text that trackers read: PokerKit's own reader of the format comes to the same chips."""

import warnings
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import HandHistory

from croupier.bots import RandomPolicy
from croupier.cards import cards
from croupier.dealing.shoe import Shoe
from croupier.games.poker import CASH, TOURNAMENT, AllIn, Call, Check, Fold, HoldemRules, HoldemSetup, Raise, Show
from croupier.games.poker.histories.pokerstars import description, write
from croupier.games.poker.rules.events import PotsFormed
from croupier.table.round import Round, Seeds, begin
from croupier.table.round_steps import steps
from tests.games.poker.driving import thrown_together


def told(played: Round, viewer: int | None = None) -> list[Any]:
    """What a seat heard of a round, or, without one, everything."""
    return [each.event for step in steps(played) for each in step.told if viewer is None or each.to.hears(viewer)]


def stacked(setup: HoldemSetup, deck: str, *actions: Any, rules: HoldemRules = CASH) -> Round:
    """A hand with the cards written down, seat by seat round the table, burned cards included."""
    played = begin(rules, setup).supply(Shoe.stacked(cards(deck)))
    for action in actions:
        played = played.act(action)
        assert played.refusal is None, played.refusal
    assert played.over
    return played


def random_hand(stacks: tuple[int, ...], button: int, seed: int, rules: HoldemRules = CASH) -> Round:
    played = begin(rules, HoldemSetup(stacks, button=button), Seeds(f"{seed:064x}", "a tracker's seed"))
    bot: RandomPolicy[Any] = RandomPolicy(Random(seed))
    while not played.over:
        played = played.act(bot(played.view(played.turn[0]), played.menu()))
    return played


def read_by_pokerkit(written: str) -> tuple[list[int], list[int]]:
    """Seats, and what each won, as PokerKit reads the hand and plays it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (hand,) = HandHistory.from_pokerstars(written, error_status=True)
        *_, final = hand
    assert hand.seats is not None
    net = [int(after) - int(before) for after, before in zip(final.stacks, hand.starting_stacks, strict=True)]
    return [seat - 1 for seat in hand.seats], net


def test_a_hand_reads_line_by_line_as_the_format_has_it() -> None:
    setup = HoldemSetup((1000, 1000, 1000))
    deck = "As 2c Kd Ah 7d Ks  3c Ad 8h 9c  3d 2d  3h 2s"
    played = stacked(setup, deck, Raise(30), Call(), Fold(), *[Check()] * 6, Show())
    assert write(told(played), ["Ann", "Bob", "Cid"], number=77).splitlines() == [
        "PokerStars Hand #77: Hold'em No Limit (5/10) - 2000/01/01 00:00:00 ET",
        "Table 'Croupier' 6-max Seat #1 is the button",
        "Seat 1: Ann (1000 in chips)",
        "Seat 2: Bob (1000 in chips)",
        "Seat 3: Cid (1000 in chips)",
        "Bob: posts small blind 5",
        "Cid: posts big blind 10",
        "*** HOLE CARDS ***",
        "Dealt to Bob [As Ah]",
        "Dealt to Cid [2c 7d]",
        "Dealt to Ann [Kd Ks]",
        "Ann: raises 20 to 30",
        "Bob: calls 25",
        "Cid: folds",
        "*** FLOP *** [Ad 8h 9c]",
        "Bob: checks",
        "Ann: checks",
        "*** TURN *** [Ad 8h 9c] [2d]",
        "Bob: checks",
        "Ann: checks",
        "*** RIVER *** [Ad 8h 9c 2d] [2s]",
        "Bob: checks",
        "Ann: checks",
        "*** SHOW DOWN ***",
        "Bob: shows [As Ah] (a full house, Aces full of Deuces)",
        "Ann: shows [Kd Ks] (two pair, Kings and Deuces)",
        "Bob collected 70 from pot",
        "*** SUMMARY ***",
        "Total pot 70 | Rake 0",
        "Board [Ad 8h 9c 2d 2s]",
        "Seat 1: Ann (button) showed [Kd Ks] and lost with two pair, Kings and Deuces",
        "Seat 2: Bob (small blind) showed [As Ah] and won (70) with a full house, Aces full of Deuces",
        "Seat 3: Cid (big blind) folded before Flop",
    ]


def test_a_file_tells_no_more_than_its_reader_heard() -> None:
    played = stacked(HoldemSetup((1000, 1000)), "As 2c Ah 7d", Fold())
    own = write(told(played, viewer=1))
    assert "Dealt to Player2 [As Ah]" in own
    assert "2c" not in own
    assert "Player2: doesn't show hand" in own
    assert "Uncalled bet (5) returned to Player2" in own


def test_side_pots_and_hands_shown_early_stand_at_the_showdown() -> None:
    deck = "As Kc Qd Ah Kd Qs  3c 2d 8h 9c  3d 4d  3h 5s"
    played = stacked(HoldemSetup((1000, 100, 400)), deck, AllIn(), AllIn(), AllIn())
    lines = write(told(played)).splitlines()
    assert "Player1: raises 990 to 1000 and is all-in" in lines
    assert "Uncalled bet (600) returned to Player1" in lines
    assert lines.index("*** SHOW DOWN ***") > next(
        number for number, line in enumerate(lines) if line.startswith("*** RIVER")
    )
    assert "Player2 collected 300 from main pot" in lines
    assert "Player3 collected 600 from side pot" in lines
    assert "Total pot 900 Main pot 300. Side pot 600. | Rake 0" in lines
    assert read_by_pokerkit("\n".join(lines)) == ([1, 2, 0], [200, 200, -400])


def test_a_tournament_has_its_level_in_roman() -> None:
    setup = HoldemSetup((500, 500), hand=31)
    played = begin(TOURNAMENT, setup, Seeds("0" * 64, "a tracker's seed")).act(Fold())
    assert "Tournament #1, 0+0 Hold'em No Limit - Level IV (40/80)" in write(told(played))


@given(
    stacks=st.lists(st.integers(1, 400), min_size=2, max_size=9).map(tuple),
    button=st.integers(0, 8),
    seed=st.integers(0, 10**6),
)
def test_pokerkit_reads_every_hand_and_comes_to_the_same_chips(stacks: tuple[int, ...], button: int, seed: int) -> None:
    # The reader takes a call from the blinds as posted, so a big blind that is short would lower it there.
    stacks = tuple(max(stack, CASH.big_blind) for stack in stacks)
    played = random_hand(stacks, button % len(stacks), seed)
    events = told(played)
    seats, net = read_by_pokerkit(write(events))
    formed = next((event.pots for event in reversed(events) if isinstance(event, PotsFormed)), ())
    ours = thrown_together(played.state, formed)
    assert net == [ours[seat] - stacks[seat] for seat in seats]


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("As Ks Qs Js Ts 2c 3d", "a Royal Flush"),
        ("5s 4s 3s 2s As Kd Kc", "a straight flush, Ace to Five"),
        ("9s 9c 9d 9h As 2c 3d", "four of a kind, Nines"),
        ("6s 6c 6d Kh Ks 2c 3d", "a full house, Sixes full of Kings"),
        ("As 9s 7s 5s 2s Kd Kc", "a flush, Ace high"),
        ("As Kd Qs Js Ts 2c 3d", "a straight, Ten to Ace"),
        ("5s 4d 3s 2s As Kd 9c", "a straight, Ace to Five"),
        ("9s 9c 9d Kh As 2c 4d", "three of a kind, Nines"),
        ("9s 9c Kd Kh As 2c 2d", "two pair, Kings and Nines"),
        ("2s 2c Kd Jh As 7c 4d", "a pair of Deuces"),
        ("9s 7c Kd Jh As 2c 4d", "high card Ace"),
    ],
)
def test_hands_are_named_as_the_format_names_them(hand: str, name: str) -> None:
    assert description(cards(hand)) == name


def test_a_name_cannot_break_the_format() -> None:
    played = stacked(HoldemSetup((1000, 1000)), "As 2c Ah 7d", Fold())
    written = write(told(played), ["Ann: folds\n[x](1)", ""])
    assert "Seat 1: Ann folds x1 (1000 in chips)" in written
    assert "Seat 2: Player2 (1000 in chips)" in written


def test_names_in_the_text_are_harmless_and_no_two_are_the_same() -> None:
    played = stacked(HoldemSetup((1000, 1000, 1000, 1000)), "As 2c Ah 7d 3c 4c 5c 6c", Fold(), Fold(), Fold())
    written = write(told(played), ["Ann (2)", "Ann 2", "A\u202en\x1b[2Jn\u3164 2", "\u3164\u200b"])
    for seat, name in enumerate(["Ann 2", "Ann 2 2", "An2Jn 2", "Player4"], start=1):
        assert f"Seat {seat}: {name} (1000 in chips)" in written
    assert all(line.isprintable() for line in written.splitlines())
