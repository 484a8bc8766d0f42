"""The card room behind nginx and Caddy as the files in deploy/ set them up: TLS, WebSockets, two nodes."""

import asyncio
import json
import os
import shutil
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from croupier.clients.connection import Client
from croupier.clients.environment import FRAME_BYTES_MAX, Environment
from tests.server.process import Server, free_port
from tests.store.database import schema_of, shared_server

DEPLOY = Path(__file__).parents[2] / "deploy"
START_SECONDS_MAX = 30.0


class Front:
    """A proxy that runs, the nodes behind it, and the certificate that it shows."""

    def __init__(self, port: int, nodes: list[Server], trust: ssl.SSLContext) -> None:
        self.port, self.nodes, self.trust = port, nodes, trust

    def get(self, path: str, posted: bytes | None = None) -> Any:
        url = f"https://localhost:{self.port}{path}"
        return urllib.request.urlopen(url, posted, context=self.trust, timeout=20)

    def client(self, name: str) -> Client:
        origin = f"https://localhost:{self.port}"

        def dial(url: str, _patience: float) -> connect:
            return connect(url, ssl=self.trust, max_size=FRAME_BYTES_MAX, origin=origin)

        return Client(f"wss://localhost:{self.port}/ws", nickname=name, environment=Environment(dial=dial))


def _certificate(folder: Path) -> ssl.SSLContext:
    """A certificate for this machine, made and signed by ourselves, and who trusts it."""
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")),
        ],
        check=True,
        capture_output=True,
    )
    return ssl.create_default_context(cafile=str(folder / "cert.pem"))


def _settings(name: str, folder: Path, port: int, nodes: list[Server]) -> str:
    """A file of deploy/ with this test's ports, name and certificate."""
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "127.0.0.1:8021": f"127.0.0.1:{nodes[0].port}",
        "127.0.0.1:8022": f"127.0.0.1:{nodes[1].port}",
        "/etc/ssl/cards.example.org.pem": str(folder / "cert.pem"),
        "/etc/ssl/cards.example.org.key": str(folder / "key.pem"),
        "cards.example.org {": f"localhost:{port} {{\n\tbind 127.0.0.1",
        "cards.example.org": "localhost",
    }
    text = (DEPLOY / name).read_text(encoding="utf-8")
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


def _nginx(folder: Path, port: int, nodes: list[Server]) -> list[str]:
    (folder / "croupier_proxy.conf").write_text(_settings("croupier_proxy.conf", folder, port, nodes))
    (folder / "site.conf").write_text(_settings("nginx.conf", folder, port, nodes))
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "whole.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{ access_log off; include {folder}/site.conf; }}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "whole.conf"), "-e", str(folder / "error.log")]


def _caddy(folder: Path, port: int, nodes: list[Server]) -> list[str]:
    # Its own administration is turned off, so that nothing but the test's port is taken.
    settings = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + _settings("Caddyfile", folder, port, nodes)
    (folder / "Caddyfile").write_text(settings)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


Proxy = Callable[[Path, int, list[Server]], list[str]]
PROXIES: dict[str, Proxy] = {"nginx": _nginx, "caddy": _caddy}


@pytest.fixture(params=PROXIES)
def front(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Front]:
    for program in (request.param, "openssl"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    with _front(PROXIES[request.param], tmp_path) as made:
        yield made


@contextmanager
def _front(proxy: Proxy, folder: Path) -> Iterator[Front]:
    with ExitStack() as stack:
        nodes = []
        for number in range(2):
            store = shared_server().url(schema_of(folder))
            nodes.append(Server(folder / f"node{number}.db", store, CROUPIER_PROXIES="127.0.0.1"))
            stack.callback(nodes[-1].end)
            nodes[-1].start()
        trust, port = _certificate(folder), free_port()
        with (folder / "proxy.log").open("wb") as log:
            home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
            running = subprocess.Popen(proxy(folder, port, nodes), stdout=log, stderr=log, env={**os.environ, **home})
        stack.callback(running.wait)
        stack.callback(running.terminate)
        made = Front(port, nodes, trust)
        until = time.monotonic() + START_SECONDS_MAX
        while not _answers(made):
            assert running.poll() is None, (folder / "proxy.log").read_text()
            assert time.monotonic() < until, (folder / "proxy.log").read_text()
            time.sleep(0.1)
        yield made


def _answers(front: Front) -> bool:
    try:
        return bool(front.get("/healthz").status == 200)
    except OSError:
        return False


def test_people_play_through_a_proxy_with_tls_and_over_the_death_of_a_node(front: Front) -> None:
    async def go() -> None:
        async with front.client("Ann") as ann, front.client("Bob") as bob:
            host = await ann.create("sequence", options={"turnSeconds": 600, "cutSeconds": 1})
            guest = await bob.join(host.code)
            await guest.command("PLAYER_READY_SET", ready=True)
            await host.command("HOST_START_GAME")
            for room in (host, guest):
                await room.wait(lambda r: r.state["public"]["turn"])
            await asyncio.to_thread(front.nodes[1].kill)
            for _ in range(6):
                mine = next(room for room in (host, guest) if room.seat == host.state["public"]["turn"][0])
                await mine.wait(lambda r: r.menu)
                version = await mine.act(mine.menu[0]["action"])
                for room in (host, guest):
                    await room.wait(lambda r, version=version: r.version >= version)
            assert ann.reconnects + bob.reconnects >= 1
            assert host.checker.findings == guest.checker.findings == []

    asyncio.run(go())


def test_pages_lists_and_the_classrooms_hub_come_over_tls_with_their_headers(front: Front) -> None:
    answer = front.get("/")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert b"<!doctype html>" in answer.read().lower()
    assert json.load(front.get("/api/rooms")) == {"rooms": []}
    assert json.load(front.get("/hubs/blackjack/negotiate?negotiateVersion=1", b""))["connectionToken"]


def test_the_classrooms_hub_works_through_a_proxy_without_websockets(front: Front) -> None:
    """A poll is answered when there is news, and an event comes when it is sent, not when the answer ends."""
    hub = f"https://localhost:{front.port}/hubs/blackjack"
    shake = json.dumps({"protocol": "json", "version": 1}) + "\x1e"
    with httpx.Client(verify=front.trust, timeout=20) as http:

        def begun() -> str:
            token = http.post(f"{hub}/negotiate?negotiateVersion=1").json()["connectionToken"]
            return f"{hub}?id={token}"

        polling, streaming = begun(), begun()
        assert http.get(polling).text == ""
        assert http.post(polling, content=shake).status_code == 200
        assert http.get(polling).text == "{}\x1e"
        with http.stream("GET", streaming, headers={"accept": "text/event-stream"}) as stream:
            parts = stream.iter_text()
            assert http.post(streaming, content=shake).status_code == 200
            heard = ""
            while "data: {}\x1e" not in heard:
                heard += next(parts)
            join = json.dumps({"type": 1, "target": "Join", "arguments": ["ann", None]}) + "\x1e"
            assert http.post(polling, content=join).status_code == 200
            assert "OnStateChanged" in http.get(polling).text
            while "OnStateChanged" not in heard:
                heard += next(parts)
