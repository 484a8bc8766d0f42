"""Draws a whole evening from a seed: what is played, by whom, on how many nodes, and what goes wrong when."""

from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec

from tests.simulation.audit import Audit
from tests.simulation.database import Database
from tests.simulation.faults import Faults, draw, draw_disk, spoil_disk
from tests.simulation.gamblers import Gambler
from tests.simulation.lies import Liar, Lie
from tests.simulation.network import Network
from tests.simulation.node import Node
from tests.simulation.people import Person, Table
from tests.simulation.truth import Truth
from tests.simulation.world import World

BUSY_SECONDS: Final = 6.0
COMMITS_MAX: Final = 36
"""After so many steps the evening is long enough."""
OUTAGE_SECONDS: Final = 2.0
CASINO_CHANCE: Final = 0.12
CLOCK_BEHIND_SECONDS: Final = 3600.0
CLOCK_AHEAD_SECONDS: Final = 3.0
"""How wrong the clock of a machine is set."""
DEVICE_CHANCE: Final = 0.15
"""That somebody who begins anew does so on another device."""
TAB_CHANCE: Final = 0.12
"""That somebody has the room open twice."""


@dataclass
class Scene:
    """One seed's cast."""

    world: World
    faults: Faults
    database: Database
    audit: Audit
    network: Network
    truth: Truth
    nodes: list[Node] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    table: Table | None = None
    liar: Liar | None = None

    def alarms_of(self, program: str) -> list[tuple[int, str]]:
        """The alarms that a program of somebody has raised, from its own log: when, and their codes."""
        person = next(person for person in self.people if program.startswith(f"{person.name}."))
        lines = [line for room in person.rooms()[-1:] for line in person.vaults[0].lines(room.guard.log_name)]
        told = [msgspec.json.decode(line) for line in lines if '"alarms"' in line]
        return [(line["atMs"], found["code"]) for line in told for found in line["alarms"]]

    def unsettled(self) -> str:
        """Who has not yet what the store has, or does not know yet of a lie; empty when everybody does."""
        self.truth.follow()
        for heard in () if self.liar is None else self.liar.victims:
            if not self.alarms_of(heard.program):
                return f"{heard.program} was lied to ({self.liar.lie.name}), and has not noticed"
        for node in self.nodes:
            if node.place.dead:
                return f"{node.url} is not there"
        for person in self.people:
            client = person.client
            if client is None or not client._ready.is_set():
                return f"{person.name} is not connected"
            if isinstance(person, Gambler) and person.last is None:
                return f"{person.name} has not been told the last state"
            for history in self.truth.histories.values():
                member = history.last.member(client.player_id)
                if member is None or member.away:
                    continue
                if any(other is not person and other.ids is person.ids for other in self.people):
                    # One program may have left, and another of the same person have come back.
                    continue
                known = client.rooms.get(history.code)
                if known is None and history.code == person.table.code:
                    return f"{person.name} is in {history.code} and does not hear it"
                if known is not None and known.state and (known.member is None or known.member["away"]):
                    # This program has left: it was an earlier one's request that brought the person back.
                    continue
                if known is not None and not known.alarms and known.version < history.told_version:
                    return f"{person.name} is at {known.version} of {history.code}, the store at {history.last.version}"
        return ""


def table_of(random: Random, players: int, bots: int, game: str = "") -> Table:
    """What is played: a game, its rules so that rounds are short, and a clock that is quick."""
    game = game or random.choice(("poker", "poker", "blackjack", "sequence"))
    seats = max(2, players + bots) + random.randint(0, 1)
    options: dict[str, Any] = {
        "turnSeconds": random.choice((3, 3, 5)),
        "bankSeconds": random.choice((0, 0, 2)),
        "pauseSeconds": random.choice((0, 1)),
        "cutSeconds": 1,
        "seats": seats,
        "listed": random.random() < 0.5,
    }
    if game == "poker":
        preset = random.choice(("holdem", "cash"))
        rules: dict[str, Any] = {"stack_chips": random.choice((30, 200))}
    elif game == "blackjack":
        preset, rules = "trainer", {"decks": 1, "penetration": 0.0, "insurance": random.random() < 0.5}
        if rules["insurance"]:
            rules["blackjack_pays"] = "3:2"
    else:
        preset, rules = random.choice(("house", "classic")), {"sequences_to_win": 1}
        bots += (players + bots) % 2
        options["seats"] = players + bots + random.choice((0, 0, 2))
    return Table(game, preset, rules, options, bots)


def build_lying(seed: int, lie: Lie) -> Scene:
    """A calm evening of Hold'em on two nodes, of which one lies. Nobody plays on after an alarm."""
    world = World(seed)
    random = world.stream("scene")
    faults = Faults(network_ms=random.choice((1.0, 10.0, 100.0)), store_ms=random.choice((1.0, 5.0)))
    scene = _stage(world, faults, 2)
    scene.liar = scene.nodes[0].liar = Liar(world, lie)
    if lie.restarts:
        scene.liar.restart = lambda: _restart_to_lie(scene)
    scene.table = table_of(random, 2, 1, "poker")
    for number in range(2):
        habits = {"hosts": number == 0, "haste": random.choice((0.1, 0.2)), "trusts": False}
        scene.people.append(Person(world, scene.network, f"person{number}", scene.table, **habits))
    return scene


