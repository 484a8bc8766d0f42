"""How the lab compiles: one way for every kernel, and a word to the user while the first run waits for it.

Machine code is kept on disk (`machine_code`), so the wait happens once a machine.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

import numba
from numba.core import event

from croupier import locales
from croupier.lab import machine_code

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compiles at the first call, keeps the result on disk, and runs without the interpreter's lock.

    Kernels sum and compare in loops of their own: ready code that contains numba's `sum`, `max` or `argmax` of an array
    imports numba's linear algebra, and with it scipy's, whenever it is loaded.
    """
    return _compiled(function)


def inlined(function: F) -> F:
    """Compiles like `kernel`, and becomes part of every kernel that calls it: for what is too small and too often
    called to be a call. A sixth more rounds a second in the simulator."""
    return _compiled(function, forceinline=True)


def _compiled(function: F, forceinline: bool = False) -> F:
    compiled = numba.njit(nogil=True, forceinline=forceinline)(function)
    machine_code.keep(compiled)
    return cast(F, compiled)


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
