"""Document 001, the rules of the casino's blackjack, point by point: sections 2, 5 and 7.

Every test is named after the section that it holds, and plays by messages over a real WebSocket. The client seed names
the cards of a deal.
"""

import pytest

from croupier.cards import PACK
from croupier.dealing.shuffle import shuffle
from croupier.games.blackjack import CASINO
from croupier.lab.blackjack.simulate import Simulation, simulate
from croupier.lab.blackjack.simulation.blocks import flat_game
from croupier.lab.blackjack.solve import solve
from croupier.server.casino_state import RTP_PERCENT
from tests.documents.gambler import SERVER_SEEDS, Player, at_the_casino, hand

# 2.1 to 2.3 Values, deal and actions


@pytest.mark.parametrize(
    ("ranks", "soft", "hard", "best"), [("92", 11, 11, 11), ("KQ", 20, 20, 20), ("A6", 17, 7, 17), ("AA", 12, 2, 12)]
)
def test_2_1_cards_count_their_points_and_an_ace_one_or_eleven(ranks: str, soft: int, hard: int, best: int) -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal(ranks[0] + "5" + ranks[1] + "9")
        assert [hand(state)[name] for name in ("softValue", "hardValue", "bestValue")] == [soft, hard, best]

    at_the_casino(scenario)


def test_2_1_an_ace_counts_eleven_only_as_long_as_that_is_not_over_21() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("A655KT")
        state = await ann.do("BLACKJACK_HIT")
        assert [hand(state)[name] for name in ("softValue", "hardValue", "bestValue")] == [26, 16, 16]
        state = await ann.do("BLACKJACK_HIT")
        assert (hand(state)["bestValue"], hand(state)["result"]) == (26, "lose"), "over 21 there is no better value"

    at_the_casino(scenario)


def test_2_2_the_deal_is_player_dealer_player_and_the_dealer_s_hidden_card() -> None:
    async def scenario(ann: Player) -> None:
        seed = "a seed of mine"
        order = [str(card) for card in shuffle(PACK * 6, SERVER_SEEDS[0], seed, 0)]
        state = await ann.bet(seed)
        assert hand(state)["cards"] == [order[0], order[2]]
        dealer = state["dealerHand"]
        assert (dealer["cards"], dealer["showCard"], dealer["holeCard"]) == ([order[1]], order[1], None)
        await ann.do("BLACKJACK_STAND")
        assert ann.state["dealerHand"]["cards"][:2] == [order[1], order[3]]
        assert ann.state["dealerHand"]["holeCard"] == order[3]

    at_the_casino(scenario)


def test_2_3_hit_takes_cards_until_the_player_stands_or_goes_over() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("262923TT")
        assert [hand(await ann.do("BLACKJACK_HIT"))["hardValue"] for _ in range(3)] == [6, 9, 19]
        state = await ann.do("BLACKJACK_STAND")
        assert state["status"] == "cashed_out"

    at_the_casino(scenario)


def test_2_3_over_21_loses_at_once_and_the_dealer_does_not_draw() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("K56TQ")
        state = await ann.do("BLACKJACK_HIT")
        assert (hand(state)["result"], hand(state)["payout"], state["totalPayout"]) == ("lose", 0, 0)
        assert len(state["dealerHand"]["cards"]) == 2

    at_the_casino(scenario)


def test_2_3_double_doubles_the_bet_takes_one_card_and_stands() -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal("566T9T")
        assert hand(state)["canDouble"]
        state = await ann.do("BLACKJACK_DOUBLE")
        assert (hand(state)["isDoubled"], hand(state)["betAmount"], len(hand(state)["cards"])) == (True, 200, 3)
        assert (state["betAmount"], state["totalBet"], state["status"]) == (100, 200, "cashed_out")

    at_the_casino(scenario)


def test_2_3_double_is_for_the_first_two_cards_only() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("263T2")
        state = await ann.do("BLACKJACK_HIT")
        assert not hand(state)["canDouble"]
        assert (await ann.do("BLACKJACK_DOUBLE"))["code"] == "CANNOT_DOUBLE"

    at_the_casino(scenario)


