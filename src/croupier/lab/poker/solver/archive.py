"""A solution on disk: the spot as JSON, and the solver's arrays, in one NumPy archive."""

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.spot import Spot

if TYPE_CHECKING:
    from croupier.lab.poker.solver.solver import Solver

FORMAT: Final = 1
_ARRAYS: Final = ("regrets", "average", "short_regrets", "short_average", "scales")


class Header(msgspec.Struct, frozen=True):
    """The header of a file."""

    format: int
    spot: Spot
    compact: bool
    iterations: int
    seconds: float


def save(path: Path, solver: "Solver", spot: Spot, seconds: float) -> None:
    """Write a solution. Raises OSError if the file cannot be written."""
    header = msgspec.json.encode(Header(FORMAT, spot, solver.compact, solver.iterations, seconds))
    arrays = {name: getattr(solver.numbers, name) for name in _ARRAYS}
    with path.open("wb") as file:
        np.savez(file, header=np.frombuffer(header, np.uint8), **arrays)


def read_header(path: Path) -> Header:
    """What was solved. Raises SolveError if the file is no solution of this edition."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            header = msgspec.json.decode(stored["header"].tobytes(), type=Header)
    except OSError as error:
        raise SolveError("SOLVE_FILE", file=str(path), reason=error.strerror or str(error)) from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, msgspec.MsgspecError, AttributeError, TypeError):
        raise SolveError("SOLVE_FILE", file=str(path), reason="not written by --save, or damaged") from None
    if header.format != FORMAT:
        raise SolveError("SOLVE_FILE", file=str(path), reason=f"format {header.format}")
    return header


def load_into(path: Path, solver: "Solver", header: Header) -> None:
    """Fill a solver of the same spot with the numbers of a file. Raises SolveError if they do not fit."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            for name in _ARRAYS:
                own, found = getattr(solver.numbers, name), stored[name]
                if found.shape != own.shape or found.dtype != own.dtype:
                    raise SolveError("SOLVE_FILE", file=str(path), reason=f"{name}: {found.shape}, {found.dtype}")
                if found.dtype.kind == "f" and not np.isfinite(found).all():
                    raise SolveError("SOLVE_FILE", file=str(path), reason=f"{name}: nan")
                own[:] = found
    except OSError as error:
        raise SolveError("SOLVE_FILE", file=str(path), reason=error.strerror or str(error)) from None
    except (KeyError, EOFError, zipfile.BadZipFile) as error:
        raise SolveError("SOLVE_FILE", file=str(path), reason=str(error)) from None
    solver.iterations = header.iterations
