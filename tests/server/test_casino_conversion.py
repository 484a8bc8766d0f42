"""Wallets of the first release, in whole chips: they open multiplied, and a round that runs is first played out."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.dealing.seeds import commitment
from croupier.games.blackjack.casino.session import replay
from croupier.games.blackjack.casino.step import Done, house, stakes, step, wallet
from croupier.store.memory import MemoryStore
from croupier.store.port import Append, Entry, Store
from croupier.store.sqlite import SqliteStore
from croupier.wire.casino import GameState, RefillWallet, RotateSeed
from croupier.wire.casino_log import read_entry
from croupier.wire.records import verify
from tests.server.casino_players import Player, casino, run

SEEDS = [f"{number:064x}" for number in (1, 2)]
CHIPS = 500
OPENED = {
    "type": "OPENED",
    "atMs": 1,
    "balanceChips": 0,
    "person": "ann",
    "grantedChips": CHIPS,
    "serverSeedHash": commitment(SEEDS[0]),
    "nextServerSeedHash": commitment(SEEDS[1]),
}
ANSWER = b'{"type":"BLACKJACK_GAME_STATE","version":2,"roundSeeds":null}'


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "casino.sqlite")


async def _append(store: Store, version: int, entry: dict[str, Any], *moved: Entry, **fields: Any) -> None:
    record = msgspec.json.encode(entry)
    append = Append(table="casino:ann", version=version, record=record, at_ms=1, entries=moved, **fields)
    assert await store.append(append) is None


async def _opened(store: Store) -> None:
    """A session as the first release stored it."""
    secrets = tuple((commitment(seed), seed.encode()) for seed in SEEDS)
    moved = Entry("wallet:ann", CHIPS), Entry("house", -CHIPS)
    await _append(store, 1, OPENED, *moved, secrets=secrets, listing=b'{"checkpoint":1}')


async def _in_play(store: Store) -> None:
    """The same with a bet of 15 chips and a hand to be played."""
    await _opened(store)
    session = replay([read_entry(msgspec.json.encode(OPENED))], SEEDS)
    for number in range(100):
        bet = {"type": "BET_PLACED", "atMs": 2, "balanceChips": CHIPS, "game": "blackjack", "edition": 1}
        bet |= {"rules": {}, "amount": 15, "clientSeed": f"an old seed {number}"}
        done = step(session, read_entry(msgspec.json.encode(bet)), SEEDS[0])
        assert isinstance(done, Done)
        if done.session.running is not None and not done.session.running.state.undecided:
            moved = [Entry(movement.account, movement.units) for movement in done.movements]
            await _append(store, 2, bet, *moved, command_id="the old bet", answer=ANSWER)
            return
    raise AssertionError("every round ended with the deal")


def test_a_wallet_is_converted_by_the_first_bet_and_only_once(store: Store) -> None:
    async def scenario(store: Store) -> None:
        await _opened(store)
        players = [Player(casino(store)) for _ in range(3)]
        states = [await player.state() for player in players]
        assert {(state.balance, state.version) for state in states} == {(CHIPS, 1)}
        answers = await asyncio.gather(*(player.bet(15.5) for player in players))
        assert sorted(type(answer).__name__ for answer in answers) == ["Error", "Error", "GameState"]
        done = next(answer for answer in answers if isinstance(answer, GameState))
        assert (done.version, done.bet_amount) == (3, 15.5)
        assert (await store.balance("wallet:ann"), await store.balance("house")) == (0, 0)
        assert await store.balance(wallet("ann")) == 100 * done.balance
        held = await store.balance(wallet("ann")) + await store.balance(stakes("ann"))
        assert held + await store.balance(house()) == 0

    run(store, scenario)


def test_a_player_of_the_first_release_who_is_out_of_chips_gets_new_ones(store: Store) -> None:
    async def scenario(store: Store) -> None:
        await _opened(store)
        await _append(store, 2, {"type": "REFILLED", "atMs": 1, "balanceChips": 0, "grantedChips": 0})
        moved = Entry("wallet:ann", -CHIPS), Entry("house", CHIPS)
        await store.append(Append(table="a thief", version=1, record=b"{}", at_ms=1, entries=moved))
        ann = Player(casino(store, starting_chips=70))
        await ann.state()
        filled = await ann.ask(RefillWallet(**ann.ids()))
        assert isinstance(filled, GameState)
        assert (filled.balance, await store.balance(wallet("ann"))) == (70, 7000)

    run(store, scenario)


def test_a_round_is_played_to_its_end_in_whole_chips_before_its_wallet_is_converted(store: Store) -> None:
    async def scenario(store: Store) -> None:
        await _in_play(store)
        ann = Player(casino(store))
        state = await ann.state()
        assert (state.balance, state.bet_amount, state.version) == (485, 15, 2)
        over = await ann.finish()
        assert isinstance(over.final_payout, int)
        assert over.balance == 485 + over.final_payout == await store.balance("wallet:ann")
        after = await ann.state()
        assert (after.balance, after.status, after.version) == (over.balance, "cashed_out", over.version)
        played = await ann.bet(15.5, "a seed of today")
        assert isinstance(played, GameState)
        assert (played.version, played.round_id) == (over.version + 2, 2)
        assert await store.balance(wallet("ann")) == 100 * played.balance
        await ann.finish()
        await ann.ask(RotateSeed(**ann.ids()))
        verdict = verify(await casino(store).records("ann"))
        assert (verdict.findings, len(verdict.rounds)) == ((), 2)

    run(store, scenario)


def test_a_command_that_the_first_release_answered_is_not_done_again(store: Store) -> None:
    async def scenario(store: Store) -> None:
        await _in_play(store)
        ann = Player(casino(store))
        ann.version = 1
        again = msgspec.structs.replace(ann.betting(15), command_id="the old bet")
        answer = await ann.ask(again)
        assert isinstance(answer, GameState)
        assert (answer.version, answer.balance) == (2, 485)

    run(store, scenario)
