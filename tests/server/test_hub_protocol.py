"""The SignalR JSON hub protocol on a real socket: negotiation, handshake, records, completions, pings and ends."""

import asyncio
import json
import random
import socket

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from croupier.locales import text
from croupier.server.signalr.limits import Limits
from croupier.server.signalr.protocol import EndedError, Records
from tests.server.hub_room import KEY, SEPARATOR, Client, Room, asynchronous, brisk, class_of, client, served


async def negotiated(room: Room, query: str = "?negotiateVersion=1", **headers: str) -> httpx.Response:
    async with httpx.AsyncClient() as http:
        return await http.post(f"{room.url}/negotiate{query}", headers=headers)


async def refused_with(room: Room, query: str, **options: object) -> int:
    with pytest.raises(InvalidStatus) as refused:
        async with Client(room, query, **options):
            pass
    return refused.value.response.status_code


@asynchronous
async def test_version_1_gives_a_public_id_and_a_secret_token_that_opens_the_connection() -> None:
    async with served() as room:
        answer = (await negotiated(room)).json()
        assert answer["negotiateVersion"] == 1
        transports = ["WebSockets", "ServerSentEvents", "LongPolling"]
        assert answer["availableTransports"] == [
            {"transport": transport, "transferFormats": ["Text"]} for transport in transports
        ]
        assert answer["connectionId"] != answer["connectionToken"]
        async with client(room, f"?id={answer['connectionToken']}") as ann:
            await ann.invoke("Join", "ann", "")
            assert ann.heard[0][1]["players"][0]["playerId"] == answer["connectionId"]
            assert await refused_with(room, f"?id={answer['connectionToken']}") == 409
        assert await refused_with(room, f"?id={answer['connectionId']}") == 404, "others know the id"


@asynchronous
async def test_without_a_version_the_id_itself_opens_the_connection() -> None:
    async with served() as room:
        answer = (await negotiated(room, "")).json()
        assert answer["negotiateVersion"] == 0
        assert "connectionToken" not in answer
        async with client(room, f"?id={answer['connectionId']}"):
            pass


@asynchronous
async def test_a_newer_version_is_answered_with_ours_and_nonsense_is_refused() -> None:
    async with served() as room:
        assert (await negotiated(room, "?negotiateVersion=7")).json()["negotiateVersion"] == 1
        for wish in ("x", "-1", "1.5", "9" * 5000):
            assert (await negotiated(room, f"?negotiateVersion={wish}")).status_code == 400


@asynchronous
async def test_a_token_that_is_unknown_or_old_is_not_found() -> None:
    async with served(limits=brisk()) as room:
        assert await refused_with(room, "?id=unknown") == 404
        token = (await negotiated(room)).json()["connectionToken"]
        await asyncio.sleep(0.25)
        assert await refused_with(room, f"?id={token}") == 404


@asynchronous
async def test_beyond_the_cap_the_oldest_negotiation_is_forgotten() -> None:
    async with served(limits=Limits(negotiated_max=2)) as room:
        first, _, third = [(await negotiated(room)).json()["connectionToken"] for _ in range(3)]
        assert await refused_with(room, f"?id={first}") == 404
        async with client(room, f"?id={third}"):
            pass


@asynchronous
async def test_a_full_table_says_so_and_takes_the_next_when_somebody_goes() -> None:
    async with served(limits=Limits(connections_max=1)) as room:
        async with client(room):
            assert "full" in (await negotiated(room)).json()["error"]
            assert await refused_with(room, "") == 503
        async with asyncio.timeout(5):
            while "error" in (await negotiated(room)).json():
                await asyncio.sleep(0.01)


@asynchronous
async def test_pages_of_another_origin_are_refused_unless_they_are_allowed() -> None:
    page = "https://school.example"
    async with served() as room:
        assert (await negotiated(room, origin=page)).status_code == 403
        assert await refused_with(room, "", origin=page) == 403
        async with client(room, origin=f"http://127.0.0.1:{room.port}"):
            pass
    async with served(allows_origin=lambda connection: connection.headers.get("origin") == page) as room:
        answer = await negotiated(room, origin=page)
        assert answer.headers["access-control-allow-origin"] == page
        assert answer.headers["access-control-allow-credentials"] == "true"
        async with httpx.AsyncClient() as http:
            asked = await http.options(f"{room.url}/negotiate", headers={"origin": page})
        assert "x-signalr-user-agent" in asked.headers["access-control-allow-headers"]
        async with client(room, origin=page):
            pass


@pytest.mark.parametrize(
    ("protocol", "version", "named"), [("messagepack", 1, "'messagepack'"), ("json", 2, "Version 2"), ("", 1, "''")]
)
@asynchronous
async def test_a_handshake_for_something_else_is_answered_with_an_error(
    protocol: str, version: int, named: str
) -> None:
    async with served() as room, Client(room) as ann:
        answer = await ann.shake_hands(protocol, version)
        assert named in answer["error"]
        assert await ann.ended() == ({}, 1002)


