"""A player of document 001, who sends and reads its messages over a real WebSocket, and deals that are stacked."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from hashlib import sha256
from itertools import count
from typing import Any, Final

import pytest
from websockets.asyncio.client import ClientConnection, connect

from croupier.cards import Card
from croupier.dealing.shoe import Shoe
from croupier.server.casino import Casino
from croupier.table.round import Seeds
from tests.server.live import live

SERVER_SEEDS: Final = [sha256(b"document 001: %d" % number).hexdigest() for number in range(1000)]
STACKED: Final = "a deal of "

State = dict[str, Any]

_NUMBERS: Final = count(1)
_shuffled: Final = Seeds.shoe


def stacked(seeds: Seeds, pack: tuple[Card, ...]) -> Shoe[Card]:
    """Deal what a client seed like `a deal of TT98` says, by ranks in the order dealt: the player's first card, the
    dealer's show card, the player's second, the dealer's hole card, then as they are drawn."""
    if not seeds.client_seed.startswith(STACKED):
        return _shuffled(seeds, pack)
    left = list(pack)
    for place, rank in enumerate(seeds.client_seed.removeprefix(STACKED)):
        left.insert(place, left.pop(next(n for n in range(place, len(left)) if left[n].rank == rank)))
    return Shoe(tuple(left))


class Player:
    """A client of the document: sends requests, and keeps every frame that came before its answer."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.token = ""
        self.pushed: list[State] = []
        self.state: State = {}

    async def ask(self, kind: str, **fields: Any) -> State:
        request_id = f"r{next(_NUMBERS)}"
        await self.socket.send(json.dumps({"type": kind, "requestId": request_id, **fields}))
        self.pushed = []
        while True:
            frame: State = json.loads(await asyncio.wait_for(self.socket.recv(), 10))
            if frame.get("requestId") == request_id:
                if frame["type"] == "BLACKJACK_GAME_STATE":
                    self.state = frame
                return frame
            self.pushed.append(frame)

    async def do(self, kind: str, **fields: Any) -> State:
        ids = {"commandId": f"c{next(_NUMBERS)}", "expectedVersion": self.state["version"]}
        return await self.ask(kind, **ids, **fields)

    async def deal(self, ranks: str, amount: float = 100) -> State:
        """Bet on this deal."""
        return await self.bet(STACKED + ranks, amount)

    async def bet(self, seed: str, amount: float = 100) -> State:
        return await self.do("PLACE_BET", amount=amount, clientSeed=seed, gameParams={"blackjack": {}})

    async def next_push(self) -> State:
        frame: State = json.loads(await asyncio.wait_for(self.socket.recv(), 10))
        return frame

    @property
    def statuses(self) -> list[str]:
        return [frame["status"] for frame in self.pushed]


async def sit_down(url: str, token: str = "") -> Player:
    """A connection that has asked for the state: a newcomer's, or with a token, one more of that player."""
    player = Player(await connect(url, compression=None))
    who = {"token": token} if token else {"nickname": "Ann"}
    player.token = (await player.ask("HELLO", **who)).get("token", token)
    await player.ask("BLACKJACK_GET_STATE")
    return player


def at_the_casino(scenario: Callable[..., Awaitable[None]], visitors: int = 1) -> None:
    """Play a scenario on a server of its own; with more visitors, they are tabs of one player."""

    async def play() -> None:
        async with live() as server:
            seeds = iter(SERVER_SEEDS)
            casino: Casino = server.server.casino
            casino._new_seed = lambda: next(seeds)
            players = [await sit_down(server.url)]
            players += [await sit_down(server.url, players[0].token) for _ in range(1, visitors)]
            await scenario(*players)
            for player in players:
                await player.socket.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Seeds, "shoe", stacked)
        asyncio.run(play())


def hand(state: State, index: int = 0) -> State:
    found: State = state["playerHands"][index]
    return found
