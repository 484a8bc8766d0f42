"""The trainer's rules (document 004): up to four hands, late surrender, a shoe with a cut card."""

import pytest
from msgspec.structs import replace

from croupier.cards import PACK, cards
from croupier.dealing.shoe import Shoe
from croupier.game.game import Draw
from croupier.games.blackjack import TRAINER, BlackjackSetup, Hit, PlaceBet, Split, Stand, Surrender
from croupier.table.round import Round, Seeds, begin
from tests.games.blackjack.hands import deal, hand, offers, seat

FIRST_FOUR = ("card:0:0:0", "dealer:0", "card:0:1:0", "dealer:1")

SEEDS = Seeds("5a" * 32, "a client seed")


def test_blackjack_pays_1_to_1_by_default_and_3_to_2_selectable() -> None:
    assert deal(TRAINER, "As 9d Kc 7h").payouts == (100,)
    assert deal(replace(TRAINER, blackjack_pays="3:2"), "As 9d Kc 7h").payouts == (150,)


def test_a_pair_may_be_split_to_four_hands() -> None:
    played = deal(TRAINER, "8s 6d 8c Th 8h 8d Kc Kd Ks Kh")
    played = played.act(Split()).act(Split())
    assert len(seat(played).hands) == 3
    while played.view().active_hand != 2:
        played = played.act(Stand())
    played = played.act(Split())
    assert len(seat(played).hands) == 4
    assert "SPLIT" not in offers(played)
    assert all(found.is_split for found in seat(played).hands)


def test_a_split_hand_stands_next_to_its_sibling_in_the_order_of_play() -> None:
    played = deal(TRAINER, "8s 6d 8c Th 8h Td 2c 3d").act(Split()).act(Split())
    assert [found.cards for found in seat(played).hands] == [cards("8s 2c"), cards("8h 3d"), cards("8c Td")]


def test_aces_are_resplit_only_where_the_option_says_so() -> None:
    deck = "As 6d Ac Th Ah 9d Kc 2d 3c"
    assert deal(TRAINER, deck).act(Split()).over
    played = deal(replace(TRAINER, resplit_aces=True), deck).act(Split())
    assert offers(played) == {"STAND", "SPLIT"}, "a third ace may be split, but no card taken"
    assert played.act(Hit()).refusal.code == "CANNOT_HIT"
    played = played.act(Split())
    assert [found.cards for found in seat(played).hands] == [cards("As Kc"), cards("Ah 2d"), cards("Ac 9d")]


def test_late_surrender_on_the_first_two_cards_costs_exactly_half() -> None:
    played = deal(TRAINER, "Ts Kd 6c 7h").act(Surrender())
    assert played.over
    assert played.payouts == (-50,)
    assert (hand(played).result, hand(played).is_surrendered) == ("lose", True)


def test_half_of_an_odd_bet_comes_back_rounded_down() -> None:
    assert deal(TRAINER, "Ts Kd 6c 7h", bet=15).act(Surrender()).payouts == (-8,)


def test_late_surrender_is_never_possible_when_the_dealer_has_blackjack() -> None:
    played = deal(TRAINER, "Ts Kd 6c Ah")
    assert played.over
    assert played.payouts == (-100,)


def test_no_surrender_after_a_third_card_or_a_split() -> None:
    assert "SURRENDER" not in offers(deal(TRAINER, "2s Kd 6c 7h 3d").act(Hit()))
    assert "SURRENDER" not in offers(deal(TRAINER, "8s Kd 8c 7h 3d 4d").act(Split()))


def test_no_insurance() -> None:
    assert offers(deal(TRAINER, "Ts Ad 9c 7h")) == {"HIT", "STAND", "DOUBLE", "SURRENDER"}


