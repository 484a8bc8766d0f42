"""What is served over plain HTTP: the page, health, figures, lists, records, hand histories; each with safe headers."""

import asyncio
import csv
import re
import threading
from random import Random
from typing import Any

import httpx
import pytest
import segno

from croupier.clients.connection import RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.games.poker.histories.phh import PhhHand, read, replay
from croupier.server import qr_codes
from croupier.server.headers import DOCUMENT_HEADERS, SECURITY_HEADERS
from croupier.server.replays import PICTURES_OF_CALLER_MAX
from croupier.server.web_files import MEDIA_TYPES, web_files
from croupier.store.memory import MemoryStore
from croupier.store.port import StoreError
from croupier.wire.records import verify
from tests.server.hub_room import Client as HubClient
from tests.server.hub_room import asynchronous
from tests.server.live import ENDPOINTS, Live, live, suppress_codes

SOFT = ("HOLDEM_FOLD", "HOLDEM_CHECK", "HOLDEM_CALL", "HOLDEM_SHOW")


class BrokenStore(MemoryStore):
    """A store that stops answering when it is told to."""

    broken = False
    raises: type[Exception] = StoreError

    async def tables(self, *arguments: Any, **named: Any) -> Any:
        if self.broken:
            raise self.raises("the disk in slot 3 is gone")
        return await super().tables(*arguments, **named)

    async def table(self, table: str) -> Any:
        if self.broken:
            raise self.raises("the disk in slot 3 is gone")
        return await super().table(table)


def _headers_are_safe(answer: httpx.Response) -> None:
    for name, value in SECURITY_HEADERS:
        found = answer.headers.get(name.decode())
        if name in DOCUMENT_HEADERS and answer.headers["content-type"].startswith(("text/javascript", "text/css")):
            assert found is None, answer.url
        elif name == b"cache-control":
            assert found in ("no-store", "no-cache"), answer.url
        else:
            assert found == value.decode(), f"{name.decode()} of {answer.url}"


async def _played(server: Live, game: str, preset: str, hands: int = 2) -> tuple[Any, list[Any]]:
    """A room after some rounds, and its players."""
    clients = [await server.client(f'"{name}" \\ n').__aenter__() for name in ("Ann", "Bob", "Cai")]
    host = await clients[0].create(game, preset=preset, options={"pauseSeconds": 0, "listed": True})
    rooms = [host, *[await client.join(host.code) for client in clients[1:]]]
    for room in rooms[1:]:
        await room.command("PLAYER_READY_SET", ready=True)
    await host.command("HOST_START_GAME")

    def until(room: RoomHandle) -> bool:
        public = room.state["public"]
        waits_for_chips = room.phase == "playing" and not public["turn"] and public["deadlineMs"] is None
        return bool(public["phase"] == "ended" or public["hand"] > hands or waits_for_chips)

    async with asyncio.timeout(60):
        await asyncio.gather(*(_play_softly(room, Random(f"http{n}"), until) for n, room in enumerate(rooms)))
    return host, clients


async def _play_softly(room: Any, random: Random, until: Any) -> None:
    """Folds, checks and calls, so that everybody has chips for some hands."""
    while not until(room):
        await room.wait(lambda r: r.menu or until(r))
        soft = [offer["action"] for offer in room.menu if offer["action"]["type"] in SOFT]
        if soft and not until(room):
            with suppress_codes("STALE_VERSION", "NOT_YOUR_TURN", "ROUND_OVER"):
                version = await room.act(random.choice(soft))
                await room.wait(lambda r, seen=version: r.version >= seen)


async def _leave(clients: list[Any]) -> None:
    for client in clients:
        await client.__aexit__(None, None, None)


