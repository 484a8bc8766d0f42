"""Lying servers on a real port, against the SDK. The terminal and every bot play through the same client.

Each attack is played with all checks, and once more without the one that it needs.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from croupier.clients.alarm import AlarmError
from croupier.clients.connection import Client
from croupier.clients.environment import Environment, dial
from croupier.clients.room_handle import RoomHandle
from croupier.clients.vault import FolderVault, MemoryVault, Vault
from croupier.dealing.cut2 import Cut, Cutter
from croupier.table import commands as c
from croupier.table.cards_shown import cards_in
from croupier.table.deals import Cutting
from croupier.table.room import Room
from tests.lying_server.attack import Removable
from tests.lying_server.attacks_voids import with_news
from tests.lying_server.liar import MASTER, SWALLOWED, Listener, Spy, cutting_of, forged, settled
from tests.lying_server.live import Colluder, actor_of, lying, restore, until
from tests.lying_server.removal import Check
from tests.server.live import Live
from tests.server.process import Server

OPTIONS = {"seats": 2, "pauseSeconds": 0, "turnSeconds": 600, "cutSeconds": 1}


class Scene:
    """Ann against a bot of the server's, over a real socket, with a vault in a folder."""

    def __init__(self, server: Live, liar: Spy, folder: Path) -> None:
        self.server, self.liar, self.folder = server, liar, folder
        self.fixed: list[Room] = []
        self.token = ""
        self.code = ""

    def client(self) -> Client:
        """A program of Ann's: all of them share her folder."""
        vault: Vault = FolderVault(self.folder)
        who = {"token": self.token} if self.token else {"nickname": "Ann"}
        return Client(self.server.url, environment=Environment(vault=vault), **who)

    async def sit_down(self, ann: Client) -> RoomHandle:
        room = await ann.create("poker", preset="cash", options=OPTIONS)
        await room.command("HOST_ADD_BOT", bot="caller")
        self.token, self.code = ann.token, room.code
        return room

    @property
    def room(self) -> Room:
        return actor_of(self.server, self.code).room

    @property
    def person(self) -> str:
        return self.room.host

    def given(self, deal: int) -> str:
        return self.liar.values[self.person][deal]

    def restore(self, room: Room) -> None:
        restore(actor_of(self.server, self.code), room)

    def dealt_again(self, master: bytes) -> Room:
        """The first deal with other packs, and Ann's old cut in it."""
        again = forged(replace(self.fixed[0], members=self.room.members), master)
        cutting = replace(cutting_of(again), cuts=(Cut(0, self.given(1)),), waits_for=())
        return replace(settled(replace(again, cutting=cutting)), version=self.room.version + 1)


Play = Callable[[Scene], Awaitable[tuple[RoomHandle, bool]]]


class LiveAttack(NamedTuple):
    play: Play
    caught: str
    checks: tuple[Removable, ...]


ATTACKS: list[LiveAttack] = []


def live_attack(caught: str, *checks: Removable) -> Callable[[Play], Play]:
    """Puts an attack into the table: it gives back the room of the victim, and whether the liar has what it wanted."""

    def put(play: Play) -> Play:
        ATTACKS.append(LiveAttack(play, caught, checks))
        return play

    return put


async def alarmed_or(handle: RoomHandle, condition: Callable[[], bool]) -> bool:
    """Waits until the client is alarmed or something holds; whether it holds and nothing is alarmed."""
    await until(lambda: bool(handle.alarms) or condition())
    return not handle.alarms and condition()


@asynccontextmanager
async def program(scene: Scene) -> AsyncIterator[RoomHandle]:
    """Another program of Ann's, which comes back to the room."""
    async with scene.client() as again:
        handle = again.handle(scene.code)
        await again.request("ROOM_WATCH", roomCode=scene.code, knownVersion=0)
        yield handle


async def started(scene: Scene, ann: Client) -> RoomHandle:
    """Sits down and starts; Ann has cut the first deal, and sees her cards."""
    handle = await scene.sit_down(ann)
    scene.liar.forge = lambda room: scene.fixed.append(room) or room  # type: ignore[func-returns-value]
    await handle.command("HOST_START_GAME")
    await handle.wait(lambda room: room.menu)
    return handle


@live_attack(
    "DEAL_CHANGED",
    Check("DealChecker._known_again", "DEAL_CHANGED"),
    Check("DealChecker._made", "DEAL_TAKEN_BACK"),
    Check("RoomGuard.may_act", "BET_WITHOUT_CUT"),
)
async def roots_changed_across_a_reload(scene: Scene) -> tuple[RoomHandle, bool]:
    async with scene.client() as ann:
        await started(scene, ann)
    scene.restore(scene.dealt_again(MASTER))
    async with program(scene) as handle:
        shown = await alarmed_or(handle, lambda: bool(handle.state) and bool(handle.menu))
        return handle, shown and _may_bet(handle)