@pytest.mark.parametrize("pair", ["88", "KQ", "TJ"])
def test_2_3_split_makes_two_hands_of_two_cards_of_the_same_value_with_equal_bets(pair: str) -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal(f"{pair[0]}6{pair[1]}T23")
        assert hand(state)["canSplit"]
        state = await ann.do("BLACKJACK_SPLIT")
        assert [each["betAmount"] for each in state["playerHands"]] == [100, 100]
        assert [each["isSplit"] for each in state["playerHands"]] == [True, True]
        assert [len(each["cards"]) for each in state["playerHands"]] == [2, 2]
        assert (state["totalBet"], state["activeHandIndex"]) == (200, 0)
        state = await ann.do("BLACKJACK_STAND")
        assert state["activeHandIndex"] == 1

    at_the_casino(scenario)


def test_2_3_a_pair_after_a_split_is_not_split_again() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("868T83")
        state = await ann.do("BLACKJACK_SPLIT")
        assert [each["canSplit"] for each in state["playerHands"]] == [False, False]
        assert (await ann.do("BLACKJACK_SPLIT"))["code"] == "CANNOT_SPLIT"

    at_the_casino(scenario)


def test_2_3_each_split_hand_may_be_doubled() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("565T569")
        state = await ann.do("BLACKJACK_SPLIT")
        assert hand(state)["canDouble"]
        state = await ann.do("BLACKJACK_DOUBLE")
        assert [each["betAmount"] for each in state["playerHands"]] == [200, 100]
        assert hand(state, 1)["canDouble"]

    at_the_casino(scenario)


def test_2_3_split_aces_get_one_card_each_and_twenty_one_is_no_blackjack() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("A6ATK92")
        state = await ann.do("BLACKJACK_SPLIT")
        assert state["status"] == "cashed_out", "no further card is offered"
        first, second = state["playerHands"]
        assert [each["isFromAces"] for each in (first, second)] == [True, True]
        assert (first["bestValue"], first["isBlackjack"]) == (21, False)
        assert (first["result"], first["payout"]) == ("win", 200), "an ordinary 21 pays 1:1"

    at_the_casino(scenario)


# 2.3 and 5.3 Insurance


def test_5_3_insurance_is_offered_only_against_an_ace() -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal("6K77")
        assert not state["canInsure"]
        assert (await ann.do("BLACKJACK_INSURANCE"))["code"] == "CANNOT_INSURE"

    at_the_casino(scenario)


def test_5_3_insurance_costs_half_the_bet_and_pays_two_to_one() -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal("6A9K", amount=15)
        assert (state["canInsure"], state["insurance"], state["balance"]) == (True, None, 9985)
        state = await ann.do("BLACKJACK_INSURANCE")
        assert state["insurance"] == {"betAmount": 7.5, "payout": 22.5, "result": "win"}
        assert state["dealerHand"]["hasBlackjack"]
        assert hand(state)["payout"] == 0
        assert (state["totalBet"], state["totalPayout"], state["finalPayout"]) == (22.5, 22.5, 22.5)
        assert state["balance"] == 10_000, "insurance at 2:1 makes up for the bet"

    at_the_casino(scenario)


def test_5_3_insurance_is_lost_when_the_dealer_has_no_blackjack_and_settled_apart_from_the_hand() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("6A98233")
        state = await ann.do("BLACKJACK_INSURANCE")
        assert state["insurance"] == {"betAmount": 50}, "its outcome is not told while the round runs"
        assert (state["status"], state["canInsure"], state["totalBet"]) == ("playing", False, 150)
        state = await ann.do("BLACKJACK_STAND")
        assert state["insurance"] == {"betAmount": 50, "payout": 0, "result": "lose"}
        assert state["totalPayout"] == hand(state)["payout"]

    at_the_casino(scenario)


PLAYS = pytest.mark.parametrize(("kind", "cards"), [("HIT", [3]), ("STAND", [2]), ("DOUBLE", [3]), ("SPLIT", [2, 2])])


@PLAYS
def test_2_3_insurance_is_declined_by_simply_playing_on(kind: str, cards: list[int]) -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal("8A89233")
        assert (state["canInsure"], state["activeHandIndex"]) == (True, 0)
        assert [hand(state)[name] for name in ("canHit", "canStand", "canDouble", "canSplit")] == [True] * 4
        state = await ann.do(f"BLACKJACK_{kind}")
        assert state["insurance"] is None
        assert not state["canInsure"]
        assert [len(each["cards"]) for each in state["playerHands"]] == cards

    at_the_casino(scenario)


@PLAYS
def test_2_3_the_dealer_peeks_before_the_action_is_done(kind: str, cards: list[int]) -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("8A8K")
        state = await ann.do(f"BLACKJACK_{kind}")
        assert (state["status"], state["dealerHand"]["status"]) == ("cashed_out", "blackjack")
        assert [len(each["cards"]) for each in state["playerHands"]] == [2], f"no {kind}, whatever it takes: {cards}"
        assert (state["totalBet"], state["totalPayout"], state["balance"]) == (100, 0, 9_900)

    at_the_casino(scenario)


