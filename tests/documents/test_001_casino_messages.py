"""Document 001, the casino's states and messages, point by point: sections 1, 3, 4, 6 and 8.

Every test is named after the section that it holds, and sends and reads messages over a real WebSocket.
"""

import asyncio
import json
from hashlib import sha256
from pathlib import Path
from types import NoneType
from typing import Final

import pytest

from croupier.cards import PACK
from croupier.table.round import Seeds
from tests.documents.gambler import SERVER_SEEDS, Player, at_the_casino, hand, sit_down, stacked
from tests.server.test_nodes import nodes

# 1. Core parameters, and 8. Configuration


def test_8_the_configuration_is_the_document_s() -> None:
    async def scenario(ann: Player) -> None:
        config = await ann.ask("BLACKJACK_GET_PARAMS")
        assert {name: config[name] for name in ("gameId", "gameName", "category", "defaultRTP", "features")} == {
            "gameId": "inhousegame:blackjack",
            "gameName": "Blackjack",
            "category": "session",
            "defaultRTP": "99.5%",
            "features": ["provably_fair", "session_game", "multi_hand", "insurance"],
        }
        assert config["gameParameters"] == {
            "deckCount": 6,
            "dealerRule": "S17",
            "blackjackPayout": 1.5,
            "insurancePayout": 2,
            "maxSplits": 1,
            "doubleAfterSplit": True,
            "surrenderAllowed": False,
        }
        assert ann.state["rtp"] == 99.5

    at_the_casino(scenario)


# 3.1 Provable fairness


def test_3_1_the_hash_is_there_before_the_bet_and_the_seed_after_the_rotation() -> None:
    async def scenario(ann: Player) -> None:
        shown = ann.state["serverSeedHash"]
        assert shown == ann.state["seeds"]["serverSeedHash"] == sha256(SERVER_SEEDS[0].encode()).hexdigest()
        assert (ann.state["clientSeed"], ann.state["nonce"]) == (None, 0)
        state = await ann.bet("my very own seed")
        assert [state[name] for name in ("clientSeed", "serverSeedHash", "nonce")] == ["my very own seed", shown, 0]
        assert "serverSeed" not in state
        while ann.state["status"] != "cashed_out":
            await ann.do("BLACKJACK_STAND")
        rotated = await ann.do("BLACKJACK_ROTATE_SEED")
        assert rotated["revealed"] == SERVER_SEEDS[0]
        assert (await ann.ask("BLACKJACK_GET_STATE"))["serverSeed"] == SERVER_SEEDS[0]

    at_the_casino(scenario)


def test_3_1_the_whole_pack_is_shuffled_from_the_seeds_and_dealt_in_that_order() -> None:
    async def scenario(ann: Player) -> None:
        pack = [str(card) for card in PACK * 6]
        seed = "another seed of mine"
        for place in range(len(pack) - 1, 0, -1):
            digest = sha256(f"{SERVER_SEEDS[0]}:{seed}:0:{place}".encode()).hexdigest()
            other = int(digest, 16) % (place + 1)
            pack[place], pack[other] = pack[other], pack[place]
        state = await ann.bet(seed)
        while state["status"] == "playing":
            state = await ann.do("BLACKJACK_HIT")
        own, dealer = hand(state)["cards"], state["dealerHand"]["cards"]
        assert (len(pack), len(own)) == (312, 5), "this seed lets the player take three cards more"
        assert [own[0], dealer[0], own[1], dealer[1], *own[2:], *dealer[2:]] == pack[: len(own) + len(dealer)]

    at_the_casino(scenario)


def test_3_4_a_client_seed_has_8_to_256_characters() -> None:
    async def scenario(ann: Player) -> None:
        for seed in ("7 chars", "x" * 257):
            assert (await ann.bet(seed))["code"] == "BAD_CLIENT_SEED"
        assert (await ann.bet("8 charac"))["type"] == "BLACKJACK_GAME_STATE"

    at_the_casino(scenario)


# 3.2 and 4.2 States


def test_3_2_each_of_the_six_statuses_is_seen_and_the_middle_ones_are_pushed_before_the_answer() -> None:
    async def scenario(ann: Player) -> None:
        assert ann.state["status"] == "betting"
        await ann.deal("TT98")
        assert (ann.statuses, ann.state["status"]) == (["dealing"], "playing")
        assert [hand(frame)["cards"] for frame in ann.pushed] == [[]]
        await ann.do("BLACKJACK_STAND")
        assert (ann.statuses, ann.state["status"]) == (["dealer", "finished"], "cashed_out")
        dealer, finished = ann.pushed
        assert dealer["dealerHand"]["isRevealed"]
        assert hand(dealer)["status"] == "stand"
        assert (hand(finished)["result"], hand(finished)["payout"]) == ("win", 200)
        assert [frame["balance"] for frame in (dealer, finished, ann.state)] == [9_900, 9_900, 10_100]
        assert all("requestId" not in frame for frame in ann.pushed)

    at_the_casino(scenario)


