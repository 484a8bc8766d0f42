"""Commands to the casino: in order, exactly once, found again after anything, and never a chip lost."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.games.blackjack.casino.session import CHECKPOINT_ENTRIES
from croupier.games.blackjack.casino.step import house as house_account
from croupier.games.blackjack.casino.step import stakes, wallet
from croupier.server.casino import IDLE_MINUTES_MAX, REQUESTS_WAITING_MAX, STARTING_CHIPS
from croupier.store.memory import MemoryStore
from croupier.store.port import Append, Repeated, Stale, Store, Stored, StoreError
from croupier.store.sqlite import SqliteStore
from croupier.wire.casino import (
    CasinoRequest,
    CheckActive,
    CheckActiveResponse,
    Double,
    GameState,
    GetSeeds,
    GetState,
    Hit,
    Insurance,
    ResumeGame,
    ResumeGameResponse,
    RotateSeed,
    SeedsResponse,
    Split,
    Stand,
)
from croupier.wire.frames import Error
from croupier.wire.records import verify
from tests.server.casino_players import Clock, Player, casino, code, run


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "casino.sqlite")


def test_a_wrong_version_is_refused_with_the_current_one(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        answer = await ann.bet()
        assert isinstance(answer, Error)
        assert (answer.code, answer.facts["version"]) == ("STALE_VERSION", 1)
        ann.version = 1
        assert isinstance(await ann.bet(), GameState)

    run(store, scenario)


def test_the_same_command_again_is_answered_and_not_repeated(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        await ann.state()
        command = ann.betting()
        first = await ann.ask(command)
        again = await ann.ask(replace(command, request_id="again"))
        assert replace(again, request_id=first.request_id) == first
        elsewhere = Player(casino(store))
        assert replace(await elsewhere.ask(command), request_id=first.request_id) == first
        renewed = replace(command, expected_version=ann.version)
        assert await ann.ask(renewed) == first
        assert len(await store.records("casino:ann")) == 2

    run(store, scenario)


def test_a_repeated_rotation_tells_the_same_seed(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        await ann.state()
        await ann.bet()
        await ann.finish()
        command = RotateSeed(**ann.ids())
        first = await ann.ask(command)
        assert await ann.ask(command) == first
        assert isinstance(first, SeedsResponse)
        assert first.revealed

    run(store, scenario)


def test_a_round_is_resumed_after_a_disconnection_a_restart_and_thirty_idle_minutes(store: Store) -> None:
    async def scenario(store: Store) -> None:
        clock = Clock()
        house = casino(store, clock_ms=clock)
        ann, bob = Player(house), Player(house, "bob")
        await ann.state()
        left = await ann.play_until_in_hand()
        expected = replace(left, request_id="resume", events=())

        async def resumed(player: Player) -> GameState:
            active = await player.ask(CheckActive(request_id="active"))
            assert active == CheckActiveResponse(
                request_id="active", version=left.version, active=True, round_id=left.round_id
            )
            answer = await player.ask(ResumeGame(request_id="resume"))
            assert isinstance(answer, ResumeGameResponse)
            return replace(answer.state, request_id="resume")

        assert await resumed(Player(house)) == expected
        assert await resumed(Player(casino(store, clock_ms=clock))) == expected
        clock.now_ms += IDLE_MINUTES_MAX * 60_000 - 1000
        await bob.state()
        assert house.sessions_held == 2
        clock.now_ms += 2000
        await bob.state()
        assert house.sessions_held == 1
        back = Player(house)
        assert await resumed(back) == expected
        assert (await back.finish()).version > left.version

    run(store, scenario)


def test_a_round_is_resumed_from_a_file_that_was_closed_and_opened_again(tmp_path: Path) -> None:
    async def leave(store: Store) -> GameState:
        ann = Player(casino(store))
        await ann.state()
        return await ann.play_until_in_hand()

    left = run(SqliteStore(tmp_path / "casino.sqlite"), leave)

    async def come_back(store: Store) -> None:
        house = casino(store)
        ann = Player(house)
        assert replace(await ann.state(), request_id=left.request_id, events=left.events) == left
        await ann.finish()
        await ann.ask(RotateSeed(**ann.ids()))
        assert verify(await house.records("ann")).ok

    run(SqliteStore(tmp_path / "casino.sqlite"), come_back, first_seed=1000)


def test_without_a_round_nothing_is_active_and_nothing_can_be_resumed(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        active = await ann.ask(CheckActive(request_id="active"))
        assert active == CheckActiveResponse(request_id="active", version=1, active=False)
        assert b"roundId" not in ann.heard[-1]
        assert code(await ann.ask(ResumeGame(request_id="resume"))) == "GAME_NOT_INROUND"

    run(store, scenario)


def test_refusals_leave_everything_as_it_was(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store, starting_chips=250))
        await ann.state()
        assert code(await ann.bet(251)) == "INSUFFICIENT_FUNDS"
        assert code(await ann.bet(0)) == "BET_OUT_OF_RANGE"
        assert code(await ann.bet(client_seed="short")) == "BAD_CLIENT_SEED"
        assert code(await ann.ask(Hit(**ann.ids()))) == "GAME_NOT_INROUND"
        assert code(await ann.ask(RotateSeed(**ann.ids()))) == "NOTHING_TO_REVEAL"
        state = await ann.state()
        assert (state.version, state.balance, state.seeds.nonce) == (1, 250, 0)

    run(store, scenario)


def test_a_second_bet_while_a_round_runs_is_refused(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        await ann.state()
        await ann.play_until_in_hand()
        assert code(await ann.bet()) == "GAME_IN_PROGRESS"
        assert code(await ann.ask(RotateSeed(**ann.ids()))) == "GAME_IN_PROGRESS"

    run(store, scenario)


def test_of_simultaneous_commands_on_one_version_one_is_done(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        await ann.state()
        commands = [ann.betting() for _ in range(5)]
        answers = await asyncio.gather(*(ann.ask(command) for command in commands))
        kinds = sorted(type(answer).__name__ for answer in answers)
        assert kinds == ["Error"] * 4 + ["GameState"]
        assert {code(answer) for answer in answers if isinstance(answer, Error)} == {"STALE_VERSION"}

    run(store, scenario)


class SlowStore(MemoryStore):
    """Takes its time to write."""

    async def append(self, append: Append) -> Stale | Repeated | None:
        await asyncio.sleep(0.01)
        return await super().append(append)


def test_what_is_asked_after_a_command_is_answered_after_it() -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        await ann.state()
        _, state = await asyncio.gather(ann.bet(), ann.state())
        assert (state.version, state.round_id) == (2, 1)

    run(SlowStore(), scenario)


class CountingStore(MemoryStore):
    """Remembers how many records each reading gave."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[int] = []

    async def records(self, table: str, after: int = 0) -> Sequence[Stored]:
        found = await super().records(table, after)
        self.read.append(len(found))
        return found


