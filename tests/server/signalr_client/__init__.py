"""The npm client `@microsoft/signalr`, installed once into a folder beside this interpreter, and driven from here."""

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest

HERE: Final = Path(__file__).parent
INSTALL_SECONDS: Final = 300
PATIENCE_SECONDS: Final = 20.0


def installed() -> Path:
    """The node_modules folder with the client. Where there is no npm the test is skipped, which in CI is a failure."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node and npm are needed to run the client of others")
    package = HERE / "package.json"
    version = json.loads(package.read_text())["dependencies"]["@microsoft/signalr"]
    cache = Path(sys.prefix) / "share" / f"croupier-signalr-{version}"
    if not cache.exists():
        cache.parent.mkdir(parents=True, exist_ok=True)
        # Somebody else may be installing it too: whoever is first puts it in place, whole.
        with tempfile.TemporaryDirectory(dir=cache.parent) as folder:
            shutil.copy(package, folder)
            install = [npm, "install", "--prefix", folder, "--no-audit", "--no-fund", "--no-package-lock"]
            done = subprocess.run(install, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
            if done.returncode:
                pytest.skip(f"npm could not install the client: {done.stderr[-500:]}")
            with contextlib.suppress(OSError):
                (Path(folder) / "node_modules").rename(cache)
    return cache


class Driver:
    """Real clients by name, in one process of node."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._number = 0
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._changed = asyncio.Condition()
        self.heard: dict[str, list[tuple[Any, ...]]] = {}
        self.closed: dict[str, str] = {}
        self.reconnected: dict[str, str] = {}

    async def ask(self, operation: str, who: str, **facts: Any) -> Any:
        """Does something with a client; raises RuntimeError with the client's words when that fails."""
        assert self._process.stdin is not None
        self._number += 1
        answer = self._answers[self._number] = asyncio.get_running_loop().create_future()
        request = {"operation": operation, "number": self._number, "who": who, **facts}
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await answer

    async def connect(self, who: str, url: str, **options: Any) -> None:
        self.heard[who] = []
        await self.ask("connect", who, url=url, **options)

    async def invoke(self, who: str, target: str, *values: object) -> Any:
        return await self.ask("invoke", who, target=target, values=values)

    async def errors(self, who: str, target: str, *values: object) -> list[str]:
        """The codes that a call was answered with. It completes normally all the same, and after them."""
        before = len(self.heard[who])
        assert await self.invoke(who, target, *values) is None
        return [heard[1] for heard in self.heard[who][before:] if heard[0] == "OnError"]

    async def until(self, holds: Any) -> None:
        """Waits until what was heard makes this true."""
        async with asyncio.timeout(PATIENCE_SECONDS), self._changed:
            await self._changed.wait_for(holds)

    async def listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            said = json.loads(line)
            if "request" in said:
                answer = self._answers.pop(said["request"])
                if "error" in said:
                    answer.set_exception(RuntimeError(said["error"]))
                else:
                    answer.set_result(said["result"])
                continue
            async with self._changed:
                if "heard" in said:
                    self.heard[said["who"]].append(tuple(said["heard"]))
                elif "closed" in said:
                    self.closed[said["who"]] = said["closed"]
                else:
                    self.reconnected[said["who"]] = said["reconnected"]
                self._changed.notify_all()


@contextlib.asynccontextmanager
async def driver(modules: Path) -> AsyncIterator[Driver]:
    process = await asyncio.create_subprocess_exec(
        "node",
        str(HERE / "drive.cjs"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "NODE_PATH": str(modules)},
        limit=2**20,
    )
    driving = Driver(process)
    listening = asyncio.create_task(driving.listen())
    try:
        yield driving
    finally:
        listening.cancel()
        if process.returncode is None:
            process.kill()
        await process.wait()
