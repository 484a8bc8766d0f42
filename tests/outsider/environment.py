"""An environment of its own for an outsider's package, made in a moment and without a network: it has the installed
packages of this one, and nothing that is installed into it is seen from here."""

import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import croupier

SECONDS_MAX = 120


class Environment:
    """A folder with an interpreter. Commands run in it know no settings of whoever runs the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.EnvBuilder(with_pip=False, symlinks=True).create(folder / "env")
        self.python = folder / "env" / "bin" / "python"
        (packages,) = (folder / "env").glob("lib/python*/site-packages")
        reused = [str(Path(croupier.__file__).parents[1]), *(path for path in sys.path if "site-packages" in path)]
        (packages / "reused.pth").write_text("\n".join(reused) + "\n", encoding="utf-8")
        self.store = f"sqlite:///{folder / 'rooms.db'}"

    @property
    def _variables(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        return {**kept, "CROUPIER_LANG": "en", "CROUPIER_DATA": str(self.folder / "data")}

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a module, like `croupier` or `pip`."""
        return subprocess.run(
            [str(self.python), "-m", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            env=self._variables,
            timeout=SECONDS_MAX,
            cwd=self.folder,
        )

    def pip(self, *arguments: str) -> None:
        done = self.run("pip", "--disable-pip-version-check", *arguments)
        assert done.returncode == 0, done.stderr

    def install(self, package: Path) -> None:
        self.pip("install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", str(package))

    @contextmanager
    def server(self) -> Iterator["Running"]:
        """A server on the environment's store."""
        log = self.folder / "server.log"
        with log.open("wb") as written:
            command = [str(self.python), "-m", "croupier", "serve", "--port", "0", "--store", self.store]
            running = subprocess.Popen(
                [*command, "--bot-delay-seconds", "0"],
                stdout=subprocess.PIPE,
                stderr=written,
                text=True,
                env=self._variables,
                cwd=self.folder,
            )
            try:
                assert running.stdout is not None
                found = re.search(r"http://\S+:\d+", running.stdout.readline())
                assert found, log.read_text(encoding="utf-8")
                yield Running(found[0].rstrip("/"), log)
            finally:
                running.terminate()
                running.wait(SECONDS_MAX)
                if running.stdout is not None:
                    running.stdout.close()


class Running:
    """A server that runs."""

    def __init__(self, link: str, log: Path) -> None:
        self.link = link
        self._log = log

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urlopen(self.link + path, timeout=SECONDS_MAX) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()

    def health(self) -> Any:
        return json.loads(self.get("/healthz")[1])
