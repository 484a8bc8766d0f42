"""A solution on disk: the spot as JSON, and the solver's arrays, in one NumPy archive."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.spot import Spot

if TYPE_CHECKING:
    from croupier.lab.poker.solver.solver import Solver

FORMAT: Final = 1
ITERATIONS_MAX: Final = 10**9
_ARRAYS: Final = ("regrets", "average", "short_regrets", "short_average", "scales")


class Header(msgspec.Struct, frozen=True):
    """The header of a file."""

    format: int
    spot: Spot
    compact: bool
    iterations: Annotated[int, msgspec.Meta(ge=0, le=ITERATIONS_MAX)]
    seconds: Annotated[float, msgspec.Meta(ge=0)]


def save(path: Path, solver: "Solver", spot: Spot, seconds: float) -> None:
    """Write a solution. Raises OSError if the file cannot be written."""
    header = msgspec.json.encode(Header(FORMAT, spot, solver.compact, solver.iterations, seconds))
    arrays = {name: getattr(solver.numbers, name) for name in _ARRAYS}
    with path.open("wb") as file:
        np.savez(file, header=np.frombuffer(header, np.uint8), **arrays)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """An archive, to be read within the block. Raises SolveError for whatever is wrong with it."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            yield stored
    except SolveError:
        raise
    except OSError as error:
        raise SolveError("SOLVE_FILE", file=str(path), reason=error.strerror or str(error)) from None
    except Exception:  # reading what is damaged, or of another program, raises nearly everything
        raise SolveError("SOLVE_FILE_DAMAGED", file=str(path)) from None


def read_header(path: Path) -> Header:
    """What was solved. Raises SolveError if the file is no solution of this edition."""
    with _opened(path) as stored:
        header = msgspec.json.decode(stored["header"].tobytes(), type=Header)
    if header.format != FORMAT:
        raise SolveError("SOLVE_FILE_FORMAT", file=str(path), format=header.format)
    return header


def load_into(path: Path, solver: "Solver", header: Header, *, relocked: bool) -> None:
    """Fill a solver of the same spot with the numbers of a file. `relocked` says that its locks are other ones.

    Raises SolveError if the numbers do not fit, or cannot be.
    """
    with _opened(path) as stored:
        for name in _ARRAYS:
            own, found = getattr(solver.numbers, name), stored[name]
            if relocked and found.shape != own.shape:
                raise SolveError("SOLVE_FILE_LOCKS", file=str(path))
            if found.shape != own.shape or found.dtype != own.dtype or not _can_be(name, found):
                raise SolveError("SOLVE_FILE_DAMAGED", file=str(path))
            own[:] = found
    # With other locks, what was played on average so far does not count any more; the regrets are a beginning.
    solver.iterations = min(header.iterations, 1) if relocked else header.iterations


def _can_be(name: str, found: NDArray[Any]) -> bool:
    """Whether a solver can have come to these numbers. Only regrets are below 0."""
    return bool(np.isfinite(found).all()) and (name.endswith("regrets") or not (found < 0).any())
