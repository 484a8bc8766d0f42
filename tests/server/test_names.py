"""Names and chat over a real server: harmless, and two people of one name are told apart everywhere."""

import json

import pytest

from croupier.clients.connection import RefusedError
from tests.server.hub_room import asynchronous
from tests.server.live import live


@asynchronous
async def test_two_people_of_one_name_are_shown_apart_and_stay_so() -> None:
    async with live() as server, server.client("Ann") as ann, server.client("Ann\u202e") as mallory:
        room = await ann.create("sequence")
        other = await mallory.join(room.code)
        await mallory.request("CHAT_SEND", text="\x1b[2Jhello\u2028there")
        await room.wait(lambda r: len(r.state["public"]["members"]) == 2)
        names = [member["name"] for member in room.state["public"]["members"]]
        assert names == ["Ann", "Ann (2)"]
        while (said := await ann.said.get())["type"] != "CHAT_SAID":
            pass
        assert (said["name"], said["text"]) == ("Ann (2)", "[2Jhello there")
        await room.command("ROOM_LEAVE")
        await other.wait(lambda r: len(r.state["public"]["members"]) == 1)
        assert other.state["public"]["members"][0]["name"] == "Ann (2)", "nobody becomes somebody who has gone"


@asynchronous
async def test_chat_of_nothing_is_refused() -> None:
    async with live() as server, server.client("Ann") as ann:
        await ann.create("sequence")
        with pytest.raises(RefusedError, match="BAD_MESSAGE"):
            await ann.request("CHAT_SEND", text="\u3164\u200b")


@asynchronous
async def test_a_client_shows_nothing_harmful_that_a_server_sends() -> None:
    async with live() as server, server.client("Ann") as ann:
        room = await ann.create("sequence")
        evil = json.dumps(
            {"type": "CHAT_SAID", "roomCode": room.code, "member": "x", "name": "\x1b[2J", "text": "\x9b"}
        )
        (connection,) = server.server.connections
        connection.send(evil.encode())
        while (said := await ann.said.get())["type"] != "CHAT_SAID":
            pass
        assert (said["name"], said["text"]) == ("[2J", "")
