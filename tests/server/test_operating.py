"""What an operator relies on: health that is true, figures that can be kept, names that are checked, one server to a
file, a clock that never freezes a turn, a log of every request."""

import asyncio
import json
import logging
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier.server import process as process_figures
from croupier.server.clock import ForwardClock
from croupier.server.config import SettingsError
from croupier.server.hosts import KnownHosts
from croupier.server.logs import JsonLines
from croupier.server.metrics_access import MetricsAccess
from croupier.server.node import SWITCH_SECONDS
from croupier.store.memory import MemoryStore
from croupier.store.port import StoreError
from croupier.store.sqlite.ownership import owned
from tests.server.hub_room import asynchronous
from tests.server.live import live
from tests.server.process import Server, command, environment


class _ReadOnly(MemoryStore):
    """A disk that is full: everything can be read."""

    async def save_person(self, person: Any) -> NoReturn:
        raise StoreError("the disk is full")


@asynchronous
async def test_a_server_that_cannot_write_is_not_healthy() -> None:
    async with live(_ReadOnly()) as server, httpx.AsyncClient() as http:
        answer = await http.get(f"{server.link}/healthz")
        assert (answer.status_code, answer.json()) == (503, {"ok": False})
    async with live() as server, httpx.AsyncClient() as http:
        for _ in range(3):
            assert (await http.get(f"{server.link}/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("host", "known"),
    [
        *(("127.0.0.1:8021", True), ("192.168.1.20", True), ("[fe80::1]:8021", True), ("localhost:9", True)),
        *(("a.localhost", True), ("cards.example.org", True), ("CARDS.example.org:443", True)),
        *(("one.example.org", True), ("evil.example", False), ("127.0.0.1.evil.example", False)),
        *(("localhost.evil.example", False), ("", False), ("[", False)),
        *((f"{'a.' * 600}localhost", False), (f"127.0.0.1:{'0' * 3000}", False)),
    ],
)
def test_only_names_of_this_server_are_answered(host: str, known: bool) -> None:
    async def app(*_: Any) -> None: ...

    hosts = KnownHosts(app, ("cards.example.org",), ("https://one.example.org:8443",), "en")
    assert hosts.knows(host) == known


@asynchronous
async def test_a_page_that_turned_its_own_name_to_this_machine_gets_nothing() -> None:
    async with live(hosts=("cards.example.org",)) as server, httpx.AsyncClient() as http:
        for host, status in (("evil.example", 421), ("cards.example.org", 200), (f"127.0.0.1:{server.port}", 200)):
            for path in ("/", "/api/rooms", "/healthz"):
                answer = await http.get(server.link + path, headers={"Host": host})
                assert answer.status_code == status
        assert (await http.get(server.link, headers={"Host": "evil.example"})).json()["code"] == "HOST_UNKNOWN"
        for url in (server.url, server.websocket_url):
            evil = url.replace("127.0.0.1", "evil.example")
            with pytest.raises(InvalidStatus) as refused:
                await connect(evil, host="127.0.0.1", port=server.port).__aenter__()
            assert refused.value.response.status_code == 421


@asynchronous
async def test_metrics_can_be_kept_to_a_token_or_an_address() -> None:
    async with httpx.AsyncClient() as http:
        for settings, headers, status in (
            ({}, {}, 200),
            ({"metrics_token": "secret"}, {}, 403),
            ({"metrics_token": "secret"}, {"Authorization": "Bearer secret"}, 200),
            ({"metrics_token": "secret"}, {"Authorization": "Bearer secretx"}, 403),
            ({"metrics_from": ("10.0.0.0/8",)}, {}, 403),
            ({"metrics_from": ("127.0.0.0/8", "::1")}, {}, 200),
        ):
            async with live(**settings) as server:
                answer = await http.get(f"{server.link}/metrics", headers=headers)
                assert answer.status_code == status, (settings, headers)
    with pytest.raises(SettingsError, match="metrics_from"):
        MetricsAccess("", ("nowhere",))


@asynchronous
async def test_metrics_tell_how_late_the_loop_is_what_waits_and_what_the_process_costs() -> None:
    async with live() as server, server.client("Ann") as ann, httpx.AsyncClient() as http:
        await ann.create("sequence")
        # The loop is kept busy until its lag has been taken.
        server.server.services.metrics.lag.count(0.2)
        server.server.services.metrics.waiting_commits += 3
        shown = (await http.get(f"{server.link}/metrics")).text
        metrics = dict(line.rsplit(" ", 1) for line in shown.splitlines() if not line.startswith("#"))
    assert float(metrics['croupier_loop_lag_seconds_bucket{le="0.3"}']) >= 1
    assert float(metrics["croupier_loop_lag_seconds_sum"]) >= 0.2
    assert float(metrics["croupier_memory_bytes"]) > 10_000_000
    assert 3 < float(metrics["croupier_open_files"]) < float(metrics["croupier_open_files_max"])
    assert float(metrics['croupier_queue{queue="commits"}']) == 3
    for queue in ("room_commands", "replays", "frames"):
        assert float(metrics[f'croupier_queue{{queue="{queue}"}}']) == 0
    assert float(metrics["croupier_commit_seconds_count"]) >= 1


@asynchronous
async def test_the_loop_s_lag_is_measured_while_the_server_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_figures, "TICK_SECONDS", 0.01)
    lag = process_figures.LoopLag()
    lag.start()
    await asyncio.sleep(0)
    time.sleep(0.2)  # what a bug would do
    await asyncio.sleep(0.05)
    lag.stop()
    assert lag.seconds > 0.1
    assert sum(lag.counts) >= 1


