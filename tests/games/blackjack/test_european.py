"""No hole card: the dealer takes the second card after the players."""

import pytest
from msgspec.structs import replace

from croupier.cards import cards
from croupier.games.blackjack import CASINO, TRAINER, Double, Hit, Insurance, Split, Stand, Surrender
from tests.games.blackjack.hands import deal, hand, offers

EUROPEAN = replace(CASINO, peek=False)
ORIGINAL_ONLY = replace(EUROPEAN, original_bets_only=True)


def test_three_cards_are_dealt_and_nobody_peeks() -> None:
    played = deal(EUROPEAN, "Ts Kd 9c")
    assert played.view().dealer.cards == cards("Kd")
    assert offers(played) == {"HIT", "STAND", "DOUBLE"}
    played = played.act(Stand())
    assert len(played.view().dealer.cards) >= 2


def test_a_dealers_blackjack_takes_doubles_and_splits() -> None:
    assert deal(EUROPEAN, "5s Kd 6c 9h Ad").act(Double()).payouts == (-200,)
    assert deal(EUROPEAN, "8s Kd 8c Th Td Ad").act(Split()).act(Stand()).act(Stand()).payouts == (-200,)


def test_original_bets_only_costs_exactly_the_first_bet() -> None:
    assert deal(ORIGINAL_ONLY, "5s Kd 6c 9h Ad").act(Double()).payouts == (-100,)
    played = deal(ORIGINAL_ONLY, "8s Kd 8c Th Td Ad").act(Split()).act(Stand()).act(Stand())
    assert played.payouts == (-100,)
    assert [hand(played, index).result for index in (0, 1)] == ["lose", "push"]


def test_original_bets_only_returns_the_further_bets_of_busted_hands_too() -> None:
    played = deal(ORIGINAL_ONLY, "8s Kd 8c Th Td Kc Kh Ad").act(Split()).act(Hit()).act(Hit())
    assert [hand(played, index).status for index in (0, 1)] == ["lose", "push"]
    assert played.payouts == (-100,), "the dealer's second card is taken to know"


def test_original_bets_only_changes_nothing_without_a_blackjack() -> None:
    assert deal(ORIGINAL_ONLY, "5s Kd 6c 9h Td").act(Double()).payouts == (0,)
    assert deal(ORIGINAL_ONLY, "5s Kd 6c 8h Td").act(Double()).payouts == (-200,)


def test_a_players_blackjack_waits_for_the_dealers_second_card_and_no_more() -> None:
    played = deal(EUROPEAN, "As Kd Kc 5h")
    assert played.payouts == (150,)
    assert played.view().dealer.cards == cards("Kd 5h"), "15, but nobody is left to draw against"
    assert deal(EUROPEAN, "As Kd Kc Ah").payouts == (0,)
    assert deal(EUROPEAN, "As 9d Kc").view().dealer.cards == cards("9d"), "a nine cannot become blackjack"


def test_when_everybody_is_bust_the_dealer_takes_no_card() -> None:
    assert deal(EUROPEAN, "Ts Kd 6c Kh").act(Hit()).view().dealer.cards == cards("Kd")


def test_insurance_is_decided_before_and_settled_after_the_players_play() -> None:
    played = deal(EUROPEAN, "Ts Ad 6c Kh Td").act(Insurance())
    assert not played.over
    assert played.act(Hit()).payouts == (-100 + 100,), "bust, but insured"


@pytest.mark.parametrize(("second", "payout"), [("Ah", -100), ("9h", -50)])
def test_late_surrender_returns_nothing_against_a_blackjack(second: str, payout: int) -> None:
    rules = replace(TRAINER, peek=False)
    assert deal(rules, f"Ts Kd 6c {second}").act(Surrender()).payouts == (payout,)


@pytest.mark.parametrize("second", ["Ah", "9h"])
def test_early_surrender_always_returns_half(second: str) -> None:
    rules = replace(TRAINER, peek=False, surrender="early")
    assert deal(rules, f"Ts Kd 6c {second}").act(Surrender()).payouts == (-50,)
