"""The decorators that compile kernels, and a notice to the user while the first run waits for the compiler.

Compiled kernels are kept on disk (`kernel_cache`), so a machine waits once.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba
from numba.core import event

from croupier import locales

try:
    from croupier.lab.kernel_cache import cache_on_disk
except (ImportError, AttributeError):  # a numba whose cache has other parts than the ones used there
    from croupier.lab.plain_cache import cache_on_disk


F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function at its first call, keep the code on disk, and run it without the interpreter's lock.

    Kernels sum and compare in their own loops. Code that contains numba's `sum`, `max` or `argmax` of an array imports
    numba's linear algebra, and scipy's with it, whenever it is loaded.
    """
    return _compiled(function)


def inlined(function: F) -> F:
    """Like `kernel`, and inlined into every kernel that calls it: for small functions that are called often.

    The simulator plays a sixth more rounds a second with it.
    """
    return _compiled(function, forceinline=True)


def vectorised(function: F) -> F:
    """Like `kernel`, for loops over floats: a division by zero is no exception there, which would stop vector code."""
    return _compiled(function, error_model="numpy", _nrt=False)


def vector_step(function: F) -> F:
    """Like `vectorised`, and inlined into every kernel that calls it."""
    return _compiled(function, forceinline=True, error_model="numpy", _nrt=False)


def _compiled(function: F, **options: object) -> F:
    compile_with: Any = numba.njit  # takes more options than its types say
    compiled = compile_with(nogil=True, **options)(function)
    cache_on_disk(compiled)
    return cast(F, compiled)


def say_on_standard_error() -> None:
    """Print the notice to standard error, in the language of the environment."""
    print(locales.text(locales.preferred(os.environ), "lab.compiling"), file=sys.stderr, flush=True)


@contextmanager
def compiling_notice(say: Callable[[], None] = say_on_standard_error) -> Iterator[None]:
    """Call `say` once, when a kernel is first compiled within the block; never if all kernels are on disk."""
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
        """Only the start of a compilation is announced."""
