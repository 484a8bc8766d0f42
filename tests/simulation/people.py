"""People at the table: each is the real client with a plan drawn from the seed, and may begin anew at any time."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.clients.alarm import AlarmError
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Environment
from croupier.clients.join import enter
from croupier.clients.room_handle import RoomHandle
from croupier.clients.vault import MemoryVault
from croupier.game.registry import GAMES
from croupier.table.checker import OF_ANOTHER_DEVICE
from croupier.table.deal_faults import DealFault
from tests.server.live import choose
from tests.simulation.cutters import Cutter
from tests.simulation.loop import Place
from tests.simulation.world import EPOCH_MS, World

if TYPE_CHECKING:
    from tests.simulation.network import Network

Step = Callable[[RoomHandle], Any]
REACTIONS: Final = ("👍", "🔥", "no such reaction")
CALM_SECONDS: Final = 0.5
DECIDES_CHANCE: Final = 0.7
REPEATS_CHANCE: Final = 0.2
_ACTIONS: Final = {
    name: frozenset(str(action.__struct_config__.tag) for action in game.action.__args__)
    for name, game in GAMES.items()
}


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
        self.carelessness: float = habits.get("carelessness", 0.0)
        self.trusts: bool = habits.get("trusts", True)
        """Whether this person plays on after an alarm that an honest room can give."""
        self.haste: float = habits.get("haste", 1.0)
        self.random: Random = world.stream(name)
        self.token = ""
        first: Person | None = habits.get("first")
        self.first = first
        """Whose second tab this is: the same person, on the same device, at the same time."""
        self.ids: list[str] = [] if first is None else first.ids
        """Every player id this person had: a newcomer whose welcome was lost becomes another one."""
        self.vaults = [MemoryVault()] if first is None else first.vaults
        """What all programs of this person remember, device by device."""
        self.client: Client | None = None
        self.place: Place | None = None
        self.room: RoomHandle | None = None
        self.sessions = 0
        self._left: list[RoomHandle] = []
        self._alarmed = ""
        self.ended = ""
        """Why the last session ended by itself."""

    def change_device(self) -> None:
        """The next program runs where nothing is remembered but the token."""
        self.vaults.append(MemoryVault())

    def begin(self) -> None:
        """Starts a program with nothing but the token and what the device remembers; one that runs is killed."""
        if self.place is not None:
            self.place.dead = True
            if self.client is not None and self.client._socket is not None:
                self.client._socket._wire.cut()  # type: ignore[attr-defined]  # it is our own end of a wire
        self._left += self._current_rooms()
        self.sessions += 1
        self.place = self.world.place(f"{self.name}.{self.sessions}")
        self.room = self.client = None
        self.world.note("begins", self.place.name)
        self.place.call(lambda: self.world.loop.create_task(self._run()).add_done_callback(self._failed))

    def _failed(self, program: "asyncio.Task[None]") -> None:
        """A program of a person ends only when it is killed."""
        if not program.cancelled() and program.exception() is not None:
            self.world.breaks("no client fails", f"{self.name}: {program.exception()!r}")

    def rooms(self) -> list[RoomHandle]:
        """What all sessions have known of rooms."""
        return self._left + self._current_rooms()

    def _current_rooms(self) -> list[RoomHandle]:
        return [] if self.client is None else list(self.client.rooms.values())

    async def _run(self) -> None:
        while self.first is not None and not self.token:
            await asyncio.sleep(0.05)
            self.token = self.first.token
        environment = Environment(self.network.dial, self.random.randbytes, self.vaults[-1], self._clock_ms)
        urls = sorted(self.network.nodes)
        self.random.shuffle(urls)
        while True:
            self.client = self._new_client(urls, environment)
            try:
                await self.client.__aenter__()
                await self._play(self.client)
            except (AlarmError, RefusedError, TimeoutError) as error:
                self.world.note(f"is thrown out: {error}")
                self.ended = str(error)
                await self._decide_all()
            self._left += self._current_rooms()
            await self.client.__aexit__(None, None, None)
            await asyncio.sleep(0.2 + self.random.random())

    def _new_client(self, urls: list[str], environment: Environment) -> Client:
        return Cutter(
            urls,
            nickname=self.name,
            token=self.token,
            cuts=self.cuts,
            hears=self._hear,
            environment=environment,
            random=self.random,
            carelessness=self.carelessness,
        )

    def _clock_ms(self) -> int:
        return EPOCH_MS + round(1000 * self.world.now)

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
            room = client.rooms.get(room.code, room)
            await self._step(client, room)
        while True:
            await asyncio.sleep(CALM_SECONDS)
            await self._decide(client.rooms.get(room.code, room))

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
        if not room.state:
            return
        try:
            await self._decide(room)
            kind, fields = self._plan(client, room)
            if kind in _ACTIONS[room.state["public"]["game"]]:
                await self._act(client, room, {"type": kind, **fields})
            elif kind:
                await self._send(client, kind, fields)
        except RefusedError as refused:
            self.world.note(f"hears {refused.code}")
            if refused.code == "ALREADY_IN_ROOM":
                # An entry that seemed to fail was done after all.
                await self._look(client)
        except TimeoutError:
            self.world.note("waited in vain")

    async def _act(self, client: Client, room: RoomHandle, planned: dict[str, Any]) -> None:
        """Plays an action; one that is asked twice is written down as `RoomHandle.act` does it."""
        action = {name: value for name, value in planned.items() if name != "expectedVersion"}
        public = room.state["public"]
        try:
            if self.random.random() < REPEATS_CHANCE and not room.guard.may_act(public["game"], action):
                room.guard.acted(public["hand"], action)
                await self._send(client, planned["type"], {k: v for k, v in planned.items() if k != "type"})
            else:
                await room.act(action, planned["expectedVersion"])
        except AlarmError as alarm:
            self.world.note(f"may not: {alarm.findings[0].code}")
            if not room.alarms:
                await self._act_without_chips(room)

    async def _act_without_chips(self, room: RoomHandle) -> None:
        """In a hand that was not cut here, whatever puts in nothing."""
        actions = GAMES[room.state["public"]["game"]].action
        free = [each["action"] for each in room.menu if not msgspec.convert(each["action"], actions).stakes]
        if free:
            await room.act(free[0], room.version)

    async def _decide(self, room: RoomHandle) -> None:
        """Answers what the client asks its player."""
        try:
            if room.alarms:
                self._hear_alarm(room)
                if self.trusts and {found.code for found in room.alarms} <= self.expected:
                    await room.accept_alarms()
            elif self.random.random() < DECIDES_CHANCE:
                room.check_voids()
        except AlarmError as asked:
            self.world.note(f"is asked: {asked.findings[0].code}")
            await self._quietly(room.accept(asked))
        except (RefusedError, TimeoutError) as error:
            self.world.note(f"cannot decide: {error}")

    async def _quietly(self, chore: Any) -> None:
        try:
            await chore
        except (RefusedError, TimeoutError) as error:
            self.world.note(f"cannot: {error}")

    async def _decide_all(self) -> None:
        for room in self._current_rooms():
            await self._decide(room)

    @property
    def expected(self) -> set[str]:
        """Alarms that no lie need be behind: of another device, and of a cut that was lost on its way again."""
        devices = OF_ANOTHER_DEVICE if len(self.vaults) > 1 else frozenset[DealFault]()
        return {*devices, DealFault.MISSING_THOUGH_CUT}

    def _hear_alarm(self, room: RoomHandle) -> None:
        said = " ".join(f"{found.code} {found.facts}" for found in room.alarms)
        if said != self._alarmed:
            self._alarmed = said
            self.world.note(f"is alarmed: {said}")

    async def _look(self, client: Client) -> None:
        try:
            await client.watch(self.table.code)
        except (RefusedError, TimeoutError) as error:
            self.world.note(f"cannot watch: {error}")

    async def _send(self, client: Client, kind: str, fields: dict[str, Any]) -> None:
        """Sends a command, now and then twice: at once, or when it was answered."""
        whole = {"roomCode": self.table.code, **fields}
        if kind not in ("CHAT_SEND", "REACTION_SEND", "ROOM_LIST"):
            whole["commandId"] = client.environment.new_id()
        if kind == "ROOM_LIST":
            whole = {}
        twice = self.random.random()
        again = asyncio.create_task(self._again(client, kind, whole)) if twice < 0.05 else None
        answer = await client.request(kind, **whole)
        if "commandId" in whole and not self.network.audit.is_done(client.player_id, whole):
            self.world.breaks("what is accepted is the command that was asked", f"{kind} {whole}")
        if kind == "ROOM_JOIN":
            # As `Client.join` does: a room that was left is heard again.
            client.handle(self.table.code)
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
            return self.random.choice(sorted(_ACTIONS[public["game"]])), {"expectedVersion": public["version"]}
        if rare < 0.13 and me["seat"] is None:
            return "SPECTATOR_SWITCH_TO_PARTICIPANT", {}
        return "", {}
