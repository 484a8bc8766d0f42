"""Compiled kernels on disk: found again, out of date as soon as anything behind them changes, and never a failure."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import croupier
from croupier.games.blackjack import CASINO
from croupier.lab.blackjack.solve import solve
from croupier.lab.kernel_cache import sources

SOURCE = Path(str(croupier.__file__)).parent
KERNEL = """
from croupier.lab.compiler import kernel
from croupier.lab.{} import {}

@kernel
def {}(x):
    return {}
"""
RUN = """
from croupier.lab.compiler import compiling_notice
from croupier.lab.near import near
with compiling_notice(lambda: print("compiled")):
    print(near(10))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of what compiles, with a kernel that calls one in another file, which takes a constant from a third."""
    package = tmp_path / "croupier"
    (package / "lab").mkdir(parents=True)
    for name in (
        "__init__.py",
        "lab/__init__.py",
        *(f"lab/{name}.py" for name in ("compiler", "kernel_cache", "plain_cache")),
    ):
        shutil.copy(SOURCE / name, package / name)
    shutil.copytree(SOURCE / "locales", package / "locales", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "lab" / "near.py").write_text(KERNEL.format("far", "far", "near", "far(x) + 1"))
    (package / "lab" / "far.py").write_text(KERNEL.format("constant", "CONSTANT", "far", "x * CONSTANT"))
    (package / "lab" / "constant.py").write_text("CONSTANT = 2\n")
    return package


def run(package: Path, home: Path) -> list[str]:
    """What a new process prints: that it had to compile, if it had to, and the figure."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(package.parent), "HOME": str(home)}
    command = [sys.executable, "-c", RUN]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()


def test_a_change_two_files_away_is_noticed_and_nothing_else_compiles_again(package: Path, tmp_path: Path) -> None:
    assert run(package, tmp_path) == ["compiled", "21"]
    assert run(package, tmp_path) == ["21"]
    (package / "lab" / "constant.py").write_text("CONSTANT = 3\n")
    assert run(package, tmp_path) == ["compiled", "31"]
    assert run(package, tmp_path) == ["31"]


def test_with_a_numba_that_has_other_parts_code_is_kept_all_the_same(package: Path, tmp_path: Path) -> None:
    (package / "lab" / "kernel_cache.py").write_text("from numba.core.caching import NoSuchPart\n")
    assert run(package, tmp_path) == ["compiled", "21"]
    assert run(package, tmp_path) == ["21"]
    (package / "lab" / "constant.py").write_text("CONSTANT = 3\n")
    assert run(package, tmp_path) == ["compiled", "31"]


def test_damaged_machine_code_is_compiled_anew(package: Path, tmp_path: Path) -> None:
    assert run(package, tmp_path) == ["compiled", "21"]
    kept = [*(package / "lab" / "__pycache__").glob("*.nb?")]
    assert len(kept) == 4
    for damaged in kept:
        damaged.write_bytes(damaged.read_bytes()[:-10])
    assert run(package, tmp_path) == ["compiled", "21"]
    assert run(package, tmp_path) == ["21"]


def test_beside_a_source_that_cannot_be_written_to_the_users_cache_folder_is_used(
    package: Path, tmp_path: Path
) -> None:
    # A file in the place of the folder keeps even the superuser out.
    (package / "lab" / "__pycache__").write_text("")
    home = tmp_path / "home"
    home.mkdir()
    assert run(package, home) == ["compiled", "21"]
    assert run(package, home) == ["21"]
    assert [*home.rglob("near.near*.nbi")]


def test_with_no_place_to_write_at_all_kernels_still_run(package: Path, tmp_path: Path) -> None:
    (package / "lab" / "__pycache__").write_text("")
    home = tmp_path / "home"
    home.write_text("")
    assert run(package, home) == ["compiled", "21"]
    assert run(package, home) == ["compiled", "21"]


@pytest.mark.parametrize(
    ("kernels", "behind"),
    [
        ("croupier.lab.blackjack.solver.values", "croupier.lab.blackjack.strategy"),
        ("croupier.lab.blackjack.solver.values", "croupier.lab.blackjack.solver.dealer"),
        ("croupier.lab.blackjack.simulation.lockstep", "croupier.lab.random_numbers"),
        ("croupier.lab.poker.kernels", "croupier.lab.poker.runouts"),
    ],
)
def test_what_kernels_take_over_from_other_files_counts_as_theirs(kernels: str, behind: str) -> None:
    __import__(kernels)
    assert behind in sources(kernels)


def test_ready_code_starts_without_the_compilers_half_of_numba() -> None:
    solve(CASINO)
    code = (
        "import sys; from croupier.lab.blackjack.solve import solve;"
        "from croupier.games.blackjack import CASINO; solve(CASINO);"
        "print(*({'scipy.linalg', 'numba.np.arraymath', 'numba.misc.cffiimpl'} & {*sys.modules}))"
    )
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert shown.stdout.split() == []