@asynchronous
async def test_a_thread_that_computes_lets_the_loop_go_on_from_the_start() -> None:
    sys.setswitchinterval(0.005)
    async with live():
        assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)


def test_the_clock_goes_on_when_the_system_s_is_put_back_and_follows_it_forward() -> None:
    wall, steady = [1_000_000], [50]
    clock = ForwardClock(lambda: wall[0], lambda: steady[0])
    assert clock() == 1_000_000
    wall[0] -= 3_600_000
    steady[0] += 500
    assert clock() == 1_000_500
    wall[0] = 9_000_000
    assert clock() == 9_000_000
    clock.saw(9_500_000)
    steady[0] += 10
    assert clock() == 9_500_010, "after a restart nothing is earlier than what was stored"


def test_a_second_server_on_the_same_file_says_so_and_stops(tmp_path: Path) -> None:
    first = Server(tmp_path / "rooms.db")
    first.start()
    try:
        second = subprocess.run(
            command(tmp_path / "rooms.db"), env=environment(), capture_output=True, text=True, timeout=60, check=False
        )
        assert second.returncode == 2
        assert f"process {first.pid}" in second.stderr
        assert first.stop()[0] == 0
        first.start()
        first.kill()
        first.start()
    finally:
        first.end()


def test_a_file_is_free_again_when_its_owner_lets_go(tmp_path: Path) -> None:
    with owned(tmp_path / "a.db"), pytest.raises(StoreError, match="in use"), owned(tmp_path / "a.db"):
        pass
    with owned(tmp_path / "a.db"):
        pass


def test_a_link_to_a_file_is_no_way_around_its_owner(tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "b.db"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "a.db")
    with owned(tmp_path / "a.db"), pytest.raises(StoreError, match="in use"), owned(link):
        pass


def test_every_request_is_logged_as_an_object_without_its_query(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def go() -> None:
        async with live(access_log=True) as server, httpx.AsyncClient() as http:
            await http.get(f"{server.link}/healthz?token=secret")
            await http.get(f"{server.link}/no%1b[2Jthing")
            async with connect(server.url):
                pass

    asyncio.run(go())
    lines = [json.loads(entry.getMessage()) for entry in caplog.records if entry.name == "croupier.access"]
    told = sorted((line["kind"], line["path"], line["status"]) for line in lines)
    assert told == [("http", "/healthz", 200), ("http", "/no[2Jthing", 404), ("websocket", "/ws", 101)]
    assert not any("secret" in str(line) for line in lines)
    entry = next(entry for entry in caplog.records if entry.name == "croupier.access")
    assert json.loads(JsonLines().format(entry))["status"] in (200, 404, 101)
