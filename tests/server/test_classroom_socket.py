"""The classroom table over the WebSocket: the same table that SignalR clients sit at."""

import asyncio
from typing import Any

import pytest

from croupier.clients.connection import Client, RefusedError
from tests.server.live import Live, live


async def _states(client: Client, count: int) -> list[Any]:
    found: list[Any] = []
    while len(found) < count:
        frame = await asyncio.wait_for(client.said.get(), 5)
        if frame["type"].startswith("CLASSROOM"):
            found.append(frame)
    return found


async def _round(server: Live) -> None:
    async with server.client("Ms Kim") as dealer, server.client("Ann") as ann, server.client("beamer") as beamer:
        await beamer.request("CLASSROOM_WATCH")
        await dealer.request("CLASSROOM_JOIN", name="Ms Kim", dealerKey="the key")
        with pytest.raises(RefusedError, match="INSUFFICIENT_PLAYERS"):
            await dealer.request("CLASSROOM_START_ROUND")
        with pytest.raises(RefusedError, match="INVALID_NAME"):
            await ann.request("CLASSROOM_JOIN", name="  ")
        await ann.request("CLASSROOM_JOIN", name="Ann", dealerKey="wrong")
        with pytest.raises(RefusedError, match="NOT_DEALER"):
            await ann.request("CLASSROOM_START_ROUND")
        await dealer.request("CLASSROOM_START_ROUND")
        seen = await _states(beamer, 4)
        assert [frame["type"] for frame in seen] == ["CLASSROOM_STATE"] * 4, "once at the start, then once a command"
        assert seen[-1]["state"]["phase"] == "InRound"
        assert seen[-1]["options"] == {
            **{"deckCount": 4, "dealerStandScore": 17, "minPlayersToStart": 2},
            **{"minNameLength": 1, "maxNameLength": 20},
        }
        with pytest.raises(RefusedError, match="DEALER_IS_AUTO"):
            await dealer.request("CLASSROOM_HIT")
        await ann.request("CLASSROOM_STAND")
        over = (await _states(beamer, 1))[0]["state"]
        assert over["phase"] == "Idle"
        assert over["players"][1]["outcome"] in ("Win", "Lose", "Tie")
        await dealer.request("CLASSROOM_LEAVE")
        ended = await _states(beamer, 2)
        assert [frame["type"] for frame in ended] == ["CLASSROOM_NOTICE", "CLASSROOM_STATE"]
        assert (ended[0]["code"], ended[1]["state"]["players"]) == ("GAME_TERMINATED", [])


def test_the_table_is_set_up_as_the_server_s_settings_say() -> None:
    options = {"min_players_to_start": 3, "min_name_length": 2, "max_name_length": 4, "deck_count": 1}

    async def run() -> None:
        async with live(**options, dealer_stand_score=12) as server, server.client("Ms Kim") as dealer:
            for name in ("K", "Ms Kim"):
                with pytest.raises(RefusedError, match="INVALID_NAME") as refused:
                    await dealer.request("CLASSROOM_JOIN", name=name, dealerKey="the key")
                assert refused.value.facts == {"low": 2, "high": 4}
            await dealer.request("CLASSROOM_JOIN", name="Kim", dealerKey="the key")
            async with server.client("Ann") as ann:
                await ann.request("CLASSROOM_JOIN", name="Ann")
                with pytest.raises(RefusedError, match="INSUFFICIENT_PLAYERS"):
                    await dealer.request("CLASSROOM_START_ROUND")
            (shown,) = await _states(dealer, 1)
            assert shown["options"] == {
                **{"deckCount": 1, "dealerStandScore": 12, "minPlayersToStart": 3},
                **{"minNameLength": 2, "maxNameLength": 4},
            }

    asyncio.run(run())


def test_a_round_in_the_classroom_and_the_dealers_leaving() -> None:
    async def run() -> None:
        async with live() as server:
            await _round(server)

    asyncio.run(run())


async def _class(server: Live) -> tuple[Client, Client, str]:
    """A dealer and Ann, in a round."""
    dealer, ann = server.client("Ms Kim"), server.client("Ann")
    await dealer.__aenter__()
    await ann.__aenter__()
    await dealer.request("CLASSROOM_JOIN", name="Ms Kim", dealerKey="the key")
    ann_id = (await ann.request("CLASSROOM_JOIN", name="Ann"))["playerId"]
    await dealer.request("CLASSROOM_START_ROUND")
    return dealer, ann, ann_id


def test_whoever_reloads_has_place_and_hand_again_and_the_class_goes_on() -> None:
    async def run() -> None:
        async with live() as server:
            dealer, ann, ann_id = await _class(server)
            for lost in (dealer, ann):
                await lost.__aexit__(None, None, None)
            async with server.client("", token=ann.token) as again, server.client("", token=dealer.token) as teacher:
                assert (await again.request("CLASSROOM_WATCH"))["playerId"] == ann_id
                shown = (await _states(again, 1))[0]["state"]
                assert [player["name"] for player in shown["players"]] == ["Ms Kim", "Ann"]
                assert all(player["cards"] for player in shown["players"])
                place = (await teacher.request("CLASSROOM_WATCH"))["playerId"]
                assert place == shown["dealerPlayerId"]
                if shown["currentTurnPlayerId"] == ann_id:
                    await again.request("CLASSROOM_STAND")
                await teacher.request("CLASSROOM_START_ROUND")

    asyncio.run(run())


def test_a_place_is_kept_for_its_own_device_only_and_not_for_ever() -> None:
    async def run() -> None:
        async with live() as server, server.client("Eve") as eve:
            dealer, ann, ann_id = await _class(server)
            assert server.server.router.absences is not None
            server.server.router.absences.seconds = 0.05
            await ann.__aexit__(None, None, None)
            assert (await eve.request("CLASSROOM_WATCH"))["playerId"] != ann_id
            while len((await _states(eve, 1))[0]["state"]["players"]) > 1:
                pass
            await dealer.__aexit__(None, None, None)
            while (await _states(eve, 1))[0].get("code") != "GAME_TERMINATED":
                pass
            async with server.client("", token=ann.token) as late:
                assert (await late.request("CLASSROOM_WATCH"))["playerId"] != ann_id

    asyncio.run(run())