@pytest.mark.parametrize("first", ['{"type":6}', "", "[]", "nonsense", '{"protocol":1,"version":1}', '{"a":' * 5000])
@asynchronous
async def test_a_first_message_that_is_no_handshake_ends_the_connection(first: str) -> None:
    async with served() as room, Client(room) as ann:
        await ann.websocket.send(first + SEPARATOR)
        assert "handshake" in (await ann.next())["error"]
        assert await ann.ended() == ({}, 1002)


@asynchronous
async def test_a_client_that_does_not_shake_hands_in_time_is_told_so() -> None:
    async with served(limits=brisk()) as room, Client(room) as ann:
        assert "0.2 s" in (await ann.next())["error"]
        assert await ann.ended() == ({}, 1008)


@asynchronous
async def test_nothing_is_heard_before_the_handshake() -> None:
    async with served() as room, Client(room) as late, class_of(room, "ann"):
        assert await late.shake_hands() == {}


@asynchronous
async def test_records_may_share_a_frame_and_a_record_may_span_frames() -> None:
    async with served() as room, Client(room) as ann:
        joining = {"type": 1, "invocationId": "j", "target": "Join", "arguments": ["ann", ""]}
        await ann.send({"protocol": "json", "version": 1}, {"type": 6}, joining)
        assert await ann.next() == {}
        assert (await ann.next())["target"] == "OnStateChanged"
        assert await ann.next() == {"type": 3, "invocationId": "j", "result": None}
        leaving = json.dumps({"type": 1, "invocationId": "l", "target": "Leave", "arguments": []}) + SEPARATOR
        for character in leaving:
            await ann.websocket.send(character)
        assert (await ann.next())["target"] == "OnStateChanged"
        assert (await ann.next())["invocationId"] == "l"


@asynchronous
async def test_binary_frames_are_read_like_text() -> None:
    async with served() as room, Client(room) as ann:
        await ann.websocket.send(b'{"protocol":"json","version":1}\x1e')
        assert await ann.next() == {}


@asynchronous
async def test_a_call_without_an_id_is_done_and_never_answered() -> None:
    async with served() as room, client(room) as ann:
        await ann.send({"type": 1, "target": "Join", "arguments": ["ann", None]})
        await ann.send({"type": 1, "target": "NoSuchMethod", "arguments": []})
        await ann.send({"type": 1, "target": "Join", "arguments": []})
        await ann.send({"type": 1, "target": "Stand", "arguments": []})
        assert (await ann.next())["target"] == "OnStateChanged"
        assert (await ann.next())["arguments"][0] == "GAME_NOT_INROUND"
        assert (await ann.invoke("Leave"))["result"] is None
        assert [heard[0] for heard in ann.heard] == ["OnStateChanged", "OnError", "OnStateChanged"]


@pytest.mark.parametrize(
    ("target", "arguments", "named"),
    [
        ("Deal", [], "no such method"),
        ("x" * 5000, [], "no such method"),
        ("Join", [], "takes 2 arguments, not 0"),
        ("Join", ["ann"], "takes 2 arguments, not 1"),
        ("Hit", [1], "takes 0 arguments, not 1"),
        ("Join", [7, ""], "argument 1"),
        ("Join", ["ann", {"key": 1}], "argument 2"),
        ("Join", [["ann"], ""], "argument 1"),
    ],
)
@asynchronous
async def test_a_call_that_fits_no_method_completes_with_an_error_and_changes_nothing(
    target: str, arguments: list[object], named: str
) -> None:
    async with served() as room, client(room) as ann:
        completion = await ann.invoke(target, *arguments)
        assert named in completion["error"]
        assert len(completion["error"]) < 300
        assert "result" not in completion
        assert ann.heard == []
        assert await ann.errors("Join", "ann", "") == [], "the connection goes on"


@asynchronous
async def test_method_names_are_read_in_any_case() -> None:
    async with served() as room, client(room) as ann:
        assert await ann.errors("join", "ann", None) == []
        assert await ann.errors("STARTROUND") == ["NOT_DEALER"]


@asynchronous
async def test_streams_are_answered_with_an_error_and_what_answers_nothing_is_passed_over() -> None:
    async with served() as room, client(room) as ann:
        await ann.send(
            {"type": 5, "invocationId": "9"},
            {"type": 2, "invocationId": "9", "item": 1},
            {"type": 3, "invocationId": "9", "result": 1},
            {"type": 8, "sequenceId": 1},
            {"type": 99, "from": "the future"},
            {"type": 4, "invocationId": "s", "target": "Join", "arguments": ["ann", ""], "headers": {"a": "b"}},
        )
        answer = await ann.next()
        assert (answer["type"], answer["invocationId"]) == (3, "s")
        assert "streams" in answer["error"]