@asynchronous
async def test_every_answer_has_safe_headers_and_head_works_wherever_get_does() -> None:
    async with (
        live() as server,
        server.client("Ann") as ann,
        httpx.AsyncClient(base_url=server.link, timeout=60) as http,
    ):
        code = (await ann.create("poker")).code
        for endpoint in ENDPOINTS:
            path = re.sub(
                r"\{(\w+)[^}]*\}",
                lambda found: {"code": code, "language": "en"}.get(found[1], "index.html"),
                endpoint.path,
            )
            if endpoint.method == "POST":
                _headers_are_safe(await http.post(path))
                continue
            got = await http.get(path, headers={"authorization": f"Bearer {ann.token}"})
            # An address that needs a question says so when there is none.
            assert got.status_code == 200 or got.status_code in {400} & set(endpoint.statuses), path
            _headers_are_safe(got)
            head = await http.head(path, headers={"authorization": f"Bearer {ann.token}"})
            assert (head.status_code, head.content) == (got.status_code, b""), path
            assert head.headers["content-type"] == got.headers["content-type"]
        for path, status in (
            ("/nothing", 404),
            ("/api/rooms/AAAAAA/records.jsonl", 404),
            ("/api/casino/records.jsonl", 401),
        ):
            answer = await http.get(path)
            assert answer.status_code == status
            assert answer.headers["content-type"] == "application/json"
            assert set(answer.json()) == {"code", "message", "facts"}
            _headers_are_safe(answer)
        wrong = await http.delete("/api/rooms", headers={"accept-language": "ko"})
        assert (wrong.status_code, wrong.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
        assert "GET" in wrong.headers["allow"]
        assert "없" in wrong.json()["message"]
        _headers_are_safe(wrong)


@asynchronous
async def test_a_failing_store_is_not_healthy_and_says_nothing_of_its_inside() -> None:
    store = BrokenStore()
    async with live(store) as server, httpx.AsyncClient(base_url=server.link, timeout=60) as http:
        assert ((await http.get("/healthz")).status_code, (await http.get("/healthz")).json()) == (200, {"ok": True})
        store.broken = True
        answer = await http.get("/healthz")
        assert (answer.status_code, answer.json()) == (503, {"ok": False})
        failed = await http.get("/api/rooms")
        assert (failed.status_code, failed.json()["code"]) == (503, "STORE_FAILED")
        _headers_are_safe(failed)
        store.raises = ZeroDivisionError
        bug = await http.get("/api/rooms")
        assert (bug.status_code, bug.json()["code"]) == (500, "FAILED")
        _headers_are_safe(bug)
        assert "slot 3" not in answer.text + failed.text + bug.text
        store.broken = False
        assert (await http.get("/healthz")).status_code == 200


@asynchronous
async def test_figures_count_rooms_connections_commands_refusals_and_commits() -> None:
    async with (
        live() as server,
        server.client("Ann") as ann,
        httpx.AsyncClient(base_url=server.link, timeout=60) as http,
    ):
        room = await ann.create("sequence")
        await room.command("PLAYER_READY_SET", ready=True)
        for kind in ("HOST_START_GAME", "HOST_REMATCH"):
            with pytest.raises(Exception, match=r"TOO_FEW|NOT_"):
                await room.command(kind)
        with pytest.raises(Exception, match="BAD_MESSAGE"):
            await ann.request("NO_SUCH_TYPE")
        answer = await http.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain")
        metrics = dict(re.findall(r"^(croupier_\S+) (\S+)$", answer.text, re.MULTILINE))
        assert metrics['croupier_tables{kind="room"}'] == "1.0"
        assert metrics["croupier_connections"] == "1.0"
        assert float(metrics['croupier_commands_total{kind="room"}']) == 2
        assert metrics['croupier_refusals_total{code="BAD_MESSAGE"}'] == "1.0"
        assert sum(float(value) for name, value in metrics.items() if name.startswith("croupier_refusals_total")) == 3
        assert float(metrics["croupier_commit_seconds_count"]) >= 2
        assert ann.token not in answer.text


@asynchronous
async def test_figures_count_the_casino_and_the_classroom_too() -> None:
    async with (
        live() as server,
        server.client("Ann") as ann,
        HubClient(server) as player,
        httpx.AsyncClient(base_url=server.link, timeout=60) as http,
    ):
        state = await ann.request("BLACKJACK_GET_STATE")
        bet = {"clientSeed": "my own seed", "gameParams": {"blackjack": {}}, "expectedVersion": state["version"]}
        with pytest.raises(RefusedError, match="BET_OUT_OF_RANGE"):
            await ann.request("PLACE_BET", amount=10**9, commandId="much", **bet)
        await ann.request("PLACE_BET", amount=10, commandId="little", **bet)
        with pytest.raises(RefusedError, match="INVALID_NAME"):
            await ann.request("CLASSROOM_JOIN", name="", dealerKey="")
        assert await player.shake_hands() == {}
        assert await player.errors("Join", "Bob", None) == []
        assert await player.errors("StartRound") == ["NOT_DEALER"]
        answer = await http.get("/metrics")
        metrics = dict(re.findall(r"^(croupier_\S+) (\S+)$", answer.text, re.MULTILINE))
        for name, wanted in (
            ('croupier_tables{kind="casino"}', 1),
            ('croupier_tables{kind="classroom"}', 1),
            ('croupier_tables{kind="room"}', 0),
            ("croupier_connections", 2),
            ('croupier_commands_total{kind="casino"}', 1),
            ('croupier_commands_total{kind="classroom"}', 1),
            ('croupier_commands_total{kind="room"}', 0),
            ('croupier_refusals_total{code="BET_OUT_OF_RANGE"}', 1),
            ('croupier_refusals_total{code="INVALID_NAME"}', 1),
            ('croupier_refusals_total{code="NOT_DEALER"}', 1),
            # The session was opened, and a bet was placed.
            ("croupier_commit_seconds_count", 2),
        ):
            assert float(metrics[name]) == wanted, name


@asynchronous
async def test_only_listed_rooms_are_listed() -> None:
    async with (
        live() as server,
        server.client("Ann") as ann,
        httpx.AsyncClient(base_url=server.link, timeout=60) as http,
    ):
        await ann.create("sequence")
        listed = await ann.create("poker", options={"listed": True})
        rooms = (await http.get("/api/rooms")).json()["rooms"]
        assert [room["roomCode"] for room in rooms] == [listed.code]
        assert ann.player_id not in str(rooms)


@asynchronous
async def test_records_show_each_caller_what_they_saw() -> None:
    async with live() as server, httpx.AsyncClient(base_url=server.link, timeout=60) as http:
        host, clients = await _played(server, "poker", "holdem")
        url = f"/api/rooms/{host.code}/records.jsonl"
        texts = [(await http.get(url)).text]
        texts += [(await http.get(url, headers={"authorization": f"Bearer {each.token}"})).text for each in clients]
        assert len(set(texts)) == 4
        for text in texts:
            verdict = verify(text.splitlines())
            assert verdict.findings == ()
            assert len(verdict.rounds) >= 2
        assert (await http.get(url.lower().replace("api", "api"))).status_code == 200, "codes are read in any case"
        for header in ("Bearer wrong", "Basic x", f"Bearer {clients[0].token}x", "Bearer"):
            refused = await http.get(url, headers={"authorization": header})
            assert (refused.status_code, refused.json()["code"]) == (401, "BAD_TOKEN")
        by_address = await http.get(url, params={"token": clients[0].token})
        assert by_address.text == texts[0], "a token in the address is not looked at"
        await _leave(clients)


@asynchronous
async def test_hand_histories_show_each_caller_their_own_cards_and_play_through_the_engine() -> None:
    async with live() as server, httpx.AsyncClient(base_url=server.link, timeout=60) as http:
        host, clients = await _played(server, "poker", "cash", hands=4)
        url = f"/api/rooms/{host.code}/hands.phhs"
        public = (await http.get(url)).text
        own = (await http.get(url, headers={"authorization": f"Bearer {clients[0].token}"})).text
        assert "????" in public
        assert own.count("????") < public.count("????")
        for text in (public, own):
            entries = list(read(text.splitlines(keepends=True)))
            assert [entry.name for entry in entries] == [str(number) for number in range(1, len(entries) + 1)]
            assert len(entries) >= 4
            for entry in entries:
                assert isinstance(entry.hand, PhhHand), entry
                assert set(entry.hand.players) == {'"Ann" \\ n', '"Bob" \\ n', '"Cai" \\ n'}
                assert replay(entry.hand).fault is None
        await _leave(clients)


@asynchronous
async def test_other_games_have_no_hand_histories() -> None:
    async with (
        live() as server,
        server.client("Ann") as ann,
        httpx.AsyncClient(base_url=server.link, timeout=60) as http,
    ):
        room = await ann.create("sequence")
        refused = await http.get(f"/api/rooms/{room.code}/hands.phhs")
        assert (refused.status_code, refused.json()["code"]) == (404, "NOT_HOLDEM")
        assert refused.json()["facts"] == {"room": room.code, "game": "sequence"}


@asynchronous
async def test_casino_records_are_the_caller_s_own_and_verify() -> None:
    async with (
        live() as server,
        server.client("Ann") as ann,
        httpx.AsyncClient(base_url=server.link, timeout=60) as http,
    ):
        state = await ann.request("BLACKJACK_GET_STATE")
        for number in range(3):
            ids = {"commandId": f"bet{number}", "expectedVersion": state["version"]}
            state = await ann.request(
                "PLACE_BET", amount=10, clientSeed="my own seed", gameParams={"blackjack": {}}, **ids
            )
            while state["status"] not in ("betting", "cashed_out"):
                kind = "BLACKJACK_INSURANCE" if state["canInsure"] else "BLACKJACK_STAND"
                state = await ann.request(kind, commandId=f"v{state['version']}", expectedVersion=state["version"])
        await ann.request("BLACKJACK_ROTATE_SEED", commandId="rotate", expectedVersion=state["version"])
        answer = await http.get("/api/casino/records.jsonl", headers={"authorization": f"Bearer {ann.token}"})
        verdict = verify(answer.text.splitlines())
        assert (verdict.findings, len(verdict.rounds)) == ((), 3)


@asynchronous
async def test_a_qr_code_holds_the_room_s_link_on_the_host_that_was_asked() -> None:
    async with (
        live(hosts=("cards.example",)) as server,
        server.client("Ann") as ann,
        httpx.AsyncClient(base_url=server.link, timeout=60) as http,
    ):
        room = await ann.create("sequence")
        answer = await http.get(f"/api/rooms/{room.code}/qr.svg", headers={"host": "cards.example"})
        assert answer.headers["content-type"] == "image/svg+xml"
        namespace = ' xmlns="http://www.w3.org/2000/svg"'
        drawn = segno.make(f"http://cards.example/room/{room.code}", error="m").svg_inline(scale=8, light="white")
        assert namespace in answer.text, "without it no browser shows the picture"
        assert answer.text.replace(namespace, "").strip() == drawn
        page = await http.get(f"/room/{room.code}")
        assert page.content == (await http.get("/")).content
        assert (await http.get("/api/rooms/AAAAAA/qr.svg")).status_code == 404


@asynchronous
async def test_nobody_waits_for_the_qr_codes_of_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """They can be asked for under ever new hosts, so that none is a kept one."""
    drawn = threading.Event()

    def drawing(link: str) -> bytes:
        assert drawn.wait(60)
        return link.encode()

    monkeypatch.setattr(qr_codes, "_picture", drawing)
    async with live() as server, httpx.AsyncClient(base_url=server.link, timeout=60) as http:

        async def ask(number: int) -> tuple[int, bytes]:
            answer = await http.get("/api/classroom/qr.svg", headers={"host": f"n{number}.localhost"})
            return answer.status_code, answer.content

        asked = [asyncio.create_task(ask(number)) for number in range(PICTURES_OF_CALLER_MAX)]
        try:
            while server.server.services.replays.waiting < PICTURES_OF_CALLER_MAX - 1:
                await asyncio.sleep(0.01)
            assert (await http.get("/healthz")).status_code == 200
            assert (await ask(9))[0] == 503
        finally:
            drawn.set()
        links = [(200, f"http://n{number}.localhost/#/classroom".encode()) for number in range(PICTURES_OF_CALLER_MAX)]
        assert await asyncio.gather(*asked) == links


@asynchronous
async def test_files_of_the_page_are_served_with_their_types_and_kept_while_they_do_not_change() -> None:
    async with live() as server, httpx.AsyncClient(base_url=server.link, timeout=60) as http:
        files = web_files()
        assert "index.html" in files
        for path, file in files.items():
            answer = await http.get(f"/{path}")
            assert answer.content == file.content
            assert answer.headers["content-type"] == MEDIA_TYPES[path.rpartition(".")[2]]
            assert answer.headers["cache-control"] == "no-cache"
        one_of_each_type = {file.media_type: (path, file) for path, file in files.items()}
        for path, file in one_of_each_type.values():
            again = await http.get(f"/{path}", headers={"if-none-match": f'"x", W/{file.tag}'})
            assert (again.status_code, again.content) == (304, b"")
            plain = await http.get(f"/{path}", headers={"accept-encoding": "identity"})
            assert plain.content == file.content


@pytest.mark.parametrize(
    "path",
    [
        *("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/css/../../app.py", "//etc/passwd", "/%2fetc/passwd"),
        *("/app.py", "/web/index.html", "/index.html%00", "/.", "/..", "/css", "/js/", "/INDEX.HTML", "/index.html/"),
    ],
)
@asynchronous
async def test_nothing_but_the_page_s_files_can_be_had(path: str) -> None:
    async with live() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 404 "), answer[:200]
        assert b"import" not in answer
        assert b"root:" not in answer


@asynchronous
async def test_the_door_tells_what_is_played_and_whether_there_is_a_seat() -> None:
    async with live() as server, httpx.AsyncClient(base_url=server.link) as http, server.client("Ann") as ann:
        room = await ann.create("poker", options={"seats": 2})
        door = (await http.get(f"/api/rooms/{room.code}")).json()
        assert (door["game"], door["hostName"], door["names"], door["sits"]) == ("poker", "Ann", ["Ann"], True)
        assert door["rules"]["big_blind"] == 10
        await room.command("HOST_ADD_BOT", bot="caller")
        await room.command("HOST_START_GAME")
        assert not (await http.get(f"/api/rooms/{room.code}")).json()["sits"]
        await room.command("HOST_SET_ENTRY", entry="approval")
        assert (await http.get(f"/api/rooms/{room.code}")).json()["names"] == [], "they stay inside"
        dead = await http.get("/api/rooms/AAAAAA")
        assert (dead.status_code, dead.json()["code"]) == (404, "NO_SUCH_ROOM")
        assert all("names" not in each for each in (await http.get("/api/rooms")).json()["rooms"])


@pytest.mark.parametrize(("language", "player"), [("en", "Player"), ("ru", "Игрок")])
def test_the_ledger_says_who_won_what_from_whom_and_no_name_computes(language: str, player: str) -> None:
    async def run() -> None:
        async with live() as server, httpx.AsyncClient(base_url=server.link, timeout=60) as http:
            host, clients = await _played(server, "poker", "cash", hands=3)
            answer = await http.get(f"/api/rooms/{host.code}/ledger.csv", headers={"accept-language": language})
            assert answer.headers["content-type"].startswith("text/csv")
            header, *rows = csv.reader(answer.content.decode("utf-8-sig").splitlines())
            assert header[0] == player
            assert header[3:] == [row[0] for row in rows], "everybody has a row and a column; nobody played a house"
            nets = {row[0]: int(row[2]) for row in rows}
            assert sum(nets.values()) == 0
            assert any(nets.values())
            for row in rows:
                assert sum(int(chips) for chips in row[3:] if chips) == int(row[2])
            await _leave(clients)

    asyncio.run(run())


def test_a_replay_tells_a_stranger_only_what_everybody_heard() -> None:
    async def run() -> None:
        async with live() as server, httpx.AsyncClient(base_url=server.link, timeout=60) as http:
            host, clients = await _played(server, "poker", "cash")
            address = f"/api/rooms/{host.code}/replay.json"
            told = (await http.get(address)).json()
            assert [each["hand"] for each in told["hands"]] == list(range(1, len(told["hands"]) + 1))
            assert all(each["own"] is None for each in told["hands"])
            heard = [event["type"] for each in told["hands"] for event in each["events"]]
            assert "HOLDEM_HAND_STARTED" in heard
            assert "HOLDEM_HOLE_CARDS" not in heard
            headers = {"authorization": f"Bearer {clients[1].token}"}
            mine = (await http.get(address, params={"hand": 2}, headers=headers)).json()["hands"]
            assert [each["hand"] for each in mine] == [2]
            own = [event for event in mine[0]["events"] if event["type"] == "HOLDEM_HOLE_CARDS"]
            assert [event["seat"] for event in own] == [mine[0]["own"]]
            await _leave(clients)

    asyncio.run(run())