def _restart_to_lie(scene: Scene) -> None:
    """The lying node goes down and comes back; meanwhile its people have nowhere else to go."""
    liar, *others = scene.nodes
    for node in others:
        node.reachable = False
        scene.network.cut(node)
        scene.world.later(OUTAGE_SECONDS, node.reconnect)
    liar.crash("to lie")


def build(seed: int, nodes: int | None = None, *, bad_disk: bool = False) -> Scene:
    """The cast of a seed, before anything has happened."""
    world = World(seed)
    random = world.stream("scene")
    faults = draw(random)
    if bad_disk:
        spoil_disk(faults)
    else:
        draw_disk(faults, world.stream("disk"))
    scene = _stage(world, faults, nodes or random.choice((1, 2, 2, 3)))
    network = scene.network
    if random.random() < CASINO_CHANCE:
        _seat_gamblers(scene, random)
        return scene
    players, watchers = random.choice((1, 2, 2, 3)), random.choice((0, 0, 1))
    bots = max(random.choice((0, 1, 1, 2)), 2 - players)
    scene.table = table_of(random, players, bots)
    for number in range(players + watchers):
        habits = {
            "hosts": number == 0,
            "watches": number >= players,
            # A game of Sequence has no deal without everybody.
            "cuts": random.random() < 0.93 or scene.table.game == "sequence",
            "carelessness": random.choice((0.0, 0.0, 0.1, 0.7)),
            "haste": random.choice((0.1, 0.2, 1.0)),
        }
        scene.people.append(Person(world, network, f"person{number}", scene.table, **habits))
    if random.random() < TAB_CHANCE:
        first = random.choice(scene.people)
        scene.people.append(Person(world, network, f"{first.name}tab", scene.table, cuts=first.cuts, first=first))
    return scene


def _stage(world: World, faults: Faults, nodes: int) -> Scene:
    """A scene without people."""
    database = Database(world)
    audit = Audit(world, database)
    network = Network(world, faults, audit)
    scene = Scene(world, faults, database, audit, network, Truth(database))
    for number in range(nodes):
        node = Node(world, number, database, network, faults)
        network.nodes[node.url] = node
        scene.nodes.append(node)
    return scene


def _seat_gamblers(scene: Scene, random: Random) -> None:
    """One or two players of the casino, and perhaps one of them at a second machine."""
    nowhere = Table("", "", {}, {}, 0)
    seated: list[Gambler] = []
    for number in range(random.choice((1, 2))):
        seated.append(Gambler(scene.world, scene.network, f"gambler{number}", nowhere, haste=0.2))
    if random.random() < 0.6:
        seated.append(Gambler(scene.world, scene.network, "twin", nowhere, haste=0.2, first=seated[0]))
    scene.people.extend(seated)


class Fate:
    """Lets things happen while the scene is on."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._random = scene.world.stream("fate")

    def begin(self) -> None:
        faults = self._scene.faults
        self._after(faults.cuts_seconds, self._cut)
        self._after(faults.crashes_seconds, self._crash)
        self._after(faults.outages_seconds, self._cut_off)
        self._after(faults.refreshes_seconds, self._refresh)
        self._after(faults.jumps_seconds, self._set_clock)

    def end(self) -> None:
        """The last thing that goes wrong, with whatever is due then: the clocks of all machines are put back."""
        for node in self._scene.nodes if self._scene.faults.jumps_seconds else ():
            node.set_clock(-self._random.uniform(0.0, CLOCK_BEHIND_SECONDS))

    def _after(self, seconds: float, happen: Any) -> None:
        """Again and again, so often on average."""
        if seconds:
            self._scene.world.later(self._random.expovariate(1 / seconds), self._happen, seconds, happen)

    def _happen(self, seconds: float, happen: Any) -> None:
        if not self._scene.world.calm:
            happen()
            self._after(seconds, happen)

    def _cut(self) -> None:
        self._scene.network.cut(one=True)

    def _crash(self) -> None:
        self._random.choice(self._scene.nodes).crash("by fate")

    def _cut_off(self) -> None:
        self._random.choice(self._scene.nodes).cut_off(self._random.random() * OUTAGE_SECONDS)

    def _set_clock(self) -> None:
        seconds = self._random.uniform(-CLOCK_BEHIND_SECONDS, CLOCK_AHEAD_SECONDS)
        self._random.choice(self._scene.nodes).set_clock(seconds)

    def _refresh(self) -> None:
        person = self._random.choice(self._scene.people)
        if self._random.random() < DEVICE_CHANCE:
            person.change_device()
        person.begin()