def test_3_2_a_round_that_ends_with_the_deal_passes_through_all_of_them() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("A6KT")
        assert [*ann.statuses, ann.state["status"]] == ["dealing", "dealer", "finished", "cashed_out"]
        dealing, dealer = ann.pushed[:2]
        assert (dealing["balance"], dealing["dealerHand"]["cards"]) == (9_900, [])
        assert hand(dealer)["status"] == "blackjack"

    at_the_casino(scenario)


def test_4_2_payout_and_result_are_there_from_finished_on_and_not_before() -> None:
    async def scenario(ann: Player) -> None:
        state = await ann.deal("TT98")
        running = [*ann.pushed, state]
        await ann.do("BLACKJACK_STAND")
        dealer, *over = [*ann.pushed, ann.state]
        for frame in (*running, dealer):
            text = json.dumps(frame)
            assert all(f'"{word}"' not in text for word in ("payout", "result", "totalPayout", "finalPayout"))
        for frame in over:
            assert {"payout", "result"} <= set(hand(frame))
            assert frame["totalPayout"] == frame["finalPayout"] == 200
            assert "netProfit" not in frame

    at_the_casino(scenario)


def test_3_2_what_is_passed_through_is_never_stored() -> None:
    async def scenario(ann: Player) -> None:
        await ann.deal("A6KT")
        assert (await ann.ask("BLACKJACK_GET_STATE"))["status"] == "cashed_out"
        assert ann.pushed == []

    at_the_casino(scenario)


# 3.3 Structures


def test_3_3_every_field_of_the_document_is_there_by_its_name() -> None:
    game = {"roundId", "betAmount", "clientSeed", "serverSeedHash", "nonce", "rtp", "status", "playerHands"}
    game |= {"activeHandIndex", "dealerHand", "insurance", "canInsure", "totalBet"}
    own = {"cards", "status", "betAmount", "isDoubled", "isSplit", "isFromAces", "softValue", "hardValue", "bestValue"}
    own |= {"isBlackjack", "canHit", "canStand", "canDouble", "canSplit"}
    dealer = {"cards", "status", "showCard", "holeCard", "softValue", "hardValue", "bestValue", "isRevealed"}
    dealer |= {"hasBlackjack"}

    async def scenario(ann: Player) -> None:
        state = await ann.deal("TT98")
        assert game <= set(state)
        assert set(hand(state)) == own
        assert set(state["dealerHand"]) == dealer
        assert (state["dealerHand"]["status"], state["dealerHand"]["isRevealed"]) == ("active", False)
        state = await ann.do("BLACKJACK_STAND")
        assert game | {"totalPayout", "finalPayout"} <= set(state)
        assert set(hand(state)) == own | {"payout", "result"}

    at_the_casino(scenario)


NUMBER = (int, float)
TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    **{"roundId": int, "betAmount": NUMBER, "clientSeed": str, "serverSeedHash": str, "nonce": int, "rtp": NUMBER},
    **{"status": str, "playerHands": list, "activeHandIndex": int, "dealerHand": dict, "canInsure": bool},
    **{"insurance": (dict, NoneType), "totalBet": NUMBER, "totalPayout": NUMBER, "finalPayout": NUMBER},
}
TYPES_OF_HANDS: Final[dict[str, type | tuple[type, ...]]] = {
    **{"cards": list, "status": str, "betAmount": NUMBER, "payout": NUMBER, "result": str},
    **dict.fromkeys(("isDoubled", "isSplit", "isFromAces", "isBlackjack", "isRevealed", "hasBlackjack"), bool),
    **dict.fromkeys(("canHit", "canStand", "canDouble", "canSplit"), bool),
    **dict.fromkeys(("softValue", "hardValue", "bestValue"), int),
    **dict.fromkeys(("showCard", "holeCard"), (str, NoneType)),
}


def test_3_3_every_field_has_its_type_in_every_state_of_a_round() -> None:
    """A client in Go, C# or Swift reads a whole number where the document has an `int`, never null."""

    async def scenario(ann: Player) -> None:
        frames = []
        for ranks, kinds in (("TT98", ["STAND"]), ("868T23TT", ["SPLIT", "STAND", "STAND"]), ("A6KT", [])):
            await ann.deal(ranks)
            frames += [*ann.pushed, ann.state]
            for kind in kinds:
                await ann.do(f"BLACKJACK_{kind}")
                frames += [*ann.pushed, ann.state]
        assert {frame["status"] for frame in frames} == {"dealing", "playing", "dealer", "finished", "cashed_out"}
        for frame in frames:
            for name, kind in TYPES.items():
                assert name not in frame or isinstance(frame[name], kind), (frame["status"], name, frame[name])
            for each in (*frame["playerHands"], frame["dealerHand"]):
                for name, value in each.items():
                    assert isinstance(value, TYPES_OF_HANDS[name]), (frame["status"], name, value)
        split = [frame["activeHandIndex"] for frame in frames if len(frame["playerHands"]) == 2]
        assert split == [0, 1, 1, 1, 1], "the first hand, the second, and there it stays"

    at_the_casino(scenario)