@pytest.mark.parametrize(
    "record",
    [
        "nonsense",
        "",
        "[1]",
        "null",
        '"text"',
        '{"target":"Join"}',
        '{"type":"1","target":"Hit","arguments":[]}',
        '{"type":1e400,"target":"Hit"}',
        '{"type":1,"target":7,"arguments":[]}',
        '{"type":1,"arguments":[]}',
        '{"type":1,"target":"Hit","arguments":{}}',
        '{"type":1,"invocationId":5,"target":"Hit","arguments":[]}',
        '{"type":1,"target":"Join","arguments":' + "[" * 30000,
        '{"type":1,"target":"Join","arguments":["\\ud800",""]}',
    ],
)
@asynchronous
async def test_what_is_no_message_ends_the_connection_with_the_reason(record: str) -> None:
    async with served() as room, client(room) as ann, client(room) as bob:
        await ann.websocket.send(record + SEPARATOR)
        closing, code = await ann.ended()
        assert (closing["type"], code) == (7, 1002)
        assert closing["error"]
        assert "allowReconnect" not in closing
        assert await bob.errors("Join", "bob", "") == [], "nobody else is disturbed"


@asynchronous
async def test_what_came_before_a_fault_in_the_same_frame_is_answered_first() -> None:
    async with served() as room, client(room) as ann:
        calling = json.dumps({"type": 1, "invocationId": "1", "target": "Hit", "arguments": []})
        await ann.websocket.send(SEPARATOR.join((calling, "nonsense", "")))
        assert (await ann.next())["arguments"][0] == "NOT_JOINED"
        assert (await ann.next())["type"] == 3
        assert (await ann.next())["type"] == 7


