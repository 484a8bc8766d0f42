"""`croupier serve` as a process: starts, says where it is, stops when told, and names what is wrong."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import uvloop
from typer.testing import CliRunner

from croupier.cli import app
from croupier.clients.connection import Client
from croupier.games.blackjack import CLASSROOM
from croupier.locales import LANGUAGES, text
from croupier.server.config import Settings, SettingsError, classroom, load
from croupier.server.limits import Limits
from croupier.server.listen_sockets import link

CROUPIER = [sys.executable, "-m", "croupier", "serve"]
PATIENCE_SECONDS = 30


def _environment(folder: Path, **more: str) -> dict[str, str]:
    """An environment without settings of the tester's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    return {**kept, "CROUPIER_DATA": str(folder), "LANG": "en_US.UTF-8", "LC_ALL": "C.UTF-8", **more}


class Running:
    """A server in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]", link: str) -> None:
        self.process = process
        self.link = link

    def stop(self, number: int) -> tuple[int, str]:
        """Its exit code, and what it has logged."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, errors


@contextmanager
def serving(folder: Path, *options: str, **environment: str) -> Iterator[Running]:
    process = subprocess.Popen(
        [*CROUPIER, *options],
        env=_environment(folder, **environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, f"{first} {process.communicate(timeout=PATIENCE_SECONDS)}"
        yield Running(process, found[0])
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def _refused(folder: Path, *options: str, **environment: str) -> str:
    """What a server that cannot start says."""
    done = subprocess.run(
        [*CROUPIER, *options],
        env=_environment(folder, **environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    return done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_stops_cleanly_when_told(number: int, tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as server:
        assert httpx.get(f"{server.link}healthz").json() == {"ok": True}
        with socket.create_connection(("127.0.0.1", httpx.URL(server.link).port or 0)):
            code, errors = server.stop(number)
        assert (code, errors) == (0, "")
    assert (tmp_path / "croupier.db").exists()


def test_it_stops_soon_although_clients_of_the_hub_wait_for_news(tmp_path: Path) -> None:
    """One polls, one has an event stream; both are told, and may come back."""
    shake = json.dumps({"protocol": "json", "version": 1}) + "\x1e"

    def begun(http: httpx.Client, hub: str) -> str:
        token = http.post(f"{hub}/negotiate?negotiateVersion=1").json()["connectionToken"]
        return f"{hub}?id={token}"

    with serving(tmp_path, "--port", "0") as server, httpx.Client(timeout=PATIENCE_SECONDS) as http:
        hub = f"{server.link}hubs/blackjack"
        polling, streaming = begun(http, hub), begun(http, hub)
        assert http.get(polling).text == ""
        http.post(polling, content=shake)
        assert http.get(polling).text == "{}\x1e"
        with (
            http.stream("GET", streaming, headers={"accept": "text/event-stream"}) as stream,
            ThreadPoolExecutor() as pool,
        ):
            http.post(streaming, content=shake)
            waiting = pool.submit(http.get, polling)
            time.sleep(0.2)
            began = time.monotonic()
            code, errors = server.stop(signal.SIGTERM)
            assert time.monotonic() - began < 4
            assert (code, errors) == (0, "")
            told = "".join(stream.iter_text())
        for text in (waiting.result().text, told):
            assert '"The server is stopping."' in text
            assert '"allowReconnect":true' in text


def test_rooms_go_on_after_the_next_start(tmp_path: Path) -> None:
    async def create(url: str) -> tuple[str, str]:
        async with Client(url, nickname="Ann") as ann:
            room = await ann.create("sequence")
            return room.code, ann.token

    async def resume(url: str, code: str, token: str) -> int:
        async with Client(url, token=token) as ann:
            return (await ann.watch(code)).version

    store = f"sqlite:///{tmp_path}/rooms.db"
    with serving(tmp_path, "--port", "0", "--store", store) as server:
        code, token = asyncio.run(create(server.link.replace("http", "ws") + "ws"))
        assert server.stop(signal.SIGTERM)[0] == 0
    with serving(tmp_path, CROUPIER_PORT="0", CROUPIER_STORE=store) as server:
        assert asyncio.run(resume(server.link.replace("http", "ws") + "ws", code, token)) >= 1


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        errors = _refused(tmp_path, "--port", str(port))
    assert f"127.0.0.1:{port}" in errors
    assert "in use" in errors
    assert not (tmp_path / "croupier.db").exists(), "the store is not touched"


@pytest.mark.parametrize(
    ("options", "environment", "named"),
    [
        (("--host", "no.such.host.invalid"), {}, "no.such.host.invalid"),
        (("--store", "mysql://x", "--port", "0"), {}, "mysql://x"),
        (("--config", "no-such-file.toml"), {}, "no-such-file.toml"),
        ((), {"CROUPIER_PROT": "8021"}, "CROUPIER_PROT"),
    ],
)
def test_what_is_wrong_is_named(
    options: tuple[str, ...], environment: dict[str, str], named: str, tmp_path: Path
) -> None:
    assert named in _refused(tmp_path, *options, **environment)


@pytest.mark.parametrize(
    ("options", "environment", "named"),
    [
        (("--port", "70000"), {}, "--port"),
        (("--lang", "fr"), {}, "--lang"),
        (("--log", "xml"), {}, "--log"),
        (("--origins", "example.org"), {}, "--origins"),
        (("--bot-delay-seconds", "-1"), {}, "--bot-delay-seconds"),
        (("--deck-count", "9"), {}, "--deck-count: Expected `int` <= 8; allowed: 1 to 8"),
        (("--dealer-stand-score", "22"), {}, "--dealer-stand-score: Expected `int` <= 21; allowed: 12 to 21"),
        (("--min-players-to-start", "1"), {}, "--min-players-to-start: Expected `int` >= 2; allowed: 2 to 200"),
        (("--hub-enums", "words"), {}, "--hub-enums: Invalid enum value 'words'; allowed: names, numbers"),
        (("--min-name-length", "30"), {}, "min_name_length: 30 is more than max_name_length: 20"),
        ((), {"CROUPIER_MAX_NAME_LENGTH": "0"}, "CROUPIER_MAX_NAME_LENGTH: Expected `int` >= 1; allowed: 1 to 100"),
        ((), {"CROUPIER_DECK_COUNT": "four"}, "CROUPIER_DECK_COUNT"),
        ((), {"CROUPIER_PORT": "many"}, "CROUPIER_PORT"),
        ((), {"CROUPIER_LIMITS_ROOMS_MAX": "0"}, "CROUPIER_LIMITS_ROOMS_MAX"),
        ((), {"CROUPIER_LIMITS_ROOMS": "1"}, "CROUPIER_LIMITS_ROOMS"),
        ((), {"CROUPIER_LIMITS_IDLE_SECONDS": "nan"}, "CROUPIER_LIMITS_IDLE_SECONDS"),
    ],
)
def test_a_setting_that_is_wrong_is_named_before_anything_starts(
    options: tuple[str, ...], environment: dict[str, str], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process: to start another one would take longer than all else."""

    def starts(serving: Coroutine[Any, Any, object]) -> None:
        serving.close()
        raise AssertionError("the server was started")

    monkeypatch.setattr(uvloop, "run", starts)
    wished = _environment(tmp_path, **environment)
    unset = dict.fromkeys(name for name in os.environ if name not in wished)
    done = CliRunner().invoke(app, ["serve", *options], env={**unset, **wished})
    assert (done.exit_code, done.stdout) == (2, ""), done.exception
    assert named in done.stderr


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("prot = 1", "prot"),
        ("port = 'x'", "port"),
        ("limits = 3", "limits"),
        ("[limits]\nrooms = 1", "limits.rooms"),
        ("[limits]\nrooms_max = -1", "limits.rooms_max"),
        ("port = 1\nhost = ?", "line 2"),
        ("lang = 'fr'", "lang"),
        ("origins = ['x']", "origins"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_the_file(content: str, named: str, tmp_path: Path) -> None:
    file = tmp_path / "room.toml"
    file.write_text(content)
    with pytest.raises(SettingsError) as wrong:
        load({}, {}, file)
    assert str(file) in str(wrong.value)
    assert named in str(wrong.value)


def test_every_setting_can_be_an_option_a_variable_or_in_a_file(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "host": "::1",
        "port": 0,
        "store": "memory:",
        "dealer_key": "secret",
        "deck_count": 6,
        "dealer_stand_score": 16,
        "min_players_to_start": 3,
        "min_name_length": 2,
        "max_name_length": 12,
        "hub_enums": "names",
        "lang": "ko",
        "origins": ["https://a.example", "https://b.example:8443"],
        "nodes": ["https://one.example", "https://two.example:8443"],
        "proxies": ["10.0.0.1"],
        "hosts": ["cards.example"],
        "metrics_token": "secret",
        "metrics_from": ["10.0.0.0/8"],
        "access_log": True,
        "workers": 3,
        "log": "json",
        "bot_delay_seconds": 0.25,
        "close_empty_hours": 72,
        "games": ["sequence"],
    }
    limits = {name: getattr(Limits(), name) * 2 for name in Limits.__struct_fields__}
    assert {*given, "limits"} == set(Settings.__struct_fields__)
    variables = {
        f"CROUPIER_{name.upper()}": " ".join(value) if isinstance(value, list) else str(value)
        for name, value in given.items()
    }
    limit_variables = {f"CROUPIER_LIMITS_{name.upper()}": str(value) for name, value in limits.items()}
    lines = [f"{name} = {json.dumps(value)}" for name, value in given.items()]
    file = tmp_path / "room.toml"
    file.write_text("\n".join([*lines, "[limits]", *(f"{name} = {value}" for name, value in limits.items())]))
    from_file = load({}, {}, file)
    assert from_file == load({}, {**variables, **limit_variables}) == load(given, limit_variables)
    assert msgspec.json.decode(msgspec.json.encode(from_file)) == {**given, "limits": limits}
    help_text = subprocess.run([*CROUPIER, "--help"], capture_output=True, text=True, check=True).stdout
    assert "--metrics-token" not in help_text, "a secret never stands on a command line"
    assert "CROUPIER_METRICS_TOKEN" in "".join(help_text.split())
    for name in given.keys() - {"metrics_token"}:
        assert f"--{name.replace('_', '-')}" in help_text


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_tells_the_range_and_the_default_of_the_classroom_s_options(language: str) -> None:
    fields = {field.name: field for field in msgspec.inspect.type_info(Settings).fields}  # type: ignore[attr-defined]
    for name in ("deck_count", "dealer_stand_score", "min_players_to_start", "min_name_length", "max_name_length"):
        told = [int(number) for number in re.findall(r"\d+", text(language, f"cli.serve.{name}"))]
        assert told == [fields[name].type.ge, fields[name].type.le, fields[name].default], name
    for choice in ("numbers", "names"):
        assert choice in text(language, "cli.serve.hub_enums")


def test_the_classroom_is_set_up_as_the_settings_say() -> None:
    room = classroom(Settings(), "the key")
    assert (room.rules, room.players_min) == (CLASSROOM, 2)
    assert (room.name_length_min, room.name_length_max) == (1, 20)
    options = {"deck_count": 2, "dealer_stand_score": 15, "min_players_to_start": 5}
    room = classroom(Settings(**options, min_name_length=2, max_name_length=8), "the key")
    assert (room.rules.decks, room.rules.dealer_stands_on, room.players_min) == (2, 15, 5)
    assert (room.name_length_min, room.name_length_max) == (2, 8)
    assert room.dealer_key.open() == "the key"


def test_an_option_wins_over_a_variable_and_that_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "room.toml"
    file.write_text("port = 1\nlang = 'ko'\nhost = 'a'\n[limits]\nrooms_max = 5\nlags_max = 6")
    environment = {"CROUPIER_PORT": "2", "CROUPIER_LANG": "ru_RU", "CROUPIER_LIMITS_ROOMS_MAX": "7"}
    settings = load({"port": 3, "host": None}, environment, file)
    assert (settings.port, settings.lang, settings.host) == (3, "ru", "a")
    assert (settings.limits.rooms_max, settings.limits.lags_max) == (7, 6)


def test_settings_show_no_key() -> None:
    assert "secret" not in repr(Settings(dealer_key="secret"))


def test_links_lead_somewhere() -> None:
    assert link("127.0.0.1", 8021) == "http://127.0.0.1:8021/"
    assert link("::1", 80) == "http://[::1]:80/"
    assert not link("0.0.0.0", 80).startswith("http://0.0.0.0")


def test_json_logs_are_an_object_a_line_and_name_no_secret(tmp_path: Path) -> None:
    """A store that breaks under the server gives log lines; the tokens and names around it are not in them."""

    async def visit(url: str) -> list[str]:
        async with Client(url, nickname="Annabella") as ann:
            room = await ann.create("sequence")
            await asyncio.to_thread(_spoil, tmp_path / "rooms.db")
            for _ in range(3):
                with pytest.raises(Exception, match=r"STORE_FAILED|FAILED|BUSY"):
                    await room.command("PLAYER_READY_SET", ready=True)
            return [ann.token, "Annabella"]

    options = (
        "--port",
        "0",
        "--log",
        "json",
        "--store",
        f"sqlite:///{tmp_path}/rooms.db",
        "--dealer-key",
        "k3y-of-class",
    )
    with serving(tmp_path, *options) as server:
        secrets = asyncio.run(visit(server.link.replace("http", "ws") + "ws"))
        assert httpx.get(f"{server.link}healthz").status_code == 503
        code, errors = server.stop(signal.SIGTERM)
    assert code == 0, errors
    lines = [json.loads(line) for line in errors.splitlines()]
    assert lines
    assert all({"at", "level", "part", "message"} <= set(line) for line in lines)
    assert not [secret for secret in (*secrets, "k3y-of-class") if secret in errors]


def _spoil(database: Path) -> None:
    """Overwrites the database as a failing disk would."""
    for file in database.parent.glob(f"{database.name}*"):
        file.write_bytes(b"\0" * max(65_536, file.stat().st_size))
    time.sleep(0.1)