def _may_bet(handle: RoomHandle) -> bool:
    """Whether the client would let a chip of Ann's go to the table."""
    return not handle.guard.may_act("poker", {"type": "HOLDEM_ALL_IN"})


@live_attack("DEAL_NOT_NEXT", Check("DealChecker._check_whole", "DEAL_NOT_NEXT"))
async def a_restored_backup(scene: Scene) -> tuple[RoomHandle, bool]:
    async with scene.client() as ann:
        handle = await started(scene, ann)
        old = scene.room
        while scene.room.deals < 2:
            await until(lambda: handle.version == scene.room.version and bool(handle.menu))
            await handle.act({"type": "HOLDEM_FOLD"})
        await until(lambda: handle.version == scene.room.version and bool(handle.menu))
        newest = scene.room.deals
    scene.liar.twist = lambda listener, state: [{**state, "public": {**state["public"], "deal": newest}}]
    scene.restore(replace(old, version=scene.room.version + 1))
    async with program(scene) as handle:
        shown = await alarmed_or(handle, lambda: bool(handle.state) and bool(handle.menu))
        return handle, shown and _may_bet(handle)


@live_attack("ROOM_REPLACED", Check("RoomGuard._open", "ROOM_REPLACED"))
async def a_room_reopened_under_its_code(scene: Scene) -> tuple[RoomHandle, bool]:
    async with scene.client() as ann:
        await scene.sit_down(ann)
    scene.restore(replace(scene.room, id=MASTER.hex()))
    async with program(scene) as handle:
        return handle, await alarmed_or(handle, lambda: bool(handle.state))


@live_attack("DEAL_CHANGED", Check("RoomGuard._bound", "DEAL_CHANGED"))
async def two_programs_two_seals_at_once(scene: Scene) -> tuple[RoomHandle, bool]:
    """Both programs have promised, and each is shown a first deal with its own promise."""
    async with scene.client() as ann:
        handle = await scene.sit_down(ann)
        async with program(scene) as other:
            await other.wait(lambda room: room.state)
            promise = other.guard.promise()
            held: list[dict[str, Any]] = []

            def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
                """The second program hears of the deal once the first has cut it, and of nothing after that."""
                if listener is not second or not (state["deals"] or held):
                    return [state]
                if not held:
                    deal = cutting_of(forged(scene.fixed[0], MASTER, cutters=(Cutter(0, promise),))).deal
                    fixed = {**state["deals"][0], "roots": deal.roots, "context": msgspec.to_builtins(deal.context)}
                    held.append({**state, "deals": [fixed], "public": {**state["public"], "waitsFor": [0]}})
                    return []
                return [held[0]] if 1 in handle.checker.gave and not other.checker.gave else []

            actor = actor_of(scene.server, scene.code)
            second = list(actor._broadcast._listeners)[-1]
            scene.liar.forge = lambda room: scene.fixed.append(room) or room  # type: ignore[func-returns-value]
            scene.liar.twist = twist
            await handle.command("HOST_START_GAME")
            await until(lambda: bool(held) and 1 in handle.checker.gave)
            actor.refresh(second)
            await until(lambda: bool(other.alarms) or 1 in other.checker.gave)
            return other, not other.alarms and {*handle.checker.gave} == {*other.checker.gave} == {1}


def _drop_cuts(scene: Scene, times: int, answer: str) -> None:
    left = [times]

    def decide(room: Room, who: str, command: Any) -> str:
        cuts = isinstance(command, c.DealCut) and isinstance(room.cutting, Cutting) and command.deal == room.deals
        if not cuts or not left[0]:
            return ""
        left[0] -= 1
        return answer

    scene.liar.answer = decide


@live_attack("MISSING_THOUGH_CUT", Check("DealChecker._left_out", "MISSING_THOUGH_CUT"))
async def my_cut_dropped_twice(scene: Scene) -> tuple[RoomHandle, bool]:
    async with scene.client() as ann:
        handle = await scene.sit_down(ann)
        _drop_cuts(scene, 2, "NO_DEAL_TO_CUT")
        await handle.command("HOST_START_GAME")
        await until(lambda: bool(handle.alarms) or scene.room.deals >= 3)
        return handle, not handle.alarms


@live_attack("MISSING_THOUGH_CUT", Check("DealChecker._left_out", "MISSING_THOUGH_CUT"))
async def my_cut_acknowledged_then_missing(scene: Scene) -> tuple[RoomHandle, bool]:
    async with scene.client() as ann:
        handle = await scene.sit_down(ann)
        _drop_cuts(scene, 1, SWALLOWED)
        await handle.command("HOST_START_GAME")
        await until(lambda: bool(handle.alarms) or scene.room.deals >= 2)
        return handle, not handle.alarms


