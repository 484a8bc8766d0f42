"""Players of the casino, as its tests use them."""

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256
from itertools import count
from typing import Any, TypeVar

import msgspec

from croupier.server.casino import Casino
from croupier.store.port import Store
from croupier.wire.casino import (
    CasinoRequest,
    GameParams,
    GameState,
    GetState,
    Insurance,
    NoParams,
    PlaceBet,
    Stand,
)
from croupier.wire.frames import Answer, Error

R = TypeVar("R")
PARAMS = GameParams(NoParams())
COMMANDS = count(1)


class Clock:
    def __init__(self) -> None:
        self.now_ms = 1_000_000

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms


class Seeds:
    """Server seeds that are the same in every run of a scenario, and never the same twice in one."""

    numbers = count(1)

    def __call__(self) -> str:
        return sha256(b"server seed %d" % next(Seeds.numbers)).hexdigest()


class Player:
    """Somebody who knows the version that the last answer told, and asks from there."""

    def __init__(self, casino: Casino, person: str = "ann", language: str = "en") -> None:
        self.casino = casino
        self.person = person
        self.language = language
        self.version = 0
        self.heard: list[bytes] = []
        self.passed: list[Answer] = []
        """The states that came before the last answer."""

    async def ask(self, request: CasinoRequest) -> Answer:
        *self.passed, answer = await self.casino.handle(self.person, self.language, request)
        assert answer.request_id == request.request_id
        self.heard += [msgspec.json.encode(told) for told in (*self.passed, answer)]
        self.version = getattr(answer, "version", self.version)
        return answer

    def ids(self) -> dict[str, Any]:
        number = next(COMMANDS)
        return {"request_id": f"r{number}", "command_id": f"c{number}", "expected_version": self.version}

    async def state(self) -> GameState:
        answer = await self.ask(GetState(request_id="state"))
        assert isinstance(answer, GameState)
        return answer

    def betting(self, amount: float = 100, client_seed: str = "a seed of my own") -> PlaceBet:
        return PlaceBet(amount=amount, client_seed=client_seed, game_params=PARAMS, **self.ids())

    async def bet(self, amount: float = 100, client_seed: str = "a seed of my own") -> Answer:
        return await self.ask(self.betting(amount, client_seed))

    async def finish(self) -> GameState:
        """Stands, without insurance, until the round is over."""
        state = await self.state()
        while state.status not in {"betting", "cashed_out"}:
            answer = await self.ask(Insurance(take=False, **self.ids()) if state.can_insure else Stand(**self.ids()))
            assert isinstance(answer, GameState)
            state = answer
        return state

    async def play_until_in_hand(self) -> GameState:
        """Bets until a hand is to be played, and not first insured."""
        while True:
            state = await self.bet()
            assert isinstance(state, GameState)
            if state.status == "playing" and not state.can_insure:
                return state
            await self.finish()


def run(store: Store, scenario: Callable[[Store], Awaitable[R]], first_seed: int = 1) -> R:
    """Plays a scenario, and holds the store to its promises at the end."""

    async def whole() -> R:
        Seeds.numbers = count(first_seed)
        try:
            return await scenario(store)
        finally:
            assert await store.total() == 0
            assert list(await store.check()) == []
            await store.close()

    return asyncio.run(whole())


def casino(store: Store, **options: Any) -> Casino:
    return Casino(store, **{"clock_ms": Clock(), "new_seed": Seeds(), **options})


def code(answer: Answer) -> str:
    assert isinstance(answer, Error), answer
    return answer.code
