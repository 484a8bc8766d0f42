"""A seat for an assistant, by the Model Context Protocol over standard input and output.

The assistant is a player like any other, with one connection and one seat. Every tool answers from the states that the
room sends to that seat. Needs the extra `mcp`.
"""

import asyncio
from contextlib import suppress
from typing import Any, Final

import msgspec
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from croupier import locales
from croupier.clients.alarm import AlarmError
from croupier.clients.connection import Client, RefusedError
from croupier.clients.join import enter, knock
from croupier.clients.room_handle import RoomHandle
from croupier.game.registry import GAMES, current_name

WAIT_SECONDS_MAX: Final = 60.0
EVENTS_MAX: Final = 200
"""How many of the newest events are told at once."""


class Seat:
    """One player, at one table or none. A tool that fails raises ToolError with the reason."""

    def __init__(self, client: Client, language: str) -> None:
        self._client = client
        self._language = language
        self._room: RoomHandle | None = None

    async def list_rooms(self) -> dict[str, Any]:
        answer = await self._asked(self._client.request("ROOM_LIST"))
        return {"rooms": answer["rooms"]}

    async def join(self, room_code: str) -> dict[str, Any]:
        code = room_code.strip().upper()
        if self._room is not None and self._room.code != code:
            raise ToolError(self._text("mcp.one_table", room=self._room.code))
        self._room = await self._asked(enter(self._client, code))
        self._seated()
        if self._room.phase == "lobby" and self._room.seat is not None:
            await self._asked(self._room.command("PLAYER_READY_SET", ready=True))
        return self._situation(self._room)

    async def view(self, wait_seconds: float = 0.0) -> dict[str, Any]:
        room = self._seated()
        seconds = min(max(wait_seconds, 0.0), WAIT_SECONDS_MAX)
        if seconds:
            version = room.version
            with suppress(TimeoutError, AlarmError):
                await room.wait(lambda room: room.menu or (_is_over(room) and room.version > version), seconds)
            self._seated()
        events: list[Any] = []
        while not room.events.empty():
            events.append(room.events.get_nowait())
        return self._situation(room) | {"view": room.view, "events": events[-EVENTS_MAX:]}

    async def legal_actions(self) -> dict[str, Any]:
        room = self._seated()
        return {"yourTurn": bool(room.menu), "version": room.version, "actions": room.menu}

    async def act(self, action: dict[str, Any]) -> dict[str, Any]:
        room = self._seated()
        if not isinstance(action.get("type"), str):
            raise ToolError(self._text("mcp.no_type", allowed=_types(room.menu)))
        if not room.menu:
            raise ToolError(self._text("mcp.not_your_turn"))
        if action["type"] not in _types(room.menu):
            raise ToolError(self._text("mcp.not_offered", type=action["type"], allowed=_types(room.menu)))
        version = await self._asked(room.act(action))
        await self._asked(room.wait(lambda room: room.version >= version))
        return await self.view()

    async def answer(self, play_on: bool) -> dict[str, Any]:
        room = self._taken()
        asked = self._question(room)
        if not play_on:
            await self.leave()
            self._room = None
            return {"left": room.code}
        if asked is not None:
            await self._asked(room.accept(asked))
        return self._situation(room)

    async def explain_rules(self, game: str = "") -> dict[str, Any]:
        room = self._room
        asked = game or (room.state["public"]["game"] if room is not None else "")
        if asked not in GAMES:
            raise ToolError(self._text("mcp.which_game", game=asked, allowed=tuple(GAMES)))
        chosen = current_name(asked)
        here = room is not None and current_name(room.state["public"]["game"]) == chosen
        presets = {name: msgspec.to_builtins(rules) for name, rules in GAMES[chosen].presets.items()}
        options = room.state["public"]["rules"] if room is not None and here else presets
        return {"game": chosen, "rules": self._rules(chosen), "atThisTable": here, "options": options}

    def _rules(self, game: str) -> str:
        """The rules of a game in short, or what it is about; empty if it has neither text."""
        keys = (f"{game}.rules", f"{game}.about")
        return next((self._text(key) for key in keys if locales.has_text(self._language, key)), "")

    async def leave(self) -> None:
        """Leave the table, so that nobody waits for the assistant."""
        if self._room is not None:
            with suppress(RefusedError, TimeoutError):
                await self._room.command("ROOM_LEAVE")

    def _taken(self) -> RoomHandle:
        if self._room is None:
            raise ToolError(self._text("mcp.join_first"))
        return self._room

    def _seated(self) -> RoomHandle:
        """The room, if no question must be answered first."""
        room = self._taken()
        asked = self._question(room)
        if asked is not None:
            raise self._alarm(asked)
        return room

    @staticmethod
    def _question(room: RoomHandle) -> AlarmError | None:
        if room.alarms:
            return room.alarm_error()
        try:
            room.check_voids()
        except AlarmError as asked:
            return asked
        return None

    def _alarm(self, alarm: AlarmError) -> ToolError:
        return ToolError(self._text("mcp.alarm", alarm=" ".join(alarm.sentences(self._language))))

    def _situation(self, room: RoomHandle) -> dict[str, Any]:
        public = room.state["public"]
        members = [
            {"name": member["name"], "seat": member["seat"], "bot": member["bot"]} for member in public["members"]
        ]
        return {
            "room": room.code,
            "game": public["game"],
            "phase": public["phase"],
            "seat": room.seat,
            "yourTurn": bool(room.menu),
            "turn": public["turn"],
            "payouts": public["payouts"],
            "members": members,
            "version": room.version,
        }

    async def _asked(self, request: Any) -> Any:
        try:
            return await request
        except AlarmError as alarm:
            asked = self._room is not None and self._question(self._room) is not None
            raise self._alarm(alarm) if asked else ToolError(alarm.said(self._language)[0]) from None
        except RefusedError as refused:
            raise ToolError(str(refused)) from None
        except TimeoutError:
            raise ToolError(self._text("mcp.no_answer")) from None

    def _text(self, key: str, **facts: object) -> str:
        return locales.text(self._language, key, **facts)


def make_server(seat: Seat, language: str) -> "MCPServer[Any]":
    """The tools around a seat, described in the assistant's language."""
    server: MCPServer[Any] = MCPServer(
        "croupier", instructions=locales.text(language, "mcp.instructions"), log_level="ERROR"
    )
    for tool in (seat.list_rooms, seat.join, seat.view, seat.legal_actions, seat.act, seat.explain_rules, seat.answer):
        server.add_tool(tool, description=locales.text(language, f"mcp.tool.{tool.__name__}"))
    return server


async def serve(address: str, *, nickname: str, token: str, language: str) -> None:
    """Serve an assistant until it disconnects. A newcomer then leaves the room; with a `token`, the seat is kept.
    Raises OSError or TimeoutError if no card room answers, RefusedError if it refuses."""
    await knock(address)
    async with Client(address, nickname=nickname, token=token, language=language) as client:
        seat = Seat(client, language)
        try:
            await make_server(seat, language).run_stdio_async()
        finally:
            if not token:
                await seat.leave()


def run(address: str, *, nickname: str, token: str, language: str) -> None:
    asyncio.run(serve(address, nickname=nickname, token=token, language=language))


def _types(menu: list[Any]) -> tuple[str, ...]:
    return tuple(offer["action"]["type"] for offer in menu)


def _is_over(room: RoomHandle) -> bool:
    return room.phase == "ended" or room.state["public"]["payouts"] is not None
