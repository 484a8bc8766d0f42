"""A line between a server and its database that can be cut without either end noticing."""

import asyncio
from contextlib import suppress


class Line:
    """Passes on what both ends send. Cut, it passes nothing on, and takes new connections without a word."""

    def __init__(self, port: int) -> None:
        """To that port of this machine."""
        self._far_port = port
        self._whole = asyncio.Event()
        self._whole.set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)

    def cut(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        """What was on the way arrives now."""
        self._whole.set()

    async def close(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._far_port)
        except OSError:
            writer.close()
            return
        for ends in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._pass_on(*ends))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while data := await reader.read(65536):
                    await self._whole.wait()
                    writer.write(data)
                    await writer.drain()
        finally:
            writer.close()
