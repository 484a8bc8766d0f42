"""The classroom table played by the real npm client `@microsoft/signalr`, against a real server."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.game.sealed import Sealed
from croupier.games.blackjack import CLASSROOM
from croupier.games.blackjack.classroom import Classroom
from croupier.locales import text
from croupier.server.signalr.limits import Limits
from croupier.wire.records import verify
from tests.server.hub_room import KEY, Room, asynchronous, named, served
from tests.server.signalr_client import Driver, driver, installed

SPOT_CARDS: Final = ("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
SCORES: Final = {rank: score for score, rank in enumerate(SPOT_CARDS, start=1)}
SUITS: Final = {"Clubs", "Diamonds", "Hearts", "Spades"}


CLASSES: Final = {
    "WebSockets": "WebSocketTransport",
    "ServerSentEvents": "ServerSentEventsTransport",
    "LongPolling": "LongPollingTransport",
}
"""What the client calls its transports, inside and outside."""
in_each_transport = pytest.mark.parametrize("transport", CLASSES)


@pytest.fixture(scope="session")
def modules() -> Path:
    return installed()


@contextlib.asynccontextmanager
async def playing(
    modules: Path, *names: str, classroom: Classroom | None = None, client: dict[str, Any] | None = None, **options: Any
) -> AsyncIterator[tuple[Room, Driver]]:
    """A server, and real clients that have connected and not joined."""
    async with served(classroom, **options) as room, driver(modules) as clients:
        for name in names:
            await clients.connect(name, room.url, **(client or {}))
        yield room, clients


async def all_join(clients: Driver, enums: str = "numbers") -> None:
    """Everybody joins, the one called dealer with the key; nobody has heard anything yet."""
    for name in clients.heard:
        assert await clients.errors(name, "Join", name, KEY if name == "dealer" else None) == []
    await clients.until(
        lambda: all(len(latest(clients, name, enums)["players"]) == len(clients.heard) for name in clients.heard)
    )
    for heard in clients.heard.values():
        heard.clear()


def latest(clients: Driver, who: str, enums: str = "numbers") -> dict[str, Any]:
    states = [heard[1] for heard in clients.heard[who] if heard[0] == "OnStateChanged"]
    return named(states[-1], enums) if states else {"players": [], "phase": ""}


def codes(clients: Driver, who: str) -> list[str]:
    """What a client heard, in order: the code of an error, or the phase of a state."""
    return [heard[1] if heard[0] == "OnError" else named(heard[1])["phase"] for heard in clients.heard[who]]


@pytest.mark.parametrize("enums", ["numbers", "names"])
@in_each_transport
@asynchronous
async def test_two_clients_and_a_dealer_play_a_whole_round_and_all_see_the_same(
    modules: Path, transport: str, enums: str
) -> None:
    way = {"transport": transport}
    async with playing(modules, "dealer", "ann", "bob", client=way, enums=enums) as (room, clients):
        await all_join(clients, enums)
        assert await clients.ask("transport", "ann") == CLASSES[transport]
        ids = {name: await clients.ask("id", name) for name in clients.heard}
        assert await clients.errors("dealer", "StartRound") == []
        dealt = latest(clients, "dealer", enums)
        assert (dealt["phase"], dealt["dealerPlayerId"]) == ("InRound", ids["dealer"])
        assert dealt["currentTurnPlayerId"] == ids["ann"]
        assert [player["playerId"] for player in dealt["players"]] == [ids["dealer"], ids["ann"], ids["bob"]]
        assert [player["isDealer"] for player in dealt["players"]] == [True, False, False]
        assert all(len(player["cards"]) == 2 and player["outcome"] == "None" for player in dealt["players"])
        await clients.until(lambda: latest(clients, "ann", enums)["phase"] == "InRound")
        while latest(clients, "ann", enums)["currentTurnPlayerId"] == ids["ann"]:
            assert await clients.errors("ann", "Hit") == []
        assert await clients.errors("bob", "Stand") == []
        over = latest(clients, "bob", enums)
        assert (over["phase"], over["currentTurnPlayerId"]) == ("Idle", "")
        judge(over["players"])
        await clients.until(lambda: len({len(heard) for heard in clients.heard.values()}) == 1)
        assert clients.heard["dealer"] == clients.heard["ann"] == clients.heard["bob"]
        assert set(over) == {"phase", "players", "currentTurnPlayerId", "dealerPlayerId"}
        fields = {"playerId", "name", "isDealer", "cards", "score", "turnState", "outcome"}
        assert all(set(player) == fields for player in over["players"])
        assert verify(room.records).ok


def judge(players: list[dict[str, Any]]) -> None:
    """Scores, turn states and outcomes by the rules of document 000, worked out once more."""
    for player in players:
        assert all(card["suit"] in SUITS for card in player["cards"])
        assert player["score"] == sum(SCORES.get(card["rank"], 10) for card in player["cards"])
        assert player["turnState"] == ("Busted" if player["score"] > 21 else "Standing")
    dealer, *others = players
    assert dealer["score"] >= 17
    for player in others:
        if player["score"] > 21:
            expected = "Lose"
        elif dealer["score"] > 21 or player["score"] > dealer["score"]:
            expected = "Win"
        else:
            expected = "Lose" if player["score"] < dealer["score"] else "Tie"
        assert player["outcome"] == expected
    assert dealer["outcome"] == "None"


@in_each_transport
@asynchronous
async def test_ten_codes_come_to_the_caller_alone_and_in_words(modules: Path, transport: str) -> None:
    """The notices have tests of their own. ALREADY_DONE no table can reach: whoever is done has lost the turn too, and
    NOT_YOUR_TURN comes first. The rules are tested for it with a state made by hand."""
    async with playing(modules, "dealer", "ann", "bob", "second", client={"transport": transport}) as (_, clients):
        assert await clients.errors("ann", "Stand") == ["NOT_JOINED"]
        assert await clients.errors("ann", "Leave") == ["NOT_JOINED"]
        assert await clients.errors("ann", "StartRound") == ["NOT_JOINED"]
        assert await clients.errors("ann", "Join", " " * 5, None) == ["INVALID_NAME"]
        assert await clients.errors("ann", "Join", "b" * 21, None) == ["INVALID_NAME"]
        assert await clients.errors("ann", "Join", None, None) == ["INVALID_NAME"]
        assert await clients.errors("dealer", "Join", " dealer ", KEY) == []
        assert await clients.errors("dealer", "StartRound") == ["INSUFFICIENT_PLAYERS"]
        assert await clients.errors("second", "Join", "second", KEY) == ["DEALER_ALREADY_EXISTS"]
        assert await clients.errors("ann", "Join", "ann", "a wrong key") == []
        assert await clients.errors("ann", "Join", "ann", "") == ["ALREADY_JOINED"]
        assert await clients.errors("ann", "Hit") == ["GAME_NOT_INROUND"]
        assert await clients.errors("ann", "StartRound") == ["NOT_DEALER"]
        assert await clients.errors("bob", "Join", "bob", None) == []
        assert await clients.errors("dealer", "StartRound") == []
        assert await clients.errors("dealer", "StartRound") == ["GAME_IN_PROGRESS"]
        assert await clients.errors("second", "Join", "second", None) == ["GAME_IN_PROGRESS"]
        assert await clients.errors("dealer", "Hit") == ["DEALER_IS_AUTO"]
        assert await clients.errors("bob", "Stand") == ["NOT_YOUR_TURN"]
        assert await clients.errors("ann", "Stand") == []
        assert await clients.errors("ann", "Stand") == ["NOT_YOUR_TURN"], "done, and so out of turn"
        assert await clients.errors("bob", "Stand") == []
        await clients.until(lambda: all(latest(clients, name)["phase"] == "Idle" for name in clients.heard))
        heard = {code for name in clients.heard for code in codes(clients, name)} - {"Idle", "InRound"}
        assert len(heard) == 10
        assert codes(clients, "bob").count("NOT_JOINED") == 0, "others do not hear what was refused"
        refused = next(heard for heard in clients.heard["bob"] if heard[0] == "OnError")
        assert refused == ("OnError", "NOT_YOUR_TURN", text("en", "code.NOT_YOUR_TURN"))


@in_each_transport
@asynchronous
async def test_the_dealer_leaves_and_all_hear_the_notice_once_then_the_reset_state_once(
    modules: Path, transport: str
) -> None:
    async with playing(modules, "dealer", "ann", "bob", client={"transport": transport}) as (room, clients):
        await all_join(clients)
        await clients.invoke("dealer", "StartRound")
        await clients.invoke("dealer", "Leave")
        await clients.until(lambda: all(len(heard) == 3 for heard in clients.heard.values()))
        await asyncio.sleep(0.1)
        for name in clients.heard:
            assert codes(clients, name) == ["InRound", "GAME_TERMINATED", "Idle"]
            empty = {"phase": "Idle", "players": [], "currentTurnPlayerId": "", "dealerPlayerId": ""}
            assert latest(clients, name) == empty
        assert await clients.errors("ann", "Hit") == ["NOT_JOINED"], "seats and connections are cleared"
        assert await clients.errors("ann", "Join", "ann", KEY) == [], "the next game can begin"
        assert verify(room.records).ok


@asynchronous
async def test_the_shoe_runs_out_and_all_hear_so_before_the_state(modules: Path) -> None:
    names = ("dealer", *(f"player {number}" for number in range(25)))
    one_deck = Classroom(Sealed(KEY), rules=replace(CLASSROOM, decks=1))
    async with playing(modules, *names, classroom=one_deck) as (room, clients):
        await all_join(clients)
        await clients.invoke("dealer", "StartRound")
        await clients.invoke("player 0", "Hit")
        await clients.until(lambda: all(len(heard) == 3 for heard in clients.heard.values()))
        for name in names:
            assert codes(clients, name) == ["InRound", "SHOE_EMPTY", "Idle"]
        assert all(player["outcome"] == "None" for player in latest(clients, "dealer")["players"])
        assert verify(room.records).ok


@in_each_transport
@asynchronous
async def test_a_disconnect_is_a_leave_and_the_turn_moves_on(modules: Path, transport: str) -> None:
    async with playing(modules, "dealer", "ann", "bob", client={"transport": transport}) as (room, clients):
        await all_join(clients)
        bob = await clients.ask("id", "bob")
        await clients.invoke("dealer", "StartRound")
        await clients.ask("stop", "ann")
        assert clients.closed["ann"] == "", "a clean end is no error"
        await clients.until(lambda: len(latest(clients, "bob")["players"]) == 2)
        assert latest(clients, "bob")["currentTurnPlayerId"] == bob
        await clients.ask("stop", "dealer")
        await clients.until(lambda: codes(clients, "bob")[-2:] == ["GAME_TERMINATED", "Idle"])
        assert codes(clients, "bob").count("GAME_TERMINATED") == 1
        assert verify(room.records).ok


@pytest.mark.parametrize(
    ("blocked", "taken"),
    [
        ((), "WebSockets"),
        (("WebSockets",), "ServerSentEvents"),
        (("WebSockets", "ServerSentEvents"), "LongPolling"),
    ],
)
@asynchronous
async def test_the_client_falls_back_by_itself_to_what_is_not_blocked(
    modules: Path, blocked: tuple[str, ...], taken: str
) -> None:
    async with playing(modules, "dealer", "ann", blocked=blocked) as (room, clients):
        assert await clients.ask("transport", "ann") == CLASSES[taken]
        await all_join(clients)
        await clients.invoke("dealer", "StartRound")
        await clients.invoke("ann", "Stand")
        judge(latest(clients, "ann")["players"])
        assert verify(room.records).ok


@asynchronous
async def test_a_client_may_skip_negotiation_and_choose_its_language(modules: Path) -> None:
    async with playing(modules) as (room, clients):
        await clients.connect("ann", f"{room.url}?lang=ru", transport="WebSockets", skipNegotiation=True)
        await clients.connect("bob", f"{room.url}?lang=zh")
        for name, language in (("ann", "ru"), ("bob", "zh")):
            assert await clients.errors(name, "Hit") == ["NOT_JOINED"]
            assert clients.heard[name][0][2] == text(language, "code.NOT_JOINED")


@in_each_transport
@asynchronous
async def test_what_fits_no_method_rejects_the_clients_promise_and_the_connection_goes_on(
    modules: Path, transport: str
) -> None:
    async with playing(modules, "ann", client={"transport": transport}) as (_, clients):
        for target, values in (("Deal", ()), ("Join", ("ann",)), ("Join", (1, 2)), ("Hit", (None,))):
            with pytest.raises(RuntimeError, match=f"Failed to invoke '{target}'"):
                await clients.invoke("ann", target, *values)
        with pytest.raises(RuntimeError, match="streams"):
            await clients.ask("stream", "ann", target="Join")
        await clients.ask("send", "ann", target="Join", values=["ann", None])
        await clients.until(lambda: codes(clients, "ann") == ["Idle"])


@in_each_transport
@asynchronous
async def test_an_oversized_message_closes_the_client_and_a_reconnecting_one_stays_away(
    modules: Path, transport: str
) -> None:
    async with playing(modules, "ann", "bob", client={"reconnect": True, "transport": transport}) as (_, clients):
        with contextlib.nullcontext() if transport == "WebSockets" else pytest.raises(RuntimeError, match="413"):
            await clients.ask("send", "ann", target="Join", values=["a" * 70_000, ""])
        await clients.until(lambda: "ann" in clients.closed)
        assert "65536 bytes" in clients.closed["ann"]
        assert await clients.errors("bob", "Join", "bob", None) == []


@asynchronous
async def test_a_client_that_was_silent_too_long_reconnects_by_itself_as_somebody_new(modules: Path) -> None:
    silent = {"keepAlive": 10_000, "reconnect": True}
    async with playing(modules, "ann", client=silent, limits=Limits(client_timeout_seconds=0.5)) as (_, clients):
        await clients.invoke("ann", "Join", "ann", None)
        await clients.until(lambda: "ann" in clients.reconnected)
        assert await clients.errors("ann", "Hit") == ["NOT_JOINED"], "a disconnect is a leave"


async def idle(modules: Path, seconds: float, limits: Limits, **client: Any) -> None:
    """A client of each transport at one table: all say nothing for a while, and then play."""
    async with playing(modules, limits=limits) as (room, clients):
        for name, transport in zip(("dealer", "ann", "bob"), CLASSES, strict=True):
            await clients.connect(name, room.url, transport=transport, **client)
        await all_join(clients)
        await asyncio.sleep(seconds)
        assert clients.closed == {}
        assert await clients.errors("dealer", "StartRound") == []
        assert await clients.errors("ann", "Stand") == []
        assert await clients.errors("bob", "Stand") == []
        await clients.until(lambda: len({len(heard) for heard in clients.heard.values()}) == 1)
        assert clients.heard["dealer"] == clients.heard["ann"] == clients.heard["bob"]


@asynchronous
async def test_idle_clients_stay_connected_longer_than_either_sides_timeout(modules: Path) -> None:
    limits = Limits(keep_alive_seconds=0.5, client_timeout_seconds=2.5, poll_seconds=1.0, away_seconds=2.5)
    await idle(modules, 4, limits, serverTimeout=2500, keepAlive=500)


@pytest.mark.soak
@asynchronous
async def test_idle_clients_stay_connected_longer_than_the_longest_wait_by_default(modules: Path) -> None:
    """The server pings after 15 seconds and misses a client after 30; a poll waits for 90."""
    await idle(modules, 100, Limits())


@in_each_transport
@asynchronous
async def test_fifty_concurrent_commands_of_real_clients_stay_serial(modules: Path, transport: str) -> None:
    names = [f"player {number}" for number in range(50)]
    async with playing(modules, *names, client={"transport": transport}) as (_, clients):
        await asyncio.gather(*(clients.invoke(name, "Join", name, None) for name in names))
        await clients.until(lambda: all(len(heard) == 50 for heard in clients.heard.values()))
        for name in names:
            assert [len(state["players"]) for _, state in clients.heard[name]] == list(range(1, 51))
            assert clients.heard[name] == clients.heard[names[0]]
