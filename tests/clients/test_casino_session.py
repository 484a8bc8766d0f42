"""The Python client at the casino: seeds of its own, a log that its programs share, no alarm at an honest server."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.clients.alarm import AlarmError
from croupier.clients.casino import CasinoSession, cards_dealt
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Environment
from croupier.clients.vault import FolderVault, MemoryVault, Vault
from croupier.dealing import shuffle1_client
from croupier.dealing.shuffle1_log import BetSent, CardsSeen, NeverDealt, Revealed
from croupier.wire.own_logs import read_casino_lines
from croupier.wire.records import verify
from tests.server.live import Live, live


def player(server: Live, vault: Vault, token: str = "") -> Client:
    name = "" if token else "Ann"
    return Client(server.url, nickname=name, token=token, environment=Environment(vault=vault))


def at_the_casino(scenario: Callable[[Live, Client], Awaitable[None]], vault: Vault | None = None) -> None:
    async def play() -> None:
        async with live() as server, player(server, vault or MemoryVault()) as client:
            await scenario(server, client)

    asyncio.run(play())


async def finish(session: CasinoSession) -> dict[str, Any]:
    """Stands until the round is over."""
    while session.state["status"] == "playing":
        await session.act("BLACKJACK_STAND")
    return session.state


def lines(session: CasinoSession, kind: type[Any]) -> list[Any]:
    return [line for _, line in read_casino_lines(session.log) if isinstance(line, kind)]


def test_every_bet_has_a_fresh_seed_and_is_written_down_before_it_goes_out() -> None:
    async def scenario(server: Live, client: Client) -> None:
        session = await CasinoSession.enter(client)
        for _ in range(4):
            state = await session.bet(10.25)
            assert (state["clientSeed"], state["nonce"]) == (lines(session, BetSent)[-1].client_seed, 0)
            await finish(session)
        bets = lines(session, BetSent)
        assert len({bet.client_seed for bet in bets}) == 4
        assert {len(bet.client_seed) for bet in bets} == {64}
        assert (session.notebook.proven, session.notebook.unproven) == (0, 4)
        await session.rotate()
        assert (session.notebook.proven, session.notebook.unproven) == (4, 0)
        assert session.alarms == ()

    at_the_casino(scenario)


def test_the_seed_is_revealed_by_itself_and_every_card_was_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle1_client, "ROUNDS_BEFORE_ROTATION", 5)

    async def scenario(server: Live, client: Client) -> None:
        session = await CasinoSession.enter(client)
        for _ in range(12):
            await session.bet(1)
            if "canSplit" in session.state["playerHands"][0] and session.state["playerHands"][0]["canSplit"]:
                await session.act("BLACKJACK_SPLIT")
            elif session.state["playerHands"][0]["canHit"] and session.state["playerHands"][0]["bestValue"] < 14:
                await session.act("BLACKJACK_HIT")
            await finish(session)
        assert len(lines(session, Revealed)) == 2
        assert (session.notebook.proven, session.notebook.unproven) == (10, 2)
        assert verify(await server.server.casino.records(client.player_id)).findings != ()
        await session.rotate()
        assert verify(await server.server.casino.records(client.player_id)).ok

    at_the_casino(scenario)


def test_a_typed_seed_is_kept_and_its_nonce_is_counted() -> None:
    async def scenario(server: Live, client: Client) -> None:
        session = await CasinoSession.enter(client)
        for nonce in range(3):
            assert (await session.bet(1, "my very own seed"))["nonce"] == nonce
            await finish(session)
            await session.bet(1)
            await finish(session)
        await session.rotate()
        with pytest.raises(ValueError, match="the house knows it"):
            await session.bet(1, "my very own seed")
        with pytest.raises(ValueError, match="8 to 256"):
            await session.bet(1, "short")

    at_the_casino(scenario)


def test_a_refused_bet_is_made_again_with_the_same_seed() -> None:
    async def scenario(server: Live, client: Client) -> None:
        session = await CasinoSession.enter(client)
        with pytest.raises(RefusedError, match="INSUFFICIENT_FUNDS"):
            await session.bet(10_001)
        state = await session.bet(10)
        first, second = lines(session, BetSent)
        assert first.draw == second.draw
        assert state["clientSeed"] == first.client_seed
        await finish(session)
        with pytest.raises(RefusedError, match="BET_OUT_OF_RANGE"):
            await session.bet(0.5)
        await session.rotate()
        (never,) = lines(session, NeverDealt)
        assert (never.amount, len(never.cards)) == (0.5, 4)

    at_the_casino(scenario)


def test_a_program_that_begins_anew_knows_all_of_it(tmp_path: Path) -> None:
    async def scenario(server: Live, client: Client) -> None:
        session = await CasinoSession.enter(client)
        while (await session.bet(10))["status"] != "playing":
            pass
        seen = session.state
        async with player(server, FolderVault(tmp_path), client.token) as again:
            later = await CasinoSession.enter(again)
            assert later.state["playerHands"] == seen["playerHands"]
            await finish(later)
            await later.rotate()
            assert later.notebook.unproven == 0
        await asyncio.sleep(0.05)
        await session.bet(10)
        assert session.alarms == ()
        assert session.log == later.log + session.log[len(later.log) :]

    at_the_casino(scenario, FolderVault(tmp_path))


def test_two_programs_at_once_see_each_other_s_rounds_and_reveals(tmp_path: Path) -> None:
    async def scenario(server: Live, client: Client) -> None:
        async with player(server, FolderVault(tmp_path), client.token) as other:
            one, two = await CasinoSession.enter(client), await CasinoSession.enter(other)
            for number in range(6):
                here = (one, two)[number % 2]
                await here.refresh()
                await here.bet(1)
                await finish(here)
                if number == 3:
                    await here.rotate()
            await asyncio.sleep(0.05)
            await one.refresh()
            await two.refresh()
            assert one.alarms == two.alarms == ()
            assert one.state["version"] == two.state["version"]
            assert one.notebook.proven == two.notebook.proven == 4

    at_the_casino(scenario, FolderVault(tmp_path))


async def play_elsewhere(server: Live, token: str, rounds: int = 1) -> None:
    """Some rounds and a reveal on another device, which has a vault of its own."""
    async with player(server, MemoryVault(), token) as phone:
        elsewhere = await CasinoSession.enter(phone)
        for _ in range(rounds):
            await elsewhere.bet(1)
            await finish(elsewhere)
        await elsewhere.rotate()


def test_another_device_may_reveal_the_seed_between_two_visits() -> None:
    async def scenario(server: Live, newcomer: Client) -> None:
        vault = MemoryVault()
        async with player(server, vault, newcomer.token) as client:
            session = await CasinoSession.enter(client)
            await session.bet(1)
            await finish(session)
        await play_elsewhere(server, newcomer.token)
        async with player(server, vault, newcomer.token) as client:
            later = await CasinoSession.enter(client)
            assert (later.notebook.proven, later.alarms) == (1, ())
            await later.bet(1)

    at_the_casino(scenario)


def test_a_reveal_that_nobody_here_asked_for_is_an_alarm_until_the_player_says_that_it_was_another_device() -> None:
    async def scenario(server: Live, client: Client) -> None:
        session = await CasinoSession.enter(client)
        await session.bet(1)
        await finish(session)
        await play_elsewhere(server, client.token, rounds=0)
        with pytest.raises(AlarmError) as raised:
            await session.bet(1)
        assert [found.code for found in raised.value.findings] == ["ROTATION_UNASKED"]
        with pytest.raises(AlarmError):
            await session.refresh()
        await session.accept_alarms()
        await session.bet(1)
        assert session.alarms == ()

    at_the_casino(scenario)


def test_a_bet_whose_answer_was_lost_is_found_dealt() -> None:
    async def scenario(server: Live, client: Client) -> None:
        session = await CasinoSession.enter(client)
        bet = session.notebook.bet(5, "lost", "a seed whose answer is lost", 1)
        assert bet is not None
        session._write(bet)
        fields = {"amount": 5, "clientSeed": bet.client_seed, "gameParams": {"blackjack": {}}}
        await client.request("PLACE_BET", commandId="lost", expectedVersion=session.state["version"], **fields)
        later = await CasinoSession.enter(client)
        (seen,) = lines(later, CardsSeen)
        assert seen.client_seed == bet.client_seed
        await finish(later)
        assert later.notebook.pending is None

    at_the_casino(scenario)


@pytest.mark.parametrize(
    ("hands", "dealer", "order"),
    [
        ([["2c", "3c"]], ["4c"], "2c 4c 3c -"),
        ([["2c", "3c", "5c"]], ["4c", "6c", "7c"], "2c 4c 3c 6c 5c 7c"),
        ([["2c", "3c", "9c"], ["2d", "4d", "5d", "6d"]], ["7s", "8s", "9s"], "2c 7s 2d 8s 3c 4d 9c 5d 6d 9s"),
    ],
)
def test_the_order_of_the_deal_is_read_from_the_table(hands: list[list[str]], dealer: list[str], order: str) -> None:
    assert " ".join(card or "-" for card in cards_dealt(hands, dealer)) == order


@pytest.mark.parametrize(("hands", "dealer"), [([], ["4c"]), ([["2c"]], ["4c"]), ([["2c", "3c"]], [])])
def test_a_table_that_makes_no_sense_is_no_table(hands: list[list[str]], dealer: list[str]) -> None:
    with pytest.raises(ValueError, match="hands against"):
        cards_dealt(hands, dealer)