def test_early_surrender_comes_before_the_dealer_looks() -> None:
    rules = replace(TRAINER, surrender="early")
    for up in ("Ad", "Kd"):
        played = deal(rules, f"Ts {up} 6c {'Kh' if up == 'Ad' else 'Ah'}")
        assert offers(played) == {"INSURANCE", "SURRENDER"}
        assert played.act(Surrender()).payouts == (-50,), "half comes back even against blackjack"
    assert "SURRENDER" in offers(deal(rules, "Ts 9d 6c 7h")), "against other cards there is nothing to look for"


def test_declining_early_surrender_gives_it_up() -> None:
    played = deal(replace(TRAINER, surrender="early"), "Ts Kd 6c 7h")
    offer = next(offer for offer in played.menu() if offer.action.tag == "BLACKJACK_INSURANCE")
    assert "SURRENDER" not in offers(played.act(offer.action))


def _finish(played: Round) -> Round:
    while not played.over:
        played = played.act(Stand() if played.view().phase == "playing" else PlaceBet(1))
    return played


@pytest.mark.parametrize("edition", [1, 2])
def test_the_shoe_goes_on_until_the_cut_card(edition: int) -> None:
    rules = replace(TRAINER, edition=edition, decks=1, penetration=0.5)
    played = _finish(begin(rules, seeds=SEEDS))
    used = played.dealt
    rounds = 1
    while True:
        following = played.next()
        assert following is not None
        if following.setup.gone == ():
            break
        assert following.setup.gone == used
        played = _finish(following)
        used = (*used, *played.dealt)
        rounds += 1
    assert rounds > 2
    assert len(used) >= 26
    assert len(set(used)) == len(used), "no card of one pack is dealt twice from a shoe"
    shuffles = 1 if edition == 1 else rounds
    assert following.act(PlaceBet(1)).proofs[0].nonce == shuffles, "the new shoe is a new shuffle"


def test_a_shoe_that_goes_on_asks_for_what_is_left_of_it() -> None:
    rules = replace(TRAINER, decks=1)
    gone = cards("2c 3c 4c 5c")
    setup = BlackjackSetup((10,), gone=gone)
    rest = tuple(card for card in PACK if card not in gone)
    assert begin(rules, setup).act(PlaceBet(1)).wants == Draw(FIRST_FOUR, rest)
    first_edition = replace(rules, edition=1)
    assert begin(first_edition, setup).act(PlaceBet(1)).wants == Draw(FIRST_FOUR, PACK, gone)


def test_when_the_shoe_runs_out_the_used_cards_are_shuffled_again() -> None:
    rules = replace(TRAINER, decks=1, penetration=0.95)
    last = cards("2c 3c 2d 4c 5c")
    gone = tuple(card for card in PACK if card not in last)
    played = begin(rules, BlackjackSetup((100,), gone=gone)).act(PlaceBet(1))
    played = played.supply(Shoe.stacked(last)).act(Hit())
    assert played.view().shoe_left == 0
    played = played.act(Hit())
    assert played.wants == Draw(("card:0:3:0",), gone)
    played = played.supply(Shoe.stacked(gone)).act(Stand())
    following = played.next()
    assert following is not None
    assert following.setup.gone == (), "the next round starts with a whole shoe"


def test_a_shoe_too_short_for_the_first_cards_is_replaced_by_a_whole_one() -> None:
    rules = replace(TRAINER, decks=1, penetration=0.95)
    played = begin(rules, BlackjackSetup((100,), gone=PACK[:49])).act(PlaceBet(1))
    assert played.wants == Draw(FIRST_FOUR, PACK)


def test_with_no_card_left_at_all_the_round_is_void_and_the_bets_go_back() -> None:
    rules = replace(TRAINER, decks=1, penetration=0.0, seats_max=7, hands_max=4)
    state = deal(rules, "8s 6d 8c Th").state
    step = rules.act(replace(state, shoe_left=0), 0, Hit())
    assert rules.chips(step.state) == (1000, 0)
    assert "SHOE_EMPTY" in [told.event.__struct_config__.tag for told in step.told]
    view = rules.view(step.state, None)
    assert (view.void, view.phase) == (True, "cashed_out")
