"""The casino round (document 001), rule by rule."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.cards import PACK, cards
from croupier.dealing.shoe import Shoe
from croupier.game.game import Draw
from croupier.game.refusal import Refusal
from croupier.games.blackjack import (
    CASINO,
    BlackjackRules,
    BlackjackSetup,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from croupier.table.round import Round, begin
from tests.games.blackjack.hands import deal, hand, offers, seat

FIRST_FOUR = ("card:0:0:0", "dealer:0", "card:0:1:0", "dealer:1")


def result(played: Round, index: int = 0) -> tuple[str, int]:
    found = hand(played, index)
    return str(found.result), int(found.payout)  # type: ignore[arg-type]  # unset while the round runs: then this fails


def test_the_states_go_from_betting_to_cashed_out() -> None:
    phases = ["betting"]
    played = begin(CASINO)
    assert played.view().phase == "betting"
    played = played.act(PlaceBet(100))
    phases += [event.phase for event in played.heard(None) if hasattr(event, "phase")]
    assert played.view().phase == "dealing"
    played = played.supply(Shoe.stacked(cards("Th 6s 9d Td 5c")))
    assert played.view().phase == "playing"
    for step in (played, played.act(Stand())):
        phases += [event.phase for event in step.heard(None) if hasattr(event, "phase")]
    assert phases == ["betting", "dealing", "dealing", "playing", "dealer", "finished", "cashed_out"]


def test_four_cards_player_dealer_up_player_dealer_hole() -> None:
    played = deal(CASINO, "2c 3d 4h 5s")
    assert hand(played).cards == cards("2c 4h")
    assert played.view().dealer.cards == cards("3d")
    assert played.state.hole.open() == cards("5s")[0]


def test_the_shoe_is_six_whole_decks_new_every_round() -> None:
    played = begin(CASINO).act(PlaceBet(1))
    assert played.wants == Draw(FIRST_FOUR, PACK * 6)
    played = played.supply(Shoe.stacked(cards("Th 7s 9d Td"))).act(Stand())
    following = played.next()
    assert following is not None
    assert following.act(PlaceBet(1)).wants == Draw(FIRST_FOUR, PACK * 6)


def test_the_bet_is_taken_from_the_purse_or_refused() -> None:
    played = begin(CASINO, BlackjackSetup((50,)))
    assert played.act(PlaceBet(51)).refusal == Refusal("INSUFFICIENT_FUNDS", {"needed": 51, "available": 50})
    assert seat(played.act(PlaceBet(50))).chips == 0


@pytest.mark.parametrize("amount", [0, -1, 10**6 + 1, 10**30])
def test_a_bet_outside_the_limits_is_refused_with_the_limits(amount: int) -> None:
    refusal = begin(CASINO, BlackjackSetup((10**9,))).act(PlaceBet(amount)).refusal
    assert refusal is not None
    assert (refusal.code, refusal.facts["low"], refusal.facts["high"]) == ("BET_OUT_OF_RANGE", 1, 10**6)


def test_sitting_out_ends_a_round_of_one_without_cards() -> None:
    played = begin(CASINO).act(SitOut())
    assert (played.over, played.payouts, played.dealt) == (True, (0,), ())


def test_a_second_bet_and_a_play_before_the_bet_are_refused() -> None:
    rules = replace(CASINO, seats_max=2)
    played = begin(rules, BlackjackSetup((100, 100))).act(PlaceBet(10), 0)
    assert played.act(PlaceBet(10), 0).refusal.code == "ALREADY_DONE"
    assert played.act(Hit(), 1).refusal.code == "PLACE_A_BET_FIRST"


def test_blackjack_pays_3_to_2_and_ends_the_round() -> None:
    played = deal(CASINO, "As 9d Kc 7h")
    assert played.over
    assert hand(played).is_blackjack
    assert result(played) == ("win", 250)
    assert played.payouts == (150,)


def test_3_to_2_of_an_odd_bet_is_rounded_down() -> None:
    assert deal(CASINO, "As 9d Kc 7h", bet=15).payouts == (22,)


def test_6_to_5_is_an_option() -> None:
    assert deal(replace(CASINO, blackjack_pays="6:5"), "As 9d Kc 7h").payouts == (120,)


def test_both_blackjack_push() -> None:
    played = deal(CASINO, "As Kd Kc Ah")
    assert result(played) == ("push", 100)
    assert played.payouts == (0,)


def test_21_in_three_cards_loses_to_a_dealers_blackjack_that_peeking_would_have_shown() -> None:
    rules = replace(CASINO, peek=False)
    played = deal(rules, "7s Kd 7c").act(Hit())
    assert not played.over
    played = deal(rules, "7s Kd 7c 7d Ah").act(Hit())
    assert result(played) == ("lose", 0)


def test_the_dealer_peeks_under_a_ten_and_a_blackjack_ends_the_round() -> None:
    played = deal(CASINO, "Ts Kd 9c Ah")
    assert played.over
    assert played.view().dealer.has_blackjack
    assert played.payouts == (-100,)


def test_with_an_ace_up_insurance_is_offered_before_the_dealer_peeks() -> None:
    played = deal(CASINO, "Ts Ad 9c Kh")
    assert offers(played) == {"INSURANCE"}
    assert not played.view().dealer.is_revealed
    assert played.act(Hit()).refusal.code == "DECIDE_INSURANCE_FIRST"


def test_insurance_costs_half_the_bet_and_pays_2_to_1() -> None:
    played = deal(CASINO, "Ts Ad 9c Kh").act(Insurance())
    assert played.payouts == (0,)
    assert (seat(played).insurance, seat(played).total_payout, seat(played).final_payout) == (50, 0, 150)


def test_insurance_is_lost_when_the_dealer_has_no_blackjack() -> None:
    played = deal(CASINO, "Ts Ad 9c 7h").act(Insurance()).act(Stand())
    assert played.payouts == (100 - 50,)


def test_insurance_of_an_odd_bet_is_rounded_down_and_needs_the_chips() -> None:
    assert seat(deal(CASINO, "Ts Ad 9c 7h", bet=15).act(Insurance())).insurance == 7
    assert offers(deal(CASINO, "Ts Ad 9c 7h", bet=1)) == {"HIT", "STAND", "DOUBLE"}
    assert offers(deal(CASINO, "Ts Ad 9c 7h", purses=(100,))) == {"HIT", "STAND"}


def test_a_blackjack_can_be_insured_too() -> None:
    assert deal(CASINO, "As Ad Kc Kh").act(Insurance()).payouts == (100,)
    assert deal(CASINO, "As Ad Kc 7h").act(Insurance()).payouts == (150 - 50,)
    assert deal(CASINO, "As Ad Kc 7h").act(Insurance(take=False)).payouts == (150,)


def test_insurance_is_offered_under_an_ace_only() -> None:
    played = deal(CASINO, "Ts Kd 9c 7h")
    assert played.act(Insurance()).refusal.code == "CANNOT_INSURE"


def test_a_hand_at_21_stands_by_itself() -> None:
    played = deal(CASINO, "Ts 6d 5c Th 6h").act(Hit())
    assert played.over
    assert result(played) == ("win", 200)


def test_over_21_loses_at_once_and_the_dealer_does_not_draw() -> None:
    played = deal(CASINO, "Ts 6d 6c Th Kh").act(Hit())
    assert played.over
    assert result(played) == ("lose", 0)
    assert played.view().dealer.cards == cards("6d Th"), "the hole card is turned, and no card drawn"


def test_the_dealer_draws_to_17_and_stands_on_soft_17() -> None:
    assert deal(CASINO, "Ts 6d 8c Ah").act(Stand()).view().dealer.cards == cards("6d Ah")
    played = deal(CASINO, "Ts 2d 8c 3h 4s 5c 2s 9h").act(Stand())
    assert played.view().dealer.cards == cards("2d 3h 4s 5c 2s 9h")
    assert played.payouts == (100,)


def test_h17_draws_on_soft_17() -> None:
    rules = replace(CASINO, dealer_hits_soft_17=True)
    assert deal(rules, "Ts 6d 8c Ah 3s").act(Stand()).payouts == (-100,)
    assert deal(rules, "Ts 7d 8c Th").act(Stand()).view().dealer.cards == cards("7d Th"), "a hard 17 stands"


def test_higher_total_wins_equal_pushes_lower_loses() -> None:
    assert deal(CASINO, "Ts 7d 9c Th").act(Stand()).payouts == (100,)
    assert deal(CASINO, "Ts 9d 9c Th").act(Stand()).payouts == (0,)
    assert deal(CASINO, "Ts 9d 8c Th").act(Stand()).payouts == (-100,)


def test_a_dealers_bust_pays_1_to_1() -> None:
    assert deal(CASINO, "Ts 6d 3c Th Kc").act(Stand()).payouts == (100,)


def test_double_takes_an_equal_bet_one_card_and_stands() -> None:
    played = deal(CASINO, "5s 6d 6c Th 2h 9s").act(Double())
    assert played.over
    assert (hand(played).bet, hand(played).is_doubled, hand(played).cards) == (200, True, cards("5s 6c 2h"))
    assert played.payouts == (200,)


def test_double_on_any_first_two_cards_but_not_on_three() -> None:
    assert "DOUBLE" in offers(deal(CASINO, "Ts 6d 9c Th"))
    played = deal(CASINO, "2s 6d 3c Th 4d").act(Hit())
    assert "DOUBLE" not in offers(played)
    assert played.act(Double()).refusal.code == "CANNOT_DOUBLE"


@pytest.mark.parametrize(
    ("first", "second", "allowed"),
    [("5s", "4c", True), ("6s", "5c", True), ("4s", "4c", False), ("7s", "5c", False), ("As", "8c", False)],
)
def test_double_9_to_11_only_is_an_option(first: str, second: str, allowed: bool) -> None:
    rules = replace(CASINO, double="9-11")
    assert ("DOUBLE" in offers(deal(rules, f"{first} 6d {second} Th"))) is allowed


def test_no_double_is_an_option() -> None:
    assert "DOUBLE" not in offers(deal(replace(CASINO, double="no"), "5s 6d 6c Th"))


def test_double_and_split_need_the_chips() -> None:
    played = deal(CASINO, "8s 6d 8c Th", purses=(199,))
    assert offers(played) == {"HIT", "STAND"}
    assert played.act(Double()).refusal.code == "INSUFFICIENT_FUNDS"
    assert played.act(Split()).refusal.facts == {"needed": 100, "available": 99}


def test_split_makes_two_hands_with_an_equal_bet_and_a_card_each() -> None:
    played = deal(CASINO, "8s 6d 8c Th 3h Kd").act(Split())
    assert [found.cards for found in seat(played).hands] == [cards("8s 3h"), cards("8c Kd")]
    assert [found.bet for found in seat(played).hands] == [100, 100]
    assert (played.view().active_hand, seat(played).chips) == (0, 800)


def test_split_by_point_value_not_by_rank() -> None:
    assert "SPLIT" in offers(deal(CASINO, "Ks 6d Tc Th"))
    assert deal(CASINO, "9s 6d Tc Th").act(Split()).refusal.code == "CANNOT_SPLIT"


def test_split_once_only() -> None:
    played = deal(CASINO, "8s 6d 8c Th 8h 8d").act(Split())
    assert "SPLIT" not in offers(played)


def test_each_split_hand_is_played_in_order_and_may_be_doubled() -> None:
    played = deal(CASINO, "8s 6d 8c Th 3h 2d 9s Kc 5s").act(Split()).act(Double())
    assert played.view().active_hand == 1
    played = played.act(Hit())
    assert hand(played, 1).cards == cards("8c 2d Kc")
    played = played.act(Stand())
    assert [hand(played, index).bet for index in (0, 1)] == [200, 100]
    assert played.payouts == (-200 - 100,), "the dealer drew to 21"


def test_no_double_after_split_is_an_option() -> None:
    played = deal(replace(CASINO, double_after_split=False), "8s 6d 8c Th 3h 2d").act(Split())
    assert "DOUBLE" not in offers(played)


def test_split_aces_get_one_card_each_and_stand() -> None:
    played = deal(CASINO, "As 6d Ac Th 5h 9d Kc").act(Split())
    assert played.over
    assert [hand(played, index).cards for index in (0, 1)] == [cards("As 5h"), cards("Ac 9d")]


def test_21_after_a_split_is_an_ordinary_21_paid_1_to_1() -> None:
    played = deal(CASINO, "As 6d Ac Th Kh Qd Ac").act(Split())
    assert not hand(played, 0).is_blackjack
    assert played.view().dealer.best_value == 17
    assert [result(played, index) for index in (0, 1)] == [("win", 200), ("win", 200)]
    assert played.payouts == (200,)


def test_hit_split_aces_is_an_option() -> None:
    played = deal(replace(CASINO, hit_split_aces=True), "As 6d Ac Th 5h 9d Kc").act(Split())
    assert offers(played) == {"HIT", "STAND", "DOUBLE"}


def test_no_surrender() -> None:
    assert deal(CASINO, "Ts Kd 6c 7h").act(Surrender()).refusal.code == "CANNOT_SURRENDER"


def test_no_result_no_payout_and_no_hole_card_while_the_round_runs() -> None:
    played = deal(CASINO, "8s 6d 8c Kh 5h 9d Kc").act(Split()).act(Hit())
    assert not played.over
    for viewer in (None, 0):
        told = msgspec.json.encode([played.view(viewer), played.heard(viewer)])
        for word in (b"payout", b"Payout", b"result", b"Kh"):
            assert word not in told


def test_result_payout_total_and_final_payout_when_the_round_is_over() -> None:
    played = deal(CASINO, "Ts Ad 9c 7h").act(Insurance()).act(Stand())
    view: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(played.view()))
    assert view["seats"][0]["hands"][0]["result"] == "win"
    assert view["seats"][0]["hands"][0]["payout"] == 200
    assert (view["seats"][0]["totalPayout"], view["seats"][0]["finalPayout"]) == (200, 200)


def test_a_hand_knows_its_values_and_what_it_may_do_now() -> None:
    found = hand(deal(CASINO, "As 6d 6c Th"))
    assert (found.soft_value, found.hard_value, found.best_value) == (17, 7, 17)
    assert (found.can_hit, found.can_stand, found.can_double, found.can_split) == (True, True, True, False)
    assert hand(deal(CASINO, "8s 6d 8c Th")).can_split


def test_a_refused_action_changes_nothing() -> None:
    played = deal(CASINO, "9s 6d 8c Th")
    refused = played.act(Split())
    assert refused.refusal is not None
    assert (refused.state, refused.moves, refused.told) == (played.state, played.moves, ())


def test_nothing_is_possible_after_the_round() -> None:
    played = deal(CASINO, "As 9d Kc 7h")
    for action in (Hit(), Stand(), PlaceBet(1), Insurance()):
        assert played.act(action).refusal.code == "ROUND_OVER"
    assert played.leave(0).refusal.code == "ROUND_OVER"


def test_seats_that_do_not_exist_are_refused() -> None:
    played = deal(CASINO, "9s 6d 8c Th")
    for number in (-1, 1, 10**9):
        assert played.act(Hit(), number).refusal.code == "NO_SUCH_SEAT"


def test_who_leaves_stands() -> None:
    played = deal(CASINO, "9s 6d 8c Th Kc").leave(0)
    assert played.over
    assert played.payouts == (100,)


def test_rules_are_a_value() -> None:
    assert BlackjackRules(edition=2) == CASINO
    assert hash(BlackjackRules(edition=2)) == hash(CASINO)
