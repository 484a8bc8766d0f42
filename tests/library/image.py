"""The steps of the `Dockerfile` as a script in an empty folder, as far as that goes without root and without a network.

The folders of the image stand below one folder; a stage's `pip` works on an environment that is given; nobody is added
or given a folder. All else runs as it is written.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
OWN_FOLDER = re.compile(r"(?<![\w.:/])((?:sqlite:///)?)/(source|wheels|data)\b")
"""A folder that the image makes, where a step or a setting names it."""
OF_ROOT = "useradd() { :; }; chown() { :; }; "


@dataclass
class Image:
    """What the last stage leaves behind."""

    files: Path
    """The root of its files."""
    settings: dict[str, str] = field(default_factory=dict)
    healthcheck: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def own(self, text: str) -> str:
        """The text with the image's folders where they are here."""
        return OWN_FOLDER.sub(rf"\1{self.files}/\2", text)

    def run(self, step: str, pip: str, folder: Path) -> None:
        script = f"{OF_ROOT}pip() {{ {pip}; }}; {self.own(step)}"
        done = subprocess.run(["sh", "-ec", script], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{step}\n{done.stdout}{done.stderr}"


def stages(dockerfile: str) -> list[list[tuple[str, str]]]:
    """The instructions of each stage, with continued lines joined."""
    found: list[list[tuple[str, str]]] = []
    for line in dockerfile.replace("\\\n", " ").splitlines():
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append([])
        elif word and not word.startswith("#"):
            found[-1].append((word, rest.strip()))
    return found


def build(steps: list[tuple[str, str]], files: Path, pip: str, built: Path | None = None) -> Image:
    """Run one stage's steps on an empty folder. `pip` is the shell command that stands for pip; `built` holds the files
    of the stage before."""
    image, folder = Image(files), files
    files.mkdir()
    for word, rest in steps:
        match word:
            case "WORKDIR":
                folder = Path(image.own(rest))
                folder.mkdir()
            case "COPY":
                _copy(image, folder, shlex.split(rest), built)
            case "RUN":
                image.run(rest, pip, folder)
            case "ENV":
                image.settings |= dict(setting.split("=", 1) for setting in shlex.split(image.own(rest)))
            case "HEALTHCHECK":
                image.healthcheck = json.loads(rest.partition("CMD ")[2])
            case "CMD":
                image.command = json.loads(rest)
            case "VOLUME":
                assert Path(image.own(rest)).is_dir(), f"no step makes {rest}"
            case _:
                assert word in ("USER", "EXPOSE"), f"{word} {rest} is not run"
    return image


def _copy(image: Image, folder: Path, words: list[str], built: Path | None) -> None:
    *sources, target = words
    if sources[0] == "--from=build":
        assert built is not None
        sources = sources[1:]
        at, target = built, image.own(target)
    else:
        at = ROOT
    ignored = shutil.ignore_patterns("__pycache__")
    for source in sources:
        found = at / source.lstrip("/")
        if found.is_dir():
            shutil.copytree(found, folder / target, ignore=ignored)
        else:
            shutil.copy(found, folder / target)


WHEELS_PIP = f'{shlex.quote(sys.executable)} -m pip "$@" --quiet --no-index --no-deps --no-build-isolation'
"""pip that makes a wheel of what was copied, and fetches no other."""


def installing_pip(python: Path) -> str:
    """pip that works on an environment, where the packages that the wheel asks for are already installed."""
    return f'{shlex.quote(sys.executable)} -m pip --python {shlex.quote(str(python))} "$@" --quiet'
