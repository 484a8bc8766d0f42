"""People at the table: each is the real client with a plan drawn from the seed, and may begin anew at any time."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final

from croupier.clients.connection import Client, RefusedError, RoomHandle
from croupier.clients.entering import enter
from croupier.clients.surroundings import Surroundings
from croupier.rules.registry import GAMES
from tests.server.live import choose
from tests.simulation.loop import Place
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.network import Network

Step = Callable[[RoomHandle], Any]
REACTIONS: Final = ("👍", "🔥", "no such reaction")


class Table:
    """What the people of one room have agreed on."""

    def __init__(self, game: str, preset: str, rules: dict[str, Any], options: dict[str, Any], bots: int) -> None:
        self.game, self.preset, self.rules, self.options, self.bots = game, preset, rules, options, bots
        self.code = ""
        """Known once it is open."""


class Person:
    """Somebody with a token. A session is a program that runs until it is killed."""

    def __init__(self, world: World, network: "Network", name: str, table: Table, **habits: Any) -> None:
        self.world, self.network, self.name, self.table = world, network, name, table
        self.hosts: bool = habits.get("hosts", False)
        self.watches: bool = habits.get("watches", False)
        self.cuts: bool = habits.get("cuts", True)
        self.haste: float = habits.get("haste", 1.0)
        self.random: Random = world.stream(name)
        self.token = ""
        self.ids: list[str] = []
        """Every player id this person had: a newcomer whose welcome was lost becomes another one."""
        self.client: Client | None = None
        self.place: Place | None = None
        self.room: RoomHandle | None = None
        self.sessions = 0
        self._left: list[RoomHandle] = []
        self.ended = ""
        """Why the last session ended by itself."""

    def begin(self) -> None:
        """Starts a program with nothing but the token; one that runs is killed."""
        if self.place is not None:
            self.place.dead = True
            if self.client is not None and self.client._socket is not None:
                self.client._socket._wire.cut()  # type: ignore[attr-defined]  # it is our own end of a wire
        self._left += self._current_rooms()
        self.sessions += 1
        self.place = self.world.place(f"{self.name}.{self.sessions}")
        self.room = self.client = None
        self.world.note("begins", self.place.name)
        self.place.call(lambda: self.world.loop.create_task(self._run()))

    def rooms(self) -> list[RoomHandle]:
        """What all sessions have known of rooms."""
        return self._left + self._current_rooms()

    def _current_rooms(self) -> list[RoomHandle]:
        return [] if self.client is None else list(self.client.rooms.values())

    async def _run(self) -> None:
        surroundings = Surroundings(self.network.dial, self.random.randbytes, chain_links=self.random.choice((2, 8)))
        urls = sorted(self.network.nodes)
        self.random.shuffle(urls)
        while True:
            self.client = Client(
                urls, nickname=self.name, token=self.token, cuts=self.cuts, hears=self._hear, surroundings=surroundings
            )
            try:
                await self.client.__aenter__()
                await self._play(self.client)
            except (RefusedError, TimeoutError) as error:
                self.world.note(f"is thrown out: {error}")
                self.ended = str(error)
            self._left += self._current_rooms()
            await self.client.__aexit__(None, None, None)
            await asyncio.sleep(0.2 + self.random.random())

    def _hear(self, text: str) -> None:
        if self.client is not None and self.client.token:
            self.token = self.client.token

    async def _play(self, client: Client) -> None:
        if client.player_id not in self.ids:
            self.ids.append(client.player_id)
        self.token = client.token
        room = self.room = await self._enter(client)
        while not self.world.calm:
            await asyncio.sleep(self.haste * self.random.random())
            await self._step(client, room)
        await self.world.loop.create_future()

    async def _enter(self, client: Client) -> RoomHandle:
        table = self.table
        while not table.code:
            if self.hosts:
                room = await client.create(table.game, preset=table.preset, rules=table.rules, options=table.options)
                table.code = table.code or room.code
                return room
            await asyncio.sleep(0.1)
        if self.watches and self.sessions == 1 and not self.ended:
            return await client.join(table.code, watch=True)
        return await enter(client, table.code)

    async def _step(self, client: Client, room: RoomHandle) -> None:
        """One thing that a person in this room might do now."""
        try:
            kind, fields = self._plan(client, room)
            if kind:
                await self._send(client, kind, fields)
        except RefusedError as refused:
            self.world.note(f"hears {refused.code}")
            if refused.code == "ALREADY_IN_ROOM":
                # An entry that seemed to fail was done after all.
                await self._look(client)
        except TimeoutError:
            self.world.note("waited in vain")

    async def _look(self, client: Client) -> None:
        try:
            await client.watch(self.table.code)
        except (RefusedError, TimeoutError) as error:
            self.world.note(f"cannot watch: {error}")

    async def _send(self, client: Client, kind: str, fields: dict[str, Any]) -> None:
        """Sends a command, now and then twice: at once, or when it was answered."""
        whole = {"roomCode": self.table.code, **fields}
        if kind not in ("CHAT_SEND", "REACTION_SEND", "ROOM_LIST"):
            whole["commandId"] = client.surroundings.new_id()
        if kind == "ROOM_LIST":
            whole = {}
        twice = self.random.random()
        again = asyncio.create_task(self._again(client, kind, whole)) if twice < 0.05 else None
        answer = await client.request(kind, **whole)
        if "commandId" in whole and not self.network.audit.is_done(client.player_id, whole):
            self.world.breaks("what is accepted is the command that was asked", f"{kind} {whole}")
        if again is not None:
            await again
        elif twice < 0.15 and "commandId" in whole:
            repeated = await client.request(kind, **whole)
            if repeated["version"] != answer["version"]:
                how = f"{kind} was version {answer['version']}, and asked again {repeated['version']}"
                self.world.breaks("a repeated command gets the first answer", how)

    async def _again(self, client: Client, kind: str, fields: dict[str, Any]) -> None:
        try:
            await client.request(kind, **fields)
        except (RefusedError, TimeoutError):
            return

    def _plan(self, client: Client, room: RoomHandle) -> tuple[str, dict[str, Any]]:
        random, public = self.random, room.state["public"]
        if random.random() < 0.06:
            return self._talk()
        me = next((member for member in public["members"] if member["id"] == client.player_id), None)
        if me is None or me["away"]:
            return ("ROOM_JOIN", {}) if random.random() < 0.5 else ("", {})
        if public["host"] == client.player_id and random.random() < 0.5:
            planned = self._host(public)
            if planned[0]:
                return planned
        if public["phase"] == "lobby":
            return self._lobby(me, public)
        if room.menu and random.random() < 0.9:
            version = room.version if random.random() < 0.9 else random.randint(0, room.version + 1)
            action = choose(room.menu, random)
            return action.pop("type"), {"expectedVersion": version, **action}
        return self._aside(me, public)

    def _talk(self) -> tuple[str, dict[str, Any]]:
        kind = self.random.choice(("CHAT_SEND", "REACTION_SEND", "ROOM_LIST"))
        if kind == "CHAT_SEND":
            return kind, {"text": f"hello {self.random.randrange(100)}"}
        return kind, {"reaction": self.random.choice(REACTIONS)}

    def _host(self, public: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        random, others = self.random, [m["id"] for m in public["members"] if m["id"] != public["host"]]
        if public["phase"] == "lobby":
            bots = sum(1 for member in public["members"] if member["bot"])
            if bots < self.table.bots:
                return "HOST_ADD_BOT", {"bot": "random"}
            if random.random() < 0.03:
                return "HOST_SET_OPTIONS", {"options": self.table.options, "rules": self.table.rules}
            everybody_ready = all(m["ready"] for m in public["members"] if m["id"] != public["host"] and m["seat"])
            return ("HOST_START_GAME", {}) if everybody_ready or random.random() < 0.2 else ("", {})
        if public["phase"] == "ended":
            return "HOST_REMATCH", {}
        if public["paused"]:
            return "HOST_RESUME", {}
        rare = random.random()
        if rare < 0.03:
            return "HOST_PAUSE", {}
        if rare < 0.05 and others:
            return "HOST_HAND_OVER", {"member": random.choice(others)}
        if rare < 0.06 and others:
            return random.choice(("HOST_KICK", "HOST_REMOVE_BOT")), {"member": random.choice(others)}
        if rare < 0.07:
            return "HOST_ADD_BOT", {}
        return "", {}

    def _lobby(self, me: dict[str, Any], public: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        rare = self.random.random()
        if me["seat"] is None:
            return ("SPECTATOR_SWITCH_TO_PARTICIPANT", {}) if not self.watches or rare < 0.1 else ("", {})
        if rare < 0.01:
            return "PLAYER_SWITCH_TO_SPECTATOR", {}
        if rare < 0.03:
            return "PLAYER_TEAM_SET", {"teamId": self.random.choice("ABC")}
        if rare < 0.04:
            return "ROOM_LEAVE", {}
        if not me["ready"]:
            return "PLAYER_READY_SET", {"ready": rare < 0.95}
        return "", {}

    def _aside(self, me: dict[str, Any], public: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Somebody whose turn it is not, but who does something all the same."""
        rare = self.random.random()
        if rare < 0.03:
            return "ROOM_LEAVE", {}
        if rare < 0.06:
            return self.random.choice(("PLAYER_SIT_OUT", "PLAYER_SIT_IN")), {}
        if rare < 0.1:
            return "PLAYER_BUY_CHIPS", {"chips": self.random.choice((1, 100, 10_000))}
        if rare < 0.12:
            kinds = [str(action.__struct_config__.tag) for action in GAMES[public["game"]].action.__args__]
            return self.random.choice(kinds), {"expectedVersion": public["version"]}
        if rare < 0.13 and me["seat"] is None:
            return "SPECTATOR_SWITCH_TO_PARTICIPANT", {}
        return "", {}