def test_a_long_session_is_loaded_from_its_last_checkpoint() -> None:
    async def scenario(store: Store) -> None:
        assert isinstance(store, CountingStore)
        ann = Player(casino(store))
        await ann.state()
        while ann.version < 3 * CHECKPOINT_ENTRIES:
            await ann.bet(1)
            await ann.finish()
        last = await ann.state()
        assert await Player(casino(store)).state() == last
        assert store.read[-1] <= CHECKPOINT_ENTRIES + 10

    run(CountingStore(), scenario)


def test_two_servers_on_one_store_never_do_a_version_twice(store: Store) -> None:
    async def scenario(store: Store) -> None:
        here, there = casino(store), casino(store)
        ann, again = Player(here), Player(there)
        assert (await ann.state()).seeds == (await again.state()).seeds
        await ann.bet()
        assert code(await again.bet()) == "STALE_VERSION"
        assert await again.state() == await ann.state()
        await again.finish()
        ann.version = again.version
        assert isinstance(await ann.bet(), GameState)

    run(store, scenario)


def test_two_servers_open_a_newcomers_session_once(store: Store) -> None:
    async def scenario(store: Store) -> None:
        states = await asyncio.gather(*(Player(casino(store)).state() for _ in range(4)))
        assert len({state.seeds.server_seed_hash for state in states}) == 1
        assert await store.balance(wallet("ann")) == 100 * STARTING_CHIPS

    run(store, scenario)


