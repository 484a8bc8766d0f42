"""A client that sends what no client should: frames that are broken, false, stolen, huge or out of place."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.wire.schema import REQUESTS, json_schema

PATIENCE_SECONDS: Final = 20.0
BY_THEMSELVES: Final = (
    *("ROOM_STATE", "ROOM_STORY", "PRESENCE", "CHAT_SAID", "REACTION_SHOWN", "ROOM_CLOSED"),
    *("CLASSROOM_STATE", "CLASSROOM_NOTICE"),
)
"""Frames that answer nothing."""
CLOSES_TOO_BIG: Final = 1009
CLOSES_NOT_UTF8: Final = 1007
FRAME_BYTES_MAX: Final = 64 * 1024


class Sent(NamedTuple):
    """A frame, and what may come of it: a close code, and whether something else than an ERROR is an answer."""

    frame: str | bytes | list[str]
    closes: int = 0
    may_pass: bool = False
    as_text: bool = False
    """Bytes that claim to be text."""


class Victims(NamedTuple):
    """What a hostile client has found out about others, and about the past."""

    room_code: str
    member_ids: tuple[str, ...]
    version: int
    own_code: str


class Hostile:
    """Sends frames one at a time and holds the server to its word: for each an ERROR with a code, or a close code."""

    def __init__(self, url: str, random: Random, victims: Victims) -> None:
        self.codes: Counter[str] = Counter()
        self.heard: list[str] = []
        self._url = url
        self._random = random
        self._victims = victims
        self._kinds: list[Callable[[], Sent]] = [
            *(self._noise, self._bytes_as_text, self._binary, self._wrong_type, self._wrong_type, self._wrong_fields),
            *(self._huge_number, self._deep, self._of_others, self._repeated_keys, self._surrogate, self._too_big),
            *(self._fragments, self._second_hello, self._replay, self._old_version, self._control, self._cut_off),
            *(self._odd_type, self._flipped),
        ]

    async def attack(self, frames: int) -> None:
        """Sends so many frames, over as many connections as it takes."""
        sent = 0
        while sent < frames:
            async with connect(self._url, max_size=None, compression=None, ping_interval=None) as socket:
                try:
                    sent += await self._uninvited(socket)
                    await self._ask(socket, Sent(_text(type="HELLO", requestId="1", nickname="Mallory"), may_pass=True))
                    while sent < frames:
                        await self._ask(socket, self._random.choice(self._kinds)())
                        sent += 1
                except ConnectionClosed:
                    continue

    async def _uninvited(self, socket: ClientConnection) -> int:
        """What comes before a proper HELLO."""
        await self._ask(socket, Sent(_text(type="ROOM_LIST", requestId="1")))
        await self._ask(socket, Sent(_text(type="HELLO", requestId="1", token=f"{self._random.getrandbits(256):x}")))
        return 2

    async def _ask(self, socket: ClientConnection, sent: Sent) -> None:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                if sent.as_text:
                    await socket.send(sent.frame, text=True)
                else:
                    await socket.send(sent.frame)
                answer = await self._answer(socket)
        except ConnectionClosed:
            code = socket.close_code
            assert code == sent.closes, f"closed with {code} after {str(sent.frame)[:200]}"
            self.codes[str(code)] += 1
            raise
        except TimeoutError:
            raise AssertionError(f"no answer to {str(sent.frame)[:200]}") from None
        if answer["type"] != "ERROR":
            assert sent.may_pass, f"{answer['type']} came of {str(sent.frame)[:200]}"
            return
        self.codes[answer["code"]] += 1
        assert answer["code"] != "FAILED", f"the server failed at {str(sent.frame)[:200]}"
        assert answer["message"]
        if answer["code"] == "BAD_MESSAGE":
            assert answer["facts"]["path"].startswith("$"), answer
            assert answer["facts"]["fault"], answer

    async def _answer(self, socket: ClientConnection) -> Any:
        while True:
            text = await socket.recv()
            assert isinstance(text, str)
            self.heard.append(text)
            frame = json.loads(text)
            if frame["type"] not in BY_THEMSELVES:
                return frame

    def _noise(self) -> Sent:
        letters = "".join(
            chr(self._random.choice((self._random.randrange(32, 127), 0xE9, 0x4E2D, 0x1F600))) for _ in range(40)
        )
        return Sent(letters)

    def _bytes_as_text(self) -> Sent:
        return Sent(b"\xff" + self._random.randbytes(20), closes=CLOSES_NOT_UTF8, as_text=True)

    def _binary(self) -> Sent:
        return Sent(self._random.randbytes(self._random.randrange(200)))

    def _request(self) -> dict[str, Any]:
        """A request of any type, with fields of the right types."""
        tag = self._random.choice(list(REQUESTS))
        struct = self._random.choice(REQUESTS[tag])
        named = json_schema()["$defs"]
        schema = next(
            schema
            for schema in named.values()
            if schema.get("title") == struct.__name__ and schema["properties"].get("type", {}).get("enum") == [tag]
        )
        request: dict[str, Any] = _plausible(schema, named)
        return request

    def _wrong_type(self) -> Sent:
        request = self._request()
        field = self._random.choice(list(request))
        wrong = [
            value
            for value in (17, "seventeen", 1.5, True, [], [[]], {"a": {}}, -1)
            if type(value) is not type(request[field])
        ]
        request[field] = self._random.choice(wrong)
        # An empty list of rules or an object of options can be right; what is in them is for the room to say.
        return Sent(json.dumps(request), may_pass=field in ("rules", "options", "dealerKey"))

    def _wrong_fields(self) -> Sent:
        request = self._request()
        if self._random.random() < 0.5 and len(request) > 2:
            del request[self._random.choice([name for name in request if name != "type"])]
            return Sent(json.dumps(request), may_pass=True)
        request["surprise"] = self._random.choice((1, None, "x", {}))
        return Sent(json.dumps(request))

    def _huge_number(self) -> Sent:
        number = self._random.choice(
            ("1e999", "-1e999", "1" + "0" * 400, "-" + "9" * 5000, "NaN", "1e-999", "0" * 50, "-0.0")
        )
        kind = self._random.choice(
            (
                '{"type":"PLAYER_BUY_CHIPS","requestId":"1","commandId":"1","roomCode":"%s","chips":%s}',
                '{"type":"HOLDEM_RAISE","requestId":"1","commandId":"1","expectedVersion":1,"roomCode":"%s","to":%s}',
                '{"type":"ROOM_WATCH","requestId":"1","roomCode":"%s","knownVersion":%s}',
                '{"type":"ROOM_CREATE","requestId":"1","commandId":"1","game":"%s","rules":{"startingStack":%s}}',
            )
        )
        return Sent(kind % (self._victims.room_code, number))

    def _deep(self) -> Sent:
        depth = self._random.choice((50, 500, 3_000, 10_000, 30_000))
        opening, closing = self._random.choice((("[", "]"), ('{"a":', "}")))
        nest = opening * depth + ("1" if self._random.random() < 0.5 else "") + closing * depth
        if opening != "[" and len(nest) > FRAME_BYTES_MAX - 200:
            nest = '{"a":' * 9_000
        within = f'{{"type":"ROOM_CREATE","requestId":"1","commandId":"1","game":"poker","rules":{nest}}}'
        frame = self._random.choice((nest, within))
        return Sent(frame)

    def _of_others(self) -> Sent:
        victims, random = self._victims, self._random
        ids = {"requestId": "1", "commandId": f"{random.getrandbits(60):x}", "roomCode": victims.room_code}
        return Sent(
            json.dumps(
                random.choice(
                    (
                        {"type": "HOST_KICK", "member": random.choice(victims.member_ids), **ids},
                        {"type": "HOST_HAND_OVER", "member": random.choice(victims.member_ids), **ids},
                        {"type": "HOLDEM_FOLD", "expectedVersion": victims.version, **ids},
                        {
                            "type": "TURN_PLAY_NORMAL",
                            "expectedVersion": 1,
                            "cardId": "AS",
                            "targetCellId": "r0c0",
                            **ids,
                        },
                        {"type": "PLAYER_BUY_CHIPS", "chips": 10**12, **ids},
                        {"type": "DEAL_CUT", "value": "0" * 64, **ids},
                        {"type": "ROOM_WATCH", "roomCode": victims.room_code, "requestId": "1"},
                        {"type": "CHAT_SEND", "text": "hello", "roomCode": victims.room_code, "requestId": "1"},
                        {"type": "ROOM_LEAVE", **ids},
                        {"type": "HOST_START_GAME", **ids, "roomCode": "AAAAAA"},
                    )
                )
            )
        )

    def _repeated_keys(self) -> Sent:
        return Sent('{"type":"ROOM_LIST","type":"HELLO","requestId":"1","requestId":"2","nickname":"a","nickname":7}')

    def _surrogate(self) -> Sent:
        half = self._random.choice(("\\ud800", "\\udfff", "\\ud800\\ud800", "\\uDC00x"))
        field = self._random.choice(("requestId", "roomCode", "type"))
        fields = {"type": "ROOM_WATCH", "requestId": "1", "roomCode": "ABCDEF", field: "HALF"}
        return Sent(json.dumps(fields).replace("HALF", half))

    def _too_big(self) -> Sent:
        if self._random.random() < 0.8:
            return self._noise()
        letter, size = self._random.choice(
            (("x", FRAME_BYTES_MAX + 1), ("中", FRAME_BYTES_MAX // 3 + 1), ("x", 300_000))
        )
        return Sent(letter * size, closes=CLOSES_TOO_BIG)

    def _fragments(self) -> Sent:
        frame = self._wrong_type()
        assert isinstance(frame.frame, str)
        cuts = range(0, len(frame.frame), 1 + self._random.randrange(9))
        step = cuts.step
        return Sent([frame.frame[at : at + step] for at in cuts], may_pass=frame.may_pass)

    def _second_hello(self) -> Sent:
        return Sent(_text(type="HELLO", requestId="1", nickname="Mallory"))

    def _replay(self) -> Sent:
        """The very command that opened this client's room, once more: it may be answered, and is not done twice."""
        command = {"type": "ROOM_JOIN", "commandId": "the same as ever", "roomCode": self._victims.own_code}
        return Sent(json.dumps({**command, "requestId": "1"}), may_pass=True)

    def _old_version(self) -> Sent:
        version = self._random.choice((-1, -(2**63), 2**53, 2**64, "1", 0.5))
        ids = {"requestId": "1", "commandId": f"{self._random.getrandbits(60):x}", "expectedVersion": version}
        return Sent(json.dumps({"type": "BLACKJACK_HIT", **ids}))

    def _control(self) -> Sent:
        letter = self._random.choice(("\0", "\n", "\x1b[2J", "\x7f", "é", chr(0x202E)))
        fields = {"type": "BLACKJACK_HIT", "requestId": "1", "commandId": "1", "expectedVersion": 0}
        fields[self._random.choice(("requestId", "commandId"))] = f"a{letter}"
        return Sent(json.dumps(fields))

    def _cut_off(self) -> Sent:
        whole = _text(type="ROOM_LIST", requestId="1")
        return Sent(
            self._random.choice(
                (whole[: self._random.randrange(len(whole))], whole + "}", "", " ", "\ufeff" + whole, "null")
            )
        )

    def _odd_type(self) -> Sent:
        kind = self._random.choice(
            (1, None, "", "x" * 60_000, "TABLE_DUE", "TABLE_PLAY", "ROOM_STATE", "room_list", [], "__class__")
        )
        return Sent(json.dumps({"type": kind, "requestId": "1", "commandId": "1", "action": {}}))

    def _flipped(self) -> Sent:
        """A good request with some letters changed; it may still be good."""
        letters = list(json.dumps(self._request()))
        for _ in range(1 + self._random.randrange(3)):
            letters[self._random.randrange(len(letters))] = chr(self._random.randrange(32, 127))
        return Sent("".join(letters), may_pass=True)


def _text(**fields: Any) -> str:
    return json.dumps(fields)


def _plausible(schema: dict[str, Any], named: dict[str, Any]) -> Any:
    """A value that fits a schema."""
    if "$ref" in schema:
        return _plausible(named[schema["$ref"].rpartition("/")[2]], named)
    if "anyOf" in schema:
        return _plausible(schema["anyOf"][0], named)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: _plausible(field, named) for name, field in schema.get("properties", {}).items()}
        case "string":
            return "0" * 64 if "{64}" in schema.get("pattern", "") else "x" * max(1, schema.get("minLength", 1))
        case "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "array":
            return []
    return {}


def leaks(heard: list[str], secrets: list[str]) -> Iterator[str]:
    """What of the inside of the server, or of somebody else, is in what was heard."""
    everything = "\n".join(heard)
    for secret in (*secrets, "Traceback", 'File "', "croupier.server", "site-packages", "object at 0x"):
        if secret in everything:
            yield secret