@pytest.mark.parametrize("frames", [1, 2])
@asynchronous
async def test_an_oversized_message_ends_the_connection_whether_in_one_frame_or_in_many(frames: int) -> None:
    async with served() as room, client(room) as ann:
        message = json.dumps({"type": 1, "target": "Join", "arguments": ["a" * 65_536, ""]}) + SEPARATOR
        size = -(-len(message) // frames)
        for start in range(0, len(message), size):
            await ann.websocket.send(message[start : start + size])
        closing, code = await ann.ended()
        assert "65536 bytes" in closing["error"]
        assert code == 1009


@asynchronous
async def test_a_message_of_just_the_largest_size_is_read() -> None:
    async with served() as room, client(room) as ann:
        call = {"type": 1, "invocationId": "1", "target": "Join", "arguments": ["", ""]}
        call["arguments"] = ["a" * (65_535 - len(json.dumps(call))), ""]
        await ann.send(call)
        assert (await ann.next())["arguments"][0] == "INVALID_NAME"


def test_records_are_cut_the_same_wherever_the_frames_begin_and_end() -> None:
    whole = b"one\x1e\x1etwo\x1ethree\x1e"
    source = random.Random(5)
    for _ in range(200):
        cuts = sorted(source.choices(range(len(whole) + 1), k=4))
        records = Records(bytes_max=20)
        frames = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
        assert [record for frame in frames for record in records.feed(frame)] == [b"one", b"", b"two", b"three"]
    with pytest.raises(EndedError):
        [records.feed(b"12345678901") for _ in range(2)]


@asynchronous
async def test_an_idle_client_is_pinged_and_one_that_pings_stays() -> None:
    limits = brisk(keep_alive_seconds=0.1, client_timeout_seconds=0.4)
    async with served(limits=limits) as room, client(room) as ann:
        for _ in range(8):
            assert await ann.next() == {"type": 6}
            await ann.send({"type": 6})
        assert await ann.errors("Join", "ann", "") == []


@asynchronous
async def test_a_client_that_says_nothing_for_too_long_has_left_and_may_come_back() -> None:
    async with served(limits=brisk(keep_alive_seconds=5, client_timeout_seconds=0.4)) as room:
        async with client(room) as ann:
            await ann.invoke("Join", "ann", "")
            closing, code = await ann.ended()
            assert closing["allowReconnect"] is True
            assert "0.4 s" in closing["error"]
            assert code == 1008
        assert room.table.view.players == ()


@asynchronous
async def test_a_client_that_says_goodbye_gets_a_plain_close_and_has_left() -> None:
    async with served() as room, class_of(room, "ann") as (dealer, ann):
        await ann.send({"type": 7})
        assert await ann.ended() == ({"type": 7}, 1000)
        (state,) = await dealer.hears("OnStateChanged")
        assert [player["name"] for player in state["players"]] == ["dealer"]


@asynchronous
async def test_a_connection_that_breaks_off_has_left() -> None:
    async with served() as room, class_of(room, "ann") as (dealer, ann):
        ann.websocket.transport.abort()
        (state,) = await dealer.hears("OnStateChanged")
        assert [player["name"] for player in state["players"]] == ["dealer"]


@asynchronous
async def test_a_round_that_cannot_be_stored_fails_the_call_and_the_next_try_succeeds() -> None:
    async with served() as room, class_of(room, "ann") as (dealer, ann):
        await dealer.invoke("StartRound")
        await ann.hears("OnStateChanged")
        room.store_is_broken = True
        assert "stored" in (await ann.invoke("Stand"))["error"]
        room.store_is_broken = False
        assert await ann.errors("Stand") == []
        assert [state["phase"] for _, state in ann.heard] == [1, 0], "InRound, then Idle"


@asynchronous
async def test_a_table_that_has_closed_sends_its_clients_away_to_come_back_later() -> None:
    async with served() as room, client(room) as ann:
        await room.table.__aexit__(None, None, None)
        await ann.send({"type": 1, "invocationId": "1", "target": "Join", "arguments": ["ann", None]})
        closing, code = await ann.ended()
        assert closing == {"type": 7, "error": "The server is stopping.", "allowReconnect": True}
        assert code == 1001


@asynchronous
async def test_a_client_that_does_not_read_is_dropped_and_nobody_waits_for_it() -> None:
    async with served(limits=Limits(closing_seconds=0.2, messages_waiting_max=32)) as room, client(room) as reader:
        with socket.socket() as narrow:
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            narrow.connect(("127.0.0.1", room.port))
            async with client(room, sock=narrow, compression=None) as slow:
                await slow.invoke("Join", "slow", "")
                slow.websocket.transport.pause_reading()
                for number in range(100):
                    await room.table.join(f"seat {number}", "a name of 20 letters", "")
                told = 101
                while any(player.name == "slow" for player in room.table.view.players):
                    assert told < 20_000, "the slow client still has its seat"
                    await room.table.leave("seat 0")
                    await room.table.join("seat 0", "a name of 20 letters", "")
                    told += 2
                slow.websocket.transport.abort()
        for _ in range(told):
            await reader.hears("OnStateChanged")
        assert await reader.errors("Join", "reader", "") == []


@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        ("", "", "en"),
        ("?lang=ko", "ru", "ko"),
        ("?lang=tlh", "ru-RU,en;q=0.5", "ru"),
        ("", "fr, zh-CN;q=0.7, en;q=0.3", "zh"),
        ("", "de;q=x,,;q=1", "en"),
    ],
)
@asynchronous
async def test_errors_come_in_the_language_of_the_client(query: str, header: str, language: str) -> None:
    headers = {"Accept-Language": header} if header else {}
    async with served() as room, client(room, query, additional_headers=headers) as ann:
        await ann.invoke("Hit")
        assert ann.heard == [("OnError", "NOT_JOINED", text(language, "code.NOT_JOINED"))]


@asynchronous
async def test_the_language_of_the_server_is_for_those_who_wish_for_none() -> None:
    async with served(language="ko") as room, client(room) as ann:
        await ann.invoke("Join", "", "")
        assert ann.heard == [("OnError", "INVALID_NAME", text("ko", "code.INVALID_NAME", low=1, high=20))]


async def _storm(frames: int) -> None:
    source = random.Random(19)
    alphabet = ['"', "{", "}", "[", "]", ":", ",", "1", "type", '"target"', '"Join"', "null", SEPARATOR, "é", "\\", "-"]
    async with served() as room, client(room) as calm:
        await calm.invoke("Join", "calm", KEY)
        for number in range(frames):
            if number % 100 == 0:
                assert await calm.errors("Hit") == ["GAME_NOT_INROUND"]
            async with Client(room) as wild:
                if source.random() < 0.8:
                    await wild.shake_hands()
                kind = source.randrange(3)
                if kind == 0:
                    await wild.websocket.send(source.randbytes(source.randrange(200)) + b"\x1e")
                elif kind == 1:
                    await wild.websocket.send("".join(source.choices(alphabet, k=30)) + SEPARATOR)
                else:
                    odd = [None, -1, 10**30, "Join", [[]], {"a": {}}, True, 1.5]
                    await wild.send({name: source.choice(odd) for name in ("type", "target", "arguments")})
        assert await calm.errors("Hit") == ["GAME_NOT_INROUND"]
        assert [player.name for player in room.table.view.players] == ["calm"]


@asynchronous
async def test_malformed_frames_disturb_nobody() -> None:
    await _storm(300)


@pytest.mark.soak
@asynchronous
async def test_many_malformed_frames_disturb_nobody() -> None:
    await _storm(10_000)
