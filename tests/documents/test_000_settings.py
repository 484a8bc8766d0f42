"""Document 000, section 19: each option is set by an option, a variable or a line of a file, and the table obeys it."""

import asyncio
import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.server.hub_room import ENUMERATIONS, SEPARATOR
from tests.server.process import START_SECONDS_MAX, command, environment

GIVEN: Final = {
    "dealer_key": "nobody guesses",
    "deck_count": 1,
    "dealer_stand_score": 12,
    "min_players_to_start": 3,
    "min_name_length": 2,
    "max_name_length": 5,
    "hub_enums": "names",
}


def _set_up(way: str, folder: Path) -> tuple[list[str], dict[str, str]]:
    """A command line and an environment that set all of it in one way."""
    line = command("memory:")
    if way == "option":
        options = [(f"--{name.replace('_', '-')}", str(value)) for name, value in GIVEN.items()]
        return [*line, *(word for option in options for word in option)], environment()
    if way == "variable":
        return line, environment(**{f"CROUPIER_{name.upper()}": str(value) for name, value in GIVEN.items()})
    file = folder / "room.toml"
    file.write_text("\n".join(f"{name} = {json.dumps(value)}" for name, value in GIVEN.items()))
    return [*line, "--config", str(file)], environment()


@pytest.mark.parametrize("way", ["option", "variable", "file"])
def test_19_every_option_can_be_set_in_three_ways_and_the_table_obeys(way: str, tmp_path: Path) -> None:
    line, variables = _set_up(way, tmp_path)
    with subprocess.Popen(line, stdout=subprocess.PIPE, env=variables, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://(127\.0\.0\.1:\d+)/", server.stdout.readline())
            assert found
            asyncio.run(asyncio.wait_for(_lesson(f"ws://{found[1]}"), START_SECONDS_MAX))
        finally:
            server.terminate()


async def _lesson(server: str) -> None:
    async with connect(f"{server}/ws") as socket:
        for request in ("HELLO", "CLASSROOM_WATCH"):
            await socket.send(json.dumps({"type": request, "requestId": request}))
        while (frame := json.loads(await socket.recv()))["type"] != "CLASSROOM_STATE":
            pass
        options = re.sub(r"_(\w)", lambda letter: letter[1].upper(), json.dumps(GIVEN))
        assert frame["options"].items() <= json.loads(options).items()
        assert len(frame["options"]) == 5
    hub = f"{server}/hubs/blackjack"
    async with connect(hub) as kim, connect(hub) as ann, connect(hub) as bob:
        for client in (kim, ann, bob):
            await client.send('{"protocol":"json","version":1}' + SEPARATOR)
        assert await _call(kim, "Join", "K", GIVEN["dealer_key"]) == "INVALID_NAME"
        assert await _call(kim, "Join", "Ms Kim", GIVEN["dealer_key"]) == "INVALID_NAME"
        state = await _call(kim, "Join", "Kim", GIVEN["dealer_key"])
        assert (state["phase"], state["players"][0]["isDealer"]) == ("Idle", True)
        await _call(ann, "Join", "Ann", None)
        assert await _call(kim, "StartRound") == "INSUFFICIENT_PLAYERS"
        await _call(bob, "Join", "Bob", None)
        assert (await _call(kim, "StartRound"))["phase"] == "InRound"
        await _call(ann, "Stand")
        state = await _call(bob, "Stand")
        worth = [_worth(card["rank"]) for card in state["players"][0]["cards"]]
        assert sum(worth) >= 12
        assert len(worth) == 2 or sum(worth[:-1]) < 12, "the dealer stands from 12 on"


def _worth(rank: str) -> int:
    return 1 if rank == "Ace" else min(10, ENUMERATIONS["rank"].index(rank) + 2)


async def _call(client: ClientConnection, target: str, *arguments: Any) -> Any:
    """The last that the caller heard before the completion: the code of an error, or a state."""
    message = {"type": 1, "invocationId": "1", "target": target, "arguments": arguments}
    await client.send(json.dumps(message) + SEPARATOR)
    heard: Any = None
    while True:
        for record in str(await client.recv()).split(SEPARATOR)[:-1]:
            frame = json.loads(record)
            if frame.get("type") == 1:
                heard = frame["arguments"][0]
            elif frame.get("type") == 3:
                assert frame.get("error") is None
                return heard