# 3.4 Operations


def test_3_4_the_bet_is_taken_from_the_wallet_and_refused_when_it_is_not_there() -> None:
    async def scenario(ann: Player) -> None:
        refused = await ann.bet("a seed of mine", amount=10_000.01)
        assert (refused["code"], refused["facts"]) == (
            "INSUFFICIENT_FUNDS",
            {"needed": 10_000.01, "available": 10_000},
        )
        assert "10000.01" in refused["message"]
        state = await ann.deal("TT98", 250.25)
        assert (state["balance"], state["totalBet"]) == (9_749.75, 250.25)
        assert (await ann.ask("WALLET_GET", most=1))["lines"][0]["chips"] == -250.25

    at_the_casino(scenario)


@pytest.mark.parametrize(
    ("amount", "code"), [(0.99, "BET_OUT_OF_RANGE"), (-1, "BET_OUT_OF_RANGE"), (10.001, "BAD_MESSAGE")]
)
def test_3_4_an_amount_has_two_decimal_places_and_is_within_the_limits(amount: float, code: str) -> None:
    async def scenario(ann: Player) -> None:
        assert (await ann.bet("a seed of mine", amount))["code"] == code

    at_the_casino(scenario)


# 4.1 Messages


def test_4_1_an_active_round_is_found_and_resumed_after_the_line_was_lost() -> None:
    async def scenario(ann: Player, again: Player) -> None:
        assert not (await ann.ask("BLACKJACK_CHECK_ACTIVE"))["active"]
        assert (await ann.ask("BLACKJACK_RESUME_GAME"))["code"] == "GAME_NOT_INROUND"
        state = await ann.deal("TT98")
        await ann.socket.close()
        active = await again.ask("BLACKJACK_CHECK_ACTIVE")
        assert (active["type"], active["active"]) == ("BLACKJACK_CHECK_ACTIVE_RESPONSE", True)
        assert active["roundId"] == state["roundId"]
        resumed = await again.ask("BLACKJACK_RESUME_GAME")
        assert resumed["type"] == "BLACKJACK_RESUME_GAME_RESPONSE"
        told = ("requestId", "events")
        assert {name: value for name, value in resumed["state"].items() if name not in told} == {
            name: value for name, value in state.items() if name not in told
        }

    at_the_casino(scenario, visitors=2)


def test_4_1_params_of_the_bet_are_an_empty_object() -> None:
    async def scenario(ann: Player) -> None:
        for params in ({}, {"blackjack": {"side": 1}}, {"roulette": {}}):
            refused = await ann.do("PLACE_BET", amount=10, clientSeed="a seed of mine", gameParams=params)
            assert refused["code"] == "BAD_MESSAGE"

    at_the_casino(scenario)


def test_4_2_a_second_tab_of_the_player_gets_every_state_pushed() -> None:
    async def scenario(ann: Player, again: Player) -> None:
        await ann.deal("TT98")
        heard = [await again.next_push() for _ in range(2)]
        assert [frame["status"] for frame in heard] == ["dealing", "playing"]
        assert {**heard[-1], "requestId": ann.state["requestId"]} == ann.state
        await ann.do("BLACKJACK_STAND")
        heard = [await again.next_push() for _ in range(3)]
        assert [frame["status"] for frame in heard] == ["dealer", "finished", "cashed_out"]
        await ann.do("BLACKJACK_ROTATE_SEED")
        heard = [await again.next_push()]
        assert heard[0]["serverSeed"] == SERVER_SEEDS[0]
        again.state = heard[0]
        told = await again.bet("seed of the other tab")
        assert told["type"] == "BLACKJACK_GAME_STATE", told
        assert (await ann.next_push())["status"] == "dealing"

    at_the_casino(scenario, visitors=2)


def test_4_2_a_tab_at_another_node_gets_every_state_pushed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Seeds, "shoe", stacked)

    async def run() -> None:
        async with nodes(tmp_path) as both:
            ann = await sit_down(both.servers[0].url)
            again = await sit_down(both.servers[1].url, ann.token)
            for step, statuses in (
                (lambda: ann.deal("TT98"), ["dealing", "playing"]),
                (lambda: ann.do("BLACKJACK_STAND"), ["dealer", "finished", "cashed_out"]),
                (lambda: ann.do("BLACKJACK_ROTATE_SEED"), ["cashed_out"]),
            ):
                await step()
                assert [(await again.next_push())["status"] for _ in statuses] == statuses
            await ann.socket.close()
            await again.socket.close()

    asyncio.run(run())
