"""Players of the casino's blackjack: one session each, sometimes asked from two programs at once."""

import asyncio
from typing import Any, Final

from croupier.clients.connection import Client, RefusedError
from croupier.games.blackjack.casino.step import table_name
from tests.server.live import choose
from tests.simulation.people import Person

QUERIES: Final = (
    "BLACKJACK_GET_STATE",
    "BLACKJACK_CHECK_ACTIVE",
    "BLACKJACK_RESUME_GAME",
    "BLACKJACK_SEEDS",
    "BLACKJACK_HISTORY",
    "WALLET_GET",
)


class Gambler(Person):
    """Bets, plays by the menu, rotates seeds."""

    def __init__(self, *arguments: Any, **habits: Any) -> None:
        super().__init__(*arguments, **habits)
        self.seed = f"the seed of {self.name}"
        self.state: dict[str, Any] = {}
        self.last: dict[str, Any] | None = None
        """The state after everything went well again."""

    async def _play(self, client: Client) -> None:
        self.ids = [*dict.fromkeys((*self.ids, client.player_id))]
        self.token = client.token
        while not self.world.calm:
            await asyncio.sleep(self.haste * self.random.random())
            try:
                await self._bet_or_play(client)
            except RefusedError as refused:
                self.world.note(f"hears {refused.code}")
                self.state = {}
            except TimeoutError:
                self.world.note("waited in vain")
        stored = self.network.audit.stored(table_name(client.player_id))
        self.last = await client.request("BLACKJACK_GET_STATE")
        if self.last["version"] < stored:
            how = f"{self.name} is told of version {self.last['version']}, and {stored} was stored before"
            self.world.breaks("everybody reaches the same state", how)
        await self.world.loop.create_future()

    async def _bet_or_play(self, client: Client) -> None:
        random = self.random
        if not self.state or random.random() < 0.1:
            kind = random.choice(QUERIES) if self.state else QUERIES[0]
            answer = await client.request(kind)
            self.state = answer if kind == QUERIES[0] else self.state
            return
        fields: dict[str, Any] = {}
        if self.state["menu"] and random.random() < 0.9:
            fields = choose(self.state["menu"], random)
        kind = fields.pop("type", "") or random.choice(("BLACKJACK_ROTATE_SEED", "WALLET_REFILL", "BLACKJACK_HIT"))
        if kind == "PLACE_BET":
            fields["amount"] = random.choice((1, 1.5, 10.25, 500))
            if random.random() < 0.2:
                self.seed = f"seed {random.randrange(10_000)} of {self.name}"
            fields |= {"clientSeed": self.seed, "gameParams": {"blackjack": {}}}
        fields |= {"expectedVersion": self.state["version"], "commandId": client.environment.new_id()}
        answer = await client.request(kind, **fields)
        if random.random() < 0.1:
            again = await client.request(kind, **fields)
            if {**again, "requestId": ""} != {**answer, "requestId": ""}:
                self.world.breaks("a repeated command gets the first answer", f"{kind}: {answer} and then {again}")
        self.state = answer if answer["type"] == "BLACKJACK_GAME_STATE" else {}
