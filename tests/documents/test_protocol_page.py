"""docs/protocol.md as a stranger reads it: what it shows can be sent as it stands, and its links lead somewhere."""

import asyncio
import json
import re
from typing import Any, Final

import msgspec
from websockets.asyncio.client import connect

from croupier.wire.schema import ANSWERS, REQUESTS, described
from tests.documents.gambler import SERVER_SEEDS
from tests.server.hub_room import asynchronous
from tests.server.live import live
from tests.server.make_protocol import FILE

PAGE: Final = FILE.read_text(encoding="utf-8")


def _section(title: str) -> str:
    """What stands under a heading, up to the next one of its kind or above."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,3}} |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[2]


@asynchronous
async def test_a_stranger_can_place_a_bet_with_the_frames_of_the_page() -> None:
    script = re.findall(r"^([→←]) (.*)$", _section("A round at the casino"), re.MULTILINE)
    assert [json.loads(text)["type"] for way, text in script if way == "→"] == [
        *("HELLO", "BLACKJACK_GET_STATE", "PLACE_BET", "BLACKJACK_STAND", "BLACKJACK_ROTATE_SEED")
    ]
    async with live() as server:
        seeds = iter(SERVER_SEEDS)
        server.server.casino._new_seed = lambda: next(seeds)
        async with connect(server.url, compression=None) as socket:
            asked, frame = "", {}
            for way, text in script:
                if way == "→":
                    assert frame.get("requestId", "") == asked, "the last that came is the answer"
                    await socket.send(text)
                    asked = json.loads(text)["requestId"]
                    continue
                frame = json.loads(await asyncio.wait_for(socket.recv(), 10))
                assert " ".join(filter(None, (frame["type"], frame.get("status")))) == text, frame
            assert frame["requestId"] == asked
            assert frame["revealed"] == SERVER_SEEDS[0]


def test_every_request_is_shown_with_all_its_fields() -> None:
    for tag, structs in REQUESTS.items():
        shown = set(re.findall(r"^\| `(\w+)` \|", _section(tag), re.MULTILINE))
        fields = {field.encode_name for struct in structs for field in msgspec.structs.fields(struct)}
        assert shown == fields - {"requestId"}, tag


def test_every_message_says_what_it_is_for() -> None:
    assert not [tag for tag, structs in {**REQUESTS, **ANSWERS}.items() if not described(structs)]


def test_every_link_within_the_page_leads_to_a_heading() -> None:
    headings = {
        re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-") for name in re.findall(r"^#+ (.+)$", PAGE, re.M)
    }
    links = set(re.findall(r"\]\(#([^)]*)\)", PAGE))
    assert links <= headings, links - headings


def test_values_are_written_as_in_json() -> None:
    for default in re.findall(r"optional, else `([^`]*)`", PAGE):
        value: Any = json.loads(default)
        assert value is not None