@pytest.mark.parametrize(("hole", "result", "payout"), [("9", "win", 250), ("K", "push", 100)])
def test_2_3_with_a_blackjack_insurance_is_declined_by_standing(hole: str, result: str, payout: int) -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal(f"AAK{hole}")
        assert (state["status"], state["canInsure"]) == ("playing", True)
        assert [hand(state)[name] for name in ("canHit", "canStand", "canDouble")] == [False, True, False]
        state = await ann.do("BLACKJACK_STAND")
        assert (hand(state)["result"], state["totalPayout"]) == (result, payout)

    at_the_casino(scenario)


# 2.4 The dealer


@pytest.mark.parametrize(("hole", "drawn", "cards"), [("6", "5", 3), ("7", "", 2)], ids=["16 draws", "17 stands"])
def test_2_4_the_dealer_draws_to_16_and_stands_on_17(hole: str, drawn: str, cards: int) -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal(f"TT9{hole}{drawn}")
        state = await ann.do("BLACKJACK_STAND")
        assert len(state["dealerHand"]["cards"]) == cards
        assert state["dealerHand"]["status"] == "stand"

    at_the_casino(scenario)


def test_2_4_the_dealer_stands_on_a_soft_17() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("T69A")
        state = await ann.do("BLACKJACK_STAND")
        dealer = state["dealerHand"]
        assert (len(dealer["cards"]), dealer["softValue"], dealer["hardValue"], dealer["bestValue"]) == (2, 17, 7, 17)

    at_the_casino(scenario)


# 2.5 Settlement


def test_2_5_a_dealer_over_21_pays_one_to_one() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("T63TT")
        state = await ann.do("BLACKJACK_STAND")
        assert state["dealerHand"]["status"] == "busted"
        assert (hand(state)["result"], hand(state)["payout"], state["balance"]) == ("win", 200, 10_100)

    at_the_casino(scenario)


@pytest.mark.parametrize("amount", [1, 15, 1001])
def test_2_5_a_blackjack_pays_three_to_two_exactly(amount: int) -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal("A6KT", amount)
        assert (hand(state)["isBlackjack"], hand(state)["result"]) == (True, "win")
        assert hand(state)["payout"] == state["totalPayout"] == 2.5 * amount
        assert state["balance"] == 10_000 + 1.5 * amount

    at_the_casino(scenario)


def test_2_5_a_doubled_bet_is_paid_on_the_whole_of_it() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("5968T")
        state = await ann.do("BLACKJACK_DOUBLE")
        assert (hand(state)["result"], hand(state)["payout"], state["balance"]) == ("win", 400, 10_200)

    at_the_casino(scenario)


def test_2_5_two_blackjacks_push_and_the_bet_comes_back() -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal("AQKA")
        assert (hand(state)["result"], hand(state)["payout"], state["balance"]) == ("push", 100, 10_000)

    at_the_casino(scenario)


def test_2_5_the_dealer_s_blackjack_beats_twenty() -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal("KTQA")
        assert (state["status"], hand(state)["result"], state["balance"]) == ("cashed_out", "lose", 9_900)

    at_the_casino(scenario)


@pytest.mark.parametrize(("own", "hole", "result"), [("T9", "8", "win"), ("T9", "9", "push"), ("T8", "9", "lose")])
def test_2_5_then_the_higher_total_wins_and_equal_ones_push(own: str, hole: str, result: str) -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal(f"{own[0]}T{own[1]}{hole}")
        state = await ann.do("BLACKJACK_STAND")
        assert hand(state)["result"] == hand(state)["status"] == result
        assert state["balance"] == 10_000 + {"win": 100, "push": 0, "lose": -100}[result]

    at_the_casino(scenario)


# 7.3 The return


def test_7_3_the_return_is_the_published_one_exactly_computed_and_simulated() -> None:
    solution = solve(CASINO)
    assert 100 * (1 + solution.ev.per_initial_bet) == pytest.approx(RTP_PERCENT, abs=0.05)
    outcome = simulate(Simulation(flat_game(CASINO, solution.strategy), 2_000_000, 1))
    assert outcome is not None
    found, error = outcome.tally.return_per_initial_bet, outcome.tally.standard_error
    assert abs(found - solution.ev.per_initial_bet) < 3 * error
