"""The casino over real stores: every message of a round, what is told and what is not, and the proof of it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.games.blackjack import CASINO, BlackjackRules
from croupier.games.blackjack.casino.step import SessionCode, house, stakes, wallet
from croupier.locales import LANGUAGES, catalogue
from croupier.server.casino_state import parameters
from croupier.store.memory import MemoryStore
from croupier.store.port import Store
from croupier.store.sqlite import SqliteStore
from croupier.wire.casino import (
    CheckActive,
    Double,
    GameState,
    GetHistory,
    GetParams,
    GetSeeds,
    GetState,
    GetWallet,
    HistoryResponse,
    Insurance,
    RefillWallet,
    ResumeGame,
    RotateSeed,
    SeedsResponse,
    Split,
    WalletResponse,
)
from croupier.wire.frames import Error
from croupier.wire.records import verify
from tests.server.casino_players import Player, casino, run


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "casino.sqlite")


CASINO_UNITS: BlackjackRules = replace(CASINO, bet_min=100, bet_max=100 * CASINO.bet_max)


async def _chips(store: Store, account: str) -> float:
    return await store.balance(account) / 100


def test_a_newcomer_gets_chips_of_the_house_and_sees_the_hash_before_the_first_bet(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store, starting_chips=500))
        state = await ann.state()
        assert (state.version, state.balance, state.round_id, state.status) == (1, 500, 0, "betting")
        assert (state.player_hands, state.dealer_hand) == ((), None)
        assert len(state.seeds.server_seed_hash) == len(state.seeds.next_server_seed_hash) == 64
        assert (state.seeds.client_seed, state.seeds.nonce) == (None, 0)
        assert [(offer.low, offer.high) for offer in state.menu] == [(1, 500)]
        assert await store.balance(house()) == -50_000

    run(store, scenario)


def test_an_empty_wallet_is_filled_up_again_and_one_with_chips_is_not(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store, starting_chips=100))
        await ann.state()
        refused = await ann.ask(RefillWallet(**ann.ids()))
        assert isinstance(refused, Error)
        assert (refused.code, refused.facts) == ("WALLET_NOT_EMPTY", {"available": 100})
        state = await ann.state()
        while state.balance:
            await ann.bet(min(state.balance, 100))
            state = await ann.finish()
        filled = await ann.ask(RefillWallet(**ann.ids()))
        assert isinstance(filled, GameState)
        assert filled.balance == await _chips(store, wallet("ann")) == 100
        again = Player(casino(store, starting_chips=100))
        assert (await again.state()).balance == 100, "and so it is after a restart"

    run(store, scenario)


def test_a_round_from_bet_to_payout(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        shown = (await ann.state()).seeds
        state = await ann.play_until_in_hand()
        assert (state.bet_amount, state.total_bet) == (100, 100)
        assert await _chips(store, stakes("ann")) == 100
        assert await _chips(store, wallet("ann")) == state.balance
        assert state.dealer_hand is not None
        assert not state.dealer_hand.is_revealed
        assert len(state.dealer_hand.cards) == 1
        assert state.server_seed_hash == shown.server_seed_hash
        over = await ann.finish()
        assert over.dealer_hand is not None
        assert over.dealer_hand.is_revealed
        assert isinstance(over.final_payout, int)
        assert over.balance == state.balance + over.final_payout
        assert await _chips(store, stakes("ann")) == 0
        assert await _chips(store, wallet("ann")) == over.balance

    run(store, scenario)


@pytest.mark.parametrize(
    ("kind", "more"), [(Double, 100), (Split, 100), (Insurance, 50)], ids=["double", "split", "insurance"]
)
def test_a_further_stake_leaves_the_wallet_when_it_is_made(store: Store, kind: Any, more: int) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store, starting_chips=10**6))
        state = await ann.state()
        while not any(offer.action.tag == kind.__struct_config__.tag for offer in state.menu):
            await ann.finish()
            answer = await ann.bet()
            assert isinstance(answer, GameState)
            state = answer
        after = await ann.ask(kind(**ann.ids()))
        assert isinstance(after, GameState)
        assert after.total_bet == state.total_bet + more
        paid_out = after.final_payout if isinstance(after.final_payout, int) else 0
        assert after.balance == state.balance - more + paid_out == await _chips(store, wallet("ann"))
        assert await _chips(store, stakes("ann")) == (0 if after.status == "cashed_out" else after.total_bet)

    run(store, scenario)


def test_payouts_and_results_are_on_the_wire_only_once_the_round_is_over(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        await ann.state()
        await ann.play_until_in_hand()
        await ann.ask(ResumeGame(request_id="resume"))
        for text in ann.heard[-2:]:
            for word in (b'"payout"', b'"result"', b"totalPayout", b"finalPayout", b'"serverSeed":'):
                assert word not in text
        await ann.finish()
        for word in (b'"payout"', b'"result"', b"totalPayout", b"finalPayout"):
            assert word in ann.heard[-1]
        assert b'"serverSeed":' not in ann.heard[-1]

    run(store, scenario)


def test_no_unrevealed_seed_and_no_hole_card_reaches_the_player(store: Store) -> None:
    async def scenario(store: Store) -> None:
        made: list[str] = []

        def new_seed() -> str:
            made.append(f"{len(made):064x}")
            return made[-1]

        ann = Player(casino(store, new_seed=new_seed))
        await ann.state()
        state = await ann.play_until_in_hand()
        for request in (GetState, GetSeeds, GetHistory, CheckActive, ResumeGame):
            await ann.ask(request(request_id="q"))
        assert all(seed.encode() not in text for seed in made for text in ann.heard)
        assert state.dealer_hand is not None
        dealt = [event for event in state.events if type(event).__name__ == "DealerCardDealt"]
        assert [getattr(event, "card", "") for event in dealt] == [state.dealer_hand.show_card, None]
        stored = b"".join(entry.record for entry in await store.records("casino:ann"))
        assert all(seed.encode() not in stored for seed in made)

    run(store, scenario)


def test_rotation_reveals_the_seed_and_then_the_records_verify(store: Store) -> None:
    async def scenario(store: Store) -> None:
        house = casino(store)
        ann = Player(house)
        announced = (await ann.state()).seeds.next_server_seed_hash
        for _ in range(3):
            await ann.bet()
            await ann.finish()
        unproven = verify(await house.records("ann"))
        assert {found.code for _, found in unproven.findings} == {"SEED_NOT_REVEALED"}
        rotated = await ann.ask(RotateSeed(**ann.ids()))
        assert isinstance(rotated, SeedsResponse)
        assert rotated.seeds.server_seed_hash == announced
        assert (await ann.state()).server_seed == rotated.revealed
        await ann.bet(client_seed="another seed")
        assert b'"serverSeed":' not in ann.heard[-1]
        await ann.finish()
        await ann.ask(RotateSeed(**ann.ids()))
        proven = verify(await house.records("ann"))
        assert proven.ok
        assert len(proven.rounds) == 4
        history = await ann.ask(GetHistory(request_id="h"))
        assert isinstance(history, HistoryResponse)
        assert [settled.round_id for settled in history.rounds] == [4, 3, 2, 1]
        assert {settled.server_seed for settled in history.rounds[1:]} == {rotated.revealed}
        assert len(await store.secrets("casino:ann")) == 2

    run(store, scenario)


def test_the_records_pass_the_command_line(store: Store) -> None:
    async def scenario(store: Store) -> None:
        house = casino(store)
        ann = Player(house)
        await ann.state()
        await ann.bet()
        await ann.finish()
        await ann.ask(RotateSeed(**ann.ids()))
        lines = "\n".join(await house.records("ann"))
        command = [sys.executable, "-m", "croupier", "verify", "-"]
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")

    run(store, scenario)


def test_somebody_without_rounds_has_no_records(store: Store) -> None:
    async def scenario(store: Store) -> None:
        assert await casino(store).records("nobody") == []

    run(store, scenario)


def test_the_wallet_shows_balance_and_last_movements(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        await ann.state()
        await ann.play_until_in_hand()
        answer = await ann.ask(GetWallet(request_id="w", most=1))
        assert isinstance(answer, WalletResponse)
        assert answer.balance == await _chips(store, wallet("ann"))
        assert [entry.chips for entry in answer.lines] == [-100]

    run(store, scenario)


def test_the_published_parameters_are_those_of_the_document() -> None:
    published = msgspec.to_builtins(parameters(CASINO_UNITS, version=1))
    assert (published["gameId"], published["category"]) == ("inhousegame:blackjack", "session")
    assert published["gameParameters"] == {
        "deckCount": 6,
        "dealerRule": "S17",
        "blackjackPayout": 1.5,
        "insurancePayout": 2,
        "maxSplits": 1,
        "doubleAfterSplit": True,
        "surrenderAllowed": False,
    }


def test_the_published_parameters_follow_the_rules() -> None:
    house: BlackjackRules = replace(
        CASINO,
        decks=2,
        dealer_hits_soft_17=True,
        blackjack_pays="6:5",
        insurance=False,
        hands_max=4,
        double_after_split=False,
        surrender="late",
        bet_max=5000,
    )
    published = parameters(house, version=1)
    assert msgspec.structs.astuple(published.game_parameters) == (2, "H17", 1.2, 0, 3, False, True)
    assert published.bet_max == 50


def test_the_parameters_can_be_asked_for(store: Store) -> None:
    async def scenario(store: Store) -> None:
        assert await Player(casino(store)).ask(GetParams(request_id="p")) == replace(
            parameters(CASINO_UNITS, version=1), request_id="p"
        )

    run(store, scenario)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_in_the_players_language_with_its_facts(language: str) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store), language=language)
        await ann.state()
        answer = await ann.bet(client_seed="short")
        assert isinstance(answer, Error)
        assert answer.facts == {"length": 5, "low": 8, "high": 256}
        assert "256" in answer.message

    run(MemoryStore(), scenario)


def test_every_code_of_a_session_has_a_text() -> None:
    assert {name for name in SessionCode if f"code.{name}" not in catalogue("en")} == set()
