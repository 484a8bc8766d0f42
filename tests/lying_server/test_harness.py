"""The harness itself: a liar that does not lie is an honest server, and a check that is removed is gone."""

import asyncio
from random import Random

import httpx
import pytest

from croupier.dealing import cut2
from croupier.table.deal_faults import DealFault
from tests.lying_server.liar import Liar
from tests.lying_server.live import Colluder, lying, until
from tests.lying_server.offline import OfflineTable
from tests.lying_server.removal import Check
from tests.server.live import choose

QUICK = {"seats": 2, "pauseSeconds": 0, "turnSeconds": 600}


def test_an_honest_liar_alarms_nobody() -> None:
    table = OfflineTable("poker", "cash", seats=3)
    table.start("bob", accomplices=("eve",))
    table.play_hands(3)
    assert table.alarms() == []
    assert table.room.packs


def test_an_honest_liar_on_a_real_port_alarms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(_play_honestly(monkeypatch))


class _Archivist(Liar):
    """Honest but for the records, which can be seen to have gone through its hands."""

    said = ("these are", "the records")

    def records(self, lines: list[str]) -> list[str]:
        assert lines, "the last line says where they end"
        return list(self.said)


async def _downloaded(link: str, code: str) -> list[str]:
    async with httpx.AsyncClient(base_url=link) as browser:
        return (await browser.get(f"/api/rooms/{code}/records.jsonl")).text.splitlines()


async def _play_honestly(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    async with lying(monkeypatch, _Archivist()) as server, server.client("Ann") as ann, Colluder(server, "Eve") as eve:
        host = await ann.create("poker", preset="cash", options=QUICK)
        guest = await eve.join(host.code)
        await guest.command("PLAYER_READY_SET", ready=True)
        await host.command("HOST_START_GAME")
        for _ in range(3):
            await until(lambda: bool(host.menu or guest.menu))
            if host.menu:
                version = await host.act(choose(host.menu, random))
            else:
                version = await eve.act(guest, choose(guest.menu, random))
            await until(lambda seen=version: min(host.version, guest.version) >= seen)  # type: ignore[misc]
        assert not host.alarms
        assert host.checker.checked
        assert tuple(await _downloaded(server.link, host.code)) == _Archivist.said


def test_a_removed_check_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    Check("cut2.check_roots", "ROOT_COUNT").remove(monkeypatch)
    context = cut2.Context("0" * 64, 1, 1, 0, "{}", "{}", "[]", 2, cut2.FIRST_BEFORE, ())
    assert cut2.check_roots(context, []) == ()


def test_a_check_that_does_not_exist_cannot_be_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="out of date"):
        Check("DealChecker._made", DealFault.ROOM_REPLACED).remove(monkeypatch)
