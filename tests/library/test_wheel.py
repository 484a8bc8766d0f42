"""The wheel that the image's first stage makes, in a fresh environment with the packages that it asks for, and no
other: the lab's are not there. And the image's second stage, which has them."""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.parser import Parser
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

import croupier
from croupier import Seeds, begin, poker
from tests.library import image
from tests.made_once import made_once

STAGES = image.stages((image.ROOT / "Dockerfile").read_text())
LAB = ("numpy", "numba", "matplotlib")


def _needed(found: set[tuple[str, str]], requires: list[str], extras: Sequence[str]) -> None:
    """Adds the distributions that are needed with these extras, and those that these need, each with its own extras."""
    for requirement in requires:
        wanted, _, marker = requirement.partition(";")
        name, own = re.findall(r"^\s*([\w.-]+)\s*(?:\[(.*?)\])?", wanted)[0]
        extra = re.search(r"extra == ['\"](\w+)", marker)
        if (extra and extra[1] not in extras) or (name, own) in found or ("win32" in marker and "!=" not in marker):
            continue
        try:
            needs = distribution(name).requires or []
        except PackageNotFoundError:
            continue  # for another system or a newer Python
        found.add((name, own))
        _needed(found, needs, own.split(","))


def _environment(folder: Path, wheel: Path, *extras: str) -> Path:
    """An environment with links to the installed packages that the wheel asks for: its Python."""
    with ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith("METADATA")]
        requires = Parser().parsestr(archive.read(metadata).decode()).get_all("Requires-Dist") or []
    needed: set[tuple[str, str]] = set()
    _needed(needed, requires, extras)
    names = {name for name, _ in needed}
    assert (names & set(LAB) == set(LAB)) is ("lab" in extras)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    for name in names:
        for file in distribution(name).files or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not (packages / top).exists():
                (packages / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the image's first stage, which makes the wheel of what is copied into it and nothing else."""
    return made_once(tmp_path_factory, "wheels", lambda files: image.build(STAGES[0], files, image.WHEELS_PIP))


@pytest.fixture(scope="module")
def fresh(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment with the wheel and without the lab."""
    (wheel,) = (wheels / "wheels").glob("*.whl")

    def make(folder: Path) -> None:
        python = _environment(folder, wheel)
        install = [sys.executable, "-m", "pip", "--python", str(python), "install"]
        subprocess.run([*install, "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)

    return made_once(tmp_path_factory, "fresh", make) / "bin"


def _bare(**settings: str) -> dict[str, str]:
    """The environment's variables, without what would lead to the sources."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | settings


@contextmanager
def _served(words: list[str], **settings: str) -> Iterator[str]:
    """The address of a server that a command starts."""
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=_bare(**settings)
    ) as server:
        try:
            assert server.stdout is not None
            said = ""
            while not (link := re.search(r"http://127\.0\.0\.1:\d+", said)):
                line = server.stdout.readline()
                assert line, said
                said += line
            yield link[0]
        finally:
            server.terminate()


def _run(fresh: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(fresh / words[0]), *words[1:]], capture_output=True, text=True, check=False, env=_bare(), cwd=fresh
    )


def test_the_installed_command_says_its_version(fresh: Path) -> None:
    assert _run(fresh, "croupier", "--version").stdout == f"croupier {croupier.__version__}\n"


def test_without_the_lab_its_commands_say_what_to_install(fresh: Path) -> None:
    for command in (["solve", "blackjack"], ["equity", "AsKs", "QhQd"], ["simulate", "blackjack", "--rounds", "10"]):
        done = _run(fresh, "croupier", *command)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "pip install 'croupier[lab]'" in done.stderr


def test_without_the_lab_its_imports_say_what_to_install(fresh: Path) -> None:
    code = """
import croupier.lab.poker.ranges, croupier.lab.blackjack.rule_options  # these need nothing
from importlib import import_module
for name in ("lab.blackjack.solve", "lab.blackjack.simulate", "lab.poker.equity", "lab.poker.pushfold.solve"):
    try:
        import_module("croupier." + name)
    except ImportError as error:
        print(error, error.name, error.__cause__)
try:
    import croupier.lab.nosuch
except ModuleNotFoundError as error:
    print(error)
"""
    done = _run(fresh, "python", "-c", code)
    *missing, other = done.stdout.splitlines()
    assert len(missing) == 4, done.stderr
    for line in missing:
        assert re.fullmatch(
            r"no module named '(num\w+)': the lab is not installed \(pip install 'croupier\[lab\]'\) \1 None", line
        )
    assert other == "No module named 'croupier.lab.nosuch'"


def test_a_bot_plays_and_the_arena_runs_without_the_lab(fresh: Path, tmp_path: Path) -> None:
    code = """
import croupier
print(croupier.play(lambda view, menu: menu[0].action, croupier.poker, rounds=2, strict=True).rounds)
"""
    done = _run(fresh, "python", "-c", code)
    assert done.stdout == "2\n", done.stderr
    kept = str(tmp_path / "match.jsonl")
    done = _run(fresh, "croupier", "arena", "caller", "random", "--hands", "20", "--json", "--records", kept)
    assert done.returncode == 0, done.stderr


def test_records_are_verified_and_replayed_without_the_lab(fresh: Path, tmp_path: Path) -> None:
    record = tmp_path / "rounds.jsonl"
    hand = begin(poker.CASH, seeds=Seeds("0" * 64, "my own lucky seed")).act(poker.AllIn()).act(poker.Call())
    assert hand.over
    record.write_text(hand.record().to_json())
    assert _run(fresh, "croupier", "verify", str(record)).returncode == 0
    done = _run(fresh, "croupier", "replay", str(record))
    assert done.returncode == 0, done.stderr
    assert "The round is over" in done.stdout
    assert done.stderr.count("Chances are not shown, because the lab is not installed") == 1


def test_the_installed_server_serves_the_page_and_says_what_its_lab_needs(fresh: Path) -> None:
    with _served([str(fresh / "croupier"), "serve", "--port", "0", "--store", "memory:"]) as address:
        page = urllib.request.urlopen(f"{address}/").read().decode()
        assert "<title>" in page
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{address}/api/lab/strategy")
        assert refused.value.code == 503
        assert "LAB_MISSING" in refused.value.read().decode()


def test_the_image_made_step_by_step_starts_and_passes_its_own_health_check(wheels: Path, tmp_path: Path) -> None:
    (wheel,) = (wheels / "wheels").glob("*.whl")
    python = _environment(tmp_path / "env", wheel, "lab", "postgres")
    made = image.build(STAGES[1], tmp_path / "image", image.installing_pip(python), wheels)
    assert not (made.files / "wheels").exists()
    assert made.settings["CROUPIER_HOST"] == "0.0.0.0"
    here = {**made.settings, "CROUPIER_HOST": "127.0.0.1", "CROUPIER_PORT": "0"}
    command, *words = made.command
    with _served([str(python.parent / command), *words], **here) as address:
        asked = [
            part.replace(f"http://127.0.0.1:{made.settings['CROUPIER_PORT']}", address) for part in made.healthcheck
        ]
        assert asked != made.healthcheck
        subprocess.run([str(python), *asked[1:]], check=True, env=_bare())
        extras = "import asyncpg, croupier.lab; assert croupier.lab.is_installed()"
        subprocess.run([str(python), "-c", extras], check=True, env=_bare(), cwd=made.files)
    assert (made.files / "data" / "croupier.db").stat().st_size > 0
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run([str(python), *asked[1:]], check=True, env=_bare(), stderr=subprocess.DEVNULL)
