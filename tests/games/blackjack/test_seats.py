"""Several seats against the house."""

from msgspec.structs import replace

from croupier.cards import cards
from croupier.dealing.shoe import Shoe
from croupier.games.blackjack import CASINO, BlackjackSetup, Insurance, PlaceBet, SitOut, Stand
from croupier.table.round import begin
from tests.games.blackjack.hands import REST, deal, hand, seat

RULES = replace(CASINO, seats_max=3)
PURSES = (1000, 1000, 1000)


def test_two_times_round_with_the_dealers_up_card_after_the_first() -> None:
    played = deal(RULES, "2c 3c 4c 5c 6c 7c 8c 9c", purses=PURSES)
    assert [hand(played, number=number).cards for number in range(3)] == [
        cards("2c 6c"),
        cards("3c 7c"),
        cards("4c 8c"),
    ]
    assert played.view().dealer.cards == cards("5c")


def test_who_sits_out_gets_no_cards_and_nothing_changes_for_them() -> None:
    played = begin(RULES, BlackjackSetup(PURSES))
    assert played.turn == (0, 1, 2), "bets come in any order"
    played = played.act(PlaceBet(10), 2).act(SitOut(), 1).act(PlaceBet(10), 0)
    played = played.supply(Shoe.stacked((*cards("Tc Th 7s 9c 9h Td"), *REST)))
    assert [len(view.hands) for view in played.view().seats] == [1, 0, 1]
    assert played.act(Stand(), 0).act(Stand(), 2).payouts == (10, 0, 10)


def test_who_cannot_pay_the_lowest_bet_is_not_asked() -> None:
    played = begin(RULES, BlackjackSetup((1000, 0, 1000)))
    assert played.turn == (0, 2)


def test_hands_are_played_in_seat_order_and_others_wait() -> None:
    played = deal(RULES, "2c 3c 4c 5c 6c 7c 8c 9c", purses=PURSES)
    assert played.turn == (0,)
    assert played.act(Stand(), 1).refusal.code == "NOT_YOUR_TURN"
    assert played.act(Stand(), 0).turn == (1,)


def test_insurance_is_asked_of_all_seats_at_once() -> None:
    played = deal(RULES, "Tc 9c 8c Ad Ts 9s 8s 7h", purses=PURSES)
    assert played.turn == (0, 1, 2)
    played = played.act(Insurance(), 2)
    assert played.turn == (0, 1)
    assert played.act(Insurance(), 2).refusal.code == "ALREADY_DONE"
    played = played.act(Insurance(take=False), 0).act(Insurance(take=False), 1)
    assert [view.insurance for view in played.view().seats] == [0, 0, 50]
    assert played.turn == (0,)


def test_a_blackjack_is_decided_before_the_dealer_draws_so_a_bust_never_makes_it_1_to_1() -> None:
    played = deal(RULES, "Ac 9c 8c 6d Ks 9s 8s Th Kc", purses=PURSES).act(Stand(), 1).act(Stand(), 2)
    assert played.view().dealer.best_value > 21
    assert played.payouts == (150, 100, 100)


def test_who_leaves_before_the_look_goes_without_insurance_and_stands() -> None:
    played = deal(RULES, "2c 9c 8c Ad 3s 9s 8s 7h", purses=PURSES).leave(0)
    assert played.turn == (1, 2)
    played = played.act(Insurance(take=False), 1).act(Insurance(take=False), 2)
    assert played.turn == (1,), "seat 0 stands on five"
    assert seat(played).bet == 100


def test_who_leaves_after_betting_still_plays_for_the_bet() -> None:
    played = begin(RULES, BlackjackSetup(PURSES)).act(PlaceBet(100), 0).leave(0)
    played = played.act(SitOut(), 1).act(SitOut(), 2)
    played = played.supply(Shoe.stacked((*cards("Tc 7s 9c Td"), *REST)))
    assert played.over
    assert played.payouts == (100, 0, 0)