@live_attack("VIEW_MISMATCH", Check("Checker._compare", "VIEW_MISMATCH"), Check("Checker._heard", "VIEW_MISMATCH"))
async def a_card_without_opening(scene: Scene) -> tuple[RoomHandle, bool]:
    async with scene.client() as ann:
        handle = await scene.sit_down(ann)
        scene.liar.twist = lambda listener, state: [{**state, "openings": []}]
        await handle.command("HOST_START_GAME")
        return handle, await alarmed_or(handle, lambda: bool(handle.menu))


@live_attack("SCHEME_OLD", Check("Checker._see", "SCHEME_OLD"), Check("RoomGuard.may_act", "BET_WITHOUT_CUT"))
async def a_downgrade_to_cut_1(scene: Scene) -> tuple[RoomHandle, bool]:
    async with scene.client() as ann:
        handle = await scene.sit_down(ann)
        scene.liar.forge = lambda room: forged(room, MASTER, cutters=())
        scene.liar.twist = lambda listener, state: [
            {**state, "public": {**state["public"], "scheme": "cut-1"}} if state["public"]["hand"] else state
        ]
        await handle.command("HOST_START_GAME")
        scene.restore(settled(scene.room))
        return handle, await alarmed_or(handle, lambda: bool(handle.menu)) and _may_bet(handle)


@live_attack("SECRET_MISSING", Check("cut2.check_secrets", "SECRET_MISSING"))
async def secrets_that_come_late(scene: Scene) -> tuple[RoomHandle, bool]:
    async with scene.client() as ann:
        handle = await scene.sit_down(ann)
        scene.liar.twist = with_news("DEAL_MADE", secrets=[None] * 8)
        await handle.command("HOST_START_GAME")
        return handle, await alarmed_or(handle, lambda: bool(handle.menu))