def test_a_player_who_asks_too_fast_is_told_so(store: Store) -> None:
    async def scenario(store: Store) -> None:
        ann = Player(casino(store))
        asked = (ann.ask(GetSeeds(request_id=f"r{number}")) for number in range(1 + REQUESTS_WAITING_MAX + 5))
        answers = await asyncio.gather(*asked)
        assert [code(answer) for answer in answers if isinstance(answer, Error)] == ["BUSY"] * 5

    run(store, scenario)


class FailingStore(MemoryStore):
    """Fails to write when it is told to."""

    failing = False

    async def append(self, append: Append) -> Stale | Repeated | None:
        if self.failing:
            raise StoreError("no space left")
        return await super().append(append)


def test_what_could_not_be_written_did_not_happen() -> None:
    async def scenario(store: Store) -> None:
        assert isinstance(store, FailingStore)
        ann = Player(casino(store))
        before = await ann.state()
        store.failing = True
        assert code(await ann.bet()) == "STORE_FAILED"
        store.failing = False
        assert await ann.state() == before
        assert isinstance(await ann.bet(), GameState)

    run(FailingStore(), scenario)


class HangingStore(MemoryStore):
    """Writes, and says so when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.free.set()

    async def append(self, append: Append) -> Stale | Repeated | None:
        outcome = await super().append(append)
        await self.free.wait()
        return outcome


def test_a_command_whose_caller_goes_while_it_is_written_is_done() -> None:
    async def scenario(store: Store) -> None:
        assert isinstance(store, HangingStore)
        ann = Player(casino(store))
        await ann.state()
        command = ann.betting()
        store.free.clear()
        task = asyncio.create_task(ann.ask(command))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        store.free.set()
        first = await ann.ask(command)
        assert isinstance(first, GameState)
        assert (first.version, first.round_id) == (2, 1)
        assert (await ann.state()).version == 2

    run(HangingStore(), scenario)


@pytest.mark.parametrize("listing", [b'{"checkpoint":1}', b"", b"[]"])
def test_a_damaged_log_is_told_as_a_failure_of_the_store(store: Store, listing: bytes) -> None:
    async def scenario(store: Store) -> None:
        await store.append(Append(table="casino:ann", version=1, record=b"{}", at_ms=1, listing=listing))
        assert code(await Player(casino(store)).ask(GetState(request_id="q"))) == "STORE_FAILED"

    run(store, scenario)


def _chosen(player: Player, state: GameState, number: int) -> CasinoRequest:
    """A request, sensible or not."""
    kinds = (Hit, Stand, Double, Split, Insurance, RotateSeed)
    if number % 3 and state.status in {"betting", "cashed_out"}:
        seed = f"seed {number % 2} under {state.seeds.server_seed_hash}"
        return player.betting(number % 700, seed)
    return kinds[number % len(kinds)](**player.ids())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(["ann", "bob"]), st.integers(0, 10**6), st.booleans()), max_size=30))
def test_whatever_two_players_do_no_chip_comes_or_goes(kind: str, steps: list[tuple[str, int, bool]]) -> None:
    async def scenario(store: Store) -> None:
        house = casino(store, starting_chips=1000)
        for person, number, restart in steps:
            if restart:
                house = casino(store, starting_chips=1000)
            player = Player(house, person)
            state = await player.state()
            answer = await player.ask(_chosen(player, state, number))
            after = await player.state()
            if isinstance(answer, Error):
                assert after == state
            people = {person for person, _, _ in steps}
            accounts = [house_account(), *(wallet(person) for person in people), *(stakes(person) for person in people)]
            balances = [await store.balance(account) for account in accounts]
            assert sum(balances) == await store.total() == 0
            assert min(balances[1:]) >= 0
            assert after.balance == await store.balance(wallet(person)) / 100

    with TemporaryDirectory() as folder:
        run(MemoryStore() if kind == "memory" else SqliteStore(Path(folder) / "casino.sqlite"), scenario)
