"""How the lab compiles: one decorator for every kernel, and a word to the user while the first run waits for it.

Machine code is kept on disk by numba (beside the source, or in the user's cache folder where that is read-only), so
the wait happens once a machine.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

import numba
from numba.core import event

from croupier import locales

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compiles at the first call, keeps the result on disk, and runs without the interpreter's lock.

    Numba notices a change in the kernel's own file only: kernels that call each other stand in one file.
    """
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def say_on_standard_error() -> None:
    """The customary notice, in the language of the environment."""
    print(locales.text(locales.preferred(os.environ), "lab.compiling"), file=sys.stderr, flush=True)


@contextmanager
def compiling_notice(say: Callable[[], None] = say_on_standard_error) -> Iterator[None]:
    """Calls `say` once, as soon as a kernel really has to be compiled within the block; never when all are on disk."""
    listener = _FirstCompilation(say)
    with event.install_listener("numba:compile", listener):
        yield


class _FirstCompilation(event.Listener):
    def __init__(self, say: Callable[[], None]) -> None:
        self._say = say
        self._said = False

    def on_start(self, happening: object) -> None:
        if not self._said:
            self._said = True
            self._say()

    def on_end(self, happening: object) -> None:
        """Only the beginning is worth a word."""