async def _play(monkeypatch: pytest.MonkeyPatch, attack: LiveAttack, folder: Path) -> tuple[list[str], bool]:
    liar = Spy()
    async with lying(monkeypatch, liar) as server:
        scene = Scene(server, liar, folder)
        handle, gained = await attack.play(scene)
        found = [finding.code for finding in handle.alarms]
        if found:
            assert not cards_in(handle.view), "what the player sees has passed the check"
            with pytest.raises(AlarmError):
                await handle.act({"type": "HOLDEM_ALL_IN"})
        return found, gained


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.play.__name__)
def test_the_client_catches_it(attack: LiveAttack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found, gained = asyncio.run(_play(monkeypatch, attack, tmp_path))
    assert found[:1] == [attack.caught]
    assert not gained


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.play.__name__)
def test_a_client_without_the_check_is_cheated(
    attack: LiveAttack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for check in attack.checks:
        check.remove(monkeypatch)
    found, gained = asyncio.run(_play(monkeypatch, attack, tmp_path))
    assert found == []
    assert gained


async def _alarm_and_go_on(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    liar, heard = Spy(), list[Any]()
    async with lying(monkeypatch, liar) as server:
        scene = Scene(server, liar, folder)
        async with scene.client() as ann:
            handle = await scene.sit_down(ann)
            scene.liar.forge = lambda room: scene.fixed.append(room) or room  # type: ignore[func-returns-value]
            liar.answer = lambda room, who, command: heard.append(command) or ""  # type: ignore[func-returns-value]
            liar.twist = lambda listener, state: [{**state, "openings": []}]
            await handle.command("HOST_START_GAME")
            await until(lambda: bool(handle.alarms))
            shown, played = handle.state, scene.room
            with pytest.raises(AlarmError):
                await handle.act({"type": "HOLDEM_CALL"})
            # The next deal waits for Ann's cut: it is declined, nothing of it is shown, and the others need not wait.
            scene.restore(replace(forged(scene.fixed[0], deal=2), version=scene.room.version + 1))
            await until(lambda: any(isinstance(command, c.DealDecline) for command in heard))
            assert not any(isinstance(command, c.DealCut) and command.deal == 2 for command in heard)
            assert not any(isinstance(command, c.Play) for command in heard)
            assert handle.state is shown
            assert FolderVault(folder).lines(handle.guard.log_name), "the evidence is on the disk"
            scene.restore(replace(played, version=scene.room.version + 1))
            liar.twist = Spy().twist
        # The alarm holds until the player decides, whatever is started anew.
        async with program(scene) as again:
            await until(lambda: bool(again.alarms))
            assert again.alarms[0].code == "VIEW_MISMATCH"
            await again.accept_alarms()
            await until(lambda: bool(again.alarms) or again.is_proved)
            assert not again.alarms


def test_after_an_alarm_nothing_is_cut_or_bet_until_the_player_decides(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asyncio.run(_alarm_and_go_on(monkeypatch, tmp_path))


async def _killed_in_a_cut(folder: Path, *, lies: bool) -> tuple[list[str], bool]:
    """Two people; one has cut, one has not. The server is killed and started again; one that lies has another secret
    for the deal then. What the client found, and whether the deal is the one that was cut."""
    server = Server(folder / "store.db")
    server.start()
    try:
        environment = Environment(vault=FolderVault(folder / "vault"))
        async with Client(server.url, nickname="Ann", environment=environment) as ann, Colluder(server, "Eve") as eve:
            handle = await ann.create("poker", preset="cash", options={**OPTIONS, "cutSeconds": 10})
            guest = await eve.join(handle.code)
            await handle.wait(lambda room: len(room.state["public"]["members"]) == 2)
            eve.misses = True
            await guest.command("PLAYER_READY_SET", ready=True)
            await handle.command("HOST_START_GAME")
            await until(lambda: 1 in handle.checker.acknowledged)
            seal = handle.checker.memory.seal  # type: ignore[union-attr]
            await asyncio.to_thread(server.kill)
            if lies:
                with closing(sqlite3.connect(folder / "store.db")) as store, store:
                    store.execute("UPDATE secret SET secret = ? WHERE name = 'cut:1'", (MASTER,))
            await asyncio.to_thread(server.start)
            reconnects = ann.reconnects
            await until(lambda: ann.reconnects > reconnects or bool(handle.alarms) or ann._ready.is_set())
            version = handle.version
            eve.misses = False
            await until(lambda: bool(handle.alarms) or handle.version > version or bool(handle.menu))
            return [found.code for found in handle.alarms], handle.checker.memory.seal == seal  # type: ignore[union-attr]
    finally:
        server.end()


def test_a_server_killed_in_the_middle_of_a_cut_goes_on_with_the_same_deal(tmp_path: Path) -> None:
    assert asyncio.run(_killed_in_a_cut(tmp_path, lies=False)) == ([], True)


def test_another_deal_after_a_kill_is_an_alarm(tmp_path: Path) -> None:
    found, _ = asyncio.run(_killed_in_a_cut(tmp_path, lies=True))
    assert found == ["DEAL_CHANGED"]


MALFORMED: Final = [
    b"\x00\x01",
    "{",
    "[]",
    '{"type": 1}',
    '{"type": "ROOM_STATE"}',
    '{"type": "ROOM_STATE", "public": {}}',
    '{"type": "ERROR", "requestId": "1"}',
    '{"type": "PONG", "requestId": []}',
    '{"type": "PONG", "deep": "\\n", "x": ' + "[" * 600 + "]" * 600 + "}",
]


class Garbage:
    """A line that a server speaks nonsense on: what is put into `spoken` comes between honest frames."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self.spoken: asyncio.Queue[str | bytes] = asyncio.Queue()

    async def send(self, message: str) -> None:
        await self._socket.send(message)

    async def close(self) -> None:
        await self._socket.close()

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        frames = aiter(self._socket)
        heard = asyncio.ensure_future(anext(frames))
        said = asyncio.ensure_future(self.spoken.get())
        while True:
            await asyncio.wait((heard, said), return_when=asyncio.FIRST_COMPLETED)
            if said.done():
                yield said.result()
                said = asyncio.ensure_future(self.spoken.get())
            else:
                yield heard.result()
                heard = asyncio.ensure_future(anext(frames))


async def _speak(monkeypatch: pytest.MonkeyPatch, nonsense: str | bytes) -> list[str]:
    lines: list[Garbage] = []

    @asynccontextmanager
    async def dial_garbage(url: str, patience: float) -> AsyncIterator[Garbage]:
        async with dial(url, patience) as socket:
            lines.append(Garbage(socket))
            yield lines[-1]

    environment = Environment(vault=MemoryVault(), dial=dial_garbage)
    async with (
        lying(monkeypatch, Spy()) as server,
        Client(server.url, nickname="Ann", environment=environment) as ann,
    ):
        handle = await ann.create("poker", preset="cash", options=OPTIONS)
        lines[-1].spoken.put_nowait(nonsense)
        await until(lambda: bool(handle.alarms))
        return [found.code for found in handle.alarms]


@pytest.mark.parametrize("nonsense", MALFORMED, ids=range(len(MALFORMED)))
def test_a_frame_that_cannot_be_read_is_an_alarm(nonsense: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(_speak(monkeypatch, nonsense)) == ["STATE_MALFORMED"]
