"""The WebSocket transport: a message of the socket holds records, or parts of them, both ways."""

from typing import ClassVar

from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.server.signalr.protocol import End, EndedError
from croupier.server.signalr.transport import BYE


class WebSocketTransport:
    has_pings: ClassVar[bool] = True

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._is_gone = False

    async def receive(self) -> bytes:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            self._is_gone = True
            raise EndedError(BYE)
        text: str | None = message.get("text")
        return message["bytes"] if text is None else text.encode()

    async def send(self, records: bytes) -> None:
        if self._is_gone:
            raise EndedError(BYE)
        try:
            await self._websocket.send_text(records.decode())
        except WebSocketDisconnect:
            self._is_gone = True
            raise EndedError(BYE) from None

    async def close(self, end: End) -> None:
        if self._is_gone:
            return
        try:
            await self._websocket.close(end.code)
        except WebSocketDisconnect:
            self._is_gone = True
